"""The page Navigation as a person sees it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from browser_support import afresh, rerun

pytestmark = pytest.mark.slow

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
