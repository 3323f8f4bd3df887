"""Small pictures of the gallery."""

from __future__ import annotations

import pandas as pd
import pytest

from evalcore import figures
from evalcore.figures.style import BLUE, LINE, RED


def test_a_small_matrix_is_shades_and_numbers_alone():
    figure = figures.small_matrix(pd.DataFrame([[1, 0.4], [0.4, 1]], ["<x>", "y"], ["<x>", "y"]))
    (shades,) = figure.data
    assert (list(shades.x), shades.z.tolist(), shades.zmax) == (["&lt;x&gt;", "y"], [[1, 0.4], [0.4, 1]], 1)
    assert list(shades.text) == [["1.00", "0.40"], ["0.40", "1.00"]]
    layout = figure.layout
    around = (shades.showscale, layout.xaxis.showticklabels, layout.xaxis.showgrid, layout.yaxis.showgrid)
    assert not any(around)
    assert layout.yaxis.autorange == "reversed"  # the first measure at the top


@pytest.mark.parametrize(("other", "lowest"), [(1.0, 0.5), (0.4, 0.4), (-1.0, -1.0), (float("nan"), 0.5)])
def test_measures_that_agree_wholly_are_the_darkest_whatever_the_others(other: float, lowest: float):
    (shades,) = figures.small_matrix(pd.DataFrame([[1, other], [other, 1]])).data
    assert (shades.zmin, shades.zmax) == (lowest, 1)


def test_first_places_are_counted_and_named():
    (bars,) = figures.first_places(pd.Series({"<a>": 5, "b": 0, "tied": 2})).data
    assert (list(bars.x), list(bars.text)) == ([5, 0, 2], ["&lt;a&gt;: 5", "b: 0", "tied: 2"])
    assert list(bars.marker.color) == [BLUE, RED, LINE]


def test_bars_of_differences_are_blue_above_red_below_and_grey_where_there_is_none():
    figure = figures.difference_bars(pd.Series({"t1": 0.2, "t2": 0.0, "t3": -0.1}), "<a>", "b")
    (bars,) = figure.data
    assert (list(bars.y), list(bars.marker.color)) == ([0.2, 0, -0.1], [BLUE, LINE, RED])
    above, below = figure.layout.annotations
    assert (above.text, below.text) == ("&lt;a&gt;", "b")
    assert above.y > 0.5 > below.y
