"""The heat map of correlations and the correlations by topic, as plotly gets them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore import figures

NAMES = {"a": "A", "b": "B<i>", "c": "C"}
VALUES = pd.DataFrame([[1, 0.95, -0.8], [0.95, 1, np.nan], [0.1, np.nan, 1]], list("abc"), list("abc"))


def heatmap(**settings):
    return figures.correlation_heatmap(VALUES, NAMES, "τ_b", **{"threshold": 0.9, **settings})


def cells(figure) -> dict[str, tuple[str, str, str]]:
    """Text, weight and colour of each cell, by its row and column."""
    marks = figure.data[1]
    parts = zip(marks.customdata, marks.text, marks.textfont.weight, marks.textfont.color, strict=True)
    return {place: (text, weight, colour) for (place, _), text, weight, colour in parts}


def test_a_value_above_the_threshold_is_marked_by_more_than_colour():
    found = cells(heatmap())
    assert found["0 1"] == ("0.950", "bold", "#ffffff")
    assert found["0 2"] == ("−0.800", "normal", "#ffffff")
    assert found["2 0"] == ("0.100", "normal", "#333333")
    assert found["1 2"][0] == "none"
    assert cells(heatmap(threshold=0.96))["0 1"] == ("0.950", "normal", "#333333")


def test_a_measure_is_not_compared_with_itself():
    figure = heatmap()
    assert len(cells(figure)) == 6
    assert np.isnan(np.diag(np.array(figure.data[0].z, dtype=float))).all()


def test_cells_stand_in_the_order_of_the_groups_and_groups_are_framed():
    figure = heatmap(groups=[["c"], ["b", "a"]], chosen=("a", "c"))
    assert figure.layout.xaxis.ticktext == ("C", "B&lt;i&gt;", "A")
    assert cells(figure)["2 0"][0] == "−0.800"
    frames = [(shape.x0, shape.x1, shape.y0, shape.y1) for shape in figure.layout.shapes]
    assert frames == [(0.5, 2.5, 0.5, 2.5), (-0.5, 0.5, 1.5, 2.5)]


def test_the_sides_are_named_only_where_they_differ():
    assert (heatmap().layout.xaxis.title.text, heatmap().layout.yaxis.title.text) == ("", "")
    directed = heatmap(directed=True, notes=VALUES.map(str))
    assert (directed.layout.xaxis.title.text, directed.layout.yaxis.title.text) == ("reference", "test")
    hover = dict(directed.data[1].customdata)["0 1"]
    assert hover == "<b>τ_b 0.950</b><br>test: A<br>reference: B&lt;i&gt;<br>0.95"


def test_many_measures_get_small_numbers_and_long_names_keep_their_end():
    names = {f"m{at}": f"uRBP(understandability, threshold={at})" for at in range(20)}
    values = pd.DataFrame(0.95, list(names), list(names))
    figure = figures.correlation_heatmap(values, names, "τ_b", threshold=0.9)
    assert cells(figure)["0 1"][0] == ".950"
    assert figure.layout.xaxis.ticktext[3] == "uRBP(understan… threshold=3)"
    assert figure.layout.height <= 560


def test_in_an_order_that_is_held_a_group_is_framed_as_far_as_it_stands_together():
    groups = [["a", "b"], ["c"]]
    together, apart = (heatmap(groups=groups, order=order) for order in ("cba", "acb"))
    assert list(apart.layout.xaxis.ticktext) == ["A", "C", "B&lt;i&gt;"]
    assert [(shape.x0, shape.x1) for shape in together.layout.shapes] == [(0.5, 2.5)]
    assert not apart.layout.shapes
