from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.meta import (
    CORRELATIONS,
    Interval,
    bootstrap_interval,
    resampled_means,
    tau,
    tau_ap,
    topic_resamples,
)


def frame(seed: int, topics: int = 12, systems: int = 6) -> pd.DataFrame:
    values = np.random.default_rng(seed).random((topics, systems))
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


@given(st.integers(1, 30), st.integers(1, 20), st.integers(0, 2**32))
def test_every_resample_holds_as_many_topics(n_topics, n_resamples, seed):
    counts = topic_resamples(n_topics, n_resamples, seed)
    assert counts.shape == (n_resamples, n_topics)
    assert (counts >= 0).all()
    assert (counts.sum(axis=1) == n_topics).all()


@pytest.mark.parametrize("n_resamples", [10**8, 10**25, 10**400])
def test_more_resamples_than_memory_holds_are_refused(n_resamples):
    with pytest.raises(ValueError, match="expected at most 12,500,000 resamples of 40 topics, found 1"):
        topic_resamples(40, n_resamples, seed=0)


def test_one_topic_gives_no_interval():
    found = bootstrap_interval(tau, frame(1, topics=1), frame(2, topics=1), n_resamples=9)
    assert np.isfinite(found.estimate)
    assert np.isnan([found.low, found.high]).all()


def test_the_seed_decides():
    assert (topic_resamples(9, 5, 1) == topic_resamples(9, 5, 1)).all()
    assert (topic_resamples(9, 5, 1) != topic_resamples(9, 5, 2)).any()


def test_every_topic_is_as_likely():
    assert topic_resamples(5, 20_000, 0).mean(axis=0) == pytest.approx([1] * 5, abs=0.03)


def test_means_equal_drawing_the_topics_one_by_one():
    scores, counts = frame(1), topic_resamples(12, 7, 3)
    for row, drawn in zip(resampled_means(scores, counts), counts, strict=True):
        assert row == pytest.approx(scores.to_numpy()[np.repeat(np.arange(12), drawn)].mean(axis=0))


@pytest.mark.parametrize("correlation", CORRELATIONS.values(), ids=lambda c: c.name)
def test_interval_equals_a_loop_over_resamples(correlation):
    x, y = frame(1), frame(1) + 0.3 * frame(2)
    values = []
    for drawn in topic_resamples(12, 40, seed=8):
        topics = np.repeat(np.arange(12), drawn)
        values.append(correlation(x.iloc[topics].mean(), y.iloc[topics].mean()))
    interval = bootstrap_interval(correlation, x, y, n_resamples=40, level=0.9, seed=8)
    assert interval.estimate == pytest.approx(correlation(x.mean(), y.mean()))
    assert [interval.low, interval.high] == pytest.approx(list(np.quantile(values, [0.05, 0.95])))
    assert interval.undefined == 0


def test_given_counts_are_the_resamples():
    x, y = frame(1), frame(2)
    counts = topic_resamples(12, 100, seed=5)
    assert bootstrap_interval(tau, x, y, counts=counts) == bootstrap_interval(tau, x, y, n_resamples=100, seed=5)


def test_topics_and_systems_are_matched_by_label():
    x, y = frame(1), frame(2)
    shuffled = y.sample(frac=1, random_state=1).sample(frac=1, random_state=2, axis="columns")
    assert bootstrap_interval(tau_ap, x, shuffled, seed=3) == bootstrap_interval(tau_ap, x, y, seed=3)


def test_a_wider_level_gives_a_wider_interval_around_the_same_estimate():
    x, y = frame(1), frame(1) + 0.3 * frame(2)
    narrow, wide = (bootstrap_interval(tau, x, y, level=level) for level in (0.5, 0.99))
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide.estimate == narrow.estimate


def test_a_measure_against_itself_is_certain():
    assert bootstrap_interval(tau, frame(1), frame(1), n_resamples=50) == Interval(1.0, 1.0, 1.0, 0)


def test_resamples_without_a_value_are_left_out_and_counted():
    x = pd.DataFrame({"a": [1.0, 0.0], "b": [0.0, 0.0]})
    counts = [[1, 1], [2, 0], [0, 2]]  # the last one draws only the topic on which nobody differs
    assert bootstrap_interval(tau, x, x, counts=counts) == Interval(1.0, 1.0, 1.0, 1)


def test_no_value_at_all_is_nan():
    x = pd.DataFrame({"a": [1.0, 0.0], "b": [1.0, 0.0]})
    interval = bootstrap_interval(tau, x, x, n_resamples=5)
    assert np.isnan([interval.estimate, interval.low, interval.high]).all()
    assert interval.undefined == 5


def test_ties_survive_the_order_of_a_sum():
    """The same values on other topics: the means are equal, their floating point sums need not be."""
    values = [0.1, 0.2, 0.3, 0.7, 0.6, 0.1, 0.3]
    x = pd.DataFrame({"a": values, "b": values[::-1], "c": [0.0] * 7})
    y = pd.DataFrame({"a": [3.0] * 7, "b": [2.0] * 7, "c": [1.0] * 7})
    interval = bootstrap_interval(tau, x, y, counts=np.ones((3, 7)))
    assert interval.estimate == interval.low == interval.high == pytest.approx(2 / np.sqrt(6))


def test_unusable_input_says_what_was_expected_and_found():
    x = frame(1)
    with pytest.raises(ValueError, match="same topics on both sides, found only in x: t0; only in y: none"):
        bootstrap_interval(tau, x, x.drop(index="t0"))
    with pytest.raises(ValueError, match="same systems on both sides, found only in x: none; only in y: s5"):
        bootstrap_interval(tau, x.drop(columns="s5"), x)
    with pytest.raises(ValueError, match="every topic once, found more than once: t0"):
        bootstrap_interval(tau, x.rename(index={"t1": "t0"}), x)
    with pytest.raises(ValueError, match=r"counts of resamples x 12 topics, found shape \(5, 11\)"):
        bootstrap_interval(tau, x, x, counts=np.ones((5, 11)))
    with pytest.raises(ValueError, match="level between 0 and 1, both excluded, found 95"):
        bootstrap_interval(tau, x, x, level=95)
    with pytest.raises(ValueError, match="at least 1 topic and 1 resample, found 0 and 3"):
        topic_resamples(0, 3, 1)
