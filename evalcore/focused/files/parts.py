"""Make `Parts` and `Rankings` from runs of document parts: order the parts, and remove deep and overlapping ones.

Shapes: L lines of a run, S systems, T topics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, IntArray, concatenated
from evalcore.common.lazy_imports import pa, pd
from evalcore.data.runs import unassessed_notes
from evalcore.errors import InputError, counted
from evalcore.focused.files.elements import preorder
from evalcore.focused.files.lines import Lines, Names, Run
from evalcore.focused.files.truth import Truth
from evalcore.focused.passages import Parts
from evalcore.structures.documents import Note, Rankings

DEPTH = 1500  # parts of a topic that count
ORDERS = ("rank", "score", "file")


@dataclass(frozen=True, eq=False)
class CountedParts:
    """The parts of one system that count, by topic and best first, with facts for the report."""

    system: str
    topic: IntArray
    document: Names
    row: IntArray  # row of Highlights, -1 if not assessed
    start: IntArray
    size: IntArray
    rsize: IntArray
    facts: dict[str, Any]
    every: CountedParts | None = None  # includes overlapping parts; None if there are none, or if one has no size


def counted_parts(run: Run, truth: Truth, order: str = "rank") -> CountedParts:
    """Return the parts of a run that count, with their sizes and highlighted characters.

    The first 1500 lines of each topic count, in this order: "rank" sorts by the rank column (if there is none, by
    score), "score" by descending score, both with ties in file order; "file" keeps the file order, as INEX's own tool
    does. If two parts of a document share a character (elements: one contains the other), the worse part is removed. A
    part that ends after its document keeps its size, as in INEX's own tool; the excess is not highlighted. Raises
    InputError with the line for a missing rank or score, and for a part whose size or highlighted text is unknown.
    """
    topics = {name: code for code, name in enumerate(truth.highlights.topics)}
    topic = np.array([topics.get(name, -1) for name in run.lines.topic.different()])[run.lines.topic.code]
    best = _best_first(run, topic, order)
    place = np.arange(len(best)) - np.searchsorted(topic[best], topic[best])
    top = best[place < DEPTH]
    removed = _overlapping(run.lines.take(top), topic[top])
    first, of_topic = replace(run, lines=run.lines.take(top[~removed])), topic[top[~removed]]
    row, start, size, rsize = truth.measure(first, of_topic)
    length = np.where(row >= 0, truth.highlights.length[row], 0)
    facts = {
        **_described(run, topic, best),
        **_named(run, topics),
        "topics": len(np.unique(of_topic)),
        "parts": len(of_topic),
        "below_depth": len(best) - len(top),
        **_counted("overlapping", run.lines.place[top], removed, run),
        **_counted("beyond", first.lines.place, (length > 0) & (start >= 0) & (start + size > length), run),
        **_counted("dropped_lines", run.lines.place, topic < 0, run),
    }
    every = _every_part(replace(run, lines=run.lines.take(top)), topic[top], truth) if removed.any() else None
    return CountedParts(run.system, of_topic, first.lines.document, row, start, size, rsize, facts, every)


def _every_part(run: Run, topic: IntArray, truth: Truth) -> CountedParts | None:
    """Return all parts, including overlapping ones, as `CountedParts`; None if any part cannot be measured.

    This is not an error, because overlapping parts are usually dropped.
    """
    with suppress(InputError):
        return CountedParts(run.system, topic, run.lines.document, *truth.measure(run, topic), facts={})
    return None


def _described(run: Run, topic: IntArray, best: IntArray) -> dict[str, Any]:
    """Return facts about the lines as read: file, tag, kind, numbers of lines, repeated ranks and contradictions.

    A contradiction is a rank number smaller than the one in the line before, on the same topic.
    """
    lines, same_topic = run.lines, topic[best][1:] == topic[best][:-1]
    return {
        "file": run.file,
        "tag": run.tag,
        "kind": lines.kind,
        "lines": len(lines),
        "repeated_ranks": int((same_topic & (np.diff(lines.rank[best]) == 0)).sum()),
        "contradictions": int(((np.diff(topic) == 0) & (np.diff(lines.rank) < 0)).sum()),
    }


def _named(run: Run, topics: Mapping[str, int]) -> dict[str, Any]:
    """Return the number of the run's topics without assessments, and the name of the first ("" if none)."""
    dropped = [name for name in run.lines.topic.different() if name not in topics]
    return {"dropped_topics": len(dropped), "dropped_example": dropped[0] if dropped else ""}


def _counted(name: str, places: IntArray, which: BoolArray, run: Run) -> dict[str, Any]:
    """Return the number of selected lines, and the line number of the first of them in the file (0 if none)."""
    return {name: int(which.sum()), f"first_{name}": run.line(int(places[which].min())) if which.any() else 0}


def _best_first(run: Run, topic: IntArray, order: str) -> IntArray:
    """Return the indices of lines on assessed topics, by topic, best first.

    Raises InputError for a missing rank or score.
    """
    lines = run.lines
    value = {"rank": lines.rank, "score": -lines.score, "file": np.zeros(len(lines))}[order]
    if order == "rank" and np.isnan(value).all():
        value = np.zeros(len(lines)) if np.isnan(lines.score).all() else -lines.score
    lacking = np.isnan(value) & (topic >= 0)
    if lacking.any():
        raise run.error(int(np.argmax(lacking)), f"expected a {order} in every line, found none")
    assessed = np.flatnonzero(topic >= 0)
    return assessed[np.lexsort((value[assessed], topic[assessed]))]


