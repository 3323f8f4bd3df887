"""Every page as a person sees it: no error, no barrier, nothing asked of others; the pictures are kept for a look."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import evalcore as ec
from app_support import QUICK
from browser_support import OF_COLOURS, barriers, move_on, open_folds, open_in_turn, screenshot, settled, visit
from ui.address.site import PAGES, Needs

LIGHT, DARK = ViewportSize(width=1280, height=800), ViewportSize(width=1920, height=1080)

A_TABLET_UPRIGHT, AT_200_PERCENT = 820, 720  # the latter of 1440
CUT = """() => [...document.querySelectorAll('[data-testid="stMetricValue"], [data-testid="stMetricValue"] *')]
    .filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.textContent)"""
MENU = '[data-testid="stPopoverBody"]'


def test_every_page_opens_turns_dark_and_keeps_nobody_out(open_page: Callable[..., Page]) -> None:
    page = open_page()
    looks: list[tuple[Literal["light", "dark"], str, ViewportSize, Sequence[str] | None]]
    looks = [("light", "255, 255, 255", LIGHT, None), ("dark", "18, 22, 28", DARK, OF_COLOURS)]
    for path, listed in PAGES.items():
        if path == "home":
            visit(page)
            page.add_style_tag(content="* { transition: none !important }")  # colours are those of the theme at once
        else:
            move_on(page, f"/{path}?{urlencode(QUICK.get(path, {}))}")
        page.mouse.move(0, 0)  # off the menu, and off whatever says something where the mouse rests
        expect(page.get_by_role("heading", name=listed.question)).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        for at, (theme, ground, size, rules) in enumerate(looks):
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size(size)
            expect(page.locator(".stApp")).to_have_css("background-color", f"rgb({ground})")
            screenshot(page, f"{path}-{size['width']}-{theme}")
            if at == 0:
                open_folds(page)  # what is seen without them stays
            assert barriers(page, rules) == [], f"{path}, {theme}, folds open"
        looks.reverse()  # the next page comes as this one is left
        menus = [barriers(page, within=MENU) for _ in open_in_turn(page)]
        assert menus == [[]] * len(menus), f"{path}, a menu open, dark"


@pytest.mark.parametrize(("needs", "sample"), [("systems", "board"), ("labels", "health")])
def test_scores_or_labels_alone_keep_nobody_out(
    needs: Needs, sample: str, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    folder = Path(ec.sample_folder(sample))
    if needs == "labels":
        for name in ("qrels.txt", "qrels.llm.txt"):
            shutil.copy(folder / name, tmp_path)
        folder = tmp_path
    page = open_page(data=folder)
    for path in ["home", *(path for path, listed in PAGES.items() if listed.needs == needs), "collection"]:
        (visit if path == "home" else move_on)(page, "/" if path == "home" else f"/{path}")
        expect(page.get_by_role("heading", name=PAGES[path].question)).to_be_visible()
        open_folds(page)
        screenshot(page, f"{path}-{needs}-alone")
        assert barriers(page) == [], path


def test_where_it_is_narrow_no_number_is_cut_and_figures_have_room(open_page: Callable[..., Page]) -> None:
    page = open_page(width=A_TABLET_UPRIGHT, height=1100)
    for path in ("understandability", "toma", "navigation"):
        page.set_viewport_size({"width": A_TABLET_UPRIGHT, "height": 1100})
        (visit if path == "understandability" else move_on)(page, f"/{path}")
        for width in (A_TABLET_UPRIGHT, AT_200_PERCENT):
            page.set_viewport_size({"width": width, "height": 1100})
            settled(page)
            assert page.evaluate(CUT) == [], width
            plots = page.locator("[data-testid=stMain] .js-plotly-plot").all()
            assert max(box["width"] for plot in plots if (box := plot.bounding_box())) > 400, width
