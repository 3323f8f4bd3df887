"""The page Correlations as a person sees it."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from browser_support import afresh, rerun, visit

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
