"""Figures of navigation: the graph of a walk, the distribution of gain, and curves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore import figures
from evalcore.measures import MAep, Walk
from evalcore.navigation.figures import HERE
from evalcore.navigation.walk_tables import walkthrough

LINKS = np.array([[0, 1], [1, 2], [0, 3]])


def nodes(**columns):
    table = pd.DataFrame(
        {
            "gain": [0.0, 2, 1, 0, 1],
            "rank": [1, np.nan, 2, np.nan, 3],
            "seen": [1.0, 0.5, 0.25, 0, 0],
            "step": [1.0, 0.5, 0.05, 0, 0],
            "label": ["hub", "<i>answer</i>", "b", "c", "archive"],
            "hover": ["h"] * 5,
        }
    )
    table[["x", "y"]] = figures.spread(5, LINKS)
    return table.assign(**columns)


def test_positions_of_components_are_reproducible_and_within_the_frame():
    places = figures.spread(5, LINKS)
    assert (places == figures.spread(5, LINKS)).all()
    assert (np.abs(places) <= [1.9, 1.0]).all()
    assert len(np.unique(places.round(3), axis=0)) == 5
    assert (places[4, 0] > places[:4, 0]).all()  # a component without links is alone on the right
    assert figures.spread(0, LINKS[:0]).shape == (0, 2)
    assert len(np.unique(figures.spread(30, LINKS[:0]).round(3), axis=0)) == 30


def test_the_map_of_a_walk_shows_seen_components_and_the_links_that_users_follow():
    figure = figures.walk_map(nodes(), LINKS, 0)
    marks = next(trace for trace in figure.data if trace.mode == "markers+text")
    assert list(marks.text) == ["1", "", "2", "", "3"]
    opacity = [float(colour.rsplit(",", 1)[1].rstrip(")")) for colour in marks.marker.color]
    assert opacity == sorted(opacity, reverse=True)
    assert marks.marker.color[1].startswith("rgba(201") != marks.marker.color[3].startswith("rgba(201")
    flows = {
        trace.line.width: trace.x
        for trace in figure.data
        if trace.mode == "lines" and trace.line.color == HERE and len(trace.x) > 1
    }
    drawn = {width: sum(x is not None and not np.isnan(x) for x in xs) // 2 for width, xs in flows.items()}
    assert drawn == {4.0: 1, 1.6: 1}
    texts = [note.text for note in figure.layout.annotations]
    assert texts[0] == "<b>hub</b>"
    assert "&lt;i&gt;answer&lt;/i&gt; 50%" in texts
    assert "without links" in texts


def test_the_next_stops_of_most_users_are_named_where_there_is_room():
    def named(**columns) -> list[str]:
        table = nodes(x=[0.0, 1.0, -1.0, 0.1, 1.9], y=[0.0, 0.5, 0.5, 0.1, 0.5], **columns)
        return [note.text for note in figures.walk_map(table, LINKS, 0).layout.annotations[:4] if "%" in note.text]

    assert named(step=[1, 0.5, 0.4, 0.3, 0.2]) == ["&lt;i&gt;answer&lt;/i&gt; 50%", "b 40%", "archive 20%"]
    assert named(step=[1, 0.5, 0.01, 0.3, 0.0]) == ["&lt;i&gt;answer&lt;/i&gt; 50%"]


def test_curves_and_walks_are_drawn():
    curves = pd.DataFrame({"a": [0.5, 1.2], "b": [0.4, 0.1]}, index=[0.1, 0.5])
    figure = figures.effort_precision(curves, figures.system_styles(["a", "b"]), ["a"])
    assert figure.data[0].line.width > figure.data[1].line.width
    assert figure.data[0].opacity == 1 > figure.data[1].opacity
    assert [line.opacity for line in figures.effort_precision(curves, figures.system_styles(["a", "b"])).data] == [1, 1]
    assert figure.layout.yaxis.range[1] > 1.2
    table = pd.DataFrame({"walk": [0.5, 0.0], "t^(-3/2)": [0.4, 0.1]}, index=[1, 2])
    lines = figures.trail_lengths(table).data
    assert lines[0].y[0] == pytest.approx(0.5)
    assert np.isnan(lines[0].y[1])


def test_a_list_is_walked_down_to_one_of_its_ranks() -> None:
    site = ec.load(SAMPLE.parent / "site")
    walk = walkthrough(site, MAep(navigation=Walk(stop=0.3)).users, site.topics[0], site.systems[0], depth=5)
    names = {rank: figures.walk_down(walk, rank).layout.annotations[0].text for rank in (1, 5)}
    at = walk.components.sort_values("rank").index
    assert names == {1: f"<b>{at[0]}</b>", 5: f"<b>{at[4]}</b>"}
    with pytest.raises(ec.InputError, match="expected a rank from 0 to 5, found 6"):
        figures.walk_down(walk, 6)


def test_gain_against_effort_has_both_curves_and_where_a_level_is_met():
    curves = pd.DataFrame({"ideal": [1.0, 2], "run": [2.0, np.inf], "ep": [0.5, 0]}, index=[3.0, 6])
    figure = figures.gain_against_effort(curves, curves.iloc[[0]])
    ideal, run, *met = figure.data
    assert (list(ideal.x), list(ideal.y), ideal.line.shape) == ([0, 1, 2], [0, 3, 6], "hv")
    assert (list(run.x), list(run.y)) == ([0, 2], [0, 3])  # the second level is never reached
    assert [(one.x[0], one.y[0]) for one in met] == [(1, 3), (2, 3)]
    assert figure.layout.shapes[0].y0 == 3
    assert figures.gain_against_effort(curves, curves.iloc[[0]], linear=True).data[0].line.shape == "linear"


def test_arrivals_end_with_those_who_come_later_or_never():
    shares = pd.Series([0.4, 0.3, 0.1, 0.2], index=pd.Index([1, 2, "later", "never"], dtype=object))
    bars = figures.arrivals(shares).data[0]
    assert list(bars.x) == ["1", "2", "later", "never"]
    assert list(bars.y) == [0.4, 0.3, 0.1, 0.2]
