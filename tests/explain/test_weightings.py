"""Every way to share weight among aspects, and the distance to the next winner."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from measures.small import Small

from evalcore.explain.weightings import means_by_weighting, nearest_change, weightings
from evalcore.measures import CAM, MM, nDCG


@pytest.mark.parametrize(("aspects", "steps"), [(2, 10), (3, 8), (4, 5), (5, 4)])
def test_all_ways_to_share_the_weight(aspects: int, steps: int) -> None:
    grid = weightings(aspects, steps)
    assert len(grid) == len(np.unique(grid, axis=0)) == comb(steps + aspects - 1, aspects - 1)
    assert grid.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("mean", [CAM, MM])
def test_means_by_weighting_are_over_all_topics(mean: type) -> None:
    topics = ({"a": (2, 0), "b": (0, 3), "c": (1, 1)}, {"a": (1, 3), "b": (3, 3)}, {"c": (1, 2)})
    judged = tuple(
        {d: {"relevance": float(r), "understandability": float(u)} for d, (r, u) in topic.items()} for topic in topics
    )
    small = Small(judged, ((("a", "b", "c"), ("b",), ("c", "a")), (("c", "b"), ("a", "b"), ())))
    grid = weightings(2, 4)
    swept = means_by_weighting(mean(nDCG()), small.pool, small.rankings, grid)
    expected = [small.scores(mean(nDCG(), weights=shares)).mean(axis=1).tolist() for shares in grid.tolist()]
    assert swept.columns.tolist() == ["s0", "s1"]
    assert swept.to_numpy() == pytest.approx(np.array(expected))


def test_the_nearest_weighting_with_another_winner() -> None:
    grid = weightings(2, 10)
    winners = (grid[:, 0] > 0.55).astype(int)
    change = nearest_change(grid, winners, np.array([0.3, 0.7]), 0)
    assert change is not None
    moved, where = change
    assert moved == pytest.approx(0.3)
    assert where == pytest.approx([0.6, 0.4])


@given(st.integers(1, 19), st.integers(1, 9))
def test_of_two_as_near_the_first_is_named(at: int, steps: int) -> None:
    """As many twentieths away to the left as to the right, at each place: rounding of 0.3 - 0.2 never decides."""
    assume(steps <= at <= 20 - steps)
    grid, winners = weightings(2, 20), np.zeros(21, dtype=int)
    winners[[at - steps, at + steps]] = 1
    change = nearest_change(grid, winners, grid[at], 0)
    assert change is not None
    assert change[1].tolist() == grid[at - steps].tolist()


def test_one_winner_everywhere_has_no_nearest_change() -> None:
    assert nearest_change(weightings(2, 10), np.zeros(11, dtype=int), np.array([0.5, 0.5]), 0) is None
