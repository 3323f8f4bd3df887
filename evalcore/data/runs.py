"""Read TREC runs into `Rankings`. Order, ties, duplicates and unassessed documents are decided only here.

A file is split in blocks with array operations. Only numbers are kept from each line: its topic, score and rank, a
64-bit key of its document, its pool row, and where the document id is in the text. Only the assessed documents of a
ranking are kept.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, FloatArray, concatenated
from evalcore.common.constants import ORDERS, Order
from evalcore.common.progress import Progress, is_told
from evalcore.common.threads import executor as executor_of
from evalcore.data.fields import Fields, blocks, line_count, split, words_at
from evalcore.data.pool_index import PoolIndex
from evalcore.data.report_warnings import run_warnings
from evalcore.data.roles import RANKED
from evalcore.data.sources import Source
from evalcore.data.text_files import comment_notes, data_text, first_fields
from evalcore.errors import InputError, counted
from evalcore.limits import refuse_more
from evalcore.structures.documents import Assessments, Note, Rankings, natural_key

COLUMNS = ("topic", "Q0", "document", "rank", "score", "tag")
NO_RANKS = (
    "expected topic, document and rank (ranks are whole numbers, start at 0 or 1 and do not repeat within a topic)"
)
WORKERS = max(2, min(os.cpu_count() or 2, 4))  # each holds the lines of one file


@dataclass(frozen=True, eq=False)
class Run:
    """One system: its hits by topic and rank, the length of its rankings, and facts for the report."""

    system: str
    topic: NDArray[np.int32]
    rank: NDArray[np.int64]
    row: NDArray[np.int32]
    length: NDArray[np.int64]  # (T,)
    facts: dict[str, Any]
    notes: tuple[Note, ...] = ()  # on the form of the file
    digest: bytes = b""  # of its rankings on the assessed topics: equal if two runs rank alike

    @property
    def tag(self) -> str:
        return str(self.facts.get("tag", ""))


@dataclass(frozen=True, eq=False)
class _Lines:
    """Lines of one run, as columns."""

    topic: NDArray[np.int32]
    score: NDArray[np.float32]
    rank: FloatArray  # as written
    key: NDArray[np.uint64]
    row: NDArray[np.int32]  # pool row, -1 if unassessed
    start: NDArray[np.int32]  # of the document id in the text, which has less than 2 GiB
    end: NDArray[np.int32]

    def take(self, which: NDArray[Any]) -> _Lines:
        return _Lines(*(getattr(self, column.name)[which] for column in fields(self)))

    @staticmethod
    def joined(parts: Iterable[_Lines], most: int) -> _Lines:
        """Join parts of at most `most` lines in all; each part is freed before the next is made."""
        columns: dict[str, NDArray[Any]] = {}
        count = 0
        for part in parts:
            for name in (column.name for column in fields(part)):
                values = getattr(part, name)
                columns.setdefault(name, np.empty(most, values.dtype))[count : count + len(values)] = values
            count += len(part.topic)
        return _Lines(*(column[:count] for column in columns.values()))


def read_rankings(
    sources: Sequence[Source], pool: Assessments, order: Order = "score", progress: Progress | None = None
) -> tuple[Rankings, list[dict[str, Any]], list[Note]]:
    """Read one run from each source. Return the rankings, a dict of facts for each system, and notes.

    Raises InputError for bad lines, two runs with the same name, an unknown order, or no topic in common with the pool.
    """
    if order not in ORDERS:
        raise InputError(f"expected `order` to be one of {', '.join(ORDERS)}, found {order!r}")
    refuse_more("systems", len(sources))
    refuse_more("rankings", len(sources), len(pool.topics))
    refuse_same_names([(source.stem, source.name) for source in sources])
    ordered = sorted(sources, key=lambda source: natural_key(source.stem))
    runs = []
    for run in _read_all(ordered, PoolIndex.of(pool), order):
        runs.append(run)
        if progress:
            progress(len(runs) / len(ordered), f"Reading runs: {len(runs)} of {len(sources)}")
    facts = [run.facts for run in runs]
    refuse_no_common_topic(facts, pool.topics)
    notes = dict.fromkeys(note for run in runs for note in (*run.notes, *_notes(run, pool.topics, order)))
    return assembled(runs, pool), facts, [*run_warnings(runs), *notes]


def read_run(source: Source, index: PoolIndex, order: Order = "score") -> Run:
    """Read one TREC run: lines of six or more fields, separated by tabs or spaces; ranks may start at any number.

    Lines may also have three fields: topic, document and rank, which then decides the order. Comment lines are noted.

    Order "score": by score descending, ties by document id descending, as trec_eval does; like trec_eval it compares
    scores as 32-bit floats, so 1.00000001 and 1.0 tie. "rank": by the rank column or, if all ranks are the same, in
    file order. "file": in file order. "urbp-tool": like "rank", but a constant rank column is read as 1, 3, 4, ... as
    in the uRBP tool of 2016. A document that is repeated in a ranking still occupies its later rank, but it is not
    credited there.
    """
    text, comments = data_text(source, "a TREC run")
    names, columns = dict(index.topics), _columns(text)
    read, longer = _read_lines(text, source.name, columns, index, names)
    _check_ranks(read, text, source.name, columns)
    assessed = read.topic < len(index.topics)
    lines = read if assessed.all() else read.take(assessed)
    best_first, tied = _best_first(lines, text, order)
    constant_rank = bool(len(read.rank) > 1 and (read.rank == read.rank[0]).all())
    notes = [*_form_notes(source, longer), *comment_notes(source.name, comments)]
    dropped = [name for name, code in names.items() if code >= len(index.topics)]
    length = np.bincount(lines.topic, minlength=len(index.topics))
    topic, rank, row = _hits(lines.topic[best_first], lines.row[best_first], length)
    if order == "urbp-tool" and constant_rank:
        rank = rank + (rank > 1)
    facts = {
        "file": source.name,
        "tag": first_fields(text)[columns.index("tag")].decode() if "tag" in columns else "",
        "lines": len(read.topic),
        "topics": int(np.count_nonzero(length)),
        "assessed": len(row),
        "tied": tied,
        "repeated": _repeated(lines.key),
        "constant_rank": constant_rank,
        "contradictions": _contradictions(read),
        "dropped_lines": len(read.topic) - len(lines.topic),
        "dropped_topics": len(dropped),
        "dropped_example": dropped[0].decode() if dropped else "",
    }
    digest = hashlib.sha256(length.tobytes() + lines.key[best_first].tobytes()).digest()
    return Run(source.stem, topic, rank, row, length, facts, tuple(notes), digest)


@dataclass(frozen=True, eq=False)
class RunLines:
    """All lines of one run, assessed or not, in the order of the file."""

    topics: NDArray[np.object_]
    documents: NDArray[np.object_]
    ranks: FloatArray
    scores: FloatArray


def run_lines(source: Source) -> RunLines:
    """Return every line of a run, read as in `read_run`. Raises InputError for a bad line."""
    text, _ = data_text(source, "a TREC run")
    columns = _columns(text)
    fields = split(text, source.name, columns, more=columns is COLUMNS)
    topics, documents = (fields.strings(columns.index(name)) for name in ("topic", "document"))
    ranks = fields.numbers(columns.index("rank"), "rank")
    scores = fields.numbers(columns.index("score"), "score") if "score" in columns else -ranks
    return RunLines(topics, documents, ranks, scores)


def _columns(text: bytes) -> tuple[str, ...]:
    """Return the names of a run's columns: three if its first line has three fields, the last an integer, else six."""
    fields = first_fields(text)
    return RANKED if len(fields) == 3 and fields[2].isdigit() else COLUMNS


