"""Every figure of every page in every place, with few and many systems of long names: no text is cut, lies on another
one or is too small to be read there; no mark is cut, no name stands away from its line without a leader, no axis is
empty on a large part, names leave the data their width, and two named systems have two colours.

By default it looks at some; EVALCORE_PLACES="12 40 112 300" at all figures with so many systems. Axes of the guided
path hold still for all places of a slider, so they may be empty at some.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from views_support import VIEWS

from places_support import PLACES, Shown, open_places, shown_figures, with_systems, wrong_in

pytestmark = pytest.mark.slow

COUNTS = [int(count) for count in os.environ.get("EVALCORE_PLACES", "").split()]
# A figure of each kind: marks, lines of ranks, rows, maps with numbers and without, bars, a triangle.
SOME = [
    ("understandability", {}),
    ("understandability", {"look": "Ranks"}),
    ("aspect_weights", {"mean": "MM"}),
    ("correlations", {}),
    ("discriminative_power", {"measures": ["AP", "RBP"], "resamples": "1,000"}),
    ("rules", {}),
    ("sensitivity", {"look": "Along one parameter"}),
    ("topic", {"measure": "AP"}),
]
OF_SYSTEMS = {
    "understandability",
    "aspect_weights",
    "correlations",
    "moved",
    "labels",
    "rules",
    "sensitivity",
    "topic",
}
MOST_LEFT_OUT = 0.25  # of the texts of a figure of few systems in a column, as numbers of a dense graph


@pytest.fixture(scope="session", params=COUNTS or [112])
def figures(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Shown]:
    """Draw figures in a thread of their own: while playwright runs, nothing else in its thread may wait for an app."""
    folder = with_systems(tmp_path_factory.mktemp("systems") / str(request.param), request.param)
    views: Any = SOME
    if COUNTS:
        views = [view for view in VIEWS if request.param == COUNTS[0] or view[0] in OF_SYSTEMS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: list(shown_figures(views))).result()


@pytest.fixture(scope="module")
def drawing(browser: Browser) -> Page:
    """One page for all figures: each is drawn in a box of its own, once plotly.js is there."""
    return open_places(browser.new_page())


@pytest.mark.parametrize("place", PLACES if COUNTS else ["column", "slide"])
def test_texts_marks_axes_and_colours_can_be_read(place: str, figures: list[Shown], drawing: Page) -> None:
    results = [(figure, wrong_in(drawing, figure, place)) for figure in figures]
    wrong = [
        (one.page, one.settings, one.key, fault)
        for one, found in results
        for fault in found["wrong"]
        if not (one.page == "guided_path" and "is empty" in fault)
    ]
    assert wrong == []
    texts, left_out = (sum(count(found) for _, found in results) for count in (_texts, _left_out))
    assert left_out < MOST_LEFT_OUT * texts


def _texts(found: dict[str, int]) -> int:
    return found["texts"]


def _left_out(found: dict[str, list[str]]) -> int:
    return len(found["leftOut"])
