"""HTML without a server: sliders, the stage and printing, from a file opened without a network."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from offline_support import SETTLED, opened, until
from playwright.sync_api import Browser, Page

import evalcore as ec
from app_support import SAMPLE
from browser_support import barriers, rerun, visit
from evalcore.figures.document import Document, Section
from evalcore.figures.report import comparison

MOVED = """(box) => box.data.map(({x, y, customdata}) => [x, y, customdata].map((one) => [...(one ?? [])]))"""


def set_to(page: Page, slider: str, text: str) -> None:
    """Move a slider by keys to the position with this text, and wait until the figures are drawn."""
    thumb = page.locator(f"#{slider}")
    steps = json.loads(thumb.get_attribute("data-texts") or "[]").index(text) - int(thumb.input_value())
    for _ in range(abs(steps)):
        thumb.press("ArrowRight" if steps > 0 else "ArrowLeft")
    until(page, SETTLED)


@pytest.fixture(scope="module")
def views() -> list[Section]:
    return comparison([ec.parse("RBP"), ec.parse("uRBP"), ec.parse("AP")], ec.load(SAMPLE), sliders=True)


@pytest.fixture(scope="module")
def report(views: list[Section], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(Document("Ours", views, "First.").html())
    return file


def test_a_slider_of_a_report_moves_figure_headline_and_table_to_the_librarys_numbers(
    browser: Browser, report: Path, views: list[Section]
) -> None:
    c = ec.load(SAMPLE)
    means = ec.evaluate("RBP(rho=0.5)", c).mean()
    there = comparison([ec.parse("RBP(rho=0.5)"), ec.parse("uRBP"), ec.parse("AP")], c)
    with opened(browser, report) as page:
        before = page.locator("#view-1 .plotly-graph-div").evaluate(MOVED)
        set_to(page, "view-1-slider-1", "0.5")
        after = page.locator("#view-1 .plotly-graph-div").evaluate(MOVED)
        assert before != after
        assert sorted(drawn_x(after)) == pytest.approx(sorted(means), abs=1e-6)
        set_to(page, "view-2-slider-1", "0.5")
        assert page.locator("#view-2 .headline").inner_text().split("\n") == list(there[1].headline.values())
        set_to(page, "view-5-slider-1", "0.5")
        rows = page.locator("#view-5 tbody tr").evaluate_all(
            "rows => rows.map((row) => [...row.cells].map((one) => one.textContent))"
        )
        assert {name: score for name, score, *_ in rows} == {name: f"{mean:.4f}" for name, mean in means.items()}


def drawn_x(traces: list[Any]) -> list[float]:
    """Return the horizontal positions of the systems' marks."""
    return [x for xs, _, names in traces if names for x in xs]


@pytest.mark.slow
def test_keys_lead_over_the_stage_and_a_clicker_does_from_a_slider_too(browser: Browser, report: Path) -> None:
    with opened(browser, report) as page:
        position = page.locator(".position")
        page.keyboard.press("p")
        assert position.inner_text() == "1 of 5"
        for key, where in (
            ("ArrowRight", 2),
            (" ", 3),
            ("PageDown", 4),
            ("ArrowLeft", 3),
            ("PageUp", 2),
            ("End", 5),
            ("Home", 1),
        ):
            page.keyboard.press(key)
            assert position.inner_text() == f"{where} of 5", key
        page.locator("#view-1-slider-1").press("ArrowRight")
        assert position.inner_text() == "1 of 5"
        for key in ("d", " "):  # an entry of a list is found by the one, and the list opened by the other
            page.locator("#view-1 select").press(key)
            assert (page.locator("body").get_attribute("class"), position.inner_text()) == ("stage", "1 of 5")
        page.locator("#view-1 select").evaluate("(one) => one.blur()")
        page.locator("#view-1-slider-1").press("PageDown")
        assert position.inner_text() == "2 of 5"
        assert [one.is_visible() for one in page.locator("section.view").all()] == [False, True, False, False, False]
        page.keyboard.press("d")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 22, 29)"
        assert barriers(page) == []
        page.keyboard.press("Escape")
        assert page.locator("section.view >> visible=true").count() == 5


@pytest.mark.slow
def test_a_view_of_the_app_moves_in_its_file_as_in_the_app(
    browser: Browser, page: Page, tmp_path: Path, open_page: Callable[..., Page]
) -> None:
    visit(page, "/understandability?doubt=false")
    page.get_by_test_id("stSidebar").get_by_text("Kept", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="Keep this view").click()
    with page.expect_download(
        timeout=90_000
    ) as download:  # which waits for the sliders: 10 s of work, 20 of giving way
        page.get_by_role("button", name="Download 1 view").click()
    download.value.save_as(tmp_path / "report.html")
    with opened(browser, tmp_path / "report.html") as file:
        texts = json.loads(file.locator("#view-1-slider-1").get_attribute("data-texts") or "")
        near = min(texts, key=lambda text: abs(float(text) - 0.5))
        means = ec.evaluate(f"RBP(rho={near})", ec.load(SAMPLE)).mean()
        set_to(file, "view-1-slider-1", near)
        drawn = file.locator("#view-1 figure.first .plotly-graph-div").evaluate(MOVED)
        assert set(np.round(means, 5)) <= set(np.round(drawn_x(drawn), 5))
        assert f"{means.max():.4f}" in file.locator("#view-1 .headline").inner_text()
