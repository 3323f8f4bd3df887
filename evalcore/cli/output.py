"""Output of tables and texts to standard output or a file, in the requested format.

CSV and JSON keep every digit. JSON keeps names unchanged; CSV, which people open in spreadsheets, has an apostrophe
before text that would run as a formula, unless `--raw` is given. The format `table` is for people to read.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO

from evalcore.cli.base import UsageError
from evalcore.cli.opening import called, inputs, named
from evalcore.cli.terminal import clean
from evalcore.common.lazy_imports import pd
from evalcore.common.writing import csv_text, refuse_file, whole_file

FORMATS = ("table", "csv", "json")
DECIMALS = 4
_MARKS = re.compile(r"[\\`*_<|\[\]#]")
WIDEST = 100  # characters of a cell in the format table
_ENDINGS = {
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".html": "html",
    ".md": "markdown",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
}


def chosen_format(options: argparse.Namespace, formats: Sequence[str] = FORMATS) -> str:
    """Return the requested format, else the format for the extension of --out, else the first of `formats`.

    Raises UsageError if no format is requested and the extension is that of a format not in `formats`.
    """
    named = _ENDINGS.get(Path(options.out or "").suffix.lower())
    if options.format is None and named is not None and named not in formats:
        raise UsageError(f"--out: this command writes {', '.join(formats)}; {options.out} has a different extension")
    return str(options.format or named or formats[0])


def decimals(options: argparse.Namespace) -> int:
    """Return the number of decimals in text formats. Raises UsageError for an invalid number."""
    asked = DECIMALS if options.decimals is None else int(options.decimals)
    if not 0 <= asked <= 17:
        raise UsageError(f"--decimals: expected a number from 0 to 17, found {asked}")
    return asked


def is_raw(options: argparse.Namespace) -> bool:
    """Return whether CSV keeps names that look like formulas unchanged."""
    return bool(getattr(options, "raw", False))


def write_frame(frame: pd.DataFrame, options: argparse.Namespace, form: str = "") -> None:
    """Write a table in one of FORMATS; by default, in the format that the options request."""
    form = form or chosen_format(options)
    if form == "csv":
        write(csv_text(frame, raw=is_raw(options)), options)
    elif form == "json":
        write(json_text(_records(frame)), options)
    else:
        write(table_text(shown(frame, options), decimals(options)), options)


def shown(frame: pd.DataFrame, options: argparse.Namespace) -> pd.DataFrame:
    """Return a table for reading, with systems named as in the app; CSV and JSON use the names of their files."""
    name = named(options)
    texts = frame.select_dtypes(exclude="number").map(lambda cell: name(cell) if isinstance(cell, str) else cell)
    return frame.assign(**texts).rename(columns=called(options))


def write(content: str, options: argparse.Namespace) -> None:
    """Write a text to --out, else to standard output."""
    if options.out in (None, "-"):
        _print(content)
        return
    with out_file(options) as file:
        file.write(content.encode())


def refuse_out(options: argparse.Namespace) -> None:
    """Raise InputError, before any work, for an --out that `out_file` would refuse. Folders are checked elsewhere."""
    out = getattr(options, "out", None)
    if out not in (None, "-") and not Path(out).is_dir():
        refuse_file(out, replace=getattr(options, "force", False), inputs=inputs(options))


def out_file(options: argparse.Namespace) -> AbstractContextManager[BinaryIO]:
    """Open the file of --out, to be written completely or not at all. Raises InputError as `refuse_file` does."""
    return whole_file(options.out, replace=options.force, inputs=inputs(options))


def _print(text: str) -> None:
    """Print a text, with escapes for characters that the terminal's encoding lacks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, errors="backslashreplace").decode(encoding))


def json_text(value: object) -> str:
    """Return JSON with one record on each line.

    JSON has neither nan nor infinity: nan becomes null, and infinities become strings.
    """
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(json.dumps(_plain(part), ensure_ascii=False) for part in value) + "\n]\n"
    return json.dumps(_plain(value), ensure_ascii=False, indent=2) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _records(frame: pd.DataFrame) -> list[dict[str, object]]:
    names = list(map(str, frame.columns))
    return [dict(zip(names, row, strict=True)) for row in frame.itertuples(index=False, name=None)]


def table_text(frame: pd.DataFrame, digits: int = DECIMALS) -> str:
    """Return a table as text: numbers aligned right, with `digits` decimals; text aligned left.

    >>> import pandas as pd
    >>> print(table_text(pd.DataFrame({"system": ["a", "bm25"], "AP": [0.25, 1.0]}), 2), end="")
    system    AP
    a       0.25
    bm25    1.00
    """
    columns = [_column(str(name), list(frame.iloc[:, at]), digits) for at, name in enumerate(frame.columns)]
    return "".join("  ".join(cells).rstrip() + "\n" for cells in zip(*columns, strict=True))


def markdown_text(text: str) -> str:
    """Return a text with the special characters of Markdown escaped.

    >>> print(markdown_text("bm25_rm3 > a|b"))
    bm25\\_rm3 > a\\|b
    """
    return _MARKS.sub(r"\\\g<0>", clean(text))


def markdown_table(frame: pd.DataFrame, digits: int = DECIMALS) -> str:
    """Return a Markdown table, for pull requests.

    >>> import pandas as pd
    >>> print(markdown_table(pd.DataFrame({"system": ["a|b"], "AP": [0.25]}), 2), end="")
    | system | AP |
    | --- | --- |
    | a\\|b | 0.25 |
    """
    rows = [list(map(str, frame.columns)), *([_cell(value, digits) for value in row] for row in frame.to_numpy(object))]
    head, *body = (f"| {' | '.join(map(markdown_text, row))} |\n" for row in rows)
    return f"{head}| {' | '.join(['---'] * frame.shape[1])} |\n{''.join(body)}"


def _column(name: str, values: Sequence[object], digits: int) -> list[str]:
    number = all(isinstance(value, int | float) or hasattr(value, "dtype") for value in values)
    cells = [clean(name), *(_cell(value, digits) for value in values)]
    width = max(map(len, cells))
    return [cell.rjust(width) if number else cell.ljust(width) for cell in cells]


def _cell(value: Any, digits: int) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.{digits}f}".replace("inf", "∞")
    text = clean(str(value))
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."
