"""ASL curves, differences by topic, needed differences and the matrix of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures
from evalcore.figures.style import BLUE, RED

CURVE = pd.DataFrame(
    [("a", "b", 0.01, 0.9), ("a", "<c>", -0.2, 0.02), ("b", "<c>", 0.4, 0.0)],
    columns=["system_a", "system_b", "difference", "asl"],
)


def test_a_curve_falls_and_an_asl_of_0_is_drawn_below_the_smallest_there_can_be():
    line = figures.asl_curves({"RBP": CURVE}, 0.05, 1000).data[0]
    assert list(line.x) == pytest.approx([1 / 6, 3 / 6, 5 / 6])
    assert list(line.y) == pytest.approx([0.9, 0.02, 0.0005])
    assert list(line.customdata[1]) == ['["a", "<c>"]', "a", "&lt;c&gt;", -0.2, 0.02]


def test_curves_are_named_and_the_level_is_drawn():
    layout = figures.asl_curves({"RBP": CURVE}, 0.05, 1000).layout
    assert layout.showlegend
    ground, level = layout.shapes
    assert (level.y0, level.y1, ground.y1) == (0.05, 0.05, 0.05)
    assert list(layout.yaxis.ticktext) == ["1", "0.1", "0.01", "0.001", "0"]
    bottom, top = layout.yaxis.range
    assert 10**bottom < 0.0005 < 1 < 10**top


@pytest.mark.parametrize("pair", [("b", "<c>"), ("<c>", "b")])
def test_a_pair_is_marked_on_every_curve_whichever_way_it_is_named(pair):
    figure = figures.asl_curves({"RBP": CURVE, "AP": CURVE.iloc[[2, 0, 1]]}, 0.05, 1000, pair)
    marks = figure.data[2]
    assert list(marks.x) == pytest.approx([5 / 6, 1 / 6])
    assert list(marks.y) == pytest.approx([0.0005, 0.0005])
    assert list(marks.marker.color) == [line.line.color for line in figure.data[:2]]


def test_topics_stand_by_their_difference_with_the_mean_and_its_interval():
    differences = pd.Series({"t1": -0.1, "<t2>": 0.3, "t3": 0.1})
    figure = figures.topic_differences(differences, (0.0, 0.2), ("<a>", "b"))
    bars = figure.data[0]
    assert (list(bars.x), list(bars.y)) == (["&lt;t2&gt;", "t3", "t1"], [0.3, 0.1, -0.1])
    assert list(bars.marker.color) == [BLUE, BLUE, RED]
    band, mean = figure.layout.shapes
    assert (band.y0, band.y1, mean.y0) == (0.0, 0.2, pytest.approx(0.1))
    above, below = figure.layout.annotations
    assert "&lt;a&gt; is better" in above.text
    assert (above.y, below.y) == (1, 0)


def test_a_difference_that_is_the_same_on_every_topic_has_a_mean_and_no_interval():
    (mean,) = figures.topic_differences(pd.Series({"t1": 0.25, "t2": 0.25}), (np.nan, np.nan), ("a", "b")).layout.shapes
    assert (mean.y0, mean.y1) == (0.25, 0.25)


def test_a_matrix_shows_who_is_better_where_that_is_known():
    pairs = pd.DataFrame(
        [("a", "b", 0.1, 0.01), ("<c>", "a", 0.2, 0.01), ("b", "<c>", 0.3, 0.5)],
        columns=["system_a", "system_b", "difference", "p"],
    )
    figure = figures.pair_matrix(["<c>", "a", "b"], pairs, 0.05)
    np.testing.assert_array_equal(figure.data[0].z, [[np.nan, 1, 0], [-1, np.nan, 1], [0, -1, np.nan]])
    assert list(figure.data[0].customdata[1][0]) == ['["a", "<c>"]', "-0.2000", "0.0100"]
    assert dict(figure.data[0].colorscale)[1] == BLUE
    assert not figure.data[0].showscale
    assert [entry.name for entry in figure.data[1:]] == ["row is better", "column is better", "not significant"]
