"""The page Who moved as a person sees it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import rerun, visit

pytestmark = pytest.mark.slow


def test_a_click_leads_down_and_the_link_above_leads_up_again_at_once(page: Page) -> None:
    visit(page, "/moved")
    mark = page.locator(".st-key-moves .scatterlayer .points path").first
    mark.scroll_into_view_if_needed()
    place = mark.bounding_box()
    assert place
    with rerun(page):
        page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    assert parse_qs(urlsplit(page.evaluate("location.href")).query)["moved.system"]
    with rerun(page):
        page.get_by_test_id("stMain").get_by_role("link", name="All systems").click()
    page.wait_for_function("() => !location.search.includes('moved.system')")
    with rerun(page):
        page.go_back()
    page.wait_for_function("() => location.search.includes('moved.system')")
    expect(page.get_by_test_id("stMain").get_by_role("link", name="All systems")).to_be_visible()
