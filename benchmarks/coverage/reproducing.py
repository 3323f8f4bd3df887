"""Reproductions: intervals of what came back of an improvement, and systems that are said to have broken away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.measured import Measured, Subject
from evalcore.leaderboard import reproduction
from evalcore.meta import corrected

BASE, NOISE, AGREEMENT = 0.4, 0.15, 0.7
TOPICS = (5, 10, 25, 50)
GAINS = (0.2, 0.05, 0.02)
SYSTEMS = 8

RATIO = Subject(
    "Effect ratio of a reproduction",
    "The 95% interval holds the ratio of the true improvements.",
    "The delete-one jackknife with Student's t. `ec.reproduction`, er_low to er_high.",
    "covers",
    0.95,
)
CHANGE = Subject(
    "Difference of relative improvements of a reproduction",
    "The 95% interval holds that of the true improvements.",
    "The same. `ec.reproduction`, dri_low to dri_high.",
    "covers",
    0.95,
)
AWAY = Subject(
    "Who broke away in a reproduction",
    "Any of some systems whose true improvement is the same is said to have broken away.",
    "The improvement turned round or doubled, and a paired t-test of both improvements, by Holm over all systems. "
    "Before: the ratio alone. The page *Leaderboard*, `ec.reproduction`, p.",
    "errs",
    0.05,
)
SUBJECTS = (RATIO, CHANGE, AWAY)


@dataclass(frozen=True)
class Rerun:
    """Systems better than a baseline by `gain`, of which a share `back` comes back; scores of both agree in part."""

    gain: float
    back: float
    systems: int = 1

    def draw(self, topics: int, random: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The original and the reproduced scores."""
        hard = random.normal(BASE, 0.12, (topics, 1))
        first, other = random.standard_normal((2, topics, self.systems + 1))
        second = AGREEMENT * first + np.sqrt(1 - AGREEMENT**2) * other
        ahead = np.append(0.0, np.full(self.systems, self.gain))
        names = ["base", *(f"s{at}" for at in range(self.systems))]
        was, now = (hard + NOISE * noise + part * ahead for noise, part in ((first, 1.0), (second, self.back)))
        return pd.DataFrame(was, columns=names), pd.DataFrame(now, columns=names)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Improvements from large to hardly any, that came back or did not."""
    for gain in GAINS:
        for topics in TOPICS:
            for back in (1.0, 0.0):
                yield from _covered(Rerun(gain, back), topics, trials, seed)
            yield _away(Rerun(gain, 1.0, SYSTEMS), topics, trials, seed)


def _covered(rerun: Rerun, topics: int, trials: int, seed: int) -> Iterator[Measured]:
    random = np.random.default_rng((seed, topics))
    rows = [reproduction(*rerun.draw(topics, random), "base").systems.loc["s0"] for _ in range(trials)]
    table, name = pd.DataFrame(rows), f"an improvement of {rerun.gain:g}, of which {rerun.back:.0%} comes back"
    truths = {RATIO: ("er", rerun.back), CHANGE: ("dri", rerun.gain * (1 - rerun.back) / BASE)}
    for subject, (short, truth) in truths.items():
        ends = table[[f"{short}_low", f"{short}_high"]].dropna()
        low, high = ends.to_numpy().T
        held, width = int(((low <= truth) & (truth <= high)).sum()), float(np.median(high - low))
        yield Measured(subject, name, 2, topics, "", held, len(ends), trials - len(ends), width=width)


def _away(rerun: Rerun, topics: int, trials: int, seed: int) -> Measured:
    random, before, wrong = np.random.default_rng((seed, topics)), 0, 0
    for _ in range(trials):
        table = reproduction(*rerun.draw(topics, random), "base").systems.drop("base")
        away = (table["effect_ratio"] < 0) | (table["effect_ratio"] >= 2)
        before += bool(away.any())
        wrong += bool((away & (corrected(table["p"], "Holm") < 0.05)).any())
    name = f"{SYSTEMS} systems that are better by {rerun.gain:g}, and came back"
    return Measured(AWAY, name, SYSTEMS, topics, "any", wrong, trials, before=before / trials)
