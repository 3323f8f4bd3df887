"""Ranks, what is separable, and the tests of pairs: how often they are right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.coverage.measured import Measured, Subject
from benchmarks.coverage.populations import Population, half_steady, rarely_apart, real, spaced
from evalcore.arrays import FloatArray
from evalcore.meta import (
    compare_systems,
    paired_bootstrap,
    permutation_p,
    rank_intervals,
    topic_resamples,
)
from evalcore.meta.order import ahead

ONE = Subject(
    "Rank interval of one system",
    "The 95% interval of a system's rank covers its rank by the true means, for a system that one had in mind.",
    "Max-T of its comparisons with all others under flipped signs of the topics, step-down, and each pair told apart "
    "by the paired bootstrap (Mogstad et al. 2024; Romano, Wolf 2005). `ec.rank_intervals`, rank_low to rank_high.",
    "covers",
    0.95,
)
ALL = Subject(
    "Rank intervals of all systems",
    "The 95% intervals of all systems together cover all their ranks by the true means.",
    "The same among all pairs. `ec.rank_intervals`, all_low to all_high.",
    "covers",
    0.95,
)
SEPARABLE = Subject(
    "Separable, and letters",
    "Of all that is called separable, nothing is wrong: no pair that is equal, and none the other way round.",
    "The same decisions: `ec.rank_intervals`, separable and groups.",
    "errs",
    0.05,
)
TESTS = {
    "bootstrap": "Paired bootstrap (ASL)",
    "t": "Paired t-test",
    "Wilcoxon": "Wilcoxon's signed-rank test",
    "permutation": "Permutation test",
}
PAIR = {
    name: Subject(title, "Two equal systems are called different.", "`ec.compare_systems`.", "errs", 0.05)
    for name, title in TESTS.items()
}
DIFFERENCE = Subject(
    "Interval of a difference",
    "The 95% interval of a pair's mean difference, or of a gain over a baseline, covers the true one.",
    "Mean -+ t sd / sqrt(n). `ec.compare_systems`, `ec.against_baselines`.",
    "covers",
    0.95,
)
SUBJECTS = (ONE, ALL, SEPARABLE, DIFFERENCE, *PAIR.values())
EQUAL = [(systems, topics) for systems in (2, 5, 10, 40) for topics in (5, 6, 10, 25, 66)]


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Everything over the grid."""
    for population in [*_invented(), *_real(data)]:
        for topics in (6, 10, 20, 50):
            yield from _ranks(population, topics, trials, seed)
    for systems, topics in EQUAL:
        for shape in ("normal", "skewed", "uneven"):
            yield _separable(spaced(systems, 0.0, shape=shape), topics, trials, seed)
    for topics in (5, 6, 8, 10, 15, 25, 66):
        for shape in ("normal", "skewed"):
            yield from _pairs(spaced(2, 0.0, shape=shape), topics, trials, seed)
    for topics in (6, 10, 25, 66, 200):  # where no test of few topics holds
        yield _separable(rarely_apart(), topics, trials, seed)
        yield from _pairs(rarely_apart(), topics, trials, seed)
        for systems in (5, 40):
            yield _separable(half_steady(systems), topics, trials, seed)


def _invented() -> list[Population]:
    grid = [(5, 0.01), (10, 0.01), (10, 0.002), (40, 0.005), (40, 0.0005), (60, 0.002)]
    return [
        *(spaced(systems, gap) for systems, gap in grid),
        spaced(10, 0.01, shape="skewed"),
        spaced(40, 0.002, shape="uneven"),
        spaced(40, 0.005, shape="zeros"),
    ]


def _real(data: Path | None) -> Iterator[Population]:
    for name in ("clef2015", "clef2016task2", "dl2021judges") if data else ():
        if data and (data / name).exists():
            for text in ("AP", "nDCG@10", "RR"):
                yield real(data / name, [text])


def _ranks(population: Population, topics: int, trials: int, seed: int) -> Iterator[Measured]:
    random, truth = np.random.default_rng((seed, topics)), population.means[0]
    order = np.argsort(-truth, kind="stable")
    systems = {"the best": order[0], "the median": order[len(order) // 2], "the worst": order[-1]}
    lowest, highest = 1 + ahead(truth), len(truth) - ahead(-truth)
    names = population.systems
    hits, before = dict.fromkeys([*systems, "all"], 0), dict.fromkeys(systems, 0)
    width, width_before = dict.fromkeys([*systems, "all"], 0.0), dict.fromkeys(systems, 0.0)
    for _ in range(trials):
        (scores,) = population.draw(topics, random)
        table = rank_intervals(scores, 50).table.loc[names]
        low, high = table["rank_low"].to_numpy(), table["rank_high"].to_numpy()
        percentile = _percentile(scores.to_numpy())
        for name, at in systems.items():
            hits[name] += bool(low[at] <= lowest[at] and highest[at] <= high[at])
            width[name] += float(high[at] - low[at]) / trials
            before[name] += bool(percentile[0][at] <= lowest[at] and highest[at] <= percentile[1][at])
            width_before[name] += float(percentile[1][at] - percentile[0][at]) / trials
        low, high = table["all_low"].to_numpy(), table["all_high"].to_numpy()
        hits["all"] += bool(((low <= lowest) & (highest <= high)).all())
        width["all"] += float((high - low).mean()) / trials
    size = (population.name, len(truth), topics)
    for name in systems:
        yield Measured(
            ONE, *size, name, hits[name], trials, width=width[name],
            before=before[name] / trials, width_before=width_before[name],
        )  # fmt: skip
    yield Measured(ALL, *size, "", hits["all"], trials, width=width["all"])


def _percentile(scores: FloatArray, resamples: int = 500) -> tuple[FloatArray, FloatArray]:
    """The middle 95% of each system's ranks in resamples of the topics, for comparison."""
    means = topic_resamples(len(scores), resamples, 0) @ scores / len(scores)
    low, high = np.quantile(1.0 + ahead(means), [0.025, 0.975], axis=0, method="inverted_cdf")
    return low, high


def _separable(population: Population, topics: int, trials: int, seed: int) -> Measured:
    random, wrong = np.random.default_rng((seed, topics)), 0
    for _ in range(trials):
        (scores,) = population.draw(topics, random)
        wrong += len(rank_intervals(scores, 2).groups) > 1
    return Measured(SEPARABLE, population.name, scores.shape[1], topics, "any pair", wrong, trials)


def _pairs(population: Population, topics: int, trials: int, seed: int) -> Iterator[Measured]:
    random, wrong, covered = np.random.default_rng((seed, topics)), dict.fromkeys(TESTS, 0), 0
    for _ in range(trials):
        (scores,) = population.draw(topics, random)
        pair = compare_systems(scores, "s0", "s1", 10)
        covered += bool(pair.low <= 0 <= pair.high)
        row = paired_bootstrap(scores, 1000).pairs.iloc[0]
        p = {"bootstrap": row["asl"], "t": row["p_t"], "Wilcoxon": row["p_wilcoxon"]}
        p["permutation"] = permutation_p(scores["s0"] - scores["s1"], 1000)[0]
        for name in TESTS:
            wrong[name] += bool(p[name] < 0.05)
    yield Measured(DIFFERENCE, population.name, 2, topics, "", covered, trials)
    for name, subject in PAIR.items():
        yield Measured(subject, population.name, 2, topics, "", wrong[name], trials)
