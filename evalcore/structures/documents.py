"""The two structures that measures read: the pool of assessments and the rankings over it.

Shapes: P pool rows (assessed topic-document pairs), S systems, T topics, H hits (assessed documents retrieved).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.common.cached import cached_property
from evalcore.common.constants import Topics as Topics
from evalcore.common.lazy_imports import pd, sparse
from evalcore.common.rounding import less
from evalcore.common.short_forms import shown
from evalcore.direction import Good as Good
from evalcore.errors import InputError, counted
from evalcore.structures.discretise import reached, signal_and_points
from evalcore.structures.sources import Sources
from evalcore.subjects import added, data_of

if TYPE_CHECKING:
    from evalcore.focused.passages import Passages
    from evalcore.navigation.links import Navigation

RELEVANCE = "relevance"  # default aspect of measures


def check_topics(topics: str) -> None:
    """Raise InputError unless `topics` is a known choice of the topics over which means are taken."""
    if topics not in get_args(Topics):
        raise InputError(f"expected means over the topics {' or '.join(get_args(Topics))}, found {topics!r}")


@dataclass(frozen=True)
class Scale:
    """The meaning of the numbers in one column of the pool.

    `kind` is "grades" (given by an assessor) or "signal" (a property of the document). `good` is the good end,
    "high" or "low". `gains`, if declared, are the default gains of the grades in ascending order of grade.
    `threshold`, if declared, separates good from bad values; the threshold itself counts as high.

    Every grade has one of these meanings:

    - Grades above 0 are positive (relevant, credible, ...), and 0 is the worst label, listed or not (`assumed_grades`).
    - On a declared scale of 1 to 5 the worst label is 1, and 2 is the first positive one; if low is good, all labels
      better than the highest are positive. A declared threshold separates positive labels from others.
    - A grade below 0, and below every declared grade, means "in the pool, not judged", as in trec_eval: the document
      has no gain, and counts as unassessed wherever this matters (condensed lists, Bpref, residuals).
    """

    name: str
    kind: Literal["grades", "signal"] = "grades"
    good: Good = "high"
    grades: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    gains: tuple[float, ...] = ()
    threshold: float | None = None
    unit: str = ""

    MANY = 20  # a scale with more grades is treated as continuous

    @property
    def continuous(self) -> bool:
        """True for a signal, and for more than `MANY` grades, which are too many to name one by one."""
        return self.kind == "signal" or len(self.grades) > self.MANY

    @property
    def low(self) -> float:
        return self.grades[0] if self.grades else 0.0

    @property
    def high(self) -> float:
        return self.grades[-1] if self.grades else 0.0

    def ends(self, values: FloatArray) -> tuple[float, float]:
        """Return the lowest and the highest grade; for a signal, the lowest and the highest of these values."""
        known = values[np.isfinite(values)]
        if self.grades or not len(known):
            return self.low, self.high
        return float(known.min()), float(known.max())

    @property
    def zero(self) -> float:
        """The label without gain: 0, or the worst label of a scale that begins above 0.

        >>> Scale("relevance", grades=(-1, 0, 1)).zero, Scale("ease", grades=(1, 2, 3)).zero
        (0.0, 1)
        >>> Scale("difficulty", good="low", grades=(0, 1, 2)).zero
        2
        """
        return max(self.low, 0.0) if self.good == "high" else self.high

    @property
    def positive_from(self) -> float:
        """The first positive grade: a declared threshold, or else the grade next above `zero`.

        If no grade is above `zero`, the result is `zero` + 1. If low is good, the result is instead the lowest label
        that is *not* positive, as in `Step`.

        >>> Scale("trust", grades=(0, 50, 100)).positive_from
        50
        """
        if self.threshold is not None or self.good == "low":
            return self.zero if self.threshold is None else self.threshold
        return next((grade for grade in self.grades if grade > self.zero), self.zero + 1)

    @property
    def positive(self) -> str:
        """A description of the positive values, such as "above 0".

        >>> Scale("trust", grades=(0, 50, 100)).positive, Scale("trust", threshold=60).positive
        ('above 0', 'from 60 on')
        """
        if self.good == "low":
            return f"below {self.positive_from:g}"
        return f"above {self.zero:g}" if self.threshold is None else f"from {self.threshold:g} on"

    def judged(self, values: FloatArray) -> FloatArray:
        """Return the values with nan for grades that mean "not judged".

        >>> Scale("relevance", grades=(0, 1)).judged(np.array([-2.0, 0.0, 1.0]))
        array([nan,  0.,  1.])
        """
        if self.kind == "signal":
            return values
        below = values < min(self.low, 0.0)
        return np.where(below, np.nan, values) if below.any() else values

    @property
    def border(self) -> float:
        """The declared threshold, or else the first grade of the upper half of the scale.

        >>> Scale("understandability", grades=(0, 1, 2, 3)).border
        2
        """
        if self.threshold is not None:
            return self.threshold
        middle = (self.low + self.high) / 2
        return next((grade for grade in self.grades if not less(grade, middle) and grade > self.low), middle)


def assumed_grades(values: FloatArray) -> tuple[float, ...]:
    """Return the grades of an undeclared scale: 0, and all grades above it that occur, or 1 if none does.

    >>> assumed_grades(np.array([2.0, -2.0, 3.0])), assumed_grades(np.array([0.0]))
    ((0.0, 2.0, 3.0), (0.0, 1.0))
    """
    above = np.unique(values[values > 0]).tolist()
    return (0.0, *(above or [1.0]))


@shown
@dataclass(frozen=True, eq=False)
class Assessments:
    """The pool: one row per pooled document of a topic, one column per aspect or signal.

    Rows are sorted by topic. A document without a label on an aspect has NaN there. `columns` has the original labels;
    measures read `column`, in which a grade that means "not judged" is also NaN (see `Scale`). A name that ends in cut
    points reads a signal as grades: "fog at 10, 15" has grade 1 for values of 10 or more, and
    grade 2 for 15 or more.
    """

    topics: tuple[str, ...]
    topic: IntArray  # (P,) index into topics, ascending
    documents: NDArray[np.object_]  # (P,) ids
    columns: Mapping[str, FloatArray]  # name -> (P,)
    scales: Mapping[str, Scale]
    sources: Mapping[str, Sources] = field(default_factory=dict)  # sources of labels, for aspects with several
    lead: str = ""  # the aspect chosen to lead, if any
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by grouping: (T,) the group of each topic
    source: str = ""  # source of the labels in the columns (see `judged_by`); "" for each aspect's default

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def aspects(self) -> tuple[str, ...]:
        return tuple(name for name, scale in self.scales.items() if scale.kind == "grades")

    @property
    def signals(self) -> tuple[str, ...]:
        return tuple(name for name, scale in self.scales.items() if scale.kind == "signal")

    @property
    def leading(self) -> str:
        """The default aspect of measures: relevance, or else the chosen aspect, or else the first."""
        if RELEVANCE in self.scales or not self.aspects:
            return RELEVANCE
        return self.lead if self.lead in self.aspects else self.aspects[0]

    @property
    def leading_first(self) -> tuple[str, ...]:
        """The aspects, beginning with the leading aspect."""
        return tuple(sorted(self.aspects, key=lambda name: name != self.leading))

    def named(self, name: str) -> str:
        """Return the name of a column: for "relevance" the leading aspect, for any other name the name itself."""
        return self.leading if name == RELEVANCE else name

    def column(self, name: str) -> FloatArray:
        """Return the (P,) values of an aspect or signal, NaN if not judged. Raises InputError for an unknown name."""
        scale = self.scale(name)
        if scale.name not in self.columns:  # not cached, as a slider may need hundreds
            signal, points = signal_and_points(scale.name)
            return reached(self.columns[signal], points)
        if scale.name not in self._judged:
            self._judged[scale.name] = scale.judged(self.columns[scale.name])
        return self._judged[scale.name]

    def scale(self, name: str) -> Scale:
        """Return the scale of an aspect or signal. Raises InputError for an unknown name."""
        found = self.find(name)
        if found is None:
            if not self.scales:
                hint = "the measure Score reads scores that came with the collection"
                raise InputError(f"expected labels of {name!r}, found a collection without labels ({hint})")
            known = ", ".join(self.scales)
            raise InputError(f"expected an aspect or signal of this collection ({known}), found {name!r}")
        return found

    def find(self, name: str) -> Scale | None:
        """Return the scale of an aspect or signal, or of a signal read as grades; None for an unknown name.

        Raises InputError if the cut points in the name descend.
        """
        own = self.named(name)
        if own in self.scales:
            return self.scales[own]
        signal, points = signal_and_points(own)
        if not points or signal not in self.signals:
            return None
        if not all(low <= high for low, high in zip(points, points[1:] or points, strict=False)):
            raise InputError(f"expected ascending cut points, found {own!r}")
        names = (f"below {points[0]:g}", *(f"from {point:g}" for point in points))
        grades = tuple(map(float, range(len(points) + 1)))
        return Scale(own, good=self.scales[signal].good, grades=grades, names=names)

    @cached_property
    def judged(self) -> BoolArray:
        """The (P,) mask of documents judged on any aspect or, in a pool without aspects, with a value of any signal."""
        if not self.scales:
            return np.zeros(len(self), dtype=bool)
        known: BoolArray = np.any([~np.isnan(self.column(name)) for name in self.aspects or self.scales], axis=0)
        return known

    def covered(self, names: Iterable[str]) -> BoolArray:
        """Return a (T,) mask of topics with a label or value in each of these columns.

        A grade for "not judged" counts as a label. Raises InputError for an unknown name.
        """
        every = np.ones(len(self.topics), dtype=bool)
        for name in (self.scale(name).name for name in names):
            name = name if name in self.columns else signal_and_points(name)[0]
            if name not in self._covered:
                labelled = self.topic[~np.isnan(self.columns[name])]
                self._covered[name] = np.bincount(labelled, minlength=len(self.topics)) > 0
            every &= self._covered[name]
        return every

    @cached_property
    def _covered(self) -> dict[str, BoolArray]:
        return {}

    @cached_property
    def _judged(self) -> dict[str, FloatArray]:
        return {}

    @cached_property
    def topic_start(self) -> IntArray:
        """The (T + 1,) positions at which topics begin: topic t has the rows topic_start[t]:topic_start[t + 1]."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1))

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names of all sources of labels; empty if each aspect has only one."""
        return tuple(dict.fromkeys(name for source in self.sources.values() for name in source.names))

    def judged_by(self, source: str) -> Assessments:
        """Return the pool with the labels of a source in every aspect that has it; other aspects are unchanged.

        Raises InputError if no aspect has the source.
        """
        if source not in self._by_source:
            self._by_source[source] = self._judged_by(source)
        return self._by_source[source]

    @cached_property
    def _by_source(self) -> dict[str, Assessments]:
        return {}

    def _judged_by(self, source: str) -> Assessments:
        columns = dict(self.columns)
        having = [name for name, sources in self.sources.items() if source in sources.names]
        if not having:
            known = ", ".join(self.source_names) or "one for each aspect"
            raise InputError(f"expected a source of labels of this collection ({known}), found {source!r}")
        for name in having:
            scale = self.scale(name)
            labels = {judge: scale.judged(values) for judge, values in self.sources[name].labels.items()}
            given = self.sources[name].labels.get(source)  # including "not judged", as in all columns
            columns[name] = Sources(labels, source).of(source, scale.grades, scale.good) if given is None else given
        return replace(self, columns=columns, source=source)

    def frame(self) -> pd.DataFrame:
        """Return the pool as a table, to inspect or export."""
        return pd.DataFrame({**self.ids(slice(None)), **self.columns})

    def ids(self, rows: IntArray | BoolArray | slice) -> dict[str, NDArray[np.object_]]:
        """Return a dict with the ids of some rows under the keys "topic" and "document"."""
        return {"topic": np.array(self.topics, dtype=object)[self.topic[rows]], "document": self.documents[rows]}


@dataclass(frozen=True, eq=False)
class GivenScores:
    """Scores that were computed elsewhere and came with the systems: (S, T), nan if missing."""

    values: FloatArray
    good: Good = "high"


@shown
@dataclass(frozen=True, eq=False)
class Rankings:
    """Ranks of the assessed documents of each system and topic; unassessed documents only take up ranks.

    A CSR structure whose rows are (system, topic) pairs, system by system: the hits of row `s * T + t` are
    `indptr[s * T + t] : indptr[s * T + t + 1]`, by ascending rank. In addition, or instead, there may be `given`
    scores, by the name of their measure.
    """

    systems: tuple[str, ...]
    n_topics: int
    n_pool: int
    indptr: IntArray  # (S * T + 1,)
    rank: IntArray  # (H,) from 1
    row: IntArray  # (H,) pool rows
    length: IntArray  # (S, T) documents retrieved
    average_over: Topics = "all"
    given: Mapping[str, GivenScores] = field(default_factory=dict)

    @classmethod
    def none(
        cls, systems: Sequence[str], n_topics: int, n_pool: int, given: Mapping[str, GivenScores] | None = None
    ) -> Rankings:
        """Return rankings without documents, for systems that have only given scores, or nothing."""
        lines, empty = len(systems) * n_topics, np.zeros(0, dtype=np.int32)
        length = np.zeros((len(systems), n_topics), dtype=np.int32)
        starts = np.zeros(lines + 1, dtype=np.int32)
        return cls(tuple(systems), n_topics, n_pool, starts, empty, empty, length, given=given or {})

    def counted(self, topics: Topics | None = None, covered: BoolArray | None = None) -> BoolArray:
        """Return an (S, T) mask of the topics in each system's mean (see `evalcore.data.averages`).

        `topics` is by default `average_over`. `covered` (by default all true) is a mask of the existing scores, with
        shape (T,) or (..., S, T); the result then has the shape (S, T) or (..., S, T).
        """
        shape = len(self.systems), self.n_topics
        scored = np.ones(shape, dtype=bool) if covered is None else covered
        if (topics or self.average_over) == "all":
            return np.asarray(np.broadcast_to(scored, np.broadcast_shapes(scored.shape, shape)))
        retrieved = (self.length > 0) & scored
        return np.asarray(retrieved | (scored & ~retrieved.any(axis=-1, keepdims=True)))

    def topic_means(self, scores: FloatArray) -> FloatArray:
        """Return the (..., S) means over topics of scores (..., S, T), ignoring nan; nan if no score is left."""
        scored = ~np.isnan(scores)
        if self.average_over == "all" and scored.all():
            return np.asarray(scores.mean(axis=-1))
        counted = self.counted(covered=scored)
        return divided(np.where(counted, scores, 0.0).sum(axis=-1), counted.sum(axis=-1), np.nan)

    @cached_property
    def depth(self) -> int:
        """The deepest rank at which any ranking has an assessed document; 0 if there is no assessed document."""
        return int(self.rank.max(initial=0))

    def hits(self, system: int, topic: int, depth: int) -> tuple[IntArray, IntArray]:
        """Return the positions (from 0) and pool rows of the assessed documents in the top `depth` of one ranking."""
        at = system * self.n_topics + topic
        hits = slice(self.indptr[at], self.indptr[at + 1])
        inside = self.rank[hits] <= depth
        return self.rank[hits][inside] - 1, self.row[hits][inside]

    def matrix(self, values: FloatArray) -> sparse.csr_array:
        """Return the (S * T, P) matrix with one value per hit; with discounts, it maps gains to discounted sums."""
        return self._csr(values, self.indptr)

    def system_matrix(self, values: FloatArray) -> sparse.csr_array:
        """Return the (S, P) matrix with one value per hit. It maps gains to the sum over all topics for each system."""
        return self._csr(values, self.indptr[:: self.n_topics])

    @cached_property
    def rank_matrix(self) -> sparse.csr_array:
        """The (S * depth, P) matrix with 1 for each hit, by system and rank; sweeps use it to sum gains over topics."""
        line = (self.hit_row // self.n_topics) * self.depth + self.rank - 1
        ones = np.ones(len(line))
        return sparse.csr_array((ones, (line, self.row)), shape=(len(self.systems) * self.depth, self.n_pool))

    def _csr(self, values: FloatArray, indptr: IntArray) -> sparse.csr_array:
        return sparse.csr_array((values, self.row, indptr), shape=(len(indptr) - 1, self.n_pool), copy=False)

    @cached_property
    def hit_row(self) -> IntArray:
        """The (H,) array with the number of the (system, topic) row of each hit."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))


