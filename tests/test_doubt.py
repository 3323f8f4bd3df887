"""docs/doubt.md shows the content of docs/doubt.csv, and a cell counts the answers of its question."""

from __future__ import annotations

from pathlib import Path

from benchmarks.coverage.cells import SUBJECTS, Cell, simulate
from benchmarks.coverage.populations import spaced
from benchmarks.coverage.report import read, with_table
from benchmarks.coverage.scores import ranks

DOCS = Path(__file__).parents[1] / "docs"


def test_the_table_is_what_was_measured() -> None:
    page = (DOCS / "doubt.md").read_text(encoding="utf-8")
    assert with_table(page, read(DOCS)) == page


def test_every_subject_was_measured() -> None:
    assert {row.subject for row in read(DOCS)} == set(SUBJECTS)


def test_a_cell_counts_what_the_question_answers() -> None:
    measured = list(simulate(Cell(ranks, spaced(4, 0.5), 20), trials=3, seed=0))
    assert {(row.subject, row.what) for row in measured} == {
        *(("Rank interval of one system", who) for who in ("the best", "the median", "the worst")),
        ("Rank intervals of all systems", ""),
    }
    assert [(row.times, row.trials, row.width) for row in measured] == [(3, 3, 0.0)] * 4  # far apart: no doubt
