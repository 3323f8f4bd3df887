"""TREC qrels, tables and signals -> the pool of assessments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.data.fields import split, text_of
from evalcore.data.sources import Source
from evalcore.data.structures import Assessments, Floats, Note, Scale, natural_key
from evalcore.errors import DataError

MOST_TOPICS = 200_000


@dataclass(frozen=True, eq=False)
class Labels:
    """The grades of one aspect as a file gives them, in file order."""

    scale: Scale
    name: str  # of the file
    topics: NDArray[np.object_]
    documents: NDArray[np.object_]
    grades: Floats
    lines: NDArray[np.int64]  # line numbers in the file

    def error(self, row: int, problem: str) -> DataError:
        return DataError(problem, self.name, int(self.lines[row]))


def read_qrels(source: Source, scales: Sequence[Scale]) -> list[Labels]:
    """Read TREC qrels: topic, iteration, document, then one grade per aspect.

    Raises DataError for a wrong number of fields, a label that is no number, or one outside a declared scale.
    """
    text = text_of(source.read(), source.name, "TREC qrels")
    fields = split(text, source.name, ("topic", "iteration", "document", *(scale.name for scale in scales)))
    topics, documents = fields.strings(0), fields.strings(2)
    lines = _line_numbers(text, fields.starts[:, 0])
    return [
        checked(Labels(scale, source.name, topics, documents, fields.numbers(3 + at, f"{scale.name} label"), lines))
        for at, scale in enumerate(scales)
    ]


def checked(labels: Labels) -> Labels:
    """Labels within their declared scale, each (topic, document) once; the scale is filled in where undeclared."""
    scale = labels.scale
    if scale.grades:
        outside = ~np.isin(labels.grades, scale.grades)
        if outside.any():
            row = int(np.argmax(outside))
            known = ", ".join(f"{grade:g}" for grade in scale.grades)
            raise labels.error(row, f"expected a {scale.name} grade of the declared scale ({known}), found {labels.grades[row]:g}")
    else:
        labels = replace(labels, scale=replace(scale, grades=tuple(np.unique(labels.grades).tolist())))
    return _without_repeats(labels)


def _without_repeats(labels: Labels) -> Labels:
    pairs = pd.MultiIndex.from_arrays([labels.topics, labels.documents])
    again = pairs.duplicated()
    if not again.any():
        return labels
    first = pd.Series(labels.grades, index=pairs)[~again]
    conflict = np.flatnonzero(first.reindex(pairs).to_numpy() != labels.grades)
    if len(conflict):
        row = int(conflict[0])
        topic, document = pairs[row]
        before = int(np.argmax(pairs == pairs[row]))
        raise labels.error(
            row,
            f"expected one {labels.scale.name} label for topic {topic!r}, document {document!r}, "
            f"found {labels.grades[row]:g} after {labels.grades[before]:g} in line {labels.lines[before]}",
        )
    keep = ~again
    return replace(
        labels,
        topics=labels.topics[keep],
        documents=labels.documents[keep],
        grades=labels.grades[keep],
        lines=labels.lines[keep],
    )


def build_pool(
    labels: Sequence[Labels], by_document: Sequence[str] = (), signals: Mapping[str, tuple[Scale, pd.Series]] | None = None
) -> Assessments:
    """Join aspects (and signals of documents) into one pool.

    Rows are the (topic, document) pairs that any aspect assesses. For an aspect named in `by_document` a pair takes the
    first label that the document has under any topic, as the uRBP tool of 2016 looked it up.
    """
    if not labels:
        raise DataError("expected assessments of at least one aspect, found none")
    pairs = pd.concat([pd.DataFrame({"topic": one.topics, "document": one.documents}) for one in labels])
    pairs = pairs.drop_duplicates()
    topics = sorted(pairs["topic"].unique(), key=natural_key)
    if len(topics) > MOST_TOPICS:
        raise DataError(f"expected at most {MOST_TOPICS:,} assessed topics, found {len(topics):,}", labels[0].name)
    codes = pairs["topic"].map({name: code for code, name in enumerate(topics)}).to_numpy()
    order = np.argsort(codes, kind="stable")
    rows = pd.MultiIndex.from_frame(pairs.iloc[order])
    documents = pairs["document"].to_numpy(dtype=object)[order]
    columns = {one.scale.name: _column(one, rows, one.scale.name in by_document) for one in labels}
    scales = {one.scale.name: one.scale for one in labels}
    for name, (scale, values) in (signals or {}).items():
        columns[name] = values.reindex(documents).to_numpy(dtype=float)
        scales[name] = scale
    return Assessments(tuple(topics), codes[order], documents, columns, scales)


def _column(labels: Labels, rows: pd.MultiIndex, by_document: bool) -> Floats:
    if by_document:
        first = pd.Series(labels.grades, index=labels.documents)
        first = first[~first.index.duplicated()]
        return first.reindex(rows.get_level_values("document")).to_numpy()
    pairs = pd.MultiIndex.from_arrays([labels.topics, labels.documents])
    return pd.Series(labels.grades, index=pairs).reindex(rows).to_numpy()


def read_signal(source: Source, scale: Scale) -> pd.Series:
    """Read one number per document: `document value`, separated by white space, comma or tab, with or without a header.

    Raises DataError for a value that is no finite number and for a document with two different values.
    """
    text = text_of(source.read(), source.name, "a document signal")
    first = text.split(b"\n", 1)[0]
    if b"," in first:
        text = text.replace(b",", b" ")
    begin = len(first) + 1 if _is_header(first.replace(b",", b" ").split()) else 0
    fields = split(text, source.name, ("document", scale.name), begin)
    documents, values = fields.strings(0), fields.numbers(1, scale.name)
    series = pd.Series(values, index=pd.Index(documents, name="document", dtype=object), name=scale.name)
    again = series.index.duplicated()
    if again.any():
        first_values = series[~again].reindex(documents).to_numpy()
        conflict = np.flatnonzero(first_values != values)
        if len(conflict):
            row = int(conflict[0])
            problem = f"expected one {scale.name} for {documents[row]!r}, found {values[row]:g} after {first_values[row]:g}"
            raise fields.error(row, problem)
    return series[~again]


def _is_header(fields: Sequence[bytes]) -> bool:
    """Whether the second field of a first line is no number."""
    try:
        float(fields[1])
    except (IndexError, ValueError):
        return len(fields) == 2
    return False


def _line_numbers(text: bytes, starts: NDArray[np.int64]) -> NDArray[np.int64]:
    newlines = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == 10)
    return np.searchsorted(newlines, starts) + 1


def coverage_notes(pool: Assessments, files: Mapping[str, str]) -> list[Note]:
    """Notes on pool rows that an aspect or signal leaves out."""
    notes = []
    for name, values in pool.columns.items():
        missing = int(np.isnan(values).sum())
        if missing:
            text = f"no {name} for {missing:,} of {len(pool):,} assessed documents: they gain 0 there"
            notes.append(Note("warning", files.get(name, name), text))
    return notes
