"""`evalcore claim`: a claim over many ways to measure, from the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from claims.made import SPECS
from cli_support import Run

import evalcore as ec
from evalcore.claims import digest, parse_specifications

WHERE = ["claim", "--runs", "runs", "--aspect", "relevance=qrels.txt", "--aspect", "understandability=qread.txt"]


def asked(*more: str, text: str = "good > poor") -> list[str]:
    return ["claim", text, *WHERE[1:], *more]


@pytest.fixture
def specs(small: Path) -> Path:
    (small / "specs.toml").write_text(SPECS)
    return small / "specs.toml"


def test_the_verdict_equals_the_one_of_python(run: Run, specs: Path) -> None:
    ran = run(asked("--specs", "specs.toml"))
    aspects = {"relevance": "qrels.txt", "understandability": "qread.txt"}
    study = ec.claim("good > poor", specs, ec.load(runs="runs", aspects=aspects))
    assert ran.code == 0
    assert ran.lines[0] == study.sentence
    assert f"Specifications: {study.digest}." in ran.lines


def test_the_summary_is_a_record_of_json(run: Run, specs: Path) -> None:
    (record,) = json.loads(run(asked("--specs", "specs.toml", "-f", "json")).out)
    assert record["claim"] == "good > poor"
    assert record["digest"] == digest(parse_specifications(SPECS))
    assert record["holds"] + record["reversed"] + record["undecided"] == pytest.approx(1)


def test_the_ending_of_the_file_decides_the_format(run: Run, specs: Path, small: Path) -> None:
    assert run(asked("--specs", "specs.toml", "-o", "table.tex")).code == 0
    assert (small / "table.tex").read_text().startswith(r"\begin{table*}")
    assert run(asked("--specs", "specs.toml", "-o", "curve.html")).code == 0
    page = (small / "curve.html").read_text()
    assert "good &gt; poor" in page
    assert "fetch(" not in page.split("plotly", 1)[0]


def test_specifications_that_fit_are_saved_and_read_again(run: Run, small: Path) -> None:
    first = run(asked("--save-specs", "own.toml"))
    assert first.code == 0
    assert run(asked("--specs", "own.toml")).out == first.out
    again = run(asked("--save-specs", "own.toml"))
    assert (again.code, "own.toml: expected a new file" in again.err) == (1, True)


def test_specifications_are_never_overwritten(run: Run, specs: Path) -> None:
    ran = run(asked("--specs", "specs.toml", "-o", "specs.toml", "--force"))
    assert (ran.code, specs.read_text()) == (1, SPECS)


def test_mistakes_are_reported_with_their_place(run: Run, specs: Path) -> None:
    assert "did you mean poor?" in run(asked("--specs", "specs.toml", text="good > pour")).err
    assert run(asked("--specs", "none.toml")).code == 1
    assert run(asked("--specs", "specs.toml", text="good")).err.startswith("evalcore: expected a claim such as")
    specs.write_text(SPECS.replace("0.5", '"x"'))
    ran = run(asked("--specs", "specs.toml"))
    assert (ran.code, "choice 'persistence': x is left out for RBP" in ran.err) == (0, True)


@pytest.mark.parametrize("resamples", ["1", "0", "-5", "999999999999"])
def test_invalid_numbers_of_resamples_are_refused(run: Run, specs: Path, resamples: str) -> None:
    ran = run(asked("--specs", "specs.toml", "--resamples", resamples))
    assert ran.code == 1
    assert re.search(r"expected [12] to 250,000,000 (resamples|permutations) of 2 topics", ran.err)


@pytest.mark.parametrize(
    ("text", "won", "code"),
    [("good > poor", 8, 0), ("good > poor", 5, 3), ("poor > good", 8, 4), ("poor > good", 3, 3)],
)
def test_with_must_hold_the_exit_code_gives_the_verdict(run: Run, small: Path, text: str, won: int, code: int) -> None:
    """On each of eight topics, one system ranks the relevant document above the other document, after 0 to 2 others."""
    for name, other in (("good", "poor"), ("poor", "good")):
        empty = ["".join(f"t{at} Q0 none{rank} {rank} {9 - rank} x\n" for rank in range(1, at % 4)) for at in range(8)]
        lines = [f"{empty[at]}t{at} Q0 {name} 6 2 x\nt{at} Q0 {other} 7 1 x\n" for at in range(8)]
        (small / "runs" / f"{name}.txt").write_text("".join(lines))
    for labels in ("qrels.txt", "qread.txt"):
        (small / labels).write_text("".join(f"t{at} 0 {'good' if at < won else 'poor'} 1\n" for at in range(8)))
    (small / "one.toml").write_text('[[choice]]\nname = "measure"\nmeasures = ["RBP(rho=0.5)"]\n')
    must, free = (run(asked("--specs", "one.toml", *more, text=text)) for more in (("--must", "hold"), ()))
    assert (must.code, free.code) == (code, 0)
    assert must.out == free.out


def test_markdown_is_the_verdict_over_a_table(run: Run, specs: Path) -> None:
    first, _, head, rule, *rows = run(asked("--specs", "specs.toml", "-f", "markdown")).lines
    assert first.startswith("**good > poor ")
    assert first.endswith(".**")
    assert head.count("|") == rule.count("|") == rows[0].count("|")
