"""Finding the way: Ctrl K, explanations that fold, a figure that stays in view. One visit, in this order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser_support import rerun, settled, visit


@pytest.fixture(scope="module")
def page(keep_open: Callable[..., Page]) -> Page:
    """The app at TOMA, kept from test to test."""
    return visit(keep_open(height=700), "/toma?toma.base=AP&toma.further=none")


def find(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.insert_text(text)


def go(page: Page, text: str, title: str) -> None:
    find(page, text)
    with rerun(page):
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    settled(page)


def test_a_figure_stays_in_view_beside_taller_controls(page: Page) -> None:
    figure, last = page.locator(".plot").first, page.get_by_text("very easy").first
    last.evaluate("one => one.scrollIntoView({block: 'end'})")
    expect(last).to_be_in_viewport()
    expect(figure).to_be_in_viewport(ratio=1)


def test_keys_choose_and_escape_gives_the_focus_back(page: Page) -> None:
    opens = page.get_by_role("button", name="Find, Ctrl K")
    opens.focus()
    page.keyboard.press("Enter")
    box = page.get_by_role("combobox", name="Find", exact=True)
    expect(box).to_be_focused()
    first = box.get_attribute("aria-activedescendant")
    page.keyboard.press("ArrowDown")
    chosen = page.locator(f"#{box.get_attribute('aria-activedescendant')}")
    expect(chosen).to_have_attribute("aria-selected", "true")
    assert chosen.get_attribute("id") != first
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(opens).to_be_focused()


def test_it_stays_closed_over_another_dialog(page: Page) -> None:
    page.evaluate("() => document.body.append(Object.assign(document.createElement('dialog'), {id: 'another'}))")
    page.evaluate("() => document.querySelector('#another').showModal()")
    page.keyboard.press("Control+k")
    expect(page.locator("dialog.palette")).to_be_hidden()
    page.evaluate("() => document.querySelector('#another').remove()")


def test_a_setting_in_a_fold_is_opened_and_gets_the_focus(page: Page) -> None:
    find(page, "somewhat relevant")
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider", name="somewhat relevant")).to_be_focused()
    expect(page.locator("details", has_text="Positions of relevance")).to_have_attribute("open", "")


def test_a_page_is_opened_as_by_the_menu_and_back_leads_back(page: Page) -> None:
    before = page.url
    go(page, "sensitiv", "Does the winner depend on the setting?")
    with rerun(page):
        page.go_back()
    assert page.url == before
    go(page, "correlat", "Which measures agree about the systems?")
    go(page, "toma", "When is one document better than another?")
    assert "toma.base=AP" in page.url


def test_explanations_are_folded_from_the_second_visit_on(page: Page) -> None:
    fold, text = page.locator("button.fold").first, page.get_by_text("What to try next", exact=True)
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(text).to_be_hidden()
    fold.press("Enter")
    expect(text).to_be_visible()
    page.reload()
    settled(page)
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(text).to_be_visible()
    go(page, "who moved", "Who moved, and why?")
    expect(text.first).to_be_visible()  # a first visit


def test_a_system_stands_out_on_the_page(page: Page) -> None:
    find(page, "bm25_base")
    with rerun(page):
        page.locator("dialog.palette").get_by_role("option", name="bm25_base", exact=True).click()
    assert "systems=bm25_base" in page.url