def _check_ranks(read: _Lines, text: bytes, name: str, columns: Sequence[str]) -> None:
    """Raise InputError for wrong ranks in a run of three columns.

    They are wrong if they are not whole numbers, are repeated in a topic, or begin above 1.
    """
    if columns is not RANKED:
        return
    by_rank = np.lexsort((read.rank, read.topic))
    topic, rank = read.topic[by_rank], read.rank[by_rank]
    first = np.append(True, topic[1:] != topic[:-1])
    again = np.append(False, rank[1:] == rank[:-1]) & ~first
    for wrong, found in (
        (rank != np.floor(rank), "{:g}"),
        (again, "rank {:g} twice in one topic"),
        (first & (rank > 1), "{:g} as the first rank of its topic"),
    ):
        if wrong.any():
            row = int(by_rank[wrong].min())
            raise _error(read, row, text, name, f"{NO_RANKS}, found {found.format(read.rank[row])}")


def _error(read: _Lines, row: int, text: bytes, name: str, problem: str) -> InputError:
    return InputError(problem, name, text.count(b"\n", 0, int(read.start[row])) + 1)


def _form_notes(source: Source, longer: int) -> Iterator[Note]:
    """Yield notes on the unusual form of a run: remarks of its source, and fields after the tag."""
    yield from (Note("inferred", source.name, text) for text in source.remarks)
    if longer:
        yield Note("dropped", source.name, f"{counted(longer, 'line')} with fields after the tag: ignored")


