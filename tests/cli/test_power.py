"""`evalcore power`."""

from __future__ import annotations

import json

import pytest
from cli.conftest import ROOT, Refused, Run

import evalcore as ec

HEALTH = str(ROOT / "sample_data" / "health")


def test_the_deviation_is_estimated_from_the_scores(run: Run) -> None:
    (row,) = json.loads(run(f"power {HEALTH} -m AP --difference 0.05 -f json").out)
    scores = ec.evaluate("AP", ec.load(HEALTH))
    sd = ec.difference_sd(scores)
    assert (row["measure"], row["sd"], row["topics"]) == ("AP", sd, 40)
    assert row["power"] == ec.power(40, 0.05 / sd)
    assert row["topics_needed"] == ec.topics_needed(0.05 / sd)
    assert row["topics_for_interval"] == ec.topics_for_interval(0.05 / sd)


def test_without_scores_the_deviation_is_given(run: Run) -> None:
    (row,) = json.loads(run("power --difference 0.1 --sd 0.2 -f json").out)
    assert row["topics_needed"] == 34  # effect .5: see tests/meta/test_topics_needed.py
    assert "power" not in row


@pytest.mark.parametrize(("line", "complaint"), [
    ("power --sd 0.2", "expected --difference D, found none"),
    ("power --difference 0.1", "expected a collection, --scores FILE or --sd S, found none"),
    (f"power {HEALTH} --difference 0.1 --sd 0.2", "expected a collection, --scores FILE or --sd S, found both"),
    ("power --difference 0.1 --sd 0", "--sd: expected a number above 0, found 0"),
])  # fmt: skip
def test_what_makes_no_design_is_refused(refused: Refused, line: str, complaint: str) -> None:
    refused(line, 2, complaint)
