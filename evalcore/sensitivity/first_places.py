"""Scores, ranks and winners of the systems at many settings of a measure.

Shapes: M settings, S systems, T topics. Scores are not negated if low is good; ranks and tau take that into account. A
setting without a valid measure (all weights 0) is undefined: its means and tau are nan, and it has no winner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.progress import Tell, part_of, tell_share
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure, unwrapped
from evalcore.measures.evaluation import mean_scores
from evalcore.measures.paths import leaves
from evalcore.measures.rbp import RankBiased
from evalcore.meta.correlation import tau
from evalcore.meta.order import ahead
from evalcore.structures.documents import Good

GAINS_AT_ONCE = 8  # distinct gain vectors summed by system and rank at once: 3 MB for 40 systems
SETTINGS_AT_ONCE = 1000
NUMBERS_AT_ONCE = 100_000  # numbers in the measures in memory at once: about 10 MB
PART = 10  # measures made between two reports of progress, and the smallest batch
FLOATS_KEPT = 10_000_000  # numbers of part scores in memory, 80 MB


class Settings(Protocol):
    """Measures whose number is known; they may be created one by one."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Measure]: ...


@shown
@dataclass(frozen=True, eq=False)
class Outcomes:
    """Mean scores of all systems at M settings and at the default setting."""

    systems: tuple[str, ...]
    default: FloatArray  # (S,)
    means: FloatArray  # (M, S)
    tau: FloatArray  # (M,) Kendall's tau_b with the default; nan if undefined, or all systems are tied, or there is one
    good: Good = "high"  # whether high or low scores are good

    @cached_property
    def defined(self) -> BoolArray:
        """(M,) true for defined settings."""
        return np.asarray(~np.isnan(self.means).any(axis=1))

    @cached_property
    def ranks(self) -> IntArray:
        """(M, S) competition ranks; 1 is best, tied systems share the better rank; 0 if undefined."""
        ranks = np.zeros(self.means.shape, dtype=np.int64)
        ranks[self.defined] = self._ranks(self.means[self.defined])
        return ranks

    @cached_property
    def default_ranks(self) -> IntArray:
        """(S,) competition ranks at the default setting."""
        return self._ranks(self.default)

    def _ranks(self, scores: FloatArray) -> IntArray:
        return ahead(scores if self.good == "high" else -scores) + 1

    @cached_property
    def first(self) -> BoolArray:
        """(M, S) true for winners, single or tied."""
        first: BoolArray = self.ranks == 1
        return first

    def keeps(self, k: int) -> BoolArray:
        """Return (M,) true for settings with the same systems at the same ranks, from 1 to k, as at the default."""
        there, default = self.ranks, self.default_ranks
        kept = ((there == default) | ((there > k) & (default > k))).all(axis=1)
        return np.asarray(kept & self.defined)

    @cached_property
    def tied(self) -> IntArray:
        """(M,) number of winners: 1, more if they are tied, 0 if undefined."""
        return np.asarray(self.first.sum(axis=1))

    @cached_property
    def winner(self) -> IntArray:
        """(M,) index of the winner (if several are tied, of the one listed first); -1 if undefined."""
        return np.where(self.tied > 0, self.first.argmax(axis=1), -1)


def outcomes(
    default: Measure, measures: Settings, collection: HasPoolAndRankings, tell: Tell | None = None
) -> Outcomes:
    """Return scores of the systems under each of M measures, and the agreement of their order with the default order.

    A system without a score at the default setting is left out. Measures are scored in blocks to limit memory;
    equal measures in the same or nearby blocks are scored once. `tell` is called with the finished share, from 0 to 1.
    Raises InputError if no measure has scores.
    """
    systems, count = collection.rankings.systems, len(measures)
    base = mean_scores([default], collection)[0]
    scored = ~np.isnan(base) if (~np.isnan(base)).any() else np.ones(len(systems), dtype=bool)
    systems, base = tuple(name for name, there in zip(systems, scored, strict=True) if there), base[scored]
    means, taus = np.full((count, len(systems)), np.nan), np.full(count, np.nan)
    scoring, done, seen = _Scoring(collection), 0, dict[Measure, int]()
    for block, most in _blocks(measures, lambda done: tell_share(tell, done / count)):
        new = dict[Measure, int]()
        for at, measure in enumerate(block, done):
            if measure not in seen:
                new.setdefault(measure, at)
        rows, each = np.array(list(new.values()), dtype=int), len(block) / max(len(new), 1)
        for places, part in scoring.means(list(new), part_of(tell, done, count, each)):
            means[rows[places]], taus[rows[places]] = part[:, scored], _taus(part[:, scored], base)
        seen.update(new)
        own = [seen[measure] for measure in block]
        means[done : done + len(block)], taus[done : done + len(block)] = means[own], taus[own]
        done += len(block)
        tell_share(tell, done / count)
        seen = seen if len(seen) < most else {}
    if scoring.problem is not None and np.isnan(means).all():
        raise scoring.problem
    return Outcomes(systems, base, means, taus, default.good)