def _read_all(sources: Sequence[Source], index: PoolIndex, order: Order) -> Iterator[Run]:
    """Yield the runs in order, read in threads (numpy and zlib release the lock) unless progress is reported."""
    if is_told():
        yield from (read_run(source, index, order) for source in sources)
        return
    with executor_of(WORKERS) as executor:
        yield from executor.map(partial(read_run, index=index, order=order), sources)


def _read_lines(
    text: bytes, name: str, columns: Sequence[str], index: PoolIndex, names: dict[bytes, int]
) -> tuple[_Lines, int]:
    """Return all lines of a run, and the number of lines with fields after the tag. Adds new topics to `names`."""
    longer = 0

    def parts() -> Iterator[_Lines]:
        nonlocal longer
        for at in blocks(text):
            part = split(text, name, columns, *at, more=columns is COLUMNS)
            longer += part.longer
            if len(part):
                yield _read_block(part, columns, index, names)

    return _Lines.joined(parts(), line_count(text)), longer


def _read_block(part: Fields, columns: Sequence[str], index: PoolIndex, names: dict[bytes, int]) -> _Lines:
    topic, document = _topic_codes(part, names), columns.index("document")
    start, end = (side[document].astype(np.int32) for side in (part.starts, part.ends))
    words = part.words(document)
    key = index.keys_of(words, topic)
    row = np.full(len(part), -1, dtype=np.int32)
    lines, rows = index.find(key, words, topic)
    row[lines] = rows
    scores = part.numbers(columns.index("score"), "score") if "score" in columns else None
    rank = part.numbers(columns.index("rank"), "rank")
    with np.errstate(over="ignore", under="ignore"):
        score = (-rank if scores is None else scores).astype(np.float32)  # as trec_eval keeps it
    return _Lines(topic.astype(np.int32), score, rank, key, row, start, end)


def _topic_codes(part: Fields, names: dict[bytes, int]) -> NDArray[np.int64]:
    """Return the topic code of each line; topics that `names` does not contain yet are added to it."""
    words = part.words(0)
    new = np.zeros(len(part), dtype=bool)
    new[0] = True
    for word in words:
        new[1:] |= word[1:] != word[:-1]
    firsts = np.flatnonzero(new)
    codes = [names.setdefault(part.field(row, 0), len(names)) for row in firsts.tolist()]
    return np.repeat(np.array(codes), np.diff(np.append(firsts, len(part))))


