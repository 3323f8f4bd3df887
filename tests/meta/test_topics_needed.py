"""Topics needed and power: equal to known values, approximations and simulations."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from evalcore import meta
from evalcore.meta import needed_topics
from evalcore.meta.needed_topics import DESIGNS

PAIRED, TWO, ANOVA = DESIGNS


@pytest.mark.parametrize(("effect", "wanted", "design", "systems", "topics"), [
    (0.5, 0.80, PAIRED, 2, 34),  # G*Power 3.1, dependent means, d_z = .5
    (0.5, 0.95, PAIRED, 2, 54),
    (0.5, 0.80, TWO, 2, 64),  # Cohen 1988, Table 2.4.1: d = .5
    (0.8, 0.80, TWO, 2, 26),  # d = .8
    (sqrt(2 * 4) * 0.25, 0.80, ANOVA, 4, 45),  # Cohen 1988, Table 8.4.4: f = .25, 4 groups; range of f is sqrt(2 m) f
])  # fmt: skip
def test_sample_sizes_equal_known_ones(effect, wanted, design, systems, topics):
    assert meta.topics_needed(effect, 0.05, wanted, design, systems) == topics


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("effect", [0.2, 0.7, 3.0])
def test_the_topics_needed_are_the_fewest_with_that_power(design, effect):
    n = meta.topics_needed(effect, 0.01, 0.9, design, 5)
    assert meta.power(n, effect, 0.01, design, 5) >= 0.9
    assert n == 2 or meta.power(n - 1, effect, 0.01, design, 5) < 0.9


def test_two_samples_are_an_anova_of_two_systems():
    assert meta.power(20, 0.6, 0.05, ANOVA, 2) == pytest.approx(meta.power(20, 0.6, 0.05, TWO))


def test_power_is_that_of_the_noncentral_t():
    bound, shift = scipy.stats.t.isf(0.025, 19), 0.5 * sqrt(20)
    expected = scipy.stats.nct.sf(bound, 19, shift) + scipy.stats.nct.cdf(-bound, 19, shift)
    assert meta.power(20, 0.5) == pytest.approx(expected, abs=1e-12)


def test_an_expected_interval_is_as_wide_as_simulated_ones():
    n = meta.topics_for_interval(0.5)
    d = np.random.default_rng(2).normal(0, 1, (4_000, n))
    widths = 2 * scipy.stats.t.isf(0.025, n - 1) * d.std(axis=1, ddof=1) / sqrt(n)
    assert 0.49 < widths.mean() < 0.5 + 4 * widths.std() / sqrt(4_000)
    assert meta.topics_for_interval(0.5, design=TWO) == pytest.approx(
        2 * n, rel=0.05
    )  # the variance of a difference is twice as large


def test_the_sd_of_differences_is_pooled_over_all_pairs():
    frame = pd.DataFrame(np.random.default_rng(3).random((9, 4)))
    variances = [(frame[a] - frame[b]).var() for a, b in combinations(frame, 2)]
    assert meta.difference_sd(frame) == pytest.approx(sqrt(np.mean(variances)))


def test_the_sd_of_differences_leaves_out_what_cannot_be_compared():
    frame = pd.DataFrame({"a": [0.1, 0.5, 0.3], "b": [0.2, 0.3, np.nan], "c": [np.inf, 0.0, 0.0]})
    assert meta.difference_sd(frame) == pytest.approx((frame["a"] - frame["b"])[:2].std())
    assert np.isnan(meta.difference_sd(frame[["a"]]))


@pytest.mark.parametrize("design", DESIGNS)
def test_topic_set_sizes_are_the_answers_for_the_difference_in_deviations_of_each_measure(design):
    sizes = meta.topic_set_sizes({"AP": 0.2, "P@10": 0.3}, 20, 0.1, 0.01, 0.9, design, 5)
    for text, deviation in (("AP", 0.2), ("P@10", 0.3)):
        sd = deviation if design == DESIGNS[0] else deviation / sqrt(2)  # of scores: half the variance of differences
        row = sizes.loc[text].to_dict()
        interval = {} if design == ANOVA else {"topics_for_interval": meta.topics_for_interval(0.1 / sd, 0.99, design)}
        assert row == pytest.approx({
            "sd": sd,
            "topics_needed": meta.topics_needed(0.1 / sd, 0.01, 0.9, design, 5),
            "power": meta.power(20, 0.1 / sd, 0.01, design, 5),
            "smallest_difference": sd * meta.smallest_effect(20, 0.01, 0.9, design, 5),
            **interval,
        })  # fmt: skip


@pytest.mark.parametrize("deviation", [0.0, np.nan, np.inf])
def test_scores_that_do_not_vary_or_are_infinite_have_no_topic_set_size(deviation):
    assert meta.topic_set_sizes({"AP": deviation}, 20, 0.1).drop(columns="sd").isna().all(axis=None)


def test_more_than_ten_million_topics_are_nan_but_the_rest_of_the_row_is_known():
    row = meta.topic_set_sizes({"AP": 1.0}, 20, 1e-5).loc["AP"]
    assert np.isnan(row["topics_needed"])
    assert row["power"] == pytest.approx(0.05, abs=1e-6)
    assert row["smallest_difference"] > 0.5


def test_invalid_designs_are_refused(subtests):
    for call, problem in [
        (
            lambda: meta.topic_set_sizes({}, 1, 0.1),
            "expected at least 2 topics and a difference above 0, found 1 and 0.1",
        ),
        (
            lambda: meta.topic_set_sizes({}, 9, 0.0),
            "expected at least 2 topics and a difference above 0, found 9 and 0.0",
        ),
        (lambda: meta.topic_set_sizes({}, 9, 0.1, design="sign"), "expected a design"),
        (lambda: meta.topic_set_sizes({}, 9, 0.1, wanted=1.0), "expected a power between 0 and 1"),
        (lambda: meta.power(1, 0.5), "expected at least 2 topics, found 1"),
        (lambda: meta.power(5, 0.0), "expected a number of standard deviations above 0, found 0.0"),
        (lambda: meta.power(5, 0.5, 1.0), "expected alpha between 0 and 1"),
        (lambda: meta.power(5, 0.5, design="sign"), "expected a design"),
        (lambda: meta.power(5, 0.5, n_systems=1), "expected at least 2 systems, found 1"),
        (lambda: meta.topics_needed(1e-6), "expected an effect that 10,000,000 topics can detect"),
        (lambda: meta.topics_needed(0.5, wanted=1.0), "expected a power between 0 and 1"),
        (lambda: meta.topics_for_interval(0.5, design=ANOVA), "expected paired t-test or two-sample t-test"),
    ]:
        with subtests.test(f"{call}, {problem}"), pytest.raises(ValueError, match=problem):
            call()


def test_the_smallest_effect_has_the_power_that_is_wanted(subtests):
    for design in DESIGNS:
        for topics in [2, 30, 5000]:
            for alpha, wanted in [(0.001, 0.99), (0.2, 0.5)]:
                with subtests.test(f"{design}, {topics}, {alpha}, {wanted}"):
                    found = meta.smallest_effect(topics, alpha, wanted, design, 5)
                    assert meta.power(topics, found, alpha, design, 5) == pytest.approx(wanted, abs=1e-6)


def test_the_smallest_effect_is_0_if_chance_alone_has_the_wanted_power():
    assert meta.smallest_effect(10, 0.2, 0.1) == 0


# --- limits of the spread ---------------------------------------------------------------------------------------------


def _mostly_zero(random: np.random.Generator, topics: int, systems: int) -> pd.DataFrame:
    gains = random.choice([0.2, 0.25, 0.5, 1.0], (topics, systems))
    return pd.DataFrame(np.where(random.random(gains.shape) < 2 / 3, 0.0, gains))


def _normal(random: np.random.Generator, topics: int, systems: int) -> pd.DataFrame:
    return pd.DataFrame(random.normal(0, 0.2, (topics, systems)) + random.normal(0.4, 0.2, (topics, 1)))


@pytest.mark.slow
@pytest.mark.parametrize("draw", [_normal, _mostly_zero])
@pytest.mark.parametrize(("topics", "systems"), [(8, 8), (25, 2), (25, 20)])
def test_the_limits_of_the_spread_contain_that_of_the_population(draw, topics, systems):
    random = np.random.default_rng(1)
    truth = meta.difference_sd(draw(random, 20_000, systems))
    limits = [meta.difference_sd_interval(draw(random, topics, systems)) for _ in range(100)]
    held = sum(low <= truth <= high for low, high in limits)
    assert held >= scipy.stats.binom.ppf(1e-4, len(limits), 0.93)


def test_the_limits_enclose_the_spread_and_narrow_with_more_topics():
    random = np.random.default_rng(2)
    widths = []
    for topics in (5, 20, 80):
        scores = _normal(random, topics, 6)
        low, high = meta.difference_sd_interval(scores)
        assert low < meta.difference_sd(scores) < high
        widths.append(high / low)
    assert widths == sorted(widths, reverse=True)


def test_without_gaps_both_ways_to_compute_the_limits_agree():
    scores = _normal(np.random.default_rng(3), 12, 4)
    beside = pd.concat([scores, pd.DataFrame(np.nan, [12], scores.columns)])  # a topic without scores
    assert meta.difference_sd_interval(beside) == pytest.approx(meta.difference_sd_interval(scores))
    gaps = scores.mask(np.random.default_rng(4).random(scores.shape) < 0.2)
    left = [meta.difference_sd(gaps.drop(index=topic)) ** 2 for topic in gaps.index]
    np.testing.assert_allclose(needed_topics._variances_left(gaps), left)
    slow = [meta.difference_sd(scores.drop(index=topic)) ** 2 for topic in scores.index]
    np.testing.assert_allclose(needed_topics._variances_left(scores), slow)


@pytest.mark.parametrize("rows", [[[0.1, 0.2]] * 9, [[0.1, 0.2], [0.3, 0.1]], [[0.5, 0.5]] * 8 + [[0.5, 1.0]]])
def test_a_spread_that_rests_on_one_topic_has_no_limits(rows):
    assert np.isnan(meta.difference_sd_interval(pd.DataFrame(rows))).all()


@pytest.mark.filterwarnings("error")
def test_limits_with_gaps_come_from_leaving_out_each_topic():
    """Also if no topic has scores of all systems, and if a system has only one topic."""
    random = np.random.default_rng(3)
    scores = pd.DataFrame(random.random((12, 5))).mask(random.random((12, 5)) < 0.6)
    assert scores.isna().any(axis=1).all()
    left = [meta.difference_sd(scores.drop(index=topic)) ** 2 for topic in scores.index]
    assert needed_topics._variances_left(scores) == pytest.approx(left)
    low, high = meta.difference_sd_interval(scores)
    assert 0 < low < meta.difference_sd(scores) < high
    one = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.5], "b": [0.2, 0.4, 0.3, 0.1], "c": [0.2, np.nan, np.nan, np.nan]})
    assert np.isfinite(meta.difference_sd_interval(one)).all()


def test_a_spread_that_rests_on_one_topic_has_no_limits_with_gaps_either():
    one = pd.DataFrame({"a": [0, 0, 0, 0.7, 0], "b": [0.1] * 4 + [np.nan], "c": [0.3] * 4 + [np.nan]})
    assert np.isnan(meta.difference_sd_interval(one)).all()