def _blocks(measures: Settings, tell: Callable[[int], None]) -> Iterator[tuple[list[Measure], int]]:
    """Yield batches of measures, each with `most`, the largest possible size of a batch.

    Batches of rank-biased measures, which are scored together, have the largest size; those of other measures have the
    size `PART`. While a batch is filled, `tell` is called with the number of measures in the batches before.
    """
    block, most, done = list[Measure](), 0, 0
    for measure in measures:
        most = most or max(NUMBERS_AT_ONCE // max(sum(1 for _ in leaves(measure)), 1), PART)
        block.append(measure)
        if len(block) == (most if isinstance(unwrapped(measure)[0], RankBiased) else PART):
            yield block, most
            block, done = [], done + len(block)
        elif len(block) % PART == 0:
            tell(done)
    if block:
        yield block, most


def _taus(means: FloatArray, base: FloatArray) -> FloatArray:
    """Return (M,) tau between the means at each setting and `base`; it is the same whether high or low is good."""
    taus, defined = np.full(len(means), np.nan), ~np.isnan(means).any(axis=1)
    if defined.any() and len(base) > 1:
        taus[defined] = tau(means[defined], base)
    return taus


class _Scoring:
    """Mean scores under measures, computed in parts; `problem` is the first error for a measure without scores."""

    def __init__(self, collection: HasPoolAndRankings) -> None:
        self._collection, self._score = collection, scorer(collection)
        self.problem: InputError | None = None

    def means(
        self, measures: Sequence[Measure], tell: Callable[[float], object]
    ) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield indices of measures and their mean scores, nan if missing; `tell` is called with the number done."""
        groups = _by_gains(measures)
        few = 2 * len(groups) <= len(measures)
        done = 0
        for at in _parts(groups) if few else np.arange(len(measures))[:, None]:
            chosen = [measures[place] for place in at.tolist()]
            yield at, mean_scores(chosen, self._collection) if few else self._one(chosen[0])[None]
            done += len(at)
            tell(done)

    def _one(self, measure: Measure) -> FloatArray:
        rankings = self._collection.rankings
        try:
            return rankings.topic_means(self._score(measure))
        except InputError as error:
            # without its traceback, which would keep all local variables in memory
            self.problem = self.problem or error.with_traceback(None)
            return np.full(len(rankings.systems), np.nan)


def _by_gains(measures: Sequence[Measure]) -> list[list[int]]:
    """Return groups of indices: rank-biased measures with the same gains, and every other measure by itself."""
    places: dict[object, list[int]] = {}
    for at, measure in enumerate(measures):
        inside, source = unwrapped(measure)
        gains = (source, *inside.gain_functions().items()) if isinstance(inside, RankBiased) else at
        places.setdefault(gains, []).append(at)
    return list(places.values())


def _parts(groups: Sequence[list[int]]) -> Iterator[IntArray]:
    """Yield arrays of indices of measures, from a few groups at a time; measures of a group share their gains."""
    for start in range(0, len(groups), GAINS_AT_ONCE):
        part = np.concatenate(groups[start : start + GAINS_AT_ONCE])
        yield from np.array_split(part, -(-len(part) // SETTINGS_AT_ONCE))


def scorer(collection: HasPoolAndRankings) -> Callable[[Measure], FloatArray]:
    """Return a function from a measure to its scores (S, T); it caches scores of parts, as only weights may change."""
    rankings = collection.rankings
    capacity = max(FLOATS_KEPT // max(rankings.length.size, 1), 8)
    part_scores = lru_cache(maxsize=capacity)(lambda part: part.scores_on(collection))

    def score(measure: Measure) -> FloatArray:
        return measure.scores_by(lambda one: one.scores_on(collection) if one == measure else part_scores(one))

    return score