def _overlapping(lines: Lines, topic: IntArray) -> BoolArray:
    """Return a mask of parts, given best first within a topic, that overlap a better, kept part of their document."""
    group = topic * len(lines.document.names) + lines.document.code
    if lines.path is None:
        return later_overlaps(group, lines.start, lines.start + lines.size)
    first, last = preorder(lines.path.names.to_pylist())
    return later_overlaps(group, first[lines.path.code], last[lines.path.code])


def later_overlaps(group: IntArray, start: IntArray, end: IntArray) -> BoolArray:
    """Return a mask of the parts, given best first, that share a character with an earlier, kept part of their group.

    In every cluster of overlapping parts, the best part is kept and the parts that it overlaps are removed; the
    remaining parts form new clusters.

    >>> later_overlaps(np.array([0, 0, 0]), np.array([0, 5, 9]), np.array([6, 10, 12]))
    array([False,  True, False])
    """
    removed = np.zeros(len(group), dtype=bool)
    room = int(end.max(initial=0)) + 1
    shift = np.unique(group, return_inverse=True)[1] * room
    start, end = start + shift, end + shift
    left = np.argsort(start, kind="stable")
    while len(left):
        reach = np.maximum.accumulate(end[left])
        borders = np.flatnonzero(np.append(True, start[left][1:] >= reach[:-1]))
        sizes = np.diff(np.append(borders, len(left)))
        best = np.repeat(np.minimum.reduceat(left, borders), sizes)
        hit = (np.maximum(start[left], start[best]) < np.minimum(end[left], end[best])) & (left != best)
        removed[left[hit]] = True
        left = left[~hit & (left != best)]
    return removed


def assemble(runs: Sequence[CountedParts], truth: Truth) -> tuple[Parts, NDArray[np.object_]]:
    """Return the parts of all systems, and the ids of documents to which their document codes refer."""
    n_topics = len(truth.highlights.topics)
    names = pa.chunked_array([part.document.names.take(pa.array(part.document.code)) for part in runs])
    documents = Names.of(names)
    sizes = [np.bincount(part.topic, minlength=n_topics) for part in runs]
    columns = concatenated(runs, "row", "start", "size", "rsize")
    parts = Parts(
        systems=tuple(part.system for part in runs),
        n_topics=n_topics,
        indptr=np.concatenate([[0], *sizes]).cumsum(),
        document=documents.code.astype(np.int32),
        **{name: values.astype(np.int32) for name, values in columns.items()},
    )
    return parts, documents.different()


def assemble_every(runs: Sequence[CountedParts], truth: Truth, ids: NDArray[np.object_]) -> Parts | None:
    """Return the parts of all systems, including overlapping ones, with document codes that refer to `ids`.

    None if no parts overlap, or if no run with such parts can be measured.
    """
    if all(part.every is None for part in runs):
        return None
    parts, documents = assemble([part.every or part for part in runs], truth)
    code = pd.Index(ids).get_indexer(pd.Index(documents)).astype(np.int32)
    return replace(parts, document=code[parts.document])


def rankings(parts: Parts, pool_row: IntArray, n_pool: int) -> Rankings:
    """Return rankings of documents by their best parts; `pool_row` is the pool row of each row of Highlights."""
    listed = parts.by_document
    n_lines = len(parts.indptr) - 1
    assessed = listed.at(np.flatnonzero(listed.row >= 0))
    return Rankings(
        systems=parts.systems,
        n_topics=parts.n_topics,
        n_pool=n_pool,
        indptr=np.append(0, np.cumsum(np.bincount(assessed.line, minlength=n_lines))).astype(np.int32),
        rank=assessed.rank.astype(np.int32),
        row=pool_row[assessed.row].astype(np.int32),
        length=np.bincount(listed.line, minlength=n_lines).reshape(-1, parts.n_topics).astype(np.int32),
    )


def systems_table(runs: Sequence[CountedParts]) -> pd.DataFrame:
    """Return a table of facts about each run."""
    rows = [{name: value for name, value in part.facts.items() if not name.startswith("first_")} for part in runs]
    return pd.DataFrame(rows, index=pd.Index([part.system for part in runs], name="system", dtype=object))


def notes(run: CountedParts, topics: Sequence[str], order: str) -> Iterator[Note]:
    """Yield notes on repairs and omissions in one run."""
    facts, where = run.facts, run.facts["file"]
    yield from unassessed_notes(facts, topics, bool((run.row >= 0).any()))
    if facts["below_depth"]:
        below = counted(facts["below_depth"], "part")
        yield Note("dropped", where, f"{below} below the first {DEPTH:,} of their topic")
    if facts["overlapping"]:
        text = f"{counted(facts['overlapping'], 'part')} overlapping a better-ranked part of the same document: removed"
        yield Note("dropped", where, f"{text} (first in line {facts['first_overlapping']:,})")
    if facts["beyond"]:
        text = f"{counted(facts['beyond'], 'part')} extending beyond the document's end: the part's full size is used"
        yield Note("warning", where, f"{text} (first in line {facts['first_beyond']:,})")
    if facts["repeated_ranks"] and order == "rank":
        yield Note(
            "repaired", where, f"{counted(facts['repeated_ranks'], 'rank')} repeated within a topic: kept in file order"
        )
    if facts["contradictions"] and order != "score":
        times = counted(facts["contradictions"], "time")
        used = "the rank" if order == "rank" else "the order of the lines"
        yield Note("warning", where, f"ranks contradict the order of the lines {times}: {used} decides")
