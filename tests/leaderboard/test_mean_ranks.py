"""Friedman, Nemenyi and Holm against scipy and scikit-posthocs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from leaderboard.tables import SCORES
from scipy import stats

from evalcore import InputError
from evalcore.direction import directed
from evalcore.leaderboard import critical_difference

# scikit-posthocs 0.17: posthoc_nemenyi_friedman of the table, the upper half row by row.
NEMENYI = """
0.8622245005 0.7487440360 0.9056923956 0.3014432833 0.1062283547
0.9999325189 0.9999978490 0.9395687327 0.7158523547
0.9995041455 0.9809088525 0.8369768629
0.9056923956 0.6464122519
0.9965014540
"""


def test_friedman_is_scipys():
    found, expected = critical_difference(SCORES), stats.friedmanchisquare(*SCORES.to_numpy().T)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_pairs_are_those_of_scikit_posthocs():
    pairs = critical_difference(SCORES).pairs.loc[list("abcdef"), list("abcdef")].to_numpy()
    np.testing.assert_allclose(pairs[np.triu_indices(6, 1)], np.array(NEMENYI.split(), dtype=float), atol=1e-8)
    np.testing.assert_allclose(pairs, pairs.T)


@pytest.mark.parametrize(("systems", "q"), [(3, 2.343), (5, 2.728), (10, 3.164)])
def test_the_difference_is_demsars(systems, q):
    """Demsar 2006, Table 5a: critical values of Nemenyi's test at 0.05."""
    scores = pd.DataFrame(np.random.default_rng(1).random((14, systems)))
    found = critical_difference(scores).difference
    assert found == pytest.approx(q * np.sqrt(systems * (systems + 1) / (6 * 14)), rel=3e-4)


def test_the_difference_decides_as_p_does():
    found = critical_difference(SCORES * np.linspace(0.2, 1, 6))
    mean = found.ranks.to_numpy()
    far = np.abs(mean[:, None] - mean) > found.difference
    assert (far == (found.pairs.to_numpy() < found.alpha)).all()
    assert far.any()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["Nemenyi", "Holm"])
@pytest.mark.parametrize("systems", [3, 8])
def test_equal_systems_rarely_differ_significantly(by, systems):
    """Of 300 tables of equal systems at most 8 in 100 have a pair apart, where 5 is said."""
    random = np.random.default_rng(systems)
    wrong = [
        (critical_difference(pd.DataFrame(random.random((12, systems))), by=by).pairs < 0.05).any(axis=None)
        for _ in range(300)
    ]
    assert np.mean(wrong) <= 0.08


@pytest.mark.parametrize("systems", [10, 40])
def test_equal_variants_of_few_systems_rarely_differ(systems):
    """Ranks of variants move together: by Friedman's p some of equal systems differ in one of six cases, or more."""
    random, wrong = np.random.default_rng(systems), np.zeros(2)
    for _ in range(100):
        teams = random.normal(size=(20, systems // 5))[:, np.arange(systems) // 5]
        found = critical_difference(pd.DataFrame(teams + 0.3 * random.normal(size=teams.shape)))
        wrong += found.p <= 0.05, found.p_corrected <= 0.05
    assert wrong[0] >= 8
    assert wrong[1] <= 14  # more in one of 10,000 runs of a test that errs in 5%


def test_the_corrected_p_is_at_least_friedmans():
    found = critical_difference(SCORES)
    assert found.p <= found.p_corrected <= 1
    assert critical_difference(pd.DataFrame(np.ones((4, 3)))).p_corrected == 1.0


def test_all_tied_differ_in_nothing():
    found = critical_difference(pd.DataFrame(np.ones((4, 3)), columns=list("abc")))
    assert (found.statistic, found.p, found.groups) == (0.0, 1.0, (("a", "b", "c"),))


def test_low_scores_rank_first_where_they_are_good():
    assert critical_difference(directed(1 - SCORES, "low")).ranks.equals(critical_difference(SCORES).ranks)


@pytest.mark.parametrize(
    ("scores", "problem"),
    [
        (SCORES.mask(SCORES > 0.95), "1 gaps"),
        (SCORES.iloc[:, :2], "found 12 and 2"),
        (SCORES.iloc[:1], "found 1 and 6"),
    ],
)
def test_what_has_no_picture_is_refused(scores, problem):
    with pytest.raises(InputError, match=problem):
        critical_difference(scores)


@pytest.mark.parametrize("by", ["Nemenyi", "Holm"])
def test_groups_are_all_runs_in_which_no_pair_is_told_apart(by):
    """As a loop over all runs finds them."""
    scores = pd.DataFrame(np.random.default_rng(1).normal(np.linspace(0, 2, 25), 1.0, (30, 25)))
    found = critical_difference(scores, by=by)
    assert not (found.apart & (found.pairs > found.alpha)).any(axis=None)
    alike, names = ~found.apart.to_numpy(), [str(name) for name in found.ranks.index]
    runs = [range(a, b) for a in range(25) for b in range(a + 2, 26) if alike[a:b, a:b].all()]
    longest = [run for run in runs if not any({*run} < {*other} for other in runs)]
    assert len(longest) > 1
    assert [*found.groups] == [tuple(names[at] for at in one) for one in longest]


def test_thousands_of_systems_that_do_not_differ_are_one_group():
    """Looking at each pair once; at all pairs of each run it would take hours."""
    scores = pd.DataFrame(np.random.default_rng(2).normal(size=(10, 2000)))
    (group,) = critical_difference(scores, by="Holm").groups
    assert len(group) == 2000


@pytest.mark.parametrize("alpha", [0, 1, 2, -1, np.nan, np.inf])
def test_an_alpha_that_is_no_share_is_refused(alpha):
    with pytest.raises(InputError, match="expected alpha between 0 and 1, both excluded"):
        critical_difference(SCORES, alpha)


def test_scores_that_are_no_numbers_are_refused():
    with pytest.raises(InputError, match="expected scores that are numbers, found others in scores"):
        critical_difference(SCORES.astype(str).replace(str(SCORES.iloc[0, 0]), "x"))