def _best_first(lines: _Lines, text: bytes, order: Order) -> tuple[NDArray[np.int64] | slice, int]:
    """Return the order of lines by topic and, within a topic, best first; and the number of lines in ties.

    Ties are counted only if the order is "score".
    """
    values: dict[str, NDArray[Any]] = {"score": -lines.score, "file": np.zeros(len(lines.topic))}
    topic, value, taken = lines.topic, values.get(order, lines.rank), None
    if ((topic[1:] < topic[:-1]) | ((topic[1:] == topic[:-1]) & (value[1:] < value[:-1]))).any():
        taken = np.lexsort((value, topic))
        topic, value = topic[taken], value[taken]
    equal = (topic[1:] == topic[:-1]) & (value[1:] == value[:-1])
    if order != "score" or not equal.any():
        return slice(None) if taken is None else taken, 0
    taken = np.arange(len(topic)) if taken is None else taken
    tied = _beside(equal)
    _order_ties(taken, np.flatnonzero(tied), np.cumsum(~equal), lines, text)
    return taken, int(np.count_nonzero(tied))


def _order_ties(
    taken: NDArray[np.int64], tied: NDArray[np.int64], group: NDArray[np.int64], lines: _Lines, text: bytes
) -> None:
    """Sort ties by document id, descending, in place. Ties of only unassessed documents are left as they are."""
    group = group[np.maximum(tied, 1) - 1]
    matters = np.zeros(group[-1] + 1, dtype=bool)
    matters[group[lines.row[taken[tied]] >= 0]] = True
    tied, group = tied[matters[group]], group[matters[group]]
    which = taken[tied]
    starts, ends = (side[which].astype(np.int64) for side in (lines.start, lines.end))
    taken[tied] = which[_descending(group, words_at(text, starts, ends))]


def _descending(group: NDArray[np.int64], words: Sequence[NDArray[np.uint64]]) -> NDArray[np.int64]:
    """Return an order of ids: descending by byte value within each group, groups ascending."""
    descending = [~word.byteswap() for word in reversed(words)]  # big-endian words compare like strings
    return np.lexsort((*descending, group))


