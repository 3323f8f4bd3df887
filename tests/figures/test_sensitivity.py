"""Figures of the page Sensitivity: what they show, and that foreign names stay text."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from evalcore import figures
from evalcore.meta import driving_topics, leave_one_out, pair_contributions

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
TABLE = pd.DataFrame(
    {
        "rank": [1, 2, 3],
        "share first": [0.5, 0.5, 0],
        "share top 5": 1,
        "rank low": 1,
        "rank median": 2,
        "rank high": 3,
    },
    index=SYSTEMS,
)
INDICES = pd.DataFrame(0.5, [HOSTILE, "rho"], ["first", "first low", "first high", "total", "total low", "total high"])
X = pd.DataFrame([[0.3, 0.2, 0.1], [0.1, 0.2, 0.2], [0.3, 0.1, 0.0]], [HOSTILE, "t2", "t3"], SYSTEMS)


def lines() -> go.Figure:
    return figures.rank_trajectories(RANKS, MEANS, TAU, CHANGES, STYLES, title="rho", default=0.5, selected=[HOSTILE])


def maps() -> go.Figure:
    winner = np.array([[0, 1, 1], [0, 2, -1]])
    tied = np.array([[1, 1, 2], [1, 1, 0]])
    tau = np.array([[1.0, 0.5, -0.2], [0.9, 0.8, np.nan]])
    xs, ys = np.array([0.1, 0.5, 0.9]), np.array([1.0, 2.0])
    return figures.setting_maps(
        xs, ys, tau, winner, tied, SYSTEMS, STYLES, titles=("x", "y"), default=(0.5, 1.0), looked_at=(0.9, 2.0)
    )


def moving() -> go.Figure:
    return figures.motion(MEANS, MEANS / 2, STYLES, parameter="rho", notes=["", "n", ""], start=1, named=1)


DRAWN: dict[str, Callable[[], go.Figure]] = {
    "lines": lines,
    "maps": maps,
    "moving": moving,
    "intervals": lambda: figures.rank_intervals(TABLE, STYLES, selected=["b"]),
    "importance": lambda: figures.importance_bars(INDICES),
    "left out": lambda: figures.left_out(leave_one_out(X)),
    "influences": lambda: figures.influences(driving_topics(X, X[::-1]), "influence"),
    "contributions": lambda: figures.contributions(pair_contributions(X, X, HOSTILE, "b"), ("x", "y"), "title"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_hostile_name_is_only_where_plotly_does_not_read_it(name):
    spec = json.loads(DRAWN[name]().to_json())
    for trace in spec["data"]:
        trace.pop("customdata", None)  # its first entry is the name as it is, for a click, and not shown
    assert HOSTILE not in json.dumps(spec)


def test_a_band_says_who_is_first_and_a_line_where_that_changes():
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
    assert winners.text[0][2] == "2 systems share the first place"
    assert winners.text[1][2] == "nothing can be scored"
    assert winners.customdata[1][2][0] == "2,1"
    colours = dict(winners.colorscale)
    assert {STYLES[name].colour for name in SYSTEMS} <= set(colours.values())


@pytest.mark.parametrize("low", [-1.0, -0.6, -0.3, 0.0, 0.5, 0.9])
def test_a_value_of_tau_has_its_colour_whatever_the_range(low):
    from evalcore.figures.setting_maps import _tau_colours

    scale = _tau_colours(low)
    assert (scale[0][0], scale[-1]) == (0, [1, "#274a82"])
    assert [at for at, _ in scale] == sorted(at for at, _ in scale)
    assert any(colour == "#a3bfe7" for _, colour in scale) or low == 0.9


def test_motion_has_a_frame_for_each_value_between_fixed_axes():
    figure = moving()
    assert [frame.name for frame in figure.frames] == ["0", "1", "2"]
    assert [step.label for step in figure.layout.sliders[0].steps] == ["0.1", "0.5", "0.9"]
    assert figure.layout.sliders[0].active == 1
    for at, frame in enumerate(figure.frames):
        marks, names, note = frame.data
        assert list(marks.y) == pytest.approx((MEANS.iloc[at] / 2).tolist())
        assert list(marks.customdata[0]) == [RANKS.iloc[at, 0], RANKS.iloc[at, 0]]
        best = figures.plain(MEANS.iloc[at].idxmax())
        assert [name.strip() for name in names.text if name.strip()] == [best]
        assert note.text == (["", "n", ""][at],)
    low, high = figure.layout.yaxis.range
    assert low < MEANS.to_numpy().min() / 2 < MEANS.to_numpy().max() / 2 < high
    assert list(figure.data[1].x) == MEANS.iloc[1].tolist()  # opens where the slider stands


def test_the_page_of_a_figure_needs_nothing_else():
    page = figures.standalone(moving(), HOSTILE)
    assert page.startswith("<!doctype html>")
    assert HOSTILE not in page
    assert f"<title>{figures.plain(HOSTILE)}</title>" in page
    assert "plotly.js v" in page
    assert 'src="http' not in page


def test_bars_hang_from_1():
    bars = figures.left_out(leave_one_out(X)).data
    for bar in bars:
        assert bar.base == 1
        assert max(bar.y) <= 0
