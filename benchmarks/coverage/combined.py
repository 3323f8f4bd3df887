"""Intervals of people's and a model's labels together, on invented collections all of whose human labels are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from benchmarks.coverage.judges import THREE, Field, collection_of, field_of
from benchmarks.coverage.measured import Measured, Subject
from evalcore.arrays import FloatArray, IntArray
from evalcore.combining import HUMAN, Combined, KeptLabels, TwoSources
from evalcore.judges.rescoring import scores_by
from evalcore.measures import Measure, parse
from evalcore.structures.documents import Collection

POPULATION = 1_000  # topics, from which those of a collection are drawn with replacement

THESE = Subject(
    "Scores by a model's labels corrected by people's, these topics",
    "The interval of a system's mean score holds what all human labels of these topics give.",
    "Prediction-powered inference with a tuned weight, over topics that people labelled or not, and by a difference "
    "estimator over documents within topics (Angelopoulos et al. 2023). Before: human labels alone. `ec.combine`, "
    "these_low to these_high.",
    "covers",
    0.95,
)
ALL = replace(
    THESE,
    name="Scores by a model's labels corrected by people's, all such topics",
    claim="The interval of a system's mean score holds its mean over all such topics by human labels.",
    method="The same, with the error of the choice of topics. Before: human labels alone. `ec.combine`, low to high.",
)
SUBJECTS = (THESE, ALL)


@dataclass(frozen=True)
class Model:
    """A judge whose label is people's with a chance `same`, else one at random as often as each grade is given.

    `likes`: of the documents that the first team ranks among its first five, so many get the best grade from it.
    """

    name: str
    same: float
    likes: float = 0.0


MODELS = (
    Model("agrees by chance", 0.0),
    Model("agrees a little", 0.3),
    Model("agrees well", 0.7),
    Model("agrees nearly always", 0.95),
    Model("agrees well, favours a team", 0.7, likes=0.4),
)


@dataclass(frozen=True)
class Hidden:
    """Which human labels are read: of how many topics, and within a topic."""

    name: str
    measure: str
    n_topics: int
    kept: KeptLabels


DESIGNS = (
    *(Hidden(f"{share:.0%} of the documents", "RBP(rho=0.8)", 50, KeptLabels(share)) for share in (0.05, 0.1, 0.3)),
    *(Hidden(f"{share:.0%} of the documents", "nDCG@10", 50, KeptLabels(share)) for share in (0.05, 0.2)),
    Hidden("first 2, and 5% of the other documents", "P@10", 50, KeptLabels(0.05, depth=2)),
    Hidden("5% of the topics", "AP", 200, KeptLabels(topics=0.05)),
    Hidden("10% of the topics", "AP", 50, KeptLabels(topics=0.1)),
    Hidden("20% of the documents of half of the topics", "RBP(rho=0.8)", 50, KeptLabels(0.2, 0.5)),
)
FIELD = Field(12, POPULATION, THREE)


def measure(trials: int, seed: int, data: Path | None) -> Iterator[Measured]:
    """Each design with each model; of each simulated collection one system, at random."""
    for design in DESIGNS:
        for model in MODELS:
            yield from covered(design, model, trials, seed)


def covered(design: Hidden, model: Model, trials: int, seed: int) -> Iterator[Measured]:
    """How often both intervals hold the truth, and how wide they are beside those of human labels alone."""
    known, rows = parse(design.measure), []
    for trial in range(trials):
        random = np.random.default_rng((seed, trial))
        collection, topics = drawn(design.n_topics, model, random)
        rows.append(one_trial(known, collection, topics, design, trial, int(random.integers(FIELD.systems))))
    for row, subject in enumerate((THESE, ALL)):
        found = np.array(rows)[:, row]
        held, before, width, width_before = found.T
        yield Measured(
            subject,
            f"{design.measure}, model {model.name}",
            FIELD.systems,
            design.n_topics,
            design.name,
            int(held.sum()),
            trials,
            width=float(width.mean()),
            before=float(before.mean()),
            width_before=float(width_before.mean()),
        )


def one_trial(
    known: Measure, collection: Collection, topics: IntArray, design: Hidden, seed: int, system: int
) -> FloatArray:
    """(2, 4) over these topics, and over all such: whether each interval holds the truth, with and without the model,
    and both widths."""
    two = TwoSources.of(known, collection)
    found = two.combined(two.kept(design.kept.with_(seed=seed)))
    truth = np.array([two.by_people.mean(axis=0)[system], true_means(design.measure)[system]])
    ends = [intervals(found, line, system) for line in ("combined", HUMAN)]
    held = [(end[:, 0] <= truth) & (truth <= end[:, 1]) for end in ends]
    return np.column_stack([*held, *(np.diff(end)[:, 0] for end in ends)])


def intervals(found: Combined, line: str, system: int) -> FloatArray:
    """(2, 2) the interval of a system over these topics, and over all such."""
    half = found.half_widths(line)[::-1, system]
    mean = float(found.scores[line].iloc[:, system].mean())
    return np.column_stack([mean - half, mean + half])


def drawn(n_topics: int, model: Model, random: np.random.Generator) -> tuple[Collection, IntArray]:
    """A collection of topics drawn from the population, with the labels of people and of the model."""
    true, ranks = _population()
    topics = random.integers(0, POPULATION, n_topics)
    some, places = true[topics], ranks[:, topics]
    other = random.choice(len(FIELD.grades), size=some.shape, p=FIELD.grades)
    labels = np.where(random.random(some.shape) < model.same, some, other)
    liked = (places[: FIELD.of_a_team] <= 5).any(axis=0) & (random.random(some.shape) < model.likes)
    labels = np.where(liked, len(FIELD.grades) - 1, labels)
    return collection_of({"people": some, "model": labels}, places, len(FIELD.grades)), topics


@lru_cache(maxsize=1)
def _population() -> tuple[IntArray, IntArray]:
    """(T, D) grades and (S, T, D) ranks."""
    return field_of(FIELD, np.random.default_rng(0))


@cache
def true_means(measure: str) -> FloatArray:
    """(S,) over all topics of the population."""
    true, ranks = _population()
    whole = collection_of({"people": true, "model": true}, ranks, len(FIELD.grades))
    return scores_by(parse(measure), whole, "relevance", true.ravel().astype(float)).mean(axis=0)
