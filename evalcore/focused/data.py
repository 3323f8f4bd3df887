"""Functions that read, cache and restrict the passages of a collection, for `evalcore.data.subject_data`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from evalcore.common.arrays import BoolArray, IntArray, rows_of
from evalcore.data.collection_files import Inputs
from evalcore.data.restricting import lines_of
from evalcore.data.store import Table, arrays_of, starts_of
from evalcore.focused.files.collect import PassagePool, read_passage_pool
from evalcore.focused.passages import Highlights, Parts, Passages
from evalcore.structures.documents import Collection

IN_WORDS = "passages"


def read_pool(inputs: Inputs, texts: Callable[[], Mapping[str, str]]) -> PassagePool | None:
    """Return the highlighted text of a collection, read from its files; None if it has none."""
    if not inputs.highlights:
        return None
    return read_passage_pool(inputs.highlights, inputs.alone.get("elements"), inputs.alone.get("lengths"), texts())


def restricted(passages: Passages, systems: IntArray, topics: IntArray, _: BoolArray) -> Passages:
    """Return the passages of some systems and topics, which are given by their indices."""
    highlights, rows = _highlights(passages.highlights, topics)

    def kept(parts: Parts) -> Parts:
        indptr, taken = lines_of(parts.indptr, parts.n_topics, systems, topics)
        row = parts.row[taken]
        return Parts(
            systems=tuple(parts.systems[at] for at in systems),
            n_topics=len(topics),
            indptr=indptr,
            row=np.where(row < 0, -1, rows[row]),
            **rows_of(parts, taken, "document", "start", "size", "rsize"),
        )

    every = None if passages.every_part is None else kept(passages.every_part)
    return replace(passages, highlights=highlights, parts=kept(passages.parts), every_part=every)


def _highlights(highlights: Highlights, topics: IntArray) -> tuple[Highlights, IntArray]:
    kept = np.isin(highlights.topic, topics)
    counts = np.diff(highlights.indptr)
    return Highlights(
        topics=tuple(highlights.topics[at] for at in topics),
        topic=np.searchsorted(topics, highlights.topic[kept]),
        indptr=np.concatenate([[0], np.cumsum(counts[kept])]),
        **rows_of(highlights, kept, "documents", "length", "relevant", "best_entry"),
        **rows_of(highlights, np.repeat(kept, counts), "start", "end"),
    ), np.where(kept, np.cumsum(kept) - 1, -1)


def tables(passages: Passages) -> dict[str, dict[str, Any]]:
    """Return the tables to cache, by name; each maps names of columns to arrays."""
    marks, parts = passages.highlights, passages.parts
    return {
        "highlights": {**arrays_of(marks, "indptr", "start", "end"), "ranges": np.diff(marks.indptr)},
        "ranges": {"start": marks.start, "end": marks.end},
        "parts": arrays_of(parts, "indptr"),
        "part_rankings": {"size": np.diff(parts.indptr)},
        "part_documents": {"document": passages.document_ids},
    } | (
        {}
        if (every := passages.every_part) is None
        else {"every_part": arrays_of(every, "indptr"), "every_part_rankings": {"size": np.diff(every.indptr)}}
    )


OVERLAPPING = "parts overlap"


def said(passages: Passages) -> str:
    """Return "parts overlap" if there are tables of overlapping parts, else ""."""
    return "" if passages.every_part is None else OVERLAPPING


def from_tables(table: Table, collection: Collection, text: str) -> Passages:
    """Return the passages that were cached as the results of `tables` and `said`."""
    topics = collection.topics
    marks = table("highlights")
    highlights = Highlights(topics, indptr=starts_of(marks.pop("ranges")), **marks, **table("ranges"))

    def parts(rows: str, rankings: str) -> Parts:
        return Parts(collection.systems, len(topics), starts_of(table(rankings)["size"]), **table(rows))

    every = parts("every_part", "every_part_rankings") if text == OVERLAPPING else None
    ids = table("part_documents")["document"]
    return Passages(highlights, parts("parts", "part_rankings"), ids, collection.texts, every)
