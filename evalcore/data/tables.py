"""Read tables (CSV, TSV, Parquet, JSON) into the same labels and run lines as TREC files."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from evalcore.common.arrays import BoolArray, FloatArray
from evalcore.common.lazy_imports import arrow_csv, pa, pd
from evalcore.common.writing import inert
from evalcore.data.assessments import Labels, are_subtopics, checked, not_subtopics
from evalcore.data.characters import UNSEEN
from evalcore.data.declared_columns import declared_rows
from evalcore.data.json_tables import columns as json_columns
from evalcore.data.json_tables import json_form, json_head, read_json
from evalcore.data.names import (
    ASSESSOR_COLUMNS,
    JUDGE_PARTS,
    SPARE,
    SYNONYMS,
    SYSTEM,
    UNNAMED,
    aspect_name,
    called_aspect,
    column_aspect,
    is_about_labels,
    meanings,
)
from evalcore.data.parquet import MAGIC, column_names, read_parquet
from evalcore.data.roles import Roles
from evalcore.data.sources import Source
from evalcore.data.text_files import BOM, LONGEST_ID, data_head, text_of, without_comments
from evalcore.errors import InputError, counted, shorten
from evalcore.limits import most, refuse_more
from evalcore.structures.documents import Scale

Read = TypeVar("Read")
_NO_ASPECTS = ("topic", "document", "iteration", "Q0")
MODELS = ("model", "model_name", "llm")  # columns that name who gave the labels
STAND_INS = "their words, joined by _, serve as ids, and their texts are shown in the app"


def is_table(head: bytes) -> bool:
    """Return true if a file begins as Parquet, as JSON of documents, or with a header that names a document column."""
    return head[:4] == MAGIC or json_form(head) is not None or "document" in header(head)


def header(head: bytes) -> list[str]:
    """Return the meanings of the column names in the first line; an empty list if it is not a header."""
    return [name for name in meanings(_header(head)) if name not in SPARE]


def _header(head: bytes) -> list[str]:
    text, _ = without_comments(head.removeprefix(BOM), quoted=True)
    first = text.lstrip(b" \r\n").split(b"\n", 1)[0].decode(errors="replace").strip()
    try:
        names = _cells(first)
    except csv.Error:
        return []
    return names if len(names) > 1 else []


def is_table_file(source: Source) -> bool:
    """Return true for a table, or a file with declared columns."""
    return bool(source.columns) or is_table(data_head(source))


def columns(source: Source, head: bytes) -> list[str]:
    """Return the meanings of the column names of a table, as far as its beginning shows them."""
    if source.columns:
        return [_NAMED_AS.get(role, role) for role in (one.partition("=")[0] for one in source.columns) if role]
    form = json_form(head)
    if form:
        return json_columns(head, form)
    return [name for name in meanings(named(source, head)) if name and name not in SPARE]


def named(source: Source, head: bytes) -> list[str]:
    """Return the names of the columns of a table, as the file has them."""
    if source.columns:
        return [role for role in source.columns if "=" not in role]
    if head[:4] == MAGIC:
        return reading(column_names, source.read(), source.name)
    form = json_form(head)
    begun = json_head(head)
    return list(begun.keys) if form and begun else _header(head)


def _cells(line: str) -> list[str]:
    return next(csv.reader([line], delimiter=_separator(line)), [])


def _separator(first_line: str) -> str:
    return max(",\t;", key=first_line.count)


def read_table(source: Source) -> pd.DataFrame:
    """Read a table; its columns are renamed to topic, document, rank, score, ..., and its index has line numbers.

    Every cell is text, except in Parquet and JSON. A column without a name (pandas writes one) is left out, and so is a
    column if there is a better one of the same meaning. Comments are in `attrs["comments"]`. Raises InputError for a
    file that is not a table, or names one column twice.
    """
    if source.columns:
        return _declared_table(source)
    content = source.read()
    if content[:4] == MAGIC:
        table = reading(_read_parquet, content, source.name)
    elif json_form(content[: 1 << 16]):
        table = read_json(content, source.name)
    else:
        table = reading(_read_text, content, source.name)
    comments, declared = table.attrs.get("comments", ""), any("subtopic" in str(name).lower() for name in table.columns)
    names = {str(name).lower().replace(" ", "_") for name in named(source, content[: 1 << 16])}
    is_query = bool(names & {"query", "query_text"})
    is_query |= json_form(content[: 1 << 16]) == "judgments"
    table = renamed(table, meanings(list(map(str, table.columns))), source)
    table = _with_whole_judges(table[[name for name in table.columns if name and name not in SPARE]])
    table, texts = _with_stand_ins(table, source) if is_query and "topic" in table.columns else (table, {})
    table.attrs = {"comments": comments, "subtopics": declared, "texts": texts}
    return table


_NAMED_AS = {"subtopic": "iteration", "value": "score"}  # roles, and columns of the same meaning


def _declared_table(source: Source) -> pd.DataFrame:
    """Read a file with declared columns, which are named after their roles."""
    rows, comments = declared_rows(source)
    lines = pd.Index([line for line, _ in rows], dtype=np.int64)
    table = pd.DataFrame([cells for _, cells in rows], lines, dtype=object).rename(columns=_NAMED_AS)
    table, texts = _with_stand_ins(table, source) if "topic" in table.columns else (table, {})
    table.attrs = {"comments": comments, "subtopics": "subtopic" in source.columns, "texts": texts}
    return table


def _with_stand_ins(table: pd.DataFrame, source: Source) -> tuple[pd.DataFrame, dict[str, str]]:
    """Replace queries in words with ids, which are the same in every file. Return the table, and the queries by id.

    Raises InputError if two queries get the same id.
    """
    cells = table["topic"][~is_empty(table["topic"])].astype(str)
    texts = dict.fromkeys(text for text in cells.unique() if re.search(r"\s", text))
    ids_of = {text: re.sub(r"\s+", "_", text.strip()) for text in texts}
    for name, count in Counter(ids_of.get(text, text) for text in cells.unique()).items():
        if count > 1:
            problem = f"expected queries that differ in more than spaces, found {count} that all become {name!r}"
            raise InputError(problem, source.name)
    if not texts:
        return table, {}
    changed = table.assign(topic=table["topic"].map(lambda text: ids_of.get(text, text)))
    return changed, {name: text for text, name in ids_of.items()}


def renamed(table: pd.DataFrame, names: Sequence[str], source: Source) -> pd.DataFrame:
    """Return the table with its columns named by their meaning. Raises InputError if two have the same meaning."""
    table = table.set_axis(pd.Index(names), axis=1)
    for name in table.columns[table.columns.duplicated()]:
        raise InputError(f"expected one column for each meaning, found two for {name!r}", source.name)
    return table


def _with_whole_judges(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table; if a judge labelled a document twice, columns such as prompt are added to the judges' names.

    So a model with several prompts becomes a judge for each prompt.
    """
    who = assessor_column(list(table.columns))
    beside = [name for name in table.columns if str(name).lower() in JUDGE_PARTS]
    keys = [name for name in ("topic", "document", "aspect", "iteration", who) if name in table.columns]
    if not who or not beside or not {"topic", "document"} <= {*keys} or not table.duplicated(keys).any():
        return table
    named = table[[who, *beside]].astype(str).agg(" ".join, axis=1)
    return table.drop(columns=beside).assign(**{who: named})


