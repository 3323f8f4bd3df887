"""TREC qrels, tables and signals -> the pool of assessments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.arrays import BoolArray, FloatArray
from evalcore.data.characters import alike
from evalcore.data.comments import comment_notes, data_text
from evalcore.data.fields import FIRST_LINE, Fields, split
from evalcore.data.sources import Source
from evalcore.structures.documents import Assessments, Note, Scale, assumed_grades, natural_key
from evalcore.errors import InputError

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
    grades: FloatArray
    lines: NDArray[np.int64]  # line numbers in the file
    repeated: int = 0  # how many lines said again what another had said
    assumed: bool = False  # whether nobody declared the scale
    subtopics: NDArray[np.object_] | None = None  # where the second column of qrels holds them
    by_subtopic: pd.DataFrame | None = None  # once checked: topic, subtopic, document and grade of every line
    comments: str = ""

    def error(self, row: int, problem: str) -> InputError:
        return InputError(problem, self.name, int(self.lines[row]))

    def take(self, keep: BoolArray) -> Labels:
        """The rows to keep."""
        rows = {name: getattr(self, name)[keep] for name in ("topics", "documents", "grades", "lines")}
        subtopics = None if self.subtopics is None else self.subtopics[keep]
        return replace(self, **rows, subtopics=subtopics)

    @property
    def pairs(self) -> pd.MultiIndex:
        """What each line labels: a document in a topic, and in a subtopic where there are some."""
        subtopics = [] if self.subtopics is None else [self.subtopics]
        return pd.MultiIndex.from_arrays([self.topics, self.documents, *subtopics])


def read_qrels(source: Source, scales: Sequence[Scale | None], missing: Sequence[float] = ()) -> list[Labels]:
    """Read TREC qrels: topic, iteration or subtopic, document, then one grade per aspect; comment lines (`comments`).

    Where the second column has several values within a topic, these are subtopics (see `checked`). A column whose
    scale is None is passed over; a grade listed in `missing` means "not assessed". Raises InputError for a wrong number
    of fields, a label that is no number, or one outside a declared scale.
    """
    text, comments = data_text(source, "TREC qrels")
    names = [scale.name if scale else f"column {at + 1}" for at, scale in enumerate(scales)]
    fields = split(text, source.name, ("topic", "iteration", "document", *names))
    topics, documents, lines = fields.strings(0), fields.strings(2), _line_numbers(fields)
    alike = all((word == word[0]).all() for word in fields.words(1))  # as in qrels without subtopics
    subtopics = None if alike else fields.strings(1)
    found = []
    for at, scale in enumerate(scales):
        if scale:
            grades = fields.numbers(3 + at, f"{scale.name} label")
            labels = Labels(scale, source.name, topics, documents, grades, lines, subtopics=subtopics)
            found.append(replace(checked(labels, missing), comments=comments))
    return found


def checked(labels: Labels, missing: Sequence[float] = ()) -> Labels:
    """Labels within their declared scale, each (topic, document) once; an undeclared scale of grades is filled in.

    A grade below 0, and below all that are declared, is no error: it means "not judged". Where a topic has several
    subtopics they are kept beside, and a document's grade is the highest over them: it is relevant to a topic if it is
    to one of its subtopics.
    """
    labels = labels.take(~np.isin(labels.grades, missing)) if len(missing) else labels
    scale = labels.scale
    if not len(labels.grades):
        raise InputError(f"expected {scale.name} labels, found none", labels.name)
    size = np.abs(labels.grades)
    odd = (size > LARGEST_GRADE) | ((size > 0) & (size < SMALLEST_GRADE))
    if odd.any():
        row = int(np.argmax(odd))
        expected = f"expected a {scale.name} grade of at most {LARGEST_GRADE:g}, and 0 or at least {SMALLEST_GRADE:g}"
        raise labels.error(row, f"{expected}, found {labels.grades[row]:g}")
    if scale.kind == "signal":
        return _without_repeats(labels)
    if not scale.grades:
        filled = replace(scale, grades=assumed_grades(labels.grades))
        return _without_repeats(_by_subtopic(replace(labels, scale=filled, assumed=True)))
    outside = ~(np.isin(labels.grades, scale.grades) | np.isnan(scale.judged(labels.grades)))
    if outside.any():
        row = int(np.argmax(outside))
        known = f"a {scale.name} grade of the declared scale ({', '.join(f'{grade:g}' for grade in scale.grades)})"
        raise labels.error(row, f"expected {known}, found {labels.grades[row]:g}")
    return _without_repeats(_by_subtopic(labels))


def _by_subtopic(labels: Labels) -> Labels:
    """Every document once with its highest grade, where a topic has several subtopics."""
    if labels.subtopics is None:
        return labels
    pairs = pd.DataFrame({"topic": labels.topics, "subtopic": labels.subtopics}).drop_duplicates()
    if not pairs["topic"].duplicated().any():
        return replace(labels, subtopics=None)
    whole = _without_repeats(labels)
    columns = {"topic": whole.topics, "subtopic": whole.subtopics, "document": whole.documents, "grade": whole.grades}
    whole = replace(whole, subtopics=None)
    highest = np.lexsort((whole.lines, -whole.grades))  # the first line of those with the highest grade
    kept = np.zeros(len(whole.grades), dtype=bool)
    kept[highest[~whole.pairs[highest].duplicated()]] = True
    return replace(whole.take(kept), by_subtopic=pd.DataFrame(columns))


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
        topic, document, *subtopic = pairs[row]
        place = f"topic {topic!r}, document {document!r}" if topic else f"document {document!r}"
        place += "".join(f", subtopic {name!r}" for name in subtopic)
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
        raise InputError("expected assessments of at least one aspect, found none")
    pairs = pd.concat([pd.DataFrame({"topic": one.topics, "document": one.documents}) for one in labels])
    pairs = pairs.drop_duplicates()
    names = pairs["topic"].unique()
    if len(names) > MOST_TOPICS:
        problem = f"expected at most {MOST_TOPICS:,} assessed topics, found {len(names):,}"
        raise InputError(problem, labels[0].name)
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


def _column(labels: Labels, rows: pd.MultiIndex, by_document: bool) -> FloatArray:
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

    Raises InputError for a value that is no finite number and for a document with two different values.
    """
    text, comments = data_text(source, "a document signal")
    line = FIRST_LINE.search(text)
    first = line.group() if line else b""
    if b"," in first:
        text, first = text.replace(b",", b" "), first.replace(b",", b" ")
    begin = line.end() if line and _is_header(first.split()) else 0
    fields = split(text, source.name, ("document", scale.name), begin)
    documents, values = fields.strings(0), fields.numbers(1, scale.name)
    nowhere = np.full(len(documents), "", dtype=object)
    return checked(Labels(scale, source.name, nowhere, documents, values, _line_numbers(fields), comments=comments))


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
    unlisted = "; 0 is on the scale, though no line has it" if len(found) and 0.0 not in found else ""
    if scale.threshold is None:
        assumed = f"assumed that {scale.positive} is positive{unlisted}"
        yield f"{scale.name} labels {few or 'none'}: {assumed}; grades declared in collection.toml would decide"


