"""Wilcoxon's signed-rank test of pairs of systems: does the sign of the larger differences favour one of them?

With Benjamini and Hochberg's correction it was found to be the most reliable choice for many systems (Otero, Parapar,
Barreiro 2025). Differences of 0 are left out (Wilcoxon 1945, doi 10.2307/3001968), equal ones share the mean of their
ranks, and p is two-sided:

- exact, over all signs of the ranks, for up to 50 topics without ties or zeros, and for up to 13 with them;
- otherwise from the normal approximation, with the variance corrected for ties and without a continuity correction.

scipy.stats.wilcoxon does the same for one pair. Here differences are compared, with 0 and with each other, by the rule
for rounded numbers (`evalcore.common.rounding`): .3 - .1 and .5 - .3 are equal.

Shapes: P pairs, T topics.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.errors import InputError
from evalcore.meta.align import tested_frame
from evalcore.meta.differences import shared_topics
from evalcore.meta.order import TIE

MOST_EXACT = 50  # topics, without ties
MOST_ALL_SIGNS = 13  # topics, with ties
_CELLS = 1_000_000


def wilcoxon_p(x: ArrayLike, y: ArrayLike) -> FloatArray:
    """Return the (P,) p of tests of paired rows of x and y (P, T); topics on which either is nan do not count.

    p is 1 if no difference is left, and nan if a score is infinite. Raises InputError for different shapes.

    >>> wilcoxon_p([[0.9, 0.8, 0.7]], [[0.1, 0.2, 0.3]])  # all three in favour of x: 2 of the 2^3 signs
    array([0.25])
    """
    first, second = (np.asarray(side, dtype=np.float64) for side in (x, y))
    if first.ndim != 2 or first.shape != second.shape:
        raise InputError(f"expected two tables of the same shape, found {first.shape} and {second.shape}")
    tested = ~(np.isinf(first) | np.isinf(second)).any(axis=1)
    p = np.full(len(first), np.nan)
    first, second = first[tested], second[tested]
    p[tested] = _p_of_places(_signed_places(first, second), (~np.isnan(first + second)).sum(axis=1))
    return p


def wilcoxon_pairs(scores: pd.DataFrame) -> pd.DataFrame:
    """Return uncorrected tests of all pairs of systems: columns system_a, system_b, difference (lead of a), p, topics.

    `topics` is the number of topics that both have. p is 1 with fewer than two topics, and nan if a score is infinite.

    >>> scores = pd.DataFrame({"a": [0.9, 0.8, 0.7], "b": [0.1, 0.2, 0.3]})
    >>> wilcoxon_pairs(scores)[["system_a", "system_b", "p"]].values.tolist()
    [['a', 'b', 0.25]]
    """
    frame = tested_frame(scores)
    values = np.ascontiguousarray(frame.to_numpy(dtype=np.float64).T)
    a, b = np.triu_indices(len(values), 1)
    with np.errstate(invalid="ignore"):
        difference = np.array([_mean(values[i] - values[j]) for i, j in zip(a, b, strict=True)])
    names = {"system_a": frame.columns[a], "system_b": frame.columns[b], "difference": difference}
    return pd.DataFrame({**names, "p": p_of_pairs(values, a, b), "topics": shared_topics(values, a, b)})


def p_of_pairs(values: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Return the (P,) p of pairs of rows `a` and `b` of (N, T) scores; 1 with fewer than two topics in common."""
    p = np.empty(len(a))
    step = max(1, _CELLS // max(values.shape[1], 1))
    for start in range(0, len(a), step):
        part = slice(start, start + step)
        p[part] = wilcoxon_p(values[a[part]], values[b[part]])
    return np.where(shared_topics(values, a, b) < 2, np.where(np.isnan(p), p, 1.0), p)


def _mean(differences: FloatArray) -> float:
    known = differences[~np.isnan(differences)]
    return float(known.mean()) if len(known) else np.nan


def _signed_places(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the (P, T) dense rank of each |difference| within its pair, with the sign of the difference; 0 for 0."""
    difference = np.nan_to_num(x - y)
    noise = TIE * np.fmax(np.abs(x), np.abs(y)).max(axis=1, initial=0.0, where=~np.isnan(x + y), keepdims=True)
    size = np.abs(difference)
    order = np.argsort(size, axis=1, kind="stable")
    ascending = np.take_along_axis(size, order, 1)
    steps = np.diff(ascending, axis=1, prepend=0.0) > noise
    places = np.empty_like(size)
    np.put_along_axis(places, order, np.cumsum(steps, axis=1).astype(np.float64), 1)
    return places * np.sign(difference)


def _p_of_places(places: FloatArray, n_topics: IntArray) -> FloatArray:
    # ranks are dense, so without zeros and ties the largest is the number of topics
    tied, some = np.abs(places).max(axis=1, initial=0.0) < n_topics, places.any(axis=1)
    p = np.ones(len(places))
    by_signs, exact = some & tied & (n_topics <= MOST_ALL_SIGNS), some & ~tied & (n_topics <= MOST_EXACT)
    p[by_signs] = _all_signs(places[by_signs])
    test: Callable[..., Any] = scipy.stats.wilcoxon  # its stubs do not know all of its arguments
    for chosen, method in ((exact, "exact"), (some & ~by_signs & ~exact, "asymptotic")):
        if chosen.any():
            p[chosen] = test(places[chosen], axis=1, method=method).pvalue
    return p


def _all_signs(places: FloatArray) -> FloatArray:
    """Return the (P,) exact p: the share of all signs of the ranks whose |sum| is at least the observed one."""
    p = np.empty(len(places))
    for at, row in enumerate(places):
        known = row[row != 0]
        ranks = scipy.stats.rankdata(np.abs(known))
        p[at] = (_sizes_of_sums(tuple(np.sort(ranks).tolist())) >= abs(float((ranks * np.sign(known)).sum()))).mean()
    return p


@lru_cache(maxsize=128)  # if scores come in steps, most pairs have the same ranks as another
def _sizes_of_sums(ranks: tuple[float, ...]) -> FloatArray:
    """Return the |sum| of the signed ranks for each combination of signs."""
    sums = np.array([0.0])
    for rank in ranks:
        sums = np.concatenate([sums + rank, sums - rank])
    return np.asarray(np.abs(sums))