def reading(reader: Callable[[bytes, str], Read], content: bytes, name: str) -> Read:
    """Call a reader on this content and return its result; errors of Arrow, csv and others become InputError."""
    try:
        return reader(content, name)
    except (pa.ArrowException, csv.Error, OSError, ValueError) as error:
        raise error if isinstance(error, InputError) else _refusal(str(error), name) from None


def _read_parquet(content: bytes, name: str) -> pd.DataFrame:
    table = read_parquet(content, name)
    table.index = pd.RangeIndex(1, len(table) + 1)
    return table


def _read_text(content: bytes, name: str) -> pd.DataFrame:
    text, comments = without_comments(text_of(content, name, "a table"), quoted=True)
    refuse_more("table_cells", text.count(b"\n") + text.count(b"\r"), where=name)
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), b"").decode()
    if not first:
        raise InputError("expected a table, found only comments", name)
    separator = _separator(first)
    refuse_more("table_columns", len(_cells(first)), where=name)
    refuse_more("table_cells", text.count(separator.encode()) + text.count(b"\n"), where=name)
    read = arrow_csv.read_csv(
        io.BytesIO(text),
        read_options=arrow_csv.ReadOptions(use_threads=False),
        parse_options=arrow_csv.ParseOptions(delimiter=separator),
        convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(_cells(first), pa.string())),
    )
    if any(kind != pa.string() for kind in read.schema.types):
        raise InputError("expected a header in one line, found a quoted name that continues on the next line", name)
    table: pd.DataFrame = read.to_pandas()
    if text.count(b'"') % 2 and len(table) and "\n" in str(table.iloc[-1, -1]):
        problem = "expected a closing quotation mark for each opening one, found a cell that continues to the end"
        raise InputError(problem, name)
    filled = [number for number, line in enumerate(lines, start=1) if line.strip()][1:]
    table.index = pd.Index(filled if len(filled) == len(table) else range(2, len(table) + 2))
    table.attrs["comments"] = comments
    if not table.columns.is_unique:  # read_table reports the error
        return table
    for name in table.columns:
        table[name] = table[name].str.strip()
    return table


