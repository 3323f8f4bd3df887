"""Foreign JSON is read in one way: every reader says what it expected, what it found, and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcore import InputError
from evalcore.data.json_text import parse_json
from evalcore.data.store import ABOUT, read_collection


def read_kept(content: bytes, tmp_path: Path) -> None:
    (tmp_path / ABOUT).write_bytes(content)
    read_collection(tmp_path)


READERS: dict[str, Callable[[bytes, Path], Any]] = {
    "a list of records": lambda content, _: parse_json(content, "a file", what="a list of records", kind=list),
    "a kept collection": read_kept,
}
HOSTILE = {
    "cut off": (b'{"a": 1', r"found an error: Expecting ',' delimiter"),
    "on a later line": (b"[1,\n2\n3]", r"line 3: .*found an error"),
    "no JSON": (b"hello", "found an error: Expecting value"),
    "nothing": (b"", "found an error: Expecting value"),
    "nested too deep": (b"[" * 90_000, "found: maximum recursion depth"),
    "a number too long": (b'{"a": ' + b"9" * 5_000 + b"}", "found: Exceeds the limit"),
    "a name twice": (b'{"a": 1, "a": 2}', "found: 'a' twice in one object"),
    "half a character": (rb'["\ud800"]', r"found half of one \(a lone surrogate\)"),
}


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize("how", HOSTILE)
def test_hostile_json_is_refused_as_json(what: str, how: str, tmp_path: Path) -> None:
    content, found = HOSTILE[how]
    with pytest.raises(InputError, match=found) as refusal:
        READERS[what](content, tmp_path)
    assert how == "half a character" or f"expected {what} (JSON)" in str(refusal.value)
    assert refusal.value.where


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize(("content", "kind"), [(b'"x"', "'x'"), (b"NaN", "a number"), (b"null", "null")])
def test_a_value_of_the_wrong_kind_is_named(what: str, content: bytes, kind: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"expected {what} \(JSON\): an? (object|list), found {kind}$"):
        READERS[what](content, tmp_path)


@pytest.mark.parametrize("what", ["a list of records", "a kept collection"])
def test_bytes_that_are_not_text_are_refused(what: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"expected {what} \(JSON\) in UTF-8, found bytes that are not UTF-8"):
        READERS[what](b'{"a": "\xff\xfe"}', tmp_path)


def test_a_byte_order_mark_is_skipped() -> None:
    assert parse_json(b'\xef\xbb\xbf{"a": 1}', "a file") == {"a": 1}
