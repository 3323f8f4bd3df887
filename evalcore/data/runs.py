"""TREC runs -> `Rankings`. Order, ties, duplicates and unassessed documents are decided here, once.

A file is taken apart in blocks with array operations. Of a line only numbers are kept: its topic, score and rank, a
64-bit key of its document and the pool row; of a ranking only the assessed documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.data.fields import Fields, blocks, split, text_of, words_at
from evalcore.data.pool import PoolIndex
from evalcore.data.sources import Source
from evalcore.data.structures import Assessments, Note, Rankings, natural_key
from evalcore.errors import DataError

Order = Literal["score", "rank", "file", "urbp-tool"]
ORDERS: tuple[str, ...] = get_args(Order)
COLUMNS = ("topic", "Q0", "document", "rank", "score", "tag")
WORKERS = 2
Progress = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class Run:
    """One system: its hits by topic and rank, the length of its rankings, and facts for the report."""

    system: str
    topic: NDArray[np.int64]
    rank: NDArray[np.int64]
    row: NDArray[np.int64]
    length: NDArray[np.int64]  # (T,)
    facts: dict[str, Any]


@dataclass(frozen=True, eq=False)
class _Lines:
    """Lines of one run, as columns."""

    topic: NDArray[np.int64]
    score: NDArray[np.float64]
    rank: NDArray[np.float64]  # as written
    key: NDArray[np.uint64]
    row: NDArray[np.int64]  # pool row, -1 if unassessed
    start: NDArray[np.int64]  # of the document id in the text
    end: NDArray[np.int64]

    def take(self, which: NDArray[Any]) -> _Lines:
        return _Lines(*(getattr(self, column.name)[which] for column in fields(self)))

    @staticmethod
    def joined(parts: Sequence[_Lines]) -> _Lines:
        names = [column.name for column in fields(_Lines)]
        return _Lines(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def read_rankings(
    sources: Sequence[Source], pool: Assessments, order: Order = "score", progress: Progress | None = None
) -> tuple[Rankings, pd.DataFrame, list[Note]]:
    """Read one run per source. Returns the rankings, a table of facts per system, and notes.

    Raises DataError for bad lines, two runs with one name, an unknown order, or no topic in common with the pool.
    """
    if order not in ORDERS:
        raise DataError(f"expected order to be one of {', '.join(ORDERS)}, found {order!r}")
    _refuse_same_names(sources)
    runs = []
    for run in _read_all(sources, PoolIndex.of(pool), order):
        runs.append(run)
        if progress:
            progress(len(runs) / len(sources), f"Reading runs: {len(runs)} of {len(sources)}")
    _refuse_no_common_topic(runs, pool)
    names = pd.Index([run.system for run in runs], name="system", dtype=object)
    facts = pd.DataFrame([run.facts for run in runs], index=names)
    return _assemble(runs, pool), facts, [note for run in runs for note in _notes(run, len(pool.topics), order)]


def read_run(source: Source, index: PoolIndex, order: Order = "score") -> Run:
    """Read one TREC run: six fields a line, tabs or spaces, any rank base.

    Order "score": by score descending, ties by document id descending, as trec_eval does. "rank": by the rank column;
    where it is constant, file order. "file": as the lines stand. "urbp-tool": "rank", but a constant rank column is
    read as 1, 3, 4, ... as the uRBP tool of 2016 does. A document listed again in one ranking keeps its place there
    and earns nothing.
    """
    text = text_of(source.read(), source.name, "a TREC run")
    names = dict(index.topics)
    read = _Lines.joined([_read_block(split(text, source.name, COLUMNS, *at), index, names) for at in blocks(text)])
    assessed = read.topic < len(index.topics)
    lines, tied = _sorted(read if assessed.all() else read.take(assessed), text, order)
    rank = _ranks(lines.topic)
    constant_rank = bool(len(read.rank) > 1 and (read.rank == read.rank[0]).all())
    if order == "urbp-tool" and constant_rank:
        rank = rank + (rank > 1)
    repeated = len(lines.key) - len(np.unique(lines.key))
    hits = np.flatnonzero(lines.row >= 0)
    if repeated:
        hits = hits[_first_of_each(lines.row[hits])]
    length = np.bincount(lines.topic, minlength=len(index.topics))
    dropped = [name.decode(errors="replace") for name in names.keys() - index.topics.keys()]
    facts = {
        "file": source.name,
        "tag": _first_tag(text),
        "lines": len(read.topic),
        "topics": int(np.count_nonzero(length)),
        "assessed": len(hits),
        "tied": tied,
        "repeated": repeated,
        "constant_rank": constant_rank,
        "contradictions": _contradictions(read),
        "dropped_lines": len(read.topic) - len(lines.topic),
        "dropped_topics": len(dropped),
        "dropped_example": min(dropped, key=natural_key, default=""),
    }
    return Run(source.stem, lines.topic[hits], rank[hits], lines.row[hits], length, facts)


def _read_all(sources: Sequence[Source], index: PoolIndex, order: Order) -> Iterator[Run]:
    """Runs in the natural order of their names; two are read at a time, as numpy and zlib release the lock."""
    ordered = sorted(sources, key=lambda source: natural_key(source.stem))
    with ThreadPoolExecutor(max_workers=WORKERS) as executor:
        jobs = [executor.submit(read_run, source, index, order) for source in ordered]
        try:
            yield from (job.result() for job in jobs)
        finally:
            for job in jobs:
                job.cancel()


def _read_block(part: Fields, index: PoolIndex, names: dict[bytes, int]) -> _Lines:
    topic = _topic_codes(part, names)
    words = part.words(2)
    key = index.keys_of(words, topic)
    row = np.full(len(part), -1)
    lines, rows = index.find(key, words, topic)
    row[lines] = rows
    return _Lines(
        topic, part.numbers(4, "score"), part.numbers(3, "rank"), key, row, part.starts[:, 2], part.ends[:, 2]
    )


def _topic_codes(part: Fields, names: dict[bytes, int]) -> NDArray[np.int64]:
    """A code per line; topics that `names` does not hold yet are added to it."""
    words = part.words(0)
    new = np.zeros(len(part), dtype=bool)
    new[0] = True
    for word in words:
        new[1:] |= word[1:] != word[:-1]
    firsts = np.flatnonzero(new)
    codes = [names.setdefault(part.field(row, 0), len(names)) for row in firsts.tolist()]
    return np.repeat(np.array(codes), np.diff(np.append(firsts, len(part))))


def _sorted(lines: _Lines, text: bytes, order: Order) -> tuple[_Lines, int]:
    """Lines by topic and, within a topic, best first; and how many share their score with a neighbour."""
    value = {"score": -lines.score, "file": np.zeros(len(lines.topic))}.get(order, lines.rank)
    step = np.diff(lines.topic)
    if (step < 0).any() or ((step == 0) & (np.diff(value) < 0)).any():
        by_value = np.lexsort((value, lines.topic))
        lines, value = lines.take(by_value), value[by_value]
    equal = (np.diff(lines.topic) == 0) & (np.diff(value) == 0)
    if order != "score" or not equal.any():
        return lines, 0
    return lines.take(_ties_by_id(lines, equal, text)), int(np.count_nonzero(_beside(equal)))


def _ties_by_id(lines: _Lines, equal: NDArray[np.bool_], text: bytes) -> NDArray[np.int64]:
    """An order of the lines in which ties stand by document id, descending by byte value."""
    group = np.concatenate([[0], np.cumsum(~equal)])
    tied = np.flatnonzero(_beside(equal))
    words = words_at(text, lines.start[tied], lines.end[tied])
    descending = [~word.byteswap() for word in reversed(words)]  # big-endian words compare like strings
    order = np.arange(len(group))
    order[tied] = tied[np.lexsort((*descending, group[tied]))]
    return order


def _beside(equal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which items equal a neighbour, from which neighbours are equal."""
    return np.concatenate([[False], equal]) | np.concatenate([equal, [False]])


