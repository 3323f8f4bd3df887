"""Tables that describe systems (`systems.csv`), with a line for each: its stemmer, model and team, for example.

A column names the system (system, run, run_id or tag); every other column describes it. A column that holds only
numbers is read as numbers, any other as text, and an empty cell as a gap. A table with a line for each topic
(`topics.csv`, `tasks.csv`) is read in the same way; its columns, such as domain and language, group the topics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.data.names import TOPIC
from evalcore.data.report_tables import first_names
from evalcore.data.sources import Source
from evalcore.data.tables import read_table, refuse_rows
from evalcore.errors import InputError, counted, shorten
from evalcore.limits import refuse_more
from evalcore.structures.documents import Assessments, Note

NAMES = ("systems.csv", "systems.tsv", "systems.parquet")
OF_TOPICS = tuple(f"{stem}.{ending}" for stem in ("topics", "tasks", "groups") for ending in ("csv", "tsv", "parquet"))


def read_system_table(source: Source, systems: Sequence[str]) -> tuple[pd.DataFrame, list[Note]]:
    """Return the table of these systems, in their order, and notes; a system that is missing gets a row of gaps.

    Raises InputError for a table without a column of systems or without any other column, for an empty name, and for a
    system with two rows.
    """
    return read_lines(read_table(source), source, systems, "system")


def with_groups(source: Source, pool: Assessments) -> tuple[Assessments, list[Note]]:
    """Return the pool with groups of its topics from the columns of a table (a gap is the group ""), and notes.

    Raises InputError as `read_system_table` does.
    """
    read = read_table(source)
    read.columns = pd.Index(["topic" if str(name).lower() in TOPIC else name for name in read.columns])
    table, notes = read_lines(read, source, pool.topics, "topic")
    groups = {str(name): tuple(_group(cell) for cell in table[name]) for name in table}
    return replace(pool, groups=groups), notes


def _group(cell: object) -> str:
    if cell is None or cell != cell:
        return ""
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


def read_lines(
    table: pd.DataFrame, source: Source, systems: Sequence[str], what: str
) -> tuple[pd.DataFrame, list[Note]]:
    """Return the table of these systems or topics (`what` names the column), and notes, as `read_system_table` does."""
    if what not in table.columns or len(table.columns) < 2:
        problem = f"expected a column {what} and other columns that describe each {what}"
        raise InputError(f"{problem}, found {', '.join(map(repr, table.columns))}", source.name, 1)
    names = table.pop(what).astype(str)
    refuse_rows(names == "", table.index, source.name, f"expected the name of a {what}, found an empty cell")
    problem = f"expected each {what} once, found {{}} again"
    refuse_rows(names.duplicated(), table.index, source.name, lambda row: problem.format(shorten(names.iloc[row])))
    refuse_more("table_cells", len(systems), len(table.columns), where=source.name)
    table = table.set_axis(pd.Index(names.to_numpy(dtype=object), name=what)).replace("", None)
    known = set(systems)
    unknown = [name for name in table.index if name not in known]
    lacking = [name for name in systems if name not in table.index]
    notes = [
        *_note("dropped", source, unknown, f"{what} not in the collection and not used"),
        *_note("warning", source, lacking, f"{what} not in the table"),
    ]
    whole = table.reindex(pd.Index(systems, name=what, dtype=object))
    return whole.apply(_typed), notes


NOT_SAID = "not said"


def grouping_columns(table: pd.DataFrame | None) -> list[str]:
    """Return the names of the columns that group systems: some systems share a value, and others differ."""
    if table is None:
        return []
    return [str(name) for name in table if 1 < table[name].nunique() < table[name].count()]


def in_words(column: pd.Series) -> dict[str, str]:
    """Return the value of a column for each system, as text; "not said" for a gap.

    >>> in_words(pd.Series([2.0, None, 0.5], ["a", "b", "c"]))
    {'a': '2', 'b': 'not said', 'c': '0.5'}
    """
    texts = {str(name): f"{value:g}" if isinstance(value, float) else str(value) for name, value in column.items()}
    return texts | dict.fromkeys(map(str, column.index[column.isna()]), NOT_SAID)


def as_kept(table: pd.DataFrame) -> pd.DataFrame:
    """Restore a table from the cache, in which names are the first column.

    Columns of strings get the type object, and gaps become nan.
    """
    named = table.set_index(table.columns[0])
    named.index = named.index.astype(object)
    return named.apply(_typed)


def _typed(column: pd.Series) -> pd.Series:
    known = column.dropna()
    numbers = pd.to_numeric(known, errors="coerce")
    if len(known) and numbers.notna().all():
        return numbers.reindex(column.index).astype(float)
    return column.astype(object).where(column.notna(), np.nan)


def _note(kind: Literal["dropped", "warning"], source: Source, names: Sequence[str], what: str) -> list[Note]:
    if not names:
        return []
    noun, _, rest = what.partition(" ")
    text = f"{counted(len(names), noun)} {rest}: {first_names([*map(shorten, names)], 3)}"
    return [Note(kind, source.name, text)]
