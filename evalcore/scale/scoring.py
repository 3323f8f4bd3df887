"""Scoring one part: a function of what is on disk and of measures alone, so it may run anywhere, and again.

A topic's score depends on that topic alone, except where a gain looks at the whole pool: TOMA over the tuples of labels
that were observed, a table of gains over bands of a signal's range. Such gains are computed on the whole pool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from evalcore.arrays import FloatArray
from evalcore.constants import PARTS
from evalcore.data.restricting import places, pool_of, restrict
from evalcore.data.store import About, read_about, read_lengths, read_part, read_pool
from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure, Measure, unwrapped, where_covered
from evalcore.scale.joining import joined_pool
from evalcore.structures.documents import Assessments, Collection

Failure = tuple[str, str, int | None]
"""A InputError as it travels between processes: problem, where, line."""


@dataclass(frozen=True)
class Selection:
    """Which collection in parts, which of its systems and topics (None: all), and whose labels ("": the default's)."""

    folder: str
    fingerprint: str
    systems: tuple[str, ...] | None = None
    topics: tuple[str, ...] | None = None
    source: str = ""

    @property
    def file(self) -> str:
        """What says which collection the folder holds."""
        return str(Path(self.folder) / PARTS)

    @property
    def about(self) -> About:
        """What the folder says. Raises InputError where it holds another collection than was opened."""
        return _about(self.folder, self.fingerprint)

    @property
    def numbers(self) -> list[int]:
        """The parts that hold a chosen topic."""
        return [number for number, topics in enumerate(_topics(self)) if topics]

    def topics_of(self, number: int) -> tuple[str, ...]:
        """The chosen topics of one part."""
        return _topics(self)[number]

    def part(self, number: int) -> Collection:
        """One part as a collection, of the chosen systems and topics."""
        part = read_part(Path(self.folder), self.about, number)
        labelled = replace(part, assessments=self._labelled(part.assessments))
        return restrict(labelled, self.systems, self.topics_of(number))

    def lengths(self, number: int) -> np.ndarray:
        """(S, topics of the part) how many documents were retrieved."""
        about = self.about
        lengths = read_lengths(Path(self.folder), about, number)
        chosen = set(self.topics_of(number))
        topics = [at for at, name in enumerate(about.parts[number].topics) if name in chosen]
        systems = slice(None) if self.systems is None else [about.systems.index(name) for name in self.systems]
        return lengths[:, topics][systems]

    def pool(self, documents: bool = True) -> Assessments:
        """The whole pool of the chosen topics; without documents their ids are left out."""
        return joined_pool([self._pool_of(number, documents) for number in self.numbers])

    def _pool_of(self, number: int, documents: bool) -> Assessments:
        pool = self._labelled(read_pool(Path(self.folder), self.about, number, documents))
        return pool_of(pool, places(pool.topics, self.topics_of(number), "topics"))[0]

    def _labelled(self, pool: Assessments) -> Assessments:
        return pool.judged_by(self.source) if self.source else pool


def score_part(selection: Selection, number: int, measures: Sequence[Measure], how: str) -> list[FloatArray | Failure]:
    """For each measure (S, topics of the part), or why there are none; `how` names the method of the measure."""
    part = selection.part(number)
    return [_scored(measure, part, selection, how) for measure in measures]


def _scored(measure: Measure, part: Collection, selection: Selection, how: str) -> FloatArray | Failure:
    try:
        scores: FloatArray = (
            measure.scores_by(lambda measure: _scores(measure, part, selection))
            if how == "scores_on"
            else getattr(measure, how)(part)
        )
    except InputError as error:
        return error.problem, error.where, error.line
    return scores


def _scores(measure: Measure, part: Collection, selection: Selection) -> FloatArray:
    inside, source = unwrapped(measure)
    if isinstance(inside, GainMeasure) and inside.needs_whole_pool(part.assessments):
        gains = _all_gains(selection, inside, source)[_rows(selection, part)]
        pool = part.assessments.judged_by(source) if source else part.assessments
        return where_covered(inside.score_gains(gains, pool, part.rankings), inside.covered(pool))
    return measure.scores_on(part)


def _rows(selection: Selection, part: Collection) -> slice:
    """Where the pool of a part stands in the whole pool."""
    start = _pool(selection).topic_start[_pool(selection).topics.index(part.topics[0])]
    return slice(int(start), int(start) + len(part.assessments))


@lru_cache(maxsize=32)
def _all_gains(selection: Selection, measure: GainMeasure, source: str) -> FloatArray:
    pool = _pool(selection)
    return measure.document_gains(pool.judged_by(source) if source else pool)


@lru_cache(maxsize=1)
def _pool(selection: Selection) -> Assessments:
    return selection.pool(documents=False)


@lru_cache(maxsize=4)
def _topics(selection: Selection) -> list[tuple[str, ...]]:
    """The chosen topics of every part."""
    parts = selection.about.parts
    if selection.topics is None:
        return [part.topics for part in parts]
    wanted = set(selection.topics)
    return [tuple(topic for topic in part.topics if topic in wanted) for part in parts]


@lru_cache(maxsize=4)
def _about(folder: str, fingerprint: str) -> About:
    about = read_about(Path(folder))
    if about.fingerprint != fingerprint:
        raise InputError("expected the collection that was opened, found another: open it again", folder)
    return about
