"""Figures of precision and recall of text, of nearness to the best entry point, and of one document."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures
from evalcore.focused.overlay import Overlay, cut

STYLES = figures.system_styles(["a_1", "a_2", "<b>"])
CURVES = pd.DataFrame({"a_1": [0.8, 0.4], "a_2": [0.5, 0.5], "<b>": [0.9, 0.0]}, index=[0.0, 1.0])


def test_the_chosen_system_is_drawn_last_and_the_legend_names_families_once():
    lines = figures.recall_curves(CURVES, STYLES, "a_1", marks=[0.01]).data[:3]
    assert [line.hovertemplate.split("</b>")[0] for line in lines] == ["<b>a_2", "<b>&lt;b&gt;", "<b>a_1"]
    assert [line.name for line in lines] == ["a", "&lt;b&gt;", "a_1"]
    assert all(line.showlegend for line in lines)
    assert lines[2].opacity == 1 > lines[0].opacity == lines[1].opacity
    assert lines[2].line.width > lines[0].line.width
    others = figures.recall_curves(CURVES, STYLES, "<b>").data[:2]
    assert [(line.name, line.showlegend) for line in others] == [("a", True), ("a", False)]


def test_marks_are_drawn_on_the_curve_at_their_levels():
    figure = figures.recall_curves(CURVES, STYLES, "a_1", marks=[0.01, 0.9])
    marks = figure.data[-1]
    assert (list(marks.x), list(marks.y)) == ([0, 1], [0.8, 0.4])
    assert list(marks.customdata) == ["iP[0.01]", "iP[0.90]"]
    assert [line.x0 for line in figure.layout.shapes] == [0.01, 0.9]


def test_precision_after_each_part_is_within_the_axes():
    points = pd.DataFrame({"recall": [0.1, 0.2], "precision": [0.95, 0.5], "document": ["<d>", "e"]}, index=[1, 2])
    figure = figures.recall_curves(CURVES, STYLES, "a_1", points=points)
    raw = figure.data[3]
    assert (list(raw.x), list(raw.y)) == ([0.1, 0.2], [0.95, 0.5])
    assert [list(one) for one in raw.customdata] == [[1, "&lt;d&gt;"], [2, "e"]]
    assert figure.layout.yaxis.range[1] > 0.95
    assert 0.9 < figures.recall_curves(CURVES, STYLES, "a_1").layout.yaxis.range[1] < 0.96


@pytest.mark.parametrize(
    ("values", "ticks"),
    [([0.1, 10.0], [0.1, 0.2, 0.5, 1, 2, 5, 10]), ([3.0, 40.0], [5, 10, 20]), ([0.01, 0.02], [0.01, 0.02])],
)
def test_a_logarithmic_axis_has_ticks_at_1_2_and_5(values, ticks):
    means = pd.DataFrame({"a_1": [0.1] * len(values)}, pd.Index(values, name="beta"))
    axis = figures.setting_curves(means, STYLES, "a_1", values[0], "beta", "F").layout.xaxis
    assert list(axis.tickvals) == pytest.approx(ticks)
    assert list(axis.ticktext) == [f"{tick:g}" for tick in ticks]
    assert [10**end for end in axis.range] == pytest.approx(values)


def test_nearness_is_drawn_by_setting_over_the_distances_that_occur():
    at = np.array([0.0, 500, 1000])
    figure = figures.nearness(pd.DataFrame({"now": 1 - at / 1000, "<then>": at / 1000}, index=at), [10.0, 20.0])
    now, then, ticks = figure.data
    assert (list(now.y), then.name) == ([1, 0.5, 0], "&lt;then&gt;")
    assert now.line.width > then.line.width
    assert (list(ticks.x), set(ticks.y) <= {-0.06}) == ([10, 20], True)
    assert figure.layout.showlegend
    assert not figures.nearness(pd.DataFrame({"now": at}, index=at), at).layout.showlegend


def test_a_document_is_drawn_from_its_first_character_to_its_last():
    found = Overlay("d", 100, 20, 30, 30, cut(100, [(20, 50)], [(30, 60, 2)]), True)
    figure = figures.document_map(found, begun=True)
    returned, highlighted, entry, begun = figure.data
    assert (list(returned.base), list(returned.x)) == ([30, 50], [20, 10])
    assert (list(highlighted.base), list(highlighted.x)) == ([20, 30], [10, 20])
    assert [list(one) for one in highlighted.customdata] == [[20, 30, "not returned"], [30, 50, "rank 2"]]
    assert (entry.x, entry.y, begun.x, begun.y) == ((20,), ("highlighted",), (30,), ("returned",))
    assert len(figures.document_map(found).data) == 3
    unknown = Overlay("d", 100, -1, -1, 0, cut(100, [], []), True)
    assert len(figures.document_map(unknown, begun=True).data) == 2