def assessed_counts(rankings: Rankings, judged: BoolArray, depths: Sequence[int]) -> tuple[IntArray, IntArray]:
    """Return the (S, D) numbers of judged and of all documents that each system retrieved down to each of D depths.

    `judged` (P,) is a mask of judged documents. Numbers are sums over all topics.
    """
    count = len(rankings.systems)
    deepest = min(max(depths), max(rankings.depth, int(rankings.length.max(initial=0))))
    shape, at = (count, deepest + 1), np.minimum(depths, deepest)
    hits = np.flatnonzero(rankings.rank <= deepest)
    hits = hits[judged[rankings.row[hits]]]
    system = rankings.hit_row[hits] // rankings.n_topics
    found = _counts(system, rankings.rank[hits], shape).cumsum(axis=1)
    ends = np.minimum(rankings.length, deepest)  # length of each ranking, with a document at every rank down to it
    longer = _counts(np.arange(count)[:, None], ends, shape)[:, ::-1].cumsum(axis=1)[:, ::-1]
    retrieved = np.hstack([np.zeros((count, 1), dtype=int), longer[:, 1:]]).cumsum(axis=1)
    return found[:, at], retrieved[:, at]


def _counts(row: IntArray, column: IntArray, shape: tuple[int, int]) -> IntArray:
    """Return a table of this shape that counts how often each (row, column) occurs."""
    places = row * shape[1] + column
    return np.bincount(places.ravel(), minlength=shape[0] * shape[1]).reshape(shape)


