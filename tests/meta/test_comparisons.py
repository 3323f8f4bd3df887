"""Significant differences: equal to loops over all signs, and right on populations with a known truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binom, poisson

from benchmarks.coverage.populations import Population, rare_successes, some_zeros, spaced
from evalcore.meta import paired_bootstrap
from evalcore.meta.comparisons import HardlySeen, compared, fewest_topics, how_many, mean_variance, rank_bounds

ALPHA = 0.05


def slow_v(differences: list[float], square: float) -> float:
    size = math.fsum(d * d for d in differences)
    return abs(math.fsum(differences)) / math.sqrt(size + square) if size else 0.0


def slow_apart(scores: list[list[float]], pairs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the pairs that step-down max-T separates, by a loop over all signs; scores are lists by system, or nan."""

    def lead(a: int, b: int) -> list[float]:
        found = [x - y for x, y in zip(scores[a], scores[b], strict=True)]
        return [0.0 if math.isnan(d) or abs(d) < 1e-12 else d for d in found]

    def common(a: int, b: int) -> int:
        return sum(not math.isnan(x - y) for x, y in zip(scores[a], scores[b], strict=True))

    around = [[x - math.fsum(known) / len(known) for x in own] for own in scores for known in [without_gaps(own)]]
    every = [x - y for a, b in combinations(around, 2) for x, y in zip(a, b, strict=True) if not math.isnan(x - y)]
    square = math.fsum(d * d for d in every) / len(every) * len(scores[0]) / (len(scores[0]) - 1)
    leads = {(a, b): lead(a, b) for a, b in pairs if common(a, b) >= 6}
    beside = {pair: common(*pair) * square for pair in leads}
    signs = list(product([1, -1], repeat=len(scores[0])))
    left = {pair for pair, differences in leads.items() if any(differences)}
    apart: set[tuple[int, int]] = set()
    while left:
        largest = [
            max(slow_v([s * d for s, d in zip(sign, leads[pair], strict=True)], beside[pair]) for pair in left)
            for sign in signs
        ]
        p = {
            pair: sum(v >= slow_v(leads[pair], beside[pair]) * (1 - 1e-9) for v in largest) / len(signs)
            for pair in left
        }
        new = {pair for pair in left if p[pair] <= ALPHA}
        if not new:
            break
        apart |= new
        left -= new
    best_first = {pair: pair if math.fsum(leads[pair]) > 0 else pair[::-1] for pair in apart}
    return {pair for pair in apart if abs(math.fsum(leads[pair])) > slow_unseen(scores, *best_first[pair])}


def without_gaps(scores: list[float]) -> list[float]:
    return [x for x in scores if not math.isnan(x)]


