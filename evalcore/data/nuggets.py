"""Count how many nuggets each answer supports, by topic and system, from the assignments of AutoNuggetizer.

- One object per line for each answer, or all in one list: `{"qid": "q1", "run_id": "rag", "nuggets": [{"text": "...",
  "importance": "vital", "assignment": "support"}]}`. An answer without `run_id` is by the system that the file is named
  after.
- A table with a line for each nugget of an answer: columns topic, system, nugget, importance and assignment.

Importance is vital or okay; the default is vital. An assignment is support, partial_support or not_support, or
the share of the nugget that is supported, from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from evalcore.common.constants import NUGGETS
from evalcore.data.json_text import json_records, of_kind
from evalcore.data.names import SPARE, SYSTEM, TOPIC
from evalcore.data.score_rows import Row
from evalcore.errors import InputError, did_you_mean, shorten

IMPORTANCE = ("importance", "priority")
ASSIGNMENT = ("assignment", "support", "supported", "label", "grade")
NUGGET = ("nugget", "nugget_id", "nugget_text", "text")  # "text" only in JSON, inside a list of nuggets
LISTED, USUAL = "nuggets", "vital"
# The (full, partial) support that an assignment adds; "failed" means that the assigner gave no answer.
SUPPORT: Mapping[str, tuple[float, float]] = {
    "support": (1.0, 0.0), "partial_support": (0.0, 1.0), "not_support": (0.0, 0.0), "failed": (0.0, 0.0),
}  # fmt: skip
COUNTS = tuple(chain(*NUGGETS.values()))


def is_answer(keys: Iterable[str], head: bytes) -> bool:
    """Return true if JSON with these keys contains answers, whose nuggets have assignments and are not just listed."""
    names = {str(key).lower() for key in keys}
    listed, assigned = (any(f'"{key}"'.encode() in head.lower() for key in known) for known in (NUGGET, ASSIGNMENT))
    return LISTED in names and bool(names & {*TOPIC}) and (assigned or not listed)


def is_assignment(header: Iterable[str]) -> bool:
    """Return true if a table with these columns lists the nuggets of answers, with their assignments."""
    names = {str(name).strip().lower() for name in header}
    return all(names & {*known} for known in (NUGGET[:-1], ASSIGNMENT, TOPIC))


def counts_in_json(text: str, name: str, system: str) -> Iterator[Row]:
    """Yield the nugget counts of each answer, from JSON with a line or list element for each answer.

    Raises InputError with the line of an error.
    """
    answers: dict[tuple[str, str], _Answer] = {}
    for line, record in json_records(text, name, "an answer"):
        cells = _fields(record, name, line)
        key = _whose(cells, system, name, line)
        if key in answers:
            raise InputError("expected one answer of {1!r} to topic {0!r}, found a second".format(*key), name, line)
        answers[key] = answer = _Answer(name, line)
        for nugget in of_kind(cells.get(LISTED), list, "a list of nuggets", name, line):
            answer.add(_fields(nugget, name, line), line)
    return _counted(answers)


def counts_in_table(rows: Iterator[tuple[int, list[str]]], header: list[str], name: str, system: str) -> Iterator[Row]:
    """Yield the nugget counts of each answer, from a table with a row for each nugget of an answer.

    Raises InputError with the line of an error.
    """
    names = [cell.lower() for cell in header]
    answers: dict[tuple[str, str], _Answer] = {}
    for line, row in rows:
        cells = dict(zip(names, row, strict=True))
        answers.setdefault(_whose(cells, system, name, line), _Answer(name, line)).add(cells, line)
    return _counted(answers)


class _Answer:
    """The nuggets of one answer that have been read so far, and their counts."""

    def __init__(self, name: str, line: int) -> None:
        self.name, self.line = name, line
        self.counts = dict.fromkeys(COUNTS, 0.0)
        self.nuggets: set[str] = set()

    def add(self, nugget: Mapping[str, Any], line: int) -> None:
        text = _text(nugget, NUGGET, "a nugget", self.name, line)
        if text in self.nuggets:
            raise InputError(f"expected each nugget once in an answer, found {shorten(text)} again", self.name, line)
        self.nuggets.add(text)
        support = _support(_text(nugget, ASSIGNMENT, "an assignment", self.name, line), self.name, line)
        for count, amount in zip(NUGGETS[_importance(nugget, self.name, line)], (1.0, *support), strict=True):
            self.counts[count] += amount


def _whose(cells: Mapping[str, Any], system: str, name: str, line: int) -> tuple[str, str]:
    """Return the topic and the system of an answer; the system is `system` if the answer names none."""
    topic = _text(cells, tuple(sorted(TOPIC, key=SPARE.__contains__)), "a topic", name, line)
    return topic, _text(cells, SYSTEM, "a system", name, line) if cells.keys() & {*SYSTEM} else system


def _counted(answers: Mapping[tuple[str, str], _Answer]) -> Iterator[Row]:
    for (topic, system), answer in answers.items():
        for what, count in answer.counts.items():
            yield Row(what, topic, count, answer.line, system)


def _importance(nugget: Mapping[str, Any], name: str, line: int) -> str:
    key = next((key for key in IMPORTANCE if key in nugget), "")
    result = str(nugget[key]).strip().lower() if key else USUAL
    if result not in NUGGETS:
        raise InputError(f"expected a nugget to be {' or '.join(NUGGETS)}, found {shorten(result)}", name, line)
    return result


def _support(text: str, name: str, line: int) -> tuple[float, float]:
    """Return how much an assignment adds to the counts of full and of partial support."""
    word = text.lower().replace(" ", "_").replace("-", "_")
    if word in SUPPORT:
        return SUPPORT[word]
    try:
        share = float(word)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        expected = "expected support, partial_support, not_support, or a share from 0 to 1"
        raise InputError(f"{expected}, found {shorten(text)}{did_you_mean(word, SUPPORT)}", name, line)
    return share, 0.0


def _fields(record: Any, name: str, line: int) -> dict[str, Any]:
    return {str(key).lower(): value for key, value in of_kind(record, dict, "an object", name, line).items()}


def _text(cells: Mapping[str, Any], keys: tuple[str, ...], what: str, name: str, line: int) -> str:
    """Return the text of the first of some keys that is present. Raises InputError if there is none, or it is empty."""
    key = next((key for key in keys if key in cells), "")
    value = cells.get(key)
    if value is None or isinstance(value, dict | list | bool) or not str(value).strip():
        raise InputError(f"expected {what} ({', '.join(keys[:3])}), found none", name, line)
    return str(value).strip()
