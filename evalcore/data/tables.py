"""CSV, TSV and Parquet tables -> the same labels and run lines that TREC files give."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from evalcore.data.assessments import Labels, checked
from evalcore.data.fields import LONGEST_ID, PADDING, text_of
from evalcore.data.sources import Source
from evalcore.data.structures import Floats, Scale
from evalcore.errors import DataError, shorten

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "topic": ("topic", "topic_id", "query", "query_id", "qid", "q_id", "topicid", "queryid"),
    "document": ("document", "document_id", "doc", "doc_id", "docid", "docno", "doc_no"),
    "aspect": ("aspect", "dimension", "criterion"),
    "grade": ("grade", "label", "rel", "value", "judgment", "judgement"),
    "rank": ("rank", "position"),
    "score": ("score", "sim", "similarity"),
    "system": ("system", "run", "run_id", "runid", "tag"),
}
_KNOWN = {name: meaning for meaning, names in SYNONYMS.items() for name in names}
PARQUET = b"PAR1"
_NO_ASPECTS = ("topic", "document", "iteration", "Q0")


def is_table(head: bytes) -> bool:
    """Whether a file begins as Parquet, or with a header of separated names with a document column."""
    return head[:4] == PARQUET or "document" in header(head)


def header(head: bytes) -> list[str]:
    """The columns that the first line names, by their meaning; empty if it is no header."""
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \r\n").split(b"\n", 1)[0].decode(errors="replace").strip()
    try:
        names = _cells(first)
    except csv.Error:
        return []
    return [_meaning(name) for name in names] if len(names) > 1 else []


def _cells(line: str) -> list[str]:
    return next(csv.reader([line], delimiter=_separator(line)), [])


def _meaning(name: str) -> str:
    return _KNOWN.get(name.strip().lower(), name.strip())


def _separator(first_line: str) -> str:
    return max(",\t;", key=first_line.count)


def read_table(source: Source) -> pd.DataFrame:
    """A table with its columns renamed to topic, document, rank, score, ...; its index are the lines of the file.

    Every cell is text, except in Parquet. Raises DataError for what is not a table or names one column twice.
    """
    content = source.read()
    read = _read_parquet if content[:4] == PARQUET else _read_text
    try:
        table = read(content, source.name)
    except (pa.ArrowException, csv.Error, OSError, ValueError) as error:
        raise error if isinstance(error, DataError) else _refusal(str(error), source.name) from None
    table.columns = pd.Index([_meaning(str(name)) for name in table.columns])
    for name in table.columns[table.columns.duplicated()]:
        raise DataError(f"expected one column of each meaning, found two for {name!r}", source.name)
    return table


def _read_parquet(content: bytes, name: str) -> pd.DataFrame:
    table: pd.DataFrame = parquet.read_table(io.BytesIO(content)).replace_schema_metadata().to_pandas()
    table.index = pd.RangeIndex(1, len(table) + 1)
    return table[[name for name in table.columns if not str(name).startswith("__index_level_")]]


def _read_text(content: bytes, name: str) -> pd.DataFrame:
    text = text_of(content, name, "a table").removesuffix(PADDING)
    lines = text.splitlines()
    first = next(line for line in lines if line.strip()).decode()
    read = arrow_csv.read_csv(
        io.BytesIO(text),
        read_options=arrow_csv.ReadOptions(use_threads=False),
        parse_options=arrow_csv.ParseOptions(delimiter=_separator(first)),
        convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(_cells(first), pa.string())),
    )
    if any(kind != pa.string() for kind in read.schema.types):
        raise DataError("expected a header in one line, found a quoted name that goes on in the next", name)
    table: pd.DataFrame = read.to_pandas()
    filled = [number for number, line in enumerate(lines, start=1) if line.strip()][1:]
    table.index = pd.Index(filled if len(filled) == len(table) else range(2, len(table) + 2))
    if not table.columns.is_unique:  # read_table says so
        return table
    for name in table.columns:
        table[name] = table[name].str.strip()
    return table


def _refusal(problem: str, name: str) -> DataError:
    """Arrow's complaint in our words."""
    if "Parquet" in problem:
        return DataError("expected a readable Parquet table, found a damaged one", name)
    uneven = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", problem)
    if not uneven:
        return DataError(f"expected a table, found: {problem.splitlines()[0]}", name)
    line, expected, found = map(int, uneven.groups())
    return DataError(f"expected {expected} cells, as in the header, found {found}", name, line)


def aspect_columns(table: pd.DataFrame) -> list[str]:
    """The aspects a table holds: the values of its aspect column (long), or its further columns (wide)."""
    if {"aspect", "grade"} <= set(table.columns):
        return sorted(table["aspect"].unique())
    return [name for name in table.columns if name not in _NO_ASPECTS]


