"""Parsing the JSON in files, with errors that name the line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeVar

from evalcore.errors import InputError, shorten

Kind = TypeVar("Kind")
_KINDS = {dict: "an object", list: "a list", str: "a text", int: "a number", float: "a number"}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(
    text: str | bytes, name: str, line: int = 1, *, what: str = "", kind: type | None = None, **how: Any
) -> Any:
    """Return the value of a JSON text that begins on `line` of a file; `how` has arguments for json.loads.

    `what` says what the file should be, such as "a list of records", and `kind` is its type, dict or list. Raises
    InputError for invalid JSON, a name that an object has twice, a value of a different type, nesting that is too deep,
    a number that is too long, and half a character (a lone surrogate), which could not be written to a file.

    >>> parse_json('{"d1": 0.5}', "scores.json")
    {'d1': 0.5}
    """
    expected = f"{what} (JSON)" if what else "JSON"
    try:
        text = text if isinstance(text, str) else text.decode(json.detect_encoding(text))
        result = json.loads(text, **({"object_pairs_hook": _once} | how if what else how))
    except json.JSONDecodeError as error:
        raise InputError(f"expected {expected}, found an error: {error.msg}", name, line + error.lineno - 1) from None
    except UnicodeDecodeError:
        raise InputError(f"expected {expected} in UTF-8, found bytes that are not UTF-8", name) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected {expected}, found: {error}", name, line) from None
    if _SURROGATE.search(text):
        try:
            json.dumps(result, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = f"half of one (a lone surrogate): {error.object[error.start]!r}"
            raise InputError(f"expected whole characters, found {half}", name, line) from None
    return result if kind is None else of_kind(result, kind, f"{expected}: {_KINDS[kind]}", name, line)


def json_records(text: str, name: str, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line, object) for each object in JSON lines, or (position from 1, object) for each object in a list.

    Raises InputError as `parse_json` does.
    """
    if text.lstrip().startswith("["):
        for at, value in enumerate(parse_json(text, name, what=f"a list, each entry {what}", kind=list), start=1):
            yield at, of_kind(value, dict, f"{what} (an object)", name, at)
        return
    for line, piece in enumerate(text.split("\n"), start=1):
        if piece.strip():
            yield line, parse_json(piece, name, line, what=what, kind=dict)


def of_kind(value: Any, kind: type[Kind], expected: str, name: str, line: int | None = None) -> Kind:
    """Return the value if it is of this type. Raises InputError if not."""
    if not isinstance(value, kind):
        found = shorten(value) if isinstance(value, str) else kind_of_value(value)
        raise InputError(f"expected {expected}, found {found}", name, line)
    return value


def kind_of_value(value: Any) -> str:
    """Return the kind of a JSON value, in words.

    >>> kind_of_value([1, 2]), kind_of_value(True)
    ('a list', 'true')
    """
    return "true" if value is True else "false" if value is False else _KINDS.get(type(value), "null")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the dict of these pairs.

    Raises ValueError for a name that occurs twice, as either value could be meant.
    """
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"{shorten(twice)} twice in one object")
    return result
