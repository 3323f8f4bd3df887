"""Presentation mode: one figure fills the screen, keys lead on, controls are a key away."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from browser_support import visit

PATH = "/understandability?present=true"


def on_stage(page: Page) -> dict[str, float]:
    """Where the figure on stage is, and which one it is."""
    found: dict[str, float] = page.evaluate(
        """() => { const box = document.querySelector('.plot.on-stage'), at = box.getBoundingClientRect();
        return {width: at.width, height: at.height, left: at.left,
                which: [...document.querySelectorAll('.plot')].indexOf(box)}; }"""
    )
    return found


def test_a_figure_fills_the_screen_and_nothing_else_is_seen(page: Page) -> None:
    visit(page, PATH)
    page.wait_for_selector(".plot.on-stage .main-svg")
    window = page.viewport_size
    assert window is not None
    at = on_stage(page)
    assert at["width"] > 0.95 * window["width"]
    assert at["height"] > 0.9 * (window["height"] - 58)
    expect(page.locator('[data-testid="stSidebar"]')).to_be_hidden()
    expect(page.locator('[data-testid="stHeader"]')).to_be_hidden()


def test_what_the_page_is_about_comes_first(page: Page) -> None:
    visit(page, PATH)
    page.wait_for_selector(".st-key-scatter .plot.on-stage .main-svg")
    expect(page.locator(".stage-title span")).to_contain_text("1 of 4")


def test_keys_lead_to_the_next_figure_and_back(page: Page) -> None:
    visit(page, PATH)
    page.wait_for_selector(".plot.on-stage .main-svg")
    first = on_stage(page)["which"]
    page.keyboard.press("ArrowRight")
    assert on_stage(page)["which"] != first
    page.keyboard.press("ArrowLeft")
    assert on_stage(page)["which"] == first


def test_a_figure_that_comes_late_does_not_hold_up_the_next(page: Page) -> None:
    visit(page, PATH)
    page.wait_for_selector(".plot.on-stage .main-svg")
    page.evaluate("() => document.querySelector('.plot').before(document.createElement('div'))")
    page.evaluate("() => { document.querySelector('.plot').previousSibling.className = 'plot' }")
    first = on_stage(page)["which"]
    page.keyboard.press("ArrowRight")
    assert on_stage(page)["which"] != first


def test_controls_are_a_key_away(page: Page) -> None:
    visit(page, PATH)
    page.wait_for_selector(".plot.on-stage .main-svg")
    page.keyboard.press("c")
    expect(page.locator(".st-key-understandability-rho")).to_be_in_viewport()
    assert on_stage(page)["left"] > 300
    page.keyboard.press("c")
    assert on_stage(page)["left"] < 30


def test_escape_leaves_and_the_link_forgets_it(page: Page) -> None:
    visit(page, PATH)
    page.wait_for_selector(".plot.on-stage .main-svg")
    page.keyboard.press("Escape")
    expect(page.locator(".plot.on-stage")).to_have_count(0)
    expect(page.locator('[data-testid="stSidebar"]')).to_be_visible()
    page.wait_for_url(lambda url: "present" not in url)
