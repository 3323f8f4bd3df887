"""Questions about simulated users, which have populations of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import pandas as pd

from benchmarks.coverage.cells import Answer, Cell, Sample, within
from benchmarks.coverage.populations import Random
from evalcore.data.small_collections import small_collection
from evalcore.measures import MAep, parse
from evalcore.navigation.small import small_navigation
from evalcore.navigation.tables import walkers_beside
from evalcore.structures.documents import Collection

SYSTEM, CLICK, STEPS = "s", 0.5, 3


@dataclass(frozen=True)
class Users:
    """Users who find what they look for at the end of some links, or never; and all others at the second rank."""

    chance: float
    second: bool
    size: int = 1

    @property
    def name(self) -> str:
        others = "the others at rank 2" if self.second else "the others never"
        return f"a share of {self.chance:g} gets there by links, {others}"

    def draw(self, users: int, random: Random) -> tuple[Collection, float]:
        return chain(self.chance ** (1 / STEPS), self.second)


def cells(data: Path | None) -> Iterator[Cell]:
    """Yield what is measured: which question of which population, of how many users."""
    for users, chance, second in product((1_000, 20_000), (0.5, 0.05, 0.005, 0.001, 0.0002), (False, True)):
        yield Cell(walkers, Users(chance, second), users)


def walkers(sample: Sample) -> Iterator[Answer]:
    """The mean inverse effort of simulated users, less and plus 1.96 standard errors."""
    (collection, truth), measure = sample.drawn, parse(f"MAep(effort=Effort(rank=1, click={CLICK}))")
    assert isinstance(measure, MAep)
    row = walkers_beside(measure, collection, "topic", SYSTEM, sample.topics, sample.trial).iloc[-1]
    half, value = 1.96 * float(row["standard error"]), float(row["walkers"])
    width = 2 * half / truth
    yield Answer("Simulated walkers", within(value - half, truth, value + half), "width as a share of the truth", width)


def chain(follow: float, second: bool) -> tuple[Collection, float]:
    """A list that begins a chain of links to the one thing looked for, and the mean inverse effort of all users.

    Each link is followed with probability `follow`. `second`: the thing stands at the second rank too.
    """
    names = [f"c{at}" for at in range(STEPS + 1)]
    labels = pd.DataFrame({"relevance": [0.0] * STEPS + [1.0]}, index=names)
    ranking = [names[0], names[-1]] if second else [names[0]]
    links = dict.fromkeys(pairwise(names), follow)
    collection = small_navigation(small_collection(labels, {SYSTEM: ranking}), {SYSTEM: ranking}, links)
    truth = follow**STEPS / (1 + CLICK * STEPS)
    if second:
        truth += sum(follow**steps * (1 - follow) / (2 + CLICK * steps) for steps in range(STEPS))
    return collection, truth
