"""The standard error of tau by the jackknife: whether tau less and plus some errors holds what it is the error of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

from benchmarks.coverage.measured import Measured, Subject
from benchmarks.coverage.populations import Population, two_measures
from evalcore.meta import jackknife_error, tau

AROUND = Subject(
    "Standard error of τ",
    "τ of two measures, less and plus t(T − 1) standard errors, holds the mean of τ over such samples of T topics.",
    "Delete-one jackknife. `ec.meta.jackknife_error`, and *Which topics does it rest on?* of *Sensitivity*.",
    "covers",
    0.95,
)
SUBJECTS = (AROUND,)
TOPICS = (5, 10, 50)


def populations() -> Iterator[Population]:
    """Few systems to many, from far apart to nearly equal."""
    for systems, gap in ((5, 0.08), (10, 0.04), (10, 0.004), (40, 0.01), (40, 0.0005)):
        yield two_measures(systems, gap, 0.9, shared=0.7, seed=systems)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """All populations at all numbers of topics."""
    for population in populations():
        for topics in TOPICS:
            yield _covered(population, topics, trials, seed)


def _covered(population: Population, topics: int, trials: int, seed: int) -> Measured:
    random = np.random.default_rng((seed, topics))
    values, errors = np.empty(trials), np.empty(trials)
    for trial in range(trials):
        x, y = population.draw(topics, random)
        values[trial], errors[trial] = float(tau(x.mean(), y.mean())), jackknife_error(x, y)
    half = stdtrit(topics - 1, 0.975) * errors
    given = ~np.isnan(half)
    held = int((np.abs(values - values.mean()) <= half + 1e-9)[given].sum())
    return Measured(
        AROUND, population.name, len(population.systems), topics, "", held, int(given.sum()), int((~given).sum()),
        width=float(2 * half[given].mean()) if given.any() else float("nan"),
    )  # fmt: skip
