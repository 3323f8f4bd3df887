"""One file of scores that another tool computed -> rows. Which formats there are is said in `score_tables`."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Any

from evalcore.common.later import pd
from evalcore.data.json_tables import array_head, json_head
from evalcore.data.json_text import json_lines, kind_of_value, of_kind, parse_json
from evalcore.data.names import JUDGE, NO_VALUE, SYNONYMS, SYSTEM, TOPIC, TOPIC_ID, says_who
from evalcore.data.nuggets import counts_in_json, counts_in_table, is_answer, is_assignment
from evalcore.data.parquet import read_parquet
from evalcore.data.pasted_tables import as_csv, in_columns, is_pasted
from evalcore.data.result_files import is_result, results_in_json
from evalcore.data.runs_or_labels import is_measure
from evalcore.data.score_rows import MEAN, NO_PLACE, Row, cell_of
from evalcore.data.sources import Source
from evalcore.data.text_files import BOM, plain_text
from evalcore.errors import InputError, counted, shorten
from evalcore.limits import most, refuse_more
from evalcore.structures.documents import Note

SCORE = ("score", "value")
MEASURE = ("measure", "metric")
MEANS_ALONE = (
    "expected scores by topic, found means of systems alone: nothing can be tested with them; export "
    "Experiment(..., perquery=True), which has a column qid"
)
ALL = "all"  # the topic of a mean
SUMMARY = (ALL, "mean", "amean")  # topics that stand for means over the others
TRUTH = {"true": "1", "false": "0"}
# Columns beside those of topics
SUMMARIES = re.compile(
    r"((average|avg\.?|mean|overall|total|rank)( score)?( ?\(.*\))?|#|(number of )?param(eter)s?.*|(model )?size.*|"
    r"memory.*|(embedding )?dimensions?|max(imum)? tokens|zero-shot|licen[sc]e|url|link|date|year|release.*|"
    r"organi[sz]ation)",
    re.IGNORECASE,
)
# Rows beside those of systems, or topics
_MEANS = re.compile(
    r"((macro|micro|weighted|overall|arithmetic)[ -])?(average|avg\.?|mean|median|all)( score)?", re.IGNORECASE
)
_SPREAD = re.compile(
    r"(?P<of>.+?)[ _.-]*[(\[]?(±|\+/-|std(\.|dev|_?err(or)?)?|s\.?d\.?|s\.?e\.?m?|ci(95)?)[)\]]?", re.IGNORECASE
)
_NAMELESS = re.compile(r"|unnamed: \d+", re.IGNORECASE)  # as an index without a name is written
_TAG = re.compile(r"</?[a-z][^<>]{0,2000}>", re.IGNORECASE)
_LOOKED_AT = 50  # lines, to tell what columns hold
GAPS = ("", *NO_VALUE, "--", "\u2013", "\u2014")  # how tables write that there is no score
EXPECTED = "a table of scores (CSV) or the output of trec_eval -q or ir_measures -q"

_WITH_DECIMAL_COMMA = re.compile(r"[-+]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+),[0-9]+")  # where no comma parts the cells
_IN_THOUSANDS = re.compile(r"[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?")
_DECIMAL = re.compile(r"\s*[-+]?\d*\.\d+\s*")
_PADDED = re.compile(r"\S+ +\t")  # trec_eval fills the measure's column with spaces
_ENDING = re.compile(r"\.(jsonl?|eval|trec_eval|ir_measures|urbp|scores|out|md|tex|psv)$", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][\w.]*(\([^()\s]*\))?(@\d+)?")  # of a measure


@dataclass(frozen=True)
class ScoreFile:
    """The rows of one file, and the names that its outputs give themselves ("": none)."""

    source: Source
    rows: list[Row]
    names: list[str]
    notes: tuple[Note, ...] = ()

    @property
    def stem(self) -> str:
        """The file's name without its ending: what is not named otherwise is called."""
        return _stem(self.source)

    def cell(self, row: Row, place: Mapping[str, str] = NO_PLACE) -> tuple[str, str]:
        """The system and topic of a row, as `cell_of` has them; of one that names no system, that of its output."""
        system, topic = cell_of(row, place)
        return system or self.names[row.output] or self.stem, topic


