"""The headline is first on a page: whole sentences in two lines, which are also the title of the figure on stage."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from app_support import QUICK
from browser_support import move_on, visit

pytestmark = pytest.mark.slow

HEADLINE = '[class*="st-key-sentence-headline"]'
LINES = "p => Math.round(p.clientHeight / parseFloat(getComputedStyle(p).lineHeight))"
CUT = "p => p.scrollHeight > p.clientHeight + 2"
PAGES = ["home", "understandability", "sensitivity", "labels"]


@pytest.fixture(scope="module")
def tab(keep_open: Callable[..., Page]) -> Page:
    return visit(keep_open(width=1280, height=720), "/toma")


@pytest.mark.parametrize("page", PAGES)
def test_a_headline_takes_two_lines_the_rest_a_click_and_is_the_title_on_stage(tab: Page, page: str) -> None:
    quick = QUICK.get(page, {})
    move_on(tab, f"/{page}?{urlencode(quick)}")
    headline = tab.locator(HEADLINE).first
    expect(headline).to_be_visible()
    first, rest = headline.locator("p").first, headline.locator("p + p")
    assert first.evaluate(LINES) <= 2
    assert not first.evaluate(CUT)
    if rest.count():
        expect(rest).to_be_hidden()
        headline.locator(".more-lines").click()
        expect(rest).to_be_visible()
        headline.locator(".more-lines").click()
        expect(rest).to_be_hidden()
    found = first.inner_text()
    move_on(tab, f"/{page}?{urlencode({**quick, 'present': 'true'})}")
    expect(tab.locator(".stage-title strong")).not_to_be_empty()
    title, line = (tab.locator(part).inner_text() for part in (".stage-title strong", ".stage-caption"))
    whole = in_one_line(found)
    assert whole.startswith(title)
    assert line.startswith(whole.removeprefix(title).strip(" ·"))  # what the title has no room for


def in_one_line(lines: str) -> str:
    """Return the text in one line, as on stage: lines are joined by a space after a full stop, else by a dot."""
    return lines.replace(".\n", ". ").replace("\n", " · ")
