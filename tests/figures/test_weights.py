"""Weights of aspects: who wins where, and how good a ranking can get."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import InputError, figures

SYSTEMS = ["a", "<b>"]
STYLES = figures.system_styles(SYSTEMS)
MEANS = pd.DataFrame([[0.1, 0.4], [0.2, 0.3], [0.3, 0.2], [0.4, 0.1]], columns=SYSTEMS)


def test_the_foot_of_a_strip_shows_each_stretch_of_one_winner():
    shares = np.array([0.0, 0.25, 0.75, 1.0])
    figure = figures.weight_strip(shares, MEANS, 0.6, STYLES, ["relevance", "<trust>"], ["a"])
    *ground, now = figure.layout.shapes
    assert [(one.x0, one.x1) for one in ground] == [(0, 0.75), (0.75, 1)]
    assert [one.fillcolor for one in ground] == [STYLES["<b>"].colour, STYLES["a"].colour]
    assert (now.x0, now.x1) == (0.6, 0.6)
    (line,) = figure.data
    assert (line.name, list(line.x), list(line.y)) == ("a", shares.tolist(), [0.1, 0.2, 0.3, 0.4])


def test_lines_of_a_strip_differ_in_dashes_and_have_their_names_at_their_ends():
    figure = figures.weight_strip(np.linspace(0, 1, 4), MEANS, 0.6, STYLES, ["relevance", "trust"], SYSTEMS)
    assert len({line.line.dash for line in figure.data}) == 2
    assert {note.text: note.y for note in figure.layout.annotations} == {"a": 0.4, "&lt;b&gt;": 0.1}


def test_a_strip_of_scores_that_are_equal_or_unknown_is_drawn():
    for value in (0.25, np.nan):
        means = pd.DataFrame(value, index=range(4), columns=SYSTEMS)
        figure = figures.weight_strip(np.linspace(0, 1, 4), means, 0.6, STYLES, ["relevance", "trust"], SYSTEMS)
        places = [note.ay for note in figure.layout.annotations]
        assert len(places) == (2 if value == 0.25 else 0)
        assert len(set(places)) == len(places)


def test_every_point_of_a_triangle_has_the_colour_of_its_winner():
    grid = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])
    figure = figures.weight_triangle(grid, MEANS, np.array([0.2, 0.3, 0.5]), STYLES, ["x", "y", "z"])
    by_name = {trace.name: trace for trace in figure.data}
    assert (list(by_name["a"].a), list(by_name["a"].b)) == ([0, 0.5], [0, 0.5])
    assert (list(by_name["a"].customdata), by_name["a"].marker.color) == ([0.3, 0.4], STYLES["a"].colour)
    assert list(by_name["&lt;b&gt;"].a) == [1, 0]
    assert (by_name["now"].a, by_name["now"].b, by_name["now"].c) == ((0.2,), (0.3,), (0.5,))
    assert figure.layout.ternary.aaxis.title.text == "x"


def test_a_system_is_named_once_on_large_ground():
    at = np.linspace(0, 1, 41)
    grid = np.column_stack([at, 1 - at, np.zeros(41)])
    means = pd.DataFrame({"a": np.ones(41), "<b>": np.zeros(41)})
    here = np.array([1.0, 0, 0])
    *_, names, _ = figures.weight_triangle(grid, means, here, STYLES, ["x", "y", "z"]).data
    assert list(names.text) == ["a"]
    assert (names.a[0], names.b[0]) == (pytest.approx(0.5), pytest.approx(0.5))
    *_, names, _ = figures.weight_triangle(grid[:40], means[:40], here, STYLES, ["x", "y", "z"]).data
    assert not names.text


def test_boxes_of_topics_stand_by_the_best_that_is_attainable():
    bounds = pd.DataFrame({"one": [0.9, 0.2, 0.5], "<two>": [0.1, 0.4, 0.6]}, ["t1", "t2", "t3"])
    figure = figures.bound_boxes(bounds, "CAM")
    boxes = figure.data[0]
    assert list(boxes.x) == ["t2", "t2", "t3", "t3", "t1", "t1"]
    assert list(boxes.y) == [0.2, 0.4, 0.5, 0.6, 0.9, 0.1]
    assert list(boxes.text) == ["one", "&lt;two&gt;"] * 3
    low, high = figure.layout.yaxis.range
    assert low == pytest.approx(0.05)
    assert high > 1


def test_weights_of_four_aspects_are_no_picture() -> None:
    index = pd.MultiIndex.from_tuples([(0.25, 0.25, 0.25, 0.25)], names=list("abcd"))
    means = pd.DataFrame({"x": [0.5], "y": [0.4]}, index=index)
    with pytest.raises(InputError, match="expected weights of two or three aspects to draw, found 4"):
        figures.weight_map(means, np.full(4, 0.25), figures.system_styles(["x", "y"]))
