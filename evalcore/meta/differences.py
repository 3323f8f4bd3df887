"""Differences between systems over the same topics, and how extreme their t is among resamples of the topics.

For n topics, t = mean / (sd / sqrt(n)), with n - 1 in the sd. Resamples are compared by r = |mean| / root mean square,
in [0, 1]: t^2 = (n - 1) r^2 / (1 - r^2) grows with r, and if the sd is 0, r is 1 and t infinite (or both are 0). So
|t*| >= |t| exactly if r* >= r, and r* needs only the sums of the drawn values and of their squares: two matrix
products.

A pair is compared on the topics that both systems have, and resamples draw as many topics.

Shapes: P pairs, T topics, B resamples. Two values of r are tied within `order.TIE`; a difference of a pair that is no
larger than TIE times its largest score counts as 0. A pair with an infinite score has no t and cannot be tested: all
its results are nan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.common.cached import cached_property
from evalcore.common.progress import checkpoint
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.meta.order import TIE
from evalcore.meta.resampling import topic_resamples

Small: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Two arrays (P, B) of four-byte floats; some resamples are padding without topics (see `Differences.small`)."""

PAIRS_AT_ONCE = 32
_DIFFERENCES_AT_ONCE = 1_000_000
# OpenBLAS starts threads for a product with more steps than this. They gain little here, and if another process uses
# the cores, they wait for each other, which is five times slower.
_STEPS = 1 << 18
_TOPICS = 256  # summed at once in four-byte floats; with many more the rounding error would be too large
_NOTHING = np.float32(1e-33)  # negligible beside the square of any value but 0, in units of the largest (see TIE)
_MOST_UNSURE = 0.02  # share of open comparisons above which all are recomputed in eight-byte floats


