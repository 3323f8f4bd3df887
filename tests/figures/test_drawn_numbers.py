"""A figure as a table: its numbers, by the names that they have in it."""

from __future__ import annotations

import numpy as np

from evalcore.figures import draw
from evalcore.figures.drawn_numbers import numbers_drawn


def test_systems_are_called_by_their_names_and_gaps_between_lines_are_left_out() -> None:
    line = draw.trace("scatter", name="team", x=[0.0, 1.0, np.nan], y=[1, 2, np.nan], customdata=[["a"], ["a"], ["a"]])
    ticks = {"tickvals": [0, 1], "ticktext": ["by RBP", "by &lt;AP&gt;"]}
    table = numbers_drawn(draw.figure_of([line], xaxis=draw.axis("", **ticks), yaxis=draw.axis("rank")))
    assert table.to_numpy().tolist() == [["a", "by RBP", "1"], ["a", "by <AP>", "2"]]
    assert list(table) == ["of", "place", "rank"]


def test_what_has_no_name_is_no_number() -> None:
    unseen, seen = draw.trace("scatter", x=[1], y=[2]), draw.trace("bar", name="b", x=["t"], y=[0.123456])
    assert numbers_drawn(draw.figure_of([unseen, seen])).to_numpy().tolist() == [["b", "t", "0.1235"]]
