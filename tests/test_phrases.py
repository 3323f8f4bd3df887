"""The lint of phrases finds them in docstrings, comments, strings and documents, and names what to write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON = '''"""What a thing is."""

# Two systems that nobody tells apart.
TEXT = f"{1} pairs are told apart"


def f() -> None:
    """Return nothing. Where a run has
    no line, it is empty.
    """
'''
MARKDOWN = """A ranking takes two systems.

`in vain` is code, and so is

```
in vain
```

Who is first is said: what is not
told apart.
"""


def listed(rule: str, path: Path) -> list[str]:
    """List the lines at which a rule has hits."""
    command = [sys.executable, ".ci/phrases", "--list", rule, str(path)]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [line.removeprefix(f"{path}:").partition(":")[0] for line in out.splitlines()]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("module.py", PYTHON, {"begins": ["1"], "apart": ["4", "3"], "where": ["8"], "vain": []}),
        ("page.md", MARKDOWN, {"takes": ["1"], "vain": [], "first": ["9"], "said": ["9"], "apart": ["10"]}),
    ],
)
def test_phrases_are_found_where_a_person_reads_them(
    name: str, text: str, found: dict[str, list[str]], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert {rule: listed(rule, path) for rule in found} == found