def table_labels(
    table: pd.DataFrame, source: Source, scale: Scale, column: str, missing: Sequence[float] = ()
) -> Labels:
    """The labels of one aspect in a table, long or wide; an empty cell is not assessed.

    Raises DataError naming the missing column, or the line of a cell that is no number.
    """
    _need(table, ("topic", "document"), source)
    value = column
    if {"aspect", "grade"} <= set(table.columns):
        table, value = table[table["aspect"] == column], "grade"
    return checked(_labels(table, source, scale, value, column), missing)


def table_signal(table: pd.DataFrame, source: Source, scale: Scale, column: str) -> Labels:
    """A signal in a table of documents; an empty cell is not known."""
    _need(table, ("document",), source)
    return checked(_labels(table.assign(topic=""), source, scale, column, column))


def _labels(table: pd.DataFrame, source: Source, scale: Scale, value: str, column: str) -> Labels:
    if value not in table.columns:
        known = ", ".join(aspect_columns(table)) or "none"
        raise DataError(f"expected a column {column!r}, found only {known}", source.name)
    table = table[table[value].notna() & (table[value].astype(str) != "")]
    topics = _ids(table, "topic", source) if scale.kind == "grades" else table["topic"]
    return Labels(
        scale,
        source.name,
        topics.to_numpy(dtype=object),
        _ids(table, "document", source).to_numpy(dtype=object),
        _numbers(table[value], source, scale.name),
        table.index.to_numpy(dtype=np.int64),
    )


def run_sources(source: Source) -> list[Source]:
    """A table of ranked documents as TREC runs, one per system it names: order and ties are decided in one place."""
    table = read_table(source)
    _need(table, ("topic", "document"), source)
    if not {"rank", "score"} & set(table.columns):
        raise DataError("expected a column rank or score, found neither", source.name)
    if not len(table):
        raise DataError("expected ranked documents, found none below the header", source.name)
    if "system" not in table.columns:
        return [Source(source.name, lambda: _trec_text(table, source))]
    systems = table["system"]
    _refuse(systems, systems.isna() | (systems.astype(str) == ""), source, "a system's name")
    return [_table_run(str(name), part, source) for name, part in table.groupby("system", sort=True)]


def _table_run(name: str, table: pd.DataFrame, source: Source) -> Source:
    return Source(source.name, lambda: _trec_text(table, source), label=name)


def _trec_text(table: pd.DataFrame, source: Source) -> bytes:
    ranks = table.groupby("topic").cumcount() + 1
    if "rank" in table:
        _numbers(table["rank"], source, "rank")
        ranks = table["rank"]
    if "score" in table:
        _numbers(table["score"], source, "score")
        scores = table["score"]
    else:
        scores = pd.Series(-_numbers(table["rank"], source, "rank"), index=table.index)
    ids = [_ids(table, "topic", source), _ids(table, "document", source)]
    rows = zip(*ids, ranks.astype(str), scores.astype(str), strict=True)
    return "\n".join(f"{topic} Q0 {doc} {rank} {score} table" for topic, doc, rank, score in rows).encode()


def _ids(table: pd.DataFrame, column: str, source: Source) -> pd.Series[str]:
    """A column of ids as text. Raises DataError for one that could not stand in a TREC file."""
    cells = table[column]
    ids = cells.astype(str)
    odd = cells.isna() | (ids == "") | ids.str.contains(r"[\s\x00-\x20]", regex=True)
    _refuse(cells, odd | (ids.str.len() > LONGEST_ID), source, f"a {column} id without spaces")
    return ids


def _numbers(cells: pd.Series[str], source: Source, what: str) -> Floats:
    values: Floats = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=np.float64)
    _refuse(cells, ~np.isfinite(values), source, f"a finite number as {what}")
    return values


def _refuse(cells: pd.Series[str], bad: pd.Series[bool] | NDArray[np.bool_], source: Source, expected: str) -> None:
    rows = np.flatnonzero(np.asarray(bad, dtype=bool))
    if len(rows):
        cell, line = cells.iloc[int(rows[0])], int(cells.index[rows[0]])
        found = "an empty cell" if pd.isna(cell) or str(cell) == "" else shorten(str(cell))
        raise DataError(f"expected {expected}, found {found}", source.name, line)


def _need(table: pd.DataFrame, names: Sequence[str], source: Source) -> None:
    for name in names:
        if name not in table.columns:
            known = ", ".join(map(str, table.columns))
            expected = f"a column {name!r} (or {', '.join(SYNONYMS[name][1:4])})"
            raise DataError(f"expected {expected}, found {known}", source.name)