@shown
@dataclass(frozen=True, eq=False)
class Draws:
    """Counts of each topic in each of B resamples, as a stack of small matrices."""

    stack: FloatArray  # (K, T, b), K * b at least B; columns beyond B are 0
    n_resamples: int
    seed: int = 0  # for pairs with fewer topics in common

    @classmethod
    def of(cls, n_topics: int, n_resamples: int, seed: int, counts: ArrayLike | Draws | None = None) -> Draws:
        """Return draws from `counts` (resamples x topics, see `topic_resamples`) or, without `counts`, from the seed.

        `Draws` given as `counts` are returned unchanged.

        Raises InputError for fewer than two topics, and for counts or draws with a different number of topics.
        """
        if n_topics < 2:
            raise InputError(f"expected at least 2 topics to test a difference, found {n_topics}")
        if isinstance(counts, Draws):
            if counts.stack.shape[1] != n_topics:
                raise InputError(f"expected draws of {n_topics} topics, found {counts.stack.shape[1]}")
            return counts
        drawn = topic_resamples(n_topics, n_resamples, seed) if counts is None else np.asarray(counts)
        if drawn.ndim != 2 or drawn.shape[1] != n_topics or not (drawn.sum(axis=1) == n_topics).all():
            raise InputError(
                f"expected counts of shape (resamples, {n_topics}) with row sums {n_topics}, found shape {drawn.shape}"
            )
        width = max(1, min(_STEPS // (PAIRS_AT_ONCE * min(n_topics, _TOPICS)), len(drawn)))
        padded = np.zeros((-(-len(drawn) // width) * width, n_topics), dtype=drawn.dtype)
        padded[: len(drawn)] = drawn
        stack = np.ascontiguousarray(padded.reshape(-1, width, n_topics).swapaxes(1, 2), dtype=np.float64)
        return cls(stack, len(drawn), seed)

    @cached_property
    def small(self) -> NDArray[np.float32]:
        """The stack in four-byte floats, which can hold the counts exactly."""
        return self.stack.astype(np.float32)

    def of_topics(self, n_topics: int) -> Draws:
        """Return these draws if they are of `n_topics` topics, else as many draws of `n_topics` with the same seed."""
        return self if n_topics == self.stack.shape[1] else draws_of(n_topics, self.n_resamples, self.seed)


@lru_cache(maxsize=16)
def draws_of(n_topics: int, n_resamples: int, seed: int) -> Draws:
    """Return draws from a seed (`Draws.of`); recent draws are cached."""
    return Draws.of(n_topics, n_resamples, seed)


@shown
@dataclass(frozen=True, eq=False)
class Differences:
    """Differences between the two systems of P pairs over T topics."""

    mean: FloatArray  # (P,)
    shifted: FloatArray  # (P, T) differences less their mean: what there would be if the systems were equally good
    sd: FloatArray  # (P,) 0 if the differences are constant, nan if the pair cannot be tested

    @classmethod
    def between(cls, x: FloatArray, y: FloatArray) -> Differences:
        """Return the differences x - y of two arrays of scores (P, T).

        >>> Differences.between(np.array([[0.3, 0.5]]), np.array([[0.2, 0.4]])).t  # .1 on every topic
        array([inf])
        """
        tested = np.asarray(np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1))
        if not tested.all():
            known = cls.between(*(np.where(tested[:, None], differences, 0.0) for differences in (x, y)))
            with np.errstate(invalid="ignore"):
                mean = np.where(tested, known.mean, x.mean(axis=1) - y.mean(axis=1))
            return cls(mean, known.shifted, np.where(tested, known.sd, np.nan))
        noise = TIE * np.maximum(np.abs(x).max(axis=1), np.abs(y).max(axis=1))
        difference = x - y
        mean = difference.mean(axis=1)
        mean = np.where(np.abs(mean) <= noise, 0.0, mean)
        shifted = difference - mean[:, None]
        shifted[np.abs(shifted) <= noise[:, None]] = 0.0
        return cls(mean, shifted, np.sqrt(divided((shifted**2).sum(axis=1), x.shape[1] - 1, np.nan)))

    @classmethod
    def unknown(cls, count: int) -> Differences:
        """Return stand-ins for `count` pairs with fewer than two common topics: pairs that are equal on two topics."""
        return cls(np.zeros(count), np.zeros((count, 2)), np.zeros(count))

    @cached_property
    def n_topics(self) -> int:
        return int(self.shifted.shape[1])

    @property
    def tested(self) -> BoolArray:
        """Mark the (P,) pairs with only finite scores."""
        return ~np.isnan(self.sd)

    def where_tested(self, values: FloatArray | IntArray) -> FloatArray:
        """Return values (P,) with nan for each pair that cannot be tested."""
        return np.where(self.tested, values, np.nan)

    @property
    def t(self) -> FloatArray:
        """The (P,) t, mean / (sd / sqrt(n)); if the sd is 0, t is 0 if the mean is 0, else infinite."""
        return self.where_tested(signed_ratio(self.mean, self.sd) * np.sqrt(self.n_topics))

    @property
    def r(self) -> FloatArray:
        """The (P,) r, |mean| / root mean square of the differences."""
        mean = np.where(self.tested, self.mean, 0.0)
        squares = mean**2 + (self.shifted**2).mean(axis=1)
        return np.asarray(np.abs(mean) / np.sqrt(np.where(squares > 0, squares, 1.0)))

    def as_extreme(self, draws: Draws, small: Small | None = None) -> IntArray:
        """Return the (P,) numbers of resamples with |t*| >= |t|.

        Uses four-byte floats, which need a third of the time; comparisons within their rounding error are recomputed
        exactly.
        """
        least, error = np.maximum(self.r - TIE, 0.0), _rounding(self.n_topics)
        _, ratios = small or self.small(draws)
        # strictly larger, because a resample in which no topic differs has t* = 0, which reaches no t but 0
        surely, perhaps = (ratios > self._ratio(least + side)[:, None] for side in (error, -error))
        pair, at = np.divmod(np.flatnonzero(perhaps ^ surely), ratios.shape[1])
        if len(pair) > _MOST_UNSURE * ratios.size:
            counts = self._exactly_as_extreme(least, draws)
        else:
            total, square = self._sums_at(pair, at, draws)
            reached = total**2 > self.n_topics * least[pair] ** 2 * square
            counts = _count(surely) + np.bincount(pair[reached], minlength=len(least))
        return np.where(least == 0, draws.n_resamples, counts)

    def _exactly_as_extreme(self, least: FloatArray, draws: Draws) -> IntArray:
        bound = self.n_topics * least**2
        sums = _products(self.shifted, draws.stack)
        np.square(sums, out=sums)
        return _count(sums > _products(bound[:, None] * self.shifted**2, draws.stack))

    def rarely_reached(self, draws: Draws, alpha: float, small: Small | None = None) -> BoolArray:
        """Mark the (P,) pairs with |t*| >= |t| in fewer than a share alpha of the resamples.

        Exact numbers are computed only for the pairs that four-byte floats leave undecided.
        """
        least, error = np.maximum(self.r - TIE, 0.0), _rounding(self.n_topics)
        totals, ratios = small or self.small(draws)

        def rare(pairs: IntArray | slice, error: float) -> BoolArray:
            bound = self._ratio(least + error)[pairs, None]
            return np.asarray((least[pairs] > 0) & (_count(ratios[pairs] > bound) / draws.n_resamples < alpha))

        result = rare(slice(None), -error)
        unsure = np.flatnonzero(~result)
        unsure = unsure[rare(unsure, error)]
        if len(unsure):
            counts = self._of(unsure).as_extreme(draws, (totals[unsure], ratios[unsure]))
            result[unsure] = counts / draws.n_resamples < alpha
        return result

    def _of(self, pairs: IntArray) -> Differences:
        """Return the differences of the pairs with these indices."""
        return Differences(self.mean[pairs], self.shifted[pairs], self.sd[pairs])

    def in_parts(self) -> Iterator[Differences]:
        """Yield the pairs in parts of at most `PAIRS_AT_ONCE`."""
        for start in range(0, len(self.mean), PAIRS_AT_ONCE):
            yield self._of(np.arange(start, min(start + PAIRS_AT_ONCE, len(self.mean))))

    def at_place(self, draws: Draws, place: int) -> FloatArray:
        """Return the (P,) |mean| of the resample with the `place`-th largest |t*|; the largest |mean| if tied.

        Uses four-byte floats first; resamples whose |t*| may be the `place`-th largest are recomputed exactly.
        """
        return np.array([self._mean_at(pair, row, place, draws) for pair, row in enumerate(self.small(draws)[1])])

    def largest_at_place(self, draws: Draws, place: int, least: float, small: Small) -> float:
        """Return the largest `at_place` of the pairs that can be tested, or `least` if that is larger.

        A pair is skipped if its `place`-th largest |t*| is below that of every resample with a |mean| above `least`.
        """
        (totals, ratios), error = small, _rounding(self.n_topics)
        with np.errstate(over="ignore"):
            bound = self.n_topics * np.clip(least / self._unit[:, 0] - error, -1.0, 2.0)  # a |mean| is at most 1 unit
        beyond = np.flatnonzero(totals > np.copysign(bound**2, bound).astype(np.float32)[:, None])
        pair = beyond // ratios.shape[1]
        first = np.flatnonzero(np.diff(pair, prepend=-1))
        lowest = np.sqrt(np.minimum.reduceat(ratios.ravel()[beyond], first) / self.n_topics) - 2 * error
        bound = np.where(lowest > 0, self._ratio(lowest), np.float32(-1))
        for at, ratio in zip(pair[first].tolist(), bound, strict=True):
            if self.tested[at] and np.count_nonzero(ratios[at] > ratio) >= place:
                least = max(least, self._mean_at(at, ratios[at], place, draws))
        return least

    def _mean_at(self, pair: int, ratios: NDArray[np.float32], place: int, draws: Draws) -> float:
        r = np.sqrt(ratios / np.float32(self.n_topics))
        error = 2 * _rounding(self.n_topics)  # of r, and of the r that it is compared with
        among = _largest(r, place, error)
        largest = r[among]
        wanted = np.partition(largest, -place)[-place]
        above = int((largest > wanted + error).sum())
        near = among[np.abs(largest - wanted) <= error]
        total, square = self._sums_at(np.full(len(near), pair), near, draws)
        means, roots = np.abs(total) / self.n_topics, np.sqrt(square / self.n_topics)
        exact = np.divide(means, roots, out=np.zeros_like(means), where=roots > 0)
        return _largest_tied(means, exact, np.sort(exact)[above - place])

    @property
    def _unit(self) -> FloatArray:
        """The (P, 1) largest |value| of each pair."""
        largest = np.abs(self.shifted).max(axis=1, keepdims=True)
        return np.asarray(np.where(largest > 0, largest, 1.0))

    def small(self, draws: Draws) -> Small:
        """Return two arrays (P, B): squared sums, in units of the largest |value|, and n r^2 (0 for 0/0)."""
        values = (self.shifted / self._unit).astype(np.float32)
        totals, squares = _products(values, draws.small), _products(np.square(values), draws.small)
        np.square(totals, out=totals)
        checkpoint()
        squares += _NOTHING
        return totals, np.divide(totals, squares, out=squares)

    def _ratio(self, r: FloatArray) -> NDArray[np.float32]:
        """Return (P,) n r^2; a negative r counts as 0."""
        return (self.n_topics * np.maximum(r, 0.0) ** 2).astype(np.float32)

    def _sums_at(self, pair: IntArray, at: IntArray, draws: Draws) -> tuple[FloatArray, FloatArray]:
        """Return (C,) sums and sums of squares of each pair in its resample `at`, in eight-byte floats."""
        stack, width = np.divmod(at, draws.stack.shape[2])
        drawn, values = draws.stack[stack, :, width], self.shifted[pair]  # (C, T)
        total = drawn * values
        return total.sum(axis=1), (total * values).sum(axis=1)


def _rounding(n_topics: int) -> float:
    """Return an upper limit, with a margin, of the rounding error of r in a resample with four-byte floats.

    The error of a sum of T numbers is at most T eps times the sum of their absolute values.
    """
    added = min(n_topics, _TOPICS) + n_topics // _TOPICS
    return 4 * (added + 4) * float(np.finfo(np.float32).eps)


def _products(values: NDArray[Any], stack: NDArray[Any]) -> NDArray[Any]:
    """Return (P, K b) products of values (P, T) with each matrix of stack (K, T, b), summed in blocks of topics."""
    result = np.empty((len(values), len(stack), stack.shape[2]), dtype=stack.dtype)
    total = result.swapaxes(0, 1)
    np.matmul(values[:, :_TOPICS], stack[:, :_TOPICS], out=total)
    for start in range(_TOPICS, values.shape[1], _TOPICS):
        total += values[:, start : start + _TOPICS] @ stack[:, start : start + _TOPICS]
    return result.reshape(len(values), -1)


def _largest(values: NDArray[np.float32], count: int, error: float) -> IntArray:
    """Return the positions of the `count` largest values, of all values within `error` of these, and of a few others.

    A lower limit is estimated from every sixteenth value; if it is too high, all positions are returned.
    """
    some = values[::16]
    at = count // 16 + count // 64 + 12
    if at < len(some):
        least = np.partition(some, -at)[-at]
        among = np.flatnonzero(values >= least)
        if np.count_nonzero(values[among] > least + error) >= count:
            return among
    return np.arange(len(values))


def _count(reached: BoolArray) -> IntArray:
    """Return the (P,) numbers of true values in rows (P, B), row by row, which is faster than a sum over an axis."""
    return np.fromiter(map(np.count_nonzero, reached), np.int64, len(reached))


def _largest_tied(means: FloatArray, r: FloatArray, wanted: float) -> float:
    near = np.flatnonzero(r >= wanted - TIE)
    return float(means[near[r[near] <= wanted + TIE]].max())


def signed_ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """Return the ratio top / bottom; 0 / 0 is 0, and any other number divided by 0 is infinite.

    >>> signed_ratio(np.array([0.0, -1.0, 1.0]), np.array([0.0, 0.0, 2.0])).tolist()
    [0.0, -inf, 0.5]
    """
    beyond = np.where(top == 0, 0.0, np.copysign(np.inf, top))
    return np.asarray(np.divide(top, bottom, out=beyond, where=bottom > 0))


def of_pairs(scores: FloatArray, a: IntArray, b: IntArray) -> Iterator[tuple[slice, Differences]]:
    """Yield, in order, slices of the pairs of rows of (N, T) scores, and the differences of each slice.

    All pairs of a slice have the same topics in common.
    """
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
    """Yield each stretch of neighbouring pairs with the same topics in common, as a slice, and these topics (T,)."""
    common = known[a] & known[b]
    changes = np.flatnonzero((common[1:] != common[:-1]).any(axis=1)) + 1
    for start, stop in pairwise([0, *changes.tolist(), len(a)]):
        if stop > start:
            yield slice(start, stop), common[start]


def shared_topics(scores: FloatArray, a: IntArray, b: IntArray) -> IntArray:
    """Return the (P,) numbers of topics that pairs of rows of (N, T) scores have in common."""
    known = (~np.isnan(scores)).astype(np.float64)
    return np.asarray((known @ known.T)[a, b].astype(np.int64))


def two_sided(t: FloatArray, n_topics: int | IntArray) -> FloatArray:
    """Return p of the paired t-test: the probability of a |t| at least as large, with n - 1 degrees of freedom.

    >>> two_sided(np.array([0.0, np.inf]), 10).tolist()
    [1.0, 0.0]
    """
    return np.asarray(2 * stdtr(n_topics - 1, -np.abs(t)))


def t_test(scores: FloatArray, a: IntArray, b: IntArray, margin: float | None = None) -> FloatArray:
    """Return the (P,) two-sided p of paired t-tests of pairs of rows of (N, T) scores, on the topics that both have.

    With a `margin`, p of equivalence: the larger p of two one-sided tests, one of a true difference of `margin` or
    more, one of -`margin` or less (Schuirmann 1987, doi 10.1007/BF01068419).

    >>> scores = np.array([[0.5, 0.6, 0.4, 0.5], [0.5, 0.5, 0.5, 0.5]])
    >>> t_test(scores, np.array([0]), np.array([1]), margin=0.2).round(4)  # t = 0.2 / (0.0816 / 2)
    array([0.0081])
    """
    p, step = np.empty(len(a)), max(1, _DIFFERENCES_AT_ONCE // scores.shape[1])
    for start in range(0, len(a), step):
        block = slice(start, start + step)
        for part, differences in of_pairs(scores, a[block], b[block]):
            n = differences.n_topics
            if margin is None:
                p[block][part] = two_sided(differences.t, n)
            else:
                room = signed_ratio(margin - np.abs(differences.mean), differences.sd)
                p[block][part] = stdtr(n - 1, -np.sqrt(n) * differences.where_tested(room))
    return p


def half_interval(differences: Differences, level: float) -> FloatArray:
    """Return (P,) half the width of the confidence interval of each mean, t(level, n - 1) sd / sqrt(n).

    It is nan if a difference is the same on every topic, because then its variation is unknown.

    >>> x, y = np.array([[0.3, 0.5, 0.4], [0.3, 0.5, 0.4]]), np.array([[0.2, 0.2, 0.2], [0.2, 0.4, 0.3]])
    >>> half_interval(Differences.between(x, y), 0.95).round(4)
    array([0.2484,    nan])
    """
    sd = np.where(differences.sd > 0, differences.sd, np.nan)
    return np.asarray(stdtrit(differences.n_topics - 1, (1 + level) / 2) * sd / np.sqrt(differences.n_topics))
