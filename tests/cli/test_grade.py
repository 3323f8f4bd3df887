"""`evalcore grade`: sheets in, a table of points out."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from cli.conftest import ROOT, Refused, Run

from evalcore.cli import grade

SHEETS, SET = ROOT / "sample_data" / "sheets", ROOT / "sample_data" / "exercises.toml"


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    """A folder of sheets, one of them in a folder of its own."""
    shutil.copytree(SHEETS, tmp_path / "in")
    (tmp_path / "in" / "late").mkdir()
    (tmp_path / "in" / "chen.json").rename(tmp_path / "in" / "late" / "chen.json")
    return tmp_path / "in"


def test_each_sheet_is_a_row(sheets: Path, run: Run) -> None:
    ran = run(f"grade {sheets} --exercises {SET} -f csv")
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split(",") for line in ran.lines]
    assert rows[0][:7] == ["file", "name", "by-hand", "for-a-patient", "three-lists", "total", "of"]
    assert [row[:6] for row in rows[1:]] == [
        ["anna.json", "Anna", "1.0", "1.0", "2.0", "4.0"],
        ["ben.json", "Ben", "0.0", "1.0", "0.0", "1.0"],
        ["late/chen.json", "Chen", "1.0", "0.0", "0.0", "1.0"],
    ]


@pytest.mark.parametrize("example", grade.EXAMPLES)
def test_the_sheets_that_help_names_were_made_with_the_questions_that_it_takes(
    example: str, run: Run, in_checkout: Path
) -> None:
    ran = run(re.sub(r" -[fo] .*", "", example).removeprefix("evalcore ") + " -f json")
    rows = json.loads(ran.out)
    assert [row["same questions"] for row in rows] == [True] * 3
    assert "by-hand" in rows[0]


def test_a_sheets_own_marks_are_not_believed(sheets: Path, run: Run) -> None:
    content = json.loads((sheets / "ben.json").read_text())
    content["answers"][0]["tries"][0] |= {"entered": 0.7, "right": True, "points": 9}
    (sheets / "ben.json").write_text(json.dumps(content))
    ben = json.loads(run(f"grade {sheets} --exercises {SET} -f json").out)[1]
    assert (ben["by-hand"], ben["total"], ben["digest fits"]) == (0, 1, False)


def test_bad_sheets_are_named_and_the_others_graded(sheets: Path, run: Run) -> None:
    (sheets / "notes.json").write_text("[]")
    (sheets / "odd.json").write_bytes(b"\xff\xfe")
    ran = run(f"grade {sheets} --exercises {SET}")
    assert (ran.code, len(ran.lines)) == (0, 4)
    notes = sorted(ran.err.splitlines())
    assert all(line.startswith("evalcore: note: left out: ") for line in notes)
    assert ["notes.json" in notes[1], "odd.json" in notes[0]] == [True, True]


def test_in_csv_no_text_of_a_student_is_a_formula(sheets: Path, run: Run) -> None:
    content = json.loads((sheets / "ben.json").read_text())
    (sheets / "ben.json").write_text(json.dumps({**content, "name": "=1+1"}))
    line = f"grade {sheets} --exercises {SET} -f"
    assert run(f"{line} csv").lines[2].split(",")[1] == "'=1+1"
    assert json.loads(run(f"{line} json").out)[1]["name"] == "=1+1"


def test_the_questions_beside_the_data_are_taken_unasked(sheets: Path, tmp_path: Path, run: Run) -> None:
    data = tmp_path / "data"
    shutil.copytree(ROOT / "sample_data" / "health", data)
    shutil.copy(SET, data / "exercises.toml")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", data)
    for where in (data, packed):
        assert run(f"grade {sheets} --data {where} -f csv").lines[0].startswith("file,name,by-hand,")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nowhere", "nowhere: expected a folder of answer sheets, found nothing at this path"),
        (".", ".: expected 1 to 10,000 answer sheets (*.json), found 0"),
        (f"{SHEETS} --exercises nowhere.toml", "nowhere.toml: "),
        (f"{SHEETS} --exercises {SHEETS / 'anna.json'}", "expected TOML"),
    ],
)
def test_what_cannot_be_graded_is_refused(line: str, problem: str, in_checkout: Path, refused: Refused) -> None:
    (in_checkout / "empty").mkdir()
    refused(f"grade {line if line != '.' else 'empty'}", 1, problem.replace(".: ", "empty: "))


def test_a_folder_without_a_sheet_is_refused(tmp_path: Path, run: Run) -> None:
    (tmp_path / "x.json").write_text("{}")
    ran = run(f"grade {tmp_path}")
    assert ran.code == 1
    assert "expected an answer sheet, found none that can be read among 1" in ran.err
