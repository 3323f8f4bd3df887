"""Files that join what is open, and the table that asks what files are, clicked through."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from people_support import open_boxes
from playwright.sync_api import Locator, Page, expect

from browser_support import rerun, settled, visit
from ui.collection.label_table import A_RUN

Open = Callable[..., Page]
UNDO = "Undo: without the added files"
TOPICS, DOCUMENTS = ("101", "102", "103"), [f"d{at}" for at in range(1, 9)]


def run_of(shift: int, topics: tuple[str, ...] = TOPICS) -> str:
    return "".join(f"{t} Q0 d{(at + shift) % 8 + 1} {at} {9 - at}.5 x\n" for t in topics for at in range(8))


def labels_of(step: int, topics: tuple[str, ...] = TOPICS) -> str:
    return "".join(f"{t} 0 {d} {(at * step) % 2}\n" for t in topics for at, d in enumerate(DOCUMENTS))


OWN = {"qrels.txt": labels_of(1), "one.run": run_of(0), "two.run": run_of(1)}
EITHER = json.dumps({topic: {f"x{at}": at for at in range(1, 3)} for topic in TOPICS})


def box(page: Page) -> Locator:
    return page.get_by_test_id("stSidebar")


def pick(page: Page, files: dict[str, str]) -> None:
    """Choose files in the upload of the sidebar, in place of those that were chosen."""
    open_boxes(page)
    chosen = page.locator(".st-key-upload_files, .st-key-upload-files")
    while (remove := chosen.get_by_role("button", name="Remove")).count():
        with rerun(page):
            remove.first.click()
    given = [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in files.items()]
    with rerun(page):
        chosen.locator("input[type=file]").set_input_files(given)  # type: ignore[arg-type]


def button(page: Page, name: str) -> Locator:
    """Of Streamlit's own, as the lists of the sidebar have buttons called Open, too; one with help is there twice."""
    return box(page).locator("[data-testid^=stBaseButton]").filter(has=page.get_by_text(name, exact=True)).first


def press(page: Page, name: str) -> None:
    open_boxes(page)
    expect(button(page, name)).to_be_enabled()
    with rerun(page):
        button(page, name).evaluate("one => one.click()")
    settled(page)


@pytest.fixture(scope="module")
def kept(keep_open: Open) -> Page:
    """Somebody's own three files, open on Collection."""
    page = visit(keep_open(), "/collection")
    pick(page, OWN)
    press(page, "Open")
    return page


@pytest.fixture
def opened(kept: Page) -> Iterator[Page]:
    """The three files, and nothing that a test added to them."""
    expect(kept.get_by_text("2 systems · 3 topics").first).to_be_visible()
    yield kept
    if button(kept, UNDO).count():
        press(kept, UNDO)


def test_a_run_joins_after_a_preview_and_leaves_by_undo(opened: Page) -> None:
    pick(opened, {"mine.run": run_of(3)})
    press(opened, "Add to what is open")
    expect(box(opened).get_by_text("mine.run: a run, the system mine, on 3 of 3 topics")).to_be_visible()
    expect(opened.get_by_text("2 systems · 3 topics").first).to_be_visible()  # nothing is done yet
    press(opened, "Join")
    expect(opened.get_by_text("3 systems · 3 topics").first).to_be_visible()
    press(opened, UNDO)
    expect(opened.get_by_text("2 systems · 3 topics").first).to_be_visible()


@pytest.mark.slow
def test_a_run_on_other_topics_is_refused_and_nothing_changes(opened: Page) -> None:
    pick(opened, {"mine.run": run_of(3, ("7", "8"))})
    press(opened, "Add to what is open")
    expect(box(opened).get_by_text("expected a run on topics of this collection, such as '101'")).to_be_visible()
    expect(box(opened).get_by_text("What is open stays as it is.")).to_be_visible()
    expect(opened.get_by_text("2 systems · 3 topics").first).to_be_visible()


# --- what files are ---------------------------------------------------------------------------------------------------

ROW = 35  # pixels of a table's rows, and of its header


@pytest.mark.slow
def test_an_ambiguous_file_is_asked_about_and_declared_to_be_a_run(kept: Page) -> None:
    page = kept
    pick(page, {**OWN, "either.json": EITHER})
    press(page, "Open")
    expect(page.get_by_text("2 systems · 3 topics").first).to_be_visible()  # read as labels, until somebody says more
    table = page.locator('[data-testid="stDataFrame"]').last
    table.scroll_into_view_if_needed()
    table.locator(".dvn-scroller").click(position={"x": 20, "y": 2.5 * ROW})  # what is in either.json
    page.keyboard.press("ArrowRight")  # what it is
    page.keyboard.press("Enter")
    editor = page.locator(".gdg-style input")
    expect(editor).to_be_visible()
    editor.fill(A_RUN)
    with rerun(page):
        editor.press("Enter")
    with rerun(page):
        page.get_by_role("button", name="Read again with these labels").click()
    expect(page.get_by_text("3 systems · 3 topics").first).to_be_visible()
