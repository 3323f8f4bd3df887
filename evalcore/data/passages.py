"""What measures of focused retrieval read: highlighted text and the document parts that systems returned.

Shapes: D assessed (topic, document) pairs, H highlighted ranges, S systems, T topics, N parts returned. Places in a
document are characters from 0; a range holds its start and not its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evalcore.data.structures import Integers


@dataclass(frozen=True, eq=False)
class Highlights:
    """What assessors highlighted: one row per assessed (topic, document), sorted by topic."""

    topics: tuple[str, ...]
    topic: Integers  # (D,) index into topics, ascending
    documents: NDArray[np.object_]  # (D,) ids
    length: Integers  # (D,) characters in the document
    relevant: Integers  # (D,) highlighted characters, 0: assessed and not relevant
    best_entry: Integers  # (D,) where to start reading, -1: not assessed
    indptr: Integers  # (D + 1,) ranges of row d are indptr[d]:indptr[d + 1]; none where only sizes are known
    start: Integers  # (H,) disjoint, in document order
    end: Integers  # (H,)

    def __len__(self) -> int:
        return len(self.topic)

    @cached_property
    def relevant_text(self) -> Integers:
        """(T,) highlighted characters per topic: Trel."""
        return np.bincount(self.topic, weights=self.relevant, minlength=len(self.topics)).astype(np.int64)

    @cached_property
    def relevant_documents(self) -> Integers:
        """(T,) documents with highlighted text per topic: Nrel."""
        return np.bincount(self.topic[self.relevant > 0], minlength=len(self.topics))


@dataclass(frozen=True, eq=False)
class Parts:
    """The document parts that each system returned for each topic, by rank, without overlap.

    A CSR structure whose rows are (system, topic) pairs, system by system: the parts of row `s * T + t` are
    `indptr[s * T + t] : indptr[s * T + t + 1]`, best first.
    """

    systems: tuple[str, ...]
    n_topics: int
    indptr: Integers  # (S * T + 1,)
    document: Integers  # (N,) code of the document, the same within a topic for the same document
    row: Integers  # (N,) row of Highlights, -1: this document was not assessed for the topic
    start: Integers  # (N,) first character, -1: unknown
    size: Integers  # (N,) characters returned
    rsize: Integers  # (N,) highlighted characters among them

    def __len__(self) -> int:
        return len(self.size)

    @cached_property
    def line(self) -> Integers:
        """(N,) the (system, topic) row of every part."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))


@dataclass(frozen=True, eq=False)
class Passages:
    """Highlights and the parts returned; `texts` are document texts by id where they are known."""

    highlights: Highlights
    parts: Parts
    document_ids: NDArray[np.object_]  # id of each document code of `parts`
    texts: Mapping[str, str] = field(default_factory=dict)