def _refusal(problem: str, name: str) -> InputError:
    """Return an InputError in our words for an error message of Arrow."""
    if "Parquet" in problem:
        return InputError("expected a readable Parquet table, found a damaged one", name)
    uneven = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", problem)
    if not uneven:
        return InputError(f"cannot read this as a table: {problem.splitlines()[0]}", name)
    line, expected, found = map(int, uneven.groups())
    return InputError(f"expected {expected} cells, as in the header, found {found}", name, line)


def aspect_columns(table: pd.DataFrame) -> list[str]:
    """Return the aspects in a table: the values of its aspect column (long form), or its columns of grades (wide form).

    A column that says who gave the labels is not an aspect, nor is one that holds something else (see `no_labels`),
    unless there are no other columns.
    """
    if {"aspect", "grade"} <= set(table.columns):
        return sorted(table["aspect"].unique())
    left = no_labels(table)
    return [name for name in _further(table) if name not in left] or _further(table)


def _further(table: pd.DataFrame) -> list[str]:
    """Return the columns of a table that may hold grades."""
    assessor = assessor_column(list(table.columns))
    return [name for name in table.columns if name not in _NO_ASPECTS and name != assessor]


def no_labels(table: pd.DataFrame) -> list[str]:
    """Return the columns of a table of grades that hold something else, such as remarks, time or cost of labelling."""
    if {"aspect", "grade"} <= set(table.columns):
        return [name for name in _further(table) if name not in ("aspect", "grade")]
    others = _further(table)
    left = [name for name in others if name not in UNNAMED and not _holds_labels(table[name], name)]
    return left if len(left) < len(others) else []


def _holds_labels(cells: pd.Series[Any], name: str) -> bool:
    """Return true if a column holds grades: its header names an aspect, or its cells are mostly numbers."""
    if is_about_labels(name):
        return False
    if called_aspect(name):
        return True
    if pd.api.types.is_datetime64_any_dtype(cells.dtype) or pd.api.types.is_timedelta64_dtype(cells.dtype):
        return False
    filled = cells[cells.notna()].astype(str)
    numbers = pd.to_numeric(filled[filled != ""], errors="coerce")
    return bool(numbers.notna().mean() > 0.5)


def aspects_in(source: Source) -> list[tuple[str, int | str]]:
    """List the aspects in a table as (name, header)."""
    names = aspect_columns(read_table(source))
    refuse_more("columns", len(names), where=source.name)
    if len(names) == 1 and names[0] in UNNAMED:  # these say nothing about the aspect
        return [(aspect_name(source), names[0])]
    return [*zip(named_aspects(names, source.name), names, strict=True)]


