"""Five questions are answered within three clicks from Home, by following the words on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser_support import rerun, visit

pytestmark = pytest.mark.slow

HEADLINES = '[class*="st-key-sentence-headline"]'
MOST_CLICKS = 3
# The question; the links and choices that lead to the answer, by a part of their words; and the answer's words.
QUESTIONS = {
    "who leads, and how sure is that": ([("link", "Who leads, and how sure")], r"\(95 %\)"),
    "does readability change the first five": (
        [("link", "What if we measured differently"), ("radio", "Ranks")],
        r"RBP\s+uRBPgr\s+expert_large\s+1",
    ),
    "which measures disagree, and on which topics": (
        [("link", "Which measures agree, who moved"), ("link", "Who moved between"), ("link", " → ")],
        r"(rises|falls) from rank [\s\S]*Topic",
    ),
    "would another judge change the order": (
        [("link", "Can the labels be trusted"), ("radio", "Ranking")],
        r"The winner under llm",
    ),
    "what may I write": ([("link", "What may I write")], r"(holds|undecided|fails|reversed)"),
}
# For places with a slider, a page: the most stops of Tab before the slider.
SLIDERS = ("understandability", "aspect_weights", "sensitivity", "correlations?correlations.vary=RBP(rho%3D0.8)")
MOST_STOPS = 8


@pytest.fixture(scope="module")
def tab(keep_open: Callable[..., Page]) -> Page:
    return visit(keep_open())


@pytest.mark.parametrize("asked", QUESTIONS)
def test_a_question_is_answered_within_three_clicks_from_home(tab: Page, asked: str) -> None:
    clicks, answer = QUESTIONS[asked]
    assert len(clicks) <= MOST_CLICKS
    visit(tab)
    for role, words in clicks:
        with rerun(tab):
            tab.locator("section.stMain, .stMain").first.get_by_role(role, name=words).first.click()  # type: ignore[arg-type]
    expect(tab.locator("body")).to_have_text(re.compile(answer), use_inner_text=True, timeout=120_000)


@pytest.mark.parametrize("page", SLIDERS)
def test_a_slider_is_few_stops_of_tab_away(tab: Page, page: str) -> None:
    visit(tab, f"/{page}")
    stops = list[str]()
    while len(stops) <= MOST_STOPS:
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.matches('[role=slider], input[type=range]')"):
            break
        stops.append(tab.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText"))
    assert len(stops) <= MOST_STOPS, stops


def test_the_frame_of_the_page_comes_before_its_controls(tab: Page) -> None:
    visit(tab, "/understandability")
    tab.keyboard.press("Shift+Tab")
    assert tab.evaluate("document.activeElement.closest('.st-key-menu') !== null")
