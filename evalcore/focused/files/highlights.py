"""Text highlighted by assessors: records of files, converted to `Highlights` and to labels of documents.

A record contains the facts that one file states about one document on one topic. Shapes as in `passages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evalcore.data.assessments import Labels
from evalcore.errors import InputError, counted
from evalcore.focused.files.elements import Elements, no_elements, place
from evalcore.focused.passages import Highlights, Ranges, merged
from evalcore.structures.documents import Note, Scale

RELEVANCE = Scale("relevance", grades=(0.0, 1.0), names=("nothing highlighted", "highlighted text"))
SPECIFICITY = Scale("specificity", kind="signal", unit="share highlighted")


@dataclass(frozen=True)
class Record:
    """One assessed document of one topic; -1 for facts missing from the file."""

    topic: str
    document: str
    name: str  # name of the file
    line: int
    highlighted: int = -1
    length: int = -1
    best_entry: int = -1
    ranges: Ranges | None = ()  # None if only sizes are known
    pointers: tuple[tuple[str, str, int], ...] = ()  # start and end path of a passage, and its size
    best_path: str = ""
    elements: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # path -> size, highlighted characters

    def error(self, problem: str) -> InputError:
        return InputError(problem, self.name, self.line)

    @property
    def content(self) -> tuple[object, ...]:
        """The content of the record, without its position in the file."""
        return (*self.key, self.highlighted, self.length, self.best_entry, self.ranges, self.pointers, self.elements)

    @property
    def key(self) -> tuple[str, str]:
        return self.topic, self.document


@dataclass(frozen=True, eq=False)
class Assessed:
    """All records after the checks: each document once per topic, with disjoint ranges inside the document."""

    records: Sequence[Record]
    notes: tuple[Note, ...]

    @property
    def labels(self) -> Labels:
        """The relevance of the documents: 1 with highlighted text, else 0."""
        rows = self.records
        return Labels(
            RELEVANCE,
            rows[0].name,
            np.array([row.topic for row in rows], dtype=object),
            np.array([row.document for row in rows], dtype=object),
            np.array([float(row.highlighted > 0) for row in rows]),
            np.array([row.line for row in rows]),
        )

    @property
    def sizes(self) -> Elements:
        """The sizes of all elements that records list; their positions are unknown."""
        listed = {(row.document, path): size for row in self.records for path, (size, _) in row.elements.items()}
        names = np.array(list(listed), dtype=object).reshape(-1, 2)
        sizes = np.array(list(listed.values()), dtype=np.int64)
        return Elements(names[:, 0], names[:, 1], np.full(len(sizes), -1), sizes)


def assess(
    records: Iterable[Record], elements: Elements | None = None, lengths: Mapping[str, int] | None = None
) -> Assessed:
    """Return the records, checked and completed from a table of elements and the lengths of documents.

    Raises InputError, with file and line, for a range or a best entry point outside its document, for two records that
    contradict each other, and for a relevant document of unknown length.
    """
    known = elements or no_elements()
    once, again = _each_once(records)
    if not once:
        raise InputError("expected assessments of at least one document, found none")
    all_lengths = {**known.lengths(), **(lengths or {})}
    placed = [_placed(record, known) for record in once]
    checked = [_checked(_with_length(record, all_lengths)) for record in placed]
    notes = [*_repeat_notes(again), *_repairs(placed, checked), *_gaps(checked), *_odd_lengths(checked, lengths or {})]
    return Assessed([row for row, _ in checked], tuple(notes))


def _each_once(records: Iterable[Record]) -> tuple[list[Record], list[Record]]:
    first: dict[tuple[str, str], Record] = {}
    again = []
    for record in records:
        before = first.setdefault(record.key, record)
        if before is record:
            continue
        if before.content != record.content:
            where = f"{before.name} line {before.line}"
            problem = f"expected one assessment of document {record.document!r} for topic {record.topic!r}"
            raise record.error(f"{problem}, found another in {where}")
        again.append(record)
    return list(first.values()), again


def _placed(record: Record, elements: Elements) -> Record:
    """Return the record with passages as ranges of characters, if they are given by paths with known positions."""
    if not record.pointers and not record.best_path:
        return record
    outline = elements.outline(record.document)
    best = place(record.best_path, outline) if record.best_path else None
    ranges = [_range(pointer, outline) for pointer in record.pointers]
    known = tuple(at for at in ranges if at is not None)
    return replace(
        record,
        best_entry=record.best_entry if best is None else best,
        ranges=known if len(known) == len(ranges) else None,
    )


def _range(pointer: tuple[str, str, int], outline: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    """Return the start and end of a passage between two paths; None if either is unknown or the stated size is wrong.

    The stated size decides whether the last character is included.
    """
    first, last, size = pointer
    start, end = place(first, outline), place(last, outline, end=True)
    if start is None or end is None or size - (end - start) not in (0, 1):
        return None
    return start, start + size


def _with_length(record: Record, lengths: Mapping[str, int]) -> Record:
    if record.length >= 0:
        return record
    length = lengths.get(record.document, -1)
    if length < 0 and (record.ranges or record.highlighted > 0 or record.best_entry >= 0):
        problem = f"expected the length of document {record.document!r}, which has highlighted text, found none"
        raise record.error(f"{problem}: give a column document_length, a table of lengths or of elements, or the texts")
    return replace(record, length=length)


def _checked(record: Record) -> tuple[Record, int]:
    """Return the record with merged ranges and its number of highlighted characters, and the number of ranges removed.

    Raises InputError for a range or a best entry point outside the document.
    """
    if record.best_entry >= max(record.length, 1):
        within = f"a best entry point within the {record.length:,} characters of document {record.document!r}"
        raise record.error(f"expected {within}, found {record.best_entry:,}")
    if record.ranges is None:
        return record, 0
    for start, end in record.ranges:
        if end > record.length:
            within = f"highlighted text within the {record.length:,} characters of document {record.document!r}"
            raise record.error(f"expected {within}, found {start:,} to {end:,}")
    ranges = merged(record.ranges)
    total = sum(end - start for start, end in ranges)
    listed = record.highlighted if record.elements and record.highlighted >= 0 else total
    if (ranges, listed) == (record.ranges, record.highlighted):
        return record, 0
    return replace(record, ranges=ranges, highlighted=listed), len(record.ranges) - len(ranges)


def _repeat_notes(again: Sequence[Record]) -> list[Note]:
    text = f"{counted(len(again), 'assessment')} repeated: counted once"
    return [Note("repaired", again[0].name, text)] if again else []


def _repairs(before: Sequence[Record], after: Sequence[tuple[Record, int]]) -> Iterator[Note]:
    where = before[0].name
    if met := sum(count for _, count in after):
        yield Note("repaired", where, f"{counted(met, 'empty or overlapping highlighted range')}: merged")
    other = [
        old
        for old, (new, _) in zip(before, after, strict=True)
        if old.highlighted >= 0 and new.ranges is not None and old.highlighted != sum(b - a for a, b in new.ranges)
    ]
    if other:
        used = "the total" if other[0].elements else "their sum"
        text = f"{counted(len(other), 'document')} whose highlighted ranges do not add up to the stated total"
        yield Note("repaired", where, f"{text}: {used} counts (first in line {other[0].line})")


def _gaps(records: Sequence[tuple[Record, int]]) -> Iterator[Note]:
    """Yield notes on relevant documents with missing data."""
    relevant = [record for record, _ in records if record.highlighted > 0]
    if without := [record for record in relevant if record.best_entry < 0]:
        text = f"no best entry point for {len(without):,} of {counted(len(relevant), 'document')} with highlighted text"
        yield Note("warning", without[0].name, f"{text}: no distance can be measured in these documents")
    if sizes := [record for record in relevant if record.ranges is None]:
        text = f"only sizes of elements are known for {counted(len(sizes), 'document')} with highlighted text"
        needed = "give a table of elements with start and end to locate their passages"
        yield Note("warning", sizes[0].name, f"{text}: {needed}")


def _odd_lengths(records: Sequence[tuple[Record, int]], lengths: Mapping[str, int]) -> Iterator[Note]:
    """Yield a note if assessments state lengths of documents that differ from `lengths`."""
    if odd := [row for row, _ in records if lengths.get(row.document, row.length) != row.length >= 0]:
        example = f"{odd[0].document!r} has {lengths[odd[0].document]:,}, not {odd[0].length:,}"
        text = f"{counted(len(odd), 'assessment')} with a length other than the document's ({example})"
        yield Note("warning", odd[0].name, f"{text}: the length in the assessment counts")


def highlights(assessed: Assessed, topics: Sequence[str]) -> Highlights:
    """Return the records as arrays, sorted by topic in the order of `topics`."""
    codes = {name: code for code, name in enumerate(topics)}
    rows = sorted(assessed.records, key=lambda record: codes[record.topic])
    ranges = [row.ranges or () for row in rows]
    edges = np.array([at for listed in ranges for at in listed], dtype=np.int64).reshape(-1, 2)
    return Highlights(
        topics=tuple(topics),
        topic=np.array([codes[row.topic] for row in rows], dtype=np.int64),
        documents=np.array([row.document for row in rows], dtype=object),
        length=np.array([max(row.length, 0) for row in rows], dtype=np.int64),
        relevant=np.array([max(row.highlighted, 0) for row in rows], dtype=np.int64),
        best_entry=np.array([row.best_entry for row in rows], dtype=np.int64),
        indptr=np.cumsum([0, *map(len, ranges)]),
        start=edges[:, 0],
        end=edges[:, 1],
    )
