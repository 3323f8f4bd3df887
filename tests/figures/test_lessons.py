"""Figures of the guided path."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures

STYLES = figures.system_styles(["a", "<b>"])


def test_ranks_are_read_by_what_their_documents_are_worth():
    kinds = ["relevant", "not assessed", "relevant"]
    figure = figures.reading_depth(np.array([1.0, 0.5, 0.25]), kinds, np.array([0.5, 0.75, 0.875]), 2.0)
    bars = {bar.name: (list(bar.x), list(bar.y)) for bar in figure.data[:3]}
    assert bars == {"relevant": ([1, 3], [1, 0.25]), "not relevant": ([], []), "not assessed": ([2], [0.5])}
    assert list(figure.data[3].y) == [0.5, 0.75, 0.875]
    assert (figure.layout.shapes[0].x0, figure.layout.annotations[0].text) == (2, "2 on average")


def test_a_mean_beyond_the_ranking_is_pointed_at_from_its_end():
    figure = figures.reading_depth(np.ones(3), ["relevant"] * 3, np.ones(3) / 3, 20.0)
    (word,) = figure.layout.annotations
    assert (figure.layout.shapes[0].x0, word.text, word.xanchor) == (3, "20 on average →", "right")


def test_stretches_of_measures_are_named_in_their_middle_with_borders_between():
    scores = pd.DataFrame({"first": [0.1, 0.2, 0.3], "<second>": [0.3, 0.2, 0.1]}, ["AP", "RBP", "uRBP"])
    figure = figures.two_rankings(scores, {"relevance": 2, "<both>": 1})
    assert [(note.x, note.text) for note in figure.layout.annotations] == [
        (0.5, "<b>relevance</b>"),
        (2.0, "<b>&lt;both&gt;</b>"),
    ]
    assert [line.x0 for line in figure.layout.shapes] == [1.5]
    assert list(figure.layout.xaxis.range) == [-0.5, 2.5]
    assert [(bars.name, list(bars.text)) for bars in figure.data] == [
        ("first", ["0.10", "0.20", "0.30"]),
        ("&lt;second&gt;", ["0.30", "0.20", "0.10"]),
    ]


def test_the_border_and_the_ranks_below_it():
    at = np.array([5.0, 10, 15, 20])
    ranks = pd.DataFrame({"a": [1, 1, 2, 2], "<b>": [2, 2, 1, 1]}, index=at)
    gains = (at, {"step": at / 20, "arctan": 1 - at / 20})
    figure = figures.border_and_ranks(gains, np.array([5.0, 5, 20, np.nan]), ranks, ["<b>"], 15.0, STYLES, "FOG")
    pool, step, arctan, faint, named = figure.data
    assert (sum(pool.customdata), max(pool.y)) == (3, 1)
    assert step.line.width > arctan.line.width
    np.testing.assert_array_equal(faint.y, [1, 1, 2, 2, np.nan, 2, 2, 1, 1, np.nan])
    np.testing.assert_array_equal(faint.x, [*at, np.nan, *at, np.nan])
    assert (named.name, list(named.y)) == ("&lt;b&gt;", [2, 2, 1, 1])
    worst, best = figure.layout.yaxis.range
    assert worst > 2 > 1 > best
    assert figure.layout.annotations[0].xanchor == "right"  # beyond the middle the word stands on the left


def test_what_systems_reach_of_the_best_there_is():
    table = pd.DataFrame({"ideal": [0.8, 0.0], "a": [0.4, 0.0], "<b>": [0.2, 0.0]}, ["t1", "t2"])
    most, a, b = figures.against_ideal(table, STYLES, "CAM").data
    assert (list(most.y), a.name, b.name) == ([0.8, 0], "a", "&lt;b&gt;")
    np.testing.assert_array_equal(a.customdata, [0.5, np.nan])


def test_a_place_is_marked_on_every_curve():
    figure = figures.by_place(pd.DataFrame({"tau": [0.1, 0.2], "tau_ap": [0.3, 0.4]}, index=[1, 2]), 2, "place")
    assert [list(line.marker.size) for line in figure.data] == [[5, 11], [5, 11]]
    assert len({line.line.color for line in figure.data}) == 2
    assert figure.layout.shapes[0].x0 == 2


def test_what_a_rank_counts_and_the_share_down_to_it():
    bars, line = figures.discount_bars(np.array([0.5, 0.25, 0.25])).data
    assert list(bars.y) == [0.5, 0.25, 0.25]
    assert list(bars.customdata) == list(line.y) == pytest.approx([0.5, 0.75, 1.0])
    assert not figures.gain_bars(["no", "<yes>"], np.array([0.0, 1.0])).layout.showlegend
