"""Tables (CSV, TSV, Parquet, JSON) -> the same labels and run lines that TREC files give."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from evalcore.arrays import BoolArray, FloatArray
from evalcore.data.assessments import Labels, checked
from evalcore.data.characters import UNSEEN
from evalcore.data.comments import data_head, without_table_comments
from evalcore.data.fields import BOM, LONGEST_ID, PADDING, text_of
from evalcore.data.json_tables import json_head, json_form, read_json
from evalcore.data.json_tables import columns as json_columns
from evalcore.data.sources import Source
from evalcore.structures.documents import Scale
from evalcore.errors import InputError, shorten

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "topic": ("topic", "topic_id", "query", "query_id", "qid", "q_id", "topicid", "queryid", "query-id"),
    "document": ("document", "document_id", "doc", "doc_id", "docid", "docno", "doc_no", "corpus-id", "corpus_id"),
    "aspect": ("aspect", "dimension", "criterion"),
    "grade": ("grade", "label", "rel", "rating", "value", "judgment", "judgement"),
    "rank": ("rank", "position"),
    "score": ("score", "_score", "sim", "similarity"),
    "system": ("system", "run", "run_id", "runid", "tag"),
    "iteration": ("iteration", "iter", "subtopic", "subtopic_id"),
}
_KNOWN = {name: meaning for meaning, names in SYNONYMS.items() for name in names}
# Beside another column of their meaning these are something else: a topic's text, PyTerrier's number of a document.
_SPARE = {"query": "topic", "docid": "document"}
_HIT = "_id"  # of a document, where a topic is named beside it
PARQUET = b"PAR1"
_INDEX = "__index_level_"  # of a frame that pandas wrote
Found = TypeVar("Found")
_NO_ASPECTS = ("topic", "document", "iteration", "Q0")
_OF_RUNS = ("topic", "document", "rank", "score", "system")


def is_table(head: bytes) -> bool:
    """Whether a file begins as Parquet, as JSON of documents, or with a header that names a document column."""
    return head[:4] == PARQUET or json_form(head, meanings) is not None or "document" in header(head)


def header(head: bytes) -> list[str]:
    """The columns that the first line, comments aside, names by their meaning; empty if it is no header."""
    return [name for name in meanings(_header(head)) if name not in _SPARE]


def _header(head: bytes) -> list[str]:
    text, _ = without_table_comments(head.removeprefix(BOM))
    first = text.lstrip(b" \r\n").split(b"\n", 1)[0].decode(errors="replace").strip()
    try:
        names = _cells(first)
    except csv.Error:
        return []
    return names if len(names) > 1 else []


def columns(source: Source, head: bytes) -> list[str]:
    """The columns of a table by their meaning, as far as its beginning shows."""
    form = json_form(head, meanings)
    if form:
        return json_columns(head, form, meanings)
    return [name for name in meanings(named(source, head)) if name and name not in _SPARE]


def named(source: Source, head: bytes) -> list[str]:
    """The columns of a table as the file names them."""
    if head[:4] == PARQUET:
        return _read(_parquet_columns, source.read(), source.name)
    form = json_form(head, meanings)
    return list(begun.keys) if form and (begun := json_head(head)) else _header(head)


def meanings(names: Sequence[str]) -> list[str]:
    """What columns hold; a name that says nothing stays.

    >>> meanings(["qid", "docid", "docno", "Score", "query", "fog"])
    ['topic', 'docid', 'document', 'score', 'query', 'fog']
    """
    plain = [str(name).strip() for name in names]
    found = [_KNOWN.get(name.lower(), name) for name in plain]
    for spare, meaning in _SPARE.items():
        others = [one for one, name in zip(found, plain, strict=True) if one == meaning and name.lower() != spare]
        if others:
            found = [spare if name.lower() == spare else one for one, name in zip(found, plain, strict=True)]
    if "topic" in found and "document" not in found:
        found = ["document" if name == _HIT else one for one, name in zip(found, plain, strict=True)]
    return found


def _cells(line: str) -> list[str]:
    return next(csv.reader([line], delimiter=_separator(line)), [])


def _separator(first_line: str) -> str:
    return max(",\t;", key=first_line.count)


def read_table(source: Source) -> pd.DataFrame:
    """A table with its columns renamed to topic, document, rank, score, ...; its index are the lines of the file.

    Every cell is text, except in Parquet and JSON. A column without a name (pandas writes one) and those that say less
    than another of their meaning are left out. What comment lines say is in `attrs["comments"]`. Raises InputError for
    what is not a table or names one column twice.
    """
    content = source.read()
    if content[:4] == PARQUET:
        table = _read(_read_parquet, content, source.name)
    elif json_form(content[: 1 << 16], meanings):
        table = read_json(content, source.name, meanings)
    else:
        table = _read(_read_text, content, source.name)
    comments = table.attrs.get("comments", "")
    table.columns = pd.Index(meanings(list(map(str, table.columns))))
    for name in table.columns[table.columns.duplicated()]:
        raise InputError(f"expected one column of each meaning, found two for {name!r}", source.name)
    table = table[[name for name in table.columns if name and name not in _SPARE]]
    table.attrs = {"comments": comments}
    return table


def _read(reader: Callable[[bytes, str], Found], content: bytes, name: str) -> Found:
    try:
        return reader(content, name)
    except (pa.ArrowException, csv.Error, OSError, ValueError) as error:
        raise error if isinstance(error, InputError) else _refusal(str(error), name) from None


def _read_parquet(content: bytes, name: str) -> pd.DataFrame:
    table: pd.DataFrame = parquet.read_table(io.BytesIO(content)).replace_schema_metadata().to_pandas()
    table.index = pd.RangeIndex(1, len(table) + 1)
    return table[[name for name in table.columns if not str(name).startswith(_INDEX)]]


def _parquet_columns(content: bytes, name: str) -> list[str]:
    return [name for name in parquet.read_schema(io.BytesIO(content)).names if not name.startswith(_INDEX)]


def _read_text(content: bytes, name: str) -> pd.DataFrame:
    text, comments = without_table_comments(text_of(content, name, "a table").removesuffix(PADDING))
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), b"").decode()
    if not first:
        raise InputError("expected a table, found nothing but comments", name)
    read = arrow_csv.read_csv(
        io.BytesIO(text),
        read_options=arrow_csv.ReadOptions(use_threads=False),
        parse_options=arrow_csv.ParseOptions(delimiter=_separator(first)),
        convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(_cells(first), pa.string())),
    )
    if any(kind != pa.string() for kind in read.schema.types):
        raise InputError("expected a header in one line, found a quoted name that goes on in the next", name)
    table: pd.DataFrame = read.to_pandas()
    filled = [number for number, line in enumerate(lines, start=1) if line.strip()][1:]
    table.index = pd.Index(filled if len(filled) == len(table) else range(2, len(table) + 2))
    table.attrs["comments"] = comments
    if not table.columns.is_unique:  # read_table says so
        return table
    for name in table.columns:
        table[name] = table[name].str.strip()
    return table


def _refusal(problem: str, name: str) -> InputError:
    """Arrow's complaint in our words."""
    if "Parquet" in problem:
        return InputError("expected a readable Parquet table, found a damaged one", name)
    uneven = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", problem)
    if not uneven:
        return InputError(f"expected a table, found: {problem.splitlines()[0]}", name)
    line, expected, found = map(int, uneven.groups())
    return InputError(f"expected {expected} cells, as in the header, found {found}", name, line)


