"""Needed differences: whether pairs that differ by more than the difference a measure needs are told apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.laws import LAWS, Law
from benchmarks.coverage.measured import Measured, Subject
from evalcore.meta import paired_bootstrap
from evalcore.meta.differences import Draws
from evalcore.meta.discrimination import largest_needed_difference

HERE = Subject(
    "Needed difference, these topics",
    "A pair of systems that differs by more than the difference needed is told apart.",
    "Of all pairs the largest |mean| of the resample with the B·α-th largest |t*| (Sakai 2006). "
    "`ec.needed_differences`, and the page *Discriminative power*.",
    "covers",
    0.95,
)
THERE = Subject(
    "Needed difference, other topics",
    "A pair of systems that differs by more, on as many other topics, is told apart there.",
    HERE.method,
    "covers",
    0.95,
)
SUBJECTS = (HERE, THERE)
RESAMPLES, ALPHA = 1000, 0.05
TOPICS, SYSTEMS = (5, 10, 50), (8,)
GAPS = (0.0, 0.05)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Systems that are equal, near each other and far apart, by every law."""
    for law in LAWS[:3]:
        for systems in SYSTEMS:
            for gap in GAPS:
                for topics in TOPICS:
                    yield from _told_apart(law, systems, gap, topics, trials, seed)


def _told_apart(law: Law, systems: int, gap: float, topics: int, trials: int, seed: int) -> Iterator[Measured]:
    random, draws = np.random.default_rng((seed, systems, topics)), Draws.of(topics, RESAMPLES, seed)
    counts = {subject: [0, 0] for subject in SUBJECTS}
    for _ in range(trials):
        here, there = (law.draw(topics, systems, random) + gap * np.arange(systems) for _ in range(2))
        needed = largest_needed_difference(here, ALPHA, draws)
        for subject, scores in zip(SUBJECTS, (here, there), strict=True):
            beyond = _beyond(scores, needed, draws)
            if len(beyond):
                counts[subject][0] += bool(random.choice(beyond["asl"].to_numpy()) < ALPHA)
                counts[subject][1] += 1
    for subject, (apart, asked) in counts.items():
        name = f"{systems} systems {f'{gap:g} apart' if gap else 'that are equal'}, {law.name}"
        yield Measured(subject, name, systems, topics, "a pair that differs by more", apart, asked, trials - asked)


def _beyond(scores: pd.DataFrame, needed: float, draws: Draws) -> pd.DataFrame:
    pairs = paired_bootstrap(scores, counts=draws).pairs
    return pairs[pairs["difference"].abs() > needed]
