"""JSON as files have it: what is wrong with it is said with its line."""

from __future__ import annotations

import json
import re
from typing import Any

from evalcore.errors import InputError, shorten

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def parse_json(text: str, name: str, line: int = 1, **how: Any) -> Any:
    """The value of a JSON text that begins on a line of a file; `how` is what json.loads takes.

    Raises InputError for a mistake, for nesting that is too deep, and for half of a character, which none could write.

    >>> parse_json('{"d1": 0.5}', "scores.json")
    {'d1': 0.5}
    """
    try:
        found = json.loads(text, **how)
    except json.JSONDecodeError as error:
        raise InputError(f"expected JSON, found a mistake: {error.msg}", name, line + error.lineno - 1) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected JSON, found: {error}", name, line) from None
    if _SURROGATE.search(text):
        _refuse_halves(text, name, line)
    return found


def _refuse_halves(text: str, name: str, line: int) -> None:
    for string in _STRING.finditer(text):
        try:
            json.loads(string[0]).encode()
        except UnicodeEncodeError:
            problem = f"expected whole characters, found half of one (a lone surrogate) in {shorten(string[0])}"
            raise InputError(problem, name, line + text.count("\n", 0, string.start())) from None
