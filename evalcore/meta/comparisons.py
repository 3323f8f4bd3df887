"""Simultaneous comparisons of systems: all pairs are tested at once, so that all statements hold together.

Two systems are compared on the n topics that both have, by the sum of their differences,

    v = |sum of d| / sqrt(sum of d^2 + n m),

where m is the mean variance of the differences over all pairs of systems (`mean_variance`). With only the pair's own
squares, v would be equivalent to the t of the paired t-test; with only n m, one spread for all pairs, to Tukey's range.
Both have equal weight, because neither is reliable on few topics: of 780 pairs, the differences of some vary very
little, just by chance, so their own spread is much too small; yet pairs do differ in spread (moderated t: Tusher,
Tibshirani, Chu 2001, doi 10.1073/pnas.091062498; Smyth 2004, doi 10.2202/1544-6115.1027). `docs/methods.md` shows
other weights.

If two systems were equally good, the difference on each topic could as well have had the opposite sign. The sign of a
topic is flipped for all systems at once; v* is v with flipped signs, divided by the same root. A pair is significant if
the largest v* of all pairs under comparison reaches its v under at most a share alpha of the signs (max-T; Westfall,
Young 1993). Significant pairs are then set aside, and the others are compared with the largest v* among themselves,
until no more are significant (step-down; Romano, Wolf 2005, doi 10.1198/016214504000000539). All 2^(T-1) signs are
counted if they are few.

Flipping signs assumes that differences are as often far above as far below their mean. That is not so if a few topics
decide, so a pair must also be significant by itself in the paired bootstrap of `evalcore.meta.discrimination` (Sakai
2006), which draws topics and keeps the shape of the differences. Both methods know only the kinds of topics that were
seen; so a pair with a system that has its most frequent score on nearly all topics must also survive unseen topics
(`HardlySeen`).

There are two families of pairs:

- *each*: the pairs of one system with every other. At most a share alpha of the statements about this system are wrong,
  provided that it was chosen before looking at the scores.
- *all*: all pairs of systems. The chance that any statement about any pair is wrong is at most alpha: for tables, for
  groups, and for the leader, which is known only after looking at the scores.

Confidence sets of ranks follow from either: at least the systems that are significantly better are ahead of a system,
and at least those that are significantly worse are behind it (Mogstad, Romano, Shaikh, Wilhelm 2024, "Inference for
ranks", doi 10.1093/restud/rdad006).

With fewer than 6 topics 2^(1-T) is above .05, and no pair is significant at that level. Shapes: T topics, S systems, B
signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.common.progress import Tell, tell_share
from evalcore.common.rounding import SOLVED, floors
from evalcore.meta.differences import draws_of, of_pairs
from evalcore.meta.order import TIE

MOST, FEWEST = 512, 100
"""Limits of the number of random sign vectors, and of resamples in the paired bootstrap of one pair.

With many systems the number is lower than MOST, but at least FEWEST (`how_many`). A sign test keeps its level with any
number of sign vectors.
"""

MANY_SYSTEMS, MANY_TOPICS = 100, 25
"""With more systems and more topics than these, no pair is tested by itself in the paired bootstrap.

A pair that is significant among so many pairs is practically always significant by itself. In simulations with normal,
skewed and mostly zero scores, the bootstrap changed 2 of 80,000 decisions and cost half of the time.
"""

_NUMBERS = 1 << 21  # pairs of systems x sign vectors
_AT_ONCE, _STEPS_AT_ONCE = 1 << 17, 1 << 19  # numbers that stay in the processor's caches
_NEAR = 1e-2  # squared difference over the squares of both systems; a larger quotient is right to 12 digits
_SUMS_AT_ONCE = 1 << 16  # of systems x sign vectors, or topics x sign vectors
ROUNDING = 1e-5  # relative error of v from sums over topics in four-byte floats, which need half the time


Small: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Decided pairs, S x S: 1 if the system of the row is significantly better, -1 if it is worse, else 0.

    In `each`, every row is one family, the comparisons of its system. In `together`, all pairs are one family, so the
    matrix is antisymmetric.
    """

    each: IntArray
    together: IntArray
    own: Own
    alike: IntArray  # (S,) topics with the same score, of systems that leave open for this reason who may be the best