def _ranks(topic: NDArray[np.int64]) -> NDArray[np.int64]:
    """1, 2, 3, ... within each topic of an ascending column."""
    return np.arange(1, len(topic) + 1) - np.searchsorted(topic, topic)


def _first_of_each(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.sort(np.unique(rows, return_index=True)[1])


def _contradictions(read: _Lines) -> int:
    """Neighbouring lines of a topic where the deeper rank has the higher score."""
    deeper = (np.diff(read.topic) == 0) & (np.diff(read.rank) > 0)
    return int(np.count_nonzero(deeper & (np.diff(read.score) > 0)))


def _first_tag(text: bytes) -> str:
    return text[:10_000].split(maxsplit=6)[5].decode(errors="replace")


def _assemble(runs: Sequence[Run], pool: Assessments) -> Rankings:
    n_topics = len(pool.topics)
    row_sizes = [np.bincount(run.topic, minlength=n_topics) for run in runs]
    return Rankings(
        systems=tuple(run.system for run in runs),
        n_topics=n_topics,
        n_pool=len(pool),
        indptr=np.concatenate([[0], *row_sizes]).cumsum().astype(np.int32),
        rank=np.concatenate([run.rank for run in runs]).astype(np.int32),
        row=np.concatenate([run.row for run in runs]).astype(np.int32),
        length=np.array([run.length for run in runs], dtype=np.int32),
    )


def _refuse_same_names(sources: Sequence[Source]) -> None:
    if not sources:
        raise DataError("expected at least one run, found none")
    by_name: dict[str, str] = {}
    for source in sources:
        if source.stem in by_name:
            files = f"{by_name[source.stem]!r} and {source.name!r}"
            raise DataError(f"expected a name for each system, found {files} both named {source.stem!r}; rename one")
        by_name[source.stem] = source.name


def _refuse_no_common_topic(runs: Sequence[Run], pool: Assessments) -> None:
    if any(run.facts["topics"] for run in runs):
        return
    theirs, ours = runs[0].facts["dropped_example"], pool.topics[0]
    problem = f"expected runs and assessments on the same topics, found {theirs!r} in the runs and {ours!r} assessed"
    raise DataError(problem + _same_topic_hint(theirs, pool.topics), runs[0].facts["file"])


def _same_topic_hint(theirs: str, topics: Sequence[str]) -> str:
    """Suggest the fix where ids differ only in form: 1, 001, qtest.1, Q1."""
    number = natural_key(theirs)[-1][1]
    for topic in topics:
        if natural_key(topic)[-1][1] == number != 0:
            return f"; if these are one topic, write {topic!r} for {theirs!r} in the runs, or the other way round"
    return ""


def _notes(run: Run, n_topics: int, order: Order) -> Iterator[Note]:
    facts, where = run.facts, run.facts["file"]
    if facts["dropped_topics"]:
        text = f"{facts['dropped_lines']:,} lines of {facts['dropped_topics']:,} topics that nobody assessed, such as {facts['dropped_example']!r}"
        yield Note("dropped", where, text)
    if facts["topics"] < n_topics:
        yield Note("warning", where, f"nothing for {n_topics - facts['topics']} assessed topics: they score 0")
    if facts["repeated"]:
        yield Note("repaired", where, f"{facts['repeated']:,} documents listed again in a ranking: later ones earn nothing")
    if facts["constant_rank"] and order in ("rank", "urbp-tool"):
        yield Note("repaired", where, "every rank is the same: read in file order")
    if facts["contradictions"]:
        used = "the score" if order == "score" else f"the {order}"
        yield Note("warning", where, f"scores contradict ranks {facts['contradictions']:,} times: {used} decides")
    if facts["tied"]:
        yield Note("repaired", where, f"{facts['tied']:,} tied scores: ordered by document id, descending, as trec_eval does")
