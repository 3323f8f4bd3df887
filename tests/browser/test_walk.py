"""A walk through the app in a browser: after every step the page shows what a fresh tab shows at its address."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from browser_support import rerun, settled, visit, watch
from ui.address.site import SITE

pytestmark = pytest.mark.followed

STEPS = int(os.environ.get("WALK_STEPS", "6"))
SEEDS = [int(seed) for seed in os.environ.get("WALK_SEEDS", "1").split()]
SECTIONS = [(section, page.name) for section, listed in SITE.items() if section for page in listed]
SHOWN = """() => [...document.querySelectorAll(
    '[data-testid="stMain"] :is(h1, h2, h3, [data-testid="stMetric"])'
)].filter(one => one.checkVisibility()).map(one => one.innerText)"""
MOVED = '[data-testid="stMain"] [data-testid="stSlider"] input[type=range]'


class Walker:
    """A person who moves about at random."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.random = page, random.Random(seed)
        self.history = [self.here()]
        self.at = 0

    def here(self) -> str:
        address: str = self.page.evaluate("location.href")
        return address

    def step(self) -> str:
        """Make one; what it was, in words."""
        steps = [self.menu, self.slide, self.slide, self.select, self.select, self.collection, self.reload]
        steps += [self.back] * 2 * (self.at > 0) + [self.forward] * (self.at < len(self.history) - 1)
        return self.random.choice(steps)()

    def _went(self) -> None:
        if self.here() != self.history[self.at]:
            self.history = [*self.history[: self.at + 1], self.here()]
            self.at += 1

    def menu(self) -> str:
        section, title = self.random.choice(SECTIONS)
        self.page.locator(".st-key-menu").get_by_role("button", name=section).click()
        link = self.page.get_by_test_id("stPopoverBody").get_by_role("link", name=title)
        with rerun(self.page):
            link.click()
        self._went()
        return f"menu: {title}"

    def slide(self) -> str:
        sliders = [one for one in self.page.locator(MOVED).all() if one.is_visible()]
        if not sliders:
            return "no slider"
        slider = self.random.choice(sliders)
        value, high = float(slider.input_value()), float(slider.get_attribute("max") or 0)
        with rerun(self.page):
            slider.press("ArrowLeft" if value >= high else "ArrowRight")
        self._went()
        return "slider"

    def select(self) -> str:
        boxes = self.page.get_by_test_id("stMain").get_by_test_id("stSelectbox")
        return self._choose([one for one in boxes.all() if one.is_visible()])

    def collection(self) -> str:
        return self._choose(self.page.locator(".st-key-data").all())

    def _choose(self, boxes: list[Locator]) -> str:
        if not boxes:
            return "nothing to select"
        box = self.random.choice(boxes).locator("input").first
        box.click()
        others = self.page.locator('[role="option"][aria-selected="false"]').all()
        if not others:
            box.press("Escape")
            return "nothing else to select"
        chosen = self.random.choice(others)
        name = chosen.inner_text()
        with rerun(self.page):
            chosen.click()
        self._went()
        return f"select: {name}"

    def reload(self) -> str:
        self.page.reload()
        settled(self.page)
        return "reload"

    def back(self) -> str:
        return self._to(self.at - 1, self.page.go_back)

    def forward(self) -> str:
        return self._to(self.at + 1, self.page.go_forward)

    def _to(self, at: int, go: Callable[[], object]) -> str:
        with rerun(self.page):
            go()
        self.at = at
        assert self.here() == self.history[at]
        return go.__name__


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fresh_tab_shows_the_same_after_every_step(page: Page, seed: int) -> None:
    visit(page, "/understandability")
    fresh = page.context.new_page()
    watch(fresh, page.evaluate("location.origin"))
    walker, steps = Walker(page, seed), []
    for _ in range(STEPS):
        page.bring_to_front()
        steps.append(walker.step())
        shown = page.evaluate(SHOWN)
        visit(fresh, walker.here())
        assert shown == fresh.evaluate(SHOWN), (steps, walker.here())
