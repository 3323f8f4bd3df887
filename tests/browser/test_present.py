"""Presentation mode: one figure fills the screen, keys lead on, controls are a key away."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser_support import move_on, rerun, visit

PATH = "/understandability?present=true"
BACK_ROW, CELLS, TOUCH = 20, 18, 44  # pixels that are large enough at 1280 x 720, and for a finger


@pytest.fixture(scope="module")
def presented(keep_open: Callable[..., Page]) -> Page:
    """A dark stage of 1280 x 720, opened once."""
    return visit(keep_open(dark=True, height=720), PATH)


def on_stage(page: Page) -> dict[str, float]:
    """Where the figure on stage is, and which one it is."""
    found: dict[str, float] = page.evaluate(
        """() => { const box = document.querySelector('.plot.on-stage'), at = box.getBoundingClientRect();
        return {width: at.width, height: at.height, left: at.left,
                which: [...document.querySelectorAll('.plot')].indexOf(box)}; }"""
    )
    return found


def at(page: Page, path: str = PATH) -> Page:
    """The page on stage, at its first figure; gone to where it is another one."""
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


def test_what_the_page_is_about_comes_first(presented: Page) -> None:
    page = at(presented)
    page.wait_for_selector(".st-key-scatter .plot.on-stage .main-svg")
    expect(page.locator(".stage-title span")).to_contain_text("1 of 3")


def test_keys_lead_to_the_next_figure_and_back(presented: Page) -> None:
    page = at(presented)
    page.wait_for_selector(".plot.on-stage .main-svg")
    first = on_stage(page)["which"]
    page.keyboard.press("ArrowRight")
    assert on_stage(page)["which"] != first
    page.keyboard.press("ArrowLeft")
    assert on_stage(page)["which"] == first


def test_a_figure_that_comes_late_does_not_hold_up_the_next(presented: Page) -> None:
    page = at(presented)
    page.wait_for_selector(".plot.on-stage .main-svg")
    page.evaluate("() => document.querySelector('.plot').before(document.createElement('div'))")
    page.evaluate("() => { document.querySelector('.plot').previousSibling.className = 'plot' }")
    first = on_stage(page)["which"]
    page.keyboard.press("ArrowRight")
    assert on_stage(page)["which"] != first
    page.evaluate("() => document.querySelector('.plot').remove()")
    page.keyboard.press("ArrowLeft")


def test_controls_are_a_key_away(presented: Page) -> None:
    page = at(presented)
    page.wait_for_selector(".plot.on-stage .main-svg")
    page.keyboard.press("c")
    expect(page.locator(".st-key-understandability-rho")).to_be_in_viewport()
    assert on_stage(page)["left"] > 300
    page.keyboard.press("c")
    assert on_stage(page)["left"] < 30


def test_escape_leaves_and_the_link_forgets_it(presented: Page) -> None:
    page = at(presented)
    page.wait_for_selector(".plot.on-stage .main-svg")
    with rerun(page):
        page.keyboard.press("Escape")
    expect(page.locator(".plot.on-stage")).to_have_count(0)
    expect(page.locator('[data-testid="stSidebar"]')).to_be_visible()
    page.wait_for_url(lambda url: "present" not in url)


def named(page: Page) -> str:
    return page.locator(".stage-title span").inner_text()


def pixels(page: Page, selector: str) -> list[float]:
    """The sizes of type of what has text of its own."""
    found: list[float] = page.locator(selector).evaluate_all(
        "all => all.filter(one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()))"
        ".map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    return found


def contrast(colour: list[float], other: list[float]) -> float:
    """WCAG 2.2's ratio of two colours."""
    parts = [
        [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in one] for one in (colour, other)
    ]
    light, dark = sorted((0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05 for r, g, b in parts), reverse=True)
    return light / dark


def test_tab_reaches_nothing_that_is_not_seen(presented: Page) -> None:
    at(presented)
    hidden = []
    for _ in range(12):
        presented.keyboard.press("Tab")
        hidden.append(
            presented.evaluate("() => !!document.activeElement.matches('.stApp :not(.on-stage, .on-stage *)')")
        )
    presented.evaluate("() => document.activeElement.blur()")
    assert not any(hidden)


def test_a_control_that_has_the_focus_keeps_its_keys(presented: Page) -> None:
    at(presented).keyboard.press("c")
    with rerun(presented):
        presented.locator(".st-key-understandability-rho input").press("ArrowRight")
    presented.locator(".st-key-understandability-model [role=radio]").first.press("PageDown")
    assert named(presented) == "Figure 1 of 3"
    presented.keyboard.press("c")
    assert on_stage(presented)["left"] < 30


