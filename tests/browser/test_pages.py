"""Every page as a person sees it: no error, no accessibility barrier, no request to other hosts; with screenshots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from app_support import QUICK
from browser_support import OF_COLOURS, barriers, move_on, open_folds, open_in_turn, screenshot, visit
from ui.address.places import PAGES

QUICKLY = ["home", "understandability", "collection"]
LIGHT, DARK = ViewportSize(width=1280, height=800), ViewportSize(width=1920, height=1080)

MENU = '[data-testid="stPopoverBody"]'


@pytest.mark.parametrize(
    "paths", [QUICKLY, pytest.param([path for path in PAGES if path not in QUICKLY], marks=pytest.mark.slow)], ids=len
)
def test_every_page_opens_in_both_themes_and_is_accessible(open_page: Callable[..., Page], paths: list[str]) -> None:
    page = visit(open_page())
    page.add_style_tag(content="* { transition: none !important }")  # colours are those of the theme at once
    looks: list[tuple[Literal["light", "dark"], str, ViewportSize, Sequence[str] | None]]
    looks = [("light", "255, 255, 255", LIGHT, None), ("dark", "18, 22, 28", DARK, OF_COLOURS)]
    for path in paths:
        if path != "home":
            move_on(page, f"/{path}?{urlencode(QUICK.get(path, {}))}")
        # Move the mouse off the menu and off anything with a hover or focus text: pages of a place share boxes.
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement?.blur()")
        expect(page.get_by_role("heading", name=PAGES[path].question)).to_be_visible()
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
