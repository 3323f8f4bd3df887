"""The guided path, exercises and the glossary as a person sees them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, barriers, move_on, rerun, settled, visit
from ui.teaching.guided_path.lessons import LESSONS

Open = Callable[..., Page]
HEIGHT = 800


@pytest.fixture(scope="module")
def tab(keep_open: Open) -> Page:
    return visit(keep_open(width=1280, height=HEIGHT), "/papers")


def link(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_next_moves_the_link_and_leaves_nothing_of_the_step_before(tab: Page) -> None:
    at = [lesson.name for lesson in LESSONS].index("Reader")
    page = afresh(tab, "/guided_path?guided_path.step=Reader&guided_path.rho=0.5")
    page.locator(f".st-key-answer{at + 1} summary").click()
    with rerun(page):
        page.get_by_role("button", name="Next", exact=True).click()
    assert link(page)["guided_path.step"] == [LESSONS[at + 1].name]
    assert "guided_path.rho" not in link(page)
    expect(page.get_by_role("heading", name=LESSONS[at + 1].title)).to_be_visible()
    expect(page.locator(f".st-key-answer{at + 2}").get_by_text("of what RBP credits (uRBP / RBP)")).not_to_be_visible()
    seen = page.locator(".st-key-guided_path-alike").inner_text()
    page.reload()
    settled(page)
    assert page.locator(".st-key-guided_path-alike").inner_text() == seen


@pytest.mark.slow
def test_every_formula_of_the_glossary_is_typeset(tab: Page) -> None:
    page = afresh(tab, "/glossary?glossary.letter=all")
    page.wait_for_function("() => document.querySelectorAll('.katex').length > 50")
    assert page.locator(".katex-error").all_inner_texts() == []
    wide = "formula => formula.scrollWidth > formula.clientWidth && getComputedStyle(formula).overflowX === 'visible'"
    assert page.locator(".katex-display").evaluate_all(f"all => all.filter({wide}).length") == 0
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_a_list_is_walked_down_by_mouse_and_keys_and_the_link_reopens_the_walk(tab: Page) -> None:
    page = afresh(tab, "/guided_path?guided_path.step=Links")
    walk = page.locator(".browsing")
    with rerun(page):
        walk.get_by_role("button", name="Consult result 1").click()
    expect(walk.get_by_text("You read d1")).to_be_visible()
    undo = walk.get_by_role("button", name="Undo")
    with rerun(page):
        undo.press("1")  # the first link; on a button, as the focus comes back a moment after the list is drawn anew
    expect(walk.get_by_text("You read d3")).to_be_visible()
    assert link(page)["guided_path.edits"] == ["6.1:next", "6.1:follow:d3"]
    ep = page.get_by_test_id("stMetric").filter(has_text="your ep")
    expect(ep).to_contain_text("1.000")
    with rerun(page):
        undo.press("Enter")
    expect(walk.get_by_text("You read d1")).to_be_visible()
    expect(ep).to_contain_text("none")
    for _ in range(2):
        with rerun(page):
            undo.press("ArrowDown")
    page.reload()
    settled(page)
    expect(ep).to_contain_text("0.333")
    expect(walk.get_by_role("button", name="No further result")).to_be_disabled()
    assert barriers(page) == []


@pytest.mark.slow
def test_a_document_is_highlighted_by_mouse_and_keys_beside_the_assessor(tab: Page) -> None:
    page = afresh(tab, "/guided_path?guided_path.step=Passages")
    box = page.locator(".highlighting")
    words = box.locator(".text span[data-at].returned")
    words.nth(0).click(button="right")
    expect(box.get_by_text("Now choose the last word.")).to_have_count(0)
    expect(box.locator(".text")).to_have_attribute("dir", "auto")  # a text may run from right to left
    first, last = words.nth(2).bounding_box(), words.nth(8).bounding_box()
    assert first
    assert last
    page.mouse.move(first["x"] + 2, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(last["x"] + 4, last["y"] + 9, steps=4)
    with rerun(page):
        page.mouse.up()
    recall = page.get_by_test_id("stMetric").filter(has_text="R").nth(0)
    expect(recall).to_contain_text("1.000")  # all that is highlighted was returned
    assert len(link(page)["guided_path.edits"]) == 1
    box.get_by_role("button", name="Best entry point").click()
    with rerun(page):
        words.nth(2).click()
    expect(box.get_by_text("▷ best entry point")).to_be_visible()
    box.get_by_role("button", name="Erase").click()
    box.locator(".text").focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    with rerun(page):
        page.keyboard.press("Enter")
    assert [one.split(":")[2] for one in link(page)["guided_path.edits"]] == ["mark", "entry", "erase"]
    with rerun(page):
        box.get_by_role("button", name="Compare with the assessor").click()
    expect(box.locator(".text .theirs").first).to_be_attached()
    with rerun(page):
        box.get_by_role("button", name="Start again").click()
    expect(box.locator(".text .mine")).to_have_count(0)
    page.emulate_media(color_scheme="dark")
    assert barriers(page) == []
    page.emulate_media(color_scheme="light")


def guess(page: Page, entered: str) -> None:
    page.get_by_label("guess", exact=False).first.fill(entered)
    with rerun(page):
        page.keyboard.press("Enter")


@pytest.mark.slow
def test_exercises_are_guessed_kept_and_dragged(tab: Page) -> None:
    page = afresh(tab, "/exercises?exercises.question=first-four")
    answer, hint = page.get_by_text("The first k ranks hold"), page.get_by_text("is the weight left for all ranks")
    expect(answer).to_have_count(0)
    guess(page, "0.4096")
    expect(hint).to_be_visible()
    expect(answer).to_have_count(0)
    page.reload()
    expect(hint).to_be_visible()  # which is kept for the browser
    settled(page)
    guess(page, "0,59")
    expect(page.get_by_text("Right, after 2 guesses.")).to_be_visible()
    expect(answer).to_be_visible()

    move_on(page, "/exercises?exercises.question=order-by-urbp")
    rows = page.locator(".ranking tbody tr")
    with rerun(page):
        rows.nth(3).drag_to(rows.nth(0))
    expect(rows.nth(0)).to_contain_text("plain_rerank3")
    with rerun(page):
        page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("you have swapped expert_journal and expert_large")).to_be_visible()
    rows.nth(2).focus()
    with rerun(page):
        page.keyboard.press("Alt+ArrowDown")
    expect(rows.nth(3)).to_contain_text("expert_journal")
    page.get_by_role("button", name="Check").focus()
    with rerun(page):
        page.keyboard.press("Enter")
    expect(page.get_by_text("Right, after 2 guesses.")).to_be_visible()
    assert barriers(page) == []
