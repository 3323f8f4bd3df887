"""The joint test: exact with few topics, equal to a slow loop, and valid if there is no difference."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from claims.made import leading, multiverse_of
from scipy import stats

from evalcore.claims import joint_test, parse_claim
from evalcore.claims.joint import weighted_median
from evalcore.meta.resampling import topic_resamples

CLAIM = parse_claim("a > b")
RESAMPLES = 32  # the number of signs of 6 topics, without the opposite of each


def slowly(lead: np.ndarray, alpha: float = 0.05) -> tuple[float, ...]:
    """Return the median effect, the share significant, and p of both and of the mean standardised effect."""

    def statistics(signs: np.ndarray) -> tuple[float, float, float]:
        flipped = lead * signs
        tests = [stats.ttest_1samp(row, 0) for row in flipped]
        significant = np.mean([test.pvalue <= alpha and test.statistic > 0 for test in tests])
        standard = np.mean([row.mean() / np.sqrt(np.mean(row**2)) for row in flipped])
        return float(np.median(flipped.mean(axis=1))), float(significant), float(standard)

    observed = np.array(statistics(np.ones(lead.shape[1])))
    every = np.array([statistics(np.array(signs)) for signs in product((1, -1), repeat=lead.shape[1])])
    reached = (every >= observed - 1e-12).mean(axis=0)
    standardised = (lead / np.sqrt(np.mean(lead**2, axis=1, keepdims=True))).mean(axis=0)
    drawn = [np.repeat(standardised - standardised.mean(), counts) for counts in topic_resamples(6, RESAMPLES, 0)]
    least = np.mean([row.mean() / np.sqrt(np.mean(row**2)) >= ratio(standardised) for row in drawn])
    return (*observed[:2], *np.maximum(reached, least).tolist())


def ratio(lead: np.ndarray) -> float:
    return float(lead.mean() / np.sqrt(np.mean(lead**2)))


@pytest.mark.parametrize("shift", [0.0, 0.15, -0.1])
def test_all_sign_vectors_of_few_topics_give_the_exact_p_of_a_slow_loop(shift: float) -> None:
    lead = np.random.default_rng(4).normal(shift, 0.2, (5, 6))
    found = joint_test(leading(lead), CLAIM, permutations=2 * RESAMPLES)
    median, significant, median_p, significant_p, p = slowly(lead)
    assert found.exact
    assert found.permutations == 64
    assert found.median == pytest.approx(median)
    assert found.significant == significant
    assert (found.median_p, found.significant_p, found.p) == pytest.approx((median_p, significant_p, p))


def test_without_a_difference_the_joint_p_is_not_too_small() -> None:
    # 400 multiverses of six specifications that share half of their noise; two systems of equal quality
    rng = np.random.default_rng(11)
    ps = []
    for _ in range(400):
        lead = rng.normal(size=(1, 15)) + rng.normal(size=(6, 15))
        ps.append(joint_test(leading(lead), CLAIM, permutations=199, seed=int(rng.integers(1 << 30))).p)
    assert stats.kstest(ps, "uniform", alternative="greater").pvalue > 0.05  # no more small p than by chance
    assert np.mean(ps) == pytest.approx(0.5, abs=0.1)
    assert np.mean(np.array(ps) <= 0.05) == pytest.approx(0.05, abs=0.025)


def test_for_skewed_leads_the_joint_p_is_compared_with_resamples() -> None:
    # a steady system and an equal one that is very good on 15 % of topics: with signs only, 11 % have a p below .05
    rng, small = np.random.default_rng(3), 0
    for _ in range(300):
        rare = np.where(rng.random(25) < 0.15, rng.uniform(0.6, 1.0, 25), rng.uniform(0.0, 0.1, 25))
        small += joint_test(leading([0.1625 + 0.05 * rng.standard_normal(25) - rare]), CLAIM).p <= 0.05
    assert small / 300 < 0.07


def test_systems_that_are_equal_have_a_p_of_1() -> None:
    found = joint_test(leading(np.zeros((3, 20))), CLAIM)
    assert (found.p, found.median, found.significant) == (1, 0, 0)


def test_signs_are_flipped_on_the_topics_of_a_specification() -> None:
    lead = np.random.default_rng(6).normal(0.1, 0.2, 8)
    half = [True] * 5 + [False] * 3
    scores = np.stack([0.5 + lead / 2, 0.5 - lead / 2])[None]
    found = joint_test(multiverse_of(scores, topic_sets=[half]), CLAIM)
    alone = joint_test(leading([lead[:5]]), CLAIM)
    assert (found.p, found.median) == (pytest.approx(alone.p), pytest.approx(alone.median))


def test_the_p_of_an_order_is_that_of_its_weakest_pair() -> None:
    rng = np.random.default_rng(7)
    multiverse = multiverse_of(rng.random((4, 3, 10)), ("a", "b", "c"))
    pairs = {text: joint_test(multiverse, parse_claim(text)) for text in ("a > b", "b > c")}
    found = joint_test(multiverse, parse_claim("a > b > c"))
    assert found.p == max(pair.p for pair in pairs.values())
    assert found.median_p == max(pair.median_p for pair in pairs.values())
    assert found.significant_p == max(pair.significant_p for pair in pairs.values())
    assert found.p == pairs[" > ".join(found.pair)].p


@pytest.mark.parametrize("top", [1, 2, 3])
def test_the_p_of_a_rank_is_a_partial_conjunction_of_pairs(top: int) -> None:
    # Benjamini & Heller 2008: of 3 others at least 4 - k are beaten; p = k times the (4 - k)-th smallest p.
    rng = np.random.default_rng(9)
    multiverse = multiverse_of(rng.random((4, 4, 10)) + np.array([0.2, 0.0, 0.1, 0.15])[:, None], ("a", "b", "c", "d"))
    tests = [joint_test(multiverse, parse_claim(f"a > {other}")) for other in "bcd"]
    found = joint_test(multiverse, parse_claim(f"a in top {top}"))
    for name in ("p", "median_p", "significant_p"):  # all three are corrected for the selection
        ps = sorted(getattr(test, name) for test in tests)
        assert getattr(found, name) == pytest.approx(min(top * ps[3 - top], 1))


def test_p_values_of_false_rank_claims_are_small_in_at_most_5_of_100() -> None:
    # "in the top 2" among three tied systems and two far behind; for .05 and 300 draws, the exact 99.9% bound is .103
    rng = np.random.default_rng(12)
    small = np.zeros(3)
    for _ in range(300):
        scores = rng.normal(size=(1, 5, 12)) + rng.normal(size=(3, 5, 12)) - np.array([0, 0, 0, 4, 4])[:, None]
        found = joint_test(multiverse_of(scores, tuple("abcde")), parse_claim("a in top 2"), permutations=200)
        small += np.array([found.p, found.median_p, found.significant_p]) <= 0.05
    assert (small / 300 < 0.103).all()


def test_the_weighted_median_is_that_of_repeated_values() -> None:
    rng = np.random.default_rng(3)
    values, times = rng.random((5, 8)), rng.integers(1, 5, 8)
    expected = np.median(np.repeat(values, times, axis=1), axis=1)
    assert np.allclose(weighted_median(values, times / times.sum()), expected)
