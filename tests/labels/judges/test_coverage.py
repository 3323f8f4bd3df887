"""Intervals of agreement cover as often as stated, on a small part of the published simulations."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from benchmarks.coverage.cells import Cell, simulate
from benchmarks.coverage.labels import JUDGES, OneTopic, agreement, agreement_on_a_topic, invented

TRIALS, DOUBT = 60, 1e-4  # correct code fails in one of 10,000 runs with other seeds


def fewest(share: float, trials: int) -> int:
    """Return the smallest plausible number of intervals that cover, if each does with this probability."""
    return int(binom.ppf(DOUBT, trials, share))


@pytest.mark.slow
@pytest.mark.parametrize("judges", JUDGES, ids=lambda one: one.name)
@pytest.mark.parametrize("topics", [5, 10])
def test_intervals_of_agreement_contain_the_value_over_all_topics(judges, topics) -> None:
    for measured in simulate(Cell(agreement, invented(judges, 500), topics), TRIALS, seed=1):
        assert measured.times >= fewest(0.93, measured.trials), measured


@pytest.mark.slow
@pytest.mark.parametrize("judges", JUDGES, ids=lambda one: one.name)
def test_intervals_on_a_topic_contain_its_long_run_value(judges) -> None:
    for documents in (30, 100, 300):
        for measured in simulate(Cell(agreement_on_a_topic, OneTopic(judges, documents), 1), TRIALS, seed=2):
            assert measured.times >= fewest(0.93, measured.trials), measured
