"""Figures of assessments, and of their gains under a setting."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures

GRADES = np.array([0.0, 0, 1, np.nan, 2, 0])


def test_grades_are_counted_with_their_share_and_name():
    figure = figures.distribution(GRADES, "<relevance>", {0: "no", 1: "<some>", 2: "yes"})
    (bars,) = figure.data
    assert (list(bars.x), list(bars.y)) == ([0, 1, 2], [3, 1, 1])
    assert [tuple(one) for one in bars.customdata] == [(0.6, "no"), (0.2, "&lt;some&gt;"), (0.2, "yes")]
    assert (list(figure.layout.xaxis.tickvals), figure.layout.xaxis.title.text) == ([0, 1, 2], "&lt;relevance&gt;")
    assert not figure.layout.showlegend  # of one kind of bars


@pytest.mark.parametrize(("levels", "bars"), [(20, 20), (21, 30)])
def test_more_than_20_values_are_put_into_bands(levels, bars):
    figure = figures.distribution(np.arange(levels), "fog")
    assert len(figure.data[0].x) == bars
    assert sum(figure.data[0].y) == levels
    assert (figure.layout.xaxis.tickvals is None) == (levels > 20)


def test_curves_of_gain_are_drawn_over_the_pool():
    at = np.array([0.0, 1.0, 2.0])
    figure = figures.gain_curves(GRADES, {"one": (at, at / 2), "<two>": (at, 1 - at / 2)}, "grade", steps=True)
    pool, one, two = figure.data
    assert (list(pool.y), pool.yaxis, pool.showlegend) == ([3, 1, 1], "y2", False)
    assert (list(one.y), one.line.shape, two.name) == ([0, 0.5, 1], "hvh", "&lt;two&gt;")
    assert one.line.dash != two.line.dash
    assert figure.layout.showlegend
    alone = figures.gain_curves(GRADES, {"one": (at, at)}, "grade", steps=False)
    assert (alone.layout.showlegend, alone.data[1].line.shape) == (False, "linear")


def test_lines_of_the_assessed_share_break_between_systems():
    shares = pd.DataFrame([[1.0, 0.5], [0.8, 0.4], [0.2, 0.1]], ["a_1", "b", "a_2"], [10, 100])
    figure = figures.assessed_by_depth(shares, figures.system_styles(list(shares.index)))
    by_name = {line.name: line for line in figure.data}
    np.testing.assert_array_equal(by_name["a"].x, [10, 100, np.nan] * 2)
    np.testing.assert_array_equal(by_name["a"].y, [1, 0.5, np.nan, 0.2, 0.1, np.nan])
    assert list(by_name["a"].text) == ["a_1"] * 3 + ["a_2"] * 3
    low, high = figure.layout.yaxis.range
    assert low < 0.1 < 1 < high


def test_cells_of_two_aspects_are_shaded_by_the_share_of_their_row():
    rows, columns = pd.Index([0.0, 1.0], name="<r>"), pd.Index(["no", "yes"], name="u")
    cells = figures.joint_grades(pd.DataFrame([[3, 1], [0, 0]], rows, columns)).data[0]
    assert cells.z.tolist() == [[0.75, 0.25], [0, 0]]
    assert (cells.text.tolist(), list(cells.x), list(cells.y)) == ([[3, 1], [0, 0]], ["no", "yes"], ["0", "1"])
    assert cells.hovertemplate.startswith("&lt;r&gt; %{y}, u %{x}")
