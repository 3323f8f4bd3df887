"""Read records from files of assessments: the INEX file-offset-length form, and tables. `inex` reads INEX XML."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.data.characters import unseen
from evalcore.data.sources import Source
from evalcore.data.tables import ids, refuse_rows
from evalcore.data.text_files import LONGEST_ID, plain_text
from evalcore.errors import InputError, shorten
from evalcore.focused.files.highlights import Record
from evalcore.focused.files.tables import LONGEST, extents, part_table, whole

FORM = "topic Q0 document highlighted length best-entry-point offset:length ..."
STATED = ("document_length", "best_entry_point")


Records = tuple[list[Record], dict[str, str]]  # with titles of topics, only from XML


def text_records(source: Source) -> Records:
    """Read the INEX file-offset-length form, one line per assessed document of a topic.

    `topic Q0 document highlighted length best-entry-point offset:length offset:length ...`, in characters. A best entry
    point of -1 means none; the point and the ranges may be missing if nothing is highlighted. Raises InputError, with
    the number of the line, for a line that has a different form.
    """
    lines = enumerate(plain_text(source, "highlighted passages").split("\n"), start=1)
    return [_record(line.split(), source.name, number) for number, line in lines if line.strip()], {}


def _record(fields: Sequence[str], name: str, line: int) -> Record:
    if len(fields) < 5:
        raise InputError(f"expected 5 or more fields ({FORM}), found {len(fields)}", name, line)
    topic, document = fields[0], fields[2]
    if len(topic) > LONGEST_ID or len(document) > LONGEST_ID:
        raise InputError(f"expected ids of at most {LONGEST_ID} characters, found longer ones", name, line)
    if character := unseen(topic + document):
        raise InputError(f"expected ids without hidden characters, found {character}", name, line)
    highlighted, length = (_whole(fields[at], what, name, line) for at, what in ((3, "highlighted"), (4, "length")))
    best = -1 if len(fields) < 6 or fields[5] == "-1" else _whole(fields[5], "best entry point", name, line)
    ranges = tuple(_range(field, name, line) for field in fields[6:])
    if highlighted > 0 and not ranges:
        problem = f"expected ranges offset:length for {highlighted:,} highlighted characters, found none"
        raise InputError(problem, name, line)
    return Record(topic, document, name, line, highlighted, length, best, ranges)


def _range(field: str, name: str, line: int) -> tuple[int, int]:
    offset, colon, length = field.partition(":")
    if not colon or ":" in length:
        raise InputError(f"expected a range offset:length, such as 120:85, found {shorten(field)}", name, line)
    start = _whole(offset, "offset", name, line)
    return start, start + _whole(length, "length", name, line)


def _whole(text: str, what: str, name: str, line: int) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 10 or int(text) > LONGEST:
        raise InputError(f"expected an integer of 0 or more as {what}, found {shorten(text)}", name, line)
    return int(text)


def table_records(source: Source) -> Records:
    """Read a table with the columns topic, document, start (or offset) and length (or end), a row for each range.

    The columns document_length and best_entry_point are optional. A row without a start means that a document was
    assessed and has no relevant text. Raises InputError, with the number of the line, for an invalid cell.
    """
    table = part_table(source, ("topic", "document", "start"))
    if not {"length", "end"} & set(table.columns):
        raise InputError("expected a column length or end, found neither", source.name)
    start = whole(table, "start", source)
    size = extents(table, start, source)
    neither = "expected a length or an end for the start, found neither"
    refuse_rows((start >= 0) & (size < 0), table.index, source.name, neither)
    stated = {name: whole(table, name, source) for name in STATED}
    columns = {name: ids(table, name, source) for name in ("topic", "document")}
    rows = pd.DataFrame({**columns, "start": start, "end": start + size, **stated, "line": table.index})
    return [_table_record(group, source.name) for _, group in rows.groupby(["topic", "document"], sort=False)], {}


def _table_record(rows: pd.DataFrame, name: str) -> Record:
    first = rows.iloc[0]
    ranges = rows.loc[rows["start"] >= 0, ["start", "end"]].to_numpy().tolist()
    length, best = (_one(rows, column, name) for column in STATED)
    where = (str(first["topic"]), str(first["document"]), name, int(first["line"]))
    return Record(*where, -1, length, best, tuple((start, end) for start, end in ranges))


def _one(rows: pd.DataFrame, column: str, name: str) -> int:
    """Return the value of a document in a column; -1 if it has none. Raises InputError if its rows differ."""
    values, lines = rows[column].to_numpy(), rows["line"].to_numpy()
    stated = np.unique(values[values >= 0])
    if len(stated) > 1:
        other = int(np.flatnonzero((values >= 0) & (values != values[values >= 0][0]))[0])
        found = f"found {values[other]:,} after {values[values >= 0][0]:,}"
        document = rows["document"].iloc[0]
        raise InputError(f"expected one {column} of document {document!r}, {found}", name, int(lines[other]))
    return int(stated[0]) if len(stated) else -1
