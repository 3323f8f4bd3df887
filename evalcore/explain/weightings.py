"""Weightings of aspects: the scores of systems with each weighting, and the nearest weighting with a different winner.

Shapes: A aspects, G weightings, S systems, T topics.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import pd
from evalcore.common.rounding import first_largest
from evalcore.direction import directed
from evalcore.errors import InputError
from evalcore.measures.aggregates import Aggregate
from evalcore.structures.documents import Assessments, Rankings


def weightings(n_aspects: int, steps: int) -> FloatArray:
    """Return all (G, A) weightings that divide `steps` equal parts of the weight among the aspects.

    >>> weightings(2, 2).tolist()
    [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    places = steps + n_aspects - 1  # positions of the bars between aspects in a row of parts
    bars = np.array(list(combinations(range(places), n_aspects - 1)), dtype=int)
    return (np.diff(bars, prepend=-1, append=places, axis=1) - 1) / steps


def means_by_weighting(
    aggregate: Aggregate, pool: Assessments, rankings: Rankings, grid: FloatArray, scores: FloatArray | None = None
) -> pd.DataFrame:
    """Return mean scores with each weighting (G, A): a frame of weightings (an index level for each part) x systems.

    `scores` (A, S, T) are the scores of the parts, if already computed. Raises InputError unless each weighting has a
    weight for each part.
    """
    aggregate = aggregate.meant_of(pool)
    scores = aggregate.part_scores(pool, rankings) if scores is None else scores
    if grid.shape[1] != len(scores):
        raise InputError(f"expected weightings of {len(scores)} aspects, found {grid.shape[1]}")
    means = np.array([rankings.topic_means(aggregate.combine(scores, shares)) for shares in grid])
    systems = pd.Index(rankings.systems, name="system", dtype=object)
    weights = pd.MultiIndex.from_arrays(list(grid.T), names=aggregate.part_names)
    return directed(pd.DataFrame(means, index=weights, columns=systems), aggregate.good)


def nearest_change(
    grid: FloatArray, winners: IntArray, current: FloatArray, winner: int
) -> tuple[float, FloatArray] | None:
    """Return the smallest change of weights that gives a different winner, and the new weighting; None if none does.

    The change between two weightings is half the sum of absolute differences. Of equal changes, the first is returned.

    >>> nearest_change(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]), np.array([0.75, 0.25]), 1)
    (0.75, array([0., 1.]))
    """
    others = np.flatnonzero(winners != winner)
    if not len(others):
        return None
    moved = abs(grid[others] - current).sum(axis=1) / 2
    at = int(first_largest(-moved))
    return float(moved[at]), grid[others[at]]
