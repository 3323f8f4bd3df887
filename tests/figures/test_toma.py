"""The plane of labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore import figures
from evalcore.figures.toma import equal_distance, shade

ACROSS = ("relevance", [0.0, 1.0, 3.0], ["no", "some", "very"])
UP = ("trust", [0.0, 2.0], ["low", "high"])


def marks() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "x": [0.0, 3.0, 1.0],
            "y": [0.0, 2.0, 2.0],
            "share": [0.0, 1.0, 0.5],
            "documents": [4, 1, 0],
            "text": ["a", "b", "c"],
            "hover": ["h"] * 3,
            "best": [False, True, False],
        }
    )


@pytest.mark.parametrize("power", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("weights", [(1.0, 1.0), (2.0, 0.5)])
def test_a_line_of_equal_distance_is_one(power, weights):
    across, up = equal_distance(1.5, power, weights, 9.0)
    assert weights[0] * across**power + weights[1] * up**power == pytest.approx(1.5**power)
    assert (across[-1], up[0]) == pytest.approx((0, 0), abs=1e-6)


def test_a_line_of_the_largest_gap_is_a_corner_and_one_without_an_aspect_goes_on():
    across, up = equal_distance(2.0, float("inf"), (1.0, 0.5), 9.0)
    assert np.maximum(across, up / 2).tolist() == [2, 2, 2]
    across, up = equal_distance(2.0, 2.0, (1.0, 0.0), 9.0)
    assert (across.tolist(), up.tolist()) == ([2, 2], [0, 9])
    across, up = equal_distance(2.0, 2.0, (0.0, 4.0), 9.0)
    assert (across.tolist(), up.tolist()) == ([0, 9], [1, 1])


def test_distance_is_drawn_from_the_best_label_of_each_aspect():
    gaps = (np.array([0.0, 1.0]), np.array([0.5, 0.0]))
    lines = figures.label_plane(marks(), [gaps, gaps], ACROSS, UP).data[0]
    np.testing.assert_array_equal(lines.x, [3, 2, np.nan] * 2)
    np.testing.assert_array_equal(lines.y, [1.5, 2, np.nan] * 2)


def test_tuples_are_larger_with_more_documents_and_the_best_is_a_star():
    shown = figures.label_plane(marks(), [], ACROSS, UP).data[1]
    sizes = list(shown.marker.size)
    assert sizes[0] > sizes[1] > sizes[2]
    assert list(shown.marker.symbol) == ["circle", "star", "circle"]
    assert list(shown.marker.color) == [shade(0), shade(1), shade(0.5)]


def test_labels_stand_at_their_positions_and_share_one():
    layout = figures.label_plane(marks(), [], ("r", [0.0, 2.0, 2.0], ["<no>", "some", "very"]), UP).layout
    assert list(layout.xaxis.tickvals) == [0, 2]
    assert list(layout.xaxis.ticktext) == ["&lt;no&gt;<br>0", "some<br>very<br>2"]
    assert layout.xaxis.range[0] < 0 < 2 < layout.xaxis.range[1]


@pytest.mark.parametrize(("longest", "shared"), [(8.0, True), (8.1, False)])
def test_axes_share_their_unit_unless_one_is_far_longer(longest, shared):
    layout = figures.label_plane(marks(), [], ("r", [0.0, longest], ["no", "yes"]), UP).layout
    assert (layout.yaxis.scaleanchor == "x") == shared
