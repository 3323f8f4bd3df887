"""The list of kept views in the app: ordered by hand, then presented live, view by view."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser_support import SECONDS, barriers, open_report, rerun, settled, visit

pytestmark = pytest.mark.slow

ADDRESSES = (
    "/understandability?understandability.rho=0.5",
    "/toma",
    "/glossary?glossary.term=TOMA",
    "/understandability?understandability.rho=0.9",
)
READABILITY, TOMA, GLOSSARY = "Tune: Readability", "Tune: TOMA", "Learn: Glossary"
TITLES = [READABILITY, TOMA, GLOSSARY, READABILITY]


def with_list(page: Page) -> Page:
    """Keep four views, the first with a note."""
    for address in ADDRESSES:
        visit(page, address)
        open_report(page)
        with rerun(page):
            page.get_by_role("button", name="Keep this view").click()
    expect(rows(page)).to_have_count(len(ADDRESSES))
    note = page.get_by_label("Note", exact=True).first
    note.fill("Ask them.")
    with rerun(page):
        note.press("Control+Enter")
    return page


@pytest.fixture(scope="module")
def tab(keep_open: Callable[..., Page]) -> Page:
    return with_list(keep_open(height=720))


def present(page: Page) -> None:
    """Present the list from its first view."""
    if page.locator("body.presenting").count():
        with rerun(page):
            page.get_by_role("button", name="Leave").click()
    open_report(page)
    with rerun(page):
        page.get_by_role("link", name="Present the list").click()
    at(page, 1)


def at(page: Page, number: int) -> None:
    """Wait until this view of the list is shown."""
    wait = 1000 * SECONDS
    expect(page.locator(".stage-title span")).to_have_text(f"View {number} of 4", timeout=wait)
    expect(page.locator("body.presenting:not(.on-the-way)")).to_have_count(1, timeout=wait)
    settled(page)


def rows(page: Page) -> Locator:
    return page.locator(".ranking tbody tr")


def in_order(page: Page, *titles: str) -> None:
    """Wait until rows and views are in this order."""
    expect(page.locator(".ranking .document")).to_have_text(titles)
    shown = page.get_by_label("Title", exact=True)
    expect(shown).to_have_count(len(titles))
    for at, title in enumerate(titles):  # they follow once the server has heard of it
        expect(shown.nth(at)).to_have_value(title, timeout=1000 * SECONDS)
    settled(page)


def test_rows_are_dragged_by_the_mouse_and_moved_by_keys_and_buttons(tab: Page) -> None:
    in_order(tab, *TITLES)
    tab.locator(".ranking").evaluate("one => one.scrollIntoView({ block: 'center' })")
    rows(tab).nth(2).drag_to(rows(tab).nth(0))
    in_order(tab, GLOSSARY, READABILITY, TOMA, READABILITY)
    rows(tab).nth(0).press("Alt+ArrowDown")
    in_order(tab, READABILITY, GLOSSARY, TOMA, READABILITY)
    tab.get_by_role("button", name=f"Up: {TOMA}").click()
    in_order(tab, *TITLES)
    assert barriers(tab, within='[data-testid="stSidebar"]') == []


def test_keys_and_a_clicker_lead_over_the_views_as_pages(tab: Page) -> None:
    present(tab)
    expect(tab.locator(".stage-note")).to_have_text("Ask them.")
    expect(tab.locator(".stage-caption strong")).to_contain_text("Under RBP, expert_large (0.7988)")
    for key, number, page in (
        ("ArrowRight", 2, "toma"),
        ("PageDown", 3, "glossary"),
        (" ", 4, "understandability"),
        ("ArrowRight", 4, "understandability"),
        ("PageUp", 3, "glossary"),
        ("ArrowLeft", 2, "toma"),
    ):
        tab.keyboard.press(key)
        at(tab, number)
        assert f".view={page}" in tab.url
        assert barriers(tab) == []
    expect(tab.locator(".stage-note")).to_have_count(0)
