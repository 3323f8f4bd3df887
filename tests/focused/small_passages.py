"""Small collections with highlighted text, as plain lists and sets of characters, and as structures of measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from evalcore.common.arrays import FloatArray
from evalcore.common.cached import cached_property
from evalcore.focused.passages import Highlights, Parts, Passages
from evalcore.measures import Measure
from evalcore.structures.documents import Assessments, Collection, LoadingReport, Rankings, Scale

Part = tuple[str, int, int]  # document, first character, the one after the last
Ranges = tuple[tuple[int, int], ...]
LENGTH = 30  # characters in every document


@dataclass(frozen=True)
class Marked:
    """An assessor's highlights and best entry point in one document."""

    ranges: Ranges = ()
    best_entry: int = -1

    @cached_property
    def characters(self) -> set[int]:
        return {at for start, end in self.ranges for at in range(start, end)}


@dataclass(frozen=True)
class SmallPassages:
    """Marked documents by topic, and a list of parts for each system and topic."""

    judged: tuple[dict[str, Marked], ...]
    lists: tuple[tuple[tuple[Part, ...], ...], ...]  # system -> topic -> parts from rank 1 on
    length: int = LENGTH

    @cached_property
    def rows(self) -> dict[tuple[int, str], int]:
        pairs = [(t, document) for t, topic in enumerate(self.judged) for document in topic]
        return {pair: at for at, pair in enumerate(pairs)}

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return tuple(f"t{t}" for t in range(len(self.judged)))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        return tuple(f"s{s}" for s in range(len(self.lists)))

    @cached_property
    def highlights(self) -> Highlights:
        marked = [topic[document] for topic in self.judged for document in topic]
        ranges = [one for each in marked for one in each.ranges]
        return Highlights(
            self.topics,
            np.array([t for t, _ in self.rows], dtype=int),
            np.array([document for _, document in self.rows], dtype=object),
            np.full(len(marked), self.length),
            np.array([len(one.characters) for one in marked], dtype=int),
            np.array([one.best_entry for one in marked], dtype=int),
            np.cumsum([0, *(len(one.ranges) for one in marked)]),
            np.array([start for start, _ in ranges], dtype=int),
            np.array([end for _, end in ranges], dtype=int),
        )

    @cached_property
    def parts(self) -> Parts:
        lines = [(t, parts) for system in self.lists for t, parts in enumerate(system)]
        every = [(t, *part) for t, parts in lines for part in parts]
        codes = {document: at for at, document in enumerate(self.documents)}
        return Parts(
            self.systems,
            len(self.judged),
            np.cumsum([0, *(len(parts) for _, parts in lines)]),
            np.array([codes[document] for _, document, _, _ in every], dtype=int),
            np.array([self.rows.get((t, document), -1) for t, document, _, _ in every], dtype=int),
            np.array([start for _, _, start, _ in every], dtype=int),
            np.array([end - start for _, _, start, end in every], dtype=int),
            np.array([self.overlap(t, (document, start, end)) for t, document, start, end in every], dtype=int),
        )

    @cached_property
    def documents(self) -> list[str]:
        return sorted({part[0] for system in self.lists for parts in system for part in parts} | DOCUMENTS)

    def overlap(self, t: int, part: Part) -> int:
        """Return the number of highlighted characters of a part."""
        document, start, end = part
        return len(self.judged[t].get(document, Marked()).characters & set(range(start, end)))

    @cached_property
    def passages(self) -> Passages:
        documents = np.array(self.documents, dtype=object)
        texts = dict.fromkeys(self.documents, ("Some text. " * self.length)[: self.length])
        return Passages(self.highlights, self.parts, documents, texts)

    @cached_property
    def collection(self) -> Collection:
        """Return the collection; documents are ranked by their first part, and relevant if something is highlighted."""
        highlights = self.highlights
        pool = Assessments(
            self.topics,
            highlights.topic,
            highlights.documents,
            {"relevance": (highlights.relevant > 0).astype(float)},
            {"relevance": Scale("relevance", grades=(0, 1))},
        )
        lists = [[ranked(parts) for parts in system] for system in self.lists]
        hits = [
            [(rank, self.rows[t, d]) for rank, d in enumerate(documents, start=1) if (t, d) in self.rows]
            for system in lists
            for t, documents in enumerate(system)
        ]
        rankings = Rankings(
            self.systems,
            len(self.topics),
            len(pool),
            np.cumsum([0, *map(len, hits)]),
            np.array([rank for line in hits for rank, _ in line], dtype=int),
            np.array([row for line in hits for _, row in line], dtype=int),
            np.array([[len(documents) for documents in system] for system in lists]),
        )
        report = LoadingReport(pd.DataFrame(index=pd.Index(self.systems)), pd.DataFrame())
        return Collection("small", pool, rankings, report, fingerprint=repr(self), more={"passages": self.passages})

    def scores(self, measure: Measure) -> FloatArray:
        return measure.scores_on(self.collection)


def ranked(parts: Sequence[Part]) -> list[str]:
    """Return the documents of a list of parts, in the order of their first parts."""
    return list(dict.fromkeys(document for document, _, _ in parts))


DOCUMENTS = {f"d{at}" for at in range(5)}


@st.composite
def pieces(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Draw disjoint ranges of a document, in order; two may touch."""
    borders = sorted(draw(st.sets(st.integers(0, LENGTH), max_size=8)))
    return [one for one in pairwise(borders) if draw(st.booleans())]


@st.composite
def marked(draw: st.DrawFn) -> Marked:
    ranges = tuple(draw(pieces()))
    entry = draw(st.integers(-1, LENGTH - 1)) if ranges else -1
    return Marked(ranges, entry)


@st.composite
def part_lists(draw: st.DrawFn) -> tuple[Part, ...]:
    """Draw parts without overlap; those of one document are not always neighbours."""
    documents = draw(st.lists(st.sampled_from(sorted(DOCUMENTS)), unique=True))
    parts = [(document, start, end) for document in documents for start, end in draw(pieces())]
    return tuple(draw(st.permutations(parts)))


@st.composite
def small_passages(draw: st.DrawFn) -> SmallPassages:
    """Draw up to 3 systems and 3 topics, with unassessed documents, empty lists, and topics without highlights."""
    topics = draw(st.integers(1, 3))
    documents = st.sampled_from(sorted(DOCUMENTS))
    judged = [draw(st.dictionaries(documents, marked(), min_size=1, max_size=4)) for _ in range(topics)]
    lists = draw(st.lists(st.tuples(*[part_lists()] * topics), min_size=1, max_size=3))
    return SmallPassages(tuple(judged), tuple(lists))
