"""`evalcore label-next`."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest
from cli.conftest import ROOT, Run

import evalcore as ec
from evalcore.combining import labelling_curve

HEALTH = str(ROOT / "sample_data" / "health")
LINE = f"label-next {HEALTH} -m nDCG@10 --share 0.1 --seed 2"


def table(run: Run, line: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(run(f"{line} -f csv").out))


def test_documents_pairs_and_notes_are_those_of_the_library(run: Run, tmp_path: Path) -> None:
    expected = ec.label_next("nDCG@10", ec.load(HEALTH), aim="first", n=5, kept="KeptLabels(share=0.1, seed=2)")
    path = tmp_path / "next.qrels"
    found = table(run, f"{LINE} --decide first -n 5 --template {path}")
    assert found["document"].tolist() == expected.documents["document"].tolist()
    assert path.read_text() == expected.template()
    pairs = table(run, f"{LINE} --decide first --pairs")
    assert pairs["needed"].tolist() == expected.pairs["needed"].tolist()
    notes = run(f"{LINE} --decide first -n 5").err
    assert f"of 31 pairs {expected.decided} are decided with {expected.n_labels:,} human labels" in notes
    assert f"{expected.sure} would be if the model favoured nobody" in notes
    assert f"about {expected.needed:,} more labels decide all" in notes


def test_the_curve_is_that_of_the_library(run: Run) -> None:
    found = table(run, f"label-next {HEALTH} -m P@5 --curve -n 100")
    assert found["right"].tolist() == labelling_curve("P@5", ec.load(HEALTH), most=100)["right"].tolist()


def test_two_systems_are_an_aim(run: Run) -> None:
    assert len(table(run, f"{LINE} --decide bm25_base plain_fog --pairs")) == 1


@pytest.mark.parametrize(
    ("more", "code", "why"),
    [
        ("--decide nobody", 1, "expected an aim of order, first, or the names of two systems, found nobody"),
        (f"--template {HEALTH}/collection.toml", 1, "expected a name that is not taken, found a file"),
        ("-m AP --template x", 2, "--template: expected one measure, found 2"),
    ],
)
def test_what_cannot_be_is_refused(run: Run, more: str, code: int, why: str) -> None:
    ran = run(f"{LINE} {more}")
    assert (ran.code, why in ran.err) == (code, True)


def test_labels_that_came_back_are_counted_as_by_the_library(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "next.qrels"
    table(run, f"{LINE} -n 6 --template {path}")
    path.write_text(path.read_text().replace(" -1\n", " 1\n"))
    found = table(run, f"{LINE} --filled {path}")
    kept = "KeptLabels(share=0.1, seed=2)"
    expected = ec.combining.filled_labels("nDCG@10", ec.load(HEALTH), filled=path.read_text(), kept=kept)
    assert found["doubt"].tolist() == pytest.approx(expected.table["doubt"].tolist())
    assert f"How sure: {expected.in_words()}" in run(f"{LINE} --filled {path}").err
