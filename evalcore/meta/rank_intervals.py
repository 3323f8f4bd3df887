"""How sure is a rank? Systems ranked by their means, and how that varies with the topics.

Topics are resampled with replacement (Efron 1979, doi 10.1214/aos/1176344552): multinomial weights times scores give
the means, and so the ranks, of all systems in every resample. Two systems are separable where the percentile interval
of their paired difference excludes 0; this is not corrected for the number of pairs. Low and high are the k-th smallest
and the k-th largest of B resamples, k = floor((B + 1)(1 - level)/2) (Davison, Hinkley 1997, section 2.4, doi
10.1017/CBO9780511802843), so bounds of ranks are ranks, and whether 0 is inside is a count of resamples.

Scores are frames of topics x systems; nan says that a system has no score on a topic. A resample in which a system has
none of the topics drawn ranks nobody, and is left out. Two systems are compared on the topics that both have; with
fewer than two of these, or with an infinite score among them, they cannot be separated, and their interval is nan.
Shapes: B resamples, T topics, S systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from evalcore.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.meta.align import paired_frames
from evalcore.meta.order import TIE, ahead, means
from evalcore.meta.resampling import topic_resamples, weighted_means
from evalcore.rounding import floors, percent
from evalcore.shown import shown

NAMED = 3  # systems that a sentence names
ON_ONE_TOPIC = "on one topic: nothing says how sure"
_QUICK = 150_000  # products for each resample; a pair of systems counts a quarter of one
_DRAWING = 20  # products that drawing a topic is worth
_RESAMPLES_AT_ONCE = 512  # ranks of these are in the processor's cache while pairs are counted
_STEPS = 1 << 18  # of a product, up to which OpenBLAS calls no threads: they wait where others want the cores


@shown
@dataclass(frozen=True, eq=False)
class RankIntervals:
    """Ranks over topics with their doubt; `table` has a row for each system, best first.

    Its columns: mean (of the scores as they are); rank (tied systems share the better one) and shared (how many have
    it); chance_first (share of resamples in which it is first; ties split); rank_low and rank_high; behind, behind_low
    and behind_high (how much the leader, the first row, leads it on the topics that both have, above 0 where the leader
    is better, and the interval of that);
    separable (whether that interval excludes 0); groups (letters of `groups`). Without the pairs that these take there
    are neither `groups` nor the columns behind, behind_low, behind_high and groups.

    A group is a longest run of neighbours, best first, of which no two are separable. Systems that share a letter are
    not separable; of two that share none, some in between is separable from one of them.
    """

    table: pd.DataFrame
    groups: tuple[tuple[str, ...], ...]
    n_topics: int
    n_resamples: int
    level: float
    undefined: int  # resamples left out, as a system has none of the topics drawn

    @property
    def first(self) -> tuple[str, ...]:
        """Who has rank 1: one system, or several that are tied."""
        return tuple(self.table.index[self.table["rank"] == 1])

    @property
    def not_separable(self) -> tuple[str, ...]:
        """Who is behind the first and not separable from the leader, which is the first row."""
        behind = (self.table["rank"] > 1) & ~self.table["separable"]
        return tuple(self.table.index[behind])


def rank_intervals(
    scores: pd.DataFrame,
    n_resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    counts: ArrayLike | None = None,
    pairs: bool = True,
) -> RankIntervals:
    """Rank, share of resamples in which it is first, rank interval and what is not separable, for all systems at once.

    `counts` of `topic_resamples` may be given instead of n_resamples and seed, to share them among measures. Without
    `pairs` only the leader is set against each other system, which of hundreds of systems takes a fifth of the time.
    With one topic there is nothing to resample: shares and bounds are nan, and nothing is separable. Raises ValueError
    for a level that is no share, or a system without any score.

    >>> scores = pd.DataFrame({"a": [0.3, 0.5, 0.9], "b": [0.2, 0.4, 0.8], "c": [0.9, 0.1, 0.6]})
    >>> rank_intervals(scores, n_resamples=200).table.loc["c", ["rank_low", "rank_high"]].tolist()
    [1.0, 3.0]
    """
    return ResampledRanks.of(scores, n_resamples, level, seed, counts).intervals(pairs)


@dataclass(frozen=True, eq=False)
class ResampledRanks:
    """The ranks of systems in every resample, of which `rank_intervals` tells: once for both that it may be asked."""

    means: pd.Series  # of the scores as they are, best first
    rank: IntArray  # (S,)
    level: float
    found: _Resampled

    @classmethod
    def of(
        cls,
        scores: pd.DataFrame,
        n_resamples: int = 2000,
        level: float = 0.95,
        seed: int = 0,
        counts: ArrayLike | None = None,
    ) -> ResampledRanks:
        """Of a frame of scores; the arguments and errors are those of `rank_intervals`."""
        if not 0 < level < 1:
            raise ValueError(f"expected a level between 0 and 1, both excluded, found {level}")
        frame = paired_frames(scores, scores)[0]
        if not frame.size:
            raise ValueError(f"expected at least 1 topic and 1 system, found {len(frame)} and {frame.shape[1]}")
        every = ahead(means(frame.to_numpy(dtype=np.float64)))
        frame = frame.iloc[:, np.argsort(every, kind="stable")]
        given = topic_resamples(len(frame), n_resamples, seed) if counts is None else counts
        drawn = np.asarray(given, dtype=np.float64)
        if drawn.ndim != 2 or drawn.shape[1] != len(frame):
            raise ValueError(f"expected counts of resamples x {len(frame)} topics, found shape {drawn.shape}")
        found = _Resampled.of(frame.to_numpy(dtype=np.float64), drawn, (1 - level) / 2)
        return cls(scores[frame.columns].mean(), np.sort(every) + 1, level, found)

    def intervals(self, pairs: bool = True) -> RankIntervals:
        """What they say, with all pairs of systems or only those with the leader."""
        found, tail = self.found, (1 - self.level) / 2
        groups = _runs(found.inseparable(tail)) if pairs else []
        table = pd.DataFrame(
            {
                "mean": self.means.to_numpy(dtype=np.float64),
                "rank": self.rank,
                "shared": np.bincount(self.rank)[self.rank],
                "chance_first": found.chance_first,
                "rank_low": found.rank_low,
                "rank_high": found.rank_high,
                **(_behind_leader(found.scores, found.drawn, tail) if pairs else {}),
                "separable": ~found.inseparable_from_leader(tail),
                **({"groups": _letters(groups, len(self.rank))} if pairs else {}),
            },
            index=self.means.index.rename("system"),
        )
        named = tuple(tuple(map(str, table.index[start:stop])) for start, stop in groups)
        return RankIntervals(table, named, len(found.scores), len(found.drawn), self.level, found.undefined)


def first_in_words(found: RankIntervals, measure: str = "") -> str:
    """Who is first, how sure that is, and who is not separable from it, as a sentence without a full stop.

    >>> scores = pd.DataFrame({"a": [0.3, 0.5, 0.9], "b": [0.2, 0.4, 0.8], "c": [0.9, 0.1, 0.6]})
    >>> first_in_words(rank_intervals(scores, n_resamples=200), "AP")
    'First by AP: a (first in 64% of resamples; not separable from c; 3 topics are too few to rule chance out)'
    """
    table, first = found.table, found.first
    by = f" by {measure}" if measure else ""
    if len(table) == 1:
        return f"First{by}: {first[0]}, the only system"
    if len(first) == len(table):
        return f"First{by}: none, all {len(table)} systems are tied"
    place = f"{_listed(first)}, shared by {len(first)}" if len(first) > 1 else first[0]
    return f"First{by}: {place} ({doubt_in_words(found)})"


def doubt_in_words(found: RankIntervals) -> str:
    """How sure it is who is first, and who is not separable from the leader, as a remark; "" where all are first.

    >>> scores = pd.DataFrame({"a": [0.3, 0.5, 0.9], "b": [0.2, 0.4, 0.8], "c": [0.9, 0.1, 0.6]})
    >>> doubt_in_words(rank_intervals(scores, n_resamples=200))
    'first in 64% of resamples; not separable from c; 3 topics are too few to rule chance out'
    """
    first = found.first
    if len(first) == len(found.table):
        return ""
    share = float(found.table["chance_first"].iloc[: len(first)].sum())
    if found.n_topics == 1:
        return ON_ONE_TOPIC
    if np.isnan(share):
        return "no resample has topics of every system: nothing says how sure"
    rest = found.not_separable
    doubt = f"not separable from {_listed(rest)}" if rest else "separable from all others"
    each = "one of them first" if len(first) > 1 else "first"
    return f"{each} in {percent(share)} of resamples; {doubt}{_few_topics(found)}"


def _few_topics(found: RankIntervals) -> str:
    """A caution where equal systems would often seem separable.

    Of n topics all favour one of two equal systems with probability 2^(1-n), and then no resample has them level.
    """
    claimed = len(found.first) + len(found.not_separable) < len(found.table)
    few = claimed and 2.0 ** (1 - found.n_topics) > 1 - found.level
    return f"; {found.n_topics} topics are too few to rule chance out" if few else ""


def quickly_resampled(scores: pd.DataFrame) -> bool:
    """Whether there is doubt to find (two topics, two systems, a score of each), in about a second at most.

    >>> quickly_resampled(pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.4]})), quickly_resampled(pd.DataFrame({"a": [1]}))
    (True, False)
    """
    topics, systems = scores.shape
    if min(topics, systems) < 2:
        return False
    values = scores.to_numpy(dtype=np.float64)
    finite = np.isfinite(values)
    if not finite.all() and bool(np.isnan(values).all(axis=0).any()):
        return False
    incomplete = int((~finite.all(axis=0)).sum())
    return topics * max(systems * (1 + incomplete / 4), _DRAWING) + systems**2 / 4 <= _QUICK


@dataclass(frozen=True, eq=False)
class _Resampled:
    """What resamples say of S systems that stand best first."""

    scores: FloatArray  # (T, S) higher is better
    drawn: FloatArray  # (B, T)
    complete: BoolArray  # (S,) who has a finite score on every topic
    places: IntArray  # (S, B) how many are ahead, of the complete systems
    chance_first: FloatArray  # (S,)
    rank_low: FloatArray
    rank_high: FloatArray
    undefined: int

    @classmethod
    def of(cls, scores: FloatArray, drawn: FloatArray, tail: float) -> _Resampled:
        """Of scores (T, S), higher is better, and counts (B, T)."""
        resampled = np.concatenate([weighted_means(scores, part) for part in _parts(drawn, scores)])
        complete = np.asarray(np.isfinite(scores).all(axis=0))
        whole = slice(None) if complete.all() else ~np.isnan(resampled).any(axis=1)
        ranked = ahead(resampled[whole])
        known, unknown = len(scores) > 1 and len(ranked) > 0, np.full(scores.shape[1], np.nan)
        places = _small(ranked)
        low, high = _bounds(places, tail) if known else (unknown, unknown)
        return cls(
            scores=scores,
            drawn=drawn,
            complete=complete,
            places=places if complete.all() else _small(ahead(resampled[:, complete])),
            chance_first=_chances(ranked == 0) if known else unknown,
            rank_low=1.0 + low,
            rank_high=1.0 + high,
            undefined=len(resampled) - len(ranked),
        )

    def inseparable(self, tail: float) -> BoolArray:
        """(S, S) whether 0 is in the interval of the pair's difference."""
        systems = self.scores.shape[1]
        result = np.ones((systems, systems), dtype=bool)
        if len(self.scores) < 2:
            return result
        if self.complete.any():
            result[np.ix_(self.complete, self.complete)] = _seldom_behind(self.places, tail)
        for system in np.flatnonzero(~self.complete).tolist():
            result[system] = result[:, system] = self._inseparable_from(system, tail)
        return result

    def inseparable_from_leader(self, tail: float) -> BoolArray:
        """(S,) the first row of that, without the others."""
        result = np.ones(self.scores.shape[1], dtype=bool)
        if len(self.scores) < 2:
            return result
        if not self.complete[0]:
            return self._inseparable_from(0, tail)
        result[self.complete] = _seldom_behind_leader(self.places, tail)
        lacking = np.append(0, np.flatnonzero(~self.complete))
        if len(lacking) > 1:
            result[lacking[1:]] = _Behind.of(self.scores[:, lacking], self.drawn).inseparable(tail)[1:]
        return result

    def _inseparable_from(self, system: int, tail: float) -> BoolArray:
        return _Behind.of(self.scores, self.drawn, system).inseparable(tail)


@dataclass(frozen=True, eq=False)
class _Behind:
    """How far systems are behind one of them, on the topics that both have."""

    mean: FloatArray  # (S,)
    resampled: FloatArray  # (B, S) nan where a pair cannot be compared in that resample
    tested: BoolArray  # (S,)
    noise: FloatArray  # (S,) a difference that is no larger is the rounding of 0

    @classmethod
    def of(cls, scores: FloatArray, drawn: FloatArray, leader: int = 0) -> _Behind:
        lead, both, tested = _leads(scores, leader)
        total = np.concatenate([part @ lead for part in _parts(drawn, lead)])
        if both.all():
            count = np.broadcast_to(drawn.sum(axis=1, keepdims=True), total.shape)
        else:
            count = np.concatenate([part @ both for part in _parts(drawn, both)])
        sizes = np.abs(np.where(both > 0, scores, 0.0)).max(axis=0)
        noise = TIE * np.maximum(sizes, sizes[leader])
        resampled = divided(total, count, np.nan)
        mean = np.divide(lead.sum(axis=0), both.sum(axis=0), out=np.full(len(tested), np.nan), where=tested)
        return cls(np.where(np.abs(mean) <= noise, 0.0, mean), resampled, tested, noise)

    def interval(self, tail: float) -> tuple[FloatArray, FloatArray]:
        """(S,) each; of a pair the resamples that have any of its topics count."""
        low, high = np.full(self.mean.shape, np.nan), np.full(self.mean.shape, np.nan)
        for part, columns in _alike(np.isnan(self.resampled), self.tested):
            low[columns], high[columns] = _bounds(self.resampled[np.ix_(part, columns)].T, tail)
        return low, high

    def inseparable(self, tail: float) -> BoolArray:
        """(S,) whether 0 is in that interval."""
        low, high = self.interval(tail)
        return np.asarray(~((low > self.noise) | (high < -self.noise)))


