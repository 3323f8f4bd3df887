"""Displays of scores ask `evalcore.meta` for the best: it knows which end is good, and a largest number does not.

Read off the source, so that a new page or figure cannot forget it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from evalcore.subjects import SUBJECTS

ROOT = Path(__file__).parents[1]
PLACES = ("ui", "evalcore/figures", "evalcore/cli", *(f"evalcore/{subject}" for subject in SUBJECTS))
LARGEST = {"idxmax", "nlargest", "nsmallest"}
# Sorted from the largest down, and no score of systems: shares, counts, spreads, leads, ranks, names.
DOWNWARDS = {
    "ui/aspect_weights/page.py": {"MM is 0"},
    "ui/discriminative_power/page.py": {"power"},
    "ui/navigation/figures_and_tables.py": {"seen so far"},
    "evalcore/figures/tuples.py": {"documents"},
    "ui/topic/what_if.py": {"walk['gain']"},  # of documents
    "evalcore/figures/discrimination.py": {"differences"},
    "evalcore/figures/trajectory.py": {"(ranks == 1).sum()"},
    "evalcore/cli/exports.py": {"document"},
    "evalcore/claims/sources.py": {"lift", "share"},
}


def calls() -> Iterator[tuple[str, ast.Call, ast.Attribute]]:
    """Yield each call of a method: its file, the call, and the attribute that is called."""
    for place in PLACES:
        path = ROOT / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    yield str(file.relative_to(ROOT)), node, node.func


def test_nobody_takes_the_largest_score_for_the_best() -> None:
    found = [(file, call.lineno) for file, call, function in calls() if function.attr in LARGEST]
    assert found == []


def test_what_is_sorted_from_the_largest_down_is_no_score() -> None:
    found: dict[str, set[str]] = {}
    for file, call, function in calls():
        down = any(keyword.arg == "ascending" and ast.unparse(keyword.value) == "False" for keyword in call.keywords)
        if function.attr == "sort_values" and down:
            by = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
            found.setdefault(file, set()).add(str(by or ast.unparse(function.value)))
    assert found == DOWNWARDS


def test_the_sources_are_looked_at() -> None:
    assert len({file for file, _, _ in calls()}) > 100
