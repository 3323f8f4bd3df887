"""Bands over draws, of labels that go wrong and of shares of a pool: whether one draw more lies in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.coverage.judges import THREE, TWO, Field, judged
from benchmarks.coverage.measured import Measured, Subject
from evalcore.judges.noise import Noise
from evalcore.pools import rescored, sampled_shares
from evalcore.pools.trust import share_bands
from evalcore.structures.documents import Collection

NOISE = Subject(
    "Band over draws of wrong labels",
    "τ of one draw more lies in the band of 95% of the draws.",
    "Quantiles over draws. `ec.judges.noise_curve`, tau_low to tau_high.",
    "covers",
    0.95,
)
SHARES = Subject(
    "Band over draws of a share of the pool",
    NOISE.claim,
    "Quantiles over draws. `ec.pools.share_bands`, tau low to tau high.",
    "covers",
    0.95,
)
SUBJECTS = (NOISE, SHARES)
MEASURE, LEVEL, SHARE = "RBP(rho=0.8)", 0.2, 0.3
DRAWS = (20, 50, 100)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Few topics and many, few systems and many."""
    for field in (Field(8, 5, TWO), Field(20, 10, THREE)):
        for draws in DRAWS:
            for subject, band in ((NOISE, _of_noise), (SHARES, _of_shares)):
                held, width = 0, 0.0
                for trial in range(trials):
                    collection = judged(field, False, 0.0, np.random.default_rng((seed, trial)))
                    low, high, other = band(collection, draws, seed + trial)
                    held += bool(low - 1e-12 <= other <= high + 1e-12)
                    width += (high - low) / trials
                name = f"{len(field.grades)} grades, {draws} draws"
                yield Measured(subject, name, field.systems, field.topics, "one draw more", held, trials, width=width)


def _of_noise(collection: Collection, draws: int, seed: int) -> tuple[float, float, float]:
    some, other = (
        Noise.of(MEASURE, collection, "neighbour", n_draws=count, seed=start).at(LEVEL)
        for count, start in ((draws, seed), (1, seed + 1_000_000))
    )
    return some["tau_low"], some["tau_high"], other["tau"]


def _of_shares(collection: Collection, draws: int, seed: int) -> tuple[float, float, float]:
    some, other = (
        share_bands(rescored(MEASURE, collection, sampled_shares(collection, [SHARE], count, start))).iloc[0]
        for count, start in ((draws, seed), (1, seed + 1_000_000))
    )
    return float(some["tau low"]), float(some["tau high"]), float(other["tau"])
