"""Edit a collection (move a document, change its label) and compare the scores.

Each edit has a short text for links, such as `move:q03:bm25:5:2`. Edits are applied in order: a rank refers
to the ranking after the earlier edits. In names, % and : are written %25 and %3A.
"""

from __future__ import annotations

import hashlib
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.common.cached import cached_property
from evalcore.common.lazy_imports import pd
from evalcore.common.short_forms import shown
from evalcore.errors import InputError, place_of, shorten
from evalcore.measures.base import Measure, as_measure
from evalcore.measures.evaluation import evaluate
from evalcore.meta.changes import rank_changes
from evalcore.meta.correlation import tau
from evalcore.structures.documents import Assessments, Collection, Rankings, refuse_parts
from evalcore.structures.sources import Sources

UNASSESSED = "-"
_RANK = re.compile("[0-9]{1,9}")
_NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?")


@dataclass(frozen=True)
class Edit(ABC):
    """One change to a collection, on one topic. `parse_edit` parses its text."""

    KIND: ClassVar[str]

    topic: str

    def __str__(self) -> str:
        return ":".join([self.KIND, *(part.replace("%", "%25").replace(":", "%3A") for part in self.parts)])

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the edit's text after its kind, in order and not escaped."""
        return tuple(_TEXTS[str(part.type)][0](getattr(self, part.name)) for part in fields(self))

    @classmethod
    def of(cls, *parts: str) -> Edit:
        """Return an edit made from the parts of a text. Raises ValueError for invalid, missing or extra parts."""
        return cls(*(_TEXTS[str(part.type)][1](text) for part, text in zip(fields(cls), parts, strict=True)))

    @abstractmethod
    def make(self, draft: Draft) -> None:
        """Apply the edit to a draft. Raises InputError, and leaves the draft unchanged, if the edit does not fit."""


@dataclass(frozen=True)
class RunEdit(Edit):
    """One change to the ranking of a system for a topic."""

    system: str


@dataclass(frozen=True)
class MoveTo(RunEdit):
    """Move the document at a rank, assessed or not, to another rank; the documents between move by one rank.

    >>> str(MoveTo("q03", "bm25", 5, 2))
    'move:q03:bm25:5:2'
    """

    KIND = "move"

    rank: int
    to: int

    def make(self, draft: Draft) -> None:
        line = draft.line(self.system, self.topic)
        for rank in (self.rank, self.to):
            _check_rank(rank, len(line), self)
        line.insert(self.to - 1, line.pop(self.rank - 1))


@dataclass(frozen=True)
class Reorder(RunEdit):
    """Reorder the first n documents: `ranks` are their former ranks, a permutation of 1 to n.

    >>> str(Reorder("q03", "bm25", (3, 1, 2)))
    'order:q03:bm25:3.1.2'
    """

    KIND = "order"

    ranks: tuple[int, ...]

    def make(self, draft: Draft) -> None:
        line, count = draft.line(self.system, self.topic), len(self.ranks)
        _check_rank(count, len(line), self)
        if sorted(self.ranks) != list(range(1, count + 1)):
            raise InputError(f"expected each rank from 1 to {count} once, found {shorten(str(self))}")
        line[:count] = [line[rank - 1] for rank in self.ranks]


@dataclass(frozen=True)
class Insert(RunEdit):
    """Insert a document of the topic's pool at a rank; the documents from this rank on move down by one.

    >>> str(Insert("q03", "bm25", "d:7", 1))
    'insert:q03:bm25:d%3A7:1'
    """

    KIND = "insert"

    document: str
    rank: int

    def make(self, draft: Draft) -> None:
        line, row = draft.line(self.system, self.topic), draft.row(self.topic, self.document)
        _check_rank(self.rank, len(line) + 1, self)
        if row in line:
            at = line.index(row) + 1
            raise InputError(f"expected a document that is not in the ranking, found {self.document!r} at rank {at}")
        line.insert(self.rank - 1, row)


