"""Highlight a document by hand, and put these highlights in place of an assessor's.

Steps are strings: "mark:START:END" highlights characters, "erase:START:END" removes highlights, "entry:AT" sets the
best entry point; a range includes its start, but not its end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evalcore.common.arrays import IntArray
from evalcore.errors import InputError, shorten
from evalcore.focused.passages import Highlights, Passages, Ranges, merged

MARK, ERASE, ENTRY = "mark", "erase", "entry"
_PLACE = re.compile(r"[0-9]{1,15}")  # Python refuses to read very long numbers


@dataclass(frozen=True)
class Marking:
    """Highlighted text of a document: disjoint ranges, ascending; and the best entry point, -1 if there is none."""

    ranges: Ranges = ()
    entry: int = -1

    @property
    def size(self) -> int:
        """The number of highlighted characters."""
        return sum(end - start for start, end in self.ranges)


def marking(length: int, steps: Sequence[str]) -> Marking:
    """Return the highlights after these steps in a document of this length. Raises InputError if a step does not fit.

    >>> marking(100, ["mark:10:20", "mark:18:30", "erase:12:15", "entry:10"])
    Marking(ranges=((10, 12), (15, 30)), entry=10)
    """
    marks = Marking()
    for step in steps:
        kind, *texts = step.split(":")
        places = [int(text) if _PLACE.fullmatch(text) else -1 for text in texts]
        if kind == ENTRY and len(places) == 1 and 0 <= places[0] < length:
            marks = replace(marks, entry=places[0])
        elif kind in (MARK, ERASE) and len(places) == 2 and 0 <= places[0] < places[1] <= length:
            rest = _without(marks.ranges, *places)
            more = merged([*rest, (places[0], places[1])], adjoining=True)
            marks = replace(marks, ranges=more if kind == MARK else rest)
        else:
            expected = f"mark:START:END, erase:START:END or entry:AT within {length:,} characters"
            raise InputError(f"expected {expected}, found {shorten(step)}")
    return marks


def fitting_marks(length: int, steps: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Return the steps that fit a document of this length, and the error message of the first that does not, or ""."""
    kept, problem = list[str](), ""
    for step in steps:
        try:
            marking(length, [step])
            kept.append(step)
        except InputError as error:
            problem = problem or error.problem
    return tuple(kept), problem


def shared(a: Ranges, b: Ranges) -> int:
    """Return the number of characters that lie both in a range of `a` and in one of `b`.

    >>> shared(((0, 10), (20, 30)), ((5, 25),))
    10
    """
    return sum(max(min(a_end, b_end) - max(a_start, b_start), 0) for a_start, a_end in a for b_start, b_end in b)


def marked_by_assessor(passages: Passages, topic: str, document: str) -> Marking:
    """Return the assessor's highlights and best entry point.

    Raises InputError if the document was not assessed for the topic.
    """
    highlights = passages.highlights
    row = _row(highlights, topic, document)
    return Marking(merged(highlights.ranges(row), adjoining=True), int(highlights.best_entry[row]))


def reassessed(passages: Passages, topic: str, document: str, marks: Marking) -> Passages:
    """Return the passages with the highlighted text of one document for a topic replaced, and its parts measured again.

    Raises InputError if the document was not assessed for the topic, or if only the sizes of its parts are known.
    """
    highlights, parts = passages.highlights, passages.parts
    row = _row(highlights, topic, document)
    own = np.flatnonzero(parts.row == row)
    if (parts.start[own] < 0).any():
        raise InputError("expected the position of each part, found parts that have only a size", document)
    rsize = parts.rsize.copy()
    rsize[own] = [
        shared(((start, start + size),), marks.ranges)
        for start, size in zip(parts.start[own].tolist(), parts.size[own].tolist(), strict=True)
    ]
    before, after = highlights.indptr[row], highlights.indptr[row + 1]
    starts, ends = (np.array([place[at] for place in marks.ranges], dtype=np.int64) for at in (0, 1))
    indptr = highlights.indptr.copy()
    indptr[row + 1 :] += len(marks.ranges) - (after - before)
    changed = replace(
        highlights,
        relevant=_with(highlights.relevant, row, marks.size),
        best_entry=_with(highlights.best_entry, row, marks.entry),
        length=_with(highlights.length, row, int(highlights.length[row]) or len(passages.texts.get(document, ""))),
        indptr=indptr,
        start=np.concatenate([highlights.start[:before], starts, highlights.start[after:]]),
        end=np.concatenate([highlights.end[:before], ends, highlights.end[after:]]),
    )
    return replace(passages, highlights=changed, parts=replace(parts, rsize=rsize), every_part=None)


def _with(values: IntArray, at: int, value: int) -> IntArray:
    changed = values.copy()
    changed[at] = value
    return changed


def _row(highlights: Highlights, topic: str, document: str) -> int:
    if topic in highlights.topics:
        rows = np.flatnonzero((highlights.topic == highlights.topics.index(topic)) & (highlights.documents == document))
        if len(rows):
            return int(rows[0])
    raise InputError(f"expected a document assessed for topic {topic}, found {document}")


def _without(ranges: Ranges, start: int, end: int) -> Ranges:
    parts = [part for a, b in ranges for part in ((a, min(b, start)), (max(a, end), b))]
    return tuple((a, b) for a, b in parts if a < b)
