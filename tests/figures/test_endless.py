"""Infinite scores in figures: on a line of their own beyond all others, and named."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore import figures
from evalcore.direction import directed
from evalcore.figures.draw import Ends, score_text

EFFORT = directed(pd.Series({"a": 4.0, "b": 2.0, "c": np.inf}), "low")
GAIN = pd.Series({"a": 0.5, "b": 0.9, "c": 0.1})
STYLES = figures.system_styles(list("abc"))


def test_they_stand_a_tenth_beyond_the_others() -> None:
    ends = Ends.of(EFFORT)
    assert ends.place(EFFORT).tolist() == [4.0, 2.0, 4.2]
    assert [line["x0"] for line in ends.lines("x")] == [4.2]
    assert [name["text"] for name in ends.names("y")] == ["∞"]


def test_an_axis_of_nothing_else_still_has_a_place_for_them() -> None:
    assert Ends.of(pd.Series([np.inf, -np.inf])).place(pd.Series([np.inf, -np.inf])).tolist() == [1.1, -0.1]


def test_scatter_names_the_least_effort_and_shows_what_a_mark_scores() -> None:
    drawn = figures.scatter(EFFORT, {"gain": GAIN}, STYLES, x_title="effort", y_title="gain")
    rows = {row[0]: (x, row[2], row[4]) for mark in drawn.data for x, row in zip(mark.x, mark.customdata, strict=True)}
    assert rows == {"a": (4.0, 2, "4.0000"), "b": (2.0, 1, "2.0000"), "c": (4.2, 3, "∞")}
    assert [annotation.text for annotation in drawn.layout.annotations] == ["b", "a", "c", "∞"]
    assert drawn.layout.xaxis.title.text == "effort (lower is better)"
    assert not any(mark.mode == "lines" for mark in drawn.data)  # on no line is an effort what a gain is


def test_a_difference_that_is_infinite_is_drawn_and_has_no_interval() -> None:
    drawn = figures.topic_differences(pd.Series({"t1": 1.0, "t2": -np.inf}), (np.nan, np.nan), ("a", "b"))
    assert list(drawn.data[0].text) == ["", "-∞"]
    assert np.isfinite(drawn.data[0].y).all()
    assert not drawn.layout.shapes


def test_texts() -> None:
    assert [score_text(one) for one in (0.25, np.inf, -np.inf, np.nan)] == ["0.2500", "∞", "-∞", "none"]
