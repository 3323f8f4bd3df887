"""What makes one number of all topics, with its interval, on populations of topics whose number is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.measured import Measured, Subject
from benchmarks.coverage.populations import Population, at_least, mostly_one, real, spaced, with_gaps
from evalcore.leaderboard import aggregate, aggregate_intervals, aggregate_of

ONE = Subject(
    "Interval of an aggregate",
    "The 95% interval of a system's mean, Borda count, win rate... holds what all topics would give, over as many.",
    "Student's t over the topics that a system has: of points between two ends with a topic more at each end (Agresti, "
    "Coull 1998), of groups within each, of a geometric mean on logarithms, of others by the delete-one jackknife. "
    "`ec.leaderboard.aggregate_intervals`, and the page *Leaderboard*.",
    "covers",
    0.95,
)
SUBJECTS = (ONE,)
RULES = (
    "Mean()", "GeometricMean()", "TrimmedMean(share=0.1)", "ZScore()", "Standardised()", "MinMax()", "WinRate()",
    "Borda()", "MeanRank()", "BradleyTerry(prior=0.1)",
)  # fmt: skip
TOPICS = (5, 12, 30)


@dataclass(frozen=True, eq=False)
class Strata:
    """Topics of a population that belong to groups, and how many of each group a leaderboard has."""

    population: Population
    sizes: tuple[int, ...]

    @cached_property
    def of_topic(self) -> np.ndarray:
        return np.arange(len(self.population.scores[0])) % len(self.sizes)

    def draw(self, random: np.random.Generator) -> tuple[pd.DataFrame, Mapping[str, str]]:
        """Scores of so many topics of each group, and the groups."""
        chosen = [random.choice(np.flatnonzero(self.of_topic == group), size) for group, size in enumerate(self.sizes)]
        groups = [f"g{group}" for group, size in enumerate(self.sizes) for _ in range(size)]
        names = [f"t{at}" for at in range(len(groups))]
        table = self.population.scores[0][np.concatenate(chosen)]
        return pd.DataFrame(table, names, self.population.systems), dict(zip(names, groups, strict=True))


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Every rule on every population, of a system at the top and one in the middle."""
    for population in [*_invented(), *_real(data)]:
        truths = {rule: _truth(population, rule) for rule in RULES}
        for topics in TOPICS:
            yield from _covered(population, truths, topics, trials, seed)
    for population in (spaced(8, 0.01), spaced(8, 0.01, shape="zeros")):
        for sizes in ((6, 6, 6), (2, 2, 14), (1, 5, 12), (2, 2, 2, 2), (8,) * 7):
            yield from _grouped(Strata(population, sizes), trials, seed)


def _invented() -> list[Population]:
    """None has scores below 0, which have no geometric mean; in the last but one a score in seventy is 0."""
    some = [spaced(8, 0.0), spaced(3, 0.1, noise=0.1), spaced(8, 0.02, shape="skewed"), spaced(8, 0.02, shape="zeros")]
    some = [at_least(one, 0.02) for one in some]
    return [*some, with_gaps(some[0], 0.5), at_least(spaced(8, 0.02), 0.0), mostly_one(3)]


def _real(data: Path | None) -> Iterator[Population]:
    for name in ("clef2016task2",) if data else ():
        if data and (data / name).exists():
            yield real(data / name, ["nDCG@10"])


def _truth(population: Population, rule: str) -> np.ndarray:
    """(S,) by all topics, of a sum the mean."""
    table = pd.DataFrame(population.scores[0], columns=population.systems)
    whole = aggregate(table, rule).to_numpy(dtype=float)
    return whole / (1 if aggregate_of(rule).averaged else len(table))


def _covered(
    population: Population, truths: Mapping[str, np.ndarray], topics: int, trials: int, seed: int
) -> Iterator[Measured]:
    random, systems = np.random.default_rng((seed, topics)), len(population.systems)
    best = np.argsort(-truths["Mean()"], kind="stable")
    asked = {"a system in the middle": best[systems // 2], "the best": best[0]}
    held, width, said = ({(rule, who): 0.0 for rule in truths for who in asked} for _ in range(3))
    for _ in range(trials):
        (scores,) = population.draw(topics, random)
        for rule, truth in truths.items():
            table = aggregate_intervals(scores, rule)
            scale = 1 if aggregate_of(rule).averaged else topics
            low, high = (table[end].to_numpy() / scale for end in ("low", "high"))
            for who, at in asked.items():
                said[rule, who] += bool(np.isfinite(low[at]))
                held[rule, who] += bool(low[at] - 1e-9 <= truth[at] <= high[at] + 1e-9)
                width[rule, who] += float(np.nan_to_num(high[at] - low[at]))
    for (rule, who), times in held.items():
        answers = int(said[rule, who])
        yield Measured(
            ONE, population.name, systems, topics, f"{rule}, {who}", int(times), answers, trials - answers,
            width=width[rule, who] / max(answers, 1),
        )  # fmt: skip


def _grouped(strata: Strata, trials: int, seed: int) -> Iterator[Measured]:
    random, rule = np.random.default_rng((seed, *strata.sizes)), "ByGroup(Mean())"
    table = pd.DataFrame(strata.population.scores[0], columns=strata.population.systems)
    truth = table.groupby(strata.of_topic).mean().mean().to_numpy()
    at, held, width = len(truth) // 2, 0, 0.0
    for _ in range(trials):
        scores, groups = strata.draw(random)
        row = aggregate_intervals(scores, rule, groups).iloc[at]
        held += bool(row["low"] <= truth[at] <= row["high"])
        width += float(row["high"] - row["low"]) / trials
    sizes = f"{len(strata.sizes)} groups of {', '.join(map(str, sorted(set(strata.sizes))))} topics"
    yield Measured(
        ONE, strata.population.name, len(truth), sum(strata.sizes), f"{rule}, {sizes}", held, trials, width=width
    )
