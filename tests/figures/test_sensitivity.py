"""Figures of the page Sensitivity: what they show, and that foreign names stay text."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore import figures

HOSTILE = "<img src=x>"
SYSTEMS = [HOSTILE, "b", "c"]
STYLES = figures.system_styles(SYSTEMS)
VALUES = [0.1, 0.5, 0.9]
MEANS = pd.DataFrame([[0.3, 0.2, 0.1], [0.2, 0.3, 0.1], [0.1, 0.3, 0.3]], pd.Index(VALUES, name="rho"), SYSTEMS)
RANKS = MEANS.rank(axis=1, ascending=False, method="min").astype(int)
TAU = pd.Series([1.0, 0.3, np.nan], VALUES)
CHANGES = pd.DataFrame(
    [[0.2, 0.21, HOSTILE, "b"], [0.8, 0.81, "b", "b, c"]], columns=["low", "high", "before", "after"]
)
SHIFTS = pd.DataFrame({"x": [0.1, 0.2], "y": [0.3, 0.0], "shift": [0.2, -0.2]}, [HOSTILE, "t2"])


def lines() -> go.Figure:
    return figures.rank_trajectories(RANKS, MEANS, TAU, CHANGES, STYLES, title="rho", default=0.5, selected=[HOSTILE])


def maps() -> go.Figure:
    winner = np.array([[0, 1, 1], [0, 2, -1]])
    tied = np.array([[1, 1, 2], [1, 1, 0]])
    tau = np.array([[1.0, 0.5, -0.2], [0.9, 0.8, np.nan]])
    xs, ys = np.array([0.1, 0.5, 0.9]), np.array([1.0, 2.0])
    return figures.setting_maps(xs, ys, tau, winner, tied, SYSTEMS, STYLES, titles=("x", "y"), default=(0.5, 1.0))


DRAWN: dict[str, Callable[[], go.Figure]] = {
    "lines": lines,
    "maps": maps,
    "shifts": lambda: figures.shifts(SHIFTS, "title"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_hostile_name_is_only_where_plotly_does_not_read_it(name):
    spec = json.loads(DRAWN[name]().to_json())
    for trace in spec["data"]:
        trace.pop("customdata", None)  # its first entry is the name as it is, for a click, and not shown
    assert HOSTILE not in json.dumps(spec)


def test_a_band_shows_who_is_first_and_a_line_where_that_changes():
    figure = lines()
    texts = [note.text for note in figure.layout.annotations]
    assert "b" in texts
    assert "default" in texts
    bands = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert [(band.x0, band.x1) for band in bands] == [(0.1, 0.2), (0.21, 0.8), (0.81, 0.9)]
    assert bands[0].fillcolor == STYLES[HOSTILE].colour
    assert bands[2].fillcolor not in {style.colour for style in STYLES.values()}  # two are tied
    assert [shape.x0 for shape in figure.layout.shapes if shape.line.dash == "dot"] == [0.2, 0.8]


def test_maps_show_winners_ties_and_what_cannot_be_scored():
    tau, winners = maps().data[:2]
    assert (tau.zmin, tau.zmax) == (-0.2, 1)
    codes = np.array(winners.z, dtype=float)
    assert np.isnan(codes[1, 2])
    assert codes[0, 2] == 0
    assert len({codes[0, 0], codes[0, 1], codes[1, 1]}) == 3
    assert winners.text[0][2] == "2 systems are tied for first"
    assert winners.text[1][2] == "no score can be computed"
    colours = dict(winners.colorscale)
    assert {STYLES[name].colour for name in SYSTEMS} <= set(colours.values())


def test_a_winner_is_named_on_its_ground_where_that_has_room():
    def names(*systems: str) -> list[tuple[str, float, float]]:
        winner, tied = np.array([[0, 1, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1]]), np.ones((3, 4), dtype=int)
        xs, ys = np.arange(4.0), np.array([10.0, 20.0, 30.0])
        styles = figures.system_styles(systems)
        notes = figures.setting_maps(xs, ys, np.ones((3, 4)), winner, tied, systems, styles, titles=("x", "y"))
        return [(note.text, note.x, note.y) for note in notes.layout.annotations if note.xref == "x2"]

    # A map of 280 pixels over four cells: 70 a cell, room for eleven letters of 6, and for 35 in three.
    assert names("eleven-char", "b") == [("b", 2, 20), ("eleven-char", 0, 10)]
    assert names("twelve-chars", "b" * 36) == [("b" * 36, 1.5, 30)]


def test_lines_part_the_grounds_of_different_winners():
    winner, one = np.array([[0, 0, 1], [0, 1, 1]]), np.ones((2, 3))
    xs, ys = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0])
    figure = figures.setting_maps(xs, ys, one, winner, one.astype(int), SYSTEMS, STYLES, titles=("x", "y"))
    across, up = (
        np.array(side, dtype=float).reshape(-1, 3)[:, :2].tolist() for side in (figure.data[2].x, figure.data[2].y)
    )
    assert across == [[1.5, 1.5], [0.5, 0.5], [0.5, 1.5]]
    assert up == [[-0.5, 0.5], [0.5, 1.5], [0.5, 0.5]]


@pytest.mark.parametrize("low", [-1.0, -0.6, -0.3, 0.0, 0.5, 0.9])
def test_a_value_of_tau_has_its_colour_whatever_the_range(low):
    from evalcore.figures.maps_of_settings import _tau_colours

    scale = _tau_colours(low)
    assert (scale[0][0], scale[-1]) == (0, [1, "#274a82"])
    assert [at for at, _ in scale] == sorted(at for at, _ in scale)
    assert any(colour == "#a3bfe7" for _, colour in scale) or low == 0.9


def test_winners_whose_ground_has_no_room_for_their_name_are_named_over_the_maps():
    winner = np.zeros((10, 10), dtype=np.int64)
    winner[0, 0], winner[5, 5] = 1, 2
    values = np.linspace(0, 1, 10)
    figure = figures.setting_maps(
        *(values, values, np.ones((10, 10)), winner, np.ones((10, 10), dtype=np.int64)),
        *(["large", "small", "<b>"], figures.system_styles(["large", "small", "<b>"])),
        titles=("x", "y"),
    )
    texts = [annotation.text for annotation in figure.layout.annotations]
    assert "large" in texts
    (key,) = [text for text in texts if "■" in text]
    assert "small" in key
    assert "&lt;b&gt;" in key
    assert "large" not in key
