"""The page Sensitivity as a person sees it: maps that can be clicked, systems that move while a slider is dragged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, rerun, visit

pytestmark = pytest.mark.slow

Open = Callable[..., Page]
MOTION = "document.querySelector('.st-key-motion .js-plotly-plot')"
# Where the marks are drawn, not where the data say they are.
MARKS = "() => [...document.querySelectorAll('.scatterlayer .points path')].map(mark => mark.getAttribute('transform'))"


@pytest.fixture(scope="module")
def tab(keep_open: Open) -> Page:
    return visit(keep_open(width=1280, height=800), "/papers")


@pytest.fixture
def moving(tab: Page) -> Page:
    return afresh(tab, "/sensitivity?sensitivity.look=Motion")


def link(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_click_on_a_cell_looks_at_that_setting(tab: Page) -> None:
    page = afresh(tab, "/sensitivity?sensitivity.look=Two+parameters&sensitivity.fineness=coarse")
    area = page.locator(".st-key-maps .nsewdrag").first.bounding_box()
    assert area
    with rerun(page):
        page.mouse.click(area["x"] + 0.9 * area["width"], area["y"] + 0.85 * area["height"])
    first = link(page)
    assert float(first["sensitivity.x"][0]) > 18
    assert float(first["sensitivity.y"][0]) < 0.3
    expect(
        page.get_by_text(
            f"threshold = {first['sensitivity.x'][0]}, ρ = {first['sensitivity.y'][0]}, against the default"
        )
    ).to_be_visible()
    page.wait_for_timeout(600)  # to plotly, two clicks within half a second are a double click
    with rerun(page):
        page.mouse.click(area["x"] + 0.25 * area["width"], area["y"] + 0.85 * area["height"])
    assert link(page)["sensitivity.x"] != first["sensitivity.x"]


def test_systems_move_while_the_slider_is_dragged_and_nothing_is_asked_of_the_server(moving: Page) -> None:
    page = moving
    grip = page.locator(".st-key-motion .slider-grip-rect").bounding_box()
    rail = page.locator(".st-key-motion .slider-rail-rect").bounding_box()
    assert grip
    assert rail
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    before = page.evaluate(MARKS)
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    seen = [before]
    for share in (0.4, 0.3, 0.2):
        page.mouse.move(rail["x"] + share * rail["width"], grip["y"] + grip["height"] / 2, steps=5)
        page.wait_for_function(f"before => JSON.stringify(({MARKS})()) !== before", arg=_text(page, seen[-1]))
        page.wait_for_timeout(300)  # the glide ends
        seen.append(page.evaluate(MARKS))
    assert len({str(places) for places in seen}) == 4  # the button is still down
    page.mouse.up()
    assert sent == []
    shown = page.evaluate(f"() => {MOTION}.querySelector('.slider-label').textContent")
    assert shown.startswith("threshold = ")
    assert float(shown.removeprefix("threshold = ")) < 10


def _text(page: Page, places: object) -> str:
    text: str = page.evaluate("places => JSON.stringify(places)", places)
    return text


def test_the_saved_page_moves_without_any_network(moving: Page, tmp_path: Path) -> None:
    page = moving
    with page.expect_download() as saved:
        page.get_by_role("button", name="The figure as a page").click()
    file = tmp_path / "motion.html"
    saved.value.save_as(file)
    browser = page.context.browser
    assert browser
    context = browser.new_context(offline=True)
    alone = context.new_page()
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    alone.wait_for_selector(".slider-grip-rect")
    before = alone.evaluate(MARKS)
    alone.locator(".slider-rail-touch-rect").click(position={"x": 30, "y": 5})
    alone.wait_for_function(f"before => JSON.stringify(({MARKS})()) !== before", arg=_text(alone, before))
    assert asked == [file.as_uri()]
    context.close()
