"""TREC qrels, tables and signals -> the pool of assessments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.data.fields import Fields, split, text_of
from evalcore.data.sources import Source
from evalcore.data.structures import Assessments, Floats, Note, Scale, assumed_grades, natural_key
from evalcore.errors import DataError

MOST_TOPICS = 200_000
LARGEST_GRADE, SMALLEST_GRADE = 1e15, 1e-100  # in size; sums and ratios of others would not be exact, or no numbers
NOT_KNOWN = ("nan", "na", "n/a", "null", "none", "-", "?")


@dataclass(frozen=True, eq=False)
class Labels:
    """The grades of one aspect as a file gives them, in file order; of a signal, with "" as the topic."""

    scale: Scale
    name: str  # of the file
    topics: NDArray[np.object_]
    documents: NDArray[np.object_]
    grades: Floats
    lines: NDArray[np.int64]  # line numbers in the file
    repeated: int = 0  # how many lines said again what another had said
    assumed: bool = False  # whether nobody declared the scale

    def error(self, row: int, problem: str) -> DataError:
        return DataError(problem, self.name, int(self.lines[row]))

    def take(self, keep: NDArray[np.bool_]) -> Labels:
        """The rows to keep."""
        rows = {name: getattr(self, name)[keep] for name in ("topics", "documents", "grades", "lines")}
        return replace(self, **rows)

    @property
    def pairs(self) -> pd.MultiIndex:
        return pd.MultiIndex.from_arrays([self.topics, self.documents])


def read_qrels(source: Source, scales: Sequence[Scale | None], missing: Sequence[float] = ()) -> list[Labels]:
    """Read TREC qrels: topic, iteration, document, then one grade per aspect.

    A column whose scale is None is passed over; a grade listed in `missing` means "not assessed". Raises DataError for
    a wrong number of fields, a label that is no number, or one outside a declared scale.
    """
    text = text_of(source.read(), source.name, "TREC qrels")
    names = [scale.name if scale else f"column {at + 1}" for at, scale in enumerate(scales)]
    fields = split(text, source.name, ("topic", "iteration", "document", *names))
    topics, documents, lines = fields.strings(0), fields.strings(2), _line_numbers(fields)
    found = []
    for at, scale in enumerate(scales):
        if scale:
            grades = fields.numbers(3 + at, f"{scale.name} label")
            found.append(checked(Labels(scale, source.name, topics, documents, grades, lines), missing))
    return found


def checked(labels: Labels, missing: Sequence[float] = ()) -> Labels:
    """Labels within their declared scale, each (topic, document) once; an undeclared scale is filled in.

    A grade below 0 is outside of no scale: it means "not judged".
    """
    labels = labels.take(~np.isin(labels.grades, missing)) if len(missing) else labels
    scale = labels.scale
    if not len(labels.grades):
        raise DataError(f"expected {scale.name} labels, found none", labels.name)
    size = np.abs(labels.grades)
    odd = (size > LARGEST_GRADE) | ((size > 0) & (size < SMALLEST_GRADE))
    if odd.any():
        row = int(np.argmax(odd))
        expected = f"expected a {scale.name} grade of at most {LARGEST_GRADE:g}, and 0 or at least {SMALLEST_GRADE:g}"
        raise labels.error(row, f"{expected}, found {labels.grades[row]:g}")
    scale = scale if scale.grades else replace(scale, grades=assumed_grades(labels.grades))
    grades = scale.grades
    outside = ~(np.isin(labels.grades, grades) | np.isnan(scale.judged(labels.grades)))
    if outside.any():
        row = int(np.argmax(outside))
        known = f"a {scale.name} grade of the declared scale ({', '.join(f'{grade:g}' for grade in grades)})"
        raise labels.error(row, f"expected {known}, found {labels.grades[row]:g}")
    return _without_repeats(replace(labels, scale=scale, assumed=not labels.scale.grades))


def _without_repeats(labels: Labels) -> Labels:
    pairs = labels.pairs
    again = pairs.duplicated()
    if not again.any():
        return labels
    first = pd.Series(labels.grades, index=pairs)[~again]
    conflict = np.flatnonzero(first.reindex(pairs).to_numpy() != labels.grades)
    if len(conflict):
        row = int(conflict[0])
        before = int(np.argmax(pairs == pairs[row]))
        found = f"{labels.grades[row]:g} after {labels.grades[before]:g} in line {labels.lines[before]}"
        topic, document = pairs[row]
        place = f"topic {topic!r}, document {document!r}" if topic else f"document {document!r}"
        raise labels.error(row, f"expected one {labels.scale.name} label for {place}, found {found}")
    return replace(labels.take(~again), repeated=int(again.sum()))


def build_pool(
    labels: Sequence[Labels],
    by_document: Sequence[str] = (),
    signals: Mapping[str, tuple[Scale, pd.Series[float]]] | None = None,
) -> Assessments:
    """Join aspects (and signals of documents) into one pool.

    Rows are the (topic, document) pairs that any aspect assesses. For an aspect named in `by_document` a pair takes
    the first label that the document has under any topic, as the uRBP tool of 2016 looked it up.
    """
    if not labels:
        raise DataError("expected assessments of at least one aspect, found none")
    pairs = pd.concat([pd.DataFrame({"topic": one.topics, "document": one.documents}) for one in labels])
    pairs = pairs.drop_duplicates()
    names = pairs["topic"].unique()
    if len(names) > MOST_TOPICS:
        problem = f"expected at most {MOST_TOPICS:,} assessed topics, found {len(names):,}"
        raise DataError(problem, labels[0].name)
    topics = sorted(names, key=natural_key)
    codes = pairs["topic"].map({name: code for code, name in enumerate(topics)}).to_numpy()
    order = np.argsort(codes, kind="stable")
    rows = pd.MultiIndex.from_frame(pairs.iloc[order])
    documents = pairs["document"].to_numpy(dtype=object)[order]
    columns = {one.scale.name: _column(one, rows, one.scale.name in by_document) for one in labels}
    scales = {one.scale.name: one.scale for one in labels}
    for name, (scale, values) in (signals or {}).items():
        columns[name] = np.asarray(values.reindex(documents), dtype=np.float64)
        scales[name] = scale
    return Assessments(tuple(topics), codes[order], documents, columns, scales)


def _column(labels: Labels, rows: pd.MultiIndex, by_document: bool) -> Floats:
    if by_document:
        values = document_values(labels).reindex(rows.get_level_values("document"))
    else:
        values = pd.Series(labels.grades, index=labels.pairs).reindex(rows)
    return np.asarray(values, dtype=np.float64)


def document_values(labels: Labels) -> pd.Series[float]:
    """The first value of each document, whatever its topic."""
    index = pd.Index(labels.documents, name="document", dtype=object)
    values = pd.Series(labels.grades, index=index, name=labels.scale.name)
    return values[~index.duplicated()]


def read_signal(source: Source, scale: Scale) -> Labels:
    """Read one number per document: `document value`, separated by white space or comma, with or without a header.

    Raises DataError for a value that is no finite number and for a document with two different values.
    """
    text = text_of(source.read(), source.name, "a document signal")
    first = text.split(b"\n", 1)[0]
    if b"," in first:
        text, first = text.replace(b",", b" "), first.replace(b",", b" ")
    begin = len(first) + 1 if _is_header(first.split()) else 0
    fields = split(text, source.name, ("document", scale.name), begin)
    documents, values = fields.strings(0), fields.numbers(1, scale.name)
    nowhere = np.full(len(documents), "", dtype=object)
    return signal_checked(Labels(scale, source.name, nowhere, documents, values, _line_numbers(fields)))


def signal_checked(labels: Labels) -> Labels:
    """A signal with each document once: continuous, so its scale lists no grades."""
    return replace(checked(labels), scale=labels.scale, assumed=False)


def _is_header(fields: Sequence[bytes]) -> bool:
    """Whether the second field of a first line is a word, and not one that stands for a missing number."""
    try:
        float(fields[1])
    except (IndexError, ValueError):
        return len(fields) == 2 and fields[1][:1].isalpha() and fields[1].decode().lower() not in NOT_KNOWN
    return False


def _line_numbers(fields: Fields) -> NDArray[np.int64]:
    newlines = np.flatnonzero(np.frombuffer(fields.text, dtype=np.uint8) == 10)
    return np.searchsorted(newlines, fields.starts[:, 0]) + 1


def scale_notes(labels: Sequence[Labels]) -> list[Note]:
    """Notes on what was taken for granted of labels: scales that nobody declared, and labels that are no judgement."""
    return [Note("inferred", one.name, text) for one in labels for text in _assumptions(one)]


def _assumptions(labels: Labels) -> Iterator[str]:
    scale, judged = labels.scale, labels.scale.judged(labels.grades)
    unjudged = int(np.isnan(judged).sum())
    if unjudged:
        yield f"{unjudged:,} {scale.name} labels below 0: in the pool, not judged, as trec_eval reads them"
    if not labels.assumed:
        return
    found = np.unique(judged[~np.isnan(judged)])
    few = ", ".join(f"{grade:g}" for grade in found) if len(found) <= Scale.MANY else f"{found[0]:g} to {found[-1]:g}"
    side = "above" if scale.good == "high" else "below"
    unlisted = "; 0 is on the scale, though no line has it" if len(found) and 0.0 not in found else ""
    assumed = f"assumed that {side} {scale.zero:g} is positive{unlisted}"
    yield f"{scale.name} labels {few or 'none'}: {assumed}; grades declared in collection.toml would decide"


def repair_notes(labels: Sequence[Labels]) -> list[Note]:
    """Notes on lines that said the same again."""
    return [
        Note("repaired", one.name, f"{one.repeated:,} {one.scale.name} labels given again: counted once")
        for one in labels
        if one.repeated
    ]


def coverage_notes(pool: Assessments, files: Mapping[str, str]) -> list[Note]:
    """Notes on pool rows that an aspect or signal leaves out."""
    notes = []
    for name in pool.columns:
        missing = int(np.isnan(pool.column(name)).sum())
        if missing:
            text = f"no {name} for {missing:,} of {len(pool):,} assessed documents: they gain 0 there"
            notes.append(Note("warning", files.get(name, name), text))
    return notes