def aspect_columns(table: pd.DataFrame) -> list[str]:
    """The aspects a table holds: the values of its aspect column (long), or its further columns (wide)."""
    if {"aspect", "grade"} <= set(table.columns):
        return sorted(table["aspect"].unique())
    return [name for name in table.columns if name not in _NO_ASPECTS]


def table_labels(
    table: pd.DataFrame, source: Source, scale: Scale, column: str, missing: Sequence[float] = ()
) -> Labels:
    """The labels of one aspect in a table, long or wide; an empty cell is not assessed.

    Raises InputError naming the missing column, or the line of a cell that is no number.
    """
    _need(list(table.columns), ("topic", "document"), source)
    value, comments = column, table.attrs.get("comments", "")
    if {"aspect", "grade"} <= set(table.columns):
        table, value = table[table["aspect"] == column], "grade"
    return replace(checked(_labels(table, source, scale, value, column), missing), comments=comments)


def table_signal(table: pd.DataFrame, source: Source, scale: Scale, column: str) -> Labels:
    """A signal in a table of documents; an empty cell is not known."""
    _need(list(table.columns), ("document",), source)
    labels = checked(_labels(table.assign(topic=""), source, scale, column, column))
    return replace(labels, comments=table.attrs.get("comments", ""))


def _labels(table: pd.DataFrame, source: Source, scale: Scale, value: str, column: str) -> Labels:
    if value not in table.columns:
        known = ", ".join(aspect_columns(table)) or "none"
        raise InputError(f"expected a column {column!r}, found only {known}", source.name)
    table = table[table[value].notna() & (table[value].astype(str) != "")]
    topics = _ids(table, "topic", source) if scale.kind == "grades" else table["topic"]
    subtopics = table["iteration"].astype(str).to_numpy(dtype=object) if "iteration" in table.columns else None
    return Labels(
        scale,
        source.name,
        topics.to_numpy(dtype=object),
        _ids(table, "document", source).to_numpy(dtype=object),
        _numbers(table[value], source, scale.name),
        table.index.to_numpy(dtype=np.int64),
        subtopics=subtopics if scale.kind == "grades" else None,
    )


