"""Figures and numbers follow a slider while it moves, and stay the same once the server has answered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

import evalcore as ec
from browser_support import afresh, rerun, two_frames
from evalcore.measures import RBP

pytestmark = pytest.mark.followed

PATH = "/understandability?doubt=false&understandability.rho=0.8"
PLACES = """key => [...document.querySelectorAll(`.st-key-${key} .plot .scatterlayer path.point`)]
  .map(mark => mark.getAttribute('transform').match(/-?[\\d.]+/g).map(Number))"""


@pytest.fixture
def shown(tab: Page) -> Page:
    afresh(tab, PATH).wait_for_function("document.querySelector('.st-key-scatter .js-plotly-plot')?._fullData")
    return tab


def thumb(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key} input[type=range]").first


def places(page: Page, figure: str) -> list[list[float]]:
    """Return the positions of the marks of a figure, in pixels."""
    found: list[list[float]] = page.evaluate(PLACES, figure)
    return found


def hold(page: Page, key: str) -> tuple[float, float]:
    """Put the mouse on a thumb, and wait until the browser has its whole path; return the thumb's position."""
    x, y = thumb(page, key).evaluate(
        """e => {
            const knob = e.parentElement.parentElement.getBoundingClientRect();
            return [knob.x + knob.width / 2, knob.y + knob.height / 2];
        }"""
    )
    page.mouse.move(x, y)
    page.wait_for_selector(f".st-key-{key}[data-path=complete]")
    page.mouse.down()
    return x, y


def test_marks_and_numbers_follow_the_thumb_and_stand_on_release(shown: Page, sample: ec.Collection) -> None:
    before = places(shown, "scatter")
    x, y = hold(shown, "understandability-rho")
    asked: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    for step in range(1, 11):
        shown.mouse.move(x - 8 * step, y)
    shown.wait_for_function("document.querySelectorAll('.live-text').length > 2")
    two_frames(shown)
    moved, tau, sentence = places(shown, "scatter"), *numbers(shown)
    assert moved != before
    rho = float(thumb(shown, "understandability-rho").input_value())
    assert f"{ec.evaluate(RBP(rho), sample).mean().max():.4f}" in sentence
    assert asked == []
    with rerun(shown):
        shown.mouse.up()
    expect(shown.locator(".live-text")).to_have_count(0)
    assert places(shown, "scatter") == [pytest.approx(place, abs=0.5) for place in moved]
    assert numbers(shown) == [tau, sentence]


def numbers(page: Page) -> list[str]:
    """Return τ and the sentence about the winner on the page."""
    return [
        page.locator("[data-testid=stMetricValue]").first.inner_text(),
        page.locator("[data-testid=stMarkdownContainer]", has_text="Under RBP, ").first.inner_text(),
    ]
