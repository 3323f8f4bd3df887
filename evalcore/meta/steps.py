"""Scores that come in steps: a lower limit of p, from sign tests, for equal differences on few topics.

A t-test and a bootstrap assume that differences of two systems are continuous. P@5 has six values, and among many pairs
of equal systems one is likely to differ by the same step on each of a few topics: its t is infinite and its p is 0,
which no correction changes. Among 40 equal systems, some pair was significant at 5% in 15% of cases on 6 topics, and in
90% of cases on 4.

That happens if there are more pairs than signs of the topics, P > 2^T: then some pairs differ in the same direction on
all topics by chance. For such a pair, if it differs by the same amount on two topics or more, t means no more than a
sign test. So before a correction its p is at least 1/P of its p among all P pairs under flipped signs
(`evalcore.meta.comparisons.p_among_pairs`); with Bonferroni's correction it is then at least that p. Scores that do not
come in steps keep their p, and so do few systems on more topics.
"""

from __future__ import annotations

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.meta.comparisons import p_among_pairs
from evalcore.meta.order import TIE

_MOST, _FEWEST = 4096, 512  # signs: all of 13 topics; fewer of very many pairs
_NUMBERS = 1 << 27  # pairs x signs
_CELLS = 1 << 20


def least_p(scores: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """Return the (P,) lower limits of p before correction, for pairs of rows (S, T) with steps; 0 for other pairs.

    Pairs with an infinite score are not tested and do not count.

    >>> scores = np.array([[0.4, 0.6], [0.2, 0.4], [0.1, 0.3], [0.3, 0.4]])
    >>> least_p(scores, *np.triu_indices(4, 1)).round(3).tolist()  # rows 0 to 2 differ by the same on both topics
    [0.083, 0.083, 0.0, 0.083, 0.0, 0.0]
    """
    finite = np.asarray(~np.isinf(scores).any(axis=1))
    least, tested = np.zeros(len(a)), np.asarray(finite[a] & finite[b])
    a, b = a[tested], b[tested]
    steps = _in_steps(scores, a, b)
    if steps.any():
        most = max(_FEWEST, min(_MOST, _NUMBERS // len(a)))
        least[tested] = np.where(steps, p_among_pairs(scores.T, most, pairs=(a, b)) / len(a), 0.0)
    return least


def _in_steps(scores: FloatArray, a: IntArray, b: IntArray) -> BoolArray:
    """Mark the (P,) pairs with few topics in common (2^T < P) that differ on two topics by the same amount above 0."""
    known, most = ~np.isnan(scores), int(np.log2(max(len(a) - 1, 0.5)))  # most topics with more pairs than signs
    steps, step = np.zeros(len(a), dtype=bool), max(1, _CELLS // max(scores.shape[1], 1))
    for start in range(0, len(a), step):
        x, y = a[start : start + step], b[start : start + step]
        few = np.flatnonzero((known[x] & known[y]).sum(axis=1) <= most)
        first, second = scores[x[few]], scores[y[few]]
        size, both = np.sort(np.abs(first - second), axis=1), ~np.isnan(first + second)
        larger = np.fmax(np.abs(first), np.abs(second))
        noise = TIE * larger.max(axis=1, initial=0.0, where=both, keepdims=True)
        same = (np.diff(size, axis=1) <= noise) & (size[:, 1:] > noise)
        steps[start + few] = same.any(axis=1)
    return steps
