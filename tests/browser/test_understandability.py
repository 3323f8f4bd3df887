"""The page Understandability as a person sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from browser_support import afresh, rerun, running_app, settled, visit

Open = Callable[..., Page]
PATH = "/understandability?understandability.rho=0.8"
SCATTER = "document.querySelector('.st-key-scatter .js-plotly-plot')"


@pytest.fixture
def shown(tab: Page) -> Page:
    return afresh(tab, PATH)


def link(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.evaluate("location.href")).query)


def marks(page: Page) -> list[list[float]]:
    """Return the heights of the systems in the scatter, one list per trace."""
    traces = f"{SCATTER}._fullData.filter(trace => trace.customdata).map(trace => Array.from(trace.y))"
    # Under load a component may be mounted after the page has settled.
    page.wait_for_function("() => document.querySelector('.st-key-scatter .js-plotly-plot')?._fullData")
    positions: list[list[float]] = page.evaluate(f"() => {traces}")
    return positions


def thumb(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-understandability-{key} input[type=range]").first


def test_moving_rho_moves_the_systems_and_the_link(shown: Page) -> None:
    before = marks(shown)
    with rerun(shown):
        thumb(shown, "rho").press("ArrowLeft")
    assert marks(shown) != before
    assert link(shown)["understandability.rho"] == ["0.79"]


def test_a_link_reopens_the_view(tab: Page) -> None:
    link = {"rho": "0.5", "column": "fog", "model": "smooth", "threshold": "12", "also": "20"}
    keys = "&".join(f"understandability.{name}={value}" for name, value in link.items())
    afresh(tab, f"/understandability?{keys}&systems=plain_rerank3")
    assert thumb(tab, "rho").input_value() == "0.5"
    assert thumb(tab, "threshold").input_value() == "12"
    seen = marks(tab)
    tab.reload()
    settled(tab)
    assert marks(tab) == seen


@pytest.mark.slow
def test_a_deep_link_works_as_the_first_request_of_a_server(open_page: Open, tmp_path: Path) -> None:
    # Streamlit runs a linked page without app.py until it has seen st.navigation; see ui.data.open_collection.current.
    with running_app(tmp_path / "log", followed=False) as address:
        page = open_page(address=address)
        visit(page, "/collection")
        expect(page.get_by_role("heading", name="What is in the files?")).to_be_visible()
        expect(page.get_by_text("32 systems · 40 topics")).to_be_visible()