def _behind_leader(scores: FloatArray, drawn: FloatArray, tail: float) -> dict[str, FloatArray]:
    """The columns that say how far systems are behind the first, of scores (T, S) and counts (B, T)."""
    behind = _Behind.of(scores, drawn)
    low, high = behind.interval(tail)
    return {"behind": behind.mean, "behind_low": low, "behind_high": high}


def _parts(drawn: FloatArray, values: FloatArray) -> list[FloatArray]:
    """Resamples in parts whose product with values no threads of BLAS share (see `differences`)."""
    size = max(1, _STEPS // max(values.size, 1))
    return [drawn[start : start + size] for start in range(0, len(drawn), size)]


def _leads(scores: FloatArray, leader: int) -> tuple[FloatArray, FloatArray, BoolArray]:
    """(T, S) by how much one system leads each, 0 where either has no score; which topics count; who can be compared.

    A pair with an infinite score, or fewer than two topics in common, cannot be.
    """
    both = ~np.isnan(scores) & ~np.isnan(scores[:, [leader]])
    with np.errstate(invalid="ignore"):
        lead = np.where(both, scores[:, [leader]] - scores, 0.0)
    tested = np.isfinite(lead).all(axis=0) & (both.sum(axis=0) > 1)
    return np.where(tested, lead, 0.0), both.astype(np.float64), np.asarray(tested)


def _alike(lacking: BoolArray, tested: BoolArray) -> Iterator[tuple[BoolArray, IntArray]]:
    """Systems to compare that lack the same resamples: which resamples they have, and which systems they are."""
    if not lacking.any():
        if tested.any():
            yield np.ones(len(lacking), dtype=bool), np.flatnonzero(tested)
        return
    for column in np.flatnonzero(tested).tolist():
        yield ~lacking[:, column], np.array([column])


def _place(count: int, tail: float) -> int:
    return max(1, int(floors(np.array([(count + 1) * tail]))[0]))


def _chances(first: BoolArray) -> FloatArray:
    """(S,) in which share of resamples each is first, of who is first in each (B, S); ties split."""
    shared = first.sum(axis=1, keepdims=True)
    return np.asarray((first if (shared == 1).all() else first / shared).mean(axis=0))


def _bounds(values: NDArray[Any], tail: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """(S,) the k-th smallest and the k-th largest of each row (S, B)."""
    k, count = _place(values.shape[1], tail), values.shape[1]
    # numpy sorts rows with the processor's vectors, and so in less time than it takes to part them at two places.
    rows = np.sort(values, axis=1)
    return rows[:, k - 1], rows[:, count - k]


def _seldom_behind(places: IntArray, tail: float) -> BoolArray:
    """The same of systems that have all topics: separable where one is behind or tied in fewer than k resamples."""
    count = places.shape[1]
    not_ahead, k = count - _times_ahead(places), _place(count, tail)
    np.fill_diagonal(not_ahead, k)
    seldom = not_ahead < k
    return np.asarray(~(seldom | seldom.T))


def _seldom_behind_leader(places: IntArray, tail: float) -> BoolArray:
    """(S,) the first row of that."""
    count, k = places.shape[1], _place(places.shape[1], tail)
    # Row by row numpy counts in a quarter of the time that it takes along an axis.
    times = [np.fromiter(map(np.count_nonzero, one), int) for one in (places[0] < places, places < places[0])]
    seldom = [count - one < k for one in times]
    seldom[0][0] = seldom[1][0] = False
    return np.asarray(~(seldom[0] | seldom[1]))


def _small(places: IntArray) -> IntArray:
    """(S, B) of places (B, S), in numbers of two bytes where these reach."""
    return np.ascontiguousarray(places.astype(np.int16 if places.shape[1] < 1 << 15 else np.int64).T)


def _times_ahead(places: IntArray) -> IntArray:
    """(S, S) in how many resamples each is strictly ahead of each other one, of places (S, B)."""
    systems, resamples = places.shape
    count = np.zeros((systems, systems), dtype=np.int64)
    untied = bool((places.sum(axis=0, dtype=np.int64) == systems * (systems - 1) // 2).all())
    for start in range(0, resamples, _RESAMPLES_AT_ONCE):
        part = np.ascontiguousarray(places[:, start : start + _RESAMPLES_AT_ONCE])
        for system in range(systems):
            others = part[system + 1 :] if untied else part
            behind = (part[system] < others).view(np.uint8)
            count[system, systems - len(others) :] += np.add.reduce(behind, axis=1, dtype=np.uint16)
    return np.triu(count, 1) + np.tril(resamples - count.T, -1) if untied else count


def _runs(inseparable: BoolArray) -> list[tuple[int, int]]:
    """The longest runs of neighbours of which no two are separable, as (start, stop)."""
    runs: list[tuple[int, int]] = []
    stop = 0
    for start in range(len(inseparable)):
        reached = max(stop, start + 1)
        while reached < len(inseparable) and inseparable[start:reached, reached].all():
            reached += 1
        if reached > stop:
            runs.append((start, reached))
            stop = reached
    return runs


def _letters(runs: Sequence[tuple[int, int]], count: int) -> list[str]:
    """The letters of the runs that each of `count` systems is in.

    >>> _letters([(0, 2), (1, 3)], 3)
    ['a', 'a b', 'b']
    """
    return [" ".join(_letter(at) for at, (start, stop) in enumerate(runs) if start <= n < stop) for n in range(count)]


def _letter(at: int) -> str:
    """a to z, then aa, ab, ...

    >>> _letter(0), _letter(26)
    ('a', 'aa')
    """
    before, last = divmod(at, len(ascii_lowercase))
    return (_letter(before - 1) if before else "") + ascii_lowercase[last]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(map(str, names[:NAMED])) + (f" and {more} more" if more > 0 else "")