def named_aspects(names: Sequence[str], file: str = "") -> list[str]:
    """Return the aspect of each column, from its name; for a name such as `grade`, the file's aspect, else relevance.

    >>> named_aspects(["grade", "Readability", "depth"])
    ['relevance', 'understandability', 'depth']
    """
    return [(called_aspect(file) or "relevance") if name in UNNAMED else column_aspect(name) for name in names]


def roles_of_table(source: Source, purpose: str, grades: Collection[int | str] = ()) -> Roles:
    """Return the role of each column in a table of runs, signals or labels (`purpose`); `grades` are label columns."""
    names = named(source, data_head(source, 1 << 16))
    meant = [meaning if meaning not in SPARE else "" for meaning in meanings(names)]
    judge = assessor_column([name for name in meant if name])
    of_labels = {"iteration": "subtopic", judge: "judge", **{str(name): "grade" for name in grades}}
    known = ("topic", "document") if purpose == "aspect" else ("system", "topic", "document", "rank", "score")
    if purpose == "signal":
        return Roles(tuple("document" if name == "document" else "value" for name in meant), tuple(names))
    if {"aspect", "grade"} <= set(meant):
        of_labels |= {"aspect": "aspect", "grade": "grade"}
    other = of_labels if purpose == "aspect" else {system_column(meant): "system"}
    roles = (name if name in known else other.get(name, "") if name else "" for name in meant)
    return Roles(tuple(roles), tuple(names))


def assessor_column(names: Sequence[str]) -> str:
    """Return the name of the column that says who gave the labels in the other columns; "" if there is none.

    `names` are the meanings of the columns.

    >>> assessor_column(["topic", "document", "grade", "Judge"]), assessor_column(["topic", "document", "judge"])
    ('Judge', '')
    """
    others = [name for name in names if name not in _NO_ASPECTS]
    columns = [name for name in others if name.lower() in ASSESSOR_COLUMNS]
    return columns[0] if columns and len(others) > 1 else ""


def assessors_in(source: Source) -> str:
    """Return the name of the column of assessors, if some document has labels from several assessors; else ""."""
    if not is_table_file(source) or not assessor_column(columns(source, data_head(source))):
        return ""
    return named_assessors(read_table(source))


def named_assessors(table: pd.DataFrame) -> str:
    """Return the name of the column of assessors, as `assessors_in` does; columns are named by their meaning."""
    name = assessor_column(list(map(str, table.columns)))
    if not name or not {"topic", "document"} <= set(table.columns):
        return ""
    keys = [column for column in ("topic", "document", "aspect", "iteration") if column in table.columns]
    by_whom = table[[*keys, name]].drop_duplicates()
    return name if by_whom.duplicated(keys).any() else ""


def judge_alone(source: Source) -> str:
    """Return the model that gave all labels in a table, from its column of models; "" if there is not exactly one."""
    if not is_table_file(source) or assessor_column(columns(source, data_head(source))).lower() not in MODELS:
        return ""
    table = read_table(source)
    names = table[assessor_column(list(map(str, table.columns)))].dropna().astype(str).unique()
    return str(names[0]) if len(names) == 1 else ""


def signals_in(source: Source) -> list[tuple[str, int | str]]:
    """List the signals in a table of documents as (name, header). A single signal is named after the file."""
    names = [name for name in columns(source, data_head(source)) if name != "document"]
    refuse_more("columns", len(names), where=source.name)
    return [(name if len(names) > 1 else source.stem, name) for name in names]


def read_grades(
    source: Source,
    scale: Scale,
    column: int | str = 1,
    missing: Sequence[float] = (),
    mapped: Sequence[tuple[float, float]] = (),
) -> Labels:
    """Read one aspect of a table, long or wide: the one with this header or name, or the only one. Skips empty cells.

    Raises InputError for a missing column, or with the line of a cell that is not a number.
    """
    table = read_table(source)
    need(list(table.columns), ("topic", "document"), source)
    comments = table.attrs.get("comments", "")
    return checked(_labels(*_part_of(table, scale, column), source, scale, comments), missing, mapped)


