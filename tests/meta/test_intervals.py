"""Intervals of correlations of the true rankings: they contain the estimate, and are refused if none is valid."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.coverage.cells import Cell, simulate
from benchmarks.coverage.populations import two_measures
from benchmarks.coverage.rankings import correlations, topic_by_topic
from evalcore.meta import (
    CORRELATIONS,
    Interval,
    bootstrap_interval,
    correlation_intervals,
    correlation_matrix,
    tau,
    topic_resamples,
)
from evalcore.meta import ranking_doubt as doubt
from evalcore.meta.intervals import sampled_means


def frame(seed: int, topics: int = 24, systems: int = 7, spread: float = 0.3) -> pd.DataFrame:
    """Make systems that differ by more than the noise of topics."""
    random = np.random.default_rng(seed)
    values = random.normal(0, 0.2, (topics, systems)) + spread * np.arange(systems)
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


def equal(seed: int, systems: int = 20) -> pd.DataFrame:
    return frame(seed, systems=systems, spread=0.0)


X, Y = frame(1, spread=0.1), frame(2, spread=0.1).iloc[:, ::-1].set_axis(frame(2).columns, axis=1)


@pytest.mark.parametrize("correlation", CORRELATIONS.values(), ids=lambda c: c.name)
def test_half_width_and_percentiles_equal_a_loop_over_resamples(correlation):
    """Half of the resamples give the percentiles; the others, with part of their noise, give the standard deviation."""
    x, y = sampled_means(X, counts := topic_resamples(24, 40, 8)), sampled_means(Y, counts)
    whole, little = [], []
    for at, drawn in enumerate(counts):
        means = [one.iloc[np.repeat(np.arange(24), drawn)].mean() for one in (X, Y)]
        if at % 2 == 0:
            whole.append(correlation(*means))
        else:
            part = doubt.LITTLE * np.sqrt(24 / 23)
            little.append(
                correlation(*(one.mean() + part * (m - one.mean()) for one, m in zip((X, Y), means, strict=True)))
            )
    assert correlation(x.whole, y.whole) == pytest.approx(whole)
    assert correlation(x.little, y.little) == pytest.approx(little)
    found = bootstrap_interval(correlation, X, Y, n_resamples=40, level=0.9, seed=8)
    half = (1 if correlation.top_heavy else doubt.SHARE) * scipy.stats.t.ppf(0.95, 23) * np.std(little) / doubt.LITTLE
    least, (low, high) = correlation.least, np.quantile(whole, [0.05, 0.95])
    assert found.low <= min(max(found.estimate - half, least), low) + 1e-9
    assert found.high >= max(min(found.estimate + half, 1), high) - 1e-9


@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(2, 30), st.floats(0, 0.3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_no_interval_leaves_out_its_estimate(seed, systems, topics, spread, ties):
    frames = [frame(seed + at, topics, systems, spread) for at in range(2)]
    x, y = (one.round(0) if ties else one for one in frames)
    for name, row in correlation_intervals(x, y, list(CORRELATIONS), 30, seed=seed).iterrows():
        assert (row["why"] == "") == (not np.isnan(row["low"])), name
        assert row["why"] or row["low"] <= row["estimate"] <= row["high"], name
        assert row["why"] or CORRELATIONS[str(name)].least <= row["low"] <= row["high"] <= 1 + 1e-12, name


@pytest.mark.parametrize(
    ("x", "y", "why"),
    [
        (frame(1, topics=9), frame(2, topics=9), doubt.FEW_TOPICS),
        (frame(1, systems=4), frame(2, systems=4), doubt.FEW_SYSTEMS),
        (equal(1), equal(2), doubt.NOISE),
        (frame(1, systems=20), equal(2), doubt.NOISE),
        (frame(1).replace(frame(1).to_numpy()[0, 0], np.inf), frame(2), doubt.INFINITE),
        (frame(1), frame(2) * 0, doubt.UNDEFINED),
    ],
)
def test_if_no_interval_is_valid_there_is_none_but_a_reason(x, y, why):
    found = bootstrap_interval(tau, x, y, n_resamples=30)
    assert np.isnan([found.low, found.high]).all()
    assert found.why == why


def test_groups_of_equal_systems_are_nearly_equal():
    """There are two distant groups of ten equal systems: the means differ, but half of the pairs are equal."""
    far = np.repeat([0.0, 3.0], 10)
    x, y = equal(1) + far, equal(2) + far
    assert bootstrap_interval(tau, x, y, n_resamples=30).why in (doubt.NEARLY_EQUAL, "")
    assert sampled_means(x, topic_resamples(24, 4, 0)).equal > 0.25


def test_many_variants_of_few_systems_count_as_few_systems():
    """Four systems have six variants each, with nearly the same noise: the 24 systems count as 4."""
    few, own = frame(1, topics=50, systems=4, spread=1.0), frame(2, topics=50, systems=24, spread=0.0)
    x = own * 0.05 + np.repeat(few.to_numpy(), 6, axis=1)
    assert sampled_means(x, topic_resamples(50, 4, 0)).apart < 5
    assert bootstrap_interval(tau, x, x + 0.01 * own, n_resamples=30).why == doubt.TOGETHER


def test_systems_with_independent_noise_count_separately():
    """The correlation that few topics show by chance is subtracted."""
    for topics in (10, 50):
        counted = sampled_means(frame(1, topics=topics, systems=40), topic_resamples(topics, 4, 0)).apart
        assert counted == pytest.approx(40, rel=0.15)


def test_if_the_top_systems_are_tied_a_top_heavy_correlation_has_no_interval():
    x, y = frame(1, topics=40, systems=30), frame(2, topics=40, systems=30)
    x.iloc[:, 20:] = 20.0  # the ten best
    assert bootstrap_interval(CORRELATIONS["rbo"], x, y, n_resamples=30).why == doubt.TIED
    assert bootstrap_interval(tau, x, y, n_resamples=30).why == ""


def test_the_correlation_of_a_measure_with_itself_is_certain():
    assert bootstrap_interval(tau, frame(1), frame(1), n_resamples=50) == Interval(1.0, 1.0, 1.0, 0)
    assert bootstrap_interval(tau, equal(1), equal(1), n_resamples=50) == Interval(1.0, 1.0, 1.0, 0)


def test_a_measure_and_its_rescaling_correlate_for_certain_if_systems_differ():
    found = bootstrap_interval(tau, frame(1), 100 * frame(1), n_resamples=50)
    assert (found.estimate, found.low, found.high) == (1, 1, 1)


def test_given_counts_are_the_resamples():
    counts = topic_resamples(24, 100, seed=5)
    assert bootstrap_interval(tau, X, Y, counts=counts) == bootstrap_interval(tau, X, Y, n_resamples=100, seed=5)


def test_resamples_without_a_value_are_left_out_and_counted():
    x = pd.DataFrame({"a": [1.0, 0.0], "b": [0.0, 0.0]})
    counts = [[1, 1], [2, 0], [0, 2], [2, 0]]  # the third draws only the topic on which all systems are equal
    assert bootstrap_interval(tau, x, x, counts=counts) == Interval(1.0, 1.0, 1.0, 1)


def test_an_undefined_correlation_has_no_interval():
    x = pd.DataFrame({"a": [1.0, 0.0], "b": [1.0, 0.0]})
    interval = bootstrap_interval(tau, x, x, n_resamples=5)
    assert np.isnan([interval.estimate, interval.low, interval.high]).all()
    assert (interval.undefined, interval.why) == (5, doubt.UNDEFINED)


def test_the_interval_of_an_unknown_function_is_not_cut_off_at_1():
    found = bootstrap_interval(lambda x, y: 10 * np.asarray(tau(x, y)), X, Y, n_resamples=30)
    assert found.low <= found.estimate <= found.high
    assert found.high - found.low > 1


def test_the_error_for_unusable_input_names_what_was_expected_and_found():
    x = frame(1)
    with pytest.raises(ValueError, match="every topic once, found more than once: t0"):
        bootstrap_interval(tau, x.rename(index={"t1": "t0"}), x)
    with pytest.raises(ValueError, match=r"counts of resamples x 24 topics, found shape \(5, 11\)"):
        bootstrap_interval(tau, x, x, counts=np.ones((5, 11)))
    with pytest.raises(ValueError, match="level between 0 and 1, both excluded, found 95"):
        bootstrap_interval(tau, x, x, level=95)


def test_correlation_intervals_equal_the_intervals_one_by_one():
    table = correlation_intervals(X, Y, list(CORRELATIONS), n_resamples=50, seed=3)
    for name, row in table.iterrows():
        interval = bootstrap_interval(CORRELATIONS[str(name)], X, Y, 50, seed=3)
        assert row.tolist() == [interval.estimate, interval.low, interval.high, interval.undefined, interval.why]


@pytest.mark.parametrize("name", CORRELATIONS)
def test_the_matrix_has_the_intervals_of_its_pairs(name):
    scores = {"x": X, "y": Y, "flat": frame(5) * 0, "z": frame(3)}
    matrix = correlation_matrix(scores, name, n_resamples=50, seed=3)
    assert matrix.intervals
    for test in scores:
        for reference in scores:
            interval = bootstrap_interval(CORRELATIONS[name], scores[test], scores[reference], 50, seed=3)
            found = [getattr(matrix.intervals, part).loc[test, reference] for part in ("low", "high", "undefined")]
            assert found == pytest.approx([interval.low, interval.high, interval.undefined], nan_ok=True)
            assert matrix.intervals.why.loc[test, reference] == interval.why


@pytest.mark.slow
@pytest.mark.parametrize(("shared", "topics"), [(0.9, 20), (0.3, 20), (0.9, 60)])
def test_intervals_cover_the_correlation_of_the_true_rankings(shared, topics):
    """With a true coverage of 93%, fewer than 64 of 75 occur in under 1% of cases; percentiles cover only 10 to 75%."""
    population = two_measures(30, 0.015, 0.9, shared=shared, seed=11)
    (found,) = simulate(Cell(correlations(("tau",), 200), population, topics), trials=75, seed=1)
    assert found.trials > 60
    assert found.bounds[1] > 0.93


def test_the_mean_over_topics_is_covered():
    (found,) = simulate(Cell(topic_by_topic, two_measures(12, 0.03, 0.9, seed=12), 20), trials=100, seed=1)
    assert found.trials == 100
    assert found.bounds[1] > 0.93