def read_scores(source: Source) -> ScoreFile:
    """Read one file; rows of the topic `all`, which are means, are left out.

    Raises InputError with the line of what is no score.
    """
    if rows := _of_benchmark(source):
        return _of_rows(source, rows)
    records, repairs = _records(source), _Repairs(source)
    if records is not None:
        return _of_rows(source, _rows_of(records, repairs), repairs)
    text = _tidied(plain_text(source, EXPECTED))
    first, separator = _first_line(text)
    if first.lstrip().startswith("{"):
        return _of_rows(source, _json_rows(text, source))
    if _is_header(first, separator) or is_table(text):
        return _of_rows(source, _table_rows(text, separator, repairs), repairs)
    return _outputs(text, source)


def is_table(text: str) -> bool:
    """Whether a text has names in its first line, and names and numbers in as many cells below, whatever the names are.

    >>> is_table("name;a;b\\nx;0.1;0.2\\n"), is_table("map all 0.5\\n"), is_table("x,y\\n")
    (True, False, False)
    """
    text = _tidied(text)
    first, separator = _first_line(text)
    if separator not in first or not first.strip():
        return False
    try:
        names, *rows = islice(csv.reader(io.StringIO(text.strip()), delimiter=separator), _LOOKED_AT)
    except csv.Error:
        return False
    rows = [row for row in rows if len(row) == len(names) and any(re.match(r"\s*[-+.]?\d", cell) for cell in row[1:])]
    is_output = separator == "\t" and (names[1:2] == [ALL] or any(map(_has_digit_first, names[1:])))
    return bool(rows) and len(names) > 1 and not is_output


def _tidied(text: str) -> str:
    if is_pasted(text):
        return as_csv(text)
    text = _without_titles(text)
    return in_columns(text) or text


def _without_titles(text: str) -> str:
    """A text with blanks for what stands above its table: a title, remarks, or what says Excel the separator.

    >>> _without_titles("Our results,,\\n\\nmodel,a,b\\nx,1,2\\n")
    '\\n\\nmodel,a,b\\nx,1,2\\n'
    """
    lines = text.split("\n")
    filled = [at for at, line in enumerate(lines[:_LOOKED_AT]) if line.strip()]
    for at, following in pairwise(filled):
        separator = _first_line(lines[following])[1]
        title, below = ([cell.strip() for cell in lines[place].split(separator)] for place in (at, following))
        is_alone = sum(map(bool, title)) < 2 <= len(below) and title[0].lower() not in (*SYSTEM, *TOPIC)
        is_alone &= all(cell and not _has_digit_first(cell) and cell.lower() not in GAPS for cell in below[1:])
        is_remark = len(title) != len(below) and re.match(r"#+ *[A-Za-z]|sep=.$", title[0])
        if not (is_alone or is_remark):
            break
        lines[at] = ""
    return "\n".join(lines)


