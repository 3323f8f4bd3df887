"""Correlations of all pairs of measures at once, by matrix products instead of a loop over pairs.

Shapes: B resamples or topics, M measures, N systems. Each function gets (B, M, N) scores and returns (B, M, M): rows
are the first argument of the correlation (the test), columns the second (the reference). Most correlations are a sum
over pairs of systems of a product with one factor from each measure, so one matrix product computes them for all pairs
of measures; the other correlations are computed pair by pair.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.progress import checkpoint
from evalcore.errors import InputError
from evalcore.meta.correlation import Correlation, as_correlation, deviations, reciprocal_sums
from evalcore.meta.order import ahead, reverse

_BYTES_AT_ONCE = 1 << 23
_SIDE, _STEPS = 64, 1 << 18  # of a product: rows and columns, and multiplications
_MOST_SYSTEMS = 1000  # with more, a product of all pairs of systems would need gigabytes


def all_pairs(correlation: Correlation | str, scores: FloatArray) -> FloatArray:
    """Return (B, M, M) correlations of every pair of M measures, from (B, M, N) scores of N systems.

    Up to rounding, they equal the results of calling the correlation for each pair of measures. Raises InputError for
    an unknown correlation or fewer than two systems.

    >>> all_pairs("tau", np.array([[[3.0, 2, 1], [3, 1, 2]]]))[0].round(3).tolist()
    [[1.0, 0.333], [0.333, 1.0]]
    """
    known = as_correlation(correlation)
    batches, measures, systems = scores.shape
    if systems < 2:
        raise InputError(f"expected at least 2 systems, found {systems}")
    product = _PRODUCTS.get(known.name)
    if product is None or systems > _MOST_SYSTEMS:
        return _one_by_one(known, scores)
    step = max(1, _BYTES_AT_ONCE // (8 * measures * systems**2))
    result = np.empty((batches, measures, measures))
    for start in range(0, batches, step):
        result[start : start + step] = product(scores[start : start + step])
        checkpoint(min(start + step, batches) / batches)
    return result


def _one_by_one(correlation: Correlation, scores: FloatArray) -> FloatArray:
    batches, measures, _ = scores.shape
    result = np.empty((batches, measures, measures))
    pairs = [(x, y) for x in range(measures) for y in range(x if correlation.symmetric else 0, measures)]
    for done, (x, y) in enumerate(pairs):
        checkpoint(done / len(pairs))
        result[:, x, y] = correlation(scores[:, x], scores[:, y])
        if correlation.symmetric:
            result[:, y, x] = result[:, x, y]
    return result


def _tau(scores: FloatArray) -> FloatArray:
    balance = _balance(scores)
    ordered = np.einsum("bmm->bm", balance)
    return divided(balance, np.sqrt(ordered[:, :, None] * ordered[:, None, :]), np.nan)


def _tau_a(scores: FloatArray) -> FloatArray:
    systems = scores.shape[-1]
    return np.asarray(_balance(scores) / (systems * (systems - 1) / 2))


def _balance(scores: FloatArray) -> FloatArray:
    """Return (B, M, M) numbers of concordant minus discordant pairs of systems; on the diagonal, of untied pairs."""
    places = ahead(scores)
    systems = places.shape[-1]
    places = places.astype(np.int8 if systems < 128 else np.int16)  # the fewest bytes that hold differences
    signs = np.empty((*places.shape[:-1], systems * (systems - 1) // 2), dtype=places.dtype)
    ends = np.cumsum(np.arange(systems - 1, 0, -1))
    for at, part in enumerate(np.split(signs, ends[:-1], axis=-1)):
        np.subtract(places[..., at + 1 :], places[..., at, None], out=part)
    np.clip(signs, -1, 1, out=signs)
    # four-byte floats hold whole numbers up to 2^24 exactly
    return _products(*2 * (signs.astype(np.float32),)).astype(np.float64)


def _tau_ap(scores: FloatArray) -> FloatArray:
    """Return (B, M, M) AP correlations: the expected credit over all ways of breaking ties is a sum over pairs.

    A pair i, j adds c_ij if j is ahead of i in the reference, c_ji if i is ahead of j, and nothing if they are tied.
    With s = 1, -1 and 0 in these cases, that is (c_ij + c_ji) / 2 |s| + (c_ij - c_ji) / 2 s, where c depends only on
    the test.
    """
    places = ahead(scores)
    inverse, shares = _credits(places)
    first, second = np.triu_indices(scores.shape[-1], 1)
    order = np.sign(np.take(places, first, -1) - np.take(places, second, -1)).astype(np.float64)
    either = np.where(order > 0, np.take(inverse, first, -1), np.take(inverse, second, -1)) / 2
    directed = either * order
    tied: FloatArray | None = None
    if (shares > 0).any():
        tied = (order == 0).astype(np.float64)
        either = np.where(order == 0, np.take(shares, first, -1), either)
    credit = _products(directed, order) + either.sum(axis=-1)[:, :, None]
    if tied is not None:
        credit -= _products(either, tied)
    return np.asarray(2 / (scores.shape[-1] - 1) * credit - 1)


def _credits(places: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return two arrays (B, M, N): the credit that a system gets from another system ahead of it in the reference.

    The first credit is from a system strictly above it in the test, the second from a system tied with it in the test.
    Ties are broken at random. If A systems are strictly above a system and t systems, including it, are tied, then k of
    the tied ones come above it with probability 1/t for each k = 0 ... t-1. The credit from a system strictly above is
    the mean of 1/(A + k) over k (0 if A + k is 0); the credit from a tied system is the mean of
    k/(t-1)/(A + k), or 0 if no system is tied.
    """
    group = places.shape[-1] - places - reverse(places)
    inverse = reciprocal_sums(places, group)
    shares = (group - (places == 0) - places * inverse) / np.maximum(group - 1, 1) / group
    return inverse / group, np.where(group > 1, shares, 0.0)


