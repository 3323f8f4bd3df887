"""Detection of equal specifications, which have equal scores on every topic that they use.

Shapes: C combinations, M scorings, S systems, T topics.
"""

from __future__ import annotations

import numpy as np

from evalcore.claims.design import Design
from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.rounding import TIE

_NEAR = 1e-9  # share of the largest sum; rounding errors never make sums of equal scores differ by more


def alike(design: Design, scores: FloatArray, scored: IntArray) -> IntArray:
    """Return (C,) indices: for each combination, the first one with the same topics and equal scores on them.

    `scores` are (M, S, T), and `scored` (C,) is the index of each combination's scoring.
    """
    sets, of = np.unique(design.topic_sets, axis=0, return_inverse=True)
    asked = of.ravel()[design.topic_set]
    first = np.empty(len(design), dtype=np.int64)
    for at in np.unique(asked):
        own, topics = np.flatnonzero(asked == at), sets[at]
        used, place = np.unique(scored[own], return_inverse=True)
        group = equal_rows(scores[used][:, :, topics].reshape(len(used), -1))[place]
        _, earliest, back = np.unique(group, return_index=True, return_inverse=True)
        first[own] = own[earliest][back]
    return first


def equal_rows(rows: FloatArray) -> IntArray:
    """Return (M,) indices: for each row, the index of the first row that equals it up to rounding.

    >>> equal_rows(np.array([[0.3, 1.0], [0.5, 1.0], [0.1 + 0.2, 1.0]])).tolist()
    [0, 1, 0]
    """
    finite = np.where(np.isfinite(rows), rows, 0.0)
    sums = finite @ np.random.default_rng(0).uniform(1, 2, rows.shape[1])
    order = np.argsort(sums, kind="stable")
    size = np.abs(finite).sum(axis=1).max(initial=0.0)
    breaks = np.flatnonzero(np.diff(sums[order]) > _NEAR * size) + 1
    equal = np.arange(len(rows))
    for near in np.split(order, breaks):
        different = list[int]()
        for at in sorted(near.tolist()):
            known = next((row for row in different if _equal(rows[row], rows[at])), None)
            equal[at] = at if known is None else known
            if known is None:
                different.append(at)
    return equal


def _equal(one: FloatArray, other: FloatArray) -> bool:
    largest = np.max(np.abs(one), where=np.isfinite(one), initial=0.0)
    same: BoolArray = (one == other) | np.isnan(one) & np.isnan(other)
    with np.errstate(invalid="ignore"):
        return bool((same | (np.abs(one - other) <= TIE * largest)).all())