def _first_line(text: str) -> tuple[str, str]:
    """The first line that is not blank, and what parts its cells."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first, max(",\t;|", key=first.count)


def _of_rows(source: Source, rows: Iterator[Row], repairs: _Repairs | None = None) -> ScoreFile:
    of_topics = list(
        islice((row for row in rows if row.topic not in SUMMARY or row.topic == MEAN), most("score_lines") + 1)
    )
    refuse_more("score_lines", len(of_topics), where=source.name)
    return ScoreFile(source, of_topics, [""], repairs.notes if repairs else ())


class _Repairs:
    """What was repaired in the cells of a table, by what it is, with the first."""

    def __init__(self, source: Source) -> None:
        self.source, self.decimal_commas = source, False
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        self._dropped: list[tuple[str, str]] = []
        self._rows: list[str] = []
        self._decimals: dict[str, str] = {}  # a cell with each sign

    @property
    def notes(self) -> tuple[Note, ...]:
        name, counts = self.source.name, self._counts.items()
        repaired = (f"{counted(n, 'cell')} {how}, such as {self._first[how]!r}" for how, n in counts)
        dropped = [f"column {name!r} is no {what}: left out" for name, what in self._dropped]
        dropped += [f"row {shorten(name)} has no scores of its own: left out" for name in self._rows]
        return (
            *(Note("repaired", name, text) for text in repaired),
            *(Note("dropped", name, text) for text in dropped),
        )

    def number(self, cell: str, line: int) -> float:
        """A score, nan for a gap. Raises InputError for what is neither."""
        if cell.lower() in GAPS:
            if cell:
                self._count("read as no score", cell)
            return math.nan
        try:
            number = _number(cell, self.source, line)
        except InputError:
            plain = cell.removesuffix("%").rstrip()
            if plain != cell:
                self._count("read without the sign for percent", cell)
            if self.decimal_commas and _WITH_DECIMAL_COMMA.fullmatch(plain):
                self._count("read with a decimal comma", cell)
                self._decimals_by(",", cell, line)
                plain = plain.replace(".", "").replace(",", ".")
            elif _IN_THOUSANDS.fullmatch(plain):
                self._count("read with commas between thousands", cell)
                plain = plain.replace(",", "")
            if plain == cell:
                raise
            return _number(plain, self.source, line)
        if self.decimal_commas and "." in cell:
            self._decimals_by(".", cell, line)
        return number

    def _decimals_by(self, sign: str, cell: str, line: int) -> None:
        """Raises InputError where a table has decimals by commas and by points: one of them may part thousands."""
        self._decimals.setdefault(sign, cell)
        if len(self._decimals) > 1:
            both = " and ".join(self._decimals.values())
            raise InputError(f"expected decimals by commas or by points, found both: {both}", self.source.name, line)

    def without_summaries(self, columns: dict[int, str]) -> dict[int, str]:
        """The columns of topics, without means over them and ranks, where there are others."""
        kept = {at: name for at, name in columns.items() if not SUMMARIES.fullmatch(name)}
        names = {*kept.values()}
        kept = {at: name for at, name in kept.items() if not (of := _SPREAD.fullmatch(name)) or of["of"] not in names}
        if not kept:
            return columns
        self._dropped += [(name, "topic") for at, name in columns.items() if at not in kept]
        return kept

    def without_words(self, columns: dict[int, str], what: str, rows: Sequence[Sequence[str]]) -> dict[int, str]:
        """The columns of topics or measures without those of words alone, such as licences, where there are others."""
        cells = {at: [row[at] for row in rows if row[at].lower() not in GAPS] for at in columns}
        words = {at for at, held in cells.items() if len(held) > 1 and not any(map(_has_digit_first, held))}
        if words == {*columns}:
            return columns
        self._dropped += [(columns[at], what) for at in words]
        return {at: name for at, name in columns.items() if at not in words}

    def without_nameless(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
        """The columns by their places, without those that have no name and are empty, or number the rows."""
        kept = []
        for at, name in enumerate(header):
            cells = [row[at] for row in rows]
            counts = [[str(n) for n in range(first, first + len(cells))] for first in (0, 1)]
            beside = at == 0 and len(header) > 2 and any(not _has_digit_first(row[1]) for row in rows)
            if not _NAMELESS.fullmatch(name) or (any(cells) and not (beside and cells in counts)):
                kept.append(at)
        return kept

    def is_no_row(self, row: Sequence[str], named: Sequence[int], scores: Mapping[int, str]) -> bool:
        """Whether a row of a wide table is none of a system or topic: a mean over the others, or a remark."""
        names = [row[at] for at in named]
        is_remark = len(scores) > 1 and not any(row[at] for at in scores)
        if not (is_remark or any(map(_MEANS.fullmatch, names))):
            return False
        if any(names):
            self._rows.append(" ".join(names))
        return True

    def _count(self, how: str, cell: str) -> None:
        self._counts[how] += 1
        self._first.setdefault(how, cell)


def _stem(source: Source) -> str:
    return _ENDING.sub("", source.stem) or source.stem


def _is_header(line: str, separator: str) -> bool:
    try:
        names = [cell.strip().lower() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return False
    known = any(name in (*TOPIC, *SYSTEM) for name in names) or not names[:1] or not names[0]
    return len(names) > 1 and known and names[:2] != ["runid", ALL]


def _json_rows(text: str, source: Source) -> Iterator[Row]:
    for number, line in _lines(text):
        try:
            record = parse_json(line, source.name, number)
            topic, measure, value = (record[key] for key in ("query_id", "measure", "value"))
        except (ValueError, KeyError, TypeError, RecursionError):
            expected = 'expected {"query_id": ..., "measure": ..., "value": ...}'
            raise InputError(f"{expected}, found {shorten(line)}", source.name, number) from None
        yield Row(str(measure), str(topic), _number(value, source, number), number)


def _table_rows(text: str, separator: str, repairs: _Repairs) -> Iterator[Row]:
    source, repairs.decimal_commas = repairs.source, separator != ","
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    cells = ((reader.line_num, [_plain(cell) for cell in row]) for row in reader)
    lines = ((number, row) for number, row in cells if any(row))
    try:
        number, header = next(lines, (1, []))
        if not header:
            raise InputError(f"expected {EXPECTED}, found empty cells alone", source.name, number)
        yield from _rows_below(header, lines, repairs)
    except csv.Error as error:
        raise InputError(f"expected a table, found: {error}", source.name, reader.line_num) from None


def _plain(cell: str) -> str:
    """A cell without blanks around it and marks of HTML or Markdown."""
    text = _TAG.sub("", cell).strip() if "<" in cell else cell.strip()
    return text[2:-2].strip() if len(text) > 4 and text[:2] == text[-2:] == "**" else text


def _rows_below(header: list[str], lines: Iterator[tuple[int, list[str]]], repairs: _Repairs) -> Iterator[Row]:
    source = repairs.source
    refuse_more("table_columns", len(header), where=source.name)
    lines = _as_wide(lines, len(header), source)
    stem = _stem(source)
    if is_assignment(header):
        yield from counts_in_table(lines, header, source.name, stem)
        return
    numbers = all(map(_DECIMAL.fullmatch, header[1:])) or all(map(_has_digit_first, (header[0], header[-1])))
    if len(header) > 1 and numbers:
        found = ", ".join(map(repr, header[:3]))
        raise InputError(f"expected names of columns in the first line, found {found}", source.name, 1)
    begun = [*islice(lines, _LOOKED_AT)]
    _refuse_two_headers(header, begun, source)
    kept = repairs.without_nameless(header, [row for _, row in begun])
    header = [header[at] for at in kept]
    lines = ((number, [row[at] for at in kept]) for number, row in chain(begun, lines))
    begun = [*islice(lines, _LOOKED_AT)]
    form = _form(header, source)
    scores = form.scores
    if form.columns == "topic":
        scores = repairs.without_summaries(scores)
    if form.columns in ("topic", "measure"):
        scores = repairs.without_words(scores, form.columns, [row for _, row in begun])
    named = [at for at in (form.topic, form.system, form.measure, form.judge) if at is not None]
    for number, row in chain(begun, lines):
        if form.columns in ("topic", "system") and repairs.is_no_row(row, named, scores):
            continue
        for at in named:
            if not row[at]:
                raise InputError(f"expected a {header[at] or 'topic'}, found an empty cell", source.name, number)
        topic, system, measure = (None if at is None else row[at] for at in (form.topic, form.system, form.measure))
        judge = "" if form.judge is None else f" {row[form.judge]}"
        for at, name in scores.items():
            value = repairs.number(row[at], number)
            yield Row(
                ((name if form.columns == "measure" else measure) or stem) + judge,
                (name if form.columns == "topic" else topic) or MEAN,
                value,
                number,
                (name if form.columns == "system" else system) or "",
            )


def _refuse_two_headers(header: list[str], begun: list[tuple[int, list[str]]], source: Source) -> None:
    """Raises InputError where names stand in the first two lines: those of groups of columns above those of columns."""
    if not begun or (len(set(header[1:])) == len(header[1:]) and all(header[1:])):
        return
    number, second = begun[0]
    if all(second[1:]) and not any(map(_has_digit_first, second[1:])) and not {*map(str.lower, second)} & {*GAPS}:
        problem = "expected the names of columns in one line, found those of groups above them"
        raise InputError(
            f"{problem}: leave that line out; a table groups.csv of topics may say it", source.name, number
        )


def _as_wide(lines: Iterator[tuple[int, list[str]]], width: int, source: Source) -> Iterator[tuple[int, list[str]]]:
    """The lines. Raises InputError at one that has another number of cells than the header."""
    for number, row in lines:
        if len(row) != width:
            raise InputError(f"expected {width} cells, as in the header, found {len(row)}", source.name, number)
        yield number, row


@dataclass(frozen=True)
class _Form:
    """Which columns of a table name what, which hold scores, and what the names of these are ("": nothing)."""

    topic: int | None
    system: int | None
    measure: int | None
    scores: dict[int, str]
    columns: str
    judge: int | None = None


def _form(header: list[str], source: Source) -> _Form:
    """As `_form_without_judges`, perhaps beside a column that says by whose labels the scores are."""
    judge = _column([name.lower() for name in header], JUDGE)
    if judge is None or len(header) < 3:
        return _form_without_judges(header, source)
    form = _form_without_judges(header[:judge] + header[judge + 1 :], source)
    topic, system, measure = (
        None if at is None else at + (at >= judge) for at in (form.topic, form.system, form.measure)
    )
    scores = {at + (at >= judge): name for at, name in form.scores.items()}
    return _Form(topic, system, measure, scores, form.columns, judge)


def _form_without_judges(header: list[str], source: Source) -> _Form:
    """Long: topic, score, and system or measure. Wide: a column for each system, topic, or measure."""
    lower = [name.lower() for name in header]
    topic, score, system, measure = (_column(lower, names) for names in (TOPIC, SCORE, SYSTEM, MEASURE))
    others = [at for at in range(len(header)) if at not in (topic, system, measure)]
    if system is None and "name" in lower and (topic is not None or any(is_measure(header[at]) for at in others)):
        system = lower.index("name")  # as PyTerrier has it
        if topic is None:
            raise InputError(MEANS_ALONE, source.name, 1)
    if topic is not None and system is None and score is None and any(is_measure(header[at]) for at in others):
        return _Form(topic, None, None, _named_columns(header, (topic,), "measure", source), "measure")
    if score is not None and topic is not None and (system is not None or measure is not None):
        return _Form(topic, system, measure, {score: ""}, "")
    if topic is not None and system is not None and measure is None:
        return _Form(topic, system, None, _named_columns(header, (topic, system), "measure", source), "measure")
    if topic is None and system is not None and header[0]:
        beside = tuple(at for at in (system, measure) if at is not None)
        if measure is None and all(is_measure(name) for at, name in enumerate(header) if at != system):
            return _Form(None, system, None, _named_columns(header, beside, "measure", source), "measure")
        return _Form(None, system, measure, _named_columns(header, beside, "topic", source), "topic")
    if topic is None and header[0]:
        first = next((at for at, name in enumerate(header) if not SUMMARIES.fullmatch(name)), 0)
        return _Form(None, first, measure, _named_columns(header, (first,), "topic", source), "topic")
    topic = topic or 0
    return _Form(topic, None, None, _named_columns(header, (topic,), "system", source), "system")


def _column(header: list[str], names: Collection[str]) -> int | None:
    return next((at for at, name in enumerate(header) if name in names), None)


def _named_columns(header: list[str], beside: tuple[int, ...], what: str, source: Source) -> dict[int, str]:
    """The columns of a wide table by their place: one for each system, topic or measure, as `what` says."""
    names: dict[int, str] = {at: name for at, name in enumerate(header) if at not in beside}
    no_systems = (*SCORE, *SYNONYMS["system"], *MEASURE, "") if what == "system" else ()
    if not names or any(name.lower() in no_systems for name in names.values()):
        expected = "expected columns topic, system, score (or topic and one column for each system)"
        raise InputError(f"{expected}, found {', '.join(map(repr, header))}", source.name, 1)
    for name, times in Counter(names.values()).items():
        if not name:
            raise InputError(f"expected a name for the column of each {what}, found an empty one", source.name, 1)
        if times > 1:
            raise InputError(f"expected one column for each {what}, found two for {name!r}", source.name, 1)
    return names


def _has_digit_first(cell: str) -> bool:
    """Whether a cell begins as a number, or is an infinite one."""
    return bool(re.match(r"[-+.]?\d|[-+]?inf", cell, re.IGNORECASE)) and not re.fullmatch(r"\d+(\.\d+)?[KMBG]B?", cell)


def _of_benchmark(source: Source) -> Iterator[Row] | None:
    """The rows of JSON of nuggets, or of a benchmark's results; None for any other file."""
    head = source.head(1 << 16)
    begun = json_head(head) or array_head(head)
    if begun is not None and is_answer(begun.keys, head):
        return counts_in_json(plain_text(source, EXPECTED), source.name, _stem(source))
    if begun is not None and is_result(begun.keys, head):
        return results_in_json(plain_text(source, EXPECTED), source)
    return None