@dataclass(frozen=True, eq=False)
class Own:
    """The comparisons of each system with every other: `decided` (S, S) is `each` of `Comparisons`.

    `best` (K,) lists the systems that no other beats significantly; `lead` (K, S) is the mean lead of each of them over
    every system on the topics that both have; `margin` (K, S) is the largest distance of the true leads from `lead`,
    for all leads of a row at once, infinite if there is no limit.
    """

    decided: IntArray
    best: IntArray
    lead: FloatArray
    margin: FloatArray


def fewest_topics(alpha: float) -> int:
    """Return the smallest number of topics on which two systems can differ significantly: 2^(1 - T) <= alpha.

    >>> fewest_topics(0.05), fewest_topics(0.5)
    (6, 2)
    """
    return 1 - int(floors(np.log2([alpha]))[0])


def compared(scores: FloatArray, alpha: float = 0.05, seed: int = 0) -> Comparisons:
    """Compare all pairs of systems at level alpha, from scores (T, S), higher is better; nan if a system lacks a topic.

    Pairs with an infinite score, or with too few topics in common, are never significant.

    >>> scores = np.arange(8.0)[:, None] * [1, 1, 1] + [3, 0, 0]
    >>> compared(scores).together.tolist()
    [[0, 1, 1], [-1, 0, 0], [-1, 0, 0]]
    """
    flipped = Flipped.of(scores, alpha, seed)
    each, together = flipped.each(), flipped.together()
    sure = flipped.apart_alone(each | each.T | together)
    own = flipped.own(flipped.ahead * (each & sure))
    kept = each & flipped.hidden & (flipped.ahead < 0) & np.isin(np.arange(len(each)), own.best)[:, None]
    alike = flipped.hardly.alike
    named = kept.any(axis=1) | kept[alike == 0].any(axis=0)
    return Comparisons(own.decided, flipped.ahead * (together & sure), own, alike * named)


def p_among_pairs(
    scores: FloatArray,
    n_resamples: int,
    seed: int = 0,
    progress: Tell | None = None,
    pairs: tuple[IntArray, IntArray] | None = None,
) -> FloatArray:
    """Return the (P,) p of pairs of systems when all pairs, or the given `pairs`, are tested together.

    Scores are (T, S). p is the share of signs under which the largest v* of all these pairs is at least the pair's v:
    of all 2^(T-1) signs if these are at most n_resamples, else of n_resamples drawn signs, with the observed scores
    counted as one more. Scores may be nan. Pairs with an infinite score do not count, and have p = 1.

    >>> p_among_pairs(np.arange(4.0)[:, None] * [1, 1, 1] + [3, 0, 0], 100).tolist()
    [0.125, 0.125, 1.0]
    """
    topics, systems = scores.shape
    values, sizes = _beside_topics(scores), np.abs(scores.T)
    a, b = np.triu_indices(systems, 1) if pairs is None else pairs
    largest_of: Callable[[FloatArray], FloatArray]
    square = float(mean_variance(values))
    if pairs is None and not np.isnan(values).any():
        total, lengths = _sums(values, sizes, 1.0, square)
        v, step = np.abs(total[a, b]) / lengths[a, b], _SUMS_AT_ONCE // max(topics, systems)
        largest_of = partial(_largest, values, lengths)
    else:
        sums, length = _of_pairs(values, sizes, a, b, 1, square)
        v, step = np.abs(sums) / length, _NUMBERS // max(len(a), 1)
        largest_of = partial(_largest_of_leads, np.nan_to_num(values[a] - values[b]), length)
    exact, largest = all_flips(topics, n_resamples), [np.zeros(0)]
    for signs in _signs_in_parts(topics, n_resamples, seed, max(1, step)):
        largest.append(largest_of(signs))
        tell_share(progress, sum(map(len, largest)) / (2 ** (topics - 1) if exact else n_resamples))
    ordered = np.sort(np.concatenate(largest))
    reached = len(ordered) - np.searchsorted(ordered, v * (1 - SOLVED))
    return np.asarray(reached / len(ordered) if exact else (reached + 1) / (len(ordered) + 1))


