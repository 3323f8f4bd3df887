"""Systems that lack topics (nan): means are over the topics of each, comparisons over shared topics.

Expected values come from the same function on a frame without gaps: the topics of a pair, or the systems of a topic.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import evalcore as ec
from evalcore.direction import with_gaps
from evalcore.meta import (
    bootstrap_interval,
    by_topic,
    compare_systems,
    correlation_matrix,
    discriminative_power,
    distinguished_pairs,
    needed_differences,
    paired_bootstrap,
    tau,
    topic_resamples,
    tukey_p,
)
from evalcore.meta.align import paired_frames
from evalcore.meta.intervals import sampled_means
from evalcore.meta.resampling import weighted_means

SYSTEMS, TOPICS = list("abcde"), [f"t{at}" for at in range(9)]


def gaps(seed: int = 0, share: float = 0.25) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Make two measures on systems, some of which lack topics; e lacks none."""
    random = np.random.default_rng(seed)
    lacking = random.random((len(TOPICS), len(SYSTEMS))) < share
    lacking[:, -1] = lacking[0] = lacking[1] = False
    frames = (pd.DataFrame(random.random(lacking.shape).round(2), TOPICS, SYSTEMS) for _ in range(2))
    x, y = (frame.mask(lacking) for frame in frames)
    assert 0 < lacking.sum() < lacking.size
    return x, y


def shared(frame: pd.DataFrame, *systems: str) -> pd.DataFrame:
    """Return the rows of topics that all of these systems have."""
    return frame[list(systems)].dropna()


@pytest.mark.parametrize("seed", range(5))
def test_a_pair_is_tested_on_the_topics_that_both_have(seed: int) -> None:
    x, _ = gaps(seed)
    pairs = paired_bootstrap(x, n_resamples=50, seed=3).pairs
    needed = needed_differences(x, 0.1, n_resamples=50, seed=3)["needed"]
    assert len(pairs) == 10
    assert pairs["topics"].nunique() > 1
    for row, need in zip(pairs.to_dict("records"), needed, strict=True):
        both = shared(x, row["system_a"], row["system_b"])
        alone = paired_bootstrap(both, n_resamples=50, seed=3).pairs.iloc[0]
        assert row == pytest.approx(alone.to_dict(), abs=1e-15)
        assert row["topics"] == len(both)
        assert row["p_t"] == pytest.approx(scipy.stats.ttest_rel(*both.to_numpy().T).pvalue)
        assert need == needed_differences(both, 0.1, n_resamples=50, seed=3)["needed"].iloc[0]


def test_two_chosen_systems_are_compared_on_the_topics_that_both_have() -> None:
    x, _ = gaps()
    pair, both = compare_systems(x, "a", "b", 50), shared(x, "a", "b")
    alone = compare_systems(both, "a", "b", 50)
    assert len(both) < len(x)
    assert pair.differences.equals(alone.differences)
    assert (pair.mean, pair.low, pair.p_t, pair.asl, pair.p_permutation, pair.g_z) == (
        alone.mean, alone.low, alone.p_t, alone.asl, alone.p_permutation, alone.g_z,
    )  # fmt: skip


def test_a_pair_with_fewer_than_two_topics_in_common_is_never_significant() -> None:
    nan = np.nan
    scores = pd.DataFrame({"a": [1.0, 1.0, nan, 0.9], "b": [nan, nan, 0.0, 0.1], "c": [0.1, 0.2, 0.3, 0.2]})
    pairs = paired_bootstrap(scores, n_resamples=20).pairs
    assert pairs["topics"].tolist() == [1, 3, 2]
    assert pairs[["t", "p_t", "asl"]].to_numpy().tolist()[0] == [0, 1, 1]
    assert pairs["difference"].isna().tolist() == [True, False, False]
    assert discriminative_power({"m": scores}, n_resamples=20)["pairs"].tolist() == [3]
    with pytest.raises(ValueError, match="at least 2 topics to test a difference, found 1"):
        compare_systems(scores, "a", "b")