def label_notes(labels: Sequence[Labels]) -> list[Note]:
    """Notes on comments, on subtopics, and on lines that said the same again."""
    notes = [note for one in labels for note in (*comment_notes(one.name, one.comments), *_subtopic_notes(one))]
    notes += [
        Note("repaired", one.name, f"{one.repeated:,} {one.scale.name} labels given again: counted once")
        for one in labels
        if one.repeated
    ]
    return list(dict.fromkeys(notes))  # a file with several aspects is read once for each


def _subtopic_notes(labels: Labels) -> list[Note]:
    if labels.by_subtopic is None:
        return []
    several = len(labels.by_subtopic) - len(labels.grades)
    grades = f"the highest {labels.scale.name} of a document's lines is its grade ({several:,} lines less)"
    text = "the second column has several values within a topic: kept as subtopics"
    return [Note("inferred", labels.name, f"{text}; {grades}" if several else text)]


def subtopics_of(labels: Sequence[Labels]) -> pd.DataFrame | None:
    """All that is assessed by subtopic (aspect, topic, subtopic, document, grade), None where nothing is."""
    found = [one.by_subtopic.assign(aspect=one.scale.name) for one in labels if one.by_subtopic is not None]
    return plain_subtopics(pd.concat(found, ignore_index=True)) if found else None


def plain_subtopics(table: pd.DataFrame) -> pd.DataFrame:
    """Grades by subtopic with plain texts as ids, wherever they were kept."""
    ids = {name: table[name].astype(object) for name in ("aspect", "topic", "subtopic", "document")}
    return pd.DataFrame({**ids, "grade": table["grade"]})


def alike_notes(pool: Assessments) -> list[Note]:
    """Notes on ids of assessments that differ in nothing but how their letters are written."""
    if all(map(str.isascii, (*pool.topics, *pool.documents))):
        return []
    found = {
        "topics": alike((0, topic) for topic in pool.topics),
        "documents": alike(zip(pool.topic.tolist(), pool.documents, strict=True)),
    }
    return [
        Note(
            "warning",
            "assessments",
            f"{len(pairs):,} {what} are the same as another only after normalisation, such as {pairs[0][1]!a} and "
            f"{pairs[0][0]!a}: taken for different ones; write them alike",
        )
        for what, pairs in found.items()
        if pairs
    ]


def coverage_notes(pool: Assessments, files: Mapping[str, str]) -> list[Note]:
    """Notes on pool rows that an aspect or signal leaves out."""
    notes = []
    for name in pool.columns:
        missing = int(np.isnan(pool.column(name)).sum())
        if missing:
            text = f"no {name} for {missing:,} of {len(pool):,} documents in the pool: they gain 0 there"
            notes.append(Note("warning", files.get(name, name), text))
    return notes