def _records(source: Source) -> pd.DataFrame | None:
    """A table of Parquet or JSON; None for any other file, and for the JSON lines of ir_measures."""
    head = source.head(1 << 12)
    if head[:4] == b"PAR1":
        return _parquet(source)
    begun = head.removeprefix(BOM).lstrip()[:1]
    if begun == b"[":
        records = parse_json(source.read(), source.name, what="a list of records", kind=list)
        if other := [record for record in records if not isinstance(record, dict)]:
            raise InputError(f"expected a list of records (JSON), found {kind_of_value(other[0])} in it", source.name)
        return pd.DataFrame.from_records(records)
    outermost = json_head(head) if begun == b"{" else None
    keys = {key.lower() for key in outermost.keys} if outermost else set()
    if outermost and (is_frame(keys) or (keys and outermost.depth > 1)):
        content = parse_json(source.read(), source.name, what="scores by system and topic", kind=dict)
        if is_frame(content) or _is_by_column(content):
            return _frame(content, source)
        return pd.DataFrame.from_records([*_nested(content, source)], columns=["system", "topic", "measure", "score"])
    if not keys or ("query_id" in keys and not keys & {*SYSTEM}):
        return None
    lines = json_lines(plain_text(source, EXPECTED), source.name, "a record")
    return pd.DataFrame.from_records([record for _, record in lines])