@dataclass(frozen=True)
class Remove(RunEdit):
    """Remove the document at a rank, assessed or not; documents below move up by one.

    >>> str(Remove("q03", "bm25", 1))
    'remove:q03:bm25:1'
    """

    KIND = "remove"

    rank: int

    def make(self, draft: Draft) -> None:
        line = draft.line(self.system, self.topic)
        _check_rank(self.rank, len(line), self)
        del line[self.rank - 1]


@dataclass(frozen=True)
class Regrade(Edit):
    """Change the label of a document of the topic's pool on an aspect; None makes it unassessed on the aspect.

    Only the label from the source in use, which measures read by default, is changed.

    >>> str(Regrade("q03", "d7", "relevance", 2)), str(Regrade("q03", "d7", "relevance", None))
    ('regrade:q03:d7:relevance:2', 'regrade:q03:d7:relevance:-')
    """

    KIND = "regrade"

    document: str
    aspect: str
    grade: float | None

    def make(self, draft: Draft) -> None:
        row, grade = draft.row(self.topic, self.document), self.grade
        pool = draft.collection.assessments
        place_of(self.aspect, pool.aspects, "an aspect")
        scale = pool.scale(self.aspect)
        inside = grade is None or (
            (math.isfinite(grade) and (not scale.grades or scale.low <= grade <= scale.high))
            if scale.continuous
            else grade in scale.grades
        )
        if not inside:
            among = (
                f"{scale.low:g} to {scale.high:g}" if scale.continuous else ", ".join(f"{g:g}" for g in scale.grades)
            )
            raise InputError(f"expected a grade of {self.aspect} ({among}) or {UNASSESSED}, found {grade:g}")
        draft.regraded[row, self.aspect] = math.nan if grade is None else float(grade)


KINDS: dict[str, type[Edit]] = {change.KIND: change for change in (MoveTo, Reorder, Insert, Remove, Regrade)}


def parse_edit(text: str) -> Edit:
    """Return the edit that a text describes. Raises InputError that lists the possible forms.

    >>> parse_edit("regrade:q03:d%3A7:relevance:-")
    Regrade(topic='q03', document='d:7', aspect='relevance', grade=None)
    """
    kind, *parts = text.split(":")
    try:
        return KINDS[kind].of(*(part.replace("%3A", ":").replace("%25", "%") for part in parts))
    except (KeyError, ValueError):
        raise InputError(
            "expected an edit, move:TOPIC:SYSTEM:RANK:TO, order:TOPIC:SYSTEM:RANK.RANK..., "
            "insert:TOPIC:SYSTEM:DOCUMENT:RANK, remove:TOPIC:SYSTEM:RANK or regrade:TOPIC:DOCUMENT:ASPECT:GRADE, "
            f"found {shorten(text)}"
        ) from None


def edited(collection: Collection, edits: Iterable[Edit | str]) -> Collection:
    """Return a new collection with some edits applied in order; its fingerprint is different.

    An edit changes one system's ranking on a topic, or one label, which may change the scores of all systems on the
    topic. Unassessed documents can be moved, but not graded, because rankings do not keep their names. Raises
    InputError for an edit that does not fit, and for a collection of passages or links.

    >>> from evalcore.data.small_collections import small_collection
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["b", "x", "a"]})
    >>> evaluate("P@1", edited(c, ["move:topic:s:3:1"])).loc["topic", "s"]
    np.float64(1.0)
    """
    draft = Draft(collection)
    for edit in edits:
        draft.add(edit)
    return draft.finished()


def fitting(collection: Collection, edits: Iterable[Edit | str]) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """Return the edits that can be applied in order, and the error messages of the other edits.

    Raises InputError for a collection that cannot be edited.
    """
    draft, problems = Draft(collection), []
    for edit in edits:
        try:
            draft.add(edit)
        except InputError as error:
            problems.append(str(error))
    return tuple(draft.edits), tuple(problems)


