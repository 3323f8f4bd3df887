"""A collection in parts: what is common to all is in memory, pools and rankings are read part by part."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray, IntArray
from evalcore.data.averages import averaged_fingerprint
from evalcore.data.judged import judged_fingerprint, labelled_topics, same_labels
from evalcore.data.restricting import places
from evalcore.data.store import About, read_about, read_report, read_subtopics, read_system_table
from evalcore.errors import InputError, counted
from evalcore.measures.base import Measure
from evalcore.progress import Tell, tell_share
from evalcore.scale.joining import joined_pool, joined_rankings
from evalcore.scale.scoring import Failure, Selection, score_part
from evalcore.scale.tasks import LocalRunner, Runner, Task
from evalcore.structures.documents import (
    Assessments,
    Collection,
    GivenScores,
    LoadingReport,
    Outlined,
    Rankings,
    Topics,
    assessed_counts,
)
from evalcore.structures.sources import Sources

SCORES_AT_ONCE = 256 << 20  # bytes
BYTES_PER_HIT, BYTES_PER_RANKING, BYTES_PER_ROW = 8, 8, 150  # of a collection in memory; a row has a document's id
Result = TypeVar("Result")


def open_partitions(folder: str | Path, runner: Runner | None = None) -> PartitionedCollection:
    """Open a folder that `partition` wrote; nothing but the description is read.

    Parts are scored by `runner`: by default one after another in this process, on a cluster by what
    `evalcore.scale.cluster.connect` gives, whose workers must see the folder under the same path. Raises InputError
    where the folder holds no such collection.
    """
    place = Path(folder).resolve()
    about = read_about(place)
    return PartitionedCollection(Selection(str(place), about.fingerprint), runner or LocalRunner())


@dataclass(frozen=True, eq=False)
class PartitionedCollection(Outlined):
    """A collection whose rankings stay on disk. `evaluate`, `residual`, `sweep` and `evalcore.sensitivity` take it.

    Iterating gives its parts, each a collection of its own. The pool is read, and kept, when something asks for
    `assessments`; what asks for the hits of `rankings` gets a InputError, as they may not fit in memory.
    """

    selection: Selection
    runner: Runner = field(default_factory=LocalRunner)
    average_over: Topics = "all"
    passages = None
    navigation = None

    @property
    def about(self) -> About:
        return self.selection.about

    @property
    def title(self) -> str:
        return self.about.title

    @property
    def description(self) -> str:
        return self.about.description

    @property
    def manifest(self) -> str:
        return self.about.manifest

    @cached_property
    def fingerprint(self) -> str:
        """That of the collection in memory; of some systems and topics, that of the collection so restricted."""
        own = self._fingerprint
        return own if self.average_over == "all" else averaged_fingerprint(own, self.average_over)

    @property
    def _fingerprint(self) -> str:
        whole, source = self.about.fingerprint, self.selection.source
        whole = judged_fingerprint(whole, source) if source else whole
        if len(self.systems) == len(self.about.systems) and len(self.topics) == len(self.about.topics):
            return whole
        every = {topic: at for at, topic in enumerate(self.about.topics)}
        identity = [whole, *self.systems, "", *(str(every[topic]) for topic in self.topics)]
        return hashlib.sha256("\n".join(identity).encode()).hexdigest()

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return self.about.topics if self.selection.topics is None else self.selection.topics

    @property
    def systems(self) -> tuple[str, ...]:
        return self.about.systems if self.selection.systems is None else self.selection.systems

    @cached_property
    def outline(self) -> Assessments:
        """The pool without its rows, none of which is read for it."""
        rows, ids = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=object)
        sources = {name: Sources(dict.fromkeys(of, np.zeros(0)), of[0]) for name, of in self.about.sources.items()}
        return Assessments(self.topics, rows, ids, {}, self.about.scales, sources, source=self.selection.source)

    @property
    def topics_in_words(self) -> str:
        """How many topics there are, and of how many in the folder where it was restricted to some."""
        count, whole = len(self.topics), sum(len(part.topics) for part in self.about.parts)
        return f"{count:,} of {counted(whole, 'topic')}" if count < whole else counted(whole, "topic")

    @property
    def queries(self) -> Mapping[str, str]:
        return self.about.queries

    @property
    def texts(self) -> Mapping[str, str]:
        """None here: the parts have theirs."""
        return {}

    @cached_property
    def report(self) -> LoadingReport:
        report = read_report(Path(self.selection.folder), self.about)
        return replace(report, systems=report.systems.loc[list(self.systems)])

    @property
    def subtopics(self) -> pd.DataFrame | None:
        """Grades by subtopic, as of a collection in memory."""
        return read_subtopics(Path(self.selection.folder), self.about, self.topics)

    @property
    def system_table(self) -> pd.DataFrame | None:
        """What systems are made of, as of a collection in memory."""
        table = read_system_table(Path(self.selection.folder), self.about)
        return None if table is None else table.loc[list(self.systems)]

    @cached_property
    def assessments(self) -> Assessments:
        """The whole pool."""
        return self.selection.pool()

    @cached_property
    def rankings(self) -> PartitionedRankings:
        """What is known of the rankings without their hits."""
        return PartitionedRankings(self)

    @property
    def n_parts(self) -> int:
        return len(self.selection.numbers)

    def __iter__(self) -> Iterator[Collection]:
        return (self.selection.part(number) for number in self.selection.numbers)

    def __repr__(self) -> str:
        return f"<PartitionedCollection {self.title!r}: {self.summary}>"

    @property
    def summary(self) -> str:
        """What is in the folder, in one line."""
        rows = sum(self.about.parts[number].rows for number in self.selection.numbers)
        counts = [f"{len(self.systems):,} systems", self.topics_in_words, f"{self.n_parts:,} parts"]
        if self.selection.topics is None:
            counts.insert(2, f"{rows:,} assessed documents")
        labels = [f"labels of {self.source}"] if self.source else []
        return " · ".join([*counts, ", ".join((*self.aspects, *self.signals)), *labels])

    def on(self, runner: Runner) -> PartitionedCollection:
        """The same collection, scored by another runner."""
        return replace(self, runner=runner)

    def restricted(
        self, systems: Iterable[str] | None = None, topics: Iterable[str] | None = None
    ) -> PartitionedCollection:
        """These systems and these topics only, as `evalcore.restrict` chooses them."""
        s = [self.systems[at] for at in places(self.systems, systems, "systems")]
        t = [self.topics[at] for at in places(self.topics, topics, "topics")]
        if len(s) == len(self.systems) and len(t) == len(self.topics):
            return self
        return replace(self, selection=replace(self.selection, systems=tuple(s), topics=tuple(t)))

    def averaged_over(self, topics: Topics) -> PartitionedCollection:
        """The same collection with means over other topics, as `evalcore.average_over` says."""
        return replace(self, average_over=topics)

    def judged_by(self, source: str) -> PartitionedCollection:
        """The same collection with the labels of a source, as `evalcore.judged_by` says; the pool is read for it."""
        pool = self.assessments.judged_by(source)
        if same_labels(pool, self.assessments):
            return self
        topics = self.restricted(topics=labelled_topics(pool, source))
        return replace(topics, selection=replace(topics.selection, source=source))

    def rankings_of(self, topic: str) -> Rankings:
        """The rankings of one topic in memory, over the whole pool; those of other topics without their hits."""
        at, part = self.topics.index(topic), next(iter(self.restricted(topics=[topic])))
        sizes = np.zeros((len(self.systems), len(self.topics)), dtype=np.int64)
        sizes[:, at] = np.diff(part.rankings.indptr)
        return Rankings(
            systems=self.systems,
            n_topics=len(self.topics),
            n_pool=len(self.assessments),
            indptr=np.append(0, np.cumsum(sizes)),
            rank=part.rankings.rank,
            row=part.rankings.row + int(self.assessments.topic_start[at]),
            length=self.rankings.length,
            average_over=self.average_over,
        )

    def map(self, function: Callable[..., Result], *arguments: Any) -> Iterator[Result]:
        """function(part, *arguments) of every part, in order, wherever the runner runs it.

        The function must depend on nothing but what it is given, and the arguments be told apart by their text.
        """
        what = f"{function.__module__}.{function.__qualname__}", repr(arguments)
        given = [(self.selection, number, function, arguments) for number in self.selection.numbers]
        tasks = [Task((*each[:2], *what), _applied, each, self.selection.file) for each in given]
        yield from self.runner.run(tasks)

    def score_each(
        self, measures: Sequence[Measure], how: str = "scores_on", tell: Tell | None = None
    ) -> Iterator[FloatArray | InputError]:
        """For each measure its (S, T) scores, put together from the parts, or the error of the first part that has one.

        As many measures are scored at once as SCORES_AT_ONCE bytes hold scores of.
        """
        at_once = max(1, SCORES_AT_ONCE // (8 * len(self.systems) * len(self.topics)))
        groups = [tuple(measures[at : at + at_once]) for at in range(0, len(measures), at_once)]
        numbers = self.selection.numbers
        tasks = [self._task(number, group, how) for group in groups for number in numbers]
        results = self.runner.run(tasks, tell)
        for group in groups:
            scored: list[list[FloatArray | Failure]] = list(islice(results, len(numbers)))
            yield from (self._together([part[at] for part in scored]) for at in range(len(group)))

    def _task(self, number: int, measures: tuple[Measure, ...], how: str) -> Task:
        texts = tuple((type(measure).__module__, str(measure)) for measure in measures)
        arguments = (self.selection, number, measures, how)
        return Task((self.selection, number, texts, how), score_part, arguments, self.selection.file)

    def _together(self, parts: Sequence[FloatArray | Failure]) -> FloatArray | InputError:
        scores = np.empty((len(self.systems), len(self.topics)))
        done = 0
        for part in parts:
            if isinstance(part, tuple):
                return InputError(*part)
            scores[:, done : done + part.shape[1]] = part
            done += part.shape[1]
        return scores

    @property
    def bytes_in_memory(self) -> int:
        """About how much the whole collection would take in memory."""
        parts = [self.about.parts[number] for number in self.selection.numbers]
        columns = 8 * (len(self.about.scales) + sum(map(len, self.about.sources.values())))
        return sum(
            BYTES_PER_HIT * part.hits
            + BYTES_PER_RANKING * len(self.systems) * len(part.topics)
            + (BYTES_PER_ROW + columns) * part.rows
            for part in parts
        )

    def assessed_share(self, depths: Sequence[int]) -> pd.DataFrame:
        """As of a collection in memory."""
        counted = list(self.map(_assessed_counts, tuple(depths)))
        found, retrieved = (sum(part[at] for part in counted) for at in (0, 1))
        return pd.DataFrame(
            found / np.maximum(retrieved, 1), index=pd.Index(self.systems, name="system"), columns=list(depths)
        )

    def in_memory(self, tell: Tell | None = None) -> Collection:
        """All parts as one collection, the same as the one that was written."""
        parts = []
        for part in self:
            parts.append(part)
            tell_share(tell, len(parts) / self.n_parts)
        rankings = joined_rankings([part.rankings for part in parts])
        return replace(
            parts[0],
            assessments=joined_pool([part.assessments for part in parts]),
            rankings=replace(rankings, average_over=self.average_over),
            report=self.report,
            fingerprint=self.fingerprint,
            texts={document: text for part in parts for document, text in part.texts.items()},
            queries=self.queries,
            subtopics=self.subtopics,
            system_table=self.system_table,
        )


def _applied(selection: Selection, number: int, function: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
    return function(selection.part(number), *arguments)


def _assessed_counts(part: Collection, depths: Sequence[int]) -> tuple[IntArray, IntArray]:
    return assessed_counts(part.rankings, part.assessments.judged, depths)


def _refuse(self: PartitionedRankings) -> Any:
    raise InputError(
        "expected a collection in memory, found one in parts: this looks at rankings document by document. Take some "
        "of its topics, or read it whole (in_memory)",
        self.whole.title,
    )


class PartitionedRankings(Rankings):
    """What is known of rankings in parts: all but their hits. Asking for those raises InputError."""

    indptr = rank = row = hit_row = matrix = system_matrix = rank_matrix = property(_refuse)

    def __init__(self, whole: PartitionedCollection) -> None:
        object.__setattr__(self, "whole", whole)

    whole: PartitionedCollection

    @property
    def systems(self) -> tuple[str, ...]:
        return self.whole.systems

    @property
    def n_topics(self) -> int:
        return len(self.whole.topics)

    @property
    def n_pool(self) -> int:
        return len(self.whole.assessments)

    @property
    def average_over(self) -> Topics:
        return self.whole.average_over

    @property
    def given(self) -> Mapping[str, GivenScores]:
        """None: parts are made of runs."""
        return {}

    @cached_property
    def length(self) -> IntArray:
        """(S, T) documents retrieved."""
        selection = self.whole.selection
        return np.concatenate([selection.lengths(number) for number in selection.numbers], axis=1)

    @property
    def depth(self) -> int:
        """The deepest rank that holds an assessed document, of any system and topic in the folder."""
        return max((part.deepest for part in self.whole.about.parts), default=0)