def _parquet(source: Source) -> pd.DataFrame:
    try:
        return read_parquet(source.read(), source.name, with_index=True)
    except InputError:
        raise
    except (OSError, ValueError, NotImplementedError) as error:  # Arrow's errors are of these kinds
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"expected a readable Parquet table, found: {reason}", source.name) from None


def is_frame(keys: Collection[str]) -> bool:
    """Whether JSON with these keys is what pandas writes with `orient="split"` or "table"."""
    return "data" in keys and ("columns" in keys or "schema" in keys)


def _is_by_column(content: Mapping[str, Any]) -> bool:
    """Whether JSON is a frame as pandas writes it without saying how, one column of which names systems."""
    named = [column for name, column in content.items() if name.lower() in SYSTEM]
    return any(
        isinstance(column, dict) and all(isinstance(value, str) for value in column.values()) for column in named
    )


def _frame(content: dict[str, Any], source: Source) -> pd.DataFrame:
    """The frame of JSON that pandas wrote, its index a column without a name unless it numbers the rows."""
    try:
        if "schema" in content:
            return pd.DataFrame.from_records(content["data"])
        if "data" not in content:
            return pd.DataFrame(content)
        names, index = content["columns"], content.get("index", [])
        for at, row in enumerate(content["data"], 1):
            if len(row) != len(names):
                raise ValueError(f"row {at} of its data has {len(row)} cells, and there are {len(names)} columns")
        frame = pd.DataFrame(content["data"], columns=names)
        if index != [*range(len(frame))]:
            frame.insert(0, "", index)
        return frame
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise InputError(f"expected a table as pandas writes it, found: {error}", source.name) from None


