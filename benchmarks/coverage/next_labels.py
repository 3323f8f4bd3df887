"""Which pairs of systems are decided, however people label the rest: how often all human labels reverse one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.coverage.combined import FIELD, MODELS, Model, drawn
from benchmarks.coverage.measured import Measured, Subject
from evalcore.combining import KeptLabels, TwoSources, label_next
from evalcore.combining.next_labels import Beliefs
from evalcore.judges.rescoring import with_labels
from evalcore.structures.documents import Collection
from evalcore.structures.sources import Sources

DECIDED = Subject(
    "Decided by the labels there are",
    "Two systems that one had in mind are said to be decided, and are in the other order by all human labels.",
    "The sum of differences of gains is taken to be normal, as the labels of a class of documents let expect; and as "
    "they do with what the labelled documents show of the model's favour for either system, where enough were drawn at "
    "random or most of the doubt is labelled. Before: the former alone. `ec.label_next`, decided.",
    "errs",
    0.05,
)
SUBJECTS = (DECIDED,)
MEASURES, TOPICS = ("RBP(rho=0.8)", "nDCG@10"), 25
SHARES = (0.02, 0.1, 0.3)  # of the documents that people labelled, drawn at random
CHOSEN = (100, 300)  # of the documents that they labelled besides, as those that decide most
ALL_MODELS = (*MODELS, Model("agrees well, favours a team greatly", 0.7, likes=0.8))


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """By a model that agrees by chance, well, and favours a team, from few human labels to more."""
    for measure in MEASURES:
        for model in ALL_MODELS:
            for share, chosen in (*((share, 0) for share in SHARES), *((SHARES[0], count) for count in CHOSEN)):
                yield decided(measure, model, share, chosen, trials, seed)


def decided(measure: str, model: Model, share: float, chosen: int, trials: int, seed: int) -> Measured:
    """In how many collections a pair that is called decided is wrong, of those in which it is called so."""
    said = wrong = said_before = wrong_before = 0
    for trial in range(trials):
        random = np.random.default_rng((seed, trial))
        collection, _ = drawn(TOPICS, model, random)
        truth = TwoSources.of(measure, collection).means_by_people.to_numpy()
        a, b = random.choice(FIELD.systems, 2, replace=False)
        kept = KeptLabels(share, seed=trial)
        some = with_labels_of(collection, measure, kept, chosen) if chosen else collection
        two = TwoSources.of(measure, some)
        beliefs = Beliefs(two, two.labels if chosen else two.kept(kept))
        reversed_ = bool((beliefs.scores[a] - beliefs.scores[b]) * (truth[a] - truth[b]) < 0)
        if beliefs.wrong[a, b] <= DECIDED.nominal:
            said, wrong = said + 1, wrong + reversed_
        if beliefs.chance[a, b] <= DECIDED.nominal:
            said_before, wrong_before = said_before + 1, wrong_before + reversed_
    what = f"{share:.0%} labelled" + (f", and {chosen} that decide most" if chosen else "")
    before = wrong_before / said_before if said_before else float("nan")
    return Measured(
        DECIDED, f"{measure}, model {model.name}", FIELD.systems, TOPICS, what, wrong, said, trials - said,
        before=before,
    )  # fmt: skip


def with_labels_of(collection: Collection, measure: str, kept: KeptLabels, count: int) -> Collection:
    """The collection with some of people's labels alone, and those of as many documents that decide most."""
    two = TwoSources.of(measure, collection)
    people = two.kept(kept).human
    listed = label_next(measure, collection, n=count, kept=kept).documents
    pool = collection.assessments
    asked = set(zip(listed["topic"], listed["document"], strict=True))
    names = np.array(pool.topics, dtype=object)[pool.topic]
    chosen = np.array([pair in asked for pair in zip(names, pool.documents, strict=True)])
    people = np.where(chosen, two.labels.human, people)
    sources = pool.sources["relevance"]
    few = with_labels(collection, "relevance", people)
    named = {"relevance": Sources({**sources.labels, two.human: people}, sources.default)}
    return replace(few, assessments=replace(few.assessments, sources=named))