@shown
@dataclass(eq=False)
class Draft:
    """A collection while it is edited.

    `lines` are the edited rankings: at each rank the pool row of the document, or, for a document outside the pool,
    minus its former rank.
    """

    collection: Collection
    edits: list[Edit] = field(default_factory=list)
    lines: dict[int, list[int]] = field(default_factory=dict)  # by line of the rankings
    regraded: dict[tuple[int, str], float] = field(default_factory=dict)  # by pool row and aspect

    def __post_init__(self) -> None:
        refuse_parts(self.collection)

    def add(self, edit: Edit | str) -> None:
        """Apply one more edit. Raises InputError if it does not fit."""
        change = parse_edit(edit) if isinstance(edit, str) else edit
        change.make(self)
        self.edits.append(change)

    def line(self, system: str, topic: str) -> list[int]:
        """Return one ranking as a list that can be changed in place."""
        rankings = self.collection.rankings
        s, t = place_of(system, rankings.systems, "a system"), place_of(topic, self.collection.topics, "a topic")
        at = s * rankings.n_topics + t
        if at not in self.lines:
            length = int(rankings.length[s, t])
            places, rows = rankings.hits(s, t, length)
            slots = -np.arange(1, length + 1)
            slots[places] = rows
            self.lines[at] = slots.tolist()
        return self.lines[at]

    def row(self, topic: str, document: str) -> int:
        """Return the pool row of a document. Raises InputError if it is not in the topic's pool."""
        pool = self.collection.assessments
        start, end = pool.topic_start[place_of(topic, pool.topics, "a topic") :][:2]
        rows = np.flatnonzero(pool.documents[start:end] == document)
        if not len(rows):
            raise InputError(f"expected a document of the pool of topic {topic!r}, found {shorten(document)}")
        return int(start + rows[0])

    def finished(self) -> Collection:
        """Return the edited collection; without edits, the original collection itself."""
        whole = self.collection
        if not self.edits:
            return whole
        text = "\n".join([whole.fingerprint, "edited", *map(str, self.edits)])
        return replace(
            whole,
            assessments=_relabelled(whole.assessments, self.regraded) if self.regraded else whole.assessments,
            rankings=_with_lines(whole.rankings, self.lines),
            fingerprint=hashlib.sha256(text.encode()).hexdigest(),
            subtopics=_subtopics(whole, self.regraded),
        )


def stood_at(collection: Collection, edits: Iterable[Edit | str], system: str, topic: str) -> tuple[int, ...]:
    """Return the former rank of each document of an edited ranking, in its new order; 0 for an inserted document.

    Raises InputError as `edited` does, and for an unknown system or topic.

    >>> from evalcore.data.small_collections import small_collection
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["x", "a"]})
    >>> stood_at(c, ["move:topic:s:2:1", "insert:topic:s:b:2"], "s", "topic")
    (2, 0, 1)
    """
    draft = Draft(collection)
    before = {slot: rank for rank, slot in enumerate(draft.line(system, topic), start=1)}
    for edit in edits:
        draft.add(edit)
    return tuple(before.get(slot, 0) for slot in draft.line(system, topic))


@shown
@dataclass(frozen=True, eq=False)
class WhatIf:
    """Scores before and after some edits: frames of topics x systems, for all topics."""

    measure: Measure
    before: pd.DataFrame
    after: pd.DataFrame
    means_before: pd.Series
    means_after: pd.Series

    def on_topic(self, topic: str) -> pd.DataFrame:
        """Return scores (x before, y after) and ranks of all systems on a topic, in the form of `rank_changes`."""
        return rank_changes(self.before.T[topic], self.after.T[topic])

    @cached_property
    def in_the_mean(self) -> pd.DataFrame:
        """Mean scores (x before, y after) and ranks of all systems, in the form of `rank_changes`."""
        return rank_changes(self.means_before, self.means_after)

    def tau_on(self, topic: str) -> float:
        """Return Kendall's tau_b of scores on a topic before and after; nan for one system, or if all are tied."""
        return _tau(self.before.T[topic], self.after.T[topic])

    @cached_property
    def tau(self) -> float:
        """Kendall's tau_b of the systems' mean scores, before and after."""
        return _tau(self.means_before, self.means_after)


