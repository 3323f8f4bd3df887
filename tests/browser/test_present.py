"""Presentation mode: one figure fills the screen, keys change views, and one key shows the controls."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser_support import move_on, visit

PATH = "/understandability?present=true"
BACK_ROW, CELLS, TOUCH = 20, 18, 44  # pixels that are large enough at 1280 x 720, and for a finger


@pytest.fixture(scope="module")
def presented(keep_open: Callable[..., Page]) -> Page:
    """Open a dark stage of 1280 x 720, once for all tests."""
    return visit(keep_open(dark=True, height=720), PATH)


def on_stage(page: Page) -> dict[str, float]:
    """Return position and size of the figure on stage, and its index among the figures."""
    found: dict[str, float] = page.evaluate(
        """() => { const box = document.querySelector('.plot.on-stage'), at = box.getBoundingClientRect();
        return {width: at.width, height: at.height, left: at.left,
                which: [...document.querySelectorAll('.plot')].indexOf(box)}; }"""
    )
    return found


def at(page: Page, path: str = PATH) -> Page:
    """Show a page on stage, at its first figure; go there if another page is open."""
    if not page.url.endswith(path):
        move_on(page, path)
    page.wait_for_selector(".stage-title span:not(:empty)")
    return page


def test_a_figure_fills_the_screen_and_nothing_else_is_seen(presented: Page) -> None:
    page = at(presented)
    page.wait_for_selector(".plot.on-stage .main-svg")
    window = page.viewport_size
    assert window is not None
    place = on_stage(page)
    assert place["width"] > 0.95 * window["width"]
    beside = page.locator(":is(.stage-title, .stage-caption)").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert place["height"] + sum(beside) > 0.99 * window["height"]
    assert place["height"] > 0.6 * window["height"]
    expect(page.locator('[data-testid="stSidebar"]')).to_be_hidden()
    expect(page.locator('[data-testid="stHeader"]')).to_be_hidden()


def test_keys_lead_to_the_next_figure_and_back(presented: Page) -> None:
    page = at(presented, "/measures?present=true")  # which has two figures
    page.wait_for_selector(".plot.on-stage .main-svg")
    first = on_stage(page)["which"]
    page.keyboard.press("ArrowRight")
    assert on_stage(page)["which"] != first
    page.keyboard.press("ArrowLeft")
    assert on_stage(page)["which"] == first


def named(page: Page) -> str:
    return page.locator(".stage-title span").inner_text()


def pixels(page: Page, selector: str) -> list[float]:
    """Return the font sizes of the elements that contain text themselves."""
    found: list[float] = page.locator(selector).evaluate_all(
        "all => all.filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))"
        ".map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    return found


@pytest.mark.slow
def test_tab_reaches_only_visible_controls(presented: Page) -> None:
    at(presented)
    hidden = []
    for _ in range(12):
        presented.keyboard.press("Tab")
        hidden.append(
            presented.evaluate("() => !!document.activeElement.matches('.stApp :not(.on-stage, .on-stage *)')")
        )
    presented.evaluate("() => document.activeElement.blur()")
    assert not any(hidden)


@pytest.mark.slow
def test_the_caption_has_the_finding_the_measures_what_is_set_and_the_data(presented: Page) -> None:
    page = at(presented, "/understandability?understandability.rho=0.5&present=true")
    page.keyboard.press("n")
    caption = "\n".join(page.locator(":is(.stage-title strong, .stage-caption)").all_inner_texts())
    page.keyboard.press("n")
    assert re.search(r"τ: 0\.\d{3}", caption)
    for part in (
        "Under RBP, ",
        "Collection: Consumer health (synthetic), 32 systems, 40 topics, fingerprint ",
        "At their default: Measure RBP; Understandability from understandability; User model graded;",
        "Measures: RBP(rho=0.5), uRBPgr(rho=0.5).",
        "Settings: ",
    ):
        assert part in caption
    assert min(pixels(presented, ".stage-caption *, .stage-title *")) >= BACK_ROW


@pytest.mark.parametrize("path", ["/rank?present=true", "/tune?present=true", "/claim?present=true"])
def test_the_title_and_the_line_under_a_figure_are_whole_sentences_that_say_different_things(
    presented: Page, path: str
) -> None:
    page = at(presented, path)
    page.wait_for_function("() => document.querySelector('.stage-caption p')?.innerText")
    title, line = (page.locator(part).inner_text() for part in (".stage-title strong", ".stage-caption"))
    assert title
    assert not title.endswith(("…", "..."))
    assert not line.endswith(("…", "..."))
    assert title.split(".")[0] not in line
    assert page.locator(".stage-caption p").evaluate(
        "one => one.offsetHeight < 2 * parseFloat(getComputedStyle(one).lineHeight)"
    )
    assert page.locator(".stage-title strong, .stage-caption p").evaluate_all(
        "all => all.every(one => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1)"
    )


def test_a_page_of_tables_has_its_finding_over_the_first_and_counts_the_rows_below(presented: Page) -> None:
    page = at(presented, "/rank?present=true")
    expect(page.locator(".stage-title span")).to_have_text("Table 1 of 1")
    expect(page.locator(".stage-title strong")).to_contain_text("expert_large")
    seen = page.locator(".stage-sheet tbody tr").evaluate_all(
        """all => { const end = document.querySelector('.stage-sheet .rest').getBoundingClientRect().top;
        return all.filter(one => one.getBoundingClientRect().bottom <= end + 1).length }"""
    )
    assert 5 < seen < 32
    expect(page.locator(".stage-sheet .rest")).to_have_text(f"and {32 - seen} more")


@pytest.mark.slow
def test_on_a_phone_a_finger_leads_on_and_no_name_is_cut(presented: Page) -> None:
    page = at(presented, "/compare?compare.view=moved&present=true")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => document.querySelector('.plot.on-stage')._fullLayout?.font.size === 14")
    ends = page.locator(".plot.on-stage .main-svg text").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).flatMap(({ left, right }) => [left, right])"
    )
    assert min(ends) >= 0
    assert max(ends) <= 390
    buttons = page.locator(".stage-title button")
    assert buttons.evaluate_all("all => Math.min(...all.flatMap(one => [one.offsetWidth, one.offsetHeight]))") >= TOUCH
    move_on(page, "/measures?present=true")  # which has two figures
    page.wait_for_function("() => document.querySelector('.stage-title span')?.textContent === 'Figure 1 of 2'")
    page.get_by_role("button", name="Forward").click()
    assert named(page) == "Figure 2 of 2"
    page.set_viewport_size({"width": 1280, "height": 720})
