"""Scores of a collection whose runs do not fit in memory: slices of its topics, scored by the workers of Dask.

A score depends on one topic's labels and rankings alone, so topics can be scored apart. The runs are read once, line by
line, and their lines are cut by topic into files of a temporary folder. A worker gets the labels and lines of one slice
at a time, reads them as any collection is read, and scores them by `ec.evaluate`. If a worker is lost, Dask gives its
slice to another one.

Memory: this process holds the labels, the table of scores, and `HELD` bytes of lines; it and the scheduler hold the
slices that are under way, one for each thread of the workers and one more; a worker holds one slice. A slice has
`SLICE` bytes of lines, or one topic if that has more. `tests/cli/test_cluster.py` measures the bound that
`evalcore score --help` states.

    pip install 'ir-evalcore[cluster]'
"""

from __future__ import annotations

import logging
import os
import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.constants import Order
from evalcore.common.progress import Progress
from evalcore.common.writing import temporary_folder
from evalcore.data.build_pool import read_pool
from evalcore.data.collection_files import Package
from evalcore.data.file_kind import Look
from evalcore.data.manifest import FILE_NAME
from evalcore.data.pool_index import PoolIndex
from evalcore.data.runs import Run, assembled, in_order, read_run, refuse_no_common_topic
from evalcore.data.sources import Source
from evalcore.data.text_files import BLANK, BOM, data_head, fields_of, first_fields, text_of, without_comments
from evalcore.errors import InputError, counted, not_installed, shorten
from evalcore.limits import refuse_more
from evalcore.measures.base import GainMeasure, Measure, as_measure
from evalcore.measures.evaluation import frame_of, shared_coverage
from evalcore.notation.values import values_in
from evalcore.structures.documents import Collection, LoadingReport, Rankings

MEMORY = "1GB"  # of each worker on this machine
SLICE = 8 << 20  # bytes of lines in a slice of several topics
HELD = 16 << 20  # bytes of lines that wait to be written
UNSEEN = "127.0.0.1:0"  # where Dask tells of itself: any free port, as its own may be taken, for this machine only
MOST_FILES = 2000  # that the lines are cut into
ANSWER, ARRIVAL, LOOK = 10.0, 60.0, 0.5  # seconds: for a scheduler, for a worker, between two looks at the work
NAMED = 3  # files that an error names
# All lines of one topic that follow each other
_GROUP = re.compile(
    rb"[\x01-\x20]*([^\x00-\x20]+)(?=[\x01-\x20])[^\n]*\n(?:[\x01-\x09\x0b-\x20]*\1(?=[\x01-\x20])[^\n]*\n)*"
)


@dataclass(frozen=True, eq=False)
class Start:
    """A collection before its runs are read: labels, systems without rankings, and the file of each system."""

    collection: Collection
    runs: Mapping[str, Source]
    order: Order


@dataclass(frozen=True, eq=False)
class Slice:
    """Some topics: their labels, and their lines of every run, each after its number and a zero byte."""

    part: Collection
    lines: bytes
    files: Mapping[str, str]  # by system
    ranked: frozenset[str]  # systems whose lines have three fields
    order: Order
    depth: int | None  # ranks that count

    @property
    def words(self) -> str:
        """Name the topics and the files of the slice."""
        names, topics = list(self.files.values()), self.part.topics
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        ends = topics[0] if len(topics) == 1 else f"{topics[0]} to {topics[-1]}"
        return f"the slice of {counted(len(topics), 'topic')} ({ends}) of {', '.join(names[:NAMED])}{more}"


