"""A figure stays in view beside controls that are taller than the window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser_support import visit


@pytest.mark.slow
def test_a_figure_stays_in_view_beside_taller_controls(open_page: Callable[..., Page]) -> None:
    page = visit(open_page(height=700), "/toma?toma.base=AP&toma.further=none")
    page.get_by_text("More settings", exact=True).click()
    figure, last = page.locator(".plot").first, page.get_by_text("Admissible tuples").first
    expect(last).to_be_visible()
    # The box unfolds for a moment.
    still = "one => { const before = one.top; one.top = one.getBoundingClientRect().top; return one.top === before; }"
    page.wait_for_function(still, arg=last.element_handle(), polling=200)
    last.evaluate("one => one.scrollIntoView({block: 'end'})")
    expect(last).to_be_in_viewport()
    expect(figure).to_be_in_viewport(ratio=1)
