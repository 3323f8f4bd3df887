"""Rank of a run among the others, and its best rank if its unassessed documents were good.

A run that was not pooled has documents that nobody assessed, and these earn nothing. Its residual says what they could
earn at most (Moffat & Zobel 2008, section 3.3), so its place lies between two ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.common.shown import shown
from evalcore.errors import InputError, place_of
from evalcore.measures.base import Measure, as_measure, unwrapped
from evalcore.measures.evaluation import evaluate, residual
from evalcore.measures.rbp import RBP, RankBiased
from evalcore.meta.order import ahead
from evalcore.structures.documents import Collection


@shown
@dataclass(frozen=True)
class Place:
    """The rank and the mean score of a system with its unassessed documents worth nothing, and worth 1."""

    system: str
    measure: str
    rank: int
    highest_rank: int
    score: float
    highest_score: float
    systems: int

    @property
    def in_words(self) -> str:
        """Both ends in a sentence."""
        now = f"{self.system}: rank {self.rank} of {self.systems} by {self.measure} ({self.score:.4f})"
        could = f"rank {self.highest_rank} ({self.highest_score:.4f})"
        return f"{now}; were all its unassessed documents good, {could}"


def place(collection: Collection, system: str, measure: Measure | str | None = None) -> Place:
    """The place of a system by a rank-biased measure (RBP), with both ends of its residual; the others stay.

    Raises InputError for an unknown system, and for a measure that has no residual.

    >>> from evalcore.data import collection
    >>> runs = {"old": {"t": {"a": 2.0, "b": 1.0}}, "new": {"t": {"x": 2.0, "a": 1.0}}}
    >>> place(collection(runs, {"t": {"a": 1, "b": 0}}), "new", "RBP(rho=0.5)").in_words
    'new: rank 2 of 2 by RBP(rho=0.5) (0.2500); were all its unassessed documents good, rank 1 (1.0000)'
    """
    known = RBP(aspect=collection.leading) if measure is None else as_measure(measure, collection)
    if not isinstance(unwrapped(known)[0], RankBiased):
        raise InputError(f"expected a rank-biased measure (RBP, uRBP, ...), found {known}")
    at = place_of(system, collection.systems, "a system")
    means = evaluate(known, collection).mean()
    most = float(means[system] + residual(known, collection)[system].mean())
    best = means.copy()
    best[system] = most
    now, could = (int(ahead(np.asarray(values, dtype=np.float64))[at]) + 1 for values in (means, best))
    return Place(system, str(known), now, could, float(means[system]), most, len(means))
