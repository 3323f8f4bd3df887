"""Wilcoxon's signed-rank test: equal to scipy's for each pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from evalcore.meta import compare_systems, corrected_pairs, paired_bootstrap, wilcoxon_p, wilcoxon_pairs


def whole_frame(seed: int, topics: int, ties: bool) -> pd.DataFrame:
    """Make scores that are whole numbers, so that their differences are exact."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 6, (topics, 4)) if ties else random.integers(0, 1 << 40, (topics, 4))
    return pd.DataFrame(values.astype(float), columns=list("abcd"))


@pytest.mark.slow
def test_p_of_every_pair_equals_scipys(subtests):
    for ties in [False, True]:
        for topics in [2, 5, 13, 14, 50, 51, 66]:
            with subtests.test(f"{ties}, {topics}"):
                frame = whole_frame(topics, topics, ties)
                found = wilcoxon_pairs(frame)["p"].tolist()
                expected = [float(scipy.stats.wilcoxon(frame[a], frame[b]).pvalue) for a, b in combinations("abcd", 2)]
                assert found == pytest.approx(expected, abs=1e-12)


def test_differences_that_differ_only_by_rounding_are_tied():
    tenths, whole = np.array([3.0, 5.0, 9.0, 7.0, 1.0]), np.array([1.0, 3.0, 7.0, 8.0, 1.0])  # 2, 2, 2, -1, 0
    assert wilcoxon_p([tenths / 10], [whole / 10]) == wilcoxon_p([tenths], [whole])


def test_systems_that_are_equal_have_a_p_of_1():
    assert wilcoxon_p([[0.1, 0.2]], [[0.1, 0.2]]) == [1.0]


def test_topics_that_one_system_lacks_are_left_out():
    frame = whole_frame(3, 12, ties=False)
    frame.loc[:3, "b"] = np.nan
    first = wilcoxon_pairs(frame).to_dict("records")[0]  # a and b
    assert first["topics"] == 8
    assert first["p"] == pytest.approx(scipy.stats.wilcoxon(frame["a"][4:], frame["b"][4:]).pvalue)


def test_an_infinite_score_cannot_be_tested():
    p = wilcoxon_pairs(pd.DataFrame({"a": [1.0, 2.0], "b": [np.inf, 1.0], "c": [0.0, 3.0]}))["p"]
    assert p.isna().tolist() == [True, False, True]


def test_wilcoxon_is_listed_with_the_other_tests():
    frame = whole_frame(2, 20, ties=True)
    tests = paired_bootstrap(frame, 100)
    assert tests.pairs["p_wilcoxon"].tolist() == wilcoxon_pairs(frame)["p"].tolist()
    assert compare_systems(frame, "a", "c", 100).p_wilcoxon == tests.pairs["p_wilcoxon"][1]
    by_scipy = scipy.stats.false_discovery_control(tests.pairs["p_wilcoxon"])
    assert corrected_pairs(tests, "Wilcoxon", "Benjamini-Hochberg")["p"].tolist() == pytest.approx(by_scipy.tolist())
