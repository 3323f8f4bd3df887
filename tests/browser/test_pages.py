"""Every page as a person sees it: no error, nothing asked of another host; the pictures are kept for a look."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser_support import screenshot, visit
from ui.frame.site import PAGES


@pytest.mark.parametrize(("width", "height", "dark"), [(1280, 800, False), (1920, 1080, True)], ids=["light", "dark"])
def test_every_page_opens_by_its_link(open_page: Callable[..., Page], width: int, height: int, dark: bool) -> None:
    page = open_page(width=width, height=height, dark=dark)
    for path, listed in PAGES.items():
        visit(page, "/" if path == "home" else f"/{path}")
        expect(page.get_by_role("heading", name=listed.question)).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        screenshot(page, f"{path}-{width}-{'dark' if dark else 'light'}")


@pytest.mark.parametrize("width", [820, 720], ids=["a tablet upright", "1440 at 200 %"])
def test_where_it_is_narrow_no_number_is_cut_and_figures_have_room(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(width=width, height=1100)
    for path in ("understandability", "toma", "navigation"):
        visit(page, f"/{path}")
        cut = """() => [...document.querySelectorAll('[data-testid="stMetricValue"], [data-testid="stMetricValue"] *')]
            .filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.textContent)"""
        assert page.evaluate(cut) == []
        plots = page.locator("[data-testid=stMain] .js-plotly-plot").all()
        assert max(box["width"] for plot in plots if (box := plot.bounding_box())) > 400