def read_by_assessor(
    source: Source,
    scale: Scale,
    column: int | str,
    assessor: str,
    missing: Sequence[float] = (),
    mapped: Sequence[tuple[float, float]] = (),
) -> dict[str, Labels]:
    """Read one aspect of a table as `read_grades` does; return its labels by the names in the column `assessor`.

    The names are in the order of the table. Raises InputError for a file that is not a table or lacks this column, for
    too many assessors, and for a label without an assessor.
    """
    if not is_table_file(source):
        raise InputError(f"expected a table with a column {assessor!r} of assessors, found no table", source.name)
    table = read_table(source)
    comments = table.attrs.get("comments", "")
    need(list(table.columns), ("topic", "document"), source)
    by = meanings([assessor])[0]
    if by not in table.columns:
        known = ", ".join(map(str, table.columns))
        raise InputError(f"expected a column {assessor!r} of assessors, found {known}", source.name)
    names, table, lines = table[by], table.drop(columns=by), table.index.to_numpy()
    names.index = table.index = pd.RangeIndex(len(table))  # by row: one line of JSON may hold several
    table, value, name = _part_of(table, scale, column)
    if value in table.columns:
        table = _filled(table, value)
    names, kept = names[table.index], table.index
    names.index = table.index = pd.Index(lines[kept])
    if (count := names.nunique()) > most("sources"):  # before arrays are made for each of them
        expected = f"expected at most {most('sources')} sources of {scale.name} labels"
        raise InputError(f"{expected}, found {count:,}", source.name)
    refuse_cells(names, is_empty(names), source, "the name of an assessor")
    parts = table.groupby(names.astype(str).to_numpy(), sort=False) if len(table) else [("", table)]
    return {
        str(who): checked(_labels(part, value, name, source, scale, comments), missing, mapped) for who, part in parts
    }


def _part_of(table: pd.DataFrame, scale: Scale, column: int | str) -> tuple[pd.DataFrame, str, str]:
    """Return the rows of a table for an aspect, the column of its grades, and the name of the aspect in the table."""
    name = _declared(table, scale, column)
    if {"aspect", "grade"} <= set(table.columns):
        return table[table["aspect"] == name], "grade", name
    return table, name, name


