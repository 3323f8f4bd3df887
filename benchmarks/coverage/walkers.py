"""Simulated walkers of navigation: whether two standard errors each way hold what is true of all such users."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pandas as pd

from benchmarks.coverage.measured import Measured, Subject
from evalcore.data.small import small_collection, small_navigation
from evalcore.explain.navigation import walkers_beside
from evalcore.measures import MAep, parse
from evalcore.structures.documents import Collection

WALKERS = Subject(
    "Simulated walkers",
    "The mean inverse effort of simulated users, less and plus 1.96 standard errors, holds that of all such users.",
    "`evalcore.explain.walkers_beside`, and the page *Navigation*. The topics column counts users.",
    "covers",
    0.95,
)
SUBJECTS = (WALKERS,)
SYSTEM, CLICK, STEPS = "s", 0.5, 3
CHANCES = (0.5, 0.05, 0.005, 0.001, 0.0002)  # that a user gets where links lead
USERS = (1_000, 20_000)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Users who see what they look for at the end of some links or never; and all others at the second rank."""
    for users in USERS:
        for chance in CHANCES:
            for second in (False, True):
                yield _covered(chance, users, trials, seed, second)


def _covered(chance: float, users: int, trials: int, seed: int, second: bool) -> Measured:
    collection, truth = chain(chance ** (1 / STEPS), second)
    measure = parse(f"MAep(effort=Effort(rank=1, click={CLICK}))")
    assert isinstance(measure, MAep)
    held, width, given = 0, 0.0, 0
    for trial in range(trials):
        row = walkers_beside(measure, collection, "topic", SYSTEM, users, seed + trial).iloc[-1]
        error = float(row["standard error"])
        if error != error:
            continue
        given += 1
        held += bool(abs(row["walkers"] - truth) <= 1.96 * error + 1e-12)
        width += 2 * 1.96 * error / truth
    others = "the others at rank 2" if second else "the others never"
    name = f"a share of {chance:g} gets there by links, {others}"
    mean = width / given if given else float("nan")
    return Measured(WALKERS, name, 1, users, "width as a share of the truth", held, given, trials - given, mean)


def chain(follow: float, second: bool) -> tuple[Collection, float]:
    """A list that begins where a chain of links to the one thing looked for begins, each link followed by so many;
    with it at the second rank or not. And the mean inverse effort of all users."""
    names = [f"c{at}" for at in range(STEPS + 1)]
    labels = pd.DataFrame({"relevance": [0.0] * STEPS + [1.0]}, index=names)
    ranking = [names[0], names[-1]] if second else [names[0]]
    links = dict.fromkeys(pairwise(names), follow)
    collection = small_navigation(small_collection(labels, {SYSTEM: ranking}), {SYSTEM: ranking}, links)
    truth = follow**STEPS / (1 + CLICK * STEPS)
    if second:
        truth += sum(follow**steps * (1 - follow) / (2 + CLICK * steps) for steps in range(STEPS))
    return collection, truth