def slow_unseen(scores: list[list[float]], ahead: int, behind: int) -> float:
    """Return the sum that unseen topics may take from a lead, if a system nearly always has its most frequent score."""
    span = [max(known) - min(known) for at in zip(*scores, strict=True) for known in [without_gaps(list(at))] if known]
    every, may = [score for known in scores for score in without_gaps(known)], [0.0]
    for system in (ahead, behind):
        known, other = without_gaps(scores[system]), without_gaps(scores[behind + ahead - system])
        seen = len(known) - max(Counter(known).values())
        if seen >= min(max(5, len(scores[0]) // 6), len(known) - 1):
            continue
        missing = brentq(lambda mean, seen=seen: poisson.cdf(seen, mean) - ALPHA / 5, 0, 99) - seen
        usual = math.fsum(other) / len(other)
        worst = max(every) - usual if system == behind else usual - min(every)
        may.append(missing * worst if seen else 3 * missing * max(span))
    return max(may)


def alone(frame: pd.DataFrame) -> set[tuple[int, int]]:
    """Return the pairs that the paired bootstrap finds significant; other tests compare it with a loop."""
    tests = paired_bootstrap(frame, how_many(frame.shape[1]), seed=0).pairs
    names = list(frame.columns)
    kept = tests[tests["asl"] < ALPHA]
    return {(names.index(a), names.index(b)) for a, b in zip(kept["system_a"], kept["system_b"], strict=True)}


def random_frame(seed: int, topics: int, systems: int = 4) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    values = random.integers(0, 11, (topics, systems)) / 10 + np.linspace(0, 0.9, systems) * random.integers(0, 2)
    return pd.DataFrame(values, columns=[f"s{at}" for at in range(systems)])


def test_all_pairs_and_one_systems_pairs_are_decided_as_by_a_loop_over_all_signs(subtests):
    for topics in [5, 6, 7, 8]:
        for seed in range(4):
            with subtests.test(f"{topics}, {seed}"):
                frame = random_frame(seed, topics)
                if topics == 8:
                    frame.iloc[:2, 1] = np.nan
                    frame.iloc[:3, 2] = np.nan  # with five topics left, never significant
                scores, result = [frame[name].tolist() for name in frame], compared(frame.to_numpy())
                every = set(combinations(range(4), 2))
                expected = slow_apart(scores, every) & alone(frame)
                assert {pair for pair in every if result.together[pair]} == expected
                for system in range(4):
                    own = {pair for pair in every if system in pair}
                    expected = slow_apart(scores, own) & alone(frame)
                    assert {pair for pair in own if result.each[system, sum(pair) - system]} == expected


@given(st.integers(0, 10_000), st.integers(1, 14), st.integers(1, 6))
def test_decisions_agree_with_each_other(seed, topics, systems):
    scores = random_frame(seed, topics, systems).to_numpy()
    result = compared(scores)
    assert (result.together == -result.together.T).all()
    assert (np.abs(result.together) <= np.abs(result.each)).all()  # what holds among all pairs holds for one system
    low, high = rank_bounds(result.each)
    ranks = 1 + (scores.mean(axis=0)[:, None] < scores.mean(axis=0) - 1e-12).sum(axis=1)
    assert ((low <= ranks) & (ranks <= high)).all()  # no set of ranks excludes the observed rank


def test_on_five_topics_nothing_is_significant_and_on_six_it_can_be():
    better = np.linspace(0.2, 0.3, 6)
    scores = np.stack([better + 0.5, better * 2], axis=1)
    assert fewest_topics(ALPHA) == 6
    assert compared(scores[:5]).together.tolist() == [[0, 0], [0, 0]]
    assert compared(scores).together.tolist() == [[0, 1], [-1, 0]]


def test_a_system_with_an_infinite_score_is_undecided_and_leaves_the_others_alone():
    scores = np.column_stack([np.linspace(1, 2, 8), np.linspace(0, 0.5, 8), np.r_[-np.inf, np.zeros(7)]])
    result = compared(scores)
    assert result.together[2].tolist() == [0, 0, 0]
    assert result.together[0, 1] == 1


EQUAL = [
    *[(spaced(systems, 0.0), topics) for systems, topics in [(2, 6), (2, 15), (5, 10), (12, 25)]],
    *[(rare_successes(2), 6), (rare_successes(2), 10), (rare_successes(5), 10), (some_zeros(5), 10)],  # .16 to .38 once
]


@pytest.mark.parametrize(("population", "topics"), EQUAL, ids=[f"{one.name}, {topics}" for one, topics in EQUAL])
def test_some_pair_of_equal_systems_is_significant_in_at_most_five_percent_of_collections(
    population: Population, topics: int
) -> None:
    random, trials = np.random.default_rng(11), 200
    wrong = sum(compared(population.draw(topics, random)[0].to_numpy()).together.any() for _ in range(trials))
    assert binom.sf(wrong - 1, trials, 0.06) > 0.001  # so many would be rare even at a true rate of 6 %


@given(st.integers(0, 10_000), st.integers(6, 45), st.booleans())
def test_the_sum_that_unseen_topics_may_add_equals_a_loop(seed, topics, gaps):
    random = np.random.default_rng(seed)
    scores = np.where(random.random((topics, 5)) < random.random(5), 0.0, random.random((topics, 5)))
    if gaps:
        scores[random.random(scores.shape) < 0.2] = np.nan
        scores[:6] = np.nan_to_num(scores[:6])
    known = [scores[:, system].tolist() for system in range(5)]
    hardly, (a, b) = HardlySeen.of(scores.T, ALPHA), np.array(list(permutations(range(5), 2))).T
    most = np.array([slow_unseen(known, *pair) for pair in zip(a.tolist(), b.tolist(), strict=True)])
    for share in (0.999, 1.001):
        expected = (most > 0) & (share < 1)
        assert hardly.may_reverse(share * most, a, b).tolist() == expected.tolist()
        assert hardly.may_reverse(-share * most, b, a).tolist() == expected.tolist()


def test_a_run_without_any_success_is_worse_on_fifty_topics_but_not_on_ten():
    scores = np.column_stack([np.random.default_rng(0).uniform(0.3, 0.7, 50), np.zeros(50)])
    assert compared(scores).together.tolist() == [[0, 1], [-1, 0]]
    assert compared(scores[:10]).together.tolist() == [[0, 0], [0, 0]]


def test_the_mean_variance_is_over_every_two_systems():
    scores = np.random.default_rng(3).random((6, 9))
    expected = np.mean([(a - b).var(ddof=1) for a, b in combinations(scores, 2)])
    assert float(mean_variance(scores)) == pytest.approx(expected)
