"""Differences of pairs of systems over the same topics, and how extreme their t is among resamples of the topics.

For n topics, t = mean / (sd / sqrt(n)) with the sd of n - 1. What a resample compares is r = |mean| / root mean
square, in [0, 1]: t^2 = (n - 1) r^2 / (1 - r^2) grows with r, and where the sd is 0, r is 1 and t infinite (or both
are 0). So |t*| >= |t| exactly when r* >= r, and r* takes the sums of the drawn values and of their squares: two
products of matrices.

A pair is compared on the topics that both systems have, and resamples are of as many topics.

Shapes: P pairs, T topics, B resamples. Two values of r are tied within `order.TIE`; a value of a pair that is no larger
than TIE times its largest score is the rounding of 0. A pair with an infinite score has no t, and cannot be tested: all
that a test says of it is nan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from evalcore.arrays import BoolArray, FloatArray, IntArray
from evalcore.meta.order import TIE
from evalcore.meta.resampling import topic_resamples
from evalcore.progress import checkpoint
from evalcore.shown import shown

PAIRS_AT_ONCE = 32
# OpenBLAS calls its threads for a product of more steps than this. They gain little here, and wherever another process
# wants the cores they wait for each other: five times slower.
_STEPS = 1 << 18
_ROUNDING = 1e-4  # of squares of sums over topics of numbers of four bytes, with much to spare


@shown
@dataclass(frozen=True, eq=False)
class Draws:
    """How often each of B resamples drew each topic, as a stack of small matrices."""

    stack: FloatArray  # (K, T, b), K * b at least B; what is beyond B draws no topic
    n_resamples: int
    seed: int = 0  # for resamples of fewer topics

    @classmethod
    def of(cls, n_topics: int, n_resamples: int, seed: int, counts: ArrayLike | Draws | None = None) -> Draws:
        """Given draws, or `counts` of `topic_resamples` (resamples x topics), or those of this seed."""
        if n_topics < 2:
            raise ValueError(f"expected at least 2 topics to test a difference, found {n_topics}")
        if isinstance(counts, Draws):
            if counts.stack.shape[1] != n_topics:
                raise ValueError(f"expected draws of {n_topics} topics, found {counts.stack.shape[1]}")
            return counts
        drawn = topic_resamples(n_topics, n_resamples, seed) if counts is None else np.asarray(counts)
        if drawn.ndim != 2 or drawn.shape[1] != n_topics or not (drawn.sum(axis=1) == n_topics).all():
            raise ValueError(
                f"expected counts of resamples x {n_topics} topics that sum to {n_topics} in each resample, "
                f"found shape {drawn.shape}"
            )
        width = max(1, min(_STEPS // (PAIRS_AT_ONCE * n_topics), len(drawn)))
        padded = np.zeros((-(-len(drawn) // width) * width, n_topics), dtype=drawn.dtype)
        padded[: len(drawn)] = drawn
        stack = np.ascontiguousarray(padded.reshape(-1, width, n_topics).swapaxes(1, 2), dtype=np.float64)
        return cls(stack, len(drawn), seed)

    @cached_property
    def small(self) -> NDArray[np.float32]:
        """The stack in numbers of four bytes, exact as they are counts."""
        return self.stack.astype(np.float32)

    def of_topics(self, n_topics: int) -> Draws:
        """These, or for a pair that has fewer topics in common as many resamples of those, by the same seed."""
        return self if n_topics == self.stack.shape[1] else _draws_of(n_topics, self.n_resamples, self.seed)


@lru_cache(maxsize=16)
def _draws_of(n_topics: int, n_resamples: int, seed: int) -> Draws:
    return Draws.of(n_topics, n_resamples, seed)


@shown
@dataclass(frozen=True, eq=False)
class Differences:
    """Differences of P pairs over T topics."""

    mean: FloatArray  # (P,)
    shifted: FloatArray  # (P, T) differences less their mean: what there would be if the systems were equally good
    sd: FloatArray  # (P,) 0 where the differences are constant, nan where the pair cannot be tested

    @classmethod
    def between(cls, x: FloatArray, y: FloatArray) -> Differences:
        """x - y of two arrays of scores, (P, T).

        >>> Differences.between(np.array([[0.3, 0.5]]), np.array([[0.2, 0.4]])).t  # .1 on every topic
        array([inf])
        """
        tested = np.asarray(np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1))
        if not tested.all():
            known = cls.between(*(np.where(tested[:, None], one, 0.0) for one in (x, y)))
            with np.errstate(invalid="ignore"):
                mean = np.where(tested, known.mean, x.mean(axis=1) - y.mean(axis=1))
            return cls(mean, known.shifted, np.where(tested, known.sd, np.nan))
        noise = TIE * np.maximum(np.abs(x).max(axis=1), np.abs(y).max(axis=1))
        difference = x - y
        mean = difference.mean(axis=1)
        mean = np.where(np.abs(mean) <= noise, 0.0, mean)
        shifted = difference - mean[:, None]
        shifted[np.abs(shifted) <= noise[:, None]] = 0.0
        return cls(mean, shifted, np.sqrt((shifted**2).sum(axis=1) / (x.shape[1] - 1)))

    @classmethod
    def unknown(cls, count: int) -> Differences:
        """Of pairs without two topics in common, which nothing tells apart: as if two systems were equal on two."""
        return cls(np.zeros(count), np.zeros((count, 2)), np.zeros(count))

    @property
    def n_topics(self) -> int:
        return int(self.shifted.shape[1])

    @property
    def tested(self) -> BoolArray:
        """(P,) whether all scores of the pair are finite."""
        return ~np.isnan(self.sd)

    def told(self, values: FloatArray | IntArray) -> FloatArray:
        """What was found of each pair (P,), nan where it cannot be tested."""
        return np.where(self.tested, values, np.nan)

    @property
    def t(self) -> FloatArray:
        """(P,) mean / (sd / sqrt(n)); for an sd of 0, 0 if the mean is 0, else infinite."""
        return self.told(signed_ratio(self.mean, self.sd) * np.sqrt(self.n_topics))

    @property
    def r(self) -> FloatArray:
        """(P,) |mean| / root mean square of the differences."""
        mean = np.where(self.tested, self.mean, 0.0)
        squares = mean**2 + (self.shifted**2).mean(axis=1)
        return np.asarray(np.abs(mean) / np.sqrt(np.where(squares > 0, squares, 1.0)))

    def as_extreme(self, draws: Draws) -> IntArray:
        """(P,) the number of resamples with |t*| >= |t|."""
        bound = self.n_topics * np.maximum(self.r - TIE, 0.0) ** 2
        sums = self.shifted @ draws.stack  # (K, P, b)
        np.square(sums, out=sums)
        checkpoint()
        # strictly more, as a resample in which no topic differs has t* = 0: it does not reach any t but 0
        reached = sums > (bound[:, None] * self.shifted**2) @ draws.stack
        return np.where(bound == 0, draws.n_resamples, _count(reached))

    def rarely_reached(self, draws: Draws, alpha: float) -> BoolArray:
        """(P,) whether fewer than a share alpha of resamples have |t*| >= |t|.

        By numbers of four bytes, which take half the time; what hangs on their rounding is counted anew.
        """
        most, bound = alpha * draws.n_resamples, self.n_topics * np.maximum(self.r - TIE, 0.0) ** 2
        squares = (bound[:, None] * self.shifted**2).astype(np.float32)
        shifted, found = self.shifted.astype(np.float32), np.empty((2, len(bound)), dtype=np.int64)
        for start in range(0, len(bound), PAIRS_AT_ONCE):
            part = slice(start, start + PAIRS_AT_ONCE)
            sums = shifted[part] @ draws.small
            np.square(sums, out=sums)
            bounds = squares[part] @ draws.small
            for at, factor in enumerate((1 + _ROUNDING, 1 - _ROUNDING)):
                found[at, part] = _count(sums > np.float32(factor) * bounds)
        found[:, bound == 0] = draws.n_resamples
        sure, rare = (found[0] < most) == (found[1] < most), found[1] < most
        again = np.flatnonzero(~sure)
        if len(again):
            rare[again] = self._of(again).as_extreme(draws) < most
        return np.asarray(rare)

    def _of(self, pairs: IntArray) -> Differences:
        return Differences(self.mean[pairs], self.shifted[pairs], self.sd[pairs])

    def at_place(self, draws: Draws, place: int) -> FloatArray:
        """(P,) |mean| of the resample whose |t*| is the `place`-th largest; of tied ones the largest |mean|."""
        means = self._by_pair(np.abs(self.shifted @ draws.stack) / self.n_topics)
        checkpoint()
        roots = self._by_pair(np.sqrt(self.shifted**2 @ draws.stack / self.n_topics))
        r = np.divide(means, roots, out=roots, where=roots > 0)
        checkpoint()
        wanted = np.partition(r, -place, axis=1)[:, -place]
        return np.array([_largest_tied(*row) for row in zip(means, r, wanted, strict=True)])

    def _by_pair(self, stacked: FloatArray) -> FloatArray:
        """(P, K * b) from (K, P, b)."""
        return np.ascontiguousarray(stacked.swapaxes(0, 1)).reshape(len(self.mean), -1)


def _count(reached: BoolArray) -> IntArray:
    """(P,) how many of (K, P, b) are true."""
    return np.asarray(reached.view(np.uint8).sum(axis=2, dtype=np.uint32).sum(axis=0, dtype=np.int64))


def _largest_tied(means: FloatArray, r: FloatArray, wanted: float) -> float:
    near = np.flatnonzero(r >= wanted - TIE)
    return float(means[near[r[near] <= wanted + TIE]].max())


def signed_ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """top / bottom, where 0/0 is 0 and anything else over 0 infinite.

    >>> signed_ratio(np.array([0.0, -1.0, 1.0]), np.array([0.0, 0.0, 2.0])).tolist()
    [0.0, -inf, 0.5]
    """
    beyond = np.where(top == 0, 0.0, np.copysign(np.inf, top))
    return np.asarray(np.divide(top, bottom, out=beyond, where=bottom > 0))


def of_pairs(scores: FloatArray, a: IntArray, b: IntArray) -> Iterator[tuple[slice, Differences]]:
    """Differences of pairs of rows of (N, T) scores: those that have the same topics in common at once, in order."""
    known = ~np.isnan(scores)
    for part, topics in _alike(known, a, b):
        x, y = a[part], b[part]
        if known[x[:1]].all() and known[y[:1]].all():
            yield part, Differences.between(scores[x], scores[y])
        elif topics.sum() < 2:
            yield part, Differences.unknown(len(x))
        else:
            yield part, Differences.between(scores[np.ix_(x, topics)], scores[np.ix_(y, topics)])


def _alike(known: BoolArray, a: IntArray, b: IntArray) -> Iterator[tuple[slice, BoolArray]]:
    """Neighbouring pairs with the same topics in common: where they stand, and which topics (T,)."""
    common = known[a] & known[b]
    changes = np.flatnonzero((common[1:] != common[:-1]).any(axis=1)) + 1
    for start, stop in pairwise([0, *changes.tolist(), len(a)]):
        if stop > start:
            yield slice(start, stop), common[start]


def shared_topics(scores: FloatArray, a: IntArray, b: IntArray) -> IntArray:
    """(P,) how many topics pairs of rows of (N, T) scores have in common."""
    known = (~np.isnan(scores)).astype(np.float64)
    return np.asarray((known @ known.T)[a, b].astype(np.int64))


def two_sided(t: FloatArray, n_topics: int | IntArray) -> FloatArray:
    """P of the paired t-test: how likely a |t| at least as large is, with n - 1 degrees of freedom.

    >>> two_sided(np.array([0.0, np.inf]), 10).tolist()
    [1.0, 0.0]
    """
    return np.asarray(2 * stdtr(n_topics - 1, -np.abs(t)))
