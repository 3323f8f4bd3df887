"""Output of a command, whatever it is made of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli_support import ROOT, Refused, Run

from evalcore.cli.output import json_text


def test_json_has_a_record_on_a_line_and_letters_as_they_are():
    assert json_text([{"Größe": 1}, {"Größe": "日本"}]) == '[\n{"Größe": 1},\n{"Größe": "日本"}\n]\n'
    assert json_text({"Größe": [1]}) == '{\n  "Größe": [\n    1\n  ]\n}\n'
    assert json_text([]) == "[]\n"


@pytest.mark.parametrize(
    ("number", "written"),
    [(float("nan"), None), (np.float64("nan"), None), (float("inf"), "Infinity"), (-np.inf, "-Infinity")],
)
def test_json_writes_null_for_nan_and_text_for_infinity(number, written):
    assert json.loads(json_text([{"a": number, 2: (np.int64(3), number)}])) == [{"a": written, "2": [3, written]}]


# --- where it goes ---------------------------------------------------------------------------------------------------

SCORES = "system,measure,topic,score\na,AP,1,0.5\nb,AP,1,0.25\n"
OVER_INPUT = (  # a command, and the input that its --out names, by some other name or place
    ("score . -m AP -o qrels.txt", "qrels.txt"),
    ("score --runs runs --aspect relevance=qrels.txt -m AP -o runs/good.txt", "runs/good.txt"),
    ("score --runs runs/*.txt --aspect relevance=qrels.txt -m AP -o ./runs/../qrels.txt", "qrels.txt"),
    ("score . -m @measures.txt -o linked", "measures.txt"),
    ("score all.zip -m AP -o all.zip", "all.zip"),
    ("score . --collection-toml said.toml -m AP -o said.toml", "said.toml"),
    ("report . -m AP -o qread.txt", "qread.txt"),
    ("inspect . -o qrels.txt", "qrels.txt"),
    ("convert --scores scores.csv -f csv -o scores.csv", "scores.csv"),
    ("compare --scores tables -o tables/a.csv", "tables/a.csv"),
)


@pytest.fixture
def inputs(small: Path) -> Path:
    """A collection and other files that commands read."""
    (small / "tables").mkdir()
    contents = {"measures.txt": "AP\n", "scores.csv": SCORES, "tables/a.csv": SCORES, "said.toml": "", "all.zip": "PK"}
    for name, content in contents.items():
        (small / name).write_text(content)
    (small / "linked").symlink_to("measures.txt")
    return small


@pytest.mark.parametrize("force", ["", " --force"])
@pytest.mark.parametrize(("line", "named"), OVER_INPUT)
def test_no_output_ever_overwrites_an_input(refused: Refused, inputs: Path, line: str, named: str, force: str) -> None:
    before = (inputs / named).read_bytes()
    refused(line + force, 1, "expected a different file to write, found one that this command reads")
    assert (inputs / named).read_bytes() == before


def test_a_file_on_standard_input_counts_as_an_input(inputs: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "evalcore",
        *["convert", "--scores", "-", "-f", "csv", "-o", "scores.csv", "--force"],
    ]
    with (inputs / "scores.csv").open() as stdin:
        ran = subprocess.run(command, stdin=stdin, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True)
    assert (ran.returncode, b"found one that this command reads" in ran.stderr) == (1, True)
    assert (inputs / "scores.csv").read_text() == SCORES


def test_an_existing_output_requires_force_before_any_work(run: Run, small, monkeypatch: pytest.MonkeyPatch) -> None:
    (small.parent / "kept.csv").write_text("mine\n")
    line = f"score . -m AP -f csv -o {small.parent / 'kept.csv'}"
    with monkeypatch.context() as patched:
        patched.setattr("evalcore.data.load", None)  # nothing is read
        ran = run(line)
    assert ran.code == 1
    assert "kept.csv: expected a new file to write, found an existing one; --force replaces it" in ran.err
    assert (small.parent / "kept.csv").read_text() == "mine\n"
    assert run(f"{line} --force").code == 0
    assert (small.parent / "kept.csv").read_text().startswith("system,measure,score\n")
