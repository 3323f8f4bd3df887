"""All pairs of measures: every value equals the correlation of its two measures, which is tested elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.common.progress import telling
from evalcore.meta import (
    CORRELATIONS,
    CorrelationMatrix,
    by_topic,
    correlation_matrix,
    equivalent_groups,
    named_pairs,
    shared_part,
    similar_together,
)
from evalcore.meta.matrix import Intervals, Over
from evalcore.meta.pairwise import all_pairs

EVERY = list(CORRELATIONS.values())
OVER: tuple[Over, ...] = ("means", "topics")


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12, nan_ok=True)


def tables(seed: int = 0, measures: int = 4, topics: int = 7, systems: int = 6, ties: bool = False) -> dict[str, Any]:
    """Make scores of several measures that agree more or less; with `ties`, the first measure ties all on one topic."""
    draw = np.random.default_rng(seed)
    quality = draw.random((topics, systems))
    index, columns = [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)]
    frames = {}
    for at in range(measures):
        values = quality + 0.4 * at * draw.random((topics, systems))
        frames[f"m{at}"] = pd.DataFrame(np.round(values, 1 if ties else 9), index, columns)
    if ties:
        frames["m0"].iloc[2] = 0.0
    return frames


def intervals(matrix: CorrelationMatrix) -> Intervals:
    assert matrix.intervals
    return matrix.intervals


# --- all pairs at once ------------------------------------------------------------------------------------------------


def test_every_pair_equals_the_correlation_of_two(subtests):
    for correlation in EVERY:
        for decimals in [0, 1, 9]:
            with subtests.test(f"{correlation.name}, {decimals}"):
                scores = np.round(np.random.default_rng(5).random((6, 4, 9)) * 4, decimals)
                scores[1, 2] = 0.5  # wholly tied
                found = all_pairs(correlation, scores)
                for batch, x, y in product(range(6), range(4), range(4)):
                    assert found[batch, x, y] == close(correlation(scores[batch, x], scores[batch, y]))


@pytest.mark.parametrize("correlation", EVERY, ids=lambda one: one.name)
def test_batches_and_many_systems_change_nothing(correlation, monkeypatch):
    scores = np.round(np.random.default_rng(2).random((9, 3, 12)), 1)
    whole = all_pairs(correlation, scores)
    monkeypatch.setattr("evalcore.meta.pairwise._BYTES_AT_ONCE", 1)
    assert all_pairs(correlation, scores).ravel() == close(whole.ravel())
    monkeypatch.setattr("evalcore.meta.pairwise._MOST_SYSTEMS", 5)
    assert all_pairs(correlation, scores).ravel() == close(whole.ravel())


def test_one_system_or_an_unknown_correlation_is_refused():
    with pytest.raises(ValueError, match="expected at least 2 systems, found 1"):
        all_pairs("tau", np.zeros((1, 2, 1)))
    with pytest.raises(ValueError, match=r"expected a correlation \(tau, .*\), found 'kappa'"):
        all_pairs("kappa", np.zeros((1, 2, 3)))


# --- the matrix -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("correlation", EVERY, ids=lambda one: one.name)
def test_over_means_each_cell_correlates_the_test_of_its_row_with_the_reference_of_its_column(correlation):
    scores = tables()
    matrix = correlation_matrix(scores, correlation)
    for x, y in product(scores, scores):
        assert matrix.values.loc[x, y] == close(correlation(scores[x].mean(), scores[y].mean()))
    assert (matrix.values.index.name, matrix.values.columns.name) == ("test", "reference")
    assert not matrix.undefined_topics.to_numpy().any()


@pytest.mark.parametrize("correlation", EVERY, ids=lambda one: one.name)
def test_topic_by_topic_the_mean_skips_and_counts_topics_without_a_value(correlation):
    scores = tables(ties=True)
    matrix = correlation_matrix(scores, correlation, "topics")
    for x, y in product(scores, scores):
        values = by_topic(correlation, scores[x], scores[y])
        assert matrix.of_topics(x, y).to_numpy() == close(values.to_numpy())
        assert matrix.values.loc[x, y] == close(values.mean())
        assert matrix.undefined_topics.loc[x, y] == values.isna().sum()
    if correlation.name == "tau":
        assert matrix.undefined_topics.loc["m0", "m1"] == 1


def test_topics_and_systems_are_matched_by_label():
    scores = tables()
    shuffled = {name: frame.sample(frac=1, random_state=3) for name, frame in scores.items()}
    shuffled["m2"] = shuffled["m2"].iloc[:, ::-1]
    for over in OVER:
        found = correlation_matrix(shuffled, "tau_ap", over).values
        assert found.to_numpy() == close(correlation_matrix(scores, "tau_ap", over).values.to_numpy())


def test_intervals_topic_by_topic_are_students_t_intervals_of_the_mean():
    scores = tables(ties=True, topics=22)  # on one topic there is no value
    found = intervals(correlation_matrix(scores, "tau", "topics", n_resamples=1))
    values = by_topic(ec.tau, scores["m0"], scores["m1"]).dropna()
    low, high = scipy.stats.t.interval(0.95, len(values) - 1, values.mean(), scipy.stats.sem(values))
    assert len(values) == 21
    assert (found.low.loc["m0", "m1"], found.high.loc["m0", "m1"]) == close((low, min(high, 1.0)))


def test_on_few_topics_the_mean_over_topics_has_no_interval():
    found = intervals(correlation_matrix(tables(topics=19), "tau", "topics", n_resamples=1))
    assert np.isnan(found.low["m1"]["m0"])
    assert found.why.loc["m0", "m1"] == "fewer than 20 topics"


def test_without_any_value_the_cell_is_empty():
    constant = pd.DataFrame(0.5, ["t1", "t2"], list("abc"))
    scores = {"flat": constant, "m": constant + np.arange(3)}
    for over in OVER:
        matrix = correlation_matrix(scores, "tau", over, n_resamples=9)
        assert matrix.values.isna().loc["flat", "m"]
        assert intervals(matrix).low.isna().loc["flat", "m"]
        assert intervals(matrix).why.loc["flat", "m"] == "all systems are tied"
        assert matrix.values.loc["m", "m"] == 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda scores: {}, "expected the scores of at least one measure, found none"),
        (lambda scores: scores | {"m1": scores["m1"].drop(columns="s0")}, "m1: expected the same systems.*s0"),
        (lambda scores: scores | {"m1": scores["m1"].drop(index="t0")}, "m1: expected the same topics.*t0"),
        (lambda scores: scores | {"m1": scores["m1"].mask(scores["m1"] > 0)}, "m1: expected .*, found n"),
    ],
)
def test_scores_that_do_not_match_are_refused(change: Callable[..., Any], message):
    with pytest.raises(ValueError, match=message):
        correlation_matrix(change(tables()))


def test_wrong_settings_are_refused():
    with pytest.raises(ValueError, match="expected `over` to be means or topics, found 'systems'"):
        correlation_matrix(tables(), over="systems")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected a level between 0 and 1"):
        correlation_matrix(tables(), n_resamples=3, level=1)
    with pytest.raises(ValueError, match="expected a matrix of correlations topic by topic"):
        correlation_matrix(tables()).of_topics("m0", "m1")


def test_the_pairs_of_a_symmetric_correlation_come_once():
    matrix = correlation_matrix(tables(), n_resamples=9)
    table = matrix.pairs()
    assert table.columns.tolist() == ["test", "reference", "tau", "low", "high", "undefined_resamples", "no_interval"]
    assert len(table) == 6
    assert table["tau"].tolist()[0] == close(matrix.values.to_numpy()[0, 1])
    assert len(correlation_matrix(tables(), "tau_ap").pairs()) == 12


def test_pairs_topic_by_topic_include_their_distribution():
    scores = tables(ties=True)
    table = correlation_matrix(scores, "tau", "topics").pairs()
    values = by_topic(ec.tau, scores["m0"], scores["m1"])
    first = table.iloc[0]
    assert (first["lowest"], first["median"], first["highest"]) == close((values.min(), values.median(), values.max()))
    assert first["undefined_topics"] == 1


# --- order and groups -------------------------------------------------------------------------------------------------


def blocks(within: float = 0.95, between: float = 0.2) -> pd.DataFrame:
    """Make the correlations of two interleaved groups of three measures."""
    names = ["a1", "b1", "a2", "b2", "a3", "b3"]
    values = [[1.0 if x == y else within if x[0] == y[0] else between for y in names] for x in names]
    return pd.DataFrame(values, names, names)


def test_measures_that_agree_are_side_by_side():
    order = similar_together(blocks())
    assert "".join(name[0] for name in order) == "aaabbb"
    assert equivalent_groups(blocks()) == [order[:3], order[3:]]


def test_a_correlation_equal_to_the_threshold_groups_nothing():
    assert len(equivalent_groups(blocks(within=0.9), 0.9)) == 6
    assert len(equivalent_groups(blocks(within=0.9), 0.89)) == 2


def test_within_a_group_every_two_measures_exceed_the_threshold():
    # a chain: neighbours agree, the ends do not
    chain = pd.DataFrame([[1, 0.95, 0.8], [0.95, 1, 0.94], [0.8, 0.94, 1]], list("abc"), list("abc"))
    assert similar_together(chain) == ["a", "b", "c"]
    assert equivalent_groups(chain) == [["a", "b"], ["c"]]


def test_the_smaller_correlation_of_the_two_directions_counts():
    matrix = pd.DataFrame([[1, 0.95], [0.85, 1]], list("ab"), list("ab"))
    assert equivalent_groups(matrix) == [["a"], ["b"]]


def test_a_measure_without_values_is_a_group_of_its_own():
    matrix = blocks()
    matrix.loc["a2"] = matrix["a2"] = np.nan
    assert ["a2"] in equivalent_groups(matrix)


@given(st.integers(1, 7), st.integers(0, 1000))
def test_order_and_groups_hold_every_measure_once_and_fit_together(count, seed):
    values = np.random.default_rng(seed).uniform(-1, 1, (count, count))
    values = np.maximum(values, values.T)
    np.fill_diagonal(values, 1)
    matrix = pd.DataFrame(values, range(count), range(count))
    groups = equivalent_groups(matrix, 0.3)
    assert sorted(similar_together(matrix)) == list(range(count))
    assert [name for group in groups for name in group] == similar_together(matrix)
    assert all(values[x, y] > 0.3 for group in groups for x, y in combinations(map(int, group), 2))


# --- what is shared, and chosen pairs ---------------------------------------------------------------------------------


def test_the_shared_part_has_the_topics_and_systems_of_all_measures():
    scores = tables()
    cut = shared_part({"m0": scores["m0"], "m1": scores["m1"].drop(index="t3", columns="s1").iloc[::-1, ::-1]})
    for name in cut:
        assert cut[name].index.tolist() == ["t0", "t1", "t2", "t4", "t5", "t6"]
        assert cut[name].columns.tolist() == ["s0", "s2", "s3", "s4", "s5"]
    assert cut["m1"].loc["t0", "s0"] == scores["m1"].loc["t0", "s0"]
    assert shared_part({}) == {}


def test_measures_that_share_too_little_are_refused():
    frame = pd.DataFrame([[1.0, 2.0]], ["t1"], ["a", "b"])
    with pytest.raises(ValueError, match="at least 2 systems and 1 topic that all measures share, found 1 and 1"):
        shared_part({"x": frame, "y": frame[["a"]]})


def test_chosen_pairs_are_tabulated_as_in_the_paper():
    scores, other = tables(ties=True), tables(seed=1)
    table = named_pairs({"NDCG": scores, "AP": other}, [("m1", "m0"), ("m2", "m3")])
    assert table.index.tolist() == ["m1 - m0", "m2 - m3"]
    assert table.columns.tolist() == ["NDCG", "NDCG topics", "AP", "AP topics"]
    assert table.loc["m1 - m0", "NDCG"] == close(by_topic(ec.tau, scores["m1"], scores["m0"]).mean())
    assert table["NDCG topics"].tolist() == [6, 7]


def test_correlations_one_by_one_report_the_finished_share_of_pairs():
    told: list[float] = []
    scores = np.random.default_rng(0).random((1, 4, 5))
    with telling(told.append):
        all_pairs("rbo", scores)
    assert told == [done / 10 for done in range(10)]  # pairs of four measures, including each with itself
