"""Data of focused retrieval: highlighted text and the document parts that systems returned.

Shapes: D assessed (topic, document) pairs, H highlighted ranges, S systems, T topics, N parts returned, K of them with
highlighted text, M documents returned. Positions are characters from 0; a range includes its start, but not its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.short_forms import shown

Ranges = tuple[tuple[int, int], ...]  # first character, the character after the last


@shown
@dataclass(frozen=True, eq=False)
class Highlights:
    """Text highlighted by assessors: one row per assessed (topic, document), sorted by topic."""

    topics: tuple[str, ...]
    topic: IntArray  # (D,) index into topics, ascending
    documents: NDArray[np.object_]  # (D,) ids
    length: IntArray  # (D,) characters in the document, 0 if unknown (only if nothing is highlighted)
    relevant: IntArray  # (D,) highlighted characters, 0 if assessed and not relevant
    best_entry: IntArray  # (D,) best entry point, -1 if not given
    indptr: IntArray  # (D + 1,) ranges of row d are indptr[d]:indptr[d + 1]; none if only sizes are known
    start: IntArray  # (H,) disjoint, in document order
    end: IntArray  # (H,)

    def __len__(self) -> int:
        return len(self.topic)

    def ranges(self, row: int) -> list[tuple[int, int]]:
        """Return the start and end of each highlighted range in an assessed document."""
        own = slice(self.indptr[row], self.indptr[row + 1])
        return list(zip(self.start[own].tolist(), self.end[own].tolist(), strict=True))

    @cached_property
    def relevant_text(self) -> IntArray:
        """The (T,) numbers of highlighted characters per topic: Trel."""
        return np.bincount(self.topic, weights=self.relevant, minlength=len(self.topics)).astype(np.int64)

    @cached_property
    def relevant_documents(self) -> IntArray:
        """The (T,) numbers of documents with highlighted text per topic: Nrel."""
        return np.bincount(self.topic[self.relevant > 0], minlength=len(self.topics))


@shown
@dataclass(frozen=True, eq=False)
class Parts:
    """The document parts that each system returned for each topic, by rank, without overlap.

    A CSR structure whose rows are (system, topic) pairs, system by system: the parts of row `s * T + t` are
    `indptr[s * T + t] : indptr[s * T + t + 1]`, best first.
    """

    systems: tuple[str, ...]
    n_topics: int
    indptr: IntArray  # (S * T + 1,)
    document: IntArray  # (N,) code of the document, the same within a topic for the same document
    row: IntArray  # (N,) row of Highlights, -1 if the document is not assessed for the topic
    start: IntArray  # (N,) first character, -1 if unknown
    size: IntArray  # (N,) characters returned
    rsize: IntArray  # (N,) highlighted characters among them

    def __len__(self) -> int:
        return len(self.size)

    @cached_property
    def line(self) -> IntArray:
        """The (N,) (system, topic) row of every part."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    @cached_property
    def relevant(self) -> RelevantParts:
        """The parts that contain highlighted text."""
        at = np.flatnonzero(self.rsize > 0)
        line = np.searchsorted(self.indptr, at, side="right") - 1
        size, rsize = (self._down_to(values, at, line) for values in (self.size, self.rsize))
        return RelevantParts(line, size, rsize)

    def _down_to(self, values: IntArray, at: IntArray, line: IntArray) -> IntArray:
        """Return, for each part in `at`, the sum of the values in its line down to and including this part."""
        so_far = np.append(0, np.cumsum(values, dtype=np.int64))
        sums: IntArray = so_far[at + 1] - so_far[self.indptr[line]]
        return sums

    @cached_property
    def opens(self) -> BoolArray:
        """The (N,) mask of parts that are the first of their document in their line."""
        depth, codes = int(np.diff(self.indptr).max(initial=1)), int(self.document.max(initial=0)) + 1
        # Line, document and rank in one number: sorting numbers is several times faster than sorting indices.
        key = (self.line * codes + self.document) * depth + np.arange(len(self)) - self.indptr[self.line]
        key.sort()
        first = key[np.append(True, np.diff(key // depth) != 0)[: len(key)]]
        opens = np.zeros(len(self), dtype=bool)
        opens[self.indptr[first // (codes * depth)] + first % depth] = True
        return opens

    @property
    def by_document(self) -> RetrievedDocuments:
        """The documents of all parts, by line and rank."""
        return self.documents(np.arange(len(self)))

    def documents(self, at: IntArray) -> RetrievedDocuments:
        """Return the documents of some parts.

        `at` has the parts' indices in ascending order, and contains either all parts of a document or none of them.
        """
        group = self.line[at] * (self.document.max(initial=0) + 1) + self.document[at]
        _, first, of_part = np.unique(group, return_index=True, return_inverse=True)
        order, best = np.argsort(first), at[np.sort(first)]
        size, rsize = (np.bincount(of_part, values[at])[order].astype(np.int64) for values in (self.size, self.rsize))
        nth: IntArray = np.cumsum(self.opens)
        line = self.line[best]
        rank = nth[best] - nth[self.indptr[line]] + 1
        return RetrievedDocuments(line, rank, self.document[best], self.row[best], self.start[best], size, rsize)


@shown
@dataclass(frozen=True, eq=False)
class RelevantParts:
    """Parts with highlighted text, by line and rank. Parts between them add only to the returned length."""

    line: IntArray  # (K,) the (system, topic) row of `Parts`
    size: IntArray  # (K,) characters returned down to each part, inclusive
    rsize: IntArray  # (K,) highlighted characters among them


@shown
@dataclass(frozen=True, eq=False)
class RetrievedDocuments:
    """Documents by line and rank; a document has the rank of its best part."""

    line: IntArray  # (M,) the (system, topic) row of `Parts`
    rank: IntArray  # (M,) rank among documents, from 1
    document: IntArray  # (M,) code of the document
    row: IntArray  # (M,) row of Highlights, -1 if not assessed
    start: IntArray  # (M,) first character of the best part, -1 if unknown
    size: IntArray  # (M,) characters returned
    rsize: IntArray  # (M,) highlighted characters among them

    def __len__(self) -> int:
        return len(self.line)

    def at(self, places: IntArray) -> RetrievedDocuments:
        """Return the documents at these indices."""
        return RetrievedDocuments(*(getattr(self, field.name)[places] for field in fields(self)))


@shown
@dataclass(frozen=True, eq=False)
class Passages:
    """Highlights and returned parts; `texts` maps ids of documents to their texts, if known.

    `every_part` includes parts that overlap a better part of their document; None if there are none.
    """

    highlights: Highlights
    parts: Parts
    document_ids: NDArray[np.object_]  # document ids by code in `parts`
    texts: Mapping[str, str] = field(default_factory=dict)
    every_part: Parts | None = None

    def counted(self, overlaps: str) -> Parts:
        """Return the parts that count: with overlapping parts if `overlaps` is "count", without them if "drop"."""
        return self.every_part if overlaps == "count" and self.every_part is not None else self.parts

    @property
    def overlapping(self) -> int:
        """The number of parts that overlap a better part of their document."""
        return len(self.every_part) - len(self.parts) if self.every_part is not None else 0

    @cached_property
    def relevant_documents(self) -> RetrievedDocuments:
        """The retrieved documents with highlighted text, with their ranks among all retrieved documents."""
        relevant = np.append(self.highlights.relevant > 0, False)  # last element for row -1
        return self.parts.documents(np.flatnonzero(relevant[self.parts.row]))


def merged(ranges: Sequence[tuple[int, int]], *, adjoining: bool = False) -> Ranges:
    """Return ranges in ascending order, without empty ones; ranges that share a character are merged.

    If `adjoining`, ranges that only touch are merged too.

    >>> merged([(5, 9), (0, 3), (8, 12), (3, 3)])
    ((0, 3), (5, 12))
    """
    disjoint: list[tuple[int, int]] = []
    for start, end in sorted(at for at in ranges if at[1] > at[0]):
        if disjoint and start < disjoint[-1][1] + adjoining:
            disjoint[-1] = (disjoint[-1][0], max(end, disjoint[-1][1]))
        else:
            disjoint.append((start, end))
    return tuple(disjoint)
