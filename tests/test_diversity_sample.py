"""The sample collection `diversity/`: what make_diversity.py writes, and the facts in sample_data/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

import evalcore as ec
from sample_data.make_diversity import make

DIVERSITY = Path(__file__).parents[1] / "sample_data" / "diversity"


@pytest.fixture(scope="module")
def diversity() -> ec.Collection:
    return ec.load(DIVERSITY)


def test_make_diversity_writes_the_committed_files():
    assert {name: (DIVERSITY / name).read_text() for name in make()} == make()


def test_its_size(diversity):
    assert (len(diversity.systems), len(diversity.topics)) == (12, 24)
    counts = diversity.subtopics.groupby("topic")["subtopic"].nunique()
    assert (counts.min(), counts.max()) == (3, 5)


def test_who_is_first_is_a_matter_of_meanings(diversity):
    by_grade, by_meaning = (ec.evaluate(one, diversity).mean() for one in ("nDCG@10", "alphanDCG@10"))
    assert (ec.meta.winner(by_grade), ec.meta.winner(by_meaning)) == ("shop_large", "spread_base")
    assert ec.tau(by_grade, by_meaning) == pytest.approx(-0.18, abs=0.005)


def test_taking_turns_finds_every_meaning(diversity):
    found = ec.evaluate("STREC@5", diversity).mean()
    assert set(found[found == 1].index) == {"spread_small", "spread_base", "spread_large"}
