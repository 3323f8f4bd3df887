"""docs/security.md: every promise names a test that there is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "security.md").read_text()
PROMISED, _, AFTER = TEXT.partition("## Not promised")
NAMED = re.compile(r"`(tests/[\w/]+(?:\.py)?)(?:::(\w+))?`")


def test_every_promise_names_its_tests() -> None:
    promises = re.split(r"\n- (?=\*\*)", PROMISED)[1:]
    assert len(promises) > 20
    assert [promise[:60] for promise in promises if not NAMED.search(promise.partition("\n\n")[0])] == []


def test_every_test_that_is_named_is_there() -> None:
    named = NAMED.findall(TEXT)
    assert len(named) > 40
    for path, function in named:
        assert (ROOT / path).exists(), path
        assert f"def {function}(" in (ROOT / path).read_text() if function else True, function


def test_every_row_of_the_table_names_its_test() -> None:
    rows = [line for line in AFTER.partition("## Tests")[2].splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 15
    assert [row for row in rows if not NAMED.search(row)] == []