def opened(package: Package, progress: Progress) -> Start:
    """Read all of a collection but its runs. Raises InputError for one that cannot be cut by topic."""
    manifest = package.manifest
    for name in ("passages", "navigation", "scores"):
        if getattr(manifest, name):
            raise InputError(f"[{name}] cannot be cut into slices: leave out --cluster", FILE_NAME)
    if manifest.order == "urbp-tool":
        raise InputError("order urbp-tool needs whole runs, which slices do not have: leave out --cluster")
    for source in package.inputs.runs:
        if Look(source).is_table:
            problem = "slices are cut from TREC runs (topic Q0 document rank score tag, or topic document rank)"
            raise InputError(f"{problem}, and this is a table: `evalcore convert` writes runs from it", source.name)
    order = cast(Order, manifest.order)
    runs = {source.stem: source for source in in_order(package.inputs.runs, order)}
    read = read_pool(manifest, package.inputs, progress)
    systems, pool = tuple(runs), read.assessments
    report = LoadingReport.of(pd.DataFrame, read.described, (*package.guesses, *read.notes))
    rankings = Rankings.none(systems, len(pool.topics), len(pool))
    collection = Collection(manifest.title, pool, rankings, report, subtopics=read.subtopics)
    return Start(collection, runs, order)


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise not_installed("distributed", "cluster") from None


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address, or of workers on this machine that end with it ("local").

    Raises InputError if Dask is not installed, nobody answers, or no worker appears.
    """
    distributed = _distributed()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are reported in our words
    if address == "local":
        count = min(os.cpu_count() or 1, 4)
        how: dict[str, Any] = {"memory_limit": MEMORY, "dashboard_address": UNSEEN, "silence_logs": logging.CRITICAL}
        local = distributed.LocalCluster(count, threads_per_worker=1, **how)
        with local, distributed.Client(local, set_as_default=False) as client:
            yield client
        return
    try:
        client = distributed.Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        problem = f"no Dask scheduler answers here ({error}): start one with `dask scheduler`, or use --cluster local"
        raise InputError(problem, address) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=ARRIVAL)
        except OSError:  # TimeoutError is one
            problem = f"the scheduler has had no worker for {ARRIVAL:g} s: start one with `dask worker {address}`"
            raise InputError(problem, address) from None
        yield client


def scored(
    start: Start,
    collection: Collection,
    measures: Mapping[str, Measure],
    client: Any,
    progress: Progress,
    *,
    depth: int | None = None,
    size: int = SLICE,
) -> tuple[dict[str, pd.DataFrame], Collection]:
    """Score the systems and topics of `collection`, which is what was chosen of the one that was opened.

    Returns frames of topics x systems by the names of the measures, equal to those of `ec.evaluate` on the whole
    collection; and the collection with the lengths of its rankings. `depth` is the number of ranks that count. Raises
    InputError for a measure that reads several topics at once, and for what is wrong in a slice, with its files.
    """
    measures = {name: as_measure(measure, collection) for name, measure in measures.items()}
    _refuse_uncovered(measures.values(), collection)
    count, done = len(collection.topics), 0
    scores = np.full((len(measures), len(collection.systems), count), np.nan)
    length = np.zeros(scores.shape[1:], dtype=np.int32)
    with temporary_folder() as folder:
        cut = _Cut(start, collection, folder)
        cut.write(progress)
        results = _results(
            client,
            cut.slices(size, depth),
            list(measures.values()),
            lambda: progress((1 + done / count) / 2, f"Scoring slices: {done:,} of {counted(count, 'topic')}"),
        )
        for topics, (found, lengths) in results:
            at = slice(first := collection.topics.index(topics[0]), first + len(topics))
            scores[:, :, at], length[:, at] = found, lengths
            done += len(topics)
    ranked = replace(collection, rankings=replace(collection.rankings, length=length))
    pairs = zip(measures.items(), scores, strict=True)
    return {name: frame_of(measure, own, ranked) for (name, measure), own in pairs}, ranked


def _refuse_uncovered(measures: Iterable[Measure], collection: Collection) -> None:
    """Raises InputError for a measure that no topic has labels for, or that scores a topic by the labels of others."""
    pool = collection.assessments
    for measure in measures:
        shared_coverage([measure], pool)
        if any(isinstance(part, GainMeasure) and part.needs_whole_pool(pool) for part in values_in(measure)):
            problem = "needs labels of other topics to score a topic, which a slice does not have: leave out --cluster"
            raise InputError(problem, str(measure))


# --- cutting ----------------------------------------------------------------------------------------------------------


class _Cut:
    """The lines of runs, by topic: in a file for each topic, or for a few that follow each other."""

    def __init__(self, start: Start, collection: Collection, folder: Path) -> None:
        self.collection = replace(collection, report=LoadingReport.of(pd.DataFrame, pd.DataFrame, ()))
        self.start, self.folder = start, folder
        self.topics_each = -(-len(collection.topics) // MOST_FILES)
        self.place = {topic.encode(): at // self.topics_each for at, topic in enumerate(collection.topics)}
        self.sizes = [0] * (max(self.place.values()) + 1)
        self.ranked = set[str]()

    def write(self, progress: Progress) -> None:
        """Read every run once. Raises InputError for what is no run, and for runs without an assessed topic."""
        facts, count = list[dict[str, Any]](), len(self.collection.systems)
        waiting, held = dict[int, list[bytes]](), 0
        for number, system in enumerate(self.collection.systems):
            progress(number / count / 2, f"Cutting runs: {number:,} of {count:,}")
            source, last = self.start.runs[system], -1
            if len(_first_fields(source)) == 3:
                self.ranked.add(system)
            fact = {"file": source.name, "topics": 0, "dropped_example": ""}
            for topic, lines in _by_topic(source):
                at = self.place.get(topic)
                if at is None:
                    self._refuse_misread(source, topic, lines)
                    fact["dropped_example"] = fact["dropped_example"] or topic.decode(errors="replace")
                    continue
                begin = b"" if at == last else b"\0%d\n" % number
                waiting.setdefault(at, []).append(begin + lines)
                fact["topics"], last = 1, at
                held += len(lines)
                if held > HELD:
                    self._append(waiting)
                    held = 0
            facts.append(fact)
        self._append(waiting)
        refuse_no_common_topic(facts, self.collection.topics)

    def _refuse_misread(self, source: Source, topic: bytes, lines: bytes) -> None:
        """Raises InputError for lines of an unassessed topic that is written otherwise, or that are none of a run."""
        other = topic.removesuffix(b".0") if topic.endswith(b".0") else topic + b".0"
        if other in self.place:
            problem = f"its topic {topic.decode()} is {other.decode()} among the labels: use the same form in both"
            raise InputError(problem, source.name)
        line = lines.strip(BLANK).split(b"\n", 1)[0]
        width = len(fields_of(line))
        if width != 3 and width < 6 and not line.startswith((b"#", b"<SYSDESC>")):
            problem = f"a TREC run has 6 fields (topic Q0 document rank score tag), this line has {width}"
            raise InputError(f"{problem}: {shorten(line)}", source.name)

    def _append(self, waiting: dict[int, list[bytes]]) -> None:
        for at, pieces in waiting.items():
            with self._file(at).open("ab") as file:
                self.sizes[at] += file.write(b"".join(pieces))
        waiting.clear()

    def _file(self, at: int) -> Path:
        return self.folder / f"{at:06d}"

    def slices(self, size: int, depth: int | None) -> Iterator[Slice]:
        """Files that follow each other, as many as have `size` bytes together; one at least."""
        begin, together = 0, 0
        for at, own in enumerate(self.sizes):
            if at > begin and together + own > size:
                yield self._slice(begin, at, depth)
                begin, together = at, 0
            together += own
        yield self._slice(begin, len(self.sizes), depth)

    def _slice(self, begin: int, end: int, depth: int | None) -> Slice:
        topics = self.collection.topics[begin * self.topics_each : end * self.topics_each]
        lines = b"".join(self._file(at).read_bytes() for at in range(begin, end) if self.sizes[at])
        files = {system: self.start.runs[system].name for system in self.collection.systems}
        part = ec.restrict(self.collection, topics=topics)
        return Slice(part, lines, files, frozenset(self.ranked), self.start.order, depth)


def _first_fields(source: Source) -> list[bytes]:
    """The fields of the first line of a run. Raises InputError for what is no text, or nothing."""
    head = data_head(source)
    text_of(head[: head.rfind(b"\n") + 1] or head, source.name, "a TREC run")
    if b"\n" not in (raw := source.head()) and b"\r" in raw.strip():
        raise InputError("its lines end with CR, as on old Macs: save it with line feeds (LF)", source.name)
    return first_fields(without_comments(head)[0])


def _by_topic(source: Source) -> Iterator[tuple[bytes, bytes]]:
    """Topics as they come, and the lines of each. Raises InputError for what is no text, and for a damaged file."""
    rest, mark = b"", BOM
    for piece in source.pieces():
        if b"\0" in piece:
            raise InputError("expected a TREC run in UTF-8, found zero bytes: save it as UTF-8", source.name)
        text = rest + piece.removeprefix(mark)
        end, mark = text.rfind(b"\n") + 1, b""
        yield from _groups(text[:end])
        rest = text[end:]
        refuse_more("line_bytes", len(rest), where=source.name)
    yield from _groups(rest)


def _groups(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    # Without blanks at the end, so that there is always one more match: looking for one in vain takes long.
    return ((match[1], match[0]) for match in _GROUP.finditer(text.rstrip(BLANK) + b"\n"))


# --- scoring ----------------------------------------------------------------------------------------------------------


def _results(
    client: Any, pieces: Iterator[Slice], measures: Sequence[Measure], tell: Callable[[], None]
) -> Iterator[tuple[tuple[str, ...], tuple[FloatArray, IntArray]]]:
    """The topics of each slice with what `score_slice` gives, as they are done; a few slices are under way at once.

    Raises InputError for a slice that fails, and if the scheduler or all workers are gone.
    """
    running, seen = dict[Any, Slice](), time.monotonic()
    try:
        while True:
            threads = sum(client.nthreads().values())
            seen = time.monotonic() if threads else seen
            if time.monotonic() - seen > ARRIVAL:
                raise InputError(f"there has been no worker for {ARRIVAL:g} s: start one with `dask worker`")
            while len(running) <= threads and (piece := next(pieces, None)):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # that a slice is large
                    future = client.submit(score_slice, ec.__version__, piece, measures, pure=False)
                running[future] = replace(piece, lines=b"")
            if not running:
                return
            tell()
            with suppress(TimeoutError), client.as_current():
                _distributed().wait(list(running), LOOK, "FIRST_COMPLETED")
            for future in [future for future in running if future.done()]:
                piece = running.pop(future)
                yield piece.part.topics, _result(future, piece)
    except (CancelledError, OSError) as error:
        raise InputError(f"the Dask scheduler is gone ({error}): start it again") from None
    finally:
        with suppress(OSError):
            client.cancel(list(running))


def _result(future: Any, piece: Slice) -> Any:
    try:
        return future.result()
    except InputError as error:
        raise InputError(f"{error.problem}; found in {piece.words}", error.where) from None
    except _distributed().KilledWorker:
        problem = "workers were killed repeatedly while they scored this: do they have too little memory?"
    except (CancelledError, OSError):
        raise
    except Exception as error:  # whatever a worker may raise, such as for a package that it lacks
        problem = f"{type(error).__name__}: {error}"
    raise InputError(problem, piece.words)


def score_slice(version: str, piece: Slice, measures: Sequence[Measure]) -> tuple[FloatArray, IntArray]:
    """Scores (M, S, T) of a slice, and the lengths (S, T) of its rankings; on a worker.

    Raises InputError for bad lines, for a measure that cannot be used, and for another `version` of evalcore.
    """
    if version != ec.__version__:
        raise InputError(f"the worker has evalcore {ec.__version__}, not {version}: install the same version there")
    pool, texts = piece.part.assessments, dict[int, list[bytes]]()
    for chunk in piece.lines.split(b"\0")[1:]:
        number, _, lines = chunk.partition(b"\n")
        texts.setdefault(int(number), []).append(lines)
    index = PoolIndex.of(pool)
    runs = [_run(piece, index, system, b"".join(texts.pop(at, []))) for at, system in enumerate(piece.files)]
    part = replace(piece.part, rankings=assembled(runs, pool))
    if piece.depth is not None:
        part = ec.cut_rankings(part, piece.depth)
    nothing = np.full(part.rankings.length.shape, np.nan)
    scores = [
        ec.evaluate(measure, part, topics="all").to_numpy().T if measure.covered(pool).any() else nothing
        for measure in measures
    ]
    return np.array(scores), part.rankings.length


def _run(piece: Slice, index: PoolIndex, system: str, text: bytes) -> Run:
    """The rankings of a system. Raises InputError for a bad line, which it quotes: its number is that in the slice."""
    name = piece.files[system]
    if not text:
        none, length = np.zeros(0, dtype=np.int32), np.zeros(len(piece.part.topics), dtype=np.int64)
        return Run(system, none, none.astype(np.int64), none, length, {})
    if (len(fields_of(first := text.split(b"\n", 1)[0])) == 3) != (system in piece.ranked):
        raise InputError(f"lines of one file must all have 3 fields or all have 6: {shorten(first)}", name)
    try:
        return read_run(Source(name, lambda: text, label=system), index, piece.order)
    except InputError as error:
        line = shorten(text.split(b"\n")[error.line - 1]) if error.line else ""
        quoted = "" if line in error.problem else f", in the line {line}"
        raise InputError(error.problem + quoted, error.where) from None
