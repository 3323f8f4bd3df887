"""One file of scores that another tool computed -> rows. Which formats there are is said in `score_tables`."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from evalcore.data.json_text import parse_json
from evalcore.data.names import SYNONYMS
from evalcore.data.sources import Source
from evalcore.data.text_files import plain_text
from evalcore.errors import InputError, shorten
from evalcore.limits import most, refuse_more

SCORE = ("score", "value")
MEASURE = ("measure", "metric")
ALL = "all"  # the topic of a mean
EXPECTED = "a table of scores (CSV) or the output of trec_eval -q or ir_measures -q"

_PADDED = re.compile(r"\S+ +\t")  # trec_eval fills the measure's column with spaces
_ENDING = re.compile(r"\.(jsonl?|eval|trec_eval|ir_measures|urbp|scores|out)$", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][\w.]*(\([^()\s]*\))?(@\d+)?")  # of a measure


@dataclass
class Row:
    """One score, where it stands, and which output of its file it belongs to; nan: an empty cell."""

    measure: str
    topic: str
    value: float
    line: int
    system: str = ""  # as the row names it, else the output's
    output: int = 0


@dataclass(frozen=True)
class ScoreFile:
    """The rows of one file, and the names that its outputs give themselves ("": none)."""

    source: Source
    rows: list[Row]
    names: list[str]

    @property
    def stem(self) -> str:
        """The file's name without its ending: what is not named otherwise is called."""
        return _stem(self.source)


def read_scores(source: Source) -> ScoreFile:
    """Read one file; rows of the topic `all`, which are means, are left out.

    Raises InputError with the line of what is no score.
    """
    text = plain_text(source, EXPECTED)
    first = next(line for line in text.splitlines() if line.strip())
    separator = max(",\t;", key=first.count)
    if first.lstrip().startswith("{"):
        return _of_rows(source, _json_rows(text, source))
    if _is_header(first, separator):
        return _of_rows(source, _table_rows(text, separator, source))
    return _outputs(text, source)


def _of_rows(source: Source, rows: Iterator[Row]) -> ScoreFile:
    return ScoreFile(source, _bounded((row for row in rows if row.topic != ALL), source), [""])


def _bounded(rows: Iterator[Row], source: Source) -> list[Row]:
    found = list(islice(rows, most("score_lines") + 1))
    refuse_more("score_lines", len(found), where=source.name)
    return found


def _stem(source: Source) -> str:
    return _ENDING.sub("", source.stem) or source.stem


