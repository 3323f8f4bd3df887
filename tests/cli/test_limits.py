"""--limit: off by default; what asks for more is an error that names the limit."""

from __future__ import annotations

import pytest
from cli.conftest import ROOT, Refused, Run

HEALTH = str(ROOT / "sample_data" / "health")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sweep {} -m RBP --sample 50 --limit parameters=1", "at most 1 parameters varied at once, found 3 (limit par"),
        ("sweep {} -m RBP --vary rho=0.1:0.9:50 --limit memory=0.001", "MB for the results, found 0.0772 (limit mem"),
        ("sweep {} -m RBP --show importance --limit memory=0.5", "(limit memory)"),
        ("sweep {} -m RBP --vary rho --show changes --limit seconds=1e-9", "(limit seconds)"),
        ("score {} -m AP --limit seconds=1e-9", "(limit seconds)"),
        ("score {} -m 'CAM([AP,RR])' --limit parts=1", "at most 1 measures in a measure, found 2 (limit parts)"),
        ("discriminate {} -m AP --limit tests=100", "found 4,960,000 (limit tests)"),  # 10,000 x 496 pairs
        ("discriminate {} -m AP --limit memory=1", "found 9.6 (limit memory)"),  # 24 bytes x 10,000 x 40 topics
        ("score {} -m AP --ranks --limit memory=1", "found 4.99 (limit memory)"),  # 2,000 x (24 x 40 + 48 x 32) bytes
        ("baseline {} -m AP --against bm25_rm3 --test bootstrap --limit tests=9", "found 310,000 (limit tests)"),
        ("correlate {} -m AP,RR --resamples 10000 --limit memory=1", "found 9.6 (limit memory)"),
    ],
)
def test_more_than_a_limit_is_an_error_that_names_it(refused: Refused, line: str, message: str) -> None:
    refused(line.format(HEALTH), 1, message)


def test_several_limits_and_enough_of_each(run: Run) -> None:
    line = f"sweep {HEALTH} -m RBP --vary rho=0.5,0.8 -f csv"
    assert run(f"{line} --limit seconds=600,memory=100 --limit parameters=1").out == run(line).out


def test_a_limit_that_there_is_not_is_no_command(run: Run) -> None:
    done = run(f"score {HEALTH} -m AP --limit second=1")
    assert done.code == 2
    assert "did you mean seconds?" in done.err
