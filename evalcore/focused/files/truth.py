"""Measure parts of documents: their lengths, and the lengths of their highlighted text.

Shapes: N parts; D assessed (topic, document) pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.lazy_imports import pa, pc, pd
from evalcore.focused.files.elements import Elements
from evalcore.focused.files.highlights import Record
from evalcore.focused.files.lines import Names, Run
from evalcore.focused.passages import Highlights


@dataclass(frozen=True, eq=False)
class Truth:
    """Highlighted text and known elements; `records` are the records behind `highlights`, in any order."""

    highlights: Highlights
    elements: Elements
    records: Sequence[Record]

    def rows(self, topic: IntArray, document: Names) -> IntArray:
        """Return the (N,) row of Highlights for each topic and document; -1 if it is not assessed for this topic."""
        names, keys, by_key = self._index
        codes = pc.index_in(document.names, value_set=names).fill_null(len(names)).to_numpy()
        wanted = topic * (len(names) + 1) + codes[document.code]
        nearest = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        rows: IntArray = np.where(keys[nearest] == wanted, by_key[nearest], -1)
        return rows

    @cached_property
    def _index(self) -> tuple[pa.StringArray, IntArray, IntArray]:
        """The names of assessed documents, the sorted keys of (topic, document), and the row of each key."""
        marks = self.highlights
        code, names = pd.factorize(marks.documents)
        keys = marks.topic * (len(names) + 1) + code
        by_key = np.argsort(keys)
        return pa.array(names, pa.string()), keys[by_key], by_key

    def highlighted(self, row: IntArray, start: IntArray, end: IntArray) -> IntArray:
        """Return the (N,) numbers of highlighted characters between `start` and `end` in documents; 0 for row -1.

        With all documents laid end to end, this is the number of highlighted characters before the end of the part,
        minus the number before its start.
        """
        length = self.highlights.length[row]
        upto = [self._up_to(row, np.clip(at, 0, length)) for at in (start, end)]
        counts: IntArray = np.where(row >= 0, upto[1] - upto[0], 0)
        return counts

    def _up_to(self, row: IntArray, place: IntArray) -> IntArray:
        marks, (offset, starts, ends, total) = self.highlights, self._ranges
        at = np.clip(row, 0, len(marks)) * offset + place
        before = np.searchsorted(starts, at, side="right")
        sums: IntArray = total[before] - np.maximum(ends[before] - at, 0)
        return sums

    @cached_property
    def _ranges(self) -> tuple[int, IntArray, IntArray, IntArray]:
        """The distance between the starts of documents, with all documents laid end to end, and three arrays.

        The arrays are the starts of ranges (H,), their ends (H + 1,) and their summed lengths (H + 1,). The last two
        arrays begin with 0.
        """
        marks = self.highlights
        offset = int(marks.length.max(initial=0)) + 1
        base = np.repeat(np.arange(len(marks)), np.diff(marks.indptr)) * offset
        total = np.append(0, np.cumsum(marks.end - marks.start))
        return offset, base + marks.start, np.append(0, base + marks.end), total

    @cached_property
    def only_sizes(self) -> BoolArray:
        """The (D,) mask of documents whose highlighted text has a known size but no known ranges."""
        unknown: BoolArray = (self.highlights.relevant > 0) & (np.diff(self.highlights.indptr) == 0)
        return unknown

    def measure(self, run: Run, topic: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Return the (N,) rows of Highlights, starts, sizes and highlighted characters of the parts of a run.

        The row of an unassessed document and an unknown start are -1. Raises InputError with the line for a part whose
        size or highlighted text is unknown.
        """
        row = self.rows(topic, run.lines.document)
        measured = self._passages(run, row) if run.lines.path is None else self._elements(run, row, run.lines.path)
        return row, *measured

    def _passages(self, run: Run, row: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        start, size = run.lines.start, run.lines.size
        unknown = (row >= 0) & self.only_sizes[row]
        if unknown.any():
            found = "found one with sizes of elements only"
            needed = "give a table of elements (document, path, start, end)"
            problem = f"expected a document with highlighted ranges, {found}: {needed}"
            raise run.error(int(np.argmax(unknown)), problem)
        return start, size, self.highlighted(row, start, start + size)

    def _elements(self, run: Run, row: IntArray, path: Names) -> tuple[IntArray, IntArray, IntArray]:
        lines = run.lines
        documents, paths = lines.document.strings(), path.strings()
        at = self.elements.find(documents, paths)
        start, size = (np.append(values, -1)[at] for values in (self.elements.start, self.elements.size))
        start, size = np.where(start >= 0, start, lines.start), np.where(size >= 0, size, lines.size)
        if (size < 0).any():
            first = int(np.argmax(size < 0))
            found = f"found none for {paths[first]} of document {documents[first]!r}"
            needed = "give a table of elements (document, path, size), or a column size"
            raise run.error(first, f"expected the size of every element, {found}: {needed}")
        return start, size, self._highlighted_elements(run, row, start, size, paths)

    def _highlighted_elements(
        self, run: Run, row: IntArray, start: IntArray, size: IntArray, paths: NDArray[np.object_]
    ) -> IntArray:
        """Return (N,) numbers of elements' highlighted characters: as assessed, else from ranges, else from the run.

        Raises InputError with the line for a number that is unknown or larger than possible.
        """
        relevant = np.where(row >= 0, self.highlights.relevant[row], 0)
        counts = np.where(relevant > 0, run.lines.rsize, 0)
        ranged = (relevant > 0) & (start >= 0) & ~self.only_sizes[row]
        counts[ranged] = self.highlighted(row[ranged], start[ranged], (start + size)[ranged])
        is_listed, listed, values = self._listed
        counted = (relevant > 0) & is_listed[row]
        counts[counted] = values[listed.get_indexer(pd.MultiIndex.from_arrays([row[counted], paths[counted]]))]
        wrong = (counts < 0) | (counts > np.minimum(size, relevant))
        if wrong.any():
            first = int(np.argmax(wrong))
            found = (
                f"{counts[first]:,} of {size[first]:,} characters" if counts[first] >= 0 else "no number of characters"
            )
            needed = "give a table of elements (document, path, start, end), or a column rsize"
            raise run.error(first, f"expected the highlighted size of the element, found {found}: {needed}")
        return counts

    @cached_property
    def _listed(self) -> tuple[BoolArray, pd.MultiIndex, IntArray]:
        """The (D,) mask of documents with listed elements, and two tables of these elements.

        The tables are an index by row and path, and the rsize of each element.
        """
        marks = self.highlights
        places = zip(marks.topic.tolist(), marks.documents, strict=True)
        row_of = {(marks.topics[topic], document): row for row, (topic, document) in enumerate(places)}
        listed = {
            (row_of[record.key], path): sizes[1] for record in self.records for path, sizes in record.elements.items()
        }
        is_listed = np.zeros(len(marks), dtype=bool)
        is_listed[[row for row, _ in listed]] = True
        index = pd.MultiIndex.from_tuples(listed or [(-1, "")])
        return is_listed, index, np.array([*(listed or {(-1, ""): 0}).values(), 0])
