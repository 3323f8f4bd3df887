"""Effects of single disagreements: scores of the systems if one document alone had the other source's label.

Shapes: P pool rows, S systems, T topics, D documents on which two sources disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.progress import checkpoint
from evalcore.common.rounding import falling
from evalcore.data.label_choice import judged_by
from evalcore.direction import directed
from evalcore.errors import InputError
from evalcore.labels.judges.agreement import aspect_with_sources, source_labels, usual_pair
from evalcore.labels.judges.rescoring import with_labels
from evalcore.measures.base import GainMeasure, JudgedBy, Measure, as_measure
from evalcore.meta.changes import ranks
from evalcore.notation.values import values_in
from evalcore.structures.documents import Assessments, Collection

MOST_SCORINGS = 1000
"""The most times that a measure may score the collection for one table of disagreements."""

Cell = tuple[float, float]
"""The labels that two sources gave: a place in their confusion matrix."""


@dataclass(frozen=True, eq=False)
class _Pair:
    """A collection as the first of two sources judged it, and the labels of both."""

    collection: Collection
    aspect: str
    sources: tuple[str, str]
    first: FloatArray  # (P,)
    second: FloatArray  # (P,)

    @classmethod
    def of(cls, collection: Collection, sources: Sequence[str], aspect: str | None) -> _Pair:
        name = aspect_with_sources(collection.assessments, aspect)
        chosen = tuple(sources) or usual_pair(collection.assessments, name)
        if len(chosen) != 2 or chosen[0] == chosen[1]:
            raise InputError(f"expected two different sources, found {', '.join(chosen)}")
        for source in chosen:
            source_labels(collection.assessments, name, source)  # raises where there is none
        judged = judged_by(collection, chosen[0])
        first, second = (source_labels(judged.assessments, name, judge) for judge in chosen)
        return cls(judged, name, (chosen[0], chosen[1]), first, second)

    def rows(self, cell: Cell | None) -> IntArray:
        """(D,) the pool rows of a cell; without one, of all disagreements."""
        if cell is None:
            return np.flatnonzero((self.first != self.second) & ~np.isnan(self.first) & ~np.isnan(self.second))
        return np.flatnonzero((self.first == cell[0]) & (self.second == cell[1]))

    def scores(self, measure: Measure, swapped: IntArray) -> FloatArray:
        """(S, T) scores by the first source's labels but on some pool rows, which have the second's."""
        labels = self.first.copy()
        labels[swapped] = self.second[swapped]
        return measure.scores_on(with_labels(self.collection, self.aspect, labels))

    def counted(self, scores: FloatArray) -> IntArray:
        """(S,) over how many topics the mean of each system's scores (S, T) is."""
        return np.asarray(self.collection.rankings.counted(covered=~np.isnan(scores)).sum(axis=1))


