"""Finding the way: explanations that fold, a figure that stays in view. One visit, in this order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser_support import settled, visit

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(keep_open: Callable[..., Page]) -> Page:
    """The app at TOMA, kept from test to test."""
    return visit(keep_open(height=700), "/toma?toma.base=AP&toma.further=none")


def test_a_figure_stays_in_view_beside_taller_controls(page: Page) -> None:
    figure, last = page.locator(".plot").first, page.get_by_text("very easy").first
    last.evaluate("one => one.scrollIntoView({block: 'end'})")
    expect(last).to_be_in_viewport()
    expect(figure).to_be_in_viewport(ratio=1)


def test_explanations_are_folded_from_the_second_visit_on(page: Page) -> None:
    page.reload()
    settled(page)
    fold, text = page.locator("button.fold").first, page.get_by_text("What to try next", exact=True)
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(text).to_be_hidden()
    fold.press("Enter")
    expect(text).to_be_visible()
    page.reload()
    settled(page)
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(text).to_be_visible()