def _nested(content: dict[str, Any], source: Source) -> Iterator[tuple[str, str, str, Any]]:
    """Rows of {system: {topic: score}}, {system: {topic: {measure: score}}}, or {topic: {measure: score}}.

    Or by judge, or measure: {judge: {system: {topic: score}}}.
    """
    inner = next((part for part in content.values() if isinstance(part, dict) and part), {})
    by_measure = all(map(is_measure, inner)) and not any(isinstance(value, dict) for value in inner.values())
    innermost = next((part for part in inner.values() if isinstance(part, dict)), {})
    outer = all(map(is_measure, content)) or (all(map(says_who, content)) and all(map(TOPIC_ID.fullmatch, innermost)))
    for first, second, value in _pairs(content, source):
        if by_measure:
            yield _stem(source), first, second, value
        elif outer and isinstance(value, dict):
            measure = first if is_measure(first) else f"{_stem(source)} {first}"
            yield from ((second, str(topic), measure, score) for topic, score in value.items())
        elif isinstance(value, dict):
            yield from ((first, second, str(measure), score) for measure, score in value.items())
        else:
            yield first, second, _stem(source), value


def is_by_judge_or_measure(names: Collection[str]) -> bool:
    """Whether the outermost names of JSON are those of judges, or of measures.

    >>> is_by_judge_or_measure(["nist", "gpt-4o"]), is_by_judge_or_measure(["bm25", "e5"])
    (True, False)
    """
    return bool(names) and (all(map(is_measure, names)) or all(map(says_who, names)))