def run_sources(source: Source) -> list[Source]:
    """A table of ranked documents as TREC runs, one per system it names: order and ties are decided in one place."""
    names = columns(source, data_head(source, 1 << 16))
    _need(names, ("topic", "document"), source)
    if not {"rank", "score"} & set(names):
        raise InputError("expected a column rank or score, found neither", source.name)
    if "system" not in names:
        return [_table_run(source.label, lambda: read_table(source), source)]
    table = read_table(source)
    _refuse_empty(table, source)
    systems = table["system"]
    _refuse(systems, systems.isna() | (systems.astype(str) == ""), source, "a system's name")
    return [
        _table_run(str(name), partial(_as_it_is, part), source) for name, part in table.groupby("system", sort=True)
    ]


def _as_it_is(table: pd.DataFrame) -> pd.DataFrame:
    return table


def _table_run(name: str, table: Callable[[], pd.DataFrame], source: Source) -> Source:
    return Source(source.name, lambda: _trec_text(table(), source), label=name, said=(_said(source),))


def _said(source: Source) -> str:
    """What a report says of a run that stands in a table."""
    head = data_head(source, 1 << 16)
    form = json_form(head, meanings)
    if form in ("scores", "systems"):
        return "read from JSON: the score of each document of each topic" + (" and system" if form == "systems" else "")
    found = named(source, head)
    meant = dict(zip(found, meanings(found), strict=True))
    renamed = [f"{name} as {meaning}" for name, meaning in meant.items() if meaning in _OF_RUNS and meaning != name]
    unread = [name for name, meaning in meant.items() if name and meaning not in _OF_RUNS]
    what = "JSON lines" if form else "a table"
    said = f"read from {what}: {', '.join(renamed)}" if renamed else f"read from {what}"
    return said + (f"; not read: {', '.join(unread)}" if unread else "")


def _refuse_empty(table: pd.DataFrame, source: Source) -> None:
    if not len(table):
        raise InputError("expected ranked documents, found none below the header", source.name)


def _trec_text(table: pd.DataFrame, source: Source) -> bytes:
    """The lines of a run, after what comment lines said."""
    _refuse_empty(table, source)
    ids = [_ids(table, "topic", source), _ids(table, "document", source)]
    ranks = table.groupby("topic").cumcount() + 1
    if "rank" in table:
        _numbers(table["rank"], source, "rank")
        ranks = table["rank"]
    if "score" in table:
        _numbers(table["score"], source, "score")
        scores = table["score"]
    else:
        scores = pd.Series(-_numbers(table["rank"], source, "rank"), index=table.index)
    rows = zip(*ids, ranks.astype(str), scores.astype(str), strict=True)
    comments = [f"# {line}" for line in table.attrs.get("comments", "").splitlines()]
    return "\n".join(
        [*comments, *(f"{topic} Q0 {doc} {rank} {score} table" for topic, doc, rank, score in rows)]
    ).encode()


def _ids(table: pd.DataFrame, column: str, source: Source) -> pd.Series[str]:
    """A column of ids as text. Raises InputError for one that could not stand in a TREC file."""
    cells = table[column]
    ids = cells.astype(str)
    odd = cells.isna() | (ids == "") | ids.str.contains(rf"[\s\x00-\x20]|{UNSEEN}", regex=True)
    odd |= pd.api.types.is_float_dtype(cells.dtype) | ((ids == "#") & (column == "topic"))  # which begins a comment
    _refuse(cells, odd | (ids.str.len() > LONGEST_ID), source, f"a {column} id without spaces")
    return ids


def _numbers(cells: pd.Series[str], source: Source, what: str) -> FloatArray:
    values: FloatArray = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=np.float64)
    _refuse(cells, ~np.isfinite(values), source, f"a finite number as {what}")
    return values


def _refuse(cells: pd.Series[str], bad: pd.Series[bool] | BoolArray, source: Source, expected: str) -> None:
    rows = np.flatnonzero(np.asarray(bad, dtype=bool))
    if len(rows):
        cell: Any = cells.iloc[int(rows[0])]
        line = int(cells.index[rows[0]])
        is_number = isinstance(cell, float) and not isinstance(cells.dtype, pd.StringDtype)
        empty = not is_number and (pd.isna(cell) or str(cell) == "")
        found = "an empty cell" if empty else shorten(str(cell))
        raise InputError(f"expected {expected}, found {found}", source.name, line)


def _need(columns: Collection[str], names: Sequence[str], source: Source) -> None:
    for name in names:
        if name not in columns:
            known = ", ".join(map(str, columns))
            expected = f"a column {name!r} (or {', '.join(SYNONYMS[name][1:4])})"
            raise InputError(f"expected {expected}, found {known}", source.name)