def _tau_ap_b(scores: FloatArray) -> FloatArray:
    places = ahead(scores)
    counted = (places > 0).sum(axis=-1).astype(np.float64)
    credit = 2 * _products(_flat(_above(places, 1 / np.maximum(places, 1))), _flat(_above(places, 1.0)))
    down = divided(credit, counted[:, :, None], np.nan) - 1
    return np.asarray((down + down.swapaxes(1, 2)) / 2)


def _above(places: IntArray, weight: FloatArray | float) -> FloatArray:
    """Return (B, M, N, N): at [..., i, j] the weight of system i if system j is strictly ahead of it, else 0."""
    small = places.astype(np.int16)
    weights = np.broadcast_to(np.asarray(weight, dtype=np.float64), places.shape)
    return np.multiply(small[..., None, :] < small[..., :, None], weights[..., None])


def _products(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """Return (B, M, M) sums over the last axis of every row of `left` times every row of `right`."""
    # The products are so small that BLAS uses no threads, which would wait for each other on a busy machine.
    batches, measures, terms = left.shape
    side = min(measures, _SIDE)
    step = max(1, _STEPS // side**2)
    result = np.zeros((batches, measures, measures), dtype=left.dtype)
    for row in range(0, measures, side):
        for column in range(0, measures, side):
            into = result[:, row : row + side, column : column + side]
            for start in range(0, terms, step):
                part = slice(start, start + step)
                into += left[:, row : row + side, part] @ right[:, column : column + side, part].swapaxes(1, 2)
    return result


def _flat(pairs: FloatArray) -> FloatArray:
    return pairs.reshape(*pairs.shape[:2], -1)


def _spearman(scores: FloatArray) -> FloatArray:
    places = ahead(scores)
    return _product_moment((places - reverse(places)).astype(np.float64))


def _product_moment(values: FloatArray) -> FloatArray:
    centred = deviations(values)
    products = _products(centred, centred)
    spread = np.einsum("bmm->bm", products)
    return np.asarray(np.clip(divided(products, np.sqrt(spread[:, :, None] * spread[:, None, :]), np.nan), -1, 1))


_PRODUCTS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "tau": _tau,
    "tau_a": _tau_a,
    "tau_ap": _tau_ap,
    "tau_ap_b": _tau_ap_b,
    "spearman": _spearman,
    "pearson": _product_moment,
}
