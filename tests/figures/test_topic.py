"""Rankings of one topic side by side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures
from evalcore.figures.topic import UNASSESSED
from evalcore.structures.documents import Scale

SCALES = {
    "relevance": Scale("relevance", grades=(0, 1, 2), names=("no", "some", "<yes>")),
    "difficulty": Scale("difficulty", good="low", grades=(1, 2, 3)),
    "fog": Scale("fog", kind="signal", good="low"),
    "spam": Scale("spam", kind="signal"),
}
TABLE = pd.DataFrame(
    {
        "document": ["a", "", "<c>"],
        "relevance": [2, np.nan, 1],
        "difficulty": [1, np.nan, 3],
        "fog": [5.0, np.nan, 15.0],
        "spam": [20.0, np.nan, 60.0],
        "adds": [0.5, 0.0, 0.25],
    },
    index=[1, 2, 3],
)
STYLES = figures.system_styles(["s"])


@pytest.fixture
def lists():
    return figures.ranked_lists({"s": TABLE}, SCALES, STYLES, marked=2)


def test_labels_are_shaded_from_worst_to_best_signals_by_their_own_extremes(lists):
    by_column = np.array(lists.data[0].z, dtype=float).T.tolist()
    expected = [[1, np.nan, 0.5], [1, np.nan, 0], [1, np.nan, 0], [0, np.nan, 1]]
    np.testing.assert_array_equal(by_column, expected)
    assert (lists.data[0].zmin, lists.data[0].zmax) == (0, 1)


def test_cells_say_their_labels_and_who_was_not_assessed(lists):
    cells = lists.data[0]
    assert [list(row) for row in cells.text] == [["2", "1", "5", "20"], [UNASSESSED] * 4, ["1", "3", "15", "60"]]
    assert cells.hovertext[1][0] == "a document that nobody assessed"
    assert cells.hovertext[0][0].startswith("<b>a</b><br>relevance: 2 (&lt;yes&gt;)<br>difficulty: 1<br>")
    assert cells.hovertext[2][0].startswith("<b>&lt;c&gt;</b><br>relevance: 1 (some)")


def test_bars_say_what_each_rank_adds_and_the_line_stands_under_its_rank(lists):
    bars = lists.data[1]
    assert (list(bars.x), list(bars.y), bars.marker.color) == ([0.5, 0, 0.25], [1, 2, 3], STYLES["s"].colour)
    assert 0.5 < lists.layout.xaxis2.range[1] < 0.6
    assert [(line.y0, line.y1) for line in lists.layout.shapes] == [(2.5, 2.5)]


def test_scores_grow_from_rank_to_rank_beside_what_a_rank_counts():
    walk = pd.DataFrame({"sum so far": [0.5, 0.5, 0.6], "discount": [0.5, 0.25, 0.125]}, index=[1, 2, 3])
    figure = figures.running_sums({"s": walk, "<t>": walk[:2]}, figures.system_styles(["s", "<t>"]), marked=2)
    s, t, discount = figure.data
    assert list(s.x) == [0, 1, 2, 3]  # from nothing
    assert (list(s.y), t.name, len(t.x)) == ([0, 0.5, 0.5, 0.6], "&lt;t&gt;", 3)
    assert (list(discount.y), discount.yaxis) == ([0.5, 0.25, 0.125], "y2")  # of the longest
    assert figure.layout.shapes[0].x0 == 2
    without = figures.running_sums({"s": walk[["sum so far"]]}, STYLES)
    assert [line.name for line in without.data] == ["s"]


def test_subtopics_are_full_where_new_and_hollow_where_known():
    table = pd.DataFrame({"subtopics": ["1", "1, 2", ""], "new": ["1", "2", ""]}, index=[1, 2, 3])
    figure = figures.subtopics_met({"a": table, "b": table}, ["1", "2", "3"], figures.system_styles(["a", "b"]))
    new, again, other, _ = figure.data
    assert (list(new.x), list(new.y), new.marker.symbol) == ([1, 2], [0, 1], "circle")
    assert (list(again.x), list(again.y), again.marker.symbol) == ([2], [0], "circle-open")
    assert list(other.y) == [4, 5]  # below the first system's three subtopics
