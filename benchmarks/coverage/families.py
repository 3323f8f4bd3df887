"""Many tests at once: pairs of equal systems by Tukey, all against a baseline, and mean ranks of leaderboards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.coverage.laws import Law, of_each_size
from benchmarks.coverage.measured import Measured, Subject
from evalcore.leaderboard import critical_difference
from evalcore.meta import against_baselines, tukey_p

ALPHA = 0.05
RESAMPLES = 500
SIZES = ((8, (5, 10, 25, 50)), (40, (6, 25)))  # systems, and topics


def _family(name: str, claim: str, method: str) -> Subject:
    return Subject(name, claim, method, "errs", ALPHA)


PAIRS = "Any two of some equal systems are called different."
TUKEY = _family(
    "All pairs, Tukey",
    PAIRS,
    "Scores shuffled among systems, and signs of topics flipped: the greater p. Before: shuffled scores alone. "
    "*Significant pairs*, `ec.tukey_p`.",
)
BASELINES = {
    (test, correction): _family(
        f"All against a baseline, {test} with {correction}",
        "Any of some systems that are as good as a baseline is called different.",
        "`ec.against_baselines`, p_corrected.",
    )
    for test, correction in (("Wilcoxon", "Benjamini-Hochberg"), ("t-test", "Holm"))
}
SOME = _family(
    "Mean ranks: some systems differ",
    "Equal systems are found to differ.",
    "Friedman's test and F of the ranks with the degrees of freedom of Greenhouse and Geisser: the greater p. Before: "
    "Friedman's alone. `ec.critical_difference`, p_corrected, and the page *Leaderboard*.",
)
TWO = {
    by: _family(
        f"Mean ranks: letters by {by}",
        "Any two of some equal systems do not share a letter.",
        f"p by {by}, and flipped signs of the topics, as of ranks with their doubt. Before: p alone. "
        "`ec.critical_difference`, groups, and the page *Leaderboard*.",
    )
    for by in ("Nemenyi", "Holm")
}
SUBJECTS = (TUKEY, *BASELINES.values(), SOME, *TWO.values())


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """All of it by every law, from few topics to many; cells of many systems and many topics take long."""
    for law, systems, topics in of_each_size(SIZES):
        yield from _found(law, systems, topics, trials, seed)


def _found(law: Law, systems: int, topics: int, trials: int, seed: int) -> Iterator[Measured]:
    random = np.random.default_rng((seed, systems, topics))
    rows = pd.DataFrame([decided(law.draw(topics, systems, random)) for _ in range(trials)])
    beside = {TUKEY: "shuffled", SOME: "Friedman", **{subject: f"p {by}" for by, subject in TWO.items()}}
    for subject in SUBJECTS:
        before = float(rows[beside[subject]].mean()) if subject in beside else float("nan")
        wrong, name = int(rows[subject.name].sum()), f"{systems} systems that are equal, {law.name}"
        yield Measured(subject, name, systems, topics, "any", wrong, trials, before=before)


def decided(scores: pd.DataFrame) -> dict[str, bool]:
    """Which tests find a difference among equal systems, by the names of their subjects and of what was before."""
    tukey = tukey_p(scores, RESAMPLES)
    found = {TUKEY.name: tukey["p"].min() < ALPHA, "shuffled": tukey["p_shuffled"].min() < ALPHA}
    for how, subject in BASELINES.items():
        found[subject.name] = against_baselines(scores, ["s0"], *how)["p_corrected"].min() < ALPHA
    for by, subject in TWO.items():
        ranks = critical_difference(scores, ALPHA, by)
        found |= {subject.name: bool(ranks.apart.any(axis=None)), f"p {by}": bool((ranks.pairs < ALPHA).any(axis=None))}
        found |= {SOME.name: ranks.p_corrected < ALPHA, "Friedman": ranks.p < ALPHA}
    return found