def _largest(scores: FloatArray, lengths: FloatArray, signs: FloatArray) -> FloatArray:
    """Return the (B,) largest v* of all pairs of rows of scores (S, T), under each row of signs (B, T)."""
    sums = scores @ signs.T
    largest, inverse = np.zeros(len(signs)), 1 / lengths
    for system in range(len(sums) - 1):
        lead = sums[system + 1 :] - sums[system]
        np.abs(lead, out=lead)
        lead *= inverse[system + 1 :, system, None]
        np.maximum(largest, lead.max(axis=0), out=largest)
    return largest


def _largest_of_leads(lead: FloatArray, length: FloatArray, signs: FloatArray) -> FloatArray:
    """Return the (B,) largest v* of pairs with differences (P, T) and roots (P,), under each row of signs (B, T)."""
    flipped = lead @ signs.T
    np.abs(flipped, out=flipped)
    flipped /= length[:, None]
    return np.asarray(flipped.max(axis=0, initial=0.0))


def _signs_in_parts(n_topics: int, most: int, seed: int, step: int) -> Iterator[FloatArray]:
    """Yield the (B, T) signs in parts of at most `step`: all that `sign_flips` lists, or drawn ones."""
    if all_flips(n_topics, most):
        signs = sign_flips(n_topics, most)
        yield from (signs[start : start + step] for start in range(0, len(signs), step))
        return
    yield from drawn_signs(n_topics, most, seed, step)


def drawn_signs(n_topics: int, count: int, seed: int, step: int) -> Iterator[FloatArray]:
    """Yield `count` rows (B, T) of random signs, 1 or -1, at most `step` at a time; `step` does not change them."""
    random = np.random.default_rng(seed)
    for start in range(0, count, step):
        yield np.asarray(1.0 - 2.0 * random.integers(0, 2, (min(step, count - start), n_topics)), dtype=np.float64)


def rank_bounds(decided: IntArray) -> tuple[IntArray, IntArray]:
    """Return two arrays (S,): the best and the worst rank of each system that the decided pairs (S, S) leave possible.

    >>> low, high = rank_bounds(np.array([[0, 1, 1], [-1, 0, 0], [-1, 0, 0]]))
    >>> low.tolist(), high.tolist()
    ([1, 2, 2], [1, 3, 3])
    """
    return 1 + (decided < 0).sum(axis=1), decided.shape[1] - (decided > 0).sum(axis=1)


@lru_cache(maxsize=8)
def sign_flips(n_topics: int, most: int = MOST, seed: int = 0) -> FloatArray:
    """Return a read-only array (B, T) of signs, 1 or -1; a vector and its opposite give the same v, so one is enough.

    It has all 2^(T-1) vectors if these are at most `most`, else `most` random ones.

    >>> sign_flips(3).tolist()
    [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]]
    """
    if all_flips(n_topics, most):
        flipped = np.arange(2 ** (n_topics - 1))[:, None] >> np.arange(n_topics) & 1
    else:
        flipped = np.random.default_rng(seed).integers(0, 2, (most, n_topics))
    signs = (1.0 - 2.0 * flipped).astype(np.float64)
    signs.flags.writeable = False
    return signs


def all_flips(n_topics: int, most: int = MOST) -> bool:
    """Return whether `sign_flips` lists all 2^(T-1) vectors of signs."""
    return n_topics < 63 and 2 ** (n_topics - 1) <= most


