"""What a page found stands first: whole sentences in two lines, which are the title of the figure on stage too."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.test_dragged import held
from playwright.sync_api import Page, expect

from browser_support import move_on, rerun, visit

HEADLINE = '[class*="st-key-said-headline"]'
LINES = "p => Math.round(p.clientHeight / parseFloat(getComputedStyle(p).lineHeight))"
CUT = "p => p.scrollHeight > p.clientHeight + 2"
PAGES = ["home", "understandability", "toma", "sensitivity", "leaderboard", "claim", "correlations", "labels", "moved"]
OTHERS = ["aspect_weights", "discriminative_power", "navigation", "focused_retrieval"]


@pytest.fixture(scope="module")
def tab(keep_open: Callable[..., Page]) -> Page:
    return visit(keep_open(width=1280, height=720), "/toma")


@pytest.mark.parametrize("page", [*PAGES, *OTHERS])
def test_a_headline_takes_two_lines_the_rest_a_click_and_is_the_title_on_stage(tab: Page, page: str) -> None:
    move_on(tab, f"/{page}")
    headline = tab.locator(HEADLINE).first
    expect(headline).to_be_visible()
    first, rest = headline.locator("p").first, headline.locator("p + p")
    if page in PAGES:
        assert first.evaluate(LINES) <= 2
        assert not first.evaluate(CUT)
    if page in PAGES and rest.count():
        expect(rest).to_be_hidden()
        headline.locator(".more-lines").click()
        expect(rest).to_be_visible()
        headline.locator(".more-lines").click()
        expect(rest).to_be_hidden()
    found = first.inner_text().split("\n")
    move_on(tab, f"/{page}?present=true")
    expect(tab.locator(".stage-title strong")).to_have_text(" · ".join(found))
    tab.keyboard.press("Escape")


def test_the_title_on_stage_is_the_headline_and_follows_the_slider(tab: Page) -> None:
    thumb = ".st-key-understandability-rho input[type=range]"
    for rho in ("0.8", "0.5"):
        move_on(tab, f"/understandability?understandability.rho={rho}")
        found = tab.locator(HEADLINE).first.locator("p").first.inner_text().split("\n")
        move_on(tab, f"/understandability?understandability.rho={rho}&present=true")
        expect(tab.locator(".stage-title strong")).to_have_text(" · ".join(found))
        if rho == "0.8":
            tab.keyboard.press("Escape")
    tab.keyboard.press("c")
    title = tab.locator(".stage-title strong")
    with rerun(tab), held(tab, tab.locator(thumb).locator("xpath=../.."), 40):
        in_hand = title.inner_text()
    expect(title).not_to_have_text(" · ".join(found))
    without_doubt = re.compile(r" \(.*?\)(?= ·|$)")
    assert without_doubt.sub("", in_hand) == without_doubt.sub("", title.inner_text())
    tab.keyboard.press("Escape")


def test_nothing_is_mended_while_a_slider_is_held_and_all_of_it_once_it_rests(tab: Page) -> None:
    move_on(tab, "/understandability?understandability.rho=0.8")
    tab.evaluate(
        """() => {
            const find = document.querySelectorAll.bind(document);
            window.looked = 0;
            document.querySelectorAll = (of) => { looked += of.includes("st-key-said-headline"); return find(of); };
        }"""
    )
    slider = tab.locator(".st-key-understandability-rho input[type=range]").locator("xpath=../..")
    with rerun(tab), held(tab, slider, 40):
        expect(tab.locator(".slider-moves")).to_have_count(1)
        before = tab.evaluate("looked")
        tab.wait_for_timeout(400)
        box = slider.bounding_box()
        assert box
        for step in range(10):
            tab.mouse.move(box["x"] + 60 + 10 * step, box["y"] + box["height"] / 2)
            tab.wait_for_timeout(30)
        assert tab.evaluate("looked") == before
    assert tab.evaluate("looked") > before
