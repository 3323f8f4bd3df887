from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from evalcore.meta import distinguished_pairs, rank_changes, ranks, swapped_pairs, tau_a

tied_scores = st.lists(st.integers(0, 4).map(float), min_size=2, max_size=8)


def series(values: list[float]) -> pd.Series:
    return pd.Series(values, index=[f"s{i}" for i in range(len(values))])


@given(tied_scores)
def test_ranks_equal_scipy_and_pandas(values):
    expected = scipy.stats.rankdata([-v for v in values], method="min")
    assert ranks(series(values)).tolist() == expected.tolist()
    assert ranks(series(values)).tolist() == series(values).rank(ascending=False, method="min").tolist()


def test_ranks_refuses_missing_scores_and_names_the_system():
    with pytest.raises(ValueError, match=r"expected numbers as scores, found \{'s1': nan\}"):
        ranks(series([1.0, np.nan]))


def test_rank_changes_is_a_table_sorted_by_the_first_rank():
    x, y = pd.Series({"a": 0.1, "b": 0.3, "c": 0.2}), pd.Series({"c": 0.9, "b": 0.5, "a": 0.5})
    table = rank_changes(x, y)
    assert table.columns.tolist() == ["score_x", "rank_x", "score_y", "rank_y", "change"]
    assert table.index.name == "system"
    assert table.reset_index().values.tolist() == [
        ["b", 0.3, 1, 0.5, 2, -1],
        ["c", 0.2, 2, 0.9, 1, 1],
        ["a", 0.1, 3, 0.5, 2, 1],
    ]


@given(st.integers(2, 7).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)))
def test_swapped_pairs_are_the_discordant_pairs(sides):
    x, y = map(series, sides)
    n = len(x)
    discordant = sum((x.iloc[i] - x.iloc[j]) * (y.iloc[i] - y.iloc[j]) < 0 for i in range(n) for j in range(i))
    concordant = sum((x.iloc[i] - x.iloc[j]) * (y.iloc[i] - y.iloc[j]) > 0 for i in range(n) for j in range(i))
    assert len(swapped_pairs(x, y)) == discordant
    assert tau_a(x, y) == pytest.approx((concordant - discordant) / (n * (n - 1) / 2))


def test_differing_systems_are_named():
    x, y = pd.Series({"a": 1, "b": 2}), pd.Series({"a": 1, "c": 2})
    unlabelled: Any = [1, 2]
    for function in (rank_changes, swapped_pairs):
        with pytest.raises(ValueError, match="only in x: b; only in y: c"):
            function(x, y)
        with pytest.raises(ValueError, match="expected two Series of scores per system, found list and Series"):
            function(unlabelled, y)


def random_frame(seed: int, topics: int = 8, systems: int = 7) -> pd.DataFrame:
    values = np.random.default_rng(seed).random((topics, systems))
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], [f"s{i}" for i in range(systems)])


def test_distinguished_pairs_equals_the_obvious_loop_with_scipy():
    x, y = random_frame(1), random_frame(2)
    expected = []
    for a in x:
        for b in x:
            difference_x, difference_y = x[a].mean() - x[b].mean(), y[a].mean() - y[b].mean()
            if abs(difference_x) <= 0.1 and difference_y >= 0.05:
                p = [scipy.stats.ttest_rel(side[a], side[b]).pvalue for side in (x, y)]
                expected.append((a, b, difference_x, difference_y, *p))
    expected.sort(key=lambda row: -row[3])
    table = distinguished_pairs(x, y, same=0.1, apart=0.05)
    assert table.columns.tolist() == ["system_a", "system_b", "difference_x", "difference_y", "p_x", "p_y"]
    assert 3 < len(expected) < 21
    assert [tuple(row[:2]) for row in table.values] == [row[:2] for row in expected]
    np.testing.assert_allclose(table.iloc[:, 2:].to_numpy(float), [row[2:] for row in expected], rtol=1e-9)


def test_distinguished_pairs_matches_topics_and_systems_by_label():
    x, y = random_frame(1), random_frame(2)
    shuffled = y.sample(frac=1, random_state=1).sample(frac=1, random_state=2, axis="columns")
    pd.testing.assert_frame_equal(distinguished_pairs(x, shuffled, 0.1, 0.05), distinguished_pairs(x, y, 0.1, 0.05))


def test_distinguished_pairs_counts_differences_of_exactly_the_bounds():
    x = pd.DataFrame({"a": [0.31, 0.31], "b": [0.30, 0.30]})
    y = pd.DataFrame({"a": [0.33, 0.33], "b": [0.30, 0.30]})
    assert 0.31 - 0.30 > 0.01  # the subtraction is rounded
    assert distinguished_pairs(x, y)[["system_a", "system_b", "p_x", "p_y"]].values.tolist() == [["a", "b", 0.0, 0.0]]


def test_distinguished_pairs_with_constant_differences_needs_no_t():
    x = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2, 0.3]})
    y = pd.DataFrame({"a": [0.3, 0.5, 0.7], "b": [0.2, 0.4, 0.6]})  # differences .1, up to rounding
    (row,) = distinguished_pairs(x, y).to_dict("records")
    assert (row["system_a"], row["p_x"], row["p_y"]) == ("a", 1.0, 0.0)


def test_distinguished_pairs_can_be_limited_to_the_first_rows():
    x, y = random_frame(1), random_frame(2)
    every = distinguished_pairs(x, y, same=1, apart=0)
    pd.testing.assert_frame_equal(distinguished_pairs(x, y, same=1, apart=0, most=3), every.head(3))


def test_distinguished_pairs_refuses_unusable_input():
    x = random_frame(1)
    with pytest.raises(ValueError, match="at least 2 topics for a t-test, found 1"):
        distinguished_pairs(x.head(1), x.head(1))
    with pytest.raises(ValueError, match="only in x: t0; only in y: none"):
        distinguished_pairs(x, x.drop(index="t0"))
    with pytest.raises(ValueError, match="found nan in y at topic 't0', system 's0'"):
        distinguished_pairs(x, x.where(x != x.iat[0, 0]))