def _pairs(content: dict[str, Any], source: Source) -> Iterator[tuple[str, str, Any]]:
    for first, inner in content.items():
        by_topic = of_kind(inner, dict, f"scores by topic for {shorten(str(first))}", source.name)
        yield from ((str(first), str(second), value) for second, value in by_topic.items())


def _rows_of(table: pd.DataFrame, repairs: _Repairs) -> Iterator[Row]:
    """The rows of a table that has no lines: its records count from 1, after the header."""
    if table.index.name and table.index.name not in table.columns:
        table = table.reset_index()
    cells = table.astype(object).where(table.notna(), "")
    lines = ((number, [str(cell).strip() for cell in row]) for number, row in enumerate(cells.to_numpy().tolist(), 1))
    yield from _rows_below([str(name).strip() for name in table.columns], lines, repairs)


def _outputs(text: str, source: Source) -> ScoreFile:
    """Lines of measure, topic, value (trec_eval), of topic, measure, value (ir_measures), or of those with a system."""
    refuse_more("score_lines", text.count("\n"), where=source.name)
    lines = [(number, fields_of_output(line)) for number, line in _lines(text)]
    widths = Counter(len(fields) for _, fields in lines)
    for number, fields in lines:
        if not 3 <= len(fields) <= 4 or (
            4 in widths and len(fields) == 3 and fields[0] != "runid" and fields[1] != ALL
        ):
            raise InputError(f"expected {EXPECTED}, found {shorten(' '.join(fields))}", source.name, number)
    of_systems = widths[4] > 0
    if of_systems:
        return _with_systems([(number, fields) for number, fields in lines if len(fields) == 4], source)
    topic = _topic_field(text, lines, source)
    rows: list[Row] = []
    names, in_summary = [""], False
    for number, fields in lines:
        summary, named = fields[topic] in SUMMARY, fields[0] == "runid"
        begun = bool(rows) and rows[-1].output == len(names) - 1
        if begun and ((in_summary and not summary) or (named and names[-1])):
            names.append("")  # after its means, or at a second name, the output of the next run begins
        in_summary = summary
        if named:
            names[-1] = fields[2]
        elif not summary:
            rows.append(
                Row(fields[1 - topic], fields[topic], _number(fields[-1], source, number), number, "", len(names) - 1)
            )
    return ScoreFile(source, rows, names)


def fields_of_output(line: str) -> list[str]:
    """The fields of a line, by tabs if it has three of them, as then one may hold blanks."""
    by_tabs = [field.strip() for field in line.split("\t")]
    return by_tabs if len(by_tabs) == 4 and all(by_tabs) else line.split()


ORDERS = (("system", "measure", "topic"), ("system", "topic", "measure"), ("measure", "topic", "system"))


