"""Tables of scores among files that nothing says are any, where a collection holds nothing else that can be read."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.data.json_tables import array_head, json_form, json_head
from evalcore.data.output_names import FULL
from evalcore.data.parquet import MAGIC
from evalcore.data.pasted_tables import is_pasted
from evalcore.data.score_files import is_by_judge_or_measure, is_table, read_scores
from evalcore.data.sources import Source
from evalcore.data.text_files import plain_text
from evalcore.errors import InputError, shorten
from evalcore.structures.documents import Note

_ABOUT = (".md", ".rst", ".html", ".htm")  # what is about data, where there are any


def other_tables(sources: Sequence[Source]) -> list[Source]:
    """The files that are tables of scores after all.

    Raises InputError for what looks like one and cannot be read, with its place.
    """
    tables, errors = [], []
    for source in sources:
        try:
            if _looks_like_one(source, alone=len(sources) == 1) and read_scores(source).rows:
                tables.append(source)
        except InputError as error:
            errors.append(error)
    if errors and not tables:
        raise errors[0]
    return tables


def which_way(source: Source) -> Note:
    """What a report says of such a table: what its rows and columns were taken for."""
    row = read_scores(source).rows[0]
    read = f"read as scores of systems such as {shorten(row.system)} on topics such as {shorten(row.topic)}"
    return Note("inferred", source.name, f"{read}; a first column called system, or topic, says it otherwise")


def _looks_like_one(source: Source, alone: bool) -> bool:
    form, head = json_form(source.head()), source.head().lstrip()
    if form == "scores":
        return _has_all_pairs(source)
    if form == "systems":
        begun = json_head(source.head())
        return begun is not None and is_by_judge_or_measure(begun.keys)
    if head[:4] == MAGIC or head[:1] in (b"{", b"["):
        return _has_records(source)
    if b"\0" in head:
        return False
    if head[:1] == b"<" and b"<table" in head.lower():
        problem = (
            "expected a table of scores (CSV), found a web page: copy its table into a spreadsheet and save it as CSV"
        )
        raise InputError(problem, source.name)
    if head[:1] == b"<" or not head:
        return False
    text = plain_text(source, "a table of scores (CSV)")
    if is_pasted(text):
        return alone or not source.name.lower().endswith(_ABOUT) or text.lstrip().startswith("|")
    return is_table(text)


def _has_records(source: Source) -> bool:
    """Whether Parquet, or JSON of two records or more, names something in each and has numbers beside it."""
    begun = json_head(source.head()) or array_head(source.head())
    if begun is not None and (begun.depth > 1 or not begun.value.startswith('"') or len(begun.keys) < 2):
        return False
    return len({row.system for row in read_scores(source).rows}) > 1


def _has_all_pairs(source: Source) -> bool:
    """Whether JSON of numbers in dicts has nearly the same names in each: of tasks, and not of documents."""
    rows = read_scores(source).rows
    systems, topics = {row.system for row in rows}, {row.topic for row in rows}
    return len(systems) > 1 and len(rows) >= FULL * len(systems) * len(topics)
