"""Reading untrusted TOML, and writing values as TOML."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from evalcore.common.schema import refuse_huge_inside
from evalcore.errors import MOST_BITS, InputError
from evalcore.limits import most

LONGEST = most("toml_characters")
DEEPEST = most("toml_depth")  # brackets and dots of keys within each other; a collection.toml needs three


def read_utf8(path: str | Path, what: str) -> str:
    """Return the text of a file. Raises InputError, with `what`, if the file is unreadable or not UTF-8."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputError(f"cannot read {what}: {reason}", str(path)) from None


def read_toml(text: str, where: str) -> dict[str, Any]:
    """Return the content of untrusted TOML.

    Raises InputError if it is invalid, too long or nested too deeply, or holds huge numbers.
    """
    _refuse_costly(text, where)
    try:
        content = tomllib.loads(text)
    except ValueError as error:  # invalid TOML, or a number with more digits than Python reads
        raise InputError(f"expected TOML, found an error: {error}", where) from None
    refuse_huge_inside(content, where)
    return content


# Strings and comments as a whole, without ever going back in them; and what nests, parts or ends a key.
_PIECE = re.compile(
    r'"""(?:\\.|(?!""")[^\\])*+(?:""")?'
    r"|'''(?:(?!''').)*+(?:''')?"
    r'|"(?:\\.|[^"\\\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
    r"|[\[\]{}.,=\n]",
    re.DOTALL,
)


def _refuse_costly(text: str, where: str) -> None:
    """Raise InputError for text that is too long or too deeply nested for a TOML reader to read quickly."""
    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} characters, found {len(text):,}", where)
    line, open_now, dots = 1, 0, 0
    for piece in _PIECE.finditer(text):
        token = piece.group()
        open_now = max(open_now + (token in "[{") - (token in "]}"), 0)
        dots = dots + 1 if token == "." else 0 if token in "[]{},=\n" else dots
        if open_now + dots > DEEPEST:
            raise InputError(f"expected keys and lists at most {DEEPEST} deep, found deeper ones", where, line)
        line += token.count("\n")


def toml_text(value: Any) -> str:
    """Return a number, a string, or a tuple of these or of tuples, as TOML."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << MOST_BITS:
        value = int(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_text, value))}]"
    # JSON strings, numbers and lists are TOML, except that TOML wants DEL escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_text(name)
