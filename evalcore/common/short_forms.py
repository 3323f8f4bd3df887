"""Short displays of results at a prompt and in a notebook: at most a line for each field."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, TypeVar

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.errors import readable

MOST_ITEMS = 5  # items of a list that are written out
LONGEST = 90  # characters of a field
ROWS = 8  # rows of a table in a notebook
_LEFT = "style='text-align:left'"

Shown = TypeVar("Shown", bound=type)


def shown(cls: Shown) -> Shown:
    """Give a dataclass of results a `repr` and a `_repr_html_` that shorten its fields, and return the class.

    >>> @shown
    ... @dataclasses.dataclass(frozen=True)
    ... class Result:
    ...     table: pd.DataFrame
    ...     level: float
    >>> Result(pd.DataFrame({"a": [1, 2]}), 0.95)
    Result(table=table of 2 x 1, level=0.95)
    """
    cls.__repr__ = _repr  # type: ignore[assignment]
    cls._repr_html_ = _html  # type: ignore[attr-defined]
    return cls


def _repr(self: Any) -> str:
    parts = [f"{name}={in_short(value)}" for name, value in _fields(self)]
    line = f"{type(self).__name__}({', '.join(parts)})"
    return line if len(line) <= LONGEST else f"{type(self).__name__}(\n    " + ",\n    ".join(parts) + ",\n)"


def _html(self: Any) -> str:
    """Return HTML: a line for each field of the result, and then its first table, with up to ROWS rows and columns."""
    fields = _fields(self)
    tables = [(name, value) for name, value in fields if isinstance(value, pd.DataFrame)]
    rows = "".join(
        f"<tr><th {_LEFT}>{escape(name)}</th><td {_LEFT}>{escape(in_short(value))}</td></tr>" for name, value in fields
    )
    table = tables[0][1].to_html(max_rows=ROWS, max_cols=ROWS, border=0, float_format="{:.4g}".format) if tables else ""
    return f"<strong>{escape(type(self).__name__)}</strong><table>{rows}</table>{table}"


def _fields(value: Any) -> list[tuple[str, Any]]:
    return [
        (part.name, getattr(value, part.name)) for part in dataclasses.fields(value) if not part.name.startswith("_")
    ]


def in_short(value: Any) -> str:
    """Return a value as text of at most a line: a table as its shape, a list as its beginning, a function as its name.

    >>> in_short(np.zeros((3, 2))), in_short(tuple("abcdefgh")), in_short(len)
    ('array of 3 x 2', "('a', 'b', 'c', 'd', 'e', ... 8 in all)", 'len')
    """
    if isinstance(value, pd.DataFrame | pd.Series | np.ndarray):
        kind = "array" if isinstance(value, np.ndarray) else "table" if value.ndim == 2 else "column"
        return f"{kind} of {' x '.join(map(str, value.shape))}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and type(value).__repr__ is _repr:
        return f"{type(value).__name__}(...)"
    if isinstance(value, Mapping):
        items = [f"{in_short(key)}: {in_short(item)}" for key, item in list(value.items())[:MOST_ITEMS]]
        return _cut(_enclosed("{", items, len(value), "}"))
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        items = [in_short(item) for item in list(value)[:MOST_ITEMS]]
        return _cut(_enclosed("(", items, len(value), ")"))
    if isinstance(value, float):
        return f"{value:.6g}"
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    text = repr(value)
    # the type of an object is more useful than its address
    return _cut(f"{type(value).__name__}(...)" if " at 0x" in text else " ".join(text.split()))


def _enclosed(left: str, items: Sequence[str], count: int, right: str) -> str:
    more = f", ... {count} in all" if count > len(items) else "," if count == 1 and left == "(" else ""
    return f"{left}{', '.join(items)}{more}{right}"


def _cut(text: str) -> str:
    text = readable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
