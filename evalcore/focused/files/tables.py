"""Read tables about parts of documents: columns renamed by meaning, cells read as ids and whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import IntArray
from evalcore.common.lazy_imports import pd
from evalcore.data.sources import Source
from evalcore.data.tables import ids, need, numbers_or_gaps, read_table, refuse_cells, refuse_rows, renamed
from evalcore.errors import InputError

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
    """Return the standard name of a column in a table about parts of documents; other names are unchanged.

    >>> meaning("Offset"), meaning("topic")
    ('start', 'topic')
    """
    return _KNOWN.get(name.strip().lower(), name)


def part_table(source: Source, needed: Sequence[str]) -> pd.DataFrame:
    """Read a table of text cells with standard names of columns (see `meaning`), indexed by the lines of the file.

    Raises InputError if the file is not a table, has two columns with the same meaning, or lacks a required one.
    """
    table = read_table(source)
    table = renamed(table, [meaning(str(name)) for name in table.columns], source)
    need(list(table.columns), needed, source)
    return table


def read_lengths(source: Source) -> dict[str, int]:
    """Read the lengths of documents from a table with the columns document and document_length (or length)."""
    table = part_table(source, ("document",))
    column = "document_length" if "document_length" in table.columns else "length"
    if column not in table.columns:
        raise InputError(f"expected a column document_length, found {', '.join(map(str, table.columns))}", source.name)
    return dict(zip(ids(table, "document", source), whole(table, column, source).tolist(), strict=True))


def whole(table: pd.DataFrame, column: str, source: Source) -> NDArray[np.int64]:
    """Parse a column of integers of at least 0; -1 for an empty cell or a missing column.

    Raises InputError with the line of any other cell.
    """
    values = numbers_or_gaps(table, column, source, "an integer of 0 or more")
    bad = ~np.isnan(values) & ~((values >= 0) & (values <= LONGEST) & (values == np.floor(values)))
    if bad.any():
        refuse_cells(table[column], bad, source, f"an integer of 0 or more as {column}")
    return np.where(np.isnan(values), -1, values).astype(np.int64)


def extents(table: pd.DataFrame, start: IntArray, source: Source) -> IntArray:
    """Return the number of characters of each row, from its end or length; -1 if these or the start are missing.

    Raises InputError for an end that is before the start, contradicts the length, or is beyond `LONGEST`.
    """
    length, end = whole(table, "length", source), whole(table, "end", source)
    by_end = np.where((end >= 0) & (start >= 0), end - start, length)
    wrong = (start >= 0) & (end >= 0) & ((end < start) | ((length >= 0) & (length != by_end)))

    def problem(row: int) -> str:
        fits = f"of {start[row] + length[row]:,}" if length[row] >= 0 else f"from {start[row]:,}"
        return f"expected an end {fits}, found {end[row]:,}"

    refuse_rows(wrong, table.index, source.name, problem)
    size: IntArray = np.where(start >= 0, by_end, -1)
    if (long := start + size > LONGEST).any():
        refuse_cells(table["start"], long, source, f"a part within the first {LONGEST:,} characters")
    return size
