"""One number for each system: other tools' numbers, slow loops, and changes that must not move it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from leaderboard.tables import SCORES
from scipy import stats
from scipy.optimize import minimize

from evalcore import InputError
from evalcore.direction import directed
from evalcore.leaderboard import aggregate, aggregate_intervals, strengths, wins
from evalcore.leaderboard.over_topics import OverTopics
from evalcore.meta import ranks
from evalcore.notation.values import Value

KINDS = sorted(name for name, kind in Value.registry.items() if issubclass(kind, OverTopics) and name != "ByGroup")

MIRRORED = [kind for kind in KINDS if kind != "GeometricMean"]  # which low scores pull down

marks = st.sampled_from([0.0, 0.2, 0.5, 1])
tables = arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 5)), elements=marks)


def frame(values: np.ndarray) -> pd.DataFrame:
    return directed(pd.DataFrame(values, columns=[f"s{at}" for at in range(values.shape[1])]), "high")


def test_borda_ranks_as_mteb_does():
    """The expected ranks come from mteb 2.26's `_get_borda_rank`."""
    assert ranks(aggregate(SCORES, "Borda()")).tolist() == [6, 4, 3, 5, 2, 1]


def test_borda_with_gaps_ranks_as_mteb_does():
    """The expected ranks come from mteb 2.26's `_borda_rank_from_long`, in which a missing task gives nothing."""
    with_gaps = SCORES.copy()
    for row, column in ((0, 0), (3, 5), (4, 5), (7, 2)):
        with_gaps.iloc[row, column] = np.nan
    assert ranks(aggregate(with_gaps, "Borda()")).tolist() == [6, 3, 5, 4, 1, 2]


@given(tables)
def test_borda_is_a_slow_loop(values):
    slow = np.zeros(values.shape[1])
    for row in values:
        for at, one in enumerate(row):
            slow[at] += sum((one > other) + (one == other) / 2 for other in row) - 0.5
    np.testing.assert_allclose(aggregate(frame(values), "Borda()"), slow)


@given(tables)
def test_the_win_rate_is_a_share_of_bordas_points(values):
    most = len(values) * (values.shape[1] - 1)
    np.testing.assert_allclose(aggregate(frame(values), "WinRate()"), aggregate(frame(values), "Borda()") / most)


def test_bradley_terry_is_the_greatest_likelihood():
    """The values are choix 0.4's `ilsr_pairwise`, each tie a win of half the weight for both; BFGS gives the same."""
    expected = [-0.757782, -0.115439, 0.001231, -0.173998, 0.383895, 0.662093]
    np.testing.assert_allclose(aggregate(SCORES, "BradleyTerry(prior=0)"), expected, atol=1e-6)


@given(tables)
def test_bradley_terry_with_a_prior_is_a_slow_maximum(values):
    won = wins(values) + 0.25 * (1 - np.eye(values.shape[1]))

    def unlikely(b: np.ndarray) -> float:
        return float((won * np.log1p(np.exp(b - b[:, None]))).sum())

    slow = minimize(unlikely, np.zeros(values.shape[1]), method="BFGS", options={"gtol": 1e-9}).x
    np.testing.assert_allclose(strengths(wins(values), 0.5), slow - slow.mean(), atol=1e-4)


def test_who_always_wins_has_no_finite_strength():
    with pytest.raises(InputError, match=r"never loses.* prior=0\.1"):
        aggregate(frame(np.array([[1.0, 0.0], [1.0, 0.0]])), "BradleyTerry(prior=0)")


def test_geometric_means_take_trec_evals_least():
    """trec_eval 9: gm_map of 0 and 0.4 is exp((ln 0.00001 + ln 0.4) / 2) = 0.002."""
    assert aggregate(frame(np.array([[0.0, 1], [0.4, 1]])), "GeometricMean()")["s0"] == pytest.approx(0.002)


def test_standardised_scores_are_scipys():
    z = stats.zscore(SCORES, axis=1, ddof=1)
    np.testing.assert_allclose(aggregate(SCORES, "Standardised()"), stats.norm.cdf(z).mean(axis=0))


@pytest.mark.parametrize("kind", KINDS)
@given(values=tables)
def test_systems_in_another_order_have_the_same_numbers(kind, values):
    scores = frame(values)
    other = scores[scores.columns[::-1]]
    pd.testing.assert_series_equal(aggregate(other, kind)[scores.columns], aggregate(scores, kind), atol=1e-9)


@pytest.mark.parametrize("kind", MIRRORED)
def test_scores_of_which_low_ones_are_good_give_the_same_order_turned(kind):
    low = directed(1 - SCORES, "low")
    assert ranks(aggregate(low, kind)).tolist() == ranks(aggregate(directed(SCORES, "high"), kind)).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_a_system_without_any_score_has_no_number(kind):
    scores = SCORES.assign(empty=np.nan)
    result = aggregate(scores, kind)
    assert np.isnan(result["empty"])
    assert result.drop("empty").notna().all()


def test_a_mean_of_groups_is_two_means():
    groups = {task: "even" if at % 2 == 0 else "odd" for at, task in enumerate(SCORES.index)}
    expected = (SCORES.iloc[::2].mean() + SCORES.iloc[1::2].mean()) / 2
    np.testing.assert_allclose(aggregate(SCORES, "ByGroup()", groups), expected)
    with pytest.raises(InputError, match="expected groups of topics"):
        aggregate(SCORES, "ByGroup()")
    with pytest.raises(InputError, match="found none for 't11'"):
        aggregate(SCORES, "ByGroup()", dict(list(groups.items())[:-1]))


