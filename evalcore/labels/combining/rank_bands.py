"""Rank bands: groups of documents that systems rank about equally high."""

from __future__ import annotations

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.rounding import TIE, floors
from evalcore.structures.documents import Rankings


def standing(rankings: Rankings) -> FloatArray:
    """Return the (P,) means, over systems, of 1 / log2(1 + rank) of each document, or of 0 if a system lacks it.

    >>> rank, row = np.array([1, 3, 1]), np.array([0, 1, 0])
    >>> standing(Rankings(("a", "b"), 1, 2, np.array([0, 2, 3]), rank, row, np.array([[3], [1]]))).tolist()
    [1.0, 0.25]
    """
    return np.bincount(rankings.row, 1 / np.log2(1.0 + rankings.rank), rankings.n_pool) / len(rankings.systems)


def bands_within(values: FloatArray, group: IntArray, bands: int) -> IntArray:
    """Return the (P,) band of each value within its group, from 0, the lowest; equal values share a band."""
    order = np.lexsort((values, group))
    ordered, within = values[order], group[order]
    new = np.append(True, (within[1:] != within[:-1]) | (ordered[1:] > ordered[:-1] + TIE))[: len(order)]
    start = np.flatnonzero(np.append(True, within[1:] != within[:-1])[: len(order)])
    first, run = np.flatnonzero(new), np.cumsum(new) - 1
    in_run = np.diff(np.append(first, len(order)))
    sizes = np.diff(np.append(start, len(order)))
    of_group = np.repeat(np.arange(len(start)), sizes)
    midrank = (first + in_run / 2)[run] - start[of_group]
    band = np.empty(len(order), dtype=np.int64)
    band[order] = np.minimum(floors(bands * midrank / sizes[of_group]), bands - 1)
    return band
