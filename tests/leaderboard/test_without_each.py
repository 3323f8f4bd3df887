"""Leaving out each topic at once gives the same as leaving it out by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalcore.direction import directed
from evalcore.leaderboard import aggregate_of

TEXTS = ("Mean()", "Median()", "Standardised()", "WinRate()", "Borda()", "BradleyTerry(prior=0.5)")
RANDOM = np.random.default_rng(4)
GAPS = pd.DataFrame(RANDOM.random((9, 6)).round(1), index=[str(at) for at in range(9)]).mask(
    RANDOM.random((9, 6)) < 0.2
)
ONCE = GAPS.mask((GAPS.index != "0")[:, None] & (np.arange(6) == 1))  # the second has one score at most


@pytest.mark.parametrize("by", TEXTS)
@pytest.mark.parametrize("scores", [GAPS, directed(GAPS, "low"), ONCE], ids=["gaps", "low is good", "one score"])
def test_each_topic_left_out(by, scores):
    aggregate = aggregate_of(by)
    by_hand = np.array([aggregate.of(scores.drop(index=topic)) for topic in scores.index])
    np.testing.assert_allclose(aggregate.without_each(scores), by_hand, atol=1e-9)


def test_infinite_scores_are_left_out_one_by_one():
    scores = pd.DataFrame({"a": [np.inf, 0.5, 0.2], "b": [0.1, 0.2, 0.3]})
    assert aggregate_of("Mean()").without_each(scores)[:, 0].tolist() == [pytest.approx(0.35), np.inf, np.inf]


def test_a_weighted_mean():
    scores = pd.DataFrame({"a": [0.2, 0.4, 0.9]}, index=["t1", "t2", "t3"])
    left = aggregate_of("Mean(weights={'t3': 3})").without_each(scores)[:, 0]
    np.testing.assert_allclose(left, [(0.4 + 2.7) / 4, (0.2 + 2.7) / 4, 0.3])


@pytest.mark.parametrize("by", ["ByGroup()", "ByGroup(Borda())", "ByGroup(Mean(), across=Median())"])
def test_of_groups_one_of_which_is_a_single_topic(by):
    groups = {topic: "ab"[int(topic) % 2] for topic in GAPS.index} | {"3": "alone"}
    aggregate = aggregate_of(by)
    by_hand = np.array([aggregate.of(GAPS.drop(index=topic), groups) for topic in GAPS.index])
    np.testing.assert_allclose(aggregate.without_each(GAPS, groups), by_hand, atol=1e-9)
