"""The page Navigation as a person sees it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, rerun, screenshot

LINK = "/navigation?data=navigation+sample"
MAP = "document.querySelector('.st-key-walk .js-plotly-plot')"


def fillings(page: Page) -> list[str]:
    colours: list[str] = page.evaluate(f"() => {MAP}.data.find(one => one.mode === 'markers+text').marker.color")
    return colours


def places(page: Page) -> list[float]:
    xs: list[float] = page.evaluate(f"() => Array.from({MAP}._fullData.find(o => o.mode === 'markers+text').x)")
    return xs


def test_walking_down_fills_the_graph_and_nothing_jumps(tab: Page) -> None:
    page = afresh(tab, f"{LINK}&navigation.rank=1")
    before, stood = fillings(page), places(page)
    with rerun(page):
        page.locator(".st-key-navigation-rank input[type=range]").first.press("ArrowRight")
    assert fillings(page) != before
    assert places(page) == pytest.approx(stood)
    assert parse_qs(urlsplit(page.url).query)["navigation.rank"] == ["2"]
    with rerun(page):
        page.locator(".st-key-navigation-stop input[type=range]").first.press("ArrowRight")
    assert places(page) == pytest.approx(stood)


def test_the_figure_and_its_controls_fit_on_one_screen(tab: Page) -> None:
    tab.set_viewport_size({"width": 1280, "height": 800})
    page = afresh(tab, f"{LINK}&navigation.going=follow+links+and+scroll")
    for key in ("walk", "systems"):
        box = page.locator(f".st-key-{key}").bounding_box()
        assert box
        assert box["y"] + box["height"] <= 800
    expect(page.get_by_text("on their own")).to_be_visible()
    screenshot(page, "navigation-walk")
