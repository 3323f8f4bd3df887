"""Read runs of document parts: INEX file-offset-length, lists of elements, INEX XML and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import pa, pd
from evalcore.data.fields import Fields, blocks, split
from evalcore.data.sources import Source
from evalcore.data.tables import ids, numbers_or_gaps, refuse_rows
from evalcore.data.text_files import text_of
from evalcore.errors import InputError, shorten
from evalcore.focused.files.elements import PATH, Elements, place, refuse_bad_path, refuse_bad_paths
from evalcore.focused.files.inex import Result, read_submission
from evalcore.focused.files.lines import Kind, Lines, Names, Run
from evalcore.focused.files.tables import LONGEST, extents, part_table, whole

BEGINNING = ("topic", "Q0", "document", "rank", "score", "tag")
FORMS: dict[Kind, tuple[str, ...]] = {"passages": (*BEGINNING, "offset", "length"), "elements": (*BEGINNING, "path")}
MIXED = "expected elements or passages in one run, found both"


# The systems in one file, each with the function that reads it. Only INEX XML needs the elements,
# as its passages extend from one path to another.
Readers = list[tuple[str, Callable[[Elements], Run]]]


def xml_runs(source: Source) -> Readers:
    """Return a list of one pair: the system of a submission in INEX XML, and the function that reads its run."""
    return [(source.stem, lambda elements: read_xml_run(source, elements))]


def text_runs(source: Source) -> Readers:
    """Return a list of one pair: the system of a text file, and the function that reads its run."""
    return [(source.stem, lambda _: read_text_run(source))]


def table_runs(source: Source) -> Readers:
    """Return a pair for each system of a table: the system, and the function that reads its run."""
    table = part_table(source, ("topic", "document"))
    if "system" not in table.columns:
        return [(source.stem, lambda _: read_table_run(table, source, source.stem))]
    systems = table.groupby(ids(table, "system", source).to_numpy(dtype=object))
    return [(str(name), partial(_of_table, rows, source, str(name))) for name, rows in systems]


def _of_table(rows: pd.DataFrame, source: Source, system: str, _: Elements) -> Run:
    return read_table_run(rows, source, system)


# Text


def read_text_run(source: Source) -> Run:
    """Read a run of eight fields a line, `topic Q0 document rank score tag offset length`, or seven, `... tag path`."""
    text = text_of(source.read(), source.name, "a run of document parts")
    kind = _kind(text, source.name)
    try:
        parts = [part for at in blocks(text) if len(part := split(text, source.name, FORMS[kind], *at))]
    except InputError as error:
        raise _mixed(error, text, kind) from None
    tag = parts[0].field(0, 5).decode(errors="replace")
    return Run(source.stem, source.name, tag, _lines(parts, kind), lambda at: text.count(b"\n", 0, at) + 1)


def _kind(text: bytes, name: str) -> Kind:
    """Return the kind of part on the first line. Raises InputError for a wrong number of fields."""
    first = re.search(rb"[^\x00-\x20][^\n\x00]*", text)
    fields = first.group().split() if first else []
    if len(fields) == 7 and not _is_number(fields[6]):
        return "elements"
    if len(fields) not in (7, 8):
        forms = " or ".join(f"{len(form)} fields ({' '.join(form)})" for form in FORMS.values())
        hint = "; a whole document is a passage from 0 with the document's length" if len(fields) == 6 else ""
        line = text.count(b"\n", 0, first.start() if first else 0) + 1
        raise InputError(f"expected {forms}, found {len(fields)}{hint}", name, line)
    return "passages"


def _mixed(error: InputError, text: bytes, kind: Kind) -> InputError:
    """Return the error to raise for a bad line: `error`, or a special error for a part that is not of this `kind`."""
    if error.line is None:
        return error
    cells = text.split(b"\n", error.line)[error.line - 1].split()
    is_element = len(cells) == 7 and cells[6].startswith(b"/")
    is_passage = len(cells) == 8 and _is_number(cells[7])
    if not (is_element if kind == "passages" else is_passage):
        return error
    return InputError(f"{MIXED}: {shorten(b' '.join(cells))}", error.where, error.line)


def _is_number(field: bytes) -> bool:
    return field.removeprefix(b"-").isdigit()


def _lines(parts: Sequence[Fields], kind: Kind) -> Lines:
    topic, document = (Names.of(pa.chunked_array([part.pieces(at) for part in parts])) for at in (0, 2))
    unknown = np.full(len(topic.code), -1)
    start = np.concatenate([_whole(part, 6, "offset") for part in parts]) if kind == "passages" else unknown
    size = np.concatenate([_whole(part, 7, "length") for part in parts]) if kind == "passages" else unknown
    lines = Lines(
        topic=topic,
        document=document,
        path=_paths(parts) if kind == "elements" else None,
        rank=np.concatenate([part.numbers(3, "rank") for part in parts]),
        score=np.concatenate([part.numbers(4, "score") for part in parts]),
        start=start,
        size=size,
        rsize=unknown,
        place=np.concatenate([part.starts[0] for part in parts]),
    )
    _refuse_too_long(lines, parts)
    return lines


def _whole(part: Fields, column: int, what: str) -> IntArray:
    values = part.numbers(column, what)
    bad = (values < 0) | (values > LONGEST) | (values != np.floor(values))
    if bad.any():
        row = int(np.argmax(bad))
        raise part.error(row, f"expected an integer of 0 or more as {what}, found {shorten(part.field(row, column))}")
    return values.astype(np.int64)


def _refuse_too_long(lines: Lines, parts: Sequence[Fields]) -> None:
    beyond = np.flatnonzero(lines.start + lines.size > LONGEST)
    if len(beyond):
        part, row = _part_of(int(beyond[0]), parts)
        raise part.error(row, f"expected a part within the first {LONGEST:,} characters, found one that ends later")


def _paths(parts: Sequence[Fields]) -> Names:
    paths = Names.of(pa.chunked_array([part.pieces(6) for part in parts]))
    for code, path in enumerate(paths.different()):
        if not PATH.fullmatch(path):
            part, row = _part_of(int(np.argmax(paths.code == code)), parts)
            refuse_bad_path(path, part.name, part.line(row))
    return paths


def _part_of(row: int, parts: Sequence[Fields]) -> tuple[Fields, int]:
    """Return the block of lines that contains a row, and the row within it."""
    for part in parts:
        if row < len(part):
            break
        row -= len(part)
    return part, row


# Tables


def read_table_run(table: pd.DataFrame, source: Source, system: str) -> Run:
    """Read a run from a table with the columns topic, document, rank or score, and a passage or an element.

    A passage has start and length (or end), an element has path; size and rsize are optional.
    """
    start, paths = whole(table, "start", source), _table_paths(table, source)
    size = extents(table, start, source)
    if paths is not None:
        size = np.where(size >= 0, size, whole(table, "size", source))
    else:
        neither = "expected a start with a length or an end, or a path, found neither"
        refuse_rows(size < 0, table.index, source.name, neither)
    lines = Lines(
        topic=Names.of(ids(table, "topic", source).to_numpy(dtype=object)),
        document=Names.of(ids(table, "document", source).to_numpy(dtype=object)),
        path=None if paths is None else Names.of(paths),
        rank=numbers_or_gaps(table, "rank", source),
        score=numbers_or_gaps(table, "score", source),
        start=start,
        size=size,
        rsize=whole(table, "rsize", source),
        place=table.index.to_numpy(dtype=np.int64),
    )
    return Run(system, source.name, system, lines, lambda line: line)


def _table_paths(table: pd.DataFrame, source: Source) -> NDArray[np.object_] | None:
    """Return the paths of a table of elements, None for passages. Raises InputError if it has both."""
    if "path" not in table.columns:
        return None
    paths = table["path"].fillna("").astype(str).to_numpy(dtype=object)
    without = paths == ""
    if without.all():
        return None
    passages = without & (whole(table, "start", source) >= 0)
    refuse_rows(passages, table.index, source.name, f"{MIXED}: a passage without a path")
    refuse_bad_paths(paths, table.index, source.name)
    return paths


# INEX XML


def read_xml_run(source: Source, elements: Elements) -> Run:
    """Read a run of elements (by path), or of passages between two paths, which `elements` converts to characters."""
    results, tag = read_submission(source)
    paths = [result.path for result in results]
    for result in results:
        if bool(result.path) != bool(paths[0]):
            raise InputError(MIXED, source.name, result.line)
        if result.path:
            refuse_bad_path(result.path, source.name, result.line)
    spans = np.array([_span(result, elements, source.name) for result in results], dtype=np.int64)
    lines = Lines(
        topic=Names.of([result.topic for result in results]),
        document=Names.of([result.document for result in results]),
        path=Names.of(paths) if paths[0] else None,
        rank=_numbers([result.rank for result in results], results, source.name, "rank"),
        score=_numbers([result.score for result in results], results, source.name, "rsv"),
        start=spans[:, 0],
        size=spans[:, 1],
        rsize=np.full(len(results), -1),
        place=np.array([result.line for result in results]),
    )
    return Run(source.stem, source.name, tag, lines, lambda line: line)


def _span(result: Result, elements: Elements, name: str) -> tuple[int, int]:
    """Return the start and the length of a passage; -1, -1 for an element, which its path identifies."""
    if result.passage is None:
        return -1, -1
    outline = elements.outline(result.document)
    start, end = place(result.passage[0], outline), place(result.passage[1], outline, end=True)
    if start is None or end is None or end < start:
        found = f"{shorten(result.passage[0])} to {shorten(result.passage[1])} in document {result.document!r}"
        needed = "a table of elements (document, path, start, end) with the paths of the passage"
        raise InputError(f"expected {needed}, found none for {found}", name, result.line)
    return start, end - start


def _numbers(texts: Sequence[str], results: Sequence[Result], name: str, what: str) -> FloatArray:
    """Return texts as numbers, nan for "". Raises InputError with the line of any text that is not a finite number."""
    values = np.array([_float(text) for text in texts])
    for row in np.flatnonzero(~np.isfinite(values)).tolist():
        if texts[row]:
            problem = f"expected a finite number as {what}, found {shorten(texts[row])}"
            raise InputError(problem, name, results[row].line)
    return values


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan
