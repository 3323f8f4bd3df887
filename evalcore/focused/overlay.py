"""One document, cut into stretches where highlighted text and returned parts begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evalcore.common.arrays import IntArray
from evalcore.focused.passages import Passages


@dataclass(frozen=True)
class Stretch:
    """The characters from start to end, highlighted or not, and the rank of the part that contains them (0 if none)."""

    start: int
    end: int
    highlighted: bool
    rank: int = 0  # 0 if not returned

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Overlay:
    """A document as it was assessed and returned; -1 stands for unknown positions."""

    document: str
    length: int
    best_entry: int
    begun: int  # start of the best-ranked part
    relevant: int
    stretches: tuple[Stretch, ...]  # from the first character to the last
    placed: bool  # true if the positions of highlighted ranges and parts are known, not only their sizes


def overlay(passages: Passages, system: str, topic: str, document: str) -> Overlay:
    """Return a document with its highlights for a topic and the parts that a system returned.

    `system`, `topic` and `document` are names in the passages.
    """
    highlights, parts = passages.highlights, passages.parts
    t = highlights.topics.index(topic)
    line = parts.systems.index(system) * parts.n_topics + t
    row = _row(passages, t, document)
    own = np.arange(parts.indptr[line], parts.indptr[line + 1])
    at = own[passages.document_ids[parts.document[own]] == document]
    returned = [(int(parts.start[i]), int(parts.start[i] + parts.size[i]), int(i - own[0]) + 1) for i in at]
    marked = highlights.ranges(row) if row >= 0 else []
    relevant = int(highlights.relevant[row]) if row >= 0 else 0
    placed = sum(end - start for start, end in marked) == relevant and all(start >= 0 for start, _, _ in returned)
    length = _length(passages, row, document, [end for _, end, _ in returned])
    stretches = cut(length, marked, [passage for passage in returned if passage[0] >= 0])
    entry = int(highlights.best_entry[row]) if row >= 0 else -1
    return Overlay(document, length, entry, returned[0][0] if returned else -1, relevant, stretches, placed)


def cut(length: int, highlighted: list[tuple[int, int]], returned: list[tuple[int, int, int]]) -> tuple[Stretch, ...]:
    """Return a document's stretches, between the starts and ends of its ranges.

    Ranges are highlighted (start, end) or returned (start, end, rank); ranges of one kind are disjoint.

    >>> [(s.start, s.end, s.highlighted, s.rank) for s in cut(9, [(2, 6)], [(4, 9, 1)])]
    [(0, 2, False, 0), (2, 4, True, 0), (4, 6, True, 1), (6, 9, False, 1)]
    """
    borders = {0, length, *(at for passage in (*highlighted, *returned) for at in passage[:2])}
    places = sorted(at for at in borders if 0 <= at <= length)
    return tuple(
        Stretch(
            start,
            end,
            any(a <= start < b for a, b in highlighted),
            next((rank for a, b, rank in returned if a <= start < b), 0),
        )
        for start, end in pairwise(places)
    )


def _row(passages: Passages, topic: int, document: str) -> int:
    highlights = passages.highlights
    rows: IntArray = np.flatnonzero((highlights.topic == topic) & (highlights.documents == document))
    return int(rows[0]) if len(rows) else -1


def _length(passages: Passages, row: int, document: str, ends: list[int]) -> int:
    """Return the assessed length; else the length of the text or the end of the last part, whichever is greater."""
    if row >= 0 and passages.highlights.length[row] > 0:
        return int(passages.highlights.length[row])
    return max([len(passages.texts.get(document, "")), *ends])
