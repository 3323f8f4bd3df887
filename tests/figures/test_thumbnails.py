"""Small pictures of the gallery."""

from __future__ import annotations

import pandas as pd

from evalcore import figures
from evalcore.figures.style import BLUE, RED


def test_a_small_matrix_is_shades_alone():
    figure = figures.small_matrix(pd.DataFrame([[1, 0.4], [0.4, 1]], ["<x>", "y"], ["<x>", "y"]))
    (shades,) = figure.data
    assert (list(shades.x), shades.z.tolist(), shades.zmax) == (["&lt;x&gt;", "y"], [[1, 0.4], [0.4, 1]], 1)
    layout = figure.layout
    around = (shades.showscale, layout.xaxis.showticklabels, layout.xaxis.showgrid, layout.yaxis.showgrid)
    assert not any(around)
    assert layout.yaxis.autorange == "reversed"  # the first measure at the top


def test_bars_of_differences_are_blue_above_and_red_below():
    figure = figures.difference_bars(pd.Series({"t1": 0.2, "t2": 0.0, "t3": -0.1}), "<a>", "b")
    (bars,) = figure.data
    assert (list(bars.y), list(bars.marker.color)) == ([0.2, 0, -0.1], [BLUE, RED, RED])
    above, below = figure.layout.annotations
    assert (above.text, below.text) == ("&lt;a&gt;", "b")
    assert above.y > 0.5 > below.y
