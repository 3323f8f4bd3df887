"""What becomes of the systems at many settings of a measure.

Shapes: M settings, S systems, T topics. Scores are as they are; ranks and tau know which end is good. A setting that is
no measure on the collection (all weights 0) is undefined: its means and tau are nan, and nobody is first there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from evalcore.data.structures import Floats, Good, Integers
from evalcore.errors import DataError
from evalcore.measures.aggregates import Aggregate
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.measures.evaluation import InParts, mean_scores
from evalcore.measures.rbp import RankBiased
from evalcore.meta.correlation import tau
from evalcore.meta.order import ahead

Tell = Callable[[float], object]
GAINS_AT_ONCE = 8  # distinct gain vectors that are summed by system and rank at once: 3 MB for 40 systems
SETTINGS_AT_ONCE = 1000
PART = 10  # settings between two reports of progress, where they are scored one by one
FLOATS_KEPT = 10_000_000  # of part scores, 80 MB


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Mean scores of all systems at M settings, beside those at the default setting."""

    systems: tuple[str, ...]
    default: Floats  # (S,)
    means: Floats  # (M, S)
    tau: Floats  # (M,) Kendall's tau_b with the default; nan where undefined, all systems are tied or there is one
    good: Good = "high"  # which end of the scores

    @cached_property
    def defined(self) -> NDArray[np.bool_]:
        """(M,) where the setting is a measure."""
        return np.asarray(~np.isnan(self.means).any(axis=1))

    @cached_property
    def ranks(self) -> Integers:
        """(M, S) competition ranks, 1 is best, ties share the better rank; 0 where undefined."""
        ranks = np.zeros(self.means.shape, dtype=np.int64)
        ranks[self.defined] = self._ranks(self.means[self.defined])
        return ranks

    @cached_property
    def default_ranks(self) -> Integers:
        """(S,) competition ranks at the default setting."""
        return self._ranks(self.default)

    def _ranks(self, scores: Floats) -> Integers:
        return ahead(scores if self.good == "high" else -scores) + 1

    @cached_property
    def first(self) -> NDArray[np.bool_]:
        """(M, S) who is first, alone or tied."""
        first: NDArray[np.bool_] = self.ranks == 1
        return first

    @cached_property
    def tied(self) -> Integers:
        """(M,) how many share the first place; 0 where undefined."""
        return np.asarray(self.first.sum(axis=1))

    @cached_property
    def winner(self) -> Integers:
        """(M,) who is first; of several the one listed first; -1 where undefined."""
        return np.where(self.tied > 0, self.first.argmax(axis=1), -1)


def outcomes(
    default: Measure, measures: Sequence[Measure], collection: HasPoolAndRankings, tell: Tell | None = None
) -> Outcomes:
    """Score the systems under each of M measures and compare their order with the default's.

    `tell` gets the share that is done, in (0, 1]. Equal measures are scored once. Raises DataError where no setting can
    be scored.
    """
    systems = collection.rankings.systems
    base = mean_scores([default], collection)[0]
    distinct = list(dict.fromkeys(measures))
    place = {measure: at for at, measure in enumerate(distinct)}
    means, taus = np.full((len(distinct), len(systems)), np.nan), np.full(len(distinct), np.nan)
    done = 0
    for at, part in _scored(distinct, collection, tell):
        means[at], taus[at] = part, _taus(part, base)
        done += len(at)
        if tell is not None:
            tell(done / len(distinct))
    own = np.array([place[measure] for measure in measures], dtype=int)
    return Outcomes(systems, base, means[own], taus[own], default.good)


def _taus(means: Floats, base: Floats) -> Floats:
    """Both sides have the same good end, so tau needs not know which one."""
    taus, defined = np.full(len(means), np.nan), ~np.isnan(means).any(axis=1)
    if defined.any() and len(base) > 1:
        taus[defined] = tau(means[defined], base)
    return taus


def _scored(
    measures: Sequence[Measure], collection: HasPoolAndRankings, tell: Tell | None
) -> Iterator[tuple[Integers, Floats]]:
    """Places among the measures and their mean scores, part by part, so that memory stays bounded."""
    if isinstance(collection, InParts):
        yield from _scored_in_parts(measures, collection, tell)
        return
    groups = _by_gains(measures)
    if 2 * len(groups) <= len(measures):
        for at in _parts(groups):
            yield at, mean_scores([measures[place] for place in at.tolist()], collection)
        return
    score, failed = _scorer(collection), []
    for start in range(0, len(measures), PART):
        at = np.arange(start, min(start + PART, len(measures)))
        means = np.full((len(at), len(collection.rankings.systems)), np.nan)
        for row, place in enumerate(at.tolist()):
            try:
                means[row] = collection.rankings.topic_means(score(measures[place]))
            except DataError as error:
                failed.append(error)
        yield at, means
    if len(failed) == len(measures) > 0:
        raise failed[0]


def _scored_in_parts(
    measures: Sequence[Measure], collection: InParts, tell: Tell | None
) -> Iterator[tuple[Integers, Floats]]:
    """Each measure's place and mean scores, of a collection that is scored part by part."""
    failed = []
    for at, found in enumerate(collection.score_each(measures, tell=tell)):
        if isinstance(found, DataError):
            failed.append(found)
        else:
            yield np.array([at]), collection.rankings.topic_means(found)[None]
    if len(failed) == len(measures) > 0:
        raise failed[0]


def _by_gains(measures: Sequence[Measure]) -> list[list[int]]:
    """Places of rank-biased measures that share a gain vector, and differ in discount at most; others stand alone."""
    places: dict[object, list[int]] = {}
    for at, one in enumerate(measures):
        places.setdefault(tuple(one.gain_functions().items()) if isinstance(one, RankBiased) else at, []).append(at)
    return list(places.values())


def _parts(groups: Sequence[list[int]]) -> Iterator[Integers]:
    """Few gain vectors at once: each is summed by system and rank once, whatever the discounts."""
    for start in range(0, len(groups), GAINS_AT_ONCE):
        part = np.concatenate(groups[start : start + GAINS_AT_ONCE])
        yield from np.array_split(part, -(-len(part) // SETTINGS_AT_ONCE))


def _scorer(collection: HasPoolAndRankings) -> Callable[[Measure], Floats]:
    """(S, T) scores of a measure; those of an aggregate's parts are kept, as weights leave them as they are."""
    rankings = collection.rankings
    kept = max(FLOATS_KEPT // max(rankings.length.size, 1), 8)
    part_scores = lru_cache(maxsize=kept)(lambda part: part.scores_on(collection))

    def score(measure: Measure) -> Floats:
        if not isinstance(measure, Aggregate):
            return measure.scores_on(collection)
        shares = measure.shares
        return measure.combine(np.array([part_scores(part) for part in measure.parts]), shares)

    return score
