"""Contents of tables of TOML and JSON: what they may hold, and the messages about what they may not."""

from __future__ import annotations

import math
from typing import Any

import pytest

from evalcore import InputError
from evalcore.common.schema import (
    FILLED,
    NAMES,
    NUMBER,
    NUMBERS,
    SWITCH,
    TABLES,
    TEXT,
    WHOLE,
    Expected,
    check,
    list_of,
    refuse_huge_inside,
)

KEYS = {"title": TEXT, "seed": WHOLE, "choice": list_of(TEXT, "2 or 3 texts", 2, 3)}


def test_a_value_of_another_kind_is_named_with_its_key_and_place(subtests: pytest.Subtests) -> None:
    for kind, value in [
        (NUMBER, True),  # a number for Python
        (NUMBER, math.nan),
        (NUMBER, -math.inf),
        (NUMBER, "1"),
        (NUMBERS, [1, False]),
        (WHOLE, True),
        (WHOLE, 1.0),
        (SWITCH, 1),
        (FILLED, " \t"),
        (NAMES, []),
        (NAMES, ["a", 1]),
        (TABLES, {"a": {}, "b": 1}),
        (KEYS["choice"], ["a"]),
        (KEYS["choice"], ["a"] * 4),
    ]:
        with subtests.test(f"{kind}, {value}"):
            with pytest.raises(InputError) as error:
                kind.read(value, "a.toml", "key")
            assert str(error.value).startswith(f"a.toml: expected `key` to be {kind.words}, found ")


@pytest.mark.parametrize(
    ("kind", "value"),
    [(NUMBER, 0), (NUMBER, -1.5), (NAMES, ""), (NAMES, ["a"]), (TABLES, {}), (NUMBERS, []), (TEXT, "")],
)
def test_a_value_that_fits_is_given_back(kind: Expected, value: Any) -> None:
    assert kind.read(value, "a.toml") is value


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"titel": "x"}, "expected only the keys title, seed, choice, found 'titel'; did you mean title?"),
        ({"colour": "x"}, "expected only the keys title, seed, choice, found 'colour'"),
        ({"title": "x", "seed": "1"}, "expected `seed` to be a whole number, found '1'"),
        ({"seed": 1}, "expected the key title (a string), found none"),
    ],
)
def test_the_first_mistake_in_a_table_is_reported(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError) as error:
        check(table, KEYS, "a.toml", "title")
    assert str(error.value) == f"a.toml: {problem}"


def test_a_huge_number_is_found_however_deep_it_stands() -> None:
    deep: Any = {"rho": 2**63}
    for _ in range(100_000):  # deeper than Python calls
        deep = [deep]
    with pytest.raises(InputError, match=r"^a.json, \[0\]\[0\].*: expected a whole number below 2\^63 in size"):
        refuse_huge_inside(deep, "a.json")
    refuse_huge_inside({"a": [2**63 - 1, {"b": -(2**63) + 1}], "c": 1e300}, "a.json")
