"""Read a file of scores from another tool, as rows. `score_tables` lists the formats."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

from evalcore.common.lazy_imports import pd
from evalcore.data import roles
from evalcore.data.declared_columns import declared_rows
from evalcore.data.json_tables import JsonHead, json_head
from evalcore.data.json_text import json_records, of_kind, parse_json
from evalcore.data.names import SYSTEM, TOPIC, meanings
from evalcore.data.nuggets import counts_in_json, counts_in_table, is_answer, is_assignment
from evalcore.data.parquet import MAGIC, read_parquet
from evalcore.data.roles import ALL, BESIDE, GAPS, MEASURE, SUMMARY, TRUTH, Roles
from evalcore.data.runs_or_labels import is_measure, is_number
from evalcore.data.score_rows import MEAN, NO_PLACE, Row, cell_of
from evalcore.data.sources import Source
from evalcore.data.tables import reading
from evalcore.data.text_files import BOM, plain_text
from evalcore.errors import InputError, counted, shorten
from evalcore.limits import most, refuse_more
from evalcore.structures.documents import Note

# Rows beside those of systems, or topics
_MEANS = re.compile(
    r"((macro|micro|weighted|overall|arithmetic)[ -])?(average|avg\.?|mean|median|all)( score)?", re.IGNORECASE
)
_SPREAD = re.compile(
    r"(?P<of>.+?)[ _.-]*[(\[]?(±|\+/-|std(\.|dev|_?err(or)?)?|s\.?d\.?|s\.?e\.?m?|ci(95)?)[)\]]?", re.IGNORECASE
)
_NAMELESS = re.compile(r"|unnamed: \d+", re.IGNORECASE)  # as pandas writes an index without a name
_LOOKED_AT = 50  # lines, to find out what columns hold
EXPECTED = "a table of scores (CSV) or the output of trec_eval -q or ir_measures -q"

_PADDED = re.compile(r"\S+ +\t")  # trec_eval pads the measure's column with spaces
_ENDING = re.compile(r"\.(jsonl?|eval|trec_eval|ir_measures|urbp|scores|out)$", re.IGNORECASE)
_FIRST = (*TOPIC, *SYSTEM, "")  # columns before those of topics that are numbers


@dataclass(frozen=True)
class ScoreFile:
    """The rows of one file, and the name of each output in it, as the output states it ("": none)."""

    source: Source
    rows: list[Row]
    names: list[str]
    notes: tuple[Note, ...] = ()

    @property
    def stem(self) -> str:
        """The file name without its ending, which is the default name of a system or measure."""
        return _stem(self.source)

    def cell(self, row: Row, place: Mapping[str, str] = NO_PLACE) -> tuple[str, str]:
        """Return the system and topic of a row, as `cell_of` does.

        If neither the row nor `place` names the system, it is named after the row's output or, if the output has no
        name, after the file's stem.
        """
        system, topic = cell_of(row, place)
        return system or self.names[row.output] or self.stem, topic


def read_scores(source: Source) -> ScoreFile:
    """Read one file of scores. Rows of the topic `all`, which are means, are left out.

    Raises InputError with the line of a value that is not a score.
    """
    if source.columns:
        rows, _ = declared_rows(source)
        return _with_systems(rows, source, Roles(tuple(role for role in source.columns if "=" not in role)))
    head = source.head(1 << 16)
    begun = json_head(head)
    if begun and is_answer(begun.keys, head):
        return of_rows(source, counts_in_json(plain_text(source, EXPECTED), source.name, _stem(source)))
    repairs = _Repairs(source)
    if begun or head[:4] == MAGIC:
        return of_rows(source, _rows_of(_records(source, begun), repairs), repairs)
    text = plain_text(source, EXPECTED)
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = _separator(first)
    if _is_header(first, separator):
        return of_rows(source, _table_rows(text, separator, repairs), repairs)
    return _outputs(text, source)


def are_scores(head: bytes, lines: Sequence[list[bytes]]) -> bool:
    """Return true if text holds scores, judging by its header, names of measures, or names of systems and topics."""
    text = head.removeprefix(BOM).decode(errors="replace")
    begun = text.splitlines()[:-1] or text.splitlines()
    first = next((line for line in begun if line.strip()), "")
    separator = _separator(first)
    if _is_header(first, separator):
        return _has_values(begun[:_LOOKED_AT], separator)
    if any(_name_measures(lines[:_LOOKED_AT], at) for at in (0, 1)):
        return True
    if len(fields_of_output(first)) != 4 or first.split()[1].upper() == "Q0":
        return False
    fields = [fields_of_output(line) if "\t" in line else line.split() for line in begun]
    return roles.are_of_systems([line for line in fields if line])


def roles_of_scores(head: bytes) -> Roles | None:
    """Return the roles of the columns in a file of scores, from its beginning; None if they are unclear."""
    begun = json_head(head)
    lines = [line for line in head.removeprefix(BOM).decode(errors="replace").splitlines() if line.strip()]
    with suppress(InputError):
        if begun is not None:
            return roles.of_header(begun.keys, "") if begun.depth == 1 else None
        separator = _separator(lines[0])
        if _is_header(lines[0], separator):
            return roles.of_header(_cells(lines[0], separator), "")
        order = roles.order_of([fields_of_output(line) for line in lines[:_LOOKED_AT]])
        return Roles((*order, "value")) if order else None
    return None


def _separator(first: str) -> str:
    """Return the delimiter in the first line of a file; a space by default."""
    return max(",\t;|", key=first.count) if {*first} & {*",\t;|"} else " "


def _cells(line: str, separator: str) -> list[str]:
    """Return the cells of one line; an empty list for a line that csv refuses."""
    with suppress(csv.Error):
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])]
    return []


def _has_values(lines: Sequence[str], separator: str) -> bool:
    """Return true if a table has a header with known names of columns, and numbers below it."""
    try:
        table = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        header, *rows = [[cell.strip() for cell in row] for row in table if any(row)] or [[""]]
        if is_assignment(header):
            return True
        if "document" in meanings(header) or (separator == " " and not rows):  # a ranking, a line of prose
            return False
        if _NAMELESS.fullmatch(header[0]) and _names_rows(header):
            header, rows = header[1:], [row[1:] for row in rows]
        given = roles.of_header(header, "")
    except csv.Error:
        return False
    except InputError:  # its reader reports the error
        return len(rows) < 2 or any(is_number(cell) for row in rows for cell in row[1:])
    cells = [row[at] for row in rows if len(row) == len(header) for at in given.values] if given else []
    scores = sum(_has_digit_first(cell) or cell.lower() in (*GAPS, *TRUTH) for cell in cells)
    measured = given is not None and given.at("topic") is not None and any(map(is_measure, given.values.values()))
    return given is not None and (measured or scores > 0.5 * len(cells) or not rows)


def _names_rows(header: Sequence[str]) -> bool:
    return bool({*map(str.lower, header)} & {*TOPIC, *SYSTEM, "name"})


def _name_measures(lines: Sequence[list[bytes]], at: int) -> bool:
    """Return true if nearly all lines have the name of a measure in this field, and end with a number."""
    named = [line for line in lines if len(line) > max(at, 1) and is_measure(line[at].decode(errors="replace"))]
    return len(named) > 0.8 * len(lines) and sum(is_number(line[-1]) for line in named) > 0.8 * len(named)


def of_rows(source: Source, rows: Iterator[Row], repairs: _Repairs | None = None) -> ScoreFile:
    kept = (row for row in rows if row.topic not in SUMMARY or row.topic == MEAN)
    of_topics = list(islice(kept, most("score_lines") + 1))
    refuse_more("score_lines", len(of_topics), where=source.name)
    return ScoreFile(source, of_topics, [""], repairs.notes if repairs else ())


class _Repairs:
    """Collects facts on repairs and omissions while a table is read, for notes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._gaps: list[str] = []
        self._dropped: list[tuple[str, str]] = []
        self._rows: list[str] = []
        self.roles: Roles | None = None

    @property
    def notes(self) -> tuple[Note, ...]:
        name, gaps = self.source.name, self._gaps
        repaired = [f"{counted(len(gaps), 'cell')} read as missing, such as {gaps[0]!r}"] if gaps else []
        dropped = [f"column {name!r} is not a {what}: left out" for name, what in self._dropped]
        dropped += [f"row {shorten(name)} is a summary or a remark: left out" for name in self._rows]
        said = [Note("inferred", name, f"columns: {self.roles}")] if self.roles and not self.roles.are_named else []
        return (
            *said,
            *(Note("repaired", name, text) for text in repaired),
            *(Note("dropped", name, text) for text in dropped),
        )

    def number(self, cell: str, line: int) -> float:
        """Return the score in a cell, nan for a gap. Raises InputError for any other text."""
        if cell.lower() in GAPS:
            self._gaps += [cell] if cell else []
            return math.nan
        return _number(cell, self.source, line)

    def without_summaries(self, columns: dict[int, str]) -> dict[int, str]:
        """Return the columns that are not means, spreads, ranks or facts about systems; all columns if none is left."""
        kept = {at: name for at, name in columns.items() if not BESIDE.fullmatch(name)}
        names = {*kept.values()}
        kept = {at: name for at, name in kept.items() if not (of := _SPREAD.fullmatch(name)) or of["of"] not in names}
        if not kept:
            return columns
        self._dropped += [(name, "topic") for at, name in columns.items() if at not in kept]
        return kept

    def without_words(self, columns: dict[int, str], what: str, rows: Sequence[Sequence[str]]) -> dict[int, str]:
        """Return the columns without those that hold only words, such as licences, unless no others are left."""
        cells = {at: [row[at] for row in rows if row[at].lower() not in GAPS] for at in columns}
        words = {at for at, held in cells.items() if len(held) > 1 and not any(map(_has_digit_first, held))}
        if words == {*columns}:
            return columns
        self._dropped += [(columns[at], what) for at in words]
        return {at: name for at, name in columns.items() if at not in words}

    def without_nameless(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
        """Return the positions of the columns that are read: all with a name, and some without.

        A nameless column is left out if it is empty, or if it is the first and another column names the rows.
        """
        named = _names_rows(header)
        filled = [any(row[at] for row in rows) and not (named and at == 0) for at in range(len(header))]
        return [at for at, name in enumerate(header) if filled[at] or not _NAMELESS.fullmatch(name)]

    def is_no_row(self, row: Sequence[str], named: Sequence[int], scores: Mapping[int, str]) -> bool:
        """Return true if a row of a wide table is a mean over other rows, or a remark."""
        names = [row[at] for at in named]
        is_remark = len(scores) > 1 and not any(row[at] for at in scores)
        if not (is_remark or any(map(_MEANS.fullmatch, names))):
            return False
        if any(names):
            self._rows.append(" ".join(names))
        return True


def _stem(source: Source) -> str:
    return _ENDING.sub("", source.stem) or source.stem


def _is_header(line: str, separator: str) -> bool:
    """Return true if a line names columns, such as topic, system or measure; the first column may have no name."""
    names = _cells(line, separator)
    lower = [name.lower() for name in names]
    known = any(name in (*TOPIC, *SYSTEM, *MEASURE) for name in lower) or not names[:1] or not names[0]
    is_line = lower[:2] == ["runid", ALL] or (any(map(is_number, names)) and lower[0] not in _FIRST)
    return len(names) > 1 and (known or "name" in lower) and not is_line


def _table_rows(text: str, separator: str, repairs: _Repairs) -> Iterator[Row]:
    source = repairs.source
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    cells = ((reader.line_num, [cell.strip() for cell in row]) for row in reader)
    lines = ((number, row) for number, row in cells if any(row))
    try:
        number, header = next(lines, (1, []))
        if not header:
            raise InputError(f"expected {EXPECTED}, found only empty cells", source.name, number)
        yield from _rows_below(header, lines, repairs)
    except csv.Error as error:
        raise InputError(f"cannot read this as a table: {error}", source.name, reader.line_num) from None


def _rows_below(header: list[str], lines: Iterator[tuple[int, list[str]]], repairs: _Repairs) -> Iterator[Row]:
    source = repairs.source
    refuse_more("table_columns", len(header), where=source.name)
    lines = _as_wide(lines, len(header), source)
    stem = _stem(source)
    if is_assignment(header):
        yield from counts_in_table(lines, header, source.name, stem)
        return
    begun = [*islice(lines, _LOOKED_AT)]
    kept = repairs.without_nameless(header, [row for _, row in begun])
    header = [header[at] for at in kept]
    lines = ((number, [row[at] for at in kept]) for number, row in chain(begun, lines))
    begun = [*islice(lines, _LOOKED_AT)]
    given = roles.of_header(header, source.name)
    if given is None:
        found = ", ".join(map(repr, header[:3]))
        expected = "expected a column topic, system or measure in the first line"
        raise InputError(f"{expected}, found {found}: call the column of systems `system`", source.name, 1)
    scores = given.values
    if given.spread == "topic":
        scores = repairs.without_summaries(scores)
    if given.spread in ("topic", "measure"):
        scores = repairs.without_words(scores, given.spread, [row for _, row in begun])
    repairs.roles = given
    place = {role: at for role in roles.IN_FILES if (at := given.at(role)) is not None}
    for number, row in chain(begun, lines):
        if given.spread in ("topic", "system") and repairs.is_no_row(row, [*place.values()], scores):
            continue
        for role, at in place.items():
            if not row[at]:
                raise InputError(f"expected a {header[at] or role}, found an empty cell", source.name, number)
        cells = {role: row[at] for role, at in place.items()}
        for at, name in scores.items():
            named = {**cells, **({given.spread: name} if given.spread else {})}
            value = repairs.number(TRUTH.get(row[at].lower(), row[at]), number)
            topic, system = named.get("topic", MEAN), named.get("system", "")
            yield Row(roles.called(named, stem), topic, value, number, system)


def _as_wide(lines: Iterator[tuple[int, list[str]]], width: int, source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a table, each with as many cells as its header (`width`).

    Raises InputError at a line with a different number of cells.
    """
    for number, row in lines:
        if len(row) != width:
            raise InputError(f"expected {width} cells, as in the header, found {len(row)}", source.name, number)
        yield number, row


def _has_digit_first(cell: str) -> bool:
    """Return true if a cell begins like a number, or is infinite; false for sizes such as 7B."""
    return bool(re.match(r"[-+.]?\d|[-+]?inf", cell, re.IGNORECASE)) and not re.fullmatch(r"\d+(\.\d+)?[KMBG]B?", cell)


def _records(source: Source, begun: JsonHead | None) -> pd.DataFrame:
    """Return the table in a file of Parquet or JSON."""
    if begun is None:
        return reading(partial(read_parquet, with_index=True), source.read(), source.name)
    if begun.keys and begun.depth > 1 and not begun.listed:
        content = parse_json(source.read(), source.name, what="scores by system and topic", kind=dict)
        return pd.DataFrame.from_records([*_nested(content, source)], columns=["system", "topic", "measure", "score"])
    records = json_records(plain_text(source, EXPECTED), source.name, "a record")
    return pd.DataFrame.from_records([record for _, record in records])


def _nested(content: dict[str, Any], source: Source) -> Iterator[tuple[str, str, str, Any]]:
    """Yield (system, topic, measure, score) from nested dicts of JSON.

    Their forms are {system: {topic: score}}, {system: {topic: {measure: score}}} and {topic: {measure: score}}.
    """
    inner = next((part for part in content.values() if isinstance(part, dict) and part), {})
    by_measure = all(map(is_measure, inner)) and not any(isinstance(value, dict) for value in inner.values())
    for first, second, value in _pairs(content, source):
        if by_measure:
            yield _stem(source), first, second, value
        elif isinstance(value, dict):
            yield from ((first, second, str(measure), score) for measure, score in value.items())
        else:
            yield first, second, _stem(source), value


def _pairs(content: dict[str, Any], source: Source) -> Iterator[tuple[str, str, Any]]:
    for first, inner in content.items():
        by_topic = of_kind(inner, dict, f"scores by topic for {shorten(str(first))}", source.name)
        yield from ((str(first), str(second), value) for second, value in by_topic.items())


def _rows_of(table: pd.DataFrame, repairs: _Repairs) -> Iterator[Row]:
    """Yield the scores in a table from Parquet or JSON; `line` is the number of the record, from 1."""
    if table.index.name and table.index.name not in table.columns:
        table = table.reset_index()
    cells = table.astype(object).where(table.notna(), "")
    lines = ((number, [str(cell).strip() for cell in row]) for number, row in enumerate(cells.to_numpy().tolist(), 1))
    yield from _rows_below([str(name).strip() for name in table.columns], lines, repairs)


def _outputs(text: str, source: Source) -> ScoreFile:
    """Read lines of measure, topic, value (trec_eval), of topic, measure, value (ir_measures), or of four fields."""
    refuse_more("score_lines", text.count("\n"), where=source.name)
    lines = [(number, fields_of_output(line)) for number, line in _lines(text)]
    widths = Counter(len(fields) for _, fields in lines)
    for number, fields in lines:
        if not 3 <= len(fields) <= 4 or (
            4 in widths and len(fields) == 3 and fields[0] != "runid" and fields[1] != ALL
        ):
            raise InputError(f"expected {EXPECTED}, found {shorten(' '.join(fields))}", source.name, number)
    if widths[4]:
        of_systems = [(number, fields) for number, fields in lines if len(fields) == 4]
        order = roles.order_of([fields for _, fields in of_systems])
        if order is None:
            raise roles.ask([fields for _, fields in of_systems], source.name, of_systems[0][0])
        given = Roles((*order, "value"))
        cells = [(number, dict(zip(given.columns, fields, strict=True))) for number, fields in of_systems]
        return _with_systems(cells, source, given)
    topic = _topic_field(text, lines, source)
    rows: list[Row] = []
    names, in_summary = [""], False
    for number, fields in lines:
        summary, named = fields[topic] in SUMMARY, fields[0] == "runid"
        begun = bool(rows) and rows[-1].output == len(names) - 1
        if begun and ((in_summary and not summary) or (named and names[-1])):
            names.append("")  # after the means of an output, or at a second name, the next begins
        in_summary = summary
        if named:
            names[-1] = fields[2]
        elif not summary:
            value = _number(fields[-1], source, number)
            rows.append(Row(fields[1 - topic], fields[topic], value, number, "", len(names) - 1))
    return ScoreFile(source, rows, names)


def fields_of_output(line: str) -> list[str]:
    """Return the fields of a line, split at tabs if it has three (fields may then hold spaces), else at white space."""
    by_tabs = [field.strip() for field in line.split("\t")]
    return by_tabs if len(by_tabs) == 4 and all(by_tabs) else line.split()


def _with_systems(lines: Sequence[tuple[int, Mapping[str, str]]], source: Source, given: Roles) -> ScoreFile:
    """Return the scores in lines of fields with known roles.

    Means are left out; a note reports the first that differs from the mean of the scores by topic.
    """
    rows: list[Row] = []
    means: dict[tuple[str, str], tuple[float, int]] = {}
    for number, cells in lines:
        value = _number(TRUTH.get(cells["value"].lower(), cells["value"]), source, number)
        measure, topic = roles.called(cells, _stem(source)), cells.get("topic", MEAN)
        if topic in SUMMARY and "topic" in cells:
            means[cells.get("system", ""), measure] = value, number
        else:
            rows.append(Row(measure, topic, value, number, cells.get("system", "")))
    measures = {row.measure for row in rows}
    said = [Note("inferred", source.name, f"columns: {given}")]
    if not source.columns and len(measures) > 1 and not all(map(is_measure, measures)):
        text = f"columns read in the usual order ({given}), as not every name is a known measure; to change this"
        said.append(Note("question", source.name, f"{text}, use collection.toml: {roles.columns_text(source.name)}"))
    truths = sum(cells["value"].lower() in TRUTH for _, cells in lines)
    said += [Note("inferred", source.name, f"{counted(truths, 'value')} True or False: read as 1 and 0")] * bool(truths)
    return ScoreFile(source, rows, [""], (*said, *_compared(means, rows, source)))


def _compared(
    means: Mapping[tuple[str, str], tuple[float, int]], rows: Sequence[Row], source: Source
) -> Iterator[Note]:
    """Yield a note that rows of means are left out, and one on the first mean that the scores by topic contradict."""
    if not means:
        return
    listed: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        listed.setdefault((row.system, row.measure), []).append(row.value)
    yield Note("dropped", source.name, f"{counted(len(means), 'row')} of means ({', '.join(SUMMARY)}): left out")
    for key, (value, number) in means.items():
        values = listed.get(key)
        if values and abs(math.fsum(values) / len(values) - value) > 0.001 * max(1.0, abs(value)):
            text = f"the mean of {' by '.join(map(shorten, key))} is {value:g} in line {number}, but the mean over its"
            yield Note("warning", source.name, f"{text} topics is {math.fsum(values) / len(values):.4f}")
            return


def _topic_field(text: str, lines: list[tuple[int, list[str]]], source: Source) -> int:
    """Return the position of the topic, 0 or 1: the field with `all` or, without one, the field without measures."""
    if any(fields[1] in SUMMARY for _, fields in lines) or _PADDED.match(text.lstrip()):
        return 1
    if any(fields[0] in SUMMARY for _, fields in lines):
        return 0
    known = [all(is_measure(fields[at]) for _, fields in lines) for at in (0, 1)]
    if known[0] == known[1]:
        raise InputError(f"expected {EXPECTED}, including its lines for the topic `{ALL}`, found none", source.name)
    return 1 if known[0] else 0


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip())


def _number(value: Any, source: Source, line: int) -> float:
    try:
        # Python also reads True as 1 and 1_0 as 10.
        number = math.nan if isinstance(value, bool) or "_" in str(value) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise InputError(f"expected a number as score, such as 0.25, found {shorten(str(value))}", source.name, line)
    return number
