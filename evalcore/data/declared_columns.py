"""Files whose columns are declared in a `collection.toml`: each line is read as fields with their roles."""

from __future__ import annotations

import csv

from evalcore.data.names import NO_VALUE
from evalcore.data.runs_or_labels import is_number
from evalcore.data.sources import Source
from evalcore.data.text_files import text_of, without_comments
from evalcore.errors import InputError, shorten
from evalcore.limits import refuse_more

NUMBERS = ("grade", "rank", "score", "value")
_WORDS = (*NO_VALUE, "true", "false", "")  # instead of a number


def declared_rows(source: Source) -> tuple[list[tuple[int, dict[str, str]]], str]:
    """Return (line number, fields by role) for each line of a file, and the comments of the file.

    Fields are separated by tabs, commas, semicolons, bars or spaces, whichever gives the declared number of fields. A
    first line with words instead of numbers is a header. `topic=301` among the columns gives all lines this topic.
    Raises InputError with the first line that has a different number of fields.
    """
    roles = [role for role in source.columns if "=" not in role]
    shared = dict(role.split("=", 1) for role in source.columns if "=" in role)
    text, comments = without_comments(text_of(source.read(), source.name, "a table"), quoted=True)
    refuse_more("table_cells", text.count(b"\n"), len(roles), where=source.name)
    lines = [(at, line) for at, line in enumerate(text.decode().splitlines(), start=1) if line.strip()]
    if not lines:
        raise InputError("expected a table, found only comments", source.name)
    split = next((sign for sign in "\t,;|" if len(_cells(lines[0][1], sign)) == len(roles)), " ")
    numbers = [at for at, role in enumerate(roles) if role in NUMBERS]
    rows = list[tuple[int, dict[str, str]]]()
    for number, line in lines:
        cells = _cells(line, split)
        if len(cells) != len(roles):
            expected = f"expected {len(roles)} columns, as collection.toml declares"
            raise InputError(f"{expected}, found {len(cells)}: {shorten(line.strip())}", source.name, number)
        if number > lines[0][0] or any(is_number(cells[at]) or cells[at].lower() in _WORDS for at in numbers):
            rows.append((number, shared | {role: cell for role, cell in zip(roles, cells, strict=True) if role}))
    return rows, comments


def _cells(line: str, sign: str) -> list[str]:
    cells = line.split() if sign == " " else next(csv.reader([line], delimiter=sign, skipinitialspace=True), [])
    return [cell.strip() for cell in cells]
