"""docs/papers.csv: every formula, figure and table of the five documents, with control, call, command and test."""

from __future__ import annotations

import ast
import contextlib
import csv
import io
import shlex
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.cli import build_parser
from ui.address.places import PAGES
from ui.address.settings import Settings

ROOT = Path(__file__).parents[3]
ROWS = list(csv.DictReader(io.StringIO((ROOT / "docs/papers.csv").read_text(encoding="utf-8"))))
NAMES = [f"{row['document'][:3]} {row['place']}: {row['what']}" for row in ROWS]
COUNTS = {"000": 19, "001": 3, "002": 19, "003": 16, "004": 5}


def all_settings() -> Iterator[type[Settings]]:
    """Yield the settings of all pages that are imported."""
    waiting: list[Any] = [Settings]
    while waiting:
        waiting += (one := waiting.pop()).__subclasses__()
        if one.PAGE:
            yield one


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    c = ec.load(SAMPLE)
    x, y = (ec.evaluate(text, c).mean() for text in ("RBP", "uRBP"))
    nav, foc = (ec.load(ROOT / "sample_data" / name) for name in ("site", "manual"))

    return {"ec": ec, "c": c, "nav": nav, "foc": foc, "x": x, "y": y}


def test_the_list_has_62_rows_and_each_is_live_or_says_why_not() -> None:
    assert {key: sum(row["document"].startswith(key) for row in ROWS) for key in COUNTS} == COUNTS
    assert sum(COUNTS.values()) == 62
    assert len(set(NAMES)) == 62
    for row in ROWS:
        assert row["state"] == "live" or len(row["state"].split()) > 3, row


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_control_of_a_row_is_on_its_page(row: dict[str, str], known: dict[str, Any]) -> None:
    import_module(PAGES[row["page"]].module or f"ui.{row['page']}.page")
    named = [part.partition("=")[::2] for part in row["control"].split("&") if part]
    # A page may share the settings of another, which then stands in front of the key.
    given = [(key if "." in key else f"{row['page']}.{key}", value) for key, value in named]
    assert given or row["state"] != "live"
    link = {key: [value] for key, value in given if value}
    fitting = [kind for kind in all_settings() if all(key in kind._keys() for key, _ in given)]
    assert fitting or not given
    if link:
        data = known[{"navigation": "nav", "focused_retrieval": "foc"}.get(row["page"], "c")]
        assert any(not kind.read(data, link).misfits for kind in fitting)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_call_of_a_row_gives_something(row: dict[str, str], known: dict[str, Any]) -> None:
    assert eval(row["python"], known) is not None


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_command_of_a_row_is_understood(row: dict[str, str]) -> None:
    words = shlex.split(row["command"])
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            build_parser(words[:1]).parse_args(words)
        except SystemExit:
            pytest.fail(said.getvalue())
    assert not [word for word in words if word.startswith("sample_data/") and not (ROOT / word).is_dir()]


@cache
def defined_in(path: str) -> set[str]:
    """Return the names of the tests that a file defines."""
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    return {one.name for one in body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")}


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_live_row_names_the_tests_that_move_it(row: dict[str, str]) -> None:
    """They evaluate it at two settings or more, and compare it with a slow formula or a printed number."""
    named = row["test"].split()
    assert named or row["state"] != "live"
    for one in named:
        path, _, function = one.partition("::")
        assert function in defined_in(path), one
