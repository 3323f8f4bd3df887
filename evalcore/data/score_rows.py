"""One score that another tool computed, whatever file it stands in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

MEAN = "mean"  # the topic where there are means alone
NO_PLACE: Mapping[str, str] = MappingProxyType({})  # what a file's name says, where it says nothing


@dataclass
class Row:
    """One score, where it stands, and which output of its file it belongs to; nan: an empty cell."""

    measure: str
    topic: str
    value: float
    line: int
    system: str = ""  # as the row names it, else the output's
    output: int = 0


def cell_of(row: Row, place: Mapping[str, str]) -> tuple[str, str]:
    """The system ("": that of its output) and topic of a row; the name of its file may give one or both.

    >>> cell_of(Row("map", "301", 0.5, 1), {"system": "bm25"}), cell_of(Row("map", "bm25", 0.5, 1), {"topic": "301"})
    (('bm25', '301'), ('bm25', '301'))
    """
    named = "system" in place or row.system or row.topic == MEAN
    if "topic" in place and not named:  # it names the system where others name the topic
        return row.topic, place["topic"]
    return row.system or place.get("system", ""), place.get("topic", row.topic)
