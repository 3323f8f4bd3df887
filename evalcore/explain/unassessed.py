"""Unassessed documents of systems: their share, and a system's rank if all its unassessed documents were good.

A system outside the pool has unassessed documents, which earn nothing. Its residual is the most that they could earn
(Moffat & Zobel 2008, section 3.3), so its rank lies between two limits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from evalcore.common.arrays import divided
from evalcore.common.short_forms import shown
from evalcore.errors import InputError, counted, place_of
from evalcore.measures.base import GainMeasure, Measure, as_measure, unwrapped
from evalcore.measures.evaluation import evaluate, residual
from evalcore.measures.rbp import RBP, RankBiased
from evalcore.meta.order import ahead
from evalcore.structures.documents import Collection, assessed_counts

SHOWN = 10  # ranks counted if a measure has no cut-off


def unassessed_table(measure: Measure | str, collection: Collection) -> pd.DataFrame:
    """Return the share of unassessed documents in each system's top ranks, and the residual of a rank-biased measure.

    The share is over the ranks down to the measure's cut-off (without one, the first 10) of all topics together; a
    document counts as unassessed if it lacks a label that the measure reads. The residual is the rise of the mean score
    if every unassessed document gained 1 (Moffat & Zobel 2008, section 3.3).

    >>> from evalcore.data import collection
    >>> c = collection({"a": {"t": {"x": 2.0, "y": 1.0}}}, {"t": {"x": 1}})
    >>> unassessed_table("RBP(rho=0.5)", c).loc["a"].to_dict()  # y and all lower ranks: 1 / 2
    {'unassessed@10': 0.5, 'residual': 0.5}
    """
    parsed, pool = as_measure(measure, collection), collection.assessments
    depth = (parsed.depth if isinstance(parsed, GainMeasure) else None) or SHOWN
    read = [~np.isnan(pool.column(name)) for name in parsed.columns if pool.find(name)]
    known = np.asarray(np.all(read, axis=0)) if read else pool.judged
    found, retrieved = assessed_counts(collection.rankings, known, [depth])
    share = divided(retrieved - found, retrieved)[:, 0]
    table = pd.DataFrame({f"unassessed@{depth}": share}, index=pd.Index(collection.systems, name="system"))
    if isinstance(parsed, RankBiased):
        table["residual"] = collection.rankings.topic_means(parsed.residual_on(collection))
    return table


@shown
@dataclass(frozen=True)
class Place:
    """The rank and the mean score of a system with its unassessed documents at gain 0 and at gain 1."""

    system: str
    measure: str
    rank: int
    highest_rank: int
    score: float
    highest_score: float
    systems: int
    own_topics: int = 0  # for a system that lacks some topics: the number of its topics, its rank and score on these
    own_rank: int = 0
    own_score: float = 0.0

    @property
    def in_words(self) -> str:
        """A sentence with the rank and the score, both as they are and with gain 1 for all unassessed documents."""
        now = f"{self.system}: rank {self.rank} of {self.systems} under {self.measure} ({self.score:.4f})"
        could = f"rank {self.highest_rank} ({self.highest_score:.4f})"
        own = f"; on the {counted(self.own_topics, 'topic')} in its run, rank {self.own_rank} ({self.own_score:.4f})"
        return f"{now}{own if self.own_topics else ''}; if all its unassessed documents were good, {could}"


def place(collection: Collection, system: str, measure: Measure | str | None = None) -> Place:
    """Return a system's rank under a rank-biased measure (RBP) at both ends of the residual of its score.

    The scores of all other systems are unchanged.

    Raises InputError for an unknown system, and for a measure that is not rank-biased.

    >>> from evalcore.data import collection
    >>> runs = {"old": {"t": {"a": 2.0, "b": 1.0}}, "new": {"t": {"x": 2.0, "a": 1.0}}}
    >>> place(collection(runs, {"t": {"a": 1, "b": 0}}), "new", "RBP(rho=0.5)").in_words
    'new: rank 2 of 2 under RBP(rho=0.5) (0.2500); if all its unassessed documents were good, rank 1 (1.0000)'
    """
    known = RBP(aspect=collection.leading) if measure is None else as_measure(measure, collection)
    if not isinstance(unwrapped(known)[0], RankBiased):
        raise InputError(f"expected a rank-biased measure (RBP, uRBP, ...), found {known}")
    at = place_of(system, collection.systems, "a system")
    scores = evaluate(known, collection)
    means = scores.mean()
    most = float(means[system] + residual(known, collection)[system].mean())
    best = means.copy()
    best[system] = most
    now, could = (int(ahead(np.asarray(values, dtype=np.float64))[at]) + 1 for values in (means, best))
    placed = Place(system, str(known), now, could, float(means[system]), most, len(means))
    retrieved = dict(zip(collection.topics, (collection.rankings.length[at] > 0).tolist(), strict=True))
    own = [topic for topic in scores.index if retrieved[topic]]
    if not own or len(own) == len(scores):
        return placed
    on_own = scores.loc[own].mean()
    rank = int(ahead(np.asarray(on_own, dtype=np.float64))[at]) + 1
    return replace(placed, own_topics=len(own), own_rank=rank, own_score=float(on_own[system]))