def _is_header(line: str, separator: str) -> bool:
    try:
        names = [cell.strip().lower() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return False
    return len(names) > 1 and (any(name in SYNONYMS["topic"] for name in names) or not names[0])


def _json_rows(text: str, source: Source) -> Iterator[Row]:
    for number, line in _lines(text):
        try:
            found = parse_json(line, source.name, number)
            topic, measure, value = (found[key] for key in ("query_id", "measure", "value"))
        except (ValueError, KeyError, TypeError, RecursionError):
            expected = 'expected {"query_id": ..., "measure": ..., "value": ...}'
            raise InputError(f"{expected}, found {shorten(line)}", source.name, number) from None
        yield Row(str(measure), str(topic), _number(value, source, number), number)


def _table_rows(text: str, separator: str, source: Source) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    cells = ((reader.line_num, [cell.strip() for cell in row]) for row in reader)
    lines = ((number, row) for number, row in cells if any(row))
    try:
        number, header = next(lines, (1, []))
        if not header:
            raise InputError(f"expected {EXPECTED}, found empty cells alone", source.name, number)
        yield from _rows_below(header, lines, source)
    except csv.Error as error:
        raise InputError(f"expected a table, found: {error}", source.name, reader.line_num) from None


def _rows_below(header: list[str], lines: Iterator[tuple[int, list[str]]], source: Source) -> Iterator[Row]:
    refuse_more("table_columns", len(header), where=source.name)
    lower = [name.lower() for name in header]
    topic = _column(lower, SYNONYMS["topic"]) or 0
    score, system, measure = (_column(lower, names) for names in (SCORE, SYNONYMS["system"], MEASURE))
    if score is None or (system is None and measure is None):
        score = system = measure = None
        systems = _system_columns(header, topic, source)
    else:
        systems = {score: ""}
    named = [at for at in (topic, system, measure) if at is not None]
    for number, row in lines:
        if len(row) != len(header):
            problem = f"expected {len(header)} cells, as in the header, found {len(row)}"
            raise InputError(problem, source.name, number)
        for at in named:
            if not row[at]:
                raise InputError(f"expected a {header[at] or 'topic'}, found an empty cell", source.name, number)
        for at, name in systems.items():
            value = _number(row[at], source, number) if row[at] else math.nan
            label = _stem(source) if measure is None else row[measure]
            yield Row(label, row[topic], value, number, name if system is None else row[system])


def _column(header: list[str], names: Collection[str]) -> int | None:
    return next((at for at, name in enumerate(header) if name in names), None)


def _system_columns(header: list[str], topic: int, source: Source) -> dict[int, str]:
    """The systems of a wide table, by their column."""
    found: dict[int, str] = {at: name for at, name in enumerate(header) if at != topic}
    for name, times in Counter(found.values()).items():
        if name.lower() in (*SCORE, *SYNONYMS["system"], *MEASURE, ""):
            expected = "expected columns topic, system, score (or topic and one column for each system)"
            raise InputError(f"{expected}, found {', '.join(map(repr, header))}", source.name, 1)
        if times > 1:
            raise InputError(f"expected one column for each system, found two for {name!r}", source.name, 1)
    return found


def _outputs(text: str, source: Source) -> ScoreFile:
    """Lines of measure, topic, value (trec_eval), of topic, measure, value (ir_measures), or with a system (uRBP)."""
    refuse_more("score_lines", text.count("\n"), where=source.name)
    lines = [(number, line.split()) for number, line in _lines(text)]
    for number, fields in lines:
        if not 3 <= len(fields) <= 4:
            raise InputError(f"expected {EXPECTED}, found {shorten(' '.join(fields))}", source.name, number)
    topic = _topic_field(text, lines, source)
    rows: list[Row] = []
    names, in_summary = [""], False
    for number, fields in lines:
        summary, named = fields[topic] == ALL, fields[0] == "runid"
        begun = bool(rows) and rows[-1].output == len(names) - 1
        if begun and ((in_summary and not summary) or (named and names[-1])):
            names.append("")  # after its means, or at a second name, the output of the next run begins
        in_summary = summary
        if named:
            names[-1] = fields[2]
        elif not summary:
            value = _number(fields[-1], source, number)
            system = fields[2] if len(fields) == 4 else ""
            rows.append(Row(fields[1 - topic], fields[topic], value, number, system, len(names) - 1))
    return ScoreFile(source, rows, names)


def _topic_field(text: str, lines: list[tuple[int, list[str]]], source: Source) -> int:
    """Which of the first two fields is the topic: the one with `all`, else the one that is no name of a measure."""
    if any(len(fields) == 4 or fields[1] == ALL for _, fields in lines) or _PADDED.match(text.lstrip()):
        return 1
    if any(fields[0] == ALL for _, fields in lines):
        return 0
    names = [all(_NAME.fullmatch(fields[at]) for _, fields in lines) for at in (0, 1)]
    if names[0] == names[1]:
        raise InputError(f"expected {EXPECTED}, with its lines of the topic `{ALL}`, found none", source.name)
    return 1 if names[0] else 0


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip())


def _number(value: Any, source: Source, line: int) -> float:
    try:
        # Python also reads True as 1 and 1_0 as 10.
        number = math.nan if isinstance(value, bool) or "_" in str(value) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise InputError(f"expected a number as score, found {shorten(str(value))}", source.name, line)
    return number
