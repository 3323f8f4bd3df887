"""Scores under each source of labels, and the agreement of their rankings.

All sources are compared on the topics that every source labelled; a document that a source did not label is unassessed
under that source. Shapes: J sources, T topics, S systems.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, cast

import numpy as np
import pandas as pd

from evalcore.common.arrays import IntArray
from evalcore.common.cached import cached_property
from evalcore.common.progress import of_each
from evalcore.common.short_forms import shown
from evalcore.data.label_choice import judged_by
from evalcore.drawing import figures, of_several
from evalcore.errors import InputError
from evalcore.labels.judges.top_systems import ALPHA, CORRECTION, top_agreement
from evalcore.measures import Measure, evaluate
from evalcore.measures.base import as_measure, assessments_of
from evalcore.meta import (
    CorrelationMatrix,
    RankIntervals,
    best_first,
    correlation_matrix,
    rank_changes,
    rank_intervals,
    ranks,
    shared_part,
    tau,
)
from evalcore.meta.intervals_of_ranks import winners_of
from evalcore.meta.matrix import Intervals
from evalcore.structures.documents import Assessments, Collection
from evalcore.structures.sources import Sources

CORRELATED = ("tau", "tau_ap", "spearman")


def read_sources(measure: Measure | str, collection: Collection) -> tuple[str, ...]:
    """Return the sources of labels that a measure can read; empty if each of its aspects has only one.

    Original sources come first, then combinations of them (`COMBINED`).
    """
    all_names = (name for source in _sources(measure, collection) for name in source.names)
    return tuple(dict.fromkeys([*given_sources(measure, collection), *all_names]))


def given_sources(measure: Measure | str, collection: Collection) -> tuple[str, ...]:
    """Return the original sources of labels that a measure can read, without combinations."""
    return tuple(dict.fromkeys(name for source in _sources(measure, collection) for name in source.labels))


def _sources(measure: Measure | str, collection: Collection) -> list[Sources]:
    """Return the `Sources` of each aspect that the measure reads, without aspects that have only one source."""
    pool = assessments_of(collection)
    read = map(pool.named, as_measure(measure, collection).columns)
    return [pool.sources[name] for name in read if name in pool.sources]


@shown
@dataclass(frozen=True, eq=False)
class SourceRankings:
    """A measure's scores under several sources of labels, by source: frames of the same topics x systems."""

    measure: str
    scores: dict[str, pd.DataFrame]
    n_resamples: int
    level: float
    seed: int
    collection: Collection

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(self.scores)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(map(str, next(iter(self.scores.values())).index))

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A table that compares the rankings of every pair of sources, with a row for each pair.

        Columns: reference, test; tau (Kendall's tau_b of the systems' means) with its interval over topics, tau_low and
        tau_high; tau_ap, the AP correlation of the test's ranking with the reference as the truth, with its interval;
        tau_ap_back, the AP correlation of the reference's ranking with the test as the truth; spearman with its
        interval; swapped, the number of pairs of systems in opposite order; moved, the largest change of rank, and
        mover, the system with this change (if several have it, the best in the reference's ranking); no_interval, the
        reason why the ends of intervals are nan, else "" (`bootstrap_interval`). All use the same resamples.
        """
        reference, test = np.triu_indices(len(self.scores), 1)
        table = pd.DataFrame(list(combinations(self.scores, 2)), columns=["reference", "test"])
        matrices = self._matrices()
        for name, matrix in matrices.items():
            known = cast(Intervals, matrix.intervals)
            for column, frame in ((name, matrix.values), (f"{name}_low", known.low), (f"{name}_high", known.high)):
                table[column] = frame.to_numpy()[test, reference]
        table["tau_ap_back"] = matrices["tau_ap"].values.to_numpy()[reference, test]
        places = np.stack([ranks(frame.mean()).to_numpy() for frame in self.scores.values()])
        moves = [_Moves.between(places[a], places[b]) for a, b in zip(reference, test, strict=True)]
        systems = next(iter(self.scores.values())).columns
        table["swapped"] = [move.swapped for move in moves]
        table["moved"] = [move.most for move in moves]
        table["mover"] = [str(systems[move.mover]) for move in moves]
        table["no_interval"] = cast(Intervals, matrices["tau"].intervals).why.to_numpy()[test, reference]
        return table

    @cached_property
    def gaps(self) -> pd.DataFrame:
        """A row for each pair of sources: reference, test, and the values of `gap`, which splits their difference."""
        pairs = list(combinations(self.scores, 2))
        about = pd.DataFrame(pairs, columns=["reference", "test"])
        return about.join(pd.DataFrame([self.gap(*pair) for pair in pairs]).reset_index(drop=True))

    def gap(self, reference: str, test: str) -> pd.Series:
        """Return the difference of two rankings, split into the effects of missing labels and of judgement.

        `labelled` is the share of shared documents, which both sources labelled, among the documents that at least one
        labelled. `tau_gaps` is tau between the reference's rankings with all its labels and with only its labels of
        shared documents; only missing labels make these rankings differ. `tau_shared` is tau between the rankings with
        the labels that each source gives to shared documents. `n_topics` is the number of topics with shared documents,
        the topics of both taus. The two taus are nan if no documents are shared.
        """
        pool, share = _on_shared(self.collection.assessments, reference, test)
        names = ["labelled", "tau_gaps", "tau_shared", "n_topics"]
        if not share:
            return pd.Series([0.0, np.nan, np.nan, 0], names)
        shared = replace(self.collection, assessments=pool)
        first, second = (evaluate(self.measure, judged_by(shared, source)) for source in (reference, test))
        topics = [topic for topic in self.topics if topic in first.index and topic in second.index]
        full, own, other = (frame.loc[topics].mean() for frame in (self.scores[reference], first, second))
        return pd.Series([share, tau(full, own), tau(own, other), len(topics)], names)

    def _matrices(self) -> dict[str, CorrelationMatrix]:
        """Return a dict from each kind of correlation to its matrix for all pairs of sources, with intervals."""
        about: dict[str, Any] = {"n_resamples": self.n_resamples, "level": self.level, "seed": self.seed}
        matrices = of_each(CORRELATED, lambda name: correlation_matrix(self.scores, name, **about))
        return dict(zip(CORRELATED, matrices, strict=True))

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """Competition ranks of the means, systems x sources, in order of rank under the first source.

        The column `most` is the largest difference between two ranks of a system.
        """
        table = pd.DataFrame({name: ranks(frame.mean()) for name, frame in self.scores.items()})
        table["most"] = table.max(axis=1) - table.min(axis=1)
        return table.loc[best_first(next(iter(self.scores.values())).mean()).index].rename_axis("system")

    def changes(self, reference: str, test: str) -> pd.DataFrame:
        """Return the table of `evalcore.meta.rank_changes` for two sources; x is the reference, y the test."""
        return rank_changes(self._means(reference), self._means(test))

    def top(
        self,
        reference: str,
        test: str,
        depths: Sequence[int] | None = None,
        *,
        alpha: float = ALPHA,
        correction: str = CORRECTION,
    ) -> pd.DataFrame:
        """Return the table of `top_agreement` for the first systems under the labels of two sources."""
        scores = [self._scores(name) for name in (reference, test)]
        return top_agreement(scores[0], scores[1], depths, alpha=alpha, correction=correction)

    def doubt(self, source: str) -> RankIntervals:
        """Return the ranks under a source's labels, with their intervals over topics."""
        return rank_intervals(self.scores[source], self.n_resamples, self.level, self.seed)

    @cached_property
    def winners(self) -> pd.DataFrame:
        """The winner under each source's labels: first, share_first, may_be_best and topics, as in `winners_of`."""
        return winners_of({source: self.doubt(source) for source in self.scores}, "source")

    def _means(self, source: str) -> pd.Series:
        return self._scores(source).mean()

    def _scores(self, source: str) -> pd.DataFrame:
        if source not in self.scores:
            raise InputError(f"expected one of the compared sources ({', '.join(self.scores)}), found {source!r}")
        return self.scores[source]

    def figure(self, **options: Any) -> Any:
        """Draw the rankings with all sources, or, for a `pair`, one ranking against the other."""
        scores = self.scores
        if pair := options.pop("pair", None):
            across, up = (f"labels of {figures().plain(name)}" for name in pair)
            options = {"x_title": across, "y_title": up, **options}
            scores = {name: scores[name] for name in pair}
        return of_several(scores, **options)


@dataclass(frozen=True)
class _Moves:
    """Changes between two rankings: the number of swapped pairs, the system that moves most, its change of rank."""

    swapped: int
    mover: int
    most: int

    @classmethod
    def between(cls, reference: IntArray, test: IntArray) -> _Moves:
        """Return the changes between rankings (S,); `mover` is the best in the reference if several move most."""
        swapped = int(np.count_nonzero((reference[:, None] < reference) & (test[:, None] > test)))
        moved = np.abs(reference - test)
        mover = np.lexsort((test, reference, -moved))[0]
        return cls(swapped, int(mover), int(moved[mover]))


def source_rankings(
    measure: Measure | str,
    collection: Collection,
    sources: Iterable[str] | None = None,
    *,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> SourceRankings:
    """Return scores of all systems under several sources of labels, on the topics that all sources labelled.

    `sources` are names from `read_sources`, by default the original sources. Raises InputError for fewer than two
    sources, an unknown source, fewer than two systems, or if no topic has labels from all sources.
    """
    known = as_measure(measure, collection)
    choice = list(given_sources(known, collection) if sources is None else sources)
    offered = read_sources(known, collection)
    if len(set(choice)) < 2 or len(set(choice)) < len(choice):
        raise InputError(
            f"expected at least two different sources of labels that {known} reads "
            f"({', '.join(offered) or 'each aspect has only one'}), found {', '.join(choice) or 'none'}"
        )
    for name in choice:
        if name not in offered:
            raise InputError(f"expected a source of labels that {known} reads ({', '.join(offered)}), found {name!r}")
    if len(collection.systems) < 2:
        raise InputError(f"expected at least 2 systems, found {len(collection.systems)}")
    judged = {name: judged_by(collection, name) for name in choice}
    shared = _shared_topics(judged)
    scores = of_each(judged.values(), lambda frame: evaluate(known, frame).loc[shared])
    frames = shared_part(dict(zip(judged, scores, strict=True)))
    return SourceRankings(str(known), frames, n_resamples, level, seed, collection)


def _on_shared(pool: Assessments, reference: str, test: str) -> tuple[Assessments, float]:
    """Return the pool with only the labels of documents that both sources labelled, and the share of these documents.

    If an aspect lacks one of the sources, its labels are unchanged.
    """
    sources, labelled, known = dict(pool.sources), 0, 0
    for name, one in pool.sources.items():
        if reference in one.names and test in one.names:
            own, other = (~np.isnan(pool.judged_by(source).column(name)) for source in (reference, test))
            labelled, known = labelled + int((own & other).sum()), known + int((own | other).sum())
            labels = {judge: np.where(own & other, values, np.nan) for judge, values in one.labels.items()}
            sources[name] = replace(one, labels=labels)
    columns = {name: one.labels[one.default] for name, one in sources.items()}
    return replace(pool, sources=sources, columns={**pool.columns, **columns}), labelled / max(known, 1)


def _shared_topics(judged: dict[str, Collection]) -> list[str]:
    first, *others = judged.values()
    shared = [topic for topic in first.topics if all(topic in other.topics for other in others)]
    if not shared:
        raise InputError(f"expected a topic that {', '.join(judged)} all labelled, found none")
    return shared
