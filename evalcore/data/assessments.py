"""Read TREC qrels and signals into checked `Labels`; tables of labels are read into the same form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, FloatArray, concatenated, rows_of
from evalcore.common.constants import LARGEST, SMALLEST
from evalcore.common.lazy_imports import pd
from evalcore.common.progress import checkpoint
from evalcore.data.fields import Fields, split
from evalcore.data.names import NO_VALUE, aspect_name, file_name, spoken_aspects
from evalcore.data.runs_or_labels import is_number
from evalcore.data.sources import Source
from evalcore.data.text_files import FIRST_LINE, data_text, first_fields
from evalcore.errors import InputError, shorten
from evalcore.limits import refuse_more
from evalcore.structures.documents import Scale, assumed_grades

NOT_KNOWN = (*NO_VALUE, "?", "inf", "infinity")


@dataclass(frozen=True, eq=False)
class Labels:
    """The grades of one aspect, or the values of a signal (with "" as the topic), in the order of the file."""

    scale: Scale
    name: str  # of the file
    topics: NDArray[np.object_]
    documents: NDArray[np.object_]
    grades: FloatArray
    lines: NDArray[np.int64]  # line numbers in the file
    repeated: int = 0  # number of lines that repeat another
    assumed: bool = False  # the scale is not declared
    subtopics: NDArray[np.object_] | None = None  # if the second column of qrels holds them
    by_subtopic: pd.DataFrame | None = None  # once checked: topic, subtopic, document and grade of every line
    comments: str = ""
    remark: str = ""  # for the report, on the form of the file
    queries: Mapping[str, str] = field(default_factory=dict)  # texts of topics, if the file has texts instead of ids
    parts: tuple[Labels, ...] = ()  # the labels of each file, if there are several

    def error(self, row: int, problem: str) -> InputError:
        return InputError(problem, self.file_of(row), int(self.lines[row]))

    def file_of(self, row: int) -> str:
        """Return the name of the file that contains a row."""
        ends = np.cumsum([len(part.grades) for part in self.parts])
        return self.parts[int(np.searchsorted(ends, row, side="right"))].name if self.parts else self.name

    def take(self, keep: BoolArray) -> Labels:
        """Return these labels, limited to the rows for which `keep` is true."""
        subtopics = None if self.subtopics is None else self.subtopics[keep]
        return replace(self, **rows_of(self, keep, "topics", "documents", "grades", "lines"), subtopics=subtopics)

    @property
    def keys(self) -> list[tuple[str, ...]]:
        """The (topic, document) of each line or, if there are subtopics, the (topic, document, subtopic)."""
        checkpoint()
        columns = [self.topics, self.documents, *([] if self.subtopics is None else [self.subtopics])]
        return list(zip(*(column.tolist() for column in columns), strict=True))


def read_qrels(
    source: Source,
    scale: Scale,
    column: int | str = 1,
    missing: Sequence[float] = (),
    mapped: Sequence[tuple[float, float]] = (),
) -> Labels:
    """Read one aspect of TREC qrels: topic, iteration or subtopic, document, grades. Comment lines go into `comments`.

    `column` is the position of the grade among the fields after the document, from 1. A grade listed in `missing` means
    "not assessed"; the first grade of a pair in `mapped` is replaced by the second. If the second field has several
    values within a topic, these are subtopics (see `are_subtopics` and `checked`). Raises InputError for a column that
    does not exist, a wrong number of fields, a label that is not a number, or one outside a declared scale.
    """
    text, comments = data_text(source, "TREC qrels")
    width = max(len(first_fields(text)) - 3, 1)
    if not isinstance(column, int) or not 1 <= column <= width:
        raise InputError(f"expected `column` to be a number from 1 to {width}, found {column!r}", source.name)
    refuse_more("labels", text.count(b"\n"), width, where=source.name)
    names = [scale.name if at == column else f"column {at}" for at in range(1, width + 1)]
    fields = split(text, source.name, ("topic", "iteration", "document", *names))
    alike = all((word == word[0]).all() for word in fields.words(1))  # as in qrels without subtopics
    topics, documents = fields.strings(0), fields.strings(2)
    second = None if alike else fields.strings(1)
    is_subtopic = second is not None and are_subtopics(topics, second, documents)
    remarks = ["" if second is None or is_subtopic else not_subtopics(second, "the second column")]
    if column == 2 and has_strata(text, source.name):
        remarks.append(
            "the fourth column is read as the stratum of a sample and the fifth as relevance; if they are two aspects, "
            "write column = 1 and column = 2 in collection.toml"
        )
    labels = Labels(
        scale,
        source.name,
        topics,
        documents,
        fields.numbers(2 + column, f"{scale.name} label"),
        _line_numbers(fields),
        subtopics=second if is_subtopic else None,
        remark="; ".join(filter(None, remarks)),
    )
    return replace(checked(labels, missing, mapped), comments=comments)


_WHOLE = re.compile(r"[-+]?\d+(\.0+)?")


def are_subtopics(topics: NDArray[np.object_], values: NDArray[np.object_], documents: NDArray[np.object_]) -> bool:
    """Return true if the second column of qrels has subtopics: a document has several values, and none is a fraction.

    Rounds of assessment are not subtopics: each document was assessed in only one of them.

    >>> topics, documents = np.array(["1"] * 3, dtype=object), np.array(["a", "a", "b"], dtype=object)
    >>> [are_subtopics(topics, np.array(second, dtype=object), documents) for second in (list("121"), ["1", ".5", "1"])]
    [True, False]
    """
    names = _distinct(values)
    if any(is_number(name) and not _WHOLE.fullmatch(name) for name in names):
        return False
    lines = pd.DataFrame({"topic": topics, "document": documents, "value": values}).drop_duplicates()
    return bool(lines.duplicated(["topic", "document"]).any())


def not_subtopics(values: NDArray[np.object_], column: str) -> str:
    """Explain why a column is not read as subtopics; "" if it has only one value, as is usual in qrels."""
    names = _distinct(values)
    if len(names) < 2:
        return ""
    shown = ", ".join(map(shorten, names[:3])) + (", ..." if len(names) > 3 else "")
    text = f"{column} ({shown}) does not seem to contain subtopics: each document of a topic has one value"
    return f"{text}, so it is not read; to declare subtopics, use a table with a column called subtopic"


_SAMPLED = re.compile(r"sampl|infap|strat")  # in names of files


def has_strata(text: bytes, name: str) -> bool:
    """Return true if qrels have the stratum of a sample before the grade: topic, 0, document, stratum, relevance.

    Either the file name says so, or the fourth column has all whole numbers from 1 to its maximum, and some grade is
    0 or -1. A file name that lists two aspects rules strata out.
    """
    if len(first_fields(text)) != 5 or len(spoken_aspects(name)) > 1:
        return False
    rows = [row for row in map(bytes.split, _begun(text).split(b"\n")) if len(row) == 5]
    strata, grades = ({row[at] for row in rows} for at in (3, 4))
    whole = all(re.fullmatch(rb"\d{1,2}", stratum) for stratum in strata)
    if _SAMPLED.search(file_name(name)):
        return whole
    return whole and {*map(int, strata)} == {*range(1, len(strata) + 1)} and bool(grades & {b"0", b"-1"})


_LINES_SEEN = 20_000
LEVEL = re.compile(rb"L\d+")  # a grade in the form of NTCIR
_WITHOUT_ITERATION = re.compile(rb"(?m)^([ \t]*[^\x00-\x20]+)([ \t]+[^\x00-\x20]+[ \t]+)(?:L(?=\d))?")


def read_three_columns(source: Source, scale: Scale, *more: Any) -> Labels:
    """Read qrels without an iteration, as in NTCIR: topic, document and grade, where grade 2 may be written as L2.

    Raises InputError as `read_qrels` does.
    """
    as_trec = replace(source, raw=lambda: _WITHOUT_ITERATION.sub(rb"\1 0\2", source.read()), peek=None)
    return read_qrels(as_trec, scale, *more)


_LETOR = re.compile(
    rb"(?m)^[ \t]*(-?\d+)[ \t]+qid:([^\x00-\x20]+)[^\n]*?#[ \t]*docid[ \t]*=[ \t]*([^\x00-\x20]+)[^\n]*$"
)


def read_letor(source: Source, scale: Scale, *more: Any) -> Labels:
    """Read labels in the LETOR format: `2 qid:301 1:0.3 ... #docid = d2`. A line without `#docid` is refused.

    Raises InputError as `read_qrels` does.
    """
    if not _LETOR.search(source.read()):
        problem = "expected `#docid = ...` after the features, found none: the documents have no ids"
        raise InputError(problem, source.name)
    as_trec = replace(source, raw=lambda: _LETOR.sub(rb"\2 0 \3 \1", source.read()), peek=None)
    return read_qrels(as_trec, scale, *more)


def qrels_aspects(source: Source) -> list[tuple[str, int | str]]:
    """List the aspects in TREC qrels as (name, position of its grade among the fields after the document).

    Positions are counted from 1. Raises InputError if the first line has fewer than four fields.
    """
    text = data_text(source, "TREC qrels")[0]
    first = first_fields(text)
    if not first[3:]:
        found = shorten(b" ".join(first))
        line = text[: len(text) - len(text.lstrip())].count(b"\n") + 1
        raise InputError(f"expected TREC qrels (topic iteration document grade), found {found}", source.name, line)
    width = len(first) - 3
    refuse_more("columns", width, where=source.name)
    refuse_more("labels", text.count(b"\n"), width, where=source.name)
    if has_strata(text, source.name):
        return [(aspect_name(source), 2)]
    names = spoken_aspects(source.name)  # a name with as many aspects as columns lists them in order
    if len(names) != width:
        names = [aspect_name(source), *(f"aspect{at}" for at in range(2, width + 1))]
    return [(name, at) for at, name in enumerate(names, start=1)]


def _begun(text: bytes) -> bytes:
    """Return the first `_LINES_SEEN` lines of text, or all if it has fewer."""
    newlines = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == 10)
    return text[: newlines[_LINES_SEEN - 1]] if len(newlines) >= _LINES_SEEN else text


def checked(labels: Labels, missing: Sequence[float] = (), mapped: Sequence[tuple[float, float]] = ()) -> Labels:
    """Return labels with each (topic, document) once, on their declared scale or, without one, on an assumed scale.

    Grades listed in `missing` are left out first. Then the first grade of each pair in `mapped` is replaced by the
    second. A grade that is below 0 and below all declared grades is no error: it means "not judged". If a topic has
    several subtopics, their grades are kept too, and a document's grade is the highest of them: it is relevant to a
    topic if it is relevant to one of its subtopics.
    """
    labels = labels.take(~np.isin(labels.grades, missing)) if len(missing) else labels
    labels = _translated(labels, mapped) if mapped else labels
    scale = labels.scale
    if not len(labels.grades):
        raise InputError(f"expected {scale.name} labels, found none", labels.name)
    size = np.abs(labels.grades)
    odd = (size > LARGEST) | ((size > 0) & (size < SMALLEST))
    _refuse(odd, labels, f"whose absolute value is 0 or between {SMALLEST:g} and {LARGEST:g}")
    if scale.kind == "signal":
        return _without_repeats(labels)
    if not scale.grades:
        filled = replace(scale, grades=assumed_grades(labels.grades))
        return _without_repeats(_by_subtopic(replace(labels, scale=filled, assumed=True)))
    outside = ~(np.isin(labels.grades, scale.grades) | np.isnan(scale.judged(labels.grades)))
    _refuse(outside, labels, f"of the declared scale ({', '.join(f'{grade:g}' for grade in scale.grades)})")
    return _without_repeats(_by_subtopic(labels))


def _refuse(odd: BoolArray, labels: Labels, expected: str) -> None:
    """Raise InputError with the line of the first grade for which `odd` is true, if there is one."""
    if odd.any():
        row = int(np.argmax(odd))
        raise labels.error(row, f"expected a {labels.scale.name} grade {expected}, found {labels.grades[row]:g}")


def _distinct(names: NDArray[np.object_]) -> list[str]:
    """Return each name once, in order of first occurrence."""
    return list(dict.fromkeys(names.tolist()))


def joined(parts: Sequence[Labels]) -> Labels:
    """Join the labels of one aspect from several files. If no scale is declared, one is assumed from all their grades.

    Raises InputError if two files label a document of a topic differently.
    """
    first, *others = parts
    if not others:
        return first
    columns = concatenated(parts, "topics", "documents", "grades", "lines")
    scale = replace(first.scale, grades=assumed_grades(columns["grades"])) if first.assumed else first.scale
    subtopics = [part.by_subtopic for part in parts if part.by_subtopic is not None]
    whole = replace(
        first,
        scale=scale,
        **columns,
        subtopics=None,
        by_subtopic=pd.concat(subtopics, ignore_index=True) if subtopics else None,
        repeated=0,
        parts=tuple(parts),
    )
    return _without_repeats(whole)


def _translated(labels: Labels, mapped: Sequence[tuple[float, float]]) -> Labels:
    """Return labels in which each grade that is in the map is replaced by its grade on the aspect's scale.

    Raises InputError for a grade that is neither in the map nor on the scale.
    """
    scale, (own, theirs) = labels.scale, np.array(sorted(mapped)).T
    at = np.minimum(np.searchsorted(own, labels.grades), len(own) - 1)
    is_mapped = own[at] == labels.grades
    known = scale.grades or tuple(np.unique([0.0, *theirs]))  # an undeclared scale contains 0
    odd = ~(is_mapped | np.isin(labels.grades, known) | np.isnan(scale.judged(labels.grades)))
    listed = [", ".join(f"{grade:g}" for grade in grades) for grades in (own, known)]
    _refuse(odd, labels, f"listed in map ({listed[0]}) or on the scale ({listed[1]})")
    return replace(labels, grades=np.where(is_mapped, theirs[at], labels.grades))


def _by_subtopic(labels: Labels) -> Labels:
    """Return labels with the highest grade of each document over its subtopics, and all grades in `by_subtopic`.

    If no topic has several subtopics, return the labels without subtopics.
    """
    if labels.subtopics is None:
        return labels
    pairs = pd.DataFrame({"topic": labels.topics, "subtopic": labels.subtopics}).drop_duplicates()
    if not pairs["topic"].duplicated().any():
        return replace(labels, subtopics=None)
    whole = _without_repeats(labels)
    columns = {"topic": whole.topics, "subtopic": whole.subtopics, "document": whole.documents, "grade": whole.grades}
    whole = replace(whole, subtopics=None)
    highest = np.lexsort((whole.lines, -whole.grades))  # the first line of those with the highest grade
    keys = whole.keys
    first = {keys[row]: row for row in reversed(highest.tolist())}
    kept = np.isin(np.arange(len(keys)), [*first.values()])
    return replace(whole.take(kept), by_subtopic=pd.DataFrame(columns))


def _without_repeats(labels: Labels) -> Labels:
    """Return labels with only the first line of each key (see `keys`).

    Raises InputError if a later line of the same key has a different grade.
    """
    keys = labels.keys
    if len(set(keys)) == len(keys):
        return labels
    first = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))
    firsts = np.fromiter(map(first.__getitem__, keys), np.int64, len(keys))
    conflict = np.flatnonzero(labels.grades[firsts] != labels.grades)
    if len(conflict):
        row, before = int(conflict[0]), int(firsts[conflict[0]])
        elsewhere = f" of {labels.file_of(before)}" if labels.file_of(before) != labels.file_of(row) else ""
        found = f"{labels.grades[row]:g} after {labels.grades[before]:g} in line {labels.lines[before]}{elsewhere}"
        topic, document, *subtopic = keys[row]
        place = f"topic {topic!r}, document {document!r}" if topic else f"document {document!r}"
        place += "".join(f", subtopic {name!r}" for name in subtopic)
        raise labels.error(row, f"expected one {labels.scale.name} label for {place}, found {found}")
    kept = firsts == np.arange(len(keys))
    return replace(labels.take(kept), repeated=int((~kept).sum()))


def read_signal(source: Source, scale: Scale, column: int | str = 1) -> Labels:
    """Read one number per document: `document value`, separated by white space or comma, with or without a header.

    There is only one column of values; `column` is ignored. Raises InputError for a value that is not a finite number
    and for a document with two different values.
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
    """Return true if the second of two fields is a word, except one that means a number, such as "nan"."""
    return len(fields) == 2 and fields[1][:1].isalpha() and fields[1].decode().lower() not in NOT_KNOWN


def _line_numbers(fields: Fields) -> NDArray[np.int64]:
    newlines = np.flatnonzero(np.frombuffer(fields.text, dtype=np.uint8) == 10)
    return np.asarray(np.searchsorted(newlines, fields.starts[0]) + 1)


def plain_subtopics(table: pd.DataFrame) -> pd.DataFrame:
    """Return grades by subtopic with plain Python strings as ids, in whatever form the table was stored."""
    ids = {name: table[name].astype(object) for name in ("aspect", "topic", "subtopic", "document")}
    return pd.DataFrame({**ids, "grade": table["grade"]})
