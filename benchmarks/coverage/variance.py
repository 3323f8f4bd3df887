"""The analysis of variance: equal systems that are found to differ, and components that do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.measured import Measured, Subject
from benchmarks.coverage.populations import Population, spaced, two_measures
from evalcore.meta import Anova, component_anova, two_way_anova

SYSTEMS = Subject(
    "Analysis of variance: systems",
    "Equal systems are found to differ.",
    "F over the topics that all systems have, with the degrees of freedom of Greenhouse and Geisser (1959). Before: "
    "F of the textbook. `ec.two_way_anova`, p_corrected.",
    "errs",
    0.05,
)
COMPONENTS = Subject(
    "Analysis of variance: a component",
    "A component that does nothing, of systems that differ by what else they are made of, is found to matter.",
    "The same of what topics say of the component, and F of the component and what components leave of the systems. "
    "Before: F of the textbook. `ec.component_anova`, p_corrected.",
    "errs",
    0.05,
)
SUBJECTS = (SYSTEMS, COMPONENTS)
TOPICS = (3, 8, 25, 66)
NOISE = 0.2  # of a system on a topic
BESIDE = (0.0, 0.05, 0.1)  # standard deviations of systems with the same components


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Over equal systems of every kind, and over systems that differ by something that no factor knows."""
    for topics in TOPICS:
        for population in _equal():
            yield _systems(population, topics, trials, seed)
        for spread in BESIDE:
            yield _component(spread, topics, trials, seed)


def _equal() -> Iterator[Population]:
    for systems in (3, 10, 40):
        for shape in ("normal", "uneven", "zeros"):
            yield spaced(systems, 0.0, shape=shape)
    for systems, teams in ((10, 2), (40, 4)):
        population = two_measures(systems, 0.0, teams=teams)
        yield replace(population, name=f"{systems} systems that are equal, variants of {teams}")


def _systems(population: Population, topics: int, trials: int, seed: int) -> Measured:
    random = np.random.default_rng((seed, topics))
    found = [two_way_anova(population.draw(topics, random)[0]) for _ in range(trials)]
    return _measured(SYSTEMS, (population.name, len(population.systems), topics), "system", found)


def _component(spread: float, topics: int, trials: int, seed: int) -> Measured:
    random, names = np.random.default_rng((seed, topics)), [f"s{at}" for at in range(12)]
    made_of = pd.DataFrame({"stemmer": list("ab") * 6, "model": list("uuuuvvvvwwww")}, names)

    def analysis() -> Anova:
        values = random.normal(0, 0.15, (topics, 1)) + random.normal(0, NOISE, (topics, 12))
        return component_anova(pd.DataFrame(values + spread * random.standard_normal(12), columns=names), made_of)

    found = [analysis() for _ in range(trials)]
    return _measured(COMPONENTS, (f"12 systems that differ by {spread:g} beside", 12, topics), "model", found)


def _measured(subject: Subject, size: tuple[str, int, int], effect: str, found: list[Anova]) -> Measured:
    p = np.array([analysis.table.loc[effect, ["p", "p_corrected"]] for analysis in found], dtype=np.float64)
    textbook, wrong = (p <= subject.nominal).sum(axis=0).tolist()
    return Measured(subject, *size, effect, wrong, len(p), before=textbook / len(p))
