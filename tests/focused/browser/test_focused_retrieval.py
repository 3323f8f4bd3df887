"""The page Focused retrieval in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, screenshot

pytestmark = pytest.mark.slow

LINK = "/focused_retrieval?data=focused+sample"


def test_the_text_is_marked_and_opens_at_the_part(tab: Page) -> None:
    page = afresh(tab, f"{LINK}&focused_retrieval.system=window_500&focused_retrieval.of=101&focused_retrieval.rank=2")
    now = page.locator(".passages .rank.now")
    expect(now).to_have_text("2")
    assert page.locator(".passages .marked").count() > 0
    page.locator(".passages").scroll_into_view_if_needed()
    box, mark = page.locator(".passages").bounding_box(), now.bounding_box()
    assert box
    assert mark
    assert box["y"] <= mark["y"] <= box["y"] + box["height"]
    screenshot(page, "focused_retrieval-text")