def test_tukey_uses_the_topics_that_all_systems_have() -> None:
    x, _ = gaps()
    assert tukey_p(x, 30).equals(tukey_p(x.dropna(), 30))
    with pytest.raises(ValueError, match="expected a topic with scores of all systems, found none"):
        tukey_p(pd.DataFrame({"a": [1.0, np.nan], "b": [np.nan, 1.0]}))


def test_one_topic_is_correlated_over_the_systems_that_have_it() -> None:
    x, y = gaps()
    values = by_topic(tau, x, y)
    matrix = correlation_matrix({"x": x, "y": y}, over="topics").of_topics("x", "y")
    for topic in TOPICS:
        has = x.loc[topic].dropna().index.tolist()
        expected = tau(x.T[topic][has], y.T[topic][has]) if len(has) > 1 else np.nan
        assert values[topic] == matrix[topic] == pytest.approx(expected, nan_ok=True)
    assert x.isna().any(axis=None)


def test_the_correlated_means_are_over_the_topics_of_each_system() -> None:
    x, y = gaps()
    matrix = correlation_matrix({"x": x, "y": y}, n_resamples=40, seed=5)
    assert matrix.values.loc["x", "y"] == tau(x.mean(), y.mean())
    values = []
    for row in topic_resamples(len(x), 40, 5)[::2]:
        some_x, some_y = (frame.iloc[np.repeat(np.arange(len(x)), row)].mean() for frame in (x, y))
        values.append(tau(some_x, some_y) if not some_x.isna().any() else np.nan)
    assert matrix.intervals is not None
    first, second = (sampled_means(frame, topic_resamples(len(x), 40, 5)) for frame in (x, y))
    found = [tau(a, b) if not np.isnan(a).any() else np.nan for a, b in zip(first.whole, second.whole, strict=True)]
    assert found == pytest.approx(values, nan_ok=True)


def test_a_resample_without_any_topic_of_a_system_is_left_out_and_counted() -> None:
    x = pd.DataFrame({"a": [1.0, np.nan], "b": [0.0, 1.0]})
    counts = [[1, 1], [0, 2], [2, 0], [1, 1]]  # the second draws no topic of a
    assert np.isnan(weighted_means(x.to_numpy(), np.array(counts))).tolist() == [
        [False, False],
        [True, False],
        [False, False],
        [False, False],
    ]
    assert bootstrap_interval(tau, x, x, counts=counts).undefined == 1


def test_significant_pairs_have_their_own_p() -> None:
    x, y = gaps()
    table = distinguished_pairs(x, y, same=1, apart=0)
    assert len(table) == 10
    for row in table.to_dict("records"):
        a, b = row["system_a"], row["system_b"]
        both = shared(y, a, b)
        assert row["difference_y"] == pytest.approx(y[a].mean() - y[b].mean())
        assert row["p_y"] == pytest.approx(scipy.stats.ttest_rel(*both.to_numpy().T).pvalue)


def test_a_gap_in_only_one_measure_is_refused() -> None:
    x, y = gaps()
    with pytest.raises(ValueError, match="expected numbers, found nan in y at topic 't0', system 'a'"):
        by_topic(tau, x, y.assign(a=y["a"].mask(y.index == "t0")))


def test_if_gaps_are_known_a_system_that_one_side_lacks_is_left_out():
    x = with_gaps(pd.DataFrame({"a": [0.5, 0.6], "b": [0.4, 0.1], "c": [0.1, 0.2]}, index=["t0", "t1"]))
    y = with_gaps(pd.DataFrame({"a": [np.nan, 0.6], "b": [0.4, 0.1], "c": [np.nan, np.nan]}, index=["t0", "t1"]))
    first, second = paired_frames(x, y)
    assert first.columns.tolist() == second.columns.tolist() == ["a", "b"]
    assert first["a"].isna().tolist() == second["a"].isna().tolist() == [True, False]
    assert ec.movers(x.mean(), y.mean()).index.tolist() == ["a", "b"]