def how_many(n_systems: int) -> int:
    """Return the number of sign vectors to draw for this number of systems; it limits the cost.

    >>> how_many(40), how_many(300)
    (512, 100)
    """
    pairs = max(1, n_systems * (n_systems - 1) // 2)
    return min(MOST, max(FEWEST, _NUMBERS // pairs))


def critical_value(largest: FloatArray | Small, alpha: float, exact: bool) -> float:
    """Return the critical value of v, given the largest v* of each sign vector (B,); below it, p is above alpha.

    p = count(v* >= v) / B if the B vectors are all that exist (`exact`), else (count + 1) / (B + 1), because the
    observed scores count as one more vector.

    >>> critical_value(np.arange(1.0, 20.0), 0.1, exact=False)  # of 19: one may reach it
    18.00018
    """
    return float(critical_values(largest, alpha, exact))


def critical_values(largest: FloatArray | Small, alpha: float, exact: bool) -> FloatArray:
    """Return the (...) critical values of the rows of (..., B) largest v*; infinite if no v is significant."""
    reaching = may_reach(largest.shape[-1], alpha, exact)
    if reaching < 0:
        return np.full(largest.shape[:-1], np.inf)
    place = largest.shape[-1] - 1 - reaching
    return np.asarray(np.partition(largest, place, axis=-1)[..., place].astype(np.float64) * (1 + ROUNDING))


@lru_cache(maxsize=64)
def may_reach(count: int, alpha: float, exact: bool) -> int:
    """Return how many of `count` sign vectors may have a largest v* of at least v if v is to be significant.

    The number is below 0 if no v can be significant.
    """
    return int(floors(np.array([alpha * count if exact else alpha * (count + 1) - 1]))[0])


@dataclass(frozen=True, eq=False)
class Flipped:
    """Statistics v of all pairs of systems, and the sums under flipped signs from which v* is computed."""

    scores: FloatArray  # (S, T) less the mean of the topic, which cancels in differences; nan if there is none
    v: FloatArray  # (S, S) 0 if a pair cannot be tested
    ahead: IntArray  # (S, S) 1 if the system of the row has the better mean, -1 if the worse
    length: FloatArray  # (S, S) what sums of differences are divided by, infinite if a pair cannot be tested
    square: float  # mean variance of the differences of two systems
    hardly: HardlySeen
    hidden: BoolArray  # (S, S) whether unseen topics may reverse the order
    sums: Small  # (S, B) of the scores with flipped signs, for systems that have all topics
    complete: BoolArray  # (S,)
    signs: FloatArray  # (B, T)
    exact: bool  # whether these are all signs
    alpha: float
    seed: int

    @classmethod
    def of(cls, scores: FloatArray, alpha: float, seed: int) -> Flipped:
        values = _beside_topics(scores)
        hardly, every = HardlySeen.of(scores.T, alpha), np.arange(len(values))
        complete: BoolArray = np.asarray(~np.isnan(values).any(axis=1))
        square = float(mean_variance(values))
        total, length = _sums(values, np.abs(scores.T), alpha, square)
        most = how_many(len(values))
        signs = sign_flips(len(scores), most, seed)
        return cls(
            scores=values,
            v=np.abs(total) / length,
            ahead=np.sign(total).astype(np.int64),
            length=length,
            square=square,
            hardly=hardly,
            hidden=hardly.may_reverse(total, every[:, None], every),
            sums=(np.where(complete[:, None], values, 0.0) @ signs.T).astype(np.float32),
            complete=complete,
            signs=signs,
            exact=all_flips(len(scores), most),
            alpha=alpha,
            seed=seed,
        )

    def own(self, decided: IntArray) -> Own:
        """Return the comparisons of each system, with leads and margins of the systems that no other beats."""
        best = np.flatnonzero(~(decided < 0).any(axis=1))
        known = ~np.isnan(self.scores)
        common = np.maximum(known[best].astype(np.float64) @ known.T, 1.0)
        counted = np.isfinite(self.length[best])
        length = np.where(counted, self.length[best], 0.0)
        mean = self.v[best] * self.ahead[best] * length / common
        own = np.where(counted, np.maximum(np.square(length) - common * (np.square(mean) + self.square), 0.0), 0.0)
        spread = own + common * self.square
        square = np.square([self._critical_of_rest(*row) for row in zip(best.tolist(), mean, spread, strict=True)])
        with np.errstate(invalid="ignore", divide="ignore"):
            shift = 1 + divided(self.square * common.mean(axis=1) * counted.sum(axis=1), own.sum(axis=1))
            rest = common - (square * shift)[:, None]
            ratio = np.where(rest > 0, square[:, None] / rest, np.inf)
            margin = np.nan_to_num(np.sqrt(ratio * spread / common), nan=0.0, posinf=np.inf)
        margin[~counted & (common < fewest_topics(self.alpha))] = np.inf
        margin[np.arange(len(best)), best] = 0.0
        return Own(decided, best, mean, margin)

    def _critical_of_rest(self, system: int, mean: FloatArray, spread: FloatArray) -> float:
        """Return the critical value of a system's pairs, from differences minus their means: valid for any true lead.

        If the means were kept, a large lead would add to all differences of the system, and to their sums under flipped
        signs.
        """
        rest = np.nan_to_num(self.scores[system] - self.scores - mean[:, None])
        counted = spread > 0
        flipped = np.abs(rest[counted] @ self.signs.T) / np.sqrt(spread[counted, None])
        return critical_value(flipped.max(axis=0, initial=0.0), self.alpha, self.exact)

    def largest(self) -> FloatArray:
        """Return the (B,) largest v* of all pairs under each sign vector."""
        if self.complete.all():
            return _largest(self.scores, self.length, self.signs)
        return np.asarray(self._flipped(*np.triu_indices(len(self.v), 1)).max(axis=0, initial=0.0), dtype=np.float64)

    def each(self) -> BoolArray:
        """Mark the (S, S) pairs of systems that are separable when the pairs of the row are tested together."""
        step, systems = max(1, _STEPS_AT_ONCE // self.sums.size), np.arange(len(self.v))
        return np.concatenate([self._each(systems[start : start + step]) for start in range(0, len(systems), step)])

    def _each(self, systems: IntArray) -> BoolArray:
        v = self.v[systems]
        order = np.argsort(v, axis=1)
        ordered = np.take_along_axis(v, order, axis=1)
        largest = self._flipped(order.T, systems)  # the pairs left at a step are those with the smallest v
        for at in range(1, len(largest)):
            np.maximum(largest[at], largest[at - 1], out=largest[at])
        rows, left = np.arange(len(v)), np.full(len(v), v.shape[1])
        while True:
            critical = critical_values(largest[left - 1, rows], self.alpha, self.exact)
            fewer = np.count_nonzero(ordered <= critical[:, None], axis=1)  # never 0, as v of the system itself is 0
            if (fewer == left).all():
                return np.asarray(v > critical[:, None])
            left = fewer

    def together(self) -> BoolArray:
        """Mark the (S, S) pairs of systems that are separable when all pairs are tested together."""
        a, b = np.nonzero(np.triu(self.v))
        v = self.v[a, b]
        order = np.argsort(v)
        a, b, v = a[order], b[order], v[order]
        largest = _Prefixes(lambda pairs: self._flipped(a[pairs], b[pairs]), len(v), self.sums.shape[1])
        left = len(v)
        while left:
            critical = critical_value(largest.of(left), self.alpha, self.exact)
            fewer = int(np.searchsorted(v, critical, side="right"))
            if fewer >= left:
                break
            left = fewer
        apart = np.zeros(self.v.shape, dtype=bool)
        apart[a[left:], b[left:]] = True
        return np.asarray(apart | apart.T)

    def apart_alone(self, pairs: BoolArray) -> BoolArray:
        """Mark the given pairs (S, S) that the paired bootstrap separates and that unseen topics cannot reverse.

        With many systems and topics (`MANY_SYSTEMS`) the bootstrap is left out.
        """
        pairs = pairs & ~self.hidden
        if min(len(self.v) / MANY_SYSTEMS, self.scores.shape[1] / MANY_TOPICS) > 1:
            return pairs
        a, b = np.nonzero(np.triu(pairs))
        apart = np.zeros(pairs.shape, dtype=bool)
        apart[a, b] = apart_alone(self.scores, a, b, self.alpha, self.seed)
        return np.asarray(apart | apart.T)

    def _flipped(self, a: IntArray, b: IntArray) -> Small:
        """Return the (..., B) v* of the pairs of systems `a` and `b`, two arrays of indices whose shapes broadcast."""
        if (self.complete[a] & self.complete[b]).all():
            lead = self.sums[a]
            lead -= self.sums[b]
        else:
            lead = (np.nan_to_num(self.scores[a] - self.scores[b]) @ self.signs.T).astype(np.float32)
        length = self.length[a, b, None].astype(np.float32)
        return np.asarray(np.divide(np.abs(lead, out=lead), length, out=lead))


class _Prefixes:
    """Column maxima (B,) of the first n of many rows, for any n; rows are computed in parts and not kept."""

    def __init__(self, rows: Callable[[slice], Small], count: int, width: int) -> None:
        self._rows, self._step = rows, max(1, _AT_ONCE // width)
        ends = range(self._step, count + 1, self._step)
        parts = [rows(slice(end - self._step, end)).max(axis=0) for end in ends]
        self._whole = np.maximum.accumulate([np.zeros(width, dtype=np.float32), *parts], axis=0)

    def of(self, count: int) -> Small:
        """Return the (B,) column maxima of the first `count` rows."""
        parts, rest = divmod(count, self._step)
        largest: Small = self._whole[parts]
        if rest:
            largest = np.maximum(largest, self._rows(slice(count - rest, count)).max(axis=0))
        return largest


def apart_alone(scores: FloatArray, a: IntArray, b: IntArray, alpha: float = 0.05, seed: int = 0) -> BoolArray:
    """Mark the (P,) pairs, rows `a` and `b` of scores (S, T), that the paired bootstrap by itself separates."""
    if not len(a):
        return np.zeros(0, dtype=bool)
    draws = draws_of(scores.shape[1], how_many(len(scores)), seed)
    step = max(1, _AT_ONCE // scores.shape[1])
    apart = [
        part.rarely_reached(draws.of_topics(part.n_topics), alpha)
        for start in range(0, len(a), step)
        for _, alike in of_pairs(scores, a[start : start + step], b[start : start + step])
        for part in alike.in_parts()
    ]
    return np.concatenate(apart)


def _beside_topics(scores: FloatArray) -> FloatArray:
    """Return (T, S) scores as (S, T), minus the mean of their topic; all nan for a system with an infinite score."""
    values = np.where(~np.isinf(scores).any(axis=0), scores, np.nan)
    return np.ascontiguousarray((values - _means(values)).T)


def _means(scores: FloatArray) -> FloatArray:
    """Return the (N, 1) mean of the known values of each row, 0 if there are none."""
    known = ~np.isnan(scores)
    total = np.where(known, scores, 0.0).sum(axis=1, keepdims=True)
    return np.asarray(total / np.maximum(known.sum(axis=1, keepdims=True), 1))


def mean_variance(scores: FloatArray) -> FloatArray:
    """Return the (...) mean, over pairs of systems, of the variance of their differences over topics.

    Scores are (..., S, T).

    >>> float(mean_variance(np.array([[0.0, 0.0], [1.0, 3.0]])))  # of 1 and 3
    2.0
    """
    known, topics = ~np.isnan(scores), scores.shape[-1]
    count, values = known.sum(axis=-2), np.where(known, scores, 0.0)
    mean = values.sum(axis=-1, keepdims=True) / np.maximum(known.sum(axis=-1, keepdims=True), 1)
    values = np.where(known, values - mean, 0.0)
    centred = np.where(known, values - (values.sum(axis=-2) / np.maximum(count, 1))[..., None, :], 0.0)
    squares = (count * np.square(centred).sum(axis=-2)).sum(axis=-1) * topics / max(topics - 1, 1)
    return np.asarray(squares / np.maximum((count * (count - 1) // 2).sum(axis=-1), 1))


@dataclass(frozen=True, eq=False)
class HardlySeen:
    """Limits of the amounts by which unseen topics, of kinds seen rarely or never, may reduce sums of leads.

    If a system has its most frequent score on all topics but a few, little is known about topics on which it has a
    different score. Let f be `fewest_topics` (6 at .05). If those few are fewer than f - 1, or fewer than a share 1/f
    of all topics, `missing` further topics may be of their kind: the upper limit of a Poisson mean, at a fifth of
    alpha, minus those seen. On the missing topics, the system may have the highest or the lowest of all scores (`high`
    and `low`, times `missing`), and the other system of a pair its mean score. If a system has the same score on every
    topic, nothing shows what a different kind of topic is like: `high` and `-low` are then sums over three times as
    many topics, each with the largest difference between two systems. Scores are (..., S, T).
    """

    alike: IntArray  # (..., S) topics with the most frequent score, 0 if the others are not so few
    missing: FloatArray  # (..., S)
    mean: FloatArray  # (..., S)
    high: FloatArray  # (..., S)
    low: FloatArray  # (..., S)

    @classmethod
    def of(cls, scores: FloatArray, alpha: float) -> HardlySeen:
        """Return the limits for scores (..., S, T) and the level alpha.

        >>> seen = HardlySeen.of(np.array([[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0.5], np.arange(7) / 6]), 0.05)
        >>> seen.alike.tolist(), seen.missing.round(2).tolist(), seen.high.round(1).tolist()
        ([7, 6, 0], [0.0, 5.64, 0.0], [13.8, 5.6, 0.0])
        """
        known, fewest, topics = ~np.isnan(scores), fewest_topics(alpha), scores.shape[-1]
        few = max(fewest - 1, topics // fewest)
        looked = range(min(few, topics) if known.all() else topics)  # at least one of these has the frequent score
        alike = np.max([np.count_nonzero(scores == scores[..., at, None], axis=-1) for at in looked], axis=0, initial=0)
        count = known.sum(axis=-1)
        others = count - alike
        alike = np.where(others < np.minimum(few, count - 1), alike, 0)
        finite = np.where(np.isinf(scores).any(axis=-1, keepdims=True), np.nan, scores)
        highest, lowest = np.fmax.reduce(finite, axis=-2), np.fmin.reduce(finite, axis=-2)  # of each topic
        high, low = np.nan_to_num([np.fmax.reduce(highest, axis=-1), np.fmin.reduce(lowest, axis=-1)])[..., None]
        number = np.where(alike > 0, _missing(few, alpha)[np.minimum(others, few)], 0.0)
        same = np.where(others > 0, 0.0, 3 * number * np.fmax.reduce(highest - lowest, axis=-1, initial=0.0)[..., None])
        missing, mean = np.where(others > 0, number, 0.0), np.nan_to_num(finite).sum(axis=-1) / np.maximum(count, 1)
        return cls(alike, missing, mean, missing * high + same, missing * low - same)

    def __getitem__(self, at: IntArray) -> HardlySeen:
        return HardlySeen(*(values[at] for values in vars(self).values()))

    def may_reverse(self, lead: FloatArray, a: IntArray, b: IntArray) -> BoolArray:
        """Return whether unseen topics may reverse the sums of leads (...) of systems `a` over systems `b`."""
        most = np.where(lead < 0, self._most(b, a), self._most(a, b))
        return np.asarray((most > 0) & (np.abs(lead) <= most))

    def _most(self, ahead: IntArray, behind: IntArray) -> FloatArray:
        rise = self.high[..., behind] - self.missing[..., behind] * self.mean[..., ahead]
        return np.maximum(rise, self.missing[..., ahead] * self.mean[..., behind] - self.low[..., ahead])


@lru_cache(maxsize=8)
def _missing(most: int, alpha: float) -> FloatArray:
    """Return (most + 1,) upper limits of the missing topics of one kind if 0, 1, ... `most` such topics were seen."""
    seen = np.arange(most + 1)
    return np.asarray(gammaincinv(seen + 1, 1 - alpha / 5) - seen)


def _sums(scores: FloatArray, sizes: FloatArray, alpha: float, square: float) -> tuple[FloatArray, FloatArray]:
    """Return two arrays (S, S): the sum of the differences of each pair, and the root that divides it.

    For a pair that is not tested, the sum is 0 and the root infinite.
    """
    systems, topics = scores.shape
    total, length = np.zeros((systems, systems)), np.full((systems, systems), np.inf)
    left = np.triu(np.ones((systems, systems), dtype=bool), 1)
    if topics >= fewest_topics(alpha) and not np.isnan(scores).any():
        squares, known = _squares(scores)
        known &= left
        left &= ~known
        np.subtract.outer(*2 * (scores.sum(axis=1),), out=total, where=known)
        np.sqrt(squares + topics * square, out=length, where=known)
        np.minimum(length, length.T, out=length)
    a, b = np.nonzero(left)
    total[a, b], length[a, b] = _of_pairs(scores, sizes, a, b, fewest_topics(alpha), square)
    length[b, a] = length[a, b]
    return total - total.T, length


def _of_pairs(
    scores: FloatArray, sizes: FloatArray, a: IntArray, b: IntArray, fewest: int, square: float
) -> tuple[FloatArray, FloatArray]:
    """Return (P,) sums of differences and (P,) roots, as in `_sums`, for pairs of rows of scores (S, T).

    Pairs with fewer than `fewest` common topics have sum 0 and an infinite root.

    `sizes` (S, T) are |scores|: a difference no larger than the rounding error of its two scores counts as 0.
    """
    total, length = np.zeros(len(a)), np.full(len(a), np.inf)
    step = max(1, _AT_ONCE // max(scores.shape[1], 1))
    for start in range(0, len(a), step):
        part = slice(start, start + step)
        lead = scores[a[part]] - scores[b[part]]
        common = np.count_nonzero(~np.isnan(lead), axis=1)
        _without_rounding(lead, sizes, a[part], b[part])
        squares = np.where(common >= fewest, np.square(lead).sum(axis=1), 0.0)
        total[part] = np.where(squares > 0, lead.sum(axis=1), 0.0)
        length[part] = np.where(squares > 0, np.sqrt(squares + common * square), np.inf)
    return total, length


def _squares(scores: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return (S, S) sums of squared differences, from matrix products, and a mask (S, S) of the accurate sums."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        own = np.square(scores).sum(axis=1)
        whole = own[:, None] + own
        squares = whole - 2 * (scores @ scores.T)
        return squares, np.asarray((squares > _NEAR * whole) & np.isfinite(whole))


def _without_rounding(lead: FloatArray, sizes: FloatArray, a: IntArray, b: IntArray) -> None:
    """Set the differences (P, T) that are unknown, or no larger than the rounding error of their scores, to 0."""
    largest = sizes.max(initial=0.0, where=np.isfinite(sizes))
    pair, topic = np.nonzero(~(np.abs(lead) > TIE * largest))  # few candidates, fewer hits
    small = TIE * np.fmax(sizes[a[pair], topic], sizes[b[pair], topic])
    lead[pair, topic] = np.where(np.abs(lead[pair, topic]) > small, lead[pair, topic], 0.0)
