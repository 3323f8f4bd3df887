"""What of a table came back: repro_eval's numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from leaderboard.tables import AGAIN, SCORES
from scipy import stats

from evalcore import InputError
from evalcore.direction import directed
from evalcore.leaderboard import reproduction

# repro_eval 0.5, systems b to f against a: ER, DRI, RMSE, nRMSE.
REPRO_EVAL = [
    (0.933333333333333, -0.09014148790506599, 0.11514483632943916, 0.17714590204529101),
    (0.9352941176470585, -0.10322531568537896, 0.11172883841396243, 0.16764565507653711),
    (1.1333333333333335, -0.1859881332724782, 0.09682458365518543, 0.1535737792084878),
    (0.9575757575757576, -0.22387037882245486, 0.10781929326423913, 0.15184811898627332),
    (0.8906249999999999, -0.14863836908565276, 0.12851718432438003, 0.17793634213683038),
]


def test_it_measures_as_repro_eval_does():
    found = reproduction(SCORES, AGAIN, "a").systems.loc[list("bcdef"), ["effect_ratio", "dri", "rmse", "nrmse"]]
    np.testing.assert_allclose(found, REPRO_EVAL)


def test_tau_is_that_of_the_means():
    expected = stats.kendalltau(SCORES.mean(), AGAIN.mean()).statistic
    assert reproduction(SCORES, AGAIN).tau == pytest.approx(expected)


def test_the_baseline_is_the_last_of_the_original():
    assert reproduction(SCORES, AGAIN).baseline == "a"


def test_a_table_reproduces_itself():
    found = reproduction(SCORES, SCORES).systems.drop("a")
    assert found["rmse"].eq(0).all()
    np.testing.assert_allclose(found["effect_ratio"], 1)
    np.testing.assert_allclose(found["dri"], 0, atol=1e-12)
    ends = ["er_low", "er_high", "dri_low", "dri_high", "p"]
    assert found[ends].isna().all(axis=None)  # no topic tells how others differ


def test_a_multiple_of_a_table_has_the_same_relative_improvements():
    found = reproduction(SCORES, SCORES * 0.3).systems.drop("a")
    assert found["dri"].eq(0).all()
    assert found[["dri_low", "dri_high"]].isna().all(axis=None)  # not 1e-15 to either side


def test_nothing_is_a_share_of_an_improvement_that_is_rounding():
    was = pd.DataFrame({"base": [0.3, 0.3], "same": [0.1 + 0.2, 0.1 + 0.2], "new": [0.4, 0.6]})
    found = reproduction(was, was.assign(same=0.4, new=[0.5, 0.7]), "base").systems["effect_ratio"]
    np.testing.assert_allclose(found, [np.nan, np.nan, 1.5])  # (0.6 - 0.3) / (0.5 - 0.3)


def test_an_interval_is_not_given_where_few_topics_happen_to_come_back_alike():
    random = np.random.default_rng(3)
    x, again = 1 / random.integers(1, 9, (2, 4, 400))  # 400 systems, of which one score in five comes back otherwise
    y = np.where(random.random(x.shape) < 0.2, again, x)
    was, now = (pd.DataFrame(scores).assign(base=0.1) for scores in (x, y))
    found = reproduction(was, now, "base").systems.drop("base").dropna(subset="er_low")
    assert 180 < len(found) < 270  # 1 - 0.825^4 = 0.54: the others are all alike, which once gave [1, 1]
    assert ((found["er_low"] <= 1) & (found["er_high"] >= 1)).mean() > 0.93


def test_only_what_both_have_is_compared():
    found = reproduction(SCORES.iloc[:10, :4], AGAIN.iloc[2:, 1:])
    assert (found.n_topics, list(found.systems.index)) == (8, ["b", "c", "d"])


def test_each_system_is_compared_where_both_tables_have_it_and_the_baseline():
    gaps = SCORES.copy()
    gaps.iloc[:3, 1] = np.nan
    gaps.iloc[4, 0] = np.nan
    there = [at for at in range(12) if at not in (0, 1, 2, 4)]
    alone = reproduction(SCORES.iloc[there], AGAIN.iloc[there], "a").systems
    columns = ["effect_ratio", "er_low", "er_high", "dri", "dri_low", "dri_high", "p"]
    np.testing.assert_allclose(reproduction(gaps, AGAIN, "a").systems.loc["b", columns], alone.loc["b", columns])


def test_scores_beyond_1_have_no_largest_error():
    assert reproduction(SCORES * 100, AGAIN * 100).systems["nrmse"].isna().all()


def test_ranks_know_which_end_is_good():
    low = reproduction(directed(1 - SCORES, "low"), directed(1 - AGAIN, "low")).systems
    assert low["original_rank"].equals(reproduction(SCORES, AGAIN).systems["original_rank"])
    np.testing.assert_allclose(low["original"], 1 - SCORES.mean())


def test_tables_without_a_system_in_common_are_refused():
    with pytest.raises(InputError, match="found 1 and 12"):
        reproduction(SCORES[["a"]], AGAIN)


def test_p_is_that_of_a_paired_t_test_of_both_improvements():
    found = reproduction(SCORES, AGAIN, "a").systems["p"]
    expected = stats.ttest_rel(SCORES["c"] - SCORES["a"], AGAIN["c"] - AGAIN["a"]).pvalue
    assert found["c"] == pytest.approx(expected)
    assert np.isnan(found["a"])


def test_improvements_that_are_the_same_are_rarely_told_apart():
    random = np.random.default_rng(5)
    wrong = 0
    for _ in range(150):
        was = pd.DataFrame(random.normal([0.4, 0.42], 0.15, (10, 2)), columns=["base", "new"])
        now = was + random.normal(0, 0.1, was.shape)
        wrong += reproduction(was, now, "base").systems["p"]["new"] <= 0.05
    assert wrong <= stats.binom.isf(1e-4, 150, 0.06)


@pytest.mark.parametrize("level", [0, 1, 95, -1, np.nan])
def test_a_level_that_is_no_share_is_refused(level):
    with pytest.raises(InputError, match="expected a level between 0 and 1, both excluded"):
        reproduction(SCORES, AGAIN, level=level)


@pytest.mark.parametrize("kind", [str, "category"])
def test_numbers_of_another_kind_are_as_good(kind):
    found = reproduction(SCORES.astype(kind), AGAIN.astype(kind))
    pd.testing.assert_frame_equal(found.systems, reproduction(SCORES, AGAIN).systems)


def test_scores_that_are_no_numbers_are_refused():
    with pytest.raises(InputError, match="expected scores that are numbers, found others in reproduced"):
        reproduction(SCORES, AGAIN.astype(str).replace(str(AGAIN.iloc[0, 0]), "x"))
