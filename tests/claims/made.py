"""Multiverses and collections for which the right answer is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import evalcore as ec
from evalcore.claims import Choice, Design, Multiverse, Option, Specifications
from evalcore.measures import RBP, Measure

SPECS = """
[[choice]]
name = "measure"
measures = ["AP", "RBP"]
[[choice]]
name = "persistence"
parameter = "rho"
values = [0.5, 0.9]
"""

A, B = "a", "b"


def multiverse_of(
    scores: ArrayLike,
    systems: Sequence[str] = (A, B),
    *,
    made: ArrayLike | None = None,
    choices: Sequence[Choice] = (),
    topic_sets: ArrayLike | None = None,
    topic_set: ArrayLike | None = None,
) -> Multiverse:
    """Make a multiverse of N measures with these scores (N, S, T); `made` and `choices` give the options of each."""
    values = np.array(scores, dtype=float)
    count, _, n_topics = values.shape
    measures: list[Measure] = [RBP(rho=(at + 1) / (count + 1)) for at in range(count)]
    first = Choice("measure", "measures", tuple(Option(str(measure), str(measure)) for measure in measures))
    own = np.arange(count)[:, None] if made is None else np.column_stack([np.zeros(count, dtype=int), np.array(made)])
    design = Design(
        Specifications((first, *choices)),
        own,
        tuple(measures),
        ("0",) * count,
        np.zeros(count, dtype=int) if topic_set is None else np.array(topic_set),
        np.ones((1, n_topics), dtype=bool) if topic_sets is None else np.array(topic_sets),
        ("all",) if topic_sets is None else tuple(f"set {at}" for at in range(len(np.array(topic_sets)))),
        np.full(count, 1 / count),
        count,
    )
    topics = tuple(f"t{at}" for at in range(n_topics))
    return Multiverse(design, tuple(systems), topics, values, np.arange(count))


def leading(by: ArrayLike) -> Multiverse:
    """Make a multiverse of two systems in which a leads b by these amounts in each specification (N, T)."""
    lead = np.array(by, dtype=float)
    easy = 0.5 + np.arange(lead.shape[-1]) / 1000
    return multiverse_of(np.stack([easy + lead / 2, easy - lead / 2], axis=1))


def numbers(name: str, values: Sequence[float]) -> Choice:
    return Choice(name, "parameter", tuple(Option(f"{one:g}", float(one)) for one in values), "rho")


def two_tastes(n_topics: int = 48) -> ec.Collection:
    """Make a collection in which one system ranks relevant documents first, another easy ones, and a third neither.

    Under relevance only, `topical` is better than `easy` on every topic; under understandability only, `easy` is.
    """
    topics = [f"q{at}" for at in range(n_topics)]
    relevance = {topic: {"r": 1, "u": 0, "n": 0} for topic in topics}
    understandability = {topic: {"r": 0, "u": 1, "n": 0} for topic in topics}
    orders = {"topical": ["r", "n", "u"], "easy": ["u", "n", "r"], "neither": ["n", "x", "y"]}
    runs = {
        name: {topic: {document: 9.0 - at for at, document in enumerate(order)} for topic in topics}
        for name, order in orders.items()
    }
    return ec.collection(runs, {"relevance": relevance, "understandability": understandability})


def random_collection(seed: int = 3, n_topics: int = 6) -> ec.Collection:
    """Make five random systems and two aspects; some documents are assessed on one or none, and some grades are -1."""
    rng = np.random.default_rng(seed)
    documents = [f"d{at}" for at in range(14)]
    lines = [
        (f"q{topic}", document, int(rng.integers(-1, 3)), int(rng.integers(0, 4)) if rng.random() < 0.8 else None)
        for topic in range(n_topics)
        for document in documents[:10]
    ]
    table = pd.DataFrame(lines, columns=["topic", "document", "relevance", "understandability"])
    runs = {
        f"s{at}": {
            f"q{topic}": {one: float(10 - rank) for rank, one in enumerate(rng.permutation(documents)[:8].tolist())}
            for topic in range(n_topics)
        }
        for at in range(5)
    }
    return ec.collection(runs, table)