def what_if(measure: Measure | str, collection: Collection, edits: Iterable[Edit | str]) -> WhatIf:
    """Return the scores of all systems before and after some edits; means are taken as `average_over` defines.

    Raises InputError as `edited` and `evaluate` do.

    >>> from evalcore.data.small_collections import small_collection
    >>> rankings = {"s": ["b", "a"], "z": ["a", "b"]}
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), rankings)
    >>> what_if("P@1", c, ["regrade:topic:b:relevance:1"]).in_the_mean["score_y"].to_dict()
    {'z': 1.0, 's': 1.0}
    """
    parsed = as_measure(measure, collection)
    sides = [
        (evaluate(parsed, c, topics="all"), evaluate(parsed, c).mean()) for c in (collection, edited(collection, edits))
    ]
    (before, means_before), (after, means_after) = sides
    return WhatIf(parsed, before, after, means_before, means_after)


def _tau(x: pd.Series, y: pd.Series) -> float:
    return float(tau(x, y)) if len(x) > 1 else math.nan


def _check_rank(rank: int, last: int, edit: Edit) -> None:
    if not 1 <= rank <= last:
        raise InputError(f"expected a rank from 1 to {last:,}, found {rank:,} in {shorten(str(edit))}")


def _rank(text: str) -> int:
    if not _RANK.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _grade(text: str) -> float | None:
    if text != UNASSESSED and not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return None if text == UNASSESSED else float(text)


# By type of an edit's part: the functions that write and parse it.
_TEXTS: dict[str, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    "str": (str, str),
    "int": (str, _rank),
    "tuple[int, ...]": (lambda ranks: ".".join(map(str, ranks)), lambda text: tuple(map(_rank, text.split(".")))),
    "float | None": (lambda grade: UNASSESSED if grade is None else repr(float(grade)).removesuffix(".0"), _grade),
}


def _relabelled(pool: Assessments, regraded: dict[tuple[int, str], float]) -> Assessments:
    columns, sources = dict(pool.columns), dict(pool.sources)
    for name in dict.fromkeys(aspect for _, aspect in regraded):
        own = {row: grade for (row, aspect), grade in regraded.items() if aspect == name}
        columns[name] = _written(columns[name], own)
        if name in sources:
            sources[name] = _relabelled_source(sources[name], pool.source, own)
    return replace(pool, columns=columns, sources=sources)


def _relabelled_source(sources: Sources, source: str, own: dict[int, float]) -> Sources:
    """Return the sources, with changed labels of the source in use unless it is a combination of sources."""
    name = source if source in sources.names else sources.default
    if name not in sources.labels:
        return sources
    return replace(sources, labels={**sources.labels, name: _written(sources.labels[name], own)})


def _written(values: FloatArray, own: dict[int, float]) -> FloatArray:
    changed = values.astype(float)  # a copy
    changed[list(own)] = list(own.values())
    return changed


def _with_lines(rankings: Rankings, lines: dict[int, list[int]]) -> Rankings:
    """Return the rankings, with those in `lines` (by index, in the form of `Draft.lines`) replaced."""
    length, counts = rankings.length.copy(), np.diff(rankings.indptr)
    ranks, rows, done = [], [], 0
    for at, line in sorted(lines.items()):
        slots = np.asarray(line, dtype=rankings.row.dtype)
        places = np.flatnonzero(slots >= 0)
        before = slice(done, rankings.indptr[at])
        ranks += [rankings.rank[before], (places + 1).astype(rankings.rank.dtype)]
        rows += [rankings.row[before], slots[places]]
        length[divmod(at, rankings.n_topics)], counts[at] = len(line), len(places)
        done = rankings.indptr[at + 1]
    return replace(
        rankings,
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(rankings.indptr.dtype),
        rank=np.concatenate([*ranks, rankings.rank[done:]]),
        row=np.concatenate([*rows, rankings.row[done:]]),
        length=length,
    )


def _subtopics(collection: Collection, regraded: dict[tuple[int, str], float]) -> pd.DataFrame | None:
    """Return the grades by subtopic without those of relabelled documents; None if the collection has none.

    A new label belongs to the document, not to a subtopic.
    """
    table, pool = collection.subtopics, collection.assessments
    if table is None or not regraded:
        return table
    gone = [(aspect, pool.topics[pool.topic[row]], pool.documents[row]) for row, aspect in regraded]
    return table[~pd.MultiIndex.from_frame(table[["aspect", "topic", "document"]]).isin(gone)]
