"""Schemas for tables in TOML or JSON: the keys, the allowed types of each, and the errors.

>>> check({"titel": "Web pages"}, {"title": TEXT, "seed": WHOLE}, "specs.toml")
Traceback (most recent call last):
    ...
evalcore.errors.InputError: specs.toml: expected only the keys title, seed, found 'titel'; did you mean title?
>>> check({"title": 3}, {"title": TEXT}, "specs.toml")
Traceback (most recent call last):
    ...
evalcore.errors.InputError: specs.toml: expected `title` to be a string, found '3'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from evalcore.errors import InputError, did_you_mean, refuse_huge, shorten

LONGEST_PLACE = 100


@dataclass(frozen=True)
class Expected:
    """An expected type of value: its description, and its test."""

    words: str
    fits: Callable[[Any], bool]

    def read(self, value: Any, where: str, key: str = "") -> Any:
        """Return the value unchanged. Raises InputError if it has the wrong type.

        >>> TEXT.read(3, "sheet, name")
        Traceback (most recent call last):
            ...
        evalcore.errors.InputError: sheet, name: expected a string, found '3'
        """
        if self.fits(value):
            return value
        expected = f"`{key}` to be {self.words}" if key else self.words
        raise InputError(f"expected {expected}, found {shorten(str(value))}", where)


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number; true and false are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def list_of(kind: Expected, words: str, least: int = 0, most: float = math.inf) -> Expected:
    """Return an expected type: a list of `least` to `most` items of one kind; `words` describe the list."""
    return Expected(
        words, lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(kind.fits, value))
    )


TEXT = Expected("a string", lambda value: isinstance(value, str))
FILLED = Expected("a string", lambda value: isinstance(value, str) and value.strip() != "")  # not only blanks
ANY = Expected("anything", lambda value: True)
NUMBER = Expected("a number", is_number)
WHOLE = Expected("a whole number", lambda value: type(value) is int)
SWITCH = Expected("true or false", lambda value: isinstance(value, bool))
TABLE = Expected("a table of keys", lambda value: isinstance(value, dict))
TABLES = Expected(
    "tables of keys, one for each name", lambda value: isinstance(value, dict) and all(map(TABLE.fits, value.values()))
)
LIST = Expected("a list", lambda value: isinstance(value, list))
TEXTS = list_of(TEXT, "a list of strings")
NUMBERS = list_of(NUMBER, "a list of numbers")
NAMES = Expected("a string or a list of strings", lambda value: TEXT.fits(value) or (TEXTS.fits(value) and value != []))


def only(entry: Collection[str], known: Collection[str], where: str) -> None:
    """Raise InputError for a key that is not among the known ones."""
    for key in entry:
        if key not in known:
            expected = f"expected only the keys {', '.join(known)}"
            raise InputError(f"{expected}, found {key!r}{did_you_mean(key, known)}", where)


def check(entry: Mapping[str, Any], kinds: Mapping[str, Expected], where: str, *required: str) -> None:
    """Raise InputError for an unknown key, a value of the wrong type, or a missing key among `required`."""
    only(entry, kinds, where)
    for key, value in entry.items():
        kinds[key].read(value, where, key)
    for key in required:
        if key not in entry:
            raise InputError(f"expected the key {key} ({kinds[key].words}), found none", where)


def one_of(what: str, value: Any, known: Collection[str], where: str = "") -> None:
    """Raise InputError for a value that is not among the known ones; `what` names the value in the error."""
    if value not in known:
        listed = ", ".join(one or '""' for one in known)
        raise InputError(f"expected `{what}` to be one of {listed}, found {value!r}", where)


def refuse_huge_inside(content: Any, where: str) -> None:
    """Raise InputError for an integer of 64 bits or more at any depth; the error names its path.

    >>> refuse_huge_inside({"views": [{"rho": 2**64}]}, "a.json")
    Traceback (most recent call last):
        ...
    evalcore.errors.InputError: a.json, views[0].rho: expected a whole number below 2^63 in size, found one with 65 bits
    """
    left: list[tuple[str, Any]] = [("", content)]
    while left:
        place, value = left.pop()
        if isinstance(value, dict):
            left += [(f"{place}.{key}" if place else str(key), item) for key, item in value.items()]
        elif isinstance(value, list):
            left += [(f"{place}[{at}]", item) for at, item in enumerate(value)]
        elif isinstance(value, int):
            refuse_huge(value, f"{where}, {place[:LONGEST_PLACE]}")
