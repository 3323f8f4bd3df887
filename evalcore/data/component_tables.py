"""Tables of components: where they stand, how long they are, what they are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.arrays import FloatArray, IntArray
from evalcore.data import tables
from evalcore.data.sources import Source
from evalcore.data.tables import refuse_rows
from evalcore.errors import InputError
from evalcore.later import pd

ID_COLUMNS = ("id", "component", "component_id", "element", "passage")
NUMBERS = ("offset", "size", "rsize", "gain", "effort")


@dataclass(frozen=True, eq=False)
class ComponentTable:
    """A table of components: what does not depend on the topic, and what may."""

    name: str
    ids: NDArray[np.object_]  # of the components, each once
    document: NDArray[np.object_]  # "" where not given
    offset: FloatArray
    size: FloatArray
    effort: FloatArray
    topics: NDArray[np.object_]  # of each row; "" means every topic
    row: IntArray  # which component each row is about
    rsize: FloatArray
    gain: FloatArray
    unused: tuple[str, ...]  # columns that nothing reads


def read_components(source: Source) -> ComponentTable:
    """Read a table with a column id and any of document, offset, size, rsize, gain, effort, topic.

    With a topic, rsize and gain hold for that topic only, and a component has a row for each; an empty topic means all.
    Raises InputError for a negative number, an rsize above the size, a row given twice, or rows of one component that
    contradict each other.
    """
    table = tables.read_table(source)
    name = next((column for column in table.columns if str(column).lower() in ID_COLUMNS), None)
    if name is None:
        raise InputError(f"expected a column id, found {', '.join(map(str, table.columns))}", source.name)
    table = table.rename(columns={name: "id"})
    ids = _texts(table, "id", source.name)
    topics = _texts(table, "topic", source.name)
    numbers = {column: _positive(table, column, source) for column in NUMBERS}
    _refuse_larger(numbers["rsize"], numbers["size"], table.index, source.name)
    _refuse_repeats(ids, topics, source.name)
    first, row = _first_rows(ids)
    fixed = {column: numbers[column][first] for column in ("offset", "size", "effort")}
    documents = _texts(table, "document", source.name)
    _refuse_contradiction("document", documents.to_numpy(), first, row, ids, source.name)
    for column in fixed:
        _refuse_contradiction(column, numbers[column], first, row, ids, source.name)
    known = {"id", "topic", "document", *NUMBERS}
    return ComponentTable(
        source.name,
        ids.to_numpy(dtype=object)[first],
        documents.to_numpy(dtype=object)[first],
        fixed["offset"],
        fixed["size"],
        fixed["effort"],
        topics.to_numpy(dtype=object),
        row,
        numbers["rsize"],
        numbers["gain"],
        tuple(str(column) for column in table.columns if column not in known),
    )


def _texts(table: pd.DataFrame, column: str, name: str) -> pd.Series[str]:
    """A column as text, "" where it lacks; an id must be there."""
    if column not in table.columns:
        return pd.Series("", index=table.index, dtype=object)
    texts = table[column].fillna("").astype(str).astype(object)
    if column == "id":
        refuse_rows(texts == "", table.index, name, "expected an id, found none")
    return texts


def _positive(table: pd.DataFrame, column: str, source: Source) -> FloatArray:
    values = tables.numbers_or_gaps(table, column, source, "a number")
    least = "expected {} of at least 0, found {:g}"
    refuse_rows(values < 0, table.index, source.name, lambda row: least.format(column, values[row]))
    return values


def _refuse_larger(rsize: FloatArray, size: FloatArray, lines: pd.Index, name: str) -> None:
    found = "expected rsize of at most size {:g}, found {:g}"
    refuse_rows(rsize > size, lines, name, lambda row: found.format(size[row], rsize[row]))


def _refuse_repeats(ids: pd.Series[str], topics: pd.Series[str], name: str) -> None:
    def again(row: int) -> str:
        where = f" for topic {topics.iloc[row]!r}" if topics.iloc[row] else ""
        return f"expected each component once{where}, found {ids.iloc[row]!r} again"

    refuse_rows(pd.MultiIndex.from_arrays([topics, ids]).duplicated(), ids.index, name, again)


def _first_rows(ids: pd.Series[str]) -> tuple[IntArray, IntArray]:
    """The first row of each component, in order; which of them each row is about."""
    row, _ = pd.factorize(ids)
    return np.flatnonzero(~ids.duplicated().to_numpy()), row


def _refuse_contradiction(
    column: str, values: NDArray[Any], first: IntArray, row: IntArray, ids: pd.Series[str], name: str
) -> None:
    stated = values[first][row]
    same = (values == stated) | ((values != values) & (stated != stated))
    found = "expected one {} for {!r}, found {} after {}"
    refuse_rows(~same, ids.index, name, lambda row: found.format(column, ids.iloc[row], values[row], stated[row]))
