"""Correlations and tests of significance against scipy, on thousands of random pairs of lists, to 1e-9.

| ours | scipy | difference |
|---|---|---|
| `tau`, `spearman` | kendalltau, spearmanr | here scores that differ by the rounding of a sum are tied |
| `tau`, `spearman`, `pearson` | the same | a side without any difference: nan in both; scipy also warns |
| `compare_systems`: t, its p and interval | ttest_rel | all differences equal: not compared, scipy warns |
| `permutation_p` | permutation_test, all sign flips | none |
| `corrected`, Benjamini-Hochberg | false_discovery_control | none |
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import evalcore as ec
from evalcore.meta.significance import corrected

EXACT = 1e-9
PAIRS = 2000
KINDS: tuple[Callable[[np.random.Generator, int], Any], ...] = (
    lambda random, count: random.random(count),
    lambda random, count: random.integers(0, 3, count) / 4,  # ties
    lambda random, count: random.integers(0, 2, count),
    lambda random, count: np.full(count, random.random()),  # nothing but a tie
    lambda random, count: np.where(np.arange(count) == 0, 1.0, 0.0),
    lambda random, count: -random.random(count),
    lambda random, count: random.random(count) * 1e150,
    lambda random, count: random.random(count) * 1e-150,
    lambda random, count: 1e6 + random.integers(0, 5, count),
    lambda random, count: np.arange(count)[::-1] / 7,
)


def pairs() -> Iterator[tuple[Any, Any]]:
    """Scores of 2 to 12 systems under two measures."""
    random = np.random.default_rng(1)
    for _ in range(PAIRS):
        count = int(random.integers(2, 13))
        x, y = (KINDS[kind](random, count) for kind in random.integers(0, len(KINDS), 2))
        yield x, y


def by_scipy(function: Callable[..., Any], x: Any, y: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a side is constant
        return float(function(x, y).statistic)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(ec.tau, stats.kendalltau), (ec.spearman, stats.spearmanr), (ec.pearson, stats.pearsonr)]
)
def test_correlations(ours, theirs):
    compared = defined = 0
    for x, y in pairs():
        found, expected = ours(x, y), by_scipy(theirs, x, y)
        assert found == pytest.approx(expected, abs=EXACT, nan_ok=True), (x, y)
        compared, defined = compared + 1, defined + int(not np.isnan(expected))
    assert compared == PAIRS
    assert defined > PAIRS / 2


@pytest.mark.parametrize(("ours", "theirs"), [(ec.tau, stats.kendalltau), (ec.spearman, stats.spearmanr)])
def test_scores_that_differ_by_rounding_are_tied(ours, theirs):
    x, y = [0.1 + 0.2, 0.3, 0.5, 0.7], [0.2, 0.1, 0.3, 0.4]
    assert ours(x, y) == pytest.approx(by_scipy(theirs, np.round(x, 12), y), abs=EXACT)
    assert ours(x, y) != pytest.approx(by_scipy(theirs, x, y), abs=EXACT)


@pytest.mark.parametrize(("name", "theirs"), [("tau", stats.kendalltau), ("spearman", stats.spearmanr)])
def test_a_matrix_holds_scipys_correlation_of_every_two_measures(name, theirs):
    random = np.random.default_rng(2)
    frames = {text: pd.DataFrame(random.integers(0, 4, (5, 7)) / 4) for text in "abcdef"}
    values = ec.correlation_matrix(frames, name, over="topics").values
    for a, b in [("a", "b"), ("c", "f"), ("e", "d")]:
        by_topic = [by_scipy(theirs, frames[a].loc[topic], frames[b].loc[topic]) for topic in range(5)]
        assert values.loc[a, b] == pytest.approx(np.nanmean(by_topic), abs=EXACT)


def scores_of_two() -> Iterator[tuple[Any, Any]]:
    """Scores of two systems on 2 to 12 topics, as measures give them: with topics on which they are equal."""
    random = np.random.default_rng(3)
    for _ in range(400):
        count = int(random.integers(2, 13))
        x = random.choice([random.random(count), random.integers(0, 5, count) / 4])
        y = np.where(random.random(count) < 0.3, x, random.random(count))
        yield x, y


def test_the_paired_t_test():
    compared = 0
    for x, y in scores_of_two():
        if np.ptp(x - y) > 0:
            pair = ec.compare_systems(pd.DataFrame({"x": x, "y": y}), "x", "y", n_resamples=1, level=0.9)
            expected = stats.ttest_rel(x, y)
            interval = expected.confidence_interval(0.9)
            found = (pair.t, pair.p_t, pair.low, pair.high)
            assert found == pytest.approx((expected.statistic, expected.pvalue, interval.low, interval.high), rel=EXACT)
            compared += 1
    assert compared > 350


def test_the_permutation_test_over_all_flips_of_sign():
    compared = 0
    for x, y in scores_of_two():
        if len(x) < 9:  # 256 flips
            expected = stats.permutation_test((x - y,), np.mean, permutation_type="samples", n_resamples=2 ** len(x))
            assert ec.permutation_p(x - y) == (pytest.approx(expected.pvalue, abs=EXACT), True)
            compared += 1
    assert compared > 150


def test_benjamini_hochberg():
    random = np.random.default_rng(4)
    for count in range(1, 200):
        p = random.choice([0.0, 1.0, 0.01, 0.05, *random.random(3)], count)
        assert corrected(p, "Benjamini-Hochberg") == pytest.approx(stats.false_discovery_control(p), abs=EXACT)
