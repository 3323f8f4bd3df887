"""Topics needed: whether so many find what was asked for, and how far off their number is, from few topics to many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy

from benchmarks.coverage.laws import LAWS, Law
from benchmarks.coverage.measured import Measured, Subject
from evalcore.meta import compare_systems, difference_sd, difference_sd_interval, topics_for_interval, topics_needed

POWER = 0.8
EFFECTS = (1.2, 0.8, 0.5, 0.3)  # in standard deviations of the differences
MANY = 50_000  # topics, from which a spread is known
TOPICS = (5, 10, 25, 50)
SYSTEMS = (2, 8, 40)

FINDS = Subject(
    "Topics needed",
    "So many topics find a difference that is there by the paired t-test, with a power of 0.8, where the spread is "
    "known.",
    "The noncentral F. `ec.topics_needed`.",
    "finds",
    POWER,
)
WIDTH = Subject(
    "Topics for an interval",
    "The interval of a difference over so many topics covers the true one; its width, here in parts of what was asked "
    "for, is 1 on average.",
    "Student's t. `ec.topics_for_interval`, `ec.compare_systems`.",
    "covers",
    0.95,
)
SPREAD = Subject(
    "Limits of the spread that topics needed rest on",
    "The 95% limits hold the standard deviation of differences over all such topics; width is that of its logarithm.",
    "The wider, to each side, of the jackknife of log v by Student's t, and chi^2. Of the numbers of topics that an "
    "estimate from 10 topics asks for half have less power than was wanted. `ec.meta.difference_sd_interval`.",
    "covers",
    0.95,
)
SUBJECTS = (FINDS, WIDTH, SPREAD)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """What is asked for in samples drawn anew, and the spread from pilots of every size."""
    for law in LAWS[:3]:
        for effect in EFFECTS:
            yield from _anew(law, effect, trials, seed)
    for law in LAWS:
        for systems in SYSTEMS:
            yield from _pilots(law, systems, trials, seed)


def _anew(law: Law, effect: float, trials: int, seed: int) -> Iterator[Measured]:
    """Two systems, one better by `effect` on every topic."""
    random = np.random.default_rng((seed, int(100 * effect)))
    spread = difference_sd(law.draw(MANY, 2, random))
    name, what = f"2 systems, {law.name}", f"{effect:g} standard deviations"
    topics, found = topics_needed(effect, wanted=POWER), 0
    for _ in range(trials):
        scores = law.draw(topics, 2, random)
        differences = scores["s0"] + effect * spread - scores["s1"]
        found += bool(scipy.stats.ttest_1samp(differences, 0.0).pvalue <= 0.05)
    yield Measured(FINDS, name, 2, topics, what, found, trials)
    topics, held, width = topics_for_interval(effect), 0, 0.0
    for _ in range(trials):
        pair = compare_systems(law.draw(topics, 2, random), "s0", "s1", 10)
        held += bool(pair.low <= 0 <= pair.high)
        width += (pair.high - pair.low) / (effect * spread) / trials
    yield Measured(WIDTH, name, 2, topics, what, held, trials, width=width)


def _pilots(law: Law, systems: int, trials: int, seed: int) -> Iterator[Measured]:
    random = np.random.default_rng((seed, systems))
    truth = difference_sd(law.draw(MANY, systems, random))
    for topics in TOPICS:
        limits = np.array([difference_sd_interval(law.draw(topics, systems, random)) for _ in range(trials)])
        low, high = limits[~np.isnan(limits[:, 0])].T
        held, width = int(((low <= truth) & (truth <= high)).sum()), float(np.log(high / low).mean())
        yield Measured(SPREAD, law.name, systems, topics, "", held, len(low), trials - len(low), width=width)