def _hits(
    topic: NDArray[np.int32], row: NDArray[np.int32], length: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """Return topic, rank and pool row of the assessed documents in sorted lines, without repetitions of a document."""
    hits = np.flatnonzero(row >= 0)
    first = np.sort(np.unique(row[hits], return_index=True)[1])
    hits = hits[first] if len(first) < len(hits) else hits
    starts = np.cumsum(length) - length
    return topic[hits], hits + 1 - starts[topic[hits]], row[hits]


def _beside(equal: BoolArray) -> BoolArray:
    """Return, for each item, whether it equals a neighbour; `equal` says which pairs of neighbours are equal."""
    beside = np.zeros(len(equal) + 1, dtype=bool)
    beside[1:] |= equal
    beside[:-1] |= equal
    return beside


def _repeated(key: NDArray[np.uint64]) -> int:
    """Return the number of keys that repeat an earlier key.

    The last bits of a key are its position in a table. Only keys that share a position are sorted and compared.
    """
    bits = max(len(key).bit_length() + 3, 8)
    place = (key & np.uint64((1 << bits) - 1)).astype(np.int64)
    last = np.empty(1 << bits, dtype=np.int32)
    at = np.arange(len(key), dtype=np.int32)
    last[place] = at
    shared = np.zeros(1 << bits, dtype=bool)
    shared[place[last[place] != at]] = True
    key = np.sort(key[shared[place]])
    return int(np.count_nonzero(key[1:] == key[:-1]))


def _contradictions(read: _Lines) -> int:
    """Count the pairs of neighbouring lines of a topic in which the deeper rank has the higher score."""
    deeper = (read.topic[1:] == read.topic[:-1]) & (read.rank[1:] > read.rank[:-1])
    return int(np.count_nonzero(deeper & (read.score[1:] > read.score[:-1])))


def assembled(runs: Sequence[Run], pool: Assessments) -> Rankings:
    """Return the rankings of all runs together."""
    n_topics = len(pool.topics)
    row_sizes = [np.bincount(run.topic, minlength=n_topics) for run in runs]
    return Rankings(
        systems=tuple(run.system for run in runs),
        n_topics=n_topics,
        n_pool=len(pool),
        indptr=np.concatenate([[0], *row_sizes]).cumsum().astype(np.int32),
        **{name: values.astype(np.int32) for name, values in concatenated(runs, "rank", "row").items()},
        length=np.array([run.length for run in runs], dtype=np.int32),
    )


def refuse_same_names(runs: Sequence[tuple[str, str]]) -> None:
    """Raise InputError if there is no run, or two systems have the same name; `runs` pairs systems with files."""
    if not runs:
        raise InputError("expected at least one run, found none")
    file_of: dict[str, str] = {}
    for system, file in runs:
        if system in file_of:
            files = f"{file_of[system]!r} and {file!r}"
            raise InputError(f"expected a name for each system, found {files} both named {system!r}; rename one")
        file_of[system] = file


def refuse_no_common_topic(facts: Sequence[Mapping[str, Any]], topics: Sequence[str]) -> None:
    """Raise InputError if no run has a topic that is assessed."""
    if any(of_run["topics"] for of_run in facts):
        return
    theirs = str(facts[0]["dropped_example"])
    found = f"found {theirs!r} in the runs and {topics[0]!r} in the assessments{_same_topic_hint(theirs, topics)}"
    raise InputError(f"expected runs and assessments on the same topics, {found}", facts[0]["file"])


def _same_topic_hint(theirs: str, topics: Sequence[str]) -> str:
    """Return a hint if one of `topics` is the same id in another form, such as 1, 001, qtest.1 and Q1; else ""."""
    number = natural_key(theirs.removesuffix(".0"))[-1][1]
    for topic in topics:
        if natural_key(topic)[-1][1] == number != 0:
            return f"; if these are one topic, use the same form in both: {topic!r} or {theirs!r}"
    return ""


def unassessed_notes(facts: Mapping[str, Any], topics: Sequence[str], some_assessed: bool) -> Iterator[Note]:
    """Yield notes on a run's lines for unassessed topics, and on the number of assessed topics that the run lacks."""
    where = facts["file"]
    if not facts["topics"]:
        hint = _same_topic_hint(facts["dropped_example"], topics) if facts["dropped_topics"] else ""
        yield Note("warning", where, f"none of its topics is assessed: it scores 0 everywhere{hint}")
    elif not some_assessed:
        yield Note("warning", where, "none of its documents is assessed: do their ids match the assessments?")
    if facts["dropped_topics"]:
        topics_of = counted(facts["dropped_topics"], "topic")
        lines = f"{counted(facts['dropped_lines'], 'line')} of {topics_of} that nobody assessed"
        yield Note("dropped", where, f"{lines}, such as {facts['dropped_example']!r}")
    if 0 < facts["topics"] < len(topics):
        lacked = counted(len(topics) - facts["topics"], "assessed topic")
        yield Note("warning", where, f"nothing for {lacked}: scored 0 there")


def _notes(run: Run, topics: Sequence[str], order: Order) -> Iterator[Note]:
    facts, where = run.facts, run.facts["file"]
    yield from unassessed_notes(facts, topics, bool(facts["assessed"]))
    if facts["repeated"]:
        again = counted(facts["repeated"], "document")
        yield Note("repaired", where, f"{again} repeated in a ranking: only the first occurrence counts")
    if facts["constant_rank"] and order in ("rank", "urbp-tool"):
        yield Note("repaired", where, "every rank is the same: read in file order")
    if facts["contradictions"]:
        used = {"score": "the score", "file": "the order of the lines"}.get(order, "the rank")
        times = counted(facts["contradictions"], "time")
        yield Note("warning", where, f"scores contradict ranks {times}: {used} decides")
    if facts["tied"]:
        tied = counted(facts["tied"], "tied score")
        yield Note("repaired", where, f"{tied}: ordered by document id, descending, as trec_eval does")
