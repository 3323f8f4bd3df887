"""Analysis of variance against the sums of a textbook, least squares on dense dummies, and the paired t-test."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from evalcore.direction import directed
from evalcore.meta import component_anova, two_way_anova

SYSTEMS = [f"{stemmer}-{model}-{team}" for stemmer, model, team in product("yn", "uvw", "pq")]
GRID = pd.DataFrame([name.split("-") for name in SYSTEMS], SYSTEMS, ["stemmer", "model", "team"])


def scores(seed: int = 0, topics: int = 8) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    effects = random.normal(0, 0.2, (topics, 1)) + random.normal(0, 0.1, len(SYSTEMS))
    return pd.DataFrame(effects + random.normal(0, 0.1, (topics, len(SYSTEMS))), columns=SYSTEMS)


def residual(frame: pd.DataFrame, effects: list[str]) -> tuple[float, int]:
    """Residual sum of squares of a model of some effects, and its rank, by least squares on dense dummies."""
    long = frame.rename_axis("topic").melt(ignore_index=False, var_name="system", value_name="y").reset_index()
    long = long.join(GRID, on="system").dropna()
    for name in effects:
        if ":" in name:
            long[name] = long[name.split(":")].agg("-".join, axis=1)
    dummies = [pd.get_dummies(long[name].astype(str)).to_numpy(float) for name in effects]
    model = np.column_stack([np.ones(len(long)), *dummies])
    fitted, _, rank, _ = np.linalg.lstsq(model, long["y"].to_numpy(float), rcond=None)
    return float(((long["y"] - model @ fitted) ** 2).sum()), int(rank)


def slow(frame: pd.DataFrame, effects: list[str]) -> dict[str, tuple[float, int]]:
    """Type II sums of squares and degrees of freedom: the gain of an effect over all effects that do not contain it."""
    found = {}
    for name in effects:
        others = [other for other in effects if not set(name.split(":")) <= set(other.split(":"))]
        (without, fewer), (within, more) = residual(frame, others), residual(frame, [*others, name])
        found[name] = (without - within, more - fewer)
    rest, rank = residual(frame, effects)
    return found | {"error": (rest, int(frame.notna().sum().sum()) - rank)}


def assert_equal(table: pd.DataFrame, expected: dict[str, tuple[float, int]]) -> None:
    assert list(table.index) == list(expected)
    assert table["df"].tolist() == [df for _, df in expected.values()]
    assert table["sum_of_squares"].tolist() == pytest.approx([ss for ss, _ in expected.values()], abs=1e-12)


def test_topics_and_systems_are_the_sums_of_a_textbook():
    frame = scores()
    y, mean = frame.to_numpy(), frame.to_numpy().mean()
    rows, columns = y.mean(axis=1, keepdims=True), y.mean(axis=0, keepdims=True)
    found = two_way_anova(frame)
    topic, system, error = rows - mean, columns - mean, y - rows - columns + mean
    sums = [12 * (topic**2).sum(), 8 * (system**2).sum(), (error**2).sum()]
    assert found.table["sum_of_squares"].tolist() == pytest.approx(sums)
    assert found.table["df"].tolist() == [7, 11, 77]
    assert (found.balanced, found.n_scores, found.left_out) == (True, 96, 0)


def test_f_of_two_systems_is_the_square_of_the_paired_t():
    frame = scores().iloc[:, :2]
    row = two_way_anova(frame).table.to_dict("index")["system"]
    t = scipy.stats.ttest_rel(frame.iloc[:, 0], frame.iloc[:, 1])
    assert (row["f"], row["p"], row["p_corrected"]) == pytest.approx((t.statistic**2, t.pvalue, t.pvalue))


def test_the_corrected_p_of_systems_has_the_degrees_of_freedom_of_greenhouse_and_geisser():
    frame = scores(9)
    covariance = np.cov(frame.to_numpy(), rowvar=False)
    centred = covariance - covariance.mean(axis=0) - covariance.mean(axis=1)[:, None] + covariance.mean()  # 1959, Eq. 2
    share = np.trace(centred) ** 2 / (11 * (centred**2).sum())
    row = two_way_anova(frame).table.loc["system"]
    assert row["p_corrected"] == pytest.approx(scipy.stats.f.sf(row["f"], 11 * share, 77 * share))
    assert row["p"] == pytest.approx(scipy.stats.f.sf(row["f"], 11, 77))


def test_a_component_that_systems_have_nothing_beside_is_tested_over_topics():
    frame = scores(3).iloc[:, :3]  # y-u-p, y-u-q and y-v-p: team and model separate them
    both = component_anova(frame, GRID, ["model", "team"]).table["p_corrected"]
    by_t = [scipy.stats.ttest_rel(frame.iloc[:, 0], frame.iloc[:, other]).pvalue for other in (2, 1)]
    assert both[["model", "team"]].tolist() == pytest.approx(by_t)


def test_the_corrected_p_is_over_the_topics_that_all_systems_have():
    frame = scores(2)
    frame.iloc[0, 3] = frame.iloc[5, 0] = np.nan
    expected = two_way_anova(frame.dropna()).table.loc["system", "p_corrected"]
    assert two_way_anova(frame).table.loc["system", "p_corrected"] == pytest.approx(expected)
    frame.iloc[1:, 7] = np.nan
    assert np.isnan(two_way_anova(frame).table["p_corrected"]["system"])


def test_omega_squared_follows_its_formulas():
    table = two_way_anova(scores(1)).table
    system, error = table.loc["system"], table.loc["error"]
    total = table["sum_of_squares"].sum()
    whole = (system["sum_of_squares"] - 11 * error["mean_square"]) / (total + error["mean_square"])
    assert system["omega2"] == pytest.approx(whole)
    assert system["partial_omega2"] == pytest.approx(11 * (system["f"] - 1) / (11 * (system["f"] - 1) + 96))


@pytest.mark.parametrize("interactions", [False, True])
def test_components_of_a_grid_equal_least_squares(interactions):
    effects = ["topic", "stemmer", "model", "team"]
    effects += ["stemmer:model", "stemmer:team", "model:team"] if interactions else []
    found = component_anova(scores(2), GRID, interactions=interactions)
    assert found.balanced
    assert_equal(found.table, slow(scores(2), effects))


@pytest.mark.parametrize("interactions", [False, True])
def test_components_without_some_systems_and_topics_equal_least_squares(interactions):
    frame = scores(4).iloc[:, [0, 1, 2, 3, 4, 6, 8, 9, 11]]
    frame.iloc[0, 3] = frame.iloc[5, 0] = np.nan
    effects = ["topic", "stemmer", "model", "team"]
    effects += ["stemmer:model", "stemmer:team", "model:team"] if interactions else []
    found = component_anova(frame, GRID, interactions=interactions)
    assert (found.balanced, found.left_out) == (False, 2)
    assert_equal(found.table, slow(frame, effects))


def test_a_system_that_the_table_lacks_is_left_out():
    found = component_anova(scores(5), GRID.drop(index=SYSTEMS[:2]))
    assert found.left_out == 16
    expected = component_anova(scores(5).iloc[:, 2:], GRID)
    pd.testing.assert_frame_equal(found.table, expected.table)


def test_a_factor_that_others_determine_has_no_degree_of_freedom():
    table = component_anova(scores(6), GRID.assign(again=GRID["stemmer"])).table
    assert table["df"].tolist() == [7, 0, 2, 1, 0, 84]  # topic, stemmer, model, team, again, error
    assert table.loc[["again", "stemmer"], ["f", "p", "omega2"]].isna().all(axis=None)


def test_factors_are_chosen_or_those_that_vary_and_repeat():
    table = GRID.assign(run=SYSTEMS, year=2015)
    assert component_anova(scores(), table).table.index.tolist() == ["topic", "stemmer", "model", "team", "error"]
    assert component_anova(scores(), table, ["team"]).table.index.tolist() == ["topic", "team", "error"]


def test_without_any_error_an_effect_is_infinitely_clear_and_none_is_unknown():
    frame = pd.DataFrame({"a": [0.1, 0.4, 0.3], "b": [0.2, 0.5, 0.4]})  # always .1 better
    table = two_way_anova(frame).table
    assert (table.loc["system", "f"], table.loc["system", "p"]) == (np.inf, 0)
    assert table["partial_omega2"].tolist()[:2] == [1, 1]
    assert np.isnan(two_way_anova(frame.assign(b=frame["a"])).table["f"]["system"])


def test_infinite_scores_are_left_out_and_low_ones_that_are_good_change_nothing():
    frame = scores(7).abs()
    gaps = frame.mask(frame > 0.4)
    assert two_way_anova(directed(frame.mask(frame > 0.4, np.inf), "low")).left_out == gaps.isna().sum().sum()
    pd.testing.assert_frame_equal(two_way_anova(directed(frame, "low")).table, two_way_anova(frame).table)


def test_many_scores_far_from_zero_lose_no_digits():
    frame = scores(8)
    shifted = two_way_anova(frame + 1e6).table["sum_of_squares"]
    assert shifted.tolist() == pytest.approx(two_way_anova(frame).table["sum_of_squares"].tolist(), rel=1e-7)


@pytest.mark.parametrize(("call", "problem"), [
    (lambda: component_anova(scores(), GRID, ["colour"]), "expected a factor .stemmer, model, team., found 'colour'"),
    (lambda: component_anova(scores(), GRID.assign(team="p"), ["team"]), "at least 2 values, found 'team' with 1"),
    (lambda: component_anova(scores(), pd.DataFrame(index=SYSTEMS)), "expected a column with at least 2 values"),
    (lambda: two_way_anova(scores(topics=1)), "expected more scores than effects"),
])  # fmt: skip
def test_what_cannot_be_analysed_is_refused(call, problem):
    with pytest.raises(ValueError, match=problem):
        call()
