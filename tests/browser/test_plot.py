"""Figures that are updated in place: ui/widgets/plot.py and plot.js."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from browser_support import afresh, rerun, visit

pytestmark = [pytest.mark.followed, pytest.mark.slow]

BOX = "document.querySelector('.st-key-scatter .js-plotly-plot')"


@pytest.fixture
def shown(tab: Page) -> Page:
    """Return a page with new figures; the earlier ones ended with their page."""
    return afresh(tab, "/understandability")


def in_plot(page: Page, expression: str) -> object:
    """Return the value of a JavaScript expression in which `plot` is the scatter."""
    return page.evaluate(f"() => {{ const plot = {BOX}; return {expression} }}")


def move_rho(page: Page) -> None:
    with rerun(page):
        page.locator(".st-key-understandability-rho input[type=range]").press("ArrowLeft")


def chosen(page: Page) -> list[str]:
    """Return the highlighted systems, as in the link."""
    return parse_qs(urlsplit(page.url).query).get("systems", [])


def button(page: Page, title: str) -> Locator:
    page.locator(".st-key-scatter .js-plotly-plot").hover()
    return page.locator(f".st-key-scatter [data-title='{title}']")


def drag(page: Page, *corners: tuple[float, float]) -> None:
    """Press at the first corner, move over the others (in shares of the plotting area) and release."""
    area = page.locator(".st-key-scatter .nsewdrag").first.bounding_box()
    assert area
    places = [(area["x"] + x * area["width"], area["y"] + y * area["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for x, y in places[1:]:
        page.mouse.move(x, y, steps=4)
    page.mouse.up()


def mark_of(page: Page, at: int) -> tuple[float, float]:
    """Scroll a system's mark into view; return its centre on the screen."""
    mark = page.locator(".st-key-scatter .scatterlayer .points path").nth(at)
    mark.scroll_into_view_if_needed()
    place = mark.bounding_box()
    assert place
    return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2


def let_clicks_end(page: Page) -> None:
    """Wait until clicks are over: plotly treats two clicks within half a second as a double click, at any position."""
    page.wait_for_timeout(600)


def test_a_slider_updates_the_figure_in_place(shown: Page) -> None:
    button(shown, "Zoom in").click()
    shown.locator(".st-key-scatter .legendtoggle").last.click()
    shown.wait_for_function(f"() => {BOX}._fullData.some(trace => trace.visible === 'legendonly')")
    before = in_plot(shown, "[plot.layout.xaxis.range, plot._fullData.map(trace => trace.visible)]")
    marks = in_plot(shown, "plot._fullData.map(trace => Array.from(trace.y))")
    in_plot(shown, "plot.known = plot.querySelector('.main-svg').known = 1")
    move_rho(shown)
    assert in_plot(shown, "plot.known + plot.querySelector('.main-svg').known") == 2
    assert in_plot(shown, "[plot.layout.xaxis.range, plot._fullData.map(trace => trace.visible)]") == before
    assert in_plot(shown, "plot._fullData.map(trace => Array.from(trace.y))") != marks


def test_a_click_selects_and_a_double_click_drops(shown: Page) -> None:
    with rerun(shown):
        shown.mouse.click(*mark_of(shown, 3))
    first = chosen(shown)
    assert len(first) == 1
    let_clicks_end(shown)
    with rerun(shown):
        shown.mouse.click(*mark_of(shown, 12))
    assert len(chosen(shown)) == 1
    assert chosen(shown) != first
    let_clicks_end(shown)
    with rerun(shown):
        shown.locator(".st-key-scatter .nsewdrag").first.dblclick(position={"x": 20, "y": 20})
    assert chosen(shown) == []


@pytest.mark.parametrize("tool", ["Lasso Select", "Box Select"])
def test_lasso_and_box_select(shown: Page, tool: str) -> None:
    button(shown, tool).click()
    corners = [(0.4, 0.3), (0.98, 0.3), (0.98, 0.75), (0.4, 0.75), (0.4, 0.3)]
    with rerun(shown):
        drag(shown, *(corners if tool == "Lasso Select" else corners[:3:2]))
    picked = chosen(shown)
    assert len(picked) > 2
    # The app has it now: no outline is left, and other highlights are not faded by the browser's own selection.
    assert in_plot(shown, "plot.querySelectorAll('.selectionlayer path, .select-outline').length") == 0
    assert in_plot(shown, "plot._fullData.some(trace => trace.selectedpoints)") is False
    move_rho(shown)
    assert chosen(shown) == picked


def test_without_plotly_the_page_explains_it_and_the_next_figure_tries_again(page: Page) -> None:
    page.route("**/plotly.min.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    visit(page, "/understandability")
    expect(page.locator(".st-key-scatter").get_by_role("alert")).to_contain_text("plotly.js did not load from")
    page.unroute("**/plotly.min.js")
    move_rho(page)
    expect(page.get_by_role("img", name="Scatter of 32 systems")).to_be_visible()
    assert in_plot(page, "plot._fullData.length > 3") is True
