"""Tables of focused retrieval: official tables of the tasks, curves, and the parts that a system returned for a topic.

The tasks are those of INEX 2007 (Pehcevski et al. 2007, sections 4.3 and 5.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.common.lazy_imports import pd
from evalcore.common.rounding import falling
from evalcore.direction import directed
from evalcore.errors import InputError, place_of
from evalcore.focused.document_measures import AgP, gP
from evalcore.focused.document_scores import DocumentF, DocumentP, DocumentR, DocumentScore, Entry
from evalcore.focused.passages import Passages, RetrievedDocuments
from evalcore.focused.text_measures import LEVELS, iAP, interpolated, iP, shape_of
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.measures.evaluation import evaluate
from evalcore.structures.documents import Rankings

RECALL_LEVELS = (0.0, 0.01, 0.05, 0.1)
CUTOFFS = (5, 10, 25, 50)


@dataclass(frozen=True)
class Task:
    """An INEX task and its official measures; the last measure ranks the systems.

    In the tasks in context, `score` scores each document; `overlaps` is the parameter of the focused task's measures.
    """

    name: str
    score: DocumentScore | None = None
    overlaps: str = "drop"

    @property
    def measures(self) -> tuple[Measure, ...]:
        if self.score is None:
            return (*(iP(recall=level, overlaps=self.overlaps) for level in RECALL_LEVELS), iAP(overlaps=self.overlaps))
        return (*(gP(self.score, cutoff=cutoff) for cutoff in CUTOFFS), AgP(self.score))

    @property
    def official(self) -> Measure:
        return self.measures[-1]


TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (Task("focused"), Task("relevant in context", DocumentF()), Task("best in context", Entry(A=0.1)))
}


def official_table(task: Task | str, collection: HasPoolAndRankings) -> pd.DataFrame:
    """Return mean scores over topics, systems x measures, sorted by the last measure, best first.

    The focused task reports iP at recall 0, 0.01, 0.05, 0.1 and iMAP; the tasks in context report gP at 5, 10, 25, 50
    and MAgP. Raises InputError for an unknown task or a collection without passages.
    """
    if isinstance(task, str):
        if task not in TASKS:
            raise InputError(f"expected one of {', '.join(TASKS)}, found {task!r}")
        task = TASKS[task]
    scores = evaluate(task.measures, collection)
    table = directed(pd.DataFrame({text: frame.mean() for text, frame in scores.items()}), task.official.good)
    return table.iloc[falling(table[str(task.official)].to_numpy(dtype=np.float64))]


# --- curves -----------------------------------------------------------------------------------------------------------


def interpolated_curves(
    passages: Passages,
    topic: str | None = None,
    levels: int = LEVELS,
    rankings: Rankings | None = None,
    overlaps: str = "drop",
) -> pd.DataFrame:
    """Return interpolated precision at evenly spaced recall levels from 0 to 1: a frame of levels x systems.

    With `topic`, the values are for this topic. Otherwise they are means over the topics that `rankings` averages over,
    or over all topics if `rankings` is None. Raises InputError for an unknown topic.
    """
    chosen = _chosen(interpolated(passages, levels, overlaps), passages, topic, rankings)
    index = pd.Index(np.arange(levels) / (levels - 1), name="recall")
    return pd.DataFrame(chosen.T, index=index, columns=_systems(passages))


def generalised_curves(
    passages: Passages,
    score: DocumentScore,
    topic: str | None = None,
    depth: int = 50,
    rankings: Rankings | None = None,
) -> pd.DataFrame:
    """Return gP[r] at the document ranks 1 ... depth (Eq. 11): a frame of ranks x systems.

    With `topic`, the values are for this topic. Otherwise they are means over the topics that `rankings` averages over,
    or over all topics if `rankings` is None. Raises InputError for an unknown topic.
    """
    retrieved, (systems, topics) = passages.relevant_documents, shape_of(passages)
    above = np.flatnonzero(retrieved.rank <= depth)
    gains = np.zeros((systems * topics, depth))
    gains[retrieved.line[above], retrieved.rank[above] - 1] = score.scores(retrieved, passages.highlights)[above]
    ranks = np.arange(1, depth + 1)
    curves = (gains.cumsum(axis=1) / ranks).reshape(systems, topics, depth)
    chosen = _chosen(curves, passages, topic, rankings)
    return pd.DataFrame(chosen.T, index=pd.Index(ranks, name="rank"), columns=_systems(passages))


def _chosen(curves: FloatArray, passages: Passages, topic: str | None, rankings: Rankings | None) -> FloatArray:
    """Return the curves (S, points) of one topic, or means over topics, from all curves (S, T, points)."""
    if topic is not None:
        return curves[:, place_of(topic, passages.highlights.topics, "a topic")]
    if rankings is None:
        return np.asarray(curves.mean(axis=1))
    return rankings.topic_means(np.moveaxis(curves, 2, 0)).T


def precision_recall(passages: Passages, system: str, topic: str, overlaps: str = "drop") -> pd.DataFrame:
    """Return P[r] and R[r] after each part that a system returned for a topic (Eqs. 1 and 2).

    One row per rank: document, start, size, rsize, precision, recall. Raises InputError for unknown names.
    """
    parts, line = passages.counted(overlaps), _line(passages, system, topic)
    rows = slice(parts.indptr[line], parts.indptr[line + 1])
    size, rsize = (np.cumsum(values[rows], dtype=float) for values in (parts.size, parts.rsize))
    relevant = passages.highlights.relevant_text[line % parts.n_topics]
    columns = {
        "document": passages.document_ids[parts.document[rows]],
        "start": parts.start[rows],
        "size": parts.size[rows],
        "rsize": parts.rsize[rows],
        "precision": rsize / np.maximum(size, 1),
        "recall": rsize / max(relevant, 1),
    }
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(size) + 1, name="rank"))


def ranked_documents(passages: Passages, system: str, topic: str, score: DocumentScore | None = None) -> pd.DataFrame:
    """Return the documents that a system returned for a topic, one row per rank, with their scores.

    Columns: document, start (of the first part), size, rsize; length, relevant and best_entry as assessed (-1 if not
    assessed); P, R, F of the document's text (Eqs. 4 to 6), and `score`, if given, in a column that is named after
    its text. Raises InputError for unknown names.
    """
    line, parts = _line(passages, system, topic), passages.parts
    documents = parts.documents(np.arange(parts.indptr[line], parts.indptr[line + 1]))
    assessed = passages.highlights
    columns: dict[str, Any] = {
        "document": passages.document_ids[documents.document],
        "start": documents.start,
        "size": documents.size,
        "rsize": documents.rsize,
    }
    for name in ("length", "relevant", "best_entry"):
        columns[name] = np.where(documents.row >= 0, getattr(assessed, name)[documents.row], -1)
    scores = {"P": DocumentP(), "R": DocumentR(), "F": DocumentF()} | ({} if score is None else {str(score): score})
    for name, frame in scores.items():
        columns[name] = _scored(frame, documents, passages)
    return pd.DataFrame(columns, index=pd.Index(documents.rank, name="rank"))


def _scored(score: DocumentScore, retrieved: RetrievedDocuments, passages: Passages) -> Any:
    scores = np.zeros(len(retrieved))
    relevant = np.flatnonzero(np.where(retrieved.row >= 0, passages.highlights.relevant[retrieved.row], 0) > 0)
    scores[relevant] = score.scores(retrieved.at(relevant), passages.highlights)
    return scores


def _line(passages: Passages, system: str, topic: str) -> int:
    at = place_of(system, passages.parts.systems, "a system")
    return at * passages.parts.n_topics + place_of(topic, passages.highlights.topics, "a topic")


def _systems(passages: Passages) -> pd.Index:
    return pd.Index(passages.parts.systems, name="system", dtype=object)