def disagreements(
    collection: Collection,
    measure: Measure | str,
    sources: Sequence[str] = (),
    aspect: str | None = None,
    cell: Cell | None = None,
) -> pd.DataFrame:
    """The documents on which two sources disagree, and the effect of each on the scores of the systems.

    The scores are those by the labels of the first source. Of each document: topic, document, both labels, `systems`
    (how many change their score on the topic if this document alone gets the label of the second source), `system` (the
    one that changes most; of several the first listed; "" for none), `change` (of its score on the topic, signed) and
    `mean change` (of its mean over topics). Largest changes first. `cell` takes the documents with these two labels
    only, which may be the same: nothing changes then. `sources` and `aspect` as in `source_agreement`. Where nothing
    ranks the documents, these and both labels alone, the furthest apart first.

    A measure scores topics one by one, so one scoring swaps a document of each topic: the cost is that of as many
    scorings as one topic has documents here. Where gains hang on the labels of all topics (TOMA over observed tuples),
    of as many as there are documents. Raises InputError for more than MOST_SCORINGS, and for a measure that says itself
    whose labels it reads.
    """
    chosen, pair = _read_from_the_pool(measure, collection), _Pair.of(collection, sources, aspect)
    pool, rows = pair.collection.assessments, pair.rows(cell)
    a, b = (f"label of {name}" for name in pair.sources)
    labelled = pd.DataFrame({**pool.ids(rows), a: pair.first[rows], b: pair.second[rows]})
    if not collection.systems:
        return labelled.iloc[np.argsort(-(labelled[a] - labelled[b]).abs(), kind="stable")].reset_index(drop=True)
    rounds = _rounds(rows, pool, apart=_reads_all_topics(chosen, pool))
    if len(rounds) > MOST_SCORINGS:
        count = f"{len(rounds):,} for {len(rows):,} documents"
        raise InputError(f"expected at most {MOST_SCORINGS:,} scorings by {chosen}, found {count}: choose a cell")
    before = pair.scores(chosen, rows[:0])
    changed = np.zeros(len(rows), dtype=int)
    change, system = np.zeros(len(rows)), np.zeros(len(rows), dtype=int)
    for done, members in enumerate(rounds):
        if cell is None or cell[0] != cell[1]:
            delta = _difference(before, pair.scores(chosen, rows[members]))[:, pool.topic[rows[members]]]
            changed[members] = (delta != 0).sum(axis=0)
            system[members] = np.abs(delta).argmax(axis=0)
            change[members] = delta[system[members], np.arange(len(members))]
        checkpoint((done + 1) / len(rounds))
    systems = np.array([*collection.systems, ""], dtype=object)
    table = labelled.assign(
        **{
            "systems": changed,
            "system": systems[np.where(changed > 0, system, -1)],
            "change": change,
            "mean change": divided(change, pair.counted(before)[system]),
        }
    )
    return table.iloc[falling(np.abs(change))].reset_index(drop=True)


def swapped_cell(
    collection: Collection,
    measure: Measure | str,
    sources: Sequence[str] = (),
    aspect: str | None = None,
    cell: Cell | None = None,
) -> pd.DataFrame:
    """Return the joint effect of the disagreements of a cell (without one: all): systems x (before, after, change,
    ranks).

    Mean scores by the labels of the first source, and if all these documents get those of the second; `rank before` and
    `rank after` are competition ranks. Arguments as in `disagreements`.
    """
    chosen, pair = _read_from_the_pool(measure, collection), _Pair.of(collection, sources, aspect)
    rows, rankings = pair.rows(cell), pair.collection.rankings
    index = pd.Index(rankings.systems, name="system", dtype=object)
    before, after = (
        directed(pd.Series(rankings.topic_means(pair.scores(chosen, judged)), index=index), chosen.good)
        for judged in (rows[:0], rows)
    )
    change = _difference(before.to_numpy(), after.to_numpy())
    table = pd.DataFrame({"before": before, "after": after, "change": change})
    return directed(table.assign(**{"rank before": ranks(before), "rank after": ranks(after)}), chosen.good)


def _read_from_the_pool(measure: Measure | str, collection: Collection) -> Measure:
    """The measure. Raises InputError for one of a source's labels, which no other label would change."""
    chosen = as_measure(measure, collection)
    if isinstance(chosen, JudgedBy):
        raise InputError(f"expected a measure that names no source of labels, such as {chosen.measure}, found {chosen}")
    return chosen


def _difference(before: FloatArray, after: FloatArray) -> FloatArray:
    """after - before; 0 if both are infinite alike, and where neither is a score."""
    with np.errstate(invalid="ignore"):
        return np.where((before == after) | (np.isnan(before) & np.isnan(after)), 0.0, after - before)


def _rounds(rows: IntArray, pool: Assessments, apart: bool) -> list[IntArray]:
    """Places among the rows, those together that are of different topics; each by itself where they must be `apart`."""
    if apart:
        return [np.array([at]) for at in range(len(rows))]
    topic = pool.topic[rows]  # ascending
    place = np.arange(len(rows)) - np.searchsorted(topic, topic)  # within the topic
    order = np.argsort(place, kind="stable")
    return np.split(order, np.cumsum(np.bincount(place))[:-1]) if len(rows) else []


def _reads_all_topics(measure: Measure, pool: Assessments) -> bool:
    """Return whether a measure, or one that it combines, scores a topic by the labels of others too."""
    return any(isinstance(part, GainMeasure) and part.needs_whole_pool(pool) for part in values_in(measure))
