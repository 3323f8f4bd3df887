"""All pairs of equal systems, by each test of two systems and each correction for their number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.laws import Law, of_each_size
from benchmarks.coverage.measured import Measured, Subject
from evalcore.meta import PairedBootstrap, corrected, corrected_pairs, paired_bootstrap
from evalcore.meta.significance import with_the_observed

ALPHA = 0.05
RESAMPLES = 2000
SIZES = ((8, (5, 10, 25, 50)), (40, (4, 6, 25)))  # systems, and topics
CLAIM = "Any two of some equal systems are called different."
BY_SIGNS = (
    "Of more pairs than there are signs of the topics, those that differ by the same amount on two of them are held "
    "against flipped signs (`evalcore.meta.steps`); before: they are not. "
)
METHODS = {
    "t-test": ("the t-test", BY_SIGNS),
    "Wilcoxon": ("Wilcoxon's test", ""),
    "bootstrap": ("the bootstrap (ASL)", f"The observed scores count as a resample. {BY_SIGNS}"),
}
PAIRS = {
    (test, correction): Subject(
        f"All pairs, {correction} on {title}", CLAIM, f"{method}*Significant pairs*.", "errs", ALPHA
    )
    for test, (title, method) in METHODS.items()
    for correction in ("Bonferroni", "Holm", "Benjamini-Hochberg")
}
SUBJECTS = tuple(PAIRS.values())


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """All of it by every law, from few topics to many."""
    for law, systems, topics in of_each_size(SIZES):
        yield from _found(law, systems, topics, trials, seed)


def _found(law: Law, systems: int, topics: int, trials: int, seed: int) -> Iterator[Measured]:
    random = np.random.default_rng((seed, systems, topics))
    tested = (paired_bootstrap(law.draw(topics, systems, random), RESAMPLES) for _ in range(trials))
    rows = pd.DataFrame([decided(tests) for tests in tested])
    for how, subject in PAIRS.items():
        before = float("nan") if how[0] == "Wilcoxon" else float(rows[f"before, {subject.name}"].mean())
        wrong, name = int(rows[subject.name].sum()), f"{systems} systems that are equal, {law.name}"
        yield Measured(subject, name, systems, topics, "any", wrong, trials, before=before)


def decided(tests: PairedBootstrap) -> dict[str, bool]:
    """Which tests find a difference among equal systems, by the names of their subjects; and which did before."""
    found = {}
    for how, subject in PAIRS.items():
        found[subject.name] = bool(corrected_pairs(tests, *how)["p"].min() < ALPHA)
        p = tests.pairs["p_t"] if how[0] == "t-test" else with_the_observed(tests.pairs["asl"].to_numpy(), RESAMPLES)
        found[f"before, {subject.name}"] = bool(corrected(p, how[1]).min() < ALPHA)
    return found
