"""Examples small enough to compute by hand: a ranking, its labels, and a measure's sum with the numbers filled in."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evalcore.common.constants import NUGGETS
from evalcore.common.lazy_imports import pd
from evalcore.data import collection
from evalcore.measures import Measure, parse
from evalcore.structures.documents import Collection
from evalcore.teaching.typed_rankings import BELOW, SYSTEM, TOPIC, UNASSESSED, written_collection


@dataclass(frozen=True)
class HandExample:
    """One measure computed by hand.

    `ranking` has lines in the form that `written_collection` reads; `reads` names the content of the columns: "grades"
    of aspects, "subtopics" to which a document is relevant, relevance and a "signal" of documents, or the "nuggets" of
    an answer. `sum` is the computation by hand.
    """

    family: str
    measure: str
    ranking: str
    sum: str
    words: str
    reads: str = "grades"

    @property
    def parsed(self) -> Measure:
        """The measure, parsed from its text."""
        return parse(self.measure)

    @property
    def collection(self) -> Collection:
        """The example as a collection of one system, named "ranking", and one topic."""
        return _READERS[self.reads](self.ranking)

    @property
    def table(self) -> pd.DataFrame:
        """The labels by assessors, a row for each document or nugget."""
        (first, *names), *rows = (line for line in _lines(self.ranking) if line != [BELOW])
        index = pd.Index([row[0] for row in rows], name=first)
        return pd.DataFrame([row[1:] for row in rows], index=index, columns=names)


def hand_examples() -> dict[str, HandExample]:
    """Map the name of each example to the example, ordered by family.

    >>> hand_examples()["INST"].sum
    '1 / (1 + (1/2)^2)'
    """
    return dict(_examples())


@cache
def _examples() -> dict[str, HandExample]:
    text = Path(__file__).with_name("by_hand.toml").read_text(encoding="utf-8")
    return {name: HandExample(**fields) for name, fields in tomllib.loads(text).items()}


def _lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line.strip()]


def _run(documents: list[str]) -> dict[str, dict[str, dict[str, float]]]:
    return {SYSTEM: {TOPIC: {document: -float(at) for at, document in enumerate(documents)}}}


def _with_subtopics(text: str) -> Collection:
    (_, *subtopics), *rows = _lines(text)
    labels = [
        (TOPIC, subtopic, document, float(grade))
        for document, *grades in rows
        for subtopic, grade in zip(subtopics, grades, strict=True)
    ]
    frame = pd.DataFrame(labels, columns=["topic", "iteration", "document", "grade"])
    return collection(_run([row[0] for row in rows]), frame)


def _with_signal(text: str) -> Collection:
    (_, _, name), *rows = _lines(text)
    grades = {document: int(grade) for document, grade, _ in rows if grade != UNASSESSED}
    values = {document: float(value) for document, _, value in rows}
    return collection(_run(list(values)), {TOPIC: grades}, signals={name: values})


def _of_nuggets(text: str) -> Collection:
    _, *rows = _lines(text)
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for importance, names in NUGGETS.items():
        assignments = [assignment for _, how, assignment in rows if how == importance]
        counts = len(assignments), assignments.count("support"), assignments.count("partial_support")
        scores |= {name: {SYSTEM: {TOPIC: float(count)}} for name, count in zip(names, counts, strict=True)}
    return collection(scores=scores)


_READERS = {"grades": written_collection, "subtopics": _with_subtopics, "signal": _with_signal, "nuggets": _of_nuggets}
