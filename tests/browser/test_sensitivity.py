"""The page Sensitivity as a person sees it: maps that can be clicked."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, rerun, visit

pytestmark = pytest.mark.slow

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def tab(keep_open: Open) -> Page:
    return visit(keep_open(width=1280, height=800), "/papers")


def link(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_click_on_a_cell_looks_at_that_setting(tab: Page) -> None:
    page = afresh(tab, "/sensitivity?sensitivity.look=Two+parameters&sensitivity.fineness=coarse")
    area = page.locator(".st-key-maps .nsewdrag").first.bounding_box()
    assert area
    with rerun(page):
        page.mouse.click(area["x"] + 0.9 * area["width"], area["y"] + 0.85 * area["height"])
    first = link(page)
    assert float(first["sensitivity.x"][0]) > 18
    assert float(first["sensitivity.y"][0]) < 0.3
    expect(
        page.get_by_text(
            f"threshold = {first['sensitivity.x'][0]}, ρ = {first['sensitivity.y'][0]}, against the default"
        )
    ).to_be_visible()
    page.wait_for_timeout(600)  # to plotly, two clicks within half a second are a double click
    with rerun(page):
        page.mouse.click(area["x"] + 0.25 * area["width"], area["y"] + 0.85 * area["height"])
    assert link(page)["sensitivity.x"] != first["sensitivity.x"]
