"""Which pairs of systems are decided, however people label the rest: how often all human labels reverse one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.coverage.combined import FIELD, MODELS, Model, drawn
from benchmarks.coverage.measured import Measured, Subject
from evalcore.combining import KeptLabels, TwoSources, label_next

DECIDED = Subject(
    "Decided by the labels there are",
    "Two systems that one had in mind are said to be decided, and are in the other order by all human labels.",
    "The sum of differences of gains is taken to be normal, as the labels of a class of documents let expect. That "
    "holds where the model errs alike on the documents of all systems, and not where it favours some, as the page "
    "says. `ec.label_next`, decided.",
    "errs",
    0.05,
)
SUBJECTS = (DECIDED,)
MEASURES, TOPICS = ("RBP(rho=0.8)", "nDCG@10"), 25
SHARES = (0.02, 0.1, 0.3)  # of the documents that people labelled, drawn at random


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """By a model that agrees by chance, well, and favours a team, from few human labels to more."""
    for measure in MEASURES:
        for model in MODELS:
            for share in SHARES:
                yield decided(measure, model, share, trials, seed)


def decided(measure: str, model: Model, share: float, trials: int, seed: int) -> Measured:
    """In how many collections a pair that is called decided is wrong, of those in which it is called so."""
    said = wrong = 0
    for trial in range(trials):
        random = np.random.default_rng((seed, trial))
        collection, _ = drawn(TOPICS, model, random)
        a, b = random.choice(FIELD.systems, 2, replace=False)
        aim = (collection.systems[a], collection.systems[b])
        pair = label_next(measure, collection, aim=aim, n=1, kept=KeptLabels(share, seed=trial)).pairs.iloc[0]
        if pair["decided"]:
            truth = TwoSources.of(measure, collection).means_by_people
            said += 1
            wrong += bool(truth[pair["system_a"]] < truth[pair["system_b"]])
    name = f"{measure}, model {model.name}"
    return Measured(DECIDED, name, FIELD.systems, TOPICS, f"{share:.0%} labelled", wrong, said, trials - said)