def _filled(table: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return the rows of a table whose cell in the column `value` is not empty."""
    return table[~is_empty(table[value])]


def read_signal(source: Source, scale: Scale, column: int | str = 1) -> Labels:
    """Read one signal of a table of documents: the one with this header, or the only one.

    A document with an empty cell has no value.
    """
    table = read_table(source)
    need(list(table.columns), ("document",), source)
    comments = table.attrs.get("comments", "")
    others = [name for name in table.columns if name != "document"]
    alone = len(others) == 1 and (column == 1 or others == ["grade"])  # "grade": a table made in memory
    name = others[0] if alone else _declared(table, scale, column)
    return checked(_labels(table.assign(topic=""), name, name, source, scale, comments))


def _declared(table: pd.DataFrame, scale: Scale, column: int | str) -> str:
    """Return the header of an aspect or signal: the declared header, else the only one, else the name of the scale.

    A header may differ from its declaration, as `evalcore convert` changes names that a spreadsheet would run as
    formulas.
    """
    if isinstance(column, str):
        if {"aspect", "grade"} <= set(table.columns):
            return column
        written = (name for name in (column, inert(column)) if name in table.columns)
        return next(written, meanings([column])[0])
    only = aspect_columns(table)
    return only[0] if len(only) == 1 else scale.name


def _labels(table: pd.DataFrame, value: str, column: str, source: Source, scale: Scale, comments: str) -> Labels:
    if value not in table.columns:
        known = ", ".join(aspect_columns(table)) or "none"
        raise InputError(f"expected a column {column!r}, found only {known}", source.name)
    without = _without_labels(table, value)
    table = _filled(table, value)
    texts: dict[str, str] = table.attrs.get("texts", {})
    topics = ids(table, "topic", source) if scale.kind == "grades" else table["topic"]
    decimal = "topics are decimal numbers: 1.0 is read as 1" if _are_decimal(table["topic"]) else ""
    documents = ids(table, "document", source).to_numpy(dtype=object)
    subtopics = table["iteration"].astype(str).to_numpy(dtype=object) if "iteration" in table.columns else None
    as_texts = f"{len(texts)} queries are texts: {STAND_INS}" if texts else ""
    unread = ""
    if subtopics is not None and not table.attrs.get("subtopics"):
        topic_names = topics.astype(str).to_numpy(dtype=object)
        if not are_subtopics(topic_names, subtopics, documents):
            unread, subtopics = not_subtopics(subtopics, "the column iteration"), None
    return Labels(
        scale,
        source.name,
        topics.to_numpy(dtype=object),
        documents,
        _numbers(table[value], source, scale.name),
        table.index.to_numpy(dtype=np.int64),
        subtopics=subtopics if scale.kind == "grades" else None,
        comments=comments,
        remark="; ".join(filter(None, [unread, decimal, as_texts, without])),
        queries=texts,
    )


def _without_labels(table: pd.DataFrame, value: str) -> str:
    """Return a text on the number of rows without a label of any aspect; "" if all rows have one."""
    empty = [is_empty(table[name]) for name in dict.fromkeys([value, *aspect_columns(table)]) if name in table.columns]
    count = int(np.logical_and.reduce(empty).sum())
    return f"{counted(count, 'row')} without a label" if count else ""


def system_column(names: Sequence[str]) -> str:
    """Return the name of the column of systems; "" if there is none. `names` are the meanings of the columns."""
    return next((name for name in names if name == "system"), next((n for n in names if n.lower() in SYSTEM), ""))


def run_sources(source: Source) -> list[Source]:
    """Return a TREC run for each system in a table of ranked documents; `runs` decides order and ties."""
    names = columns(source, data_head(source, 1 << 16))
    need(names, ("topic", "document"), source)
    if not {"rank", "score"} & set(names):
        raise InputError("expected a column rank or score, found neither", source.name)
    system = system_column(names)
    if not system:
        return [_table_run(source.label, source)]
    table = read_table(source)
    _refuse_empty(table, source)
    systems = table[system]
    refuse_more("systems", systems.nunique(), where=source.name)
    refuse_cells(systems, is_empty(systems), source, "a system's name")
    return [_table_run(str(name), source, part) for name, part in table.groupby(system, sort=True)]


def _table_run(name: str, source: Source, table: pd.DataFrame | None = None) -> Source:
    def text() -> bytes:
        return _trec_text(read_table(source) if table is None else table, source)

    return Source(source.name, text, label=name)


def _refuse_empty(table: pd.DataFrame, source: Source) -> None:
    if not len(table):
        raise InputError("expected ranked documents, found none below the header", source.name)


def _trec_text(table: pd.DataFrame, source: Source) -> bytes:
    """Return a table of one run as text in TREC's form, with its comments before the lines."""
    _refuse_empty(table, source)
    named = [ids(table, "topic", source), ids(table, "document", source)]
    for name in table.columns.intersection(["rank", "score"]):
        _numbers(table[name], source, name)
    ranks = table["rank"] if "rank" in table else table.groupby("topic").cumcount() + 1
    scores = table["score"] if "score" in table else -pd.to_numeric(ranks).astype(float)
    rows = zip(*named, ranks.astype(str), scores.astype(str), strict=True)
    lines = [f"# {line}" for line in table.attrs.get("comments", "").splitlines()]
    lines += [f"{topic} Q0 {doc} {rank} {score} table" for topic, doc, rank, score in rows]
    return "\n".join(lines).encode()


def ids(table: pd.DataFrame, column: str, source: Source) -> pd.Series[str]:
    """Return a column of ids as text. Raises InputError for an id that a TREC file could not contain.

    Floats are allowed as ids of systems (such as values of a parameter) and kept as they are. Other ids that are floats
    must be whole numbers.
    """
    cells, named = table[column], column == "system"
    expected = f"a {column} id without spaces"
    if (empty := is_empty(cells)).any():
        refuse_cells(cells.astype(object).mask(empty, ""), empty, source, expected)
    if not named and _are_floats(cells):  # a table with an empty cell, or another tool, turned them into floats
        refuse_cells(cells, ~_whole(cells), source, f"a whole number as {column} id")
        cells = cells.astype("int64")
    texts = cells.astype(str)
    if column == "topic" and _are_decimal(texts):
        texts = texts.str.partition(".")[0]
    odd = texts.str.contains(rf"[\s\x00-\x20]|{UNSEEN}", regex=True)
    odd |= (texts == "#") & (column == "topic")  # it would begin a comment
    refuse_cells(cells, odd, source, expected)
    refuse_cells(cells, texts.str.len() > LONGEST_ID, source, f"a {column} id of at most {LONGEST_ID} characters")
    return texts


def is_empty(cells: pd.Series[Any]) -> pd.Series[bool]:
    """Return, for each cell, whether it is empty."""
    return cells.isna() | (cells.astype(str) == "")


def numeric(cells: pd.Series[Any]) -> list[float]:
    """Return cells as numbers, nan for a cell that is not a number."""
    return [float(number) for number in pd.to_numeric(cells, errors="coerce")]


def _are_floats(cells: pd.Series[Any]) -> bool:
    return bool(pd.api.types.is_float_dtype(cells.dtype))


def _are_decimal(cells: pd.Series[Any]) -> bool:
    """Return true if all topics look like 101.0, as if another tool had turned 101 into a float."""
    return _are_floats(cells) or (len(cells) > 0 and bool(cells.astype(str).str.fullmatch(r"\d+\.0+").all()))


def _whole(cells: pd.Series[float]) -> pd.Series[bool]:
    """Return, for each float, whether it has no fraction and is small enough to be an exact whole number."""
    return (cells % 1 == 0) & (cells.abs() < 1e15)


def _numbers(cells: pd.Series[str], source: Source, what: str) -> FloatArray:
    values: FloatArray = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=np.float64)
    refuse_cells(cells, ~np.isfinite(values), source, f"a finite number as {what}")
    return values


