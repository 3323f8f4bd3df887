"""The page Correlations as a person sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from browser_support import afresh, rerun, screenshot, visit

Open = Callable[..., Page]
MATRIX = "document.querySelector('.st-key-matrix .js-plotly-plot')"


@pytest.fixture(scope="module")
def tab(keep_open: Open) -> Page:
    return visit(keep_open(height=800), "/papers")


def link(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def click_cell(page: Page, row: int, column: int) -> None:
    x, y = page.evaluate(
        f"""() => {{
            const box = {MATRIX}, at = box.getBoundingClientRect(), {{xaxis, yaxis}} = box._fullLayout;
            return [at.x + xaxis._offset + xaxis.c2p({column}), at.y + yaxis._offset + yaxis.c2p({row})];
        }}"""
    )
    page.mouse.move(x, y)
    page.mouse.click(x, y)


def side(page: Page, axis: str) -> list[str]:
    labels: list[str] = page.evaluate(f"() => {MATRIX}._fullLayout.{axis}.ticktext")
    return labels


def test_a_click_on_a_cell_shows_its_two_measures_and_the_link_keeps_them(tab: Page) -> None:
    page = afresh(tab, "/correlations?tau=false")
    with rerun(page):
        click_cell(page, 1, 4)
    rows, columns = side(page, "yaxis"), side(page, "xaxis")
    assert rows == columns
    titles = page.evaluate(
        """() => {
            const layout = document.querySelector('.st-key-pair .js-plotly-plot')._fullLayout;
            return [layout.xaxis.title.text, layout.yaxis.title.text];
        }"""
    )
    for title, name in zip(titles, (columns[4], rows[1]), strict=True):
        assert title.startswith(name.split("(")[0])
    address = page.url
    visit(page, urlsplit(address).path + "?" + urlsplit(address).query)
    assert link(page) == parse_qs(urlsplit(address).query)
    with rerun(page):
        click_cell(page, 4, 1)  # a second click is another pair
    assert link(page) != parse_qs(urlsplit(address).query)


@pytest.mark.parametrize("dark", [False, True])
def test_matrix_and_controls_fit_one_screen(tab: Page, dark: bool) -> None:
    tab.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    page = afresh(tab, "/correlations?tau=true")
    for locator in (page.locator(".st-key-matrix"), page.locator(".st-key-correlations-reference")):
        box = locator.bounding_box()
        assert box
        assert box["y"] + box["height"] < 800
    screenshot(page, f"correlations{'-dark' if dark else ''}")


def test_hostile_names_of_measures_are_shown_as_text(tab: Page, tmp_path: Path) -> None:
    file = tmp_path / "<img src=x onerror=alert(1)>.csv"
    systems = [f"run{at}" for at in range(3)]
    file.write_text("topic," + ",".join(systems) + "\n1,0.1,0.2,0.3\n")
    page = afresh(tab, "/correlations?tau=false")
    page.get_by_role("button", name="Import").click()
    with rerun(page):
        page.locator(".st-key-score_files input[type=file], .st-key-score-files input[type=file]").set_input_files(file)
    expect(page.get_by_text("left out: expected at least 2 systems and 1 topic").first).to_be_visible()
    assert page.locator("img[src=x]").count() == 0


def test_the_real_runs(open_page: Open, data_folder: Path) -> None:
    page = visit(
        open_page(data=data_folder / "clef2016task2", height=800), "/correlations?correlations.over=topic+by+topic"
    )
    expect(page.get_by_text("16 systems")).to_be_visible()
    screenshot(page, "clef2016task2-correlations")
