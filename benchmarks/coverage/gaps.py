"""Correlations of the rankings of systems that lack some topics, as `correlations` has those of systems with all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.coverage.correlations import WITH_GAPS, covered
from benchmarks.coverage.measured import Measured
from benchmarks.coverage.populations import two_measures

SUBJECTS = (WITH_GAPS,)
NAMES = ("tau", "tau_ap", "spearman", "rbo")
SHARES, TOPICS = (0.4,), (10, 25, 50)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Few systems and more, each for itself and in teams."""
    for population in (
        two_measures(10, 0.04, 0.9, shared=0.9, seed=1),
        two_measures(20, 0.02, 0.9, shared=0.5, seed=2),
        two_measures(40, 0.01, 0.9, shared=0.9, seed=8, teams=8),
    ):
        for share in SHARES:
            for topics in TOPICS:
                yield from covered(population, NAMES, topics, trials, seed, gaps=share)
