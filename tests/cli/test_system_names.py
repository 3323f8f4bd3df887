"""A system is shown by one name in texts, here and in the app, and named after its file in CSV and JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import Run


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Arguments for three runs whose files have long names."""
    monkeypatch.chdir(tmp_path)
    rankings = {"Team_EN_Run.1.dat": "abc", "Team_EN_Run.2.dat": "bac", "Other_EN_Run.1.dat": "cba"}
    for name, documents in rankings.items():
        lines = [f"{t} Q0 {d} {at} {9 - at} x\n" for t in "12345678" for at, d in enumerate(documents, 1)]
        Path(name).write_text("".join(lines))
    Path("qrels.txt").write_text("".join(f"{t} 0 a 1\n{t} 0 b 0\n{t} 0 c 0\n" for t in "12345678"))
    return "--runs *.dat --aspect relevance=qrels.txt"


def test_a_table_shows_the_short_name_and_csv_the_name_of_the_file(runs: str, run: Run) -> None:
    text, table = run(f"score {runs} -m AP -f table").out, run(f"score {runs} -m AP -f csv").table
    assert "Team 1" in text
    assert ".dat" not in text
    assert set(table["system"]) == {"Team_EN_Run.1.dat", "Team_EN_Run.2.dat", "Other_EN_Run.1.dat"}


@pytest.mark.parametrize("name", ["Team 1", "Team_EN_Run.1.dat"])
def test_an_option_accepts_file_names_and_short_names(runs: str, run: Run, name: str) -> None:
    table = run(f"compare {runs} -m AP --baseline '{name}' -f csv").table
    assert set(table["baseline"]) == {"Team_EN_Run.1.dat"}
    table = run(f"score {runs} -m AP --systems '{name}' -f csv").table
    assert table["system"].tolist() == ["Team_EN_Run.1.dat"]


@pytest.mark.parametrize("name", ['"Team 1"', "Team_EN_Run.1.dat"])
def test_a_claim_accepts_both_names_and_shows_the_short_one(runs: str, run: Run, name: str) -> None:
    text = run(f"claim {runs} '{name} first' --resamples 64").out
    assert "Team 1" in text
    assert ".dat" not in text


def test_a_note_names_the_leader_with_its_short_name(runs: str, run: Run) -> None:
    assert "Under AP, Team 1 " in run(f"score {runs} -m AP --ranks --resamples 100 -f csv").err
