"""`evalcore aggregate`: the library's numbers, gaps, and errors that say what was expected."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli.conftest import ROOT, Run

import evalcore as ec

HEALTH = str(ROOT / "sample_data" / "health")
TABLE = "topic,a,b,c\nt1,0.9,0.5,0.1\nt2,,0.5,0.3\nt3,0.2,0.4,0.3\nt4,0.8,0.1,\n"


@pytest.fixture
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """A table with two gaps, in the folder that the command is called in."""
    monkeypatch.chdir(tmp_path)
    Path("AP.csv").write_text(TABLE)
    Path("groups.csv").write_text("topic,group\nt1,web\nt2,web\nt3,news\nt4,news\n")
    return ec.load_scores("AP.csv", "leave-out")["AP"]


def table(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text))


@pytest.mark.parametrize("by", ["Mean()", "Borda()", "BradleyTerry(prior=0.1)", "Median()"])
def test_numbers_are_those_of_the_library(scores, run: Run, by: str) -> None:
    found = table(run(["aggregate", "--scores", "AP.csv", "--by", by, "-f", "csv"]).out).set_index("system")
    np.testing.assert_allclose(found["estimate"], ec.aggregate(scores, by)[found.index])
    assert found["missing"].to_dict() == {"a": 1, "b": 0, "c": 1}
    assert list(found["rank"]) == sorted(found["rank"])


def test_a_collection_has_its_scores_aggregated(run: Run) -> None:
    found = table(run(f"aggregate {HEALTH} -m AP --by WinRate -f csv").out).set_index("system")
    expected = ec.aggregate(ec.evaluate("AP", ec.load(HEALTH)), "WinRate")
    np.testing.assert_allclose(found["estimate"], expected[found.index])


def test_gaps_are_filled_as_asked(scores, run: Run) -> None:
    found = table(run("aggregate --scores AP.csv --gaps Fixed -f csv").out).set_index("system")["estimate"]
    np.testing.assert_allclose(found[["a", "b", "c"]], [(0.9 + 0.2 + 0.8) / 4, 1.5 / 4, 0.7 / 4])


def test_every_rule_for_gaps_has_its_order(scores, run: Run) -> None:
    found = table(run("aggregate --scores AP.csv --show gaps -f csv").out).set_index("system")
    expected = ec.gap_effects(scores).loc[found.index]
    assert list(found.columns) == list(expected.columns)
    np.testing.assert_array_equal(found, expected)


def test_groups_are_read_from_a_table(scores, run: Run) -> None:
    line = ["aggregate", "--scores", "AP.csv", "--by", "ByGroup()", "--groups", "groups.csv", "-f", "csv"]
    found = table(run(line).out).set_index("system")["estimate"]
    assert found["a"] == pytest.approx((0.9 + (0.2 + 0.8) / 2) / 2)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("--by Borde", "did you mean Borda"),
        ("--gaps Zero", "expected"),
        ("--show pairs", "invalid choice"),
        ("--by ByGroup", "expected groups"),
        ("--level 2", "between 0 and 1"),
    ],
)
def test_impossible_options_are_refused(scores, run: Run, more: str, message: str) -> None:
    ran = run(f"aggregate --scores AP.csv {more}")
    assert ran.code != 0
    assert message in ran.err
