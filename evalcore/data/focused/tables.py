"""Tables about parts of documents: columns by their meaning, cells as ids and whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.arrays import BoolArray, FloatArray, IntArray
from evalcore.data.characters import UNSEEN
from evalcore.data.sources import Source
from evalcore.data.tables import read_table
from evalcore.data.text_files import LONGEST_ID
from evalcore.errors import InputError, shorten
from evalcore.later import pd

LONGEST = (1 << 31) - 1  # characters in a document
MEANINGS: Mapping[str, tuple[str, ...]] = {
    "start": ("start", "offset", "begin"),
    "end": ("end",),
    "length": ("length",),
    "path": ("path", "element", "xpath"),
    "size": ("size",),
    "rsize": ("rsize",),
    "document_length": ("document_length", "doc_length"),
    "best_entry_point": ("best_entry_point", "best_entry", "bep"),
}
_KNOWN = {name: meaning for meaning, names in MEANINGS.items() for name in names}


def meaning(name: str) -> str:
    """What a column of a table about parts of documents holds; other names stay.

    >>> meaning("Offset"), meaning("topic")
    ('start', 'topic')
    """
    return _KNOWN.get(name.strip().lower(), name)


def part_table(source: Source, needed: Sequence[str]) -> pd.DataFrame:
    """A table of text cells with its columns renamed by meaning; its index are the lines of the file.

    Raises InputError for what is not a table, has two columns of one meaning, or lacks a needed one.
    """
    table = read_table(source)
    table.columns = pd.Index([meaning(str(name)) for name in table.columns])
    for name in table.columns[table.columns.duplicated()]:
        raise InputError(f"expected one column of each meaning, found two for {name!r}", source.name)
    for name in needed:
        if name not in table.columns:
            raise InputError(f"expected a column {name!r}, found {', '.join(map(str, table.columns))}", source.name)
    return table


def read_lengths(source: Source) -> dict[str, int]:
    """Read the characters of documents from a table with the columns document and document_length (or length)."""
    table = part_table(source, ("document",))
    column = "document_length" if "document_length" in table.columns else "length"
    if column not in table.columns:
        raise InputError(f"expected a column document_length, found {', '.join(map(str, table.columns))}", source.name)
    return dict(zip(ids(table, "document", source), whole(table, column, source).tolist(), strict=True))


def line_at(table: pd.DataFrame, row: int) -> int:
    """The line of the file that a row stands on."""
    return int(table.index.to_numpy()[row])


def first_line(table: pd.DataFrame, which: BoolArray) -> int:
    """The line of the first of some rows."""
    return line_at(table, int(np.argmax(which)))


def ids(table: pd.DataFrame, column: str, source: Source) -> NDArray[np.object_]:
    """A column of ids as text. Raises InputError naming the line of one that is empty, too long or holds a space."""
    cells = table[column]
    text = cells.astype(str)
    odd = cells.isna() | (text == "")
    odd |= text.str.contains(rf"[\s\x00-\x20]|{UNSEEN}", regex=True)
    _refuse(table, column, odd.to_numpy(dtype=bool), source, f"a {column} id without spaces")
    longer = (text.str.len() > LONGEST_ID).to_numpy(dtype=bool)
    _refuse(table, column, longer, source, f"a {column} id of at most {LONGEST_ID} characters")
    return text.to_numpy(dtype=object)


def whole(table: pd.DataFrame, column: str, source: Source) -> NDArray[np.int64]:
    """A column of whole numbers from 0, -1 where a cell is empty or the column is not there.

    Raises InputError naming the line of anything else.
    """
    values = numbers(table, column, source, "a whole number from 0")
    bad = ~np.isnan(values) & ~((values >= 0) & (values <= LONGEST) & (values == np.floor(values)))
    _refuse(table, column, bad, source, f"a whole number from 0 as {column}")
    return np.where(np.isnan(values), -1, values).astype(np.int64)


def numbers(table: pd.DataFrame, column: str, source: Source, expected: str = "a finite number") -> FloatArray:
    """A column of finite numbers, nan where a cell is empty or the column is not there.

    Raises InputError naming the line of anything else.
    """
    if column not in table.columns:
        return np.full(len(table), np.nan)
    empty = (table[column].isna() | (table[column].astype(str) == "")).to_numpy()
    values: FloatArray = pd.to_numeric(table[column], errors="coerce").to_numpy(dtype=np.float64)
    _refuse(table, column, ~empty & ~np.isfinite(values), source, f"{expected} as {column}")
    return values


def extents(table: pd.DataFrame, start: IntArray, source: Source) -> IntArray:
    """How many characters each row spans, from its columns length and end; -1 where it has no start or neither.

    Raises InputError for an end before the start, or one that contradicts the length.
    """
    length, end = whole(table, "length", source), whole(table, "end", source)
    by_end = np.where((end >= 0) & (start >= 0), end - start, length)
    wrong = (start >= 0) & (end >= 0) & ((end < start) | ((length >= 0) & (length != by_end)))
    if wrong.any():
        row = int(np.argmax(wrong))
        fits = f"of {start[row] + length[row]:,}" if length[row] >= 0 else f"from {start[row]:,}"
        problem = f"expected an end {fits}, found {end[row]:,}"
        raise InputError(problem, source.name, line_at(table, row))
    size: IntArray = np.where(start >= 0, by_end, -1)
    long = start + size > LONGEST
    _refuse(table, "start", long, source, f"a part within {LONGEST:,} characters")
    return size


def _refuse(table: pd.DataFrame, column: str, bad: BoolArray, source: Source, expected: str) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        cell = table[column].iloc[row]
        found = "an empty cell" if pd.isna(cell) or str(cell) == "" else shorten(str(cell))
        raise InputError(f"expected {expected}, found {found}", source.name, line_at(table, row))
