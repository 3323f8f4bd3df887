"""One score that another tool computed, whatever the form of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

MEAN = "mean"  # the topic of scores that are only means
NO_PLACE: Mapping[str, str] = MappingProxyType({})  # for a file name that contains no roles


@dataclass
class Row:
    """One score (nan for an empty cell), its line, and the number of its output in the file."""

    measure: str
    topic: str
    value: float
    line: int
    system: str = ""  # as the row names it, else the output's
    output: int = 0


def cell_of(row: Row, place: Mapping[str, str]) -> tuple[str, str]:
    """Return the system and topic of a row, from the row itself or from its file name (`place`).

    If neither names the system, it is returned as ""; the name of the output is then used as the system.

    >>> cell_of(Row("map", "301", 0.5, 1), {"system": "bm25"}), cell_of(Row("map", "bm25", 0.5, 1), {"topic": "301"})
    (('bm25', '301'), ('bm25', '301'))
    """
    named = "system" in place or row.system or row.topic == MEAN
    if "topic" in place and not named:  # the row has the system in the place of the topic
        return row.topic, place["topic"]
    return row.system or place.get("system", ""), place.get("topic", row.topic)
