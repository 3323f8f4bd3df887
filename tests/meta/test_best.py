"""Systems that may be the best: equal to a loop, and right on populations with a known truth."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from evalcore.direction import directed
from evalcore.meta import may_be_best, paired_bootstrap, rank_intervals
from evalcore.meta.comparisons import how_many


def frame_of(values: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(values, columns=[f"s{at}" for at in range(values.shape[1])])


def slow_set_and_limits(values: np.ndarray, alpha: float = 0.05) -> tuple[list[bool], list[float], list[float]]:
    """Return the set and the limits, by loops over all signs of few topics and over pairs; scores have no gaps."""
    topics, systems = values.shape
    signs = [np.array([1, *rest]) for rest in product([1, -1], repeat=topics - 1)]

    def v_of(d: np.ndarray, square: float, sign: np.ndarray | int = 1) -> float:
        return abs(float((d * sign).sum())) / math.sqrt(float((d**2).sum()) + topics * square)

    def square_of(values: np.ndarray) -> float:
        return float(np.mean([(values[:, a] - values[:, b]) ** 2 for a, b in combinations(range(systems), 2)]))

    square = square_of(values - values.mean(axis=0)) * topics / (topics - 1)

    best, bounds = [], []
    for k in range(systems):
        left = [i for i in range(systems) if i != k]
        lead = {i: values[:, k] - values[:, i] for i in left}
        least = {}
        rests = [d - d.mean() for d in lead.values()]
        of_rests = sorted(max(v_of(rest, square, sign) for rest in rests) for sign in signs)
        critical = of_rests[len(signs) - 1 - math.floor(alpha * len(signs) + 1e-9)] * (1 + 1e-5)  # as ROUNDING
        while True:
            largest = sorted(max((v_of(lead[i], square, sign) for i in left), default=0.0) for sign in signs)
            allowed = math.floor(alpha * len(signs) + 1e-9)
            now = largest[len(signs) - 1 - allowed]
            stay = [i for i in left if v_of(lead[i], square) <= now * (1 + 1e-5)]
            if stay == left:
                break
            left = stay
        tests = [paired_bootstrap(frame_of(values[:, [k, i]]), how_many(systems), seed=0).pairs["asl"] for i in lead]
        alone = {i for i, asl in zip(lead, tests, strict=True) if float(asl.iloc[0]) < alpha}
        apart = [i for i in lead if i not in left and i in alone]
        best.append(not any(lead[i].mean() < 0 for i in apart))
        shift = 1 + square / np.mean([d.var() for d in lead.values()])
        ratio = critical**2 / (topics - critical**2 * shift) if critical**2 * shift < topics else math.inf
        for i, d in lead.items():
            margin = math.sqrt(ratio * (d.var() + square))
            least[i] = (d.mean() - margin, d.mean() + margin)
        bounds.append(least)
    low, high = [math.inf] * systems, [-math.inf] * systems
    for k in range(systems):
        if not best[k]:
            continue
        for i in range(systems):
            if i == k:
                ends = [max(0.0, min(one[at] for one in bounds[k].values())) for at in (0, 1)]
            else:
                ends = [-bounds[k][i][1], min(0.0, -bounds[k][i][0])]
            low[i], high[i] = min(low[i], ends[0]), max(high[i], ends[1])
    return best, low, high


@pytest.mark.parametrize("seed", range(4))
def test_the_set_and_the_limits_are_those_of_a_loop_over_all_signs(seed):
    random = np.random.default_rng(seed)
    values = random.normal(0, 0.05, (9, 5)) + random.normal(0, 0.2, (9, 1)) + np.linspace(0, 0.1, 5)
    table, (best, low, high) = may_be_best(frame_of(values)), slow_set_and_limits(values)
    assert table["may_be_best"].tolist() == best
    np.testing.assert_allclose(table["lead_low"], low, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(table["lead_high"], high, rtol=1e-9, atol=1e-12)


def test_the_set_and_the_limits_are_columns_of_rank_intervals_in_any_order_and_direction():
    values = frame_of(np.random.default_rng(1).normal(0, 0.2, (30, 8)) + np.linspace(0, 0.3, 8))
    for scores in (values, directed(-values, "low")):
        known = rank_intervals(scores, 50).table.loc[values.columns]
        pd.testing.assert_frame_equal(may_be_best(scores), known[["may_be_best", "lead_low", "lead_high"]])


@pytest.mark.parametrize(("topics", "known"), [(1, False), (5, False), (6, True)])
def test_on_fewer_than_six_topics_all_may_be_the_best_and_no_lead_has_limits(topics, known):
    table = may_be_best(frame_of(np.arange(topics)[:, None] * np.ones(3) + [3.0, 0, 0]))
    assert table["may_be_best"].tolist() == [True, not known, not known]
    assert table["lead_low"].notna().all() == known


def normal(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.standard_normal(shape)


def skewed(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.exponential(size=shape) - 1


def mostly_zero(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return np.where(random.random(shape) < 2 / 3, 0.0, random.random(shape)) * 3


def tied(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.binomial(5, 0.4, shape) / 2


LAWS = {law.__name__: law for law in (normal, skewed, mostly_zero, tied)}
DRAWS = 150
WORST = 0.90  # of 150 draws at 95%, fewer than 1 in 200 cells have less by chance


@pytest.mark.slow
@pytest.mark.parametrize("lead", [0.0, 0.3])
@pytest.mark.parametrize("law", LAWS)
def test_the_best_is_in_the_set_and_the_observed_first_in_its_interval(law, lead):
    for systems, topics in ((5, 10), (5, 50), (20, 10), (20, 25), (40, 25)):
        random, held, covered, inside = np.random.default_rng((systems, topics)), 0, 0, 0
        for _ in range(DRAWS):
            values = 0.2 * LAWS[law](random, (topics, systems))
            values[:, 0] += lead
            table = rank_intervals(frame_of(values), 2).table
            held += bool(table.loc["s0", "may_be_best"])
            assert table["may_be_best"].sum() <= (~table["separable"]).sum()
            first = table.iloc[0]
            best, worst = (1, 1 if lead else systems) if first.name == "s0" else (2 if lead else 1, systems)
            covered += first["rank_low"] <= best and worst <= first["rank_high"]
            truth = pd.Series(-lead, table.index).where(table.index != "s0", lead)
            inside += bool(((table["lead_low"] <= truth + 1e-9) & (truth <= table["lead_high"] + 1e-9)).all())
        assert min(held, covered, inside) / DRAWS >= WORST, (systems, topics, held, covered, inside)
