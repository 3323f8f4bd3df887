"""What a page found stands first: whole sentences in two lines, which are the title of the figure on stage too."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from app_support import QUICK
from browser.test_dragged import held
from browser_support import move_on, rerun, visit

pytestmark = pytest.mark.followed

HEADLINE = '[class*="st-key-sentence-headline"]'
LINES = "p => Math.round(p.clientHeight / parseFloat(getComputedStyle(p).lineHeight))"
CUT = "p => p.scrollHeight > p.clientHeight + 2"
PAGES = ["home", "understandability", "toma", "sensitivity", "leaderboard", "claim", "correlations", "labels", "moved"]
OTHERS = ["aspect_weights", "discriminative_power", "navigation", "focused_retrieval"]


@pytest.fixture(scope="module")
def tab(keep_open: Callable[..., Page]) -> Page:
    return visit(keep_open(width=1280, height=720), "/toma")


@pytest.mark.parametrize("page", [*PAGES, *OTHERS])
def test_a_headline_takes_two_lines_the_rest_a_click_and_is_the_title_on_stage(tab: Page, page: str) -> None:
    quick = QUICK.get(page, {})
    move_on(tab, f"/{page}?{urlencode(quick)}")
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
    found = first.inner_text()
    move_on(tab, f"/{page}?{urlencode({**quick, 'present': 'true'})}")
    expect(tab.locator(".stage-title strong")).to_have_text(in_one_line(found))


def in_one_line(lines: str) -> str:
    """As the stage says it: after a full stop comes a space, after what has none a dot."""
    return lines.replace(".\n", ". ").replace("\n", " · ")


def test_the_title_on_stage_is_the_headline_and_follows_the_slider(tab: Page) -> None:
    thumb, title = ".st-key-understandability-rho input[type=range]", tab.locator(".stage-title strong")
    for rho in ("0.8", "0.5"):
        move_on(tab, f"/understandability?doubt=false&understandability.rho={rho}")
        found = in_one_line(tab.locator(HEADLINE).first.locator("p").first.inner_text())
        move_on(tab, f"/understandability?doubt=false&understandability.rho={rho}&present=true")
        expect(title).to_have_text(found)
    tab.keyboard.press("c")
    with rerun(tab), held(tab, tab.locator(thumb).locator("xpath=../.."), 40):
        in_hand = title.inner_text()
    expect(title).not_to_have_text(found)
    expect(title).to_have_text(in_hand)


def test_nothing_is_mended_while_a_slider_is_held_and_all_of_it_once_it_rests(tab: Page) -> None:
    move_on(tab, "/understandability?doubt=false&understandability.rho=0.8")
    tab.evaluate(
        """() => {
            const find = document.querySelectorAll.bind(document);
            window.looked = 0;
            document.querySelectorAll = (of) => { looked += of.includes("st-key-sentence-headline"); return find(of); };
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
