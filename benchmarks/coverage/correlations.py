"""How often the interval of a correlation of two rankings covers that of the true rankings.

Others that were tried cover less, or take more. On AP and nDCG@10 with the topics of CLEF 2015 as population, 20, 66
and 200 drawn (60 to 150 trials each): percentiles, the column *before*, .15 to .67; reflected .83 to .90;
bias-corrected on Fisher's z .67 to .76; the plain jackknife, 1.96 errors each way, .95 to 1.00 at 1.5 to 2.4 times the
percentiles' width.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.measured import Measured, Subject
from benchmarks.coverage.populations import Population, factors, real, two_measures
from evalcore.meta import CORRELATIONS, Correlation, by_topic, correlation_matrix, topic_resamples
from evalcore.meta.intervals import interval_of, sampled_means
from evalcore.meta.ranking_doubt import SampledMeans

RESAMPLES = 400
TOPICS = (10, 20, 50, 200)

OF_MEANS = Subject(
    "Correlation of two rankings",
    "The correlation of the true rankings of these systems, by their means over all such topics, lies in the interval.",
    "The estimate, less and plus Student's t times the standard deviation under a part of the topics' noise, as far as "
    "noise may have moved it, and the percentiles of resamples (evalcore.meta.ranking_doubt).",
    "covers",
    0.95,
)
WITH_GAPS = replace(
    OF_MEANS,
    name="Correlation of two rankings, of systems that lack topics",
    claim="The correlation of the true rankings lies in the interval, where systems lack some topics at random.",
)
OF_TOPICS = Subject(
    "Correlation topic by topic",
    "The mean over all such topics of the correlation on one topic lies in the interval.",
    "Student's t interval of the mean.",
    "covers",
    0.95,
)
SUBJECTS = (OF_MEANS, OF_TOPICS)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """The coverage for all populations and numbers of topics; with a folder of collections, for real topics, too."""
    for population, names in invented():
        for topics in TOPICS:
            yield from covered(population, names, topics, trials, seed)
    for population in [] if data is None else of_collections(data):
        for topics in TOPICS:
            yield from covered(population, ("tau", "tau_ap", "spearman", "rbo"), topics, trials, seed)
            yield covered_by_topic(population, topics, trials, seed)


def invented() -> Iterator[tuple[Population, tuple[str, ...]]]:
    """From few systems to many, far apart to nearly equal, and of teams; and what is correlated."""
    for systems, seed in ((5, 3), (10, 1), (20, 2), (60, 4)):
        for shared in (0.9, 0.3):
            yield two_measures(systems, 0.4 / systems, 0.9, shared=shared, seed=seed), ("tau",)
    yield two_measures(20, 0.02, 0.5, shared=0.9, seed=5), ("tau", "tau_ap", "tau_ap_b", "spearman", "rbo")
    yield two_measures(20, 0.002, 0.9, shared=0.5, seed=6), ("tau",)
    yield two_measures(150, 0.003, 0.9, shared=0.7, seed=7), ("tau",)
    yield two_measures(40, 0.01, 0.9, shared=0.9, seed=8, teams=8), ("tau",)
    yield two_measures(40, 0.01, 0.9, shared=0.9, seed=9, teams=8, within=0), ("tau",)
    yield two_measures(40, 0.01, 0.9, shared=0.5, seed=9, teams=8, within=0), ("tau",)
    yield factors(20, 3, 0.02, seed=10), ("tau", "tau_ap", "rbo")
    yield factors(40, 2, 0.01, seed=11), ("tau", "tau_ap", "rbo")
    yield factors(10, 1, 0.04, seed=12), ("tau", "tau_ap", "rbo")


def of_collections(data: Path) -> Iterator[Population]:
    """Real topics as populations."""
    for folder, measures in (
        ("clef2015", ("AP", "nDCG@10")),
        ("clef2016task2", ("AP", "nDCG@10")),
        ("dl2021judges", ("AP", "nDCG@10")),
        ("dl2021judges", ("RR", "RBP")),
    ):
        if (data / folder).is_dir():
            yield real(data / folder, measures)


@dataclass
class Tally:
    """What became of the intervals of one correlation."""

    truth: float
    inside: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def add(self, low: float, high: float) -> None:
        if not np.isnan(low):
            self.inside.append(bool(low - 1e-9 <= self.truth <= high + 1e-9))
            self.widths.append(high - low)

    @property
    def width(self) -> float:
        return float(np.mean(self.widths)) if self.widths else float("nan")


def covered(
    population: Population,
    names: tuple[str, ...],
    topics: int,
    trials: int,
    seed: int,
    resamples: int = RESAMPLES,
    gaps: float = 0.0,
) -> Iterator[Measured]:
    """How often the intervals of some correlations cover those of the true means; a share of the scores is missing."""
    chosen = [CORRELATIONS[name] for name in names]
    now, before = ([Tally(float(one(*population.means))) for one in chosen] for _ in range(2))
    random = np.random.default_rng([seed, topics])
    for trial in range(trials):
        counts = topic_resamples(topics, resamples, trial)
        frames = population.draw(topics, random)
        if gaps:
            lacking = random.random(frames[0].shape) < gaps
            lacking[0, lacking.all(axis=0)] = False
            frames = tuple(frame.mask(lacking) for frame in frames)
        x, y = (sampled_means(frame, counts) for frame in frames)
        for one, tally, tally_before in zip(chosen, now, before, strict=True):
            interval = interval_of(one, x, y)
            tally.add(interval.low, interval.high)
            if not gaps:
                tally_before.add(*percentiles(one, x, y))
    for one, tally, tally_before in zip(chosen, now, before, strict=True):
        what = f"{one.label}, {gaps:.0%} missing" if gaps else one.label
        yield _measured(WITH_GAPS if gaps else OF_MEANS, population, topics, what, tally, trials, tally_before)


def percentiles(correlation: Correlation, x: SampledMeans, y: SampledMeans) -> tuple[float, float]:
    """What stood there before: percentiles of resamples."""
    low, high = np.nanquantile(correlation(x.whole, y.whole), [0.025, 0.975])
    return float(low), float(high)


def covered_by_topic(population: Population, topics: int, trials: int, seed: int) -> Measured:
    """How often the interval of the mean correlation topic by topic covers that over the population."""
    tau = CORRELATIONS["tau"]
    everything = by_topic(tau, *(pd.DataFrame(table) for table in population.scores))
    tally = Tally(float(everything.mean()))
    random = np.random.default_rng([seed, topics])
    for _ in range(trials):
        x, y = population.draw(topics, random)
        intervals = correlation_matrix({"x": x, "y": y}, tau, "topics", n_resamples=1).intervals
        assert intervals
        tally.add(float(intervals.low.to_numpy()[0, 1]), float(intervals.high.to_numpy()[0, 1]))
    return _measured(OF_TOPICS, population, topics, tau.label, tally, trials)


def _measured(
    subject: Subject,
    population: Population,
    topics: int,
    label: str,
    tally: Tally,
    trials: int,
    before: Tally | None = None,
) -> Measured:
    given = len(tally.inside)
    return Measured(
        subject,
        population.name,
        len(population.systems),
        topics,
        label,
        sum(tally.inside),
        given,
        trials - given,
        tally.width,
        float(np.mean(before.inside)) if before and before.inside else float("nan"),
        before.width if before else float("nan"),
    )
