"""`evalcore judges`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest
from cli.conftest import ROOT, Refused, Run
from judges.made import judged, team

from evalcore.cli import judges
from evalcore.judges import (
    circularity,
    favour,
    judge_errors,
    noise_curve,
    source_rankings,
)

HEALTH = str(ROOT / "sample_data" / "health")
ADAPTED = "judges anywhere -m RBP --resamples 30"


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch):
    """The command opens a collection with two judges, one of whom likes a team."""
    collection = judged(1, "ben", 0.6)
    monkeypatch.setattr(judges, "open_collection", lambda _: collection)
    return collection


def table(run: Run, line: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(run(f"{line} -f csv").out))


@pytest.mark.parametrize("way", ["--reranked-by b", "--errors-of b", "--favour b"])
def test_one_source_is_refused(small: Path, refused: Refused, way: str) -> None:
    refused(f"judges . -m AP {way}", 1, "expected several sources of labels of relevance, found one")


def test_the_top_is_that_of_the_library(run: Run, two) -> None:
    found = table(run, f"{ADAPTED} --top 5 --correction none")
    expected = source_rankings("RBP", two).top("nist", "b", [5], correction="none")
    row = found.iloc[0].to_dict()
    assert {name: row[name] for name in expected} == pytest.approx(expected.loc[5].to_dict())
    assert [row[name] for name in ("k", "winner", "rank_of_winner")] == [5, *list(expected.attrs.values())[:2]]


def test_reranking_and_errors_are_those_of_the_library(run: Run, two) -> None:
    found = table(run, f"{ADAPTED} --reranked-by b").set_index("depth")
    expected = circularity("RBP", two, "b")
    pd.testing.assert_frame_equal(found[list(expected)], expected, check_dtype=False)
    errors = table(run, f"{ADAPTED} --errors-of b")
    assert errors["bias"].tolist() == pytest.approx(judge_errors("RBP", two, "b")["bias"].tolist())


def test_pairs_are_those_of_the_library_and_the_first_are_named(run: Run, two) -> None:
    found, expected = table(run, ADAPTED), source_rankings("RBP", two, n_resamples=30).pairs
    found["no_interval"] = found["no_interval"].astype(object).fillna("")
    pd.testing.assert_frame_equal(found[expected.columns], expected, check_dtype=False)
    notes = run(ADAPTED).err
    assert "First by RBP(rho=0.8), labels of nist: " in notes
    assert "First by RBP(rho=0.8), labels of b: " in notes


def test_ranks_by_system_are_those_of_the_library(run: Run, two) -> None:
    found = table(run, f"{ADAPTED} --by-system --sources b nist union")
    expected = source_rankings("RBP", two, ["b", "nist", "union"]).ranks
    assert found.set_index("system")[["b", "nist", "union", "most"]].to_dict() == expected.to_dict()


def test_favour_is_that_of_the_library(run: Run, two) -> None:
    found = table(run, f"{ADAPTED} --favour b --seed 3").set_index("system")
    expected = favour("RBP", two, "b", n_permutations=30, seed=3).table
    pd.testing.assert_frame_equal(found[expected.columns], expected, check_dtype=False, check_index_type=False)


def test_groups_of_favour_are_those_of_names(run: Run, two) -> None:
    found = table(run, f"{ADAPTED} --favour b --groups names --reference-is-right").set_index("group")
    groups = {name: team(name) for name in two.systems}
    expected = favour("RBP", two, "b", groups=groups, beside_quality=False, n_permutations=30).groups
    assert expected is not None
    assert found["favour"].to_dict() == pytest.approx(expected["favour"].to_dict())


def test_noise_is_that_of_the_library_and_takes_one_source(run: Run) -> None:
    line = f"judges {HEALTH} -m nDCG@10 --noise any --levels 0.1 0.4 --draws 5 --seed 2"
    found = json.loads(run(f"{line} -f json").out)
    import evalcore as ec

    curve = noise_curve("nDCG@10", ec.load(HEALTH), "any", levels=[0.1, 0.4], n_draws=5, seed=2)
    assert [row["tau"] for row in found] == pytest.approx(curve.table["tau"].tolist())
    assert found[0]["kept_up_to"] == pytest.approx(curve.level_where(0.9))


@pytest.mark.parametrize(
    ("line", "code", "complaint"),
    [
        ("judges", 2, "expected a collection, found none"),
        (
            f"judges {HEALTH} -m 'AP(aspect=\"credibility\")'",
            1,
            "expected at least two different sources of labels that AP",
        ),
        (
            f"judges {HEALTH} -m 'AP(aspect=\"credibility\")' --favour llm",
            1,
            "expected several sources of labels of credibility, found one",
        ),
        (f"judges {HEALTH} -m AP --groups names", 2, "expected them with --favour JUDGE"),
        (f"judges {HEALTH} -m AP --favour b --groups maker", 2, "--groups: expected one of names, found 'maker'"),
        (f"judges {HEALTH} -m AP --noise any --sources a b", 2, "expected two names with --noise as-measured"),
        (f"judges {HEALTH} -m AP --noise any --levels 2", 1, "expected levels from 0 to 1, found 2.0"),
        (f"judges {HEALTH} -m AP --noise any --labels-of fog", 1, "expected an aspect that AP reads"),
    ],
)
def test_what_makes_no_sense_is_refused(refused: Refused, line: str, code: int, complaint: str) -> None:
    refused(line, code, complaint)
