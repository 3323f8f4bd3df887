"""CSV of every command is inert in a spreadsheet, whatever names say; --raw leaves them as they are."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from cli_support import Run
from hostile import SYSTEMS, hostile_documents

from evalcore.common.writing import FORMULA

COMMANDS = (
    "score {} -m AP -q",
    "score {} -m AP",
    "compare {} -m AP -m RR",
    "compare {} -m AP --pairs --resamples 20",
    "sweep {} -m RBP --vary rho=0.5:0.9:2",
    "labels {} --pool --depth 2",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_documents(tmp_path_factory.mktemp("hostile"))


def formulas(text: str, delimiter: str) -> list[str]:
    """List the cells that a spreadsheet would run, if it splits lines like this."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [cell for row in rows for cell in row if cell.startswith(FORMULA) and not is_number(cell)]


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("command", COMMANDS)
def test_no_cell_is_a_formula(command: str, hostile: Path, run: Run) -> None:
    done = run(f"{command.format(hostile)} --no-cache -f csv")
    assert done.code == 0, done.err
    assert [formulas(done.out, delimiter) for delimiter in ",;"] == [[], []]


def test_raw_names_are_those_of_the_collection(hostile: Path, run: Run) -> None:
    done = run(f"score {hostile} -m AP --no-cache -f csv --raw")
    assert {row[0] for row in csv.reader(done.lines)} >= {name for name in SYSTEMS if name.startswith("=")}


def test_a_folder_of_csv_loads_to_the_same_scores(hostile: Path, tmp_path: Path, run: Run) -> None:
    for name, option in (("inert", ""), ("raw", "--raw")):
        assert run(f"convert {hostile} --no-cache -f csv {option} -o {tmp_path / name}").code == 0
    assert formulas((tmp_path / "inert" / "runs" / "runs.csv").read_text(), ",") == []
    scores = [
        run(f"score {place} -m AP --no-cache -f csv") for place in (hostile, tmp_path / "inert", tmp_path / "raw")
    ]
    means = [sorted(float(line.rsplit(",", 1)[1]) for line in done.lines[1:]) for done in scores]
    assert means[1:] == [pytest.approx(means[0], rel=1e-14)] * 2  # the sums are over topics in another order
