"""Where does a judge err? By the label of the reference, by how hard the topic is, and by how high systems rank."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray, IntArray
from evalcore.errors import InputError
from evalcore.judges.agreement import source_labels, usual_pair
from evalcore.judges.favouring import bands_within, standing
from evalcore.judges.rescoring import graded_aspect, scores_by
from evalcore.measures import Measure
from evalcore.measures.base import as_measure
from evalcore.structures.documents import Collection

THIRDS = {"topic": ("hard", "middling", "easy"), "rank": ("ranked low", "in the middle", "ranked high")}


def judge_errors(
    measure: Measure | str,
    collection: Collection,
    judge: str,
    reference: str | None = None,
    *,
    aspect: str | None = None,
) -> pd.DataFrame:
    """How far a judge is off, of the documents that both labelled, in parts; a row for each part, indexed by, part.

    by "all"; "grade": the label of the reference; "topic": thirds of the topics, by the systems' mean score by the
    measure and the reference; "rank": thirds of each topic's documents, by how high all systems rank them. Columns:
    documents; same, the share with the same label; bias, the mean of the judge's label less the reference's, in grades;
    size, the mean of its absolute value. Raises InputError for unknown sources, and where no document has both labels.

    >>> import evalcore as ec
    >>> labels = {"people": {"t": {"x": 0, "y": 1}}, "judge": {"t": {"x": 1, "y": 1}}}
    >>> c = ec.collection({"a": {"t": {"x": 2.0, "y": 1.0}}}, {"relevance": labels})
    >>> judge_errors("AP", c, "judge").loc["grade", "bias"].to_dict()
    {'0': 1.0, '1': 0.0}
    """
    known = as_measure(measure)
    name = graded_aspect(known, collection, aspect)
    pool = collection.assessments
    people = reference or usual_pair(pool, name)[0]
    right, judged = source_labels(pool, name, people), source_labels(pool, name, judge)
    both = ~(np.isnan(right) | np.isnan(judged))
    if not both.any():
        raise InputError(f"expected documents that {people!r} and {judge!r} both labelled, found none")
    hard = _thirds_of_topics(scores_by(known, collection, name, right).mean(axis=1), both, pool.topic)
    high = bands_within(standing(collection.rankings), pool.topic, 3)
    parts = [
        (("all", "all"), both),
        *((("grade", f"{grade:g}"), both & (right == grade)) for grade in np.unique(right[both])),
        *_in_thirds("topic", hard, both),
        *_in_thirds("rank", high, both),
    ]
    rows = {key: _row(right[rows], judged[rows]) for key, rows in parts if rows.any()}
    index = pd.MultiIndex.from_tuples(list(rows), names=["by", "part"])
    return pd.DataFrame(list(rows.values()), index=index)


def _thirds_of_topics(scores: FloatArray, both: np.ndarray, topic: IntArray) -> IntArray:
    """(P,) in which third of the topics that have documents each row is, the lowest scores first."""
    having = np.unique(topic[both])
    third = np.zeros(len(scores), dtype=int)
    third[having] = bands_within(scores[having], np.zeros(len(having), dtype=int), 3)
    return third[topic]


def _in_thirds(by: str, third: IntArray, both: np.ndarray) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
    for at, name in enumerate(THIRDS[by]):
        yield (by, name), both & (third == at)


def _row(right: FloatArray, judged: FloatArray) -> dict[str, float]:
    off = judged - right
    return {"documents": len(off), "same": (off == 0).mean(), "bias": off.mean(), "size": np.abs(off).mean()}
