"""Pairwise wins over topics, and the strengths that explain them best."""

from __future__ import annotations

import numpy as np
import scipy

from evalcore.common.arrays import FloatArray
from evalcore.common.lazy_imports import csgraph, sparse
from evalcore.errors import InputError
from evalcore.meta.order import ahead

STEPS = 100
CLOSE = 1e-12  # tolerance for unexplained wins, as a share of all wins


def wins(scores: FloatArray) -> FloatArray:
    """Return the (S, S) numbers of topics on which the row's system beats the column's; a tie is half a win for each.

    `scores` are topics x systems, higher is better; two systems are not compared on a topic on which either is nan.

    >>> wins(np.array([[0.3, 0.1], [0.2, 0.2], [np.nan, 0.1]])).tolist()
    [[0.0, 1.5], [0.5, 0.0]]
    """
    halves = np.zeros((scores.shape[1], scores.shape[1]), dtype=np.int32)
    for row in scores:
        there, places = ~np.isnan(row), np.full(len(row), np.nan, dtype=np.float32)
        places[there] = ahead(row[there])
        halves += places[:, None] < places
        halves += places[:, None] <= places
    np.fill_diagonal(halves, 0)
    return np.asarray(halves / 2)


def strengths(won: FloatArray, prior: float = 0.0, start: FloatArray | None = None) -> FloatArray:
    """Return the (S,) maximum-likelihood log strengths, with mean 0, from pairwise wins (S, S).

    `prior` ties are added to each pair; `start` is a first guess. The method is Newton's, with steps that never lower
    the likelihood. Raises InputError if there are no finite strengths, because some systems never lose to any of the
    others (Ford 1957).

    >>> strengths(np.array([[0, 3], [1, 0]])).round(4).tolist()
    [0.5493, -0.5493]
    """
    systems = len(won)
    if systems < 2:
        return np.zeros(systems)
    won = won + prior / 2 * (1 - np.eye(systems))
    if csgraph.connected_components(sparse.csr_array((won > 0).astype(float)), connection="strong")[0] > 1:
        raise InputError(
            "expected every group of systems to lose to another system at least once, found a group that never loses: "
            "it has no finite strengths; add ties with prior=0.1"
        )
    played, strength = won + won.T, np.zeros(systems) if start is None else start
    likelihood = _likelihood(won, strength)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(strength - strength[:, None]))  # (S, S) that the row's system beats the column's
        slope = (won - played * chance).sum(axis=1)
        if np.abs(slope).max() <= CLOSE * played.sum():
            break
        curve = -played * chance * chance.T
        np.fill_diagonal(curve, -curve.sum(axis=1))
        step = scipy.linalg.cho_solve(scipy.linalg.cho_factor(curve + np.diag(curve).mean() / systems), slope)
        while (next_one := _likelihood(won, strength + step)) < likelihood and np.abs(step).max() > CLOSE:
            step /= 2
        strength, likelihood = strength + step, next_one
    return np.asarray(strength - strength.mean())


def _likelihood(won: FloatArray, strength: FloatArray) -> float:
    return float(-(won * np.logaddexp(0, strength - strength[:, None])).sum())
