"""Rankings of one topic side by side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures
from evalcore.data.structures import Scale
from evalcore.figures.topic import UNASSESSED

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
    assert lists.layout.xaxis2.range[1] >= 0.5
    assert [(line.y0, line.y1) for line in lists.layout.shapes] == [(2.5, 2.5)]


def test_rank_1_is_at_the_top(lists):
    bottom, top = lists.layout.yaxis.range
    assert bottom > 3 > 1 > top