@dataclass(frozen=True)
class Note:
    """One thing that the loader inferred, repaired or dropped, and why.

    A "question" is an assumption that the files neither confirm nor refute; "provenance" is metadata in a file.
    """

    kind: Literal["question", "inferred", "repaired", "dropped", "warning", "provenance"]
    where: str
    text: str


class _MadeWhenAsked:
    """A field that contains a table, or a function that makes the table when the field is first read."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.place = f"_{name}"

    def __get__(self, report: object, owner: type) -> Any:
        if report is None:
            raise AttributeError("no default")
        result = vars(report)[self.place]
        if callable(result):
            result = vars(report)[self.place] = result()
        return result

    def __set__(self, report: object, table: object) -> None:
        vars(report)[self.place] = table


def _made_when_asked() -> Any:
    return _MadeWhenAsked()


@shown
@dataclass(frozen=True, eq=False)
class LoadingReport:
    """Report of loading: a table of systems, a table of aspects and signals, notes, and metadata of files.

    The tables are made when they are first read: computing a score needs neither the tables nor pandas.
    `provenance` maps a file to its comment lines (without #), such as an ir_metadata header.
    """

    systems: pd.DataFrame = _made_when_asked()
    columns: pd.DataFrame = _made_when_asked()
    notes: tuple[Note, ...] = ()
    seconds: float = 0.0
    from_cache: bool = False
    provenance: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(
        systems: pd.DataFrame | Callable[[], pd.DataFrame],
        columns: pd.DataFrame | Callable[[], pd.DataFrame],
        notes: Sequence[Note],
    ) -> LoadingReport:
        """Return a report; it has provenance notes by file. A table may be given as the function that makes it."""
        provenance = {note.where: note.text for note in notes if note.kind == "provenance"}
        others = tuple(note for note in notes if note.kind != "provenance")
        return LoadingReport(cast(Any, systems), cast(Any, columns), others, provenance=provenance)

    def held(self, name: str) -> Any:
        """Return a table or, if the table has not been read yet, the function that makes it."""
        return vars(self)[f"_{name}"]

    def changed(self, **changes: Any) -> LoadingReport:
        """Return a report with some fields changed, without making the tables."""
        changed = copy(self)
        for name, value in changes.items():
            object.__setattr__(changed, name, value)
        return changed


Content = Literal["runs", "labels", "scores"]
"""Possible contents of a collection: rankings, assessments, scores that were computed elsewhere."""


@dataclass(frozen=True, eq=False)
class Collection:
    """Runs and assessments of one evaluation, ready for measures; or only scores, or only labels.

    `subtopics` has the columns aspect, topic, subtopic, document and grade, if qrels have subtopics; the pool then has
    each document's highest grade. `system_table` has a row of facts about each system, if such a table was given.
    """

    title: str
    assessments: Assessments
    rankings: Rankings
    report: LoadingReport
    description: str = ""
    manifest: str = ""
    fingerprint: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    queries: Mapping[str, str] = field(default_factory=dict)
    subtopics: pd.DataFrame | None = None
    system_table: pd.DataFrame | None = None
    topics_before: int = 0  # number of topics before a restriction; 0 if not restricted
    more: Mapping[str, Any] = field(default_factory=dict)  # what subjects add, by name: passages, navigation

    if TYPE_CHECKING:

        @property
        def passages(self) -> Passages | None: ...
        @property
        def navigation(self) -> Navigation | None: ...

    else:

        def __getattr__(self, name: str) -> Any:
            """Return a subject's data, such as passages; None if missing. Raises AttributeError for other names."""
            if name not in added("data"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return vars(self).get("more", {}).get(name)

    @property
    def topics(self) -> tuple[str, ...]:
        return self.assessments.topics

    @property
    def systems(self) -> tuple[str, ...]:
        return self.rankings.systems

    @property
    def aspects(self) -> tuple[str, ...]:
        return self.assessments.aspects

    @property
    def signals(self) -> tuple[str, ...]:
        return self.assessments.signals

    @property
    def leading(self) -> str:
        """The default aspect of measures (see `evalcore.lead_by`)."""
        return self.assessments.leading

    @property
    def source(self) -> str:
        """The source of the labels in use; "" for each aspect's default."""
        return self.assessments.source

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names of all sources of labels; empty if each aspect has only one."""
        return self.assessments.source_names

    @property
    def default_source(self) -> str:
        """The default source, if all aspects with several sources have the same one; else ""."""
        defaults = {source.default for source in self.assessments.sources.values()}
        return defaults.pop() if len(defaults) == 1 else ""

    @property
    def has(self) -> frozenset[Content]:
        """The kinds of data in the collection: any of "runs", "labels" and "scores".

        >>> from evalcore.data import collection
        >>> sorted(collection({"run": {"t": {"a": 1.0}}}, {"t": {"a": 1}}).has)
        ['labels', 'runs']
        """
        given = self.rankings.given
        ranked = bool(self.systems) and (not given or bool(self.rankings.length.any()))
        parts: dict[Content, bool] = {"runs": ranked, "labels": bool(self.aspects), "scores": bool(given)}
        return frozenset(part for part, there in parts.items() if there)

    def assessed_share(self, depths: Sequence[int]) -> pd.DataFrame:
        """Return the share of assessed documents among those retrieved down to each depth, systems x depths.

        Over all topics together: assessed documents in the top d / documents in the top d. A system without documents
        has 0.
        """
        found, retrieved = assessed_counts(self.rankings, self.assessments.judged, depths)
        shares = found / np.maximum(retrieved, 1)
        return pd.DataFrame(shares, index=pd.Index(self.systems, name="system"), columns=list(depths))

    def __repr__(self) -> str:
        return f"<Collection {self.title!r}: {self.summary}>"

    def _repr_html_(self) -> str:
        return f"<strong>{escape(self.title)}</strong><br>{escape(self.summary)}"

    @property
    def topics_in_words(self) -> str:
        """The number of topics as text, with the original number if the collection was restricted.

        >>> from evalcore.data import collection, restrict
        >>> c = collection({"run": {"t1": {"a": 1.0}, "t2": {"a": 1.0}}}, {"t1": {"a": 1}, "t2": {"a": 1}})
        >>> c.topics_in_words, restrict(c, topics=["t1"]).topics_in_words
        ('2 topics', '1 of 2 topics')
        """
        before = max(self.topics_before, len(self.topics))
        some = f"{len(self.topics):,} of " if len(self.topics) < before else ""
        return f"{some}{counted(before, 'topic')}"

    @property
    def n_judges(self) -> int:
        """The number of original sources of labels, if there are several; else 0."""
        return len({name for sources in self.assessments.sources.values() for name in sources.labels})

    @property
    def summary(self) -> str:
        """A description of the collection in one line."""
        counts = [
            counted(len(self.systems), "system") if self.systems else "",
            self.topics_in_words,
            counted(int(self.assessments.judged.sum()), "assessed document") if self.assessments.scales else "",
            f"scores by {counted(len(given), 'measure')}" if (given := self.rankings.given) else "",
            counted(self.n_judges, "judge") if self.n_judges and not self.systems else "",
        ]
        labels = [f"labels of {self.source}"] if self.source else []
        means = ["means over topics with results"] if self.rankings.average_over == "retrieved" else []
        columns = ", ".join((*self.aspects, *self.signals))
        return " · ".join(filter(None, [*counts, columns, *labels, *means]))


def refuse_parts(collection: Collection) -> None:
    """Raise InputError if a collection has data that a subject adds, such as passages."""
    for name in collection.more:
        what = data_of(name).IN_WORDS
        raise InputError(f"expected assessments of whole documents, found a collection with {what}")


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Return a sort key for a name, which puts q2 before q10.

    >>> sorted(["q10", "q2"], key=natural_key)
    ['q2', 'q10']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    # Python does not parse numbers of more than 4,300 digits.
    return [(0, int(part[:4000]), "") if part[0] in "0123456789" else (1, 0, part) for part in parts]
