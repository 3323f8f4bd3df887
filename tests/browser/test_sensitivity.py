"""The page Sensitivity as a person sees it: maps that can be clicked, systems that move while a slider is dragged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, move_on, rerun, screenshot, visit

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


def test_play_goes_on_from_the_slider_and_pause_stops(moving: Page) -> None:
    page = moving
    active = f"() => {MOTION}._fullLayout.sliders[0].active"
    start = page.evaluate(active)
    page.locator(".st-key-motion .updatemenu-button").first.click()
    page.wait_for_function(f"start => ({active})() > start + 1", arg=start)
    page.locator(".st-key-motion .updatemenu-button").last.click()
    page.wait_for_timeout(500)
    stopped = page.evaluate(active)
    page.wait_for_timeout(500)
    assert page.evaluate(active) == stopped
    wanted = page.evaluate(f"() => {MOTION}._fullData[2].text.map(name => name.trim()).filter(Boolean)")
    shown = page.locator(".st-key-motion .textpoint text").all_text_contents()
    assert {name.strip() for name in shown} >= set(wanted)
    assert wanted


def test_the_slider_stays_where_it_is_when_the_window_changes(moving: Page) -> None:
    page = moving
    page.locator(".st-key-motion .slider-rail-touch-rect").click(position={"x": 30, "y": 5})
    active = f"() => {MOTION}._fullLayout.sliders[0].active"
    at, wide = page.evaluate(active), page.evaluate(f"() => {MOTION}._fullLayout.width")
    frame = f"() => {MOTION}._fullData[1].y[0]"
    page.wait_for_timeout(300)
    y = page.evaluate(frame)
    page.set_viewport_size({"width": 1000, "height": 900})
    page.wait_for_function(f"wide => {MOTION}._fullLayout.width < wide", arg=wide)
    page.wait_for_timeout(500)
    assert page.evaluate(active) == at
    assert page.evaluate(frame) == pytest.approx(y)
    page.set_viewport_size({"width": 1280, "height": 800})


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


@pytest.mark.parametrize("view", ["One parameter", "Two parameters", "Any number", "Motion", "Topics"])
def test_the_figure_and_its_controls_fit_one_screen(tab: Page, view: str) -> None:
    page = afresh(tab, f"/sensitivity?sensitivity.look={view.replace(' ', '+')}")
    keys = {"One parameter": "trajectories", "Two parameters": "maps", "Any number": "intervals"}
    key = keys.get(view, "motion" if view == "Motion" else "leftout")
    box = page.locator(f".st-key-{key} .js-plotly-plot").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 800


def test_the_real_runs(open_page: Open, data_folder: Path) -> None:
    page = open_page(data=data_folder / "clef2015")
    visit(page, "/sensitivity?sensitivity.look=Two+parameters")
    screenshot(page, "clef2015-sensitivity")
    move_on(page, "/sensitivity?sensitivity.look=One+parameter")
    plot = "document.querySelector('.st-key-trajectories .js-plotly-plot')"
    assert page.evaluate(f"() => {plot}._fullData.filter(line => line.customdata).length") == 40
