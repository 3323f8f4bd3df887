"""Small collections for tests of measures, as plain lists and dicts, and as the structures that measures read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from evalcore.common.arrays import FloatArray
from evalcore.common.cached import cached_property
from evalcore.common.constants import SMALLEST
from evalcore.measures import Measure
from evalcore.structures.documents import Assessments, Rankings, Scale

Judged = dict[str, float]  # document -> grade, of one topic

SCALES = {
    "relevance": Scale("relevance", grades=(0, 1, 2, 3)),
    "understandability": Scale("understandability", grades=(0, 1, 2, 3)),
    "credibility": Scale("credibility", grades=(0, 1, 2)),
    "difficulty": Scale("difficulty", good="low", grades=(0, 1, 2, 3)),
    "fog": Scale("fog", kind="signal", good="low"),
}


@dataclass(frozen=True)
class Small:
    """Judgements by topic, and one ranking per system and topic."""

    judged: tuple[dict[str, dict[str, float]], ...]  # topic -> document -> column -> value; every column in each
    lists: tuple[tuple[tuple[str, ...], ...], ...]  # system -> topic -> documents from rank 1 on

    @cached_property
    def pool(self) -> Assessments:
        rows = [(t, d, values) for t, documents in enumerate(self.judged) for d, values in documents.items()]
        names = list(rows[0][2] if rows else SCALES)
        columns = {name: np.array([values.get(name, np.nan) for _, _, values in rows]) for name in names}
        return Assessments(
            tuple(f"t{t}" for t in range(len(self.judged))),
            np.array([t for t, _, _ in rows], dtype=int),
            np.array([d for _, d, _ in rows], dtype=object),
            columns,
            {name: SCALES[name] for name in names},
        )

    @cached_property
    def rankings(self) -> Rankings:
        pool = self.pool
        row = {(t, d): at for at, (t, d) in enumerate(zip(pool.topic, pool.documents, strict=True))}
        lines = [
            [(rank, row[t, d]) for rank, d in enumerate(documents, start=1) if (t, d) in row]
            for system in self.lists
            for t, documents in enumerate(system)
        ]
        return Rankings(
            tuple(f"s{s}" for s in range(len(self.lists))),
            len(self.judged),
            len(pool),
            np.cumsum([0, *map(len, lines)]),
            np.array([rank for line in lines for rank, _ in line], dtype=int),
            np.array([at for line in lines for _, at in line], dtype=int),
            np.array([[len(documents) for documents in system] for system in self.lists]),
        )

    def scores(self, measure: Measure) -> FloatArray:
        return measure.scores(self.pool, self.rankings)

    def by_loop(self, score: Any, column: str = "relevance") -> FloatArray:
        """(S, T) results of a function of one ranking and the topic's judgements."""
        judged = [{d: values[column] for d, values in topic.items()} for topic in self.judged]
        return np.array([[score(ranking, judged[t]) for t, ranking in enumerate(system)] for system in self.lists])


def numbers(low: float, high: float) -> st.SearchStrategy[float]:
    """Draw floats for a parameter: 0, or not too small for computing."""
    return st.floats(low, high).map(lambda number: number if abs(number) >= SMALLEST else 0.0)


DOCUMENTS = [f"d{at}" for at in range(9)]


@st.composite
def collections(draw: st.DrawFn, columns: Sequence[str] = ("relevance",), lowest: int = 0) -> Small:
    """Draw up to 3 systems and 3 topics, with ties, unassessed documents, empty rankings, and topics without gain."""
    values = {
        name: st.floats(0, 30).map(float) if SCALES[name].kind == "signal" else st.sampled_from(_grades(name, lowest))
        for name in columns
    }
    topics = draw(st.integers(1, 3))
    judged = [
        draw(st.dictionaries(st.sampled_from(DOCUMENTS), st.fixed_dictionaries(values), max_size=8))
        for _ in range(topics)
    ]
    ranking = st.lists(st.sampled_from(DOCUMENTS), unique=True).map(tuple)
    lists = draw(st.lists(st.tuples(*[ranking] * topics), min_size=1, max_size=3))
    return Small(tuple(judged), tuple(lists))


def _grades(name: str, lowest: int) -> list[float]:
    return [float(lowest), *SCALES[name].grades] if lowest < 0 else list(map(float, SCALES[name].grades))


def gains_of(ranking: Sequence[str], judged: Judged) -> list[float]:
    """Return the grade of each document from rank 1 on; 0 if it has none, or one below 0."""
    return [max(judged.get(document, 0.0), 0.0) for document in ranking]


def ideal_of(judged: Judged) -> list[float]:
    return sorted((max(grade, 0.0) for grade in judged.values()), reverse=True)