def order_of(lines: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """What the first three fields of lines of four are, as one of ORDERS; None where nothing says it.

    Names of measures say it, then the topic of means, then topics that are numbers, then one measure for all lines.

    >>> order_of([["run-1", "map", "7", ".5"]]), order_of([["a", "x", "q1", "1"], ["b", "x", "q2", "0"]])
    (('system', 'measure', 'topic'), ('system', 'measure', 'topic'))
    """
    fields = [{line[at] for line in lines} for at in range(3)]
    numbered = [all(TOPIC_ID.fullmatch(name) or name in SUMMARY for name in names) for names in fields]
    signs = (
        ("measure", [all(map(is_measure, names)) for names in fields]),
        ("topic", [bool(names & {*SUMMARY}) for names in fields]),
        ("topic", numbered),
        ("measure", [len(names) == 1 for names in fields]),
    )
    orders = [order for order in ORDERS if not numbered[order.index("measure")]]
    for role, fit in signs:
        left = [order for order in orders if fit[order.index(role)]]
        if sum(fit) == 1 and left:
            orders = left
    return orders[0] if len(orders) == 1 else None


def _with_systems(lines: list[tuple[int, list[str]]], source: Source) -> ScoreFile:
    """The rows of lines that name a system; means are compared with those of the rows, and left out."""
    order = order_of([fields for _, fields in lines])
    if order is None:
        problem = (
            "expected run, measure, topic and value in each line, in an order that names of measures or topics show"
        )
        header = "write a first line `run measure topic value` with the names in their order, separated as the rest is"
        raise InputError(f"{problem}, found {shorten(' '.join(lines[0][1]))}; {header}", source.name, lines[0][0])
    at = {role: order.index(role) for role in order}
    rows: list[Row] = []
    means: dict[tuple[str, str], tuple[float, int]] = {}
    for number, fields in lines:
        system, measure, topic = (fields[at[role]] for role in ("system", "measure", "topic"))
        value = _number(TRUTH.get(fields[3].lower(), fields[3]), source, number)
        if topic in SUMMARY:
            means[system, measure] = value, number
        else:
            rows.append(Row(measure, topic, value, number, system))
    return ScoreFile(source, rows, [""], (*_said(order, lines, source), *_compared(means, rows, source)))


def _said(order: Sequence[str], lines: list[tuple[int, list[str]]], source: Source) -> Iterator[Note]:
    yield Note("inferred", source.name, f"columns read as {', '.join(order)} and value")
    if truths := sum(fields[3].lower() in TRUTH for _, fields in lines):
        yield Note("inferred", source.name, f"{counted(truths, 'value')} True or False: read as 1 and 0")


def _compared(
    means: Mapping[tuple[str, str], tuple[float, int]], rows: Sequence[Row], source: Source
) -> Iterator[Note]:
    """What a report says of rows of means, and of those that are not the mean of the rows of their topics."""
    if not means:
        return
    listed: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        listed.setdefault((row.system, row.measure), []).append(row.value)
    yield Note("dropped", source.name, f"{counted(len(means), 'row')} of means ({', '.join(SUMMARY)}): left out")
    for key, (value, number) in means.items():
        values = listed.get(key)
        if values and abs(math.fsum(values) / len(values) - value) > 0.001 * max(1.0, abs(value)):
            text = f"the mean of {' by '.join(map(shorten, key))} is {value:g} in line {number}, and that of its topics"
            yield Note("warning", source.name, f"{text} {math.fsum(values) / len(values):.4f}")
            return


def _topic_field(text: str, lines: list[tuple[int, list[str]]], source: Source) -> int:
    """Which of the first two fields is the topic: the one with `all`, else the one that is no name of a measure."""
    if any(fields[1] in SUMMARY for _, fields in lines) or _PADDED.match(text.lstrip()):
        return 1
    if any(fields[0] in SUMMARY for _, fields in lines):
        return 0
    names = [all(_NAME.fullmatch(fields[at]) for _, fields in lines) for at in (0, 1)]
    known = [all(is_measure(fields[at]) for _, fields in lines) for at in (0, 1)]
    names = known if known[0] != known[1] else names
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