def numbers_or_gaps(table: pd.DataFrame, column: str, source: Source, expected: str = "a finite number") -> FloatArray:
    """Return a column of finite numbers, nan if a cell is empty or the column is missing.

    Raises InputError for any other cell, with its line.
    """
    if column not in table.columns:
        return np.full(len(table), np.nan)
    cells = table[column]
    known = cells.notna() & (cells.astype(str).str.strip() != "")
    values: FloatArray = pd.to_numeric(cells.where(known), errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    refuse_cells(cells, known.to_numpy() & ~np.isfinite(values), source, f"{expected} as {column}")
    return values


def refuse_cells(cells: pd.Series[Any], bad: pd.Series[bool] | BoolArray, source: Source, expected: str) -> None:
    """Raise InputError for the first cell that is wrong, with its line."""

    def problem(row: int) -> str:
        cell: Any = cells.iloc[row]
        is_number = isinstance(cell, float) and not isinstance(cells.dtype, pd.StringDtype)
        empty = not is_number and (pd.isna(cell) or str(cell) == "")
        return f"expected {expected}, found {'an empty cell' if empty else shorten(str(cell))}"

    refuse_rows(np.asarray(bad, dtype=bool), cells.index, source.name, problem)


def refuse_rows(wrong: ArrayLike, lines: pd.Index, name: str, problem: str | Callable[[int], str]) -> None:
    """Raise InputError for the first wrong row of a table, with its line."""
    rows = np.flatnonzero(wrong)
    if len(rows):
        row = int(rows[0])
        raise InputError(problem if isinstance(problem, str) else problem(row), name, int(lines[row]))


def need(columns: Collection[str], names: Sequence[str], source: Source) -> None:
    """Raise InputError for the first missing column, with the other names that this column may have."""
    for name in names:
        if name not in columns:
            others = f" (or {', '.join(SYNONYMS[name][1:4])})" if name in SYNONYMS else ""
            raise InputError(f"expected a column {name!r}{others}, found {', '.join(map(str, columns))}", source.name)
