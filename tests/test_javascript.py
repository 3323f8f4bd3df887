"""JavaScript that needs no browser, tested by node's own runner; and the modules that are joined for a browser."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from evalcore.figures.scripts import FOLLOWING, joined
from node_support import NODE

ROOT = Path(__file__).parents[1]
TESTS = sorted((ROOT / "tests/javascript").glob("*.test.js"))
OWN = [*FOLLOWING.glob("*.js"), *(path for path in (ROOT / "ui").rglob("*.js") if "saving" not in path.parts)]


def test_under_node(subtests: pytest.Subtests) -> None:
    for file in TESTS:
        with subtests.test(file.name):
            ran = subprocess.run([NODE, "--test", file], cwd=ROOT, capture_output=True, text=True)
            assert ran.returncode == 0, ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("file", OWN, ids=lambda file: str(file.relative_to(ROOT)))
def test_each_module_joined_is_one_that_a_browser_reads(file: Path, tmp_path: Path) -> None:
    (tmp_path / "whole.mjs").write_text(joined(file))
    read = subprocess.run([NODE, "--check", tmp_path / "whole.mjs"], capture_output=True, text=True)
    assert read.returncode == 0, read.stderr
