"""Intervals of agreement hold and verdicts of favour err as often as is said, on a small part of what is published."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from benchmarks.coverage.judges import FIELDS, JUDGES, coverage, coverage_on_topics, favoured, invented

TRIALS, DOUBT = 60, 1e-4  # a right product fails in one of 10,000 runs with other seeds


def fewest(share: float, trials: int) -> int:
    """The fewest that intervals may hold, if each does with this probability."""
    return int(binom.ppf(DOUBT, trials, share))


@pytest.mark.slow
@pytest.mark.parametrize("judges", JUDGES, ids=lambda one: one.name)
@pytest.mark.parametrize("topics", [5, 10])
def test_intervals_of_agreement_hold_the_value_over_all_topics(judges, topics) -> None:
    for measured in coverage(invented(judges, 500), topics, TRIALS, seed=1):
        if measured.what not in ("grades", "cells"):  # several in each trial, which depend on each other
            assert measured.times >= fewest(0.93, measured.trials), measured


@pytest.mark.slow
@pytest.mark.parametrize("judges", JUDGES, ids=lambda one: one.name)
def test_intervals_on_a_topic_hold_what_it_has_in_the_long_run(judges) -> None:
    for measured in coverage_on_topics(judges, TRIALS, seed=2):
        assert measured.times >= fewest(0.93, measured.trials), measured


@pytest.mark.slow
@pytest.mark.parametrize("errs", [False, True])
def test_a_judge_without_favour_is_accused_at_the_stated_rate(errs) -> None:
    measured = favoured(FIELDS[0], errs, 20, seed=3)
    assert measured.times <= binom.isf(DOUBT, measured.trials, 0.06)


def test_a_judge_that_likes_a_team_much_is_found() -> None:
    assert favoured(FIELDS[0], True, 10, seed=4, likes=0.7).times >= 9
