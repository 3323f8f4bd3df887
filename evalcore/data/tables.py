"""CSV, TSV and Parquet tables -> the same labels and run lines that TREC files give."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from evalcore.data.assessments import Labels, checked
from evalcore.data.fields import PADDING, text_of
from evalcore.data.sources import Source
from evalcore.data.structures import Scale
from evalcore.errors import DataError

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


def is_table(head: bytes) -> bool:
    """Whether the beginning of a file is Parquet, or a header of comma or tab separated names with a document column."""
    return head[:4] == PARQUET or "document" in header(head)


def header(head: bytes) -> list[str]:
    """The columns that the first line names, by their meaning; empty if it is no header."""
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode(errors="replace").strip()
    names = [name.strip().strip('"').lower() for name in first.split(_separator(first))]
    return [_KNOWN.get(name, name) for name in names] if len(names) > 1 else []


def read_table(source: Source) -> pd.DataFrame:
    """A table with its columns renamed to topic, document, rank, score, ... Every cell is text, except in Parquet.

    Raises DataError for what is not a table or names one column twice.
    """
    content = source.read()
    try:
        table = pd.read_parquet(io.BytesIO(content)) if content[:4] == PARQUET else _read_text(content, source.name)
    except (ValueError, OSError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"expected a table, found: {error}", source.name) from None
    table.columns = [_KNOWN.get(str(name).strip().lower(), str(name).strip()) for name in table.columns]
    for name in table.columns[table.columns.duplicated()]:
        raise DataError(f"expected one column of each meaning, found two for {name!r}", source.name)
    return table


def _read_text(content: bytes, name: str) -> pd.DataFrame:
    text = text_of(content, name, "a table").removesuffix(PADDING)
    separator = _separator(text.split(b"\n", 1)[0].decode(errors="replace"))
    return pd.read_csv(io.BytesIO(text), sep=separator, dtype=str, keep_default_na=False, index_col=False)


def _separator(first_line: str) -> str:
    return max(",\t;", key=first_line.count)


def aspect_columns(table: pd.DataFrame) -> list[str]:
    """The aspects a table holds: the values of its aspect column (long), or its further columns (wide)."""
    if {"aspect", "grade"} <= set(table.columns):
        return sorted(table["aspect"].unique())
    return [name for name in table.columns if name not in ("topic", "document", "iteration", "Q0")]


def table_labels(table: pd.DataFrame, source: Source, scale: Scale, column: str) -> Labels:
    """The labels of one aspect in a table, long or wide; an empty cell is not assessed.

    Raises DataError naming the missing column, or the line of a cell that is no number.
    """
    _need(table, ("topic", "document"), source)
    if {"aspect", "grade"} <= set(table.columns):
        table, value = table[table["aspect"] == column], "grade"
    else:
        value = column
    if value not in table.columns or not len(table):
        known = ", ".join(aspect_columns(table)) or "none"
        raise DataError(f"expected a column {column!r}, found only {known}", source.name)
    cells = table[value]
    table = table[cells.notna() & (cells.astype(str).str.strip() != "")]
    grades = _numbers(table[value], source, scale.name)
    return checked(
        Labels(
            scale,
            source.name,
            table["topic"].astype(str).to_numpy(dtype=object),
            table["document"].astype(str).to_numpy(dtype=object),
            grades,
            table.index.to_numpy() + 2,
        )
    )


def run_sources(source: Source) -> list[Source]:
    """A table of ranked documents as TREC runs, one per system it names: so that order and ties are decided in one place."""
    table = read_table(source)
    _need(table, ("topic", "document"), source)
    if not {"rank", "score"} & set(table.columns):
        raise DataError("expected a column rank or score, found neither", source.name)
    if "system" not in table.columns:
        return [Source(source.name, lambda: _trec_text(table, source))]
    return [_table_run(str(name), part, source) for name, part in table.groupby("system", sort=True)]


def _table_run(name: str, table: pd.DataFrame, source: Source) -> Source:
    return Source(source.name, lambda: _trec_text(table, source), label=name)


def _trec_text(table: pd.DataFrame, source: Source) -> bytes:
    ranks = table["rank"].astype(str) if "rank" in table else (table.groupby("topic").cumcount() + 1).astype(str)
    if "score" in table:
        scores = table["score"].astype(str)
    else:
        scores = (-_numbers(table["rank"], source, "rank")).astype(str)
    columns = (table["topic"].astype(str), table["document"].astype(str), ranks, scores)
    for column in columns:
        bad = column.str.contains(r"\s", regex=True) | (column == "")
        if bad.any():
            row = int(np.argmax(bad.to_numpy()))
            problem = f"expected ids and numbers without spaces, found {column.iloc[row]!r}"
            raise DataError(problem, source.name, int(table.index[row]) + 2)
    rows = zip(*columns, strict=True)
    return "\n".join(f"{topic} Q0 {doc} {rank} {score} table" for topic, doc, rank, score in rows).encode()


def _numbers(cells: pd.Series, source: Source, what: str) -> np.ndarray:
    values = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=float)
    bad = ~np.isfinite(values)
    if bad.any():
        row = int(np.argmax(bad))
        problem = f"expected a finite number as {what}, found {str(cells.iloc[row])!r}"
        raise DataError(problem, source.name, int(cells.index[row]) + 2)
    return values


def _need(table: pd.DataFrame, names: Sequence[str], source: Source) -> None:
    for name in names:
        if name not in table.columns:
            known = ", ".join(map(str, table.columns))
            raise DataError(f"expected a column {name!r} (or {', '.join(SYNONYMS[name][1:4])}), found {known}", source.name)