def test_the_caption_has_the_finding_the_measures_what_is_set_and_the_data(presented: Page) -> None:
    pin = "pins=gentle%20%3D%20RBP(rho%3D0.8)%20%7C%20uRBPgr(rho%3D0.8)&baseline=gentle"
    page = at(presented, f"/understandability?understandability.rho=0.5&{pin}&present=true")
    page.keyboard.press("n")
    caption = "\n".join(page.locator(":is(.stage-title strong, .stage-caption)").all_inner_texts())
    page.keyboard.press("n")
    assert re.search(r"τ: 0\.\d{3} \([+-]0\.\d{3}\)", caption)  # and its change since the pin
    for part in (
        "First by RBP: ",
        "Collection: Consumer health (synthetic), 32 systems, 40 topics, fingerprint ",
        "At their default: Understandability from understandability; User model graded;",
        "Measures: RBP(rho=0.5), uRBPgr(rho=0.5).",
        "Settings: ",
        "Compare with gentle",
    ):
        assert part in caption
    assert min(pixels(presented, ".stage-caption *, .stage-title *")) >= BACK_ROW


def test_lines_stand_out_from_a_dark_stage(presented: Page) -> None:
    at(presented).keyboard.press("ArrowRight")
    presented.keyboard.press("ArrowRight")
    presented.wait_for_selector(".st-key-bump .plot.on-stage .main-svg")
    lines = presented.evaluate(
        """() => document.querySelector('.plot.on-stage').data.map(one => one.line?.color).filter(Boolean).map(one => {
        document.body.append(Object.assign(document.createElement('i'), { style: `color: ${one}` }));
        const found = getComputedStyle(document.body.lastChild).color.match(/[0-9.]+/g).map(Number);
        document.body.lastChild.remove();
        return found; })"""
    )
    behind = presented.evaluate(
        "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor.match(/\\d+/g).map(Number)"
    )
    assert lines
    assert min(contrast(line[:3], behind[:3]) for line in lines if len(line) == 3) >= 2.95  # whole numbers of 255


def test_a_table_is_on_stage_in_large_type(presented: Page) -> None:
    page = at(presented, "/understandability?understandability.look=Rank+intervals&present=true")
    for _ in range(6):  # more than there are figures
        if not named(page).startswith("Table"):
            page.keyboard.press("ArrowRight")
    assert named(page) == "Table 1 of 1"
    assert "plain_rerank3" in page.locator(".stage-sheet td").all_inner_texts()
    assert min(pixels(page, ".stage-sheet :is(td, th)")) >= CELLS


def test_another_page_begins_at_its_first_figure(presented: Page) -> None:
    page = at(presented, PATH)
    page.keyboard.press("ArrowLeft")
    assert named(at(page, "/topic?present=true")) == "Figure 1 of 2"


def test_a_page_without_figures_shows_its_text_and_formulas(presented: Page) -> None:
    page = at(presented, "/glossary?glossary.term=TOMA&present=true")
    expect(page.locator(".stage-title span")).to_have_text("Text")
    assert page.locator(".stage-sheet .katex").count()
    assert min(pixels(page, ".stage-sheet section :is(p, li, h3)")) >= BACK_ROW


def test_one_sheet_of_paper_has_figure_and_caption_in_light_colours(presented: Page) -> None:
    page = at(presented)
    page.wait_for_selector(".plot.on-stage .main-svg")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function("() => document.querySelector('.plot.on-stage')._fullLayout.font.color === '#0e1620'")
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")


def test_on_a_phone_a_finger_leads_on_and_no_name_is_cut(presented: Page) -> None:
    page = at(presented, "/moved?present=true")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => document.querySelector('.plot.on-stage')._fullLayout?.font.size === 14")
    ends = page.locator(".plot.on-stage .main-svg text").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).flatMap(({ left, right }) => [left, right])"
    )
    assert min(ends) >= 0
    assert max(ends) <= 390
    buttons = page.locator(".stage-title button")
    assert buttons.evaluate_all("all => Math.min(...all.flatMap(one => [one.offsetWidth, one.offsetHeight]))") >= TOUCH
    page.get_by_role("button", name="Forward").click()
    assert named(page) == "Table 1 of 2"
    page.set_viewport_size({"width": 1280, "height": 720})


def test_it_begins_at_the_figure_in_view(presented: Page) -> None:
    page = at(presented)
    with rerun(page):
        page.get_by_role("button", name="Leave").click()
    page.locator(".st-key-bump").scroll_into_view_if_needed()
    page.evaluate("() => document.querySelector('.st-key-bump').scrollIntoView()")
    with rerun(page):
        page.locator('[data-testid="stSidebar"]').get_by_text("Present", exact=True).click()
    page.wait_for_selector(".st-key-bump .plot.on-stage")
