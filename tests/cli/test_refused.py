"""Commands refuse in words what they cannot do, and nothing goes to standard output."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import SCORES, Refused


@pytest.mark.parametrize(
    ("line", "code", "complaint"),
    [
        # convert
        ("convert .", 2, "expected a folder to write to (--out FOLDER), found none"),
        ("convert . --scores -", 2, "expected a collection or --scores to convert, found both"),
        ("convert . -f json -o new", 2, "--format: expected one of trec, csv here, found json"),
        ("convert --scores - -f trec", 2, "--format: expected one of csv, json, trec_eval here"),
        ("convert . -o runs", 1, "evalcore: runs: expected a new or an empty folder to write to, found"),
        ("convert . --order urbp-tool -o new", 1, "cannot write the order urbp-tool (it skips ranks)"),
        # score
        ("score . -m AP -d 99", 2, "--decimals: expected a number from 0 to 17, found 99"),
        ("score . -m AP -d x", 2, "argument -d/--decimals: invalid int value: 'x'"),
        ("score . -m AP -f xml", 2, "argument -f/--format: invalid choice: 'xml'"),
        ("score . -m iP", 1, "expected"),
        # sweep
        ("sweep . -m RBP", 2, "expected --vary PATH=VALUES, found none"),
        ("sweep . -m 'RBP, AP' --vary rho", 2, "--measure: expected one measure to vary, found 2"),
        ("sweep . -m RBP --vary rho=a,b", 2, "--vary rho: expected numbers separated by commas, or LOW:HIGH:COUNT"),
        ("sweep . -m RBP --vary rho=0.9:0.1:3", 2, "with LOW < HIGH and at least 2 values, found '0.9:0.1:3'"),
        ("sweep . -m RBP --vary rho=0.1:0.9:1", 2, "and at least 2 values, found '0.1:0.9:1'"),
        ("sweep . -m RBP --vary rho=nan,0.5", 2, "--vary rho: expected numbers"),
        ("sweep . -m RBP --vary rho --vary rho", 2, "--vary: expected each parameter once, found rho again"),
        (
            "sweep . -m RBP --vary rho --vary rel --show changes",
            2,
            "expected one --vary, found 2",
        ),
        (
            "sweep . -m RBP --vary rho=0:1:2000 --vary rel=0:1:2000",
            1,
            "expected at most 1,000,000 settings, found 4,000,000",
        ),
    ],
)
@pytest.mark.usefixtures("small")
def test_impossible_commands_are_refused(line: str, code: int, complaint: str, refused: Refused) -> None:
    refused(line, code, complaint, SCORES)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("score .", "expected runs or scores of systems, found only labels"),
        ("convert . --out new", "expected runs to write, found only labels or scores"),
    ],
)
def test_labels_alone_have_no_systems(
    line: str, complaint: str, refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, grades in (("gpt", (1, 0)), ("human", (0, 1))):
        (tmp_path / f"{name}.qrels").write_text("1 0 d1 {}\n1 0 d2 {}\n".format(*grades))
    monkeypatch.chdir(tmp_path)
    refused(line, 1, complaint)
