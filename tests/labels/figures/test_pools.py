"""Figures of a pool and of rankings without parts of it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore import figures


def changes() -> tuple[pd.DataFrame, dict[str, str]]:
    systems = ["x_1", "x_2", "y"]
    index = pd.Index(["x", "y"], name="left out")
    return pd.DataFrame([[-2, 0, 1], [0, 0, -1]], index, systems), {"x_1": "x", "x_2": "x", "y": "y"}


def test_each_change_is_a_dot_and_own_systems_have_their_colour():
    table, groups = changes()
    styles = figures.system_styles(list(table.columns))
    others, own = figures.changes_without(table, groups, styles).data
    assert (list(own.y), list(others.y)) == ([-2, 0, -1], [1, 0, 0])
    assert [tuple(one[:2]) for one in own.customdata] == [("x", "x_1"), ("x", "x_2"), ("y", "y")]
    assert list(own.marker.color) == [styles[name].colour for name in ("x_1", "x_2", "y")]


def test_among_thousands_of_other_systems_one_dot_represents_all_with_the_same_change():
    systems = [f"s{at}" for at in range(100)]
    table = pd.DataFrame(np.zeros((100, 100), int), pd.Index(systems, name="left out"), systems)
    table.iloc[0, 1] = 1
    others, own = figures.changes_without(
        table, dict(zip(systems, systems, strict=True)), figures.system_styles(systems)
    ).data
    assert (len(own.x), len(others.x)) == (100, 101)
    assert [tuple(one[:2]) for one in others.customdata[:2]] == [("s0", "98 systems"), ("s0", "1 system")]


def test_a_depth_with_another_winner_has_open_marks() -> None:
    table = pd.DataFrame({"tau": [0.5, 1.0], "tau_ap": [0.4, 1.0], "same first": [False, True], "assessed": [3, 9]})
    depths = figures.tau_of_parts(table.set_axis([5, 10]), 10)
    assert [list(line.marker.symbol) for line in depths.data] == [
        ["circle-open", "circle"],
        ["diamond-open", "diamond"],
    ]
    assert len(depths.layout.shapes) == 1