WRONG = {
    "Mean(weights={'x': 1})": "expected topics in `weights`, found 'x'",
    "Mean(weights={'t00': -1})": "0 or more",
    "Median(1)": "expected",
    "RBP": "expected",
}


@pytest.mark.parametrize(("by", "problem"), WRONG.items())
def test_rules_that_do_not_exist_are_refused(by, problem):
    with pytest.raises(InputError, match=problem):
        aggregate(SCORES, by)


def test_scores_below_0_have_no_geometric_mean():
    with pytest.raises(InputError, match=r"0 or more, found -0\.5"):
        aggregate(frame(np.array([[-0.5, 0.2]])), "GeometricMean()")


def test_an_infinite_score_cannot_be_standardised():
    with pytest.raises(InputError, match="finite"):
        aggregate(frame(np.array([[np.inf, 0.2]])), "Standardised()")


def test_the_interval_of_a_system_is_students_over_its_own_topics():
    gaps = SCORES.mask((np.arange(len(SCORES)) > 3)[:, None] & (SCORES.columns == "a"))
    found = aggregate_intervals(gaps).loc["a"]
    known = gaps["a"].dropna()
    np.testing.assert_allclose(found[["low", "high"]], stats.t.interval(0.95, 3, known.mean(), stats.sem(known)))


def test_the_error_of_a_mean_of_groups_is_that_of_a_stratified_sample():
    """Cochran 1977, 5.2: the sum of s_h^2 / n_h over the square of the number of groups; Satterthwaite's freedom."""
    groups = {topic: "one" if at < 4 else "two" for at, topic in enumerate(SCORES.index)}
    found = aggregate_intervals(SCORES, "ByGroup()", groups).loc["a"]
    parts = [np.var(one, ddof=1) / len(one) / 4 for one in (SCORES["a"][:4], SCORES["a"][4:])]
    free = sum(parts) ** 2 / (parts[0] ** 2 / 3 + parts[1] ** 2 / (len(SCORES) - 5))
    assert found["error"] == pytest.approx(np.sqrt(sum(parts)))
    half = stats.t.ppf(0.975, free) * np.sqrt(sum(parts))
    assert found["high"] - found["estimate"] == pytest.approx(half)


def test_few_topics_that_are_all_alike_do_not_make_a_rule_sure():
    """One topic is added at each end, as in Agresti and Coull's interval of a share: four wins do not give 1 to 1."""
    always = pd.DataFrame({"a": [0.9] * 4, "b": [0.1] * 4}, index=list("1234"))
    found = aggregate_intervals(always, "WinRate()").loc["a"]
    assert (found["estimate"], found["high"]) == (1, 1)
    assert found["low"] == pytest.approx(1 - stats.t.ppf(0.975, 3) * np.std([1] * 5 + [0], ddof=1) / np.sqrt(6))


@pytest.mark.parametrize("by", ["Mean()", "GeometricMean()"])
def test_a_mean_of_topics_that_are_all_alike_has_no_interval(by):
    """If a system scores 1 on nine topics of ten, 59% of samples of five topics are all 1."""
    table = aggregate_intervals(pd.DataFrame({"all alike": [1.0] * 5, "other": [1.0, 0.2, 0.3, 0.4, 1.0]}), by)
    assert table[["low", "high"]].notna().all(axis=1).tolist() == [False, True]


def test_means_of_scores_that_are_nearly_all_1_are_covered_where_there_is_an_interval():
    random = np.random.default_rng(5)
    uniform = random.random((5, 2000))  # 2000 systems that score 1 on nine topics of ten, and any score on the tenth
    scores = pd.DataFrame(np.where(random.random((5, 2000)) < 0.9, 1.0, uniform))
    table = aggregate_intervals(scores).dropna()
    assert 0.35 < len(table) / 2000 < 0.47  # 1 - 0.9^5 = 0.41
    assert ((table["low"] <= 0.95) & (table["high"] >= 0.95)).mean() > 0.93


def test_strengths_that_only_the_prior_bounds_have_no_interval():
    always = pd.DataFrame({"a": [0.9] * 4, "b": [0.1, 0.2, 0.3, 0.1], "c": [0.2, 0.1, 0.1, 0.3], "d": [0.0] * 4})
    found = aggregate_intervals(always, "BradleyTerry()")
    assert found["low"].isna().to_dict() == {"a": True, "b": False, "c": False, "d": True}


@pytest.mark.parametrize("by", ["WinRate()", "BradleyTerry()", "Standardised()", "Borda()"])
def test_intervals_cover_the_value_over_a_population_of_topics(by):
    """Topics drawn from a population of 2,000: of 200 intervals for 25 topics 93 to 98 in 100 hold its value."""
    random = np.random.default_rng(3)
    ease = random.normal(0, 1, (2000, 1))
    population = frame(ease + np.linspace(0, 0.6, 5) + random.normal(0, 1, (2000, 5)))
    truth = aggregate(population, by) * (25 / 2000 if by == "Borda()" else 1)
    held = []
    for _ in range(40):
        drawn = aggregate_intervals(population.iloc[random.choice(2000, 25)], by)
        held += ((drawn["low"] <= truth) & (truth <= drawn["high"])).tolist()
    assert 0.90 <= np.mean(held) <= 0.99
