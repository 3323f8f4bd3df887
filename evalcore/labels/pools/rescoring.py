"""Scores of systems from parts of the assessments, compared with scores from all of them.

Shapes: N selections, S systems.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.progress import Tell, part, tell_share
from evalcore.common.short_forms import shown
from evalcore.drawing import figures, styles_of
from evalcore.labels.pools.reduced_pools import pool_with, subtopics_with
from evalcore.labels.pools.selections import Selections
from evalcore.measures.base import Measure, as_measure
from evalcore.meta.correlation import tau, tau_ap
from evalcore.meta.order import ahead
from evalcore.structures.documents import Collection, Good


@shown
@dataclass(frozen=True, eq=False)
class Rescored:
    """Mean scores of all systems with each selection of the assessments, and with all of them."""

    systems: tuple[str, ...]
    index: pd.Index  # names the selections
    full: FloatArray  # (S,)
    means: FloatArray  # (N, S)
    assessed: IntArray  # (N,) number of assessed documents
    good: Good = "high"

    @cached_property
    def full_ranks(self) -> IntArray:
        """The (S,) competition ranks with all assessments."""
        return ahead(self._upwards(self.full)) + 1

    @cached_property
    def ranks(self) -> IntArray:
        """The (N, S) competition ranks; 1 is best, and tied systems share the better rank."""
        return ahead(self._upwards(self.means)) + 1

    @cached_property
    def changes(self) -> IntArray:
        """The (N, S) numbers of ranks that each system gains (above 0) or loses (below 0)."""
        return self.full_ranks - self.ranks

    @cached_property
    def tau(self) -> FloatArray:
        """The (N,) Kendall's tau_b with the ranking from all assessments; nan for a single system."""
        return self._by(tau)

    @cached_property
    def tau_ap(self) -> FloatArray:
        """The (N,) AP correlation with the ranking from all assessments, which is the reference."""
        return self._by(tau_ap)

    @cached_property
    def full_first(self) -> tuple[str, ...]:
        """The winner, or all tied winners, with all assessments."""
        return self._first(self.full_ranks)

    @cached_property
    def first(self) -> tuple[tuple[str, ...], ...]:
        """The (N,) winners with each selection, as tuples of all tied winners."""
        return tuple(map(self._first, self.ranks))

    def _first(self, ranks: IntArray) -> tuple[str, ...]:
        return tuple(self.systems[at] for at in np.flatnonzero(ranks == 1))

    @cached_property
    def same_first(self) -> BoolArray:
        """(N,) true for selections with the same winners as with all assessments."""
        return np.asarray(((self.ranks == 1) == (self.full_ranks == 1)).all(axis=1))

    def table(self) -> pd.DataFrame:
        """Return a row for each selection: assessed documents, tau and tau_AP, number and size of moves, the winner.

        "moved" is the number of systems whose rank changes, and "largest" is the largest change of rank. "first" is the
        winner, or all tied winners; "same first" is true if the winners are the same as with all assessments.
        """
        moves = np.abs(self.changes)
        columns = {
            "assessed": self.assessed,
            "tau": self.tau,
            "tau_ap": self.tau_ap,
            "moved": (moves > 0).sum(axis=1),
            "largest": moves.max(axis=1, initial=0),
            "first": np.array([", ".join(names) for names in self.first], dtype=object),
            "same first": self.same_first,
        }
        return pd.DataFrame(columns, index=self.index)

    def rank_changes(self) -> pd.DataFrame:
        """Return ranks gained (above 0) or lost (below 0): a row for each selection, a column for each system."""
        return pd.DataFrame(self.changes, index=self.index, columns=pd.Index(self.systems, name="system", dtype=object))

    def _by(self, correlation: Callable[..., ArrayLike]) -> FloatArray:
        if len(self.systems) < 2:
            return np.full(len(self.means), np.nan)
        return np.asarray(correlation(self._upwards(self.means), self._upwards(self.full))).reshape(-1)

    def _upwards(self, scores: FloatArray) -> FloatArray:
        return scores if self.good == "high" else -scores

    def figure(self, **options: Any) -> Any:
        """Draw the ranks that systems gain or lose without each group; by default each system is a group."""
        styles = styles_of(self.systems, options)
        how = {"groups": {name: name for name in self.systems}, **options}
        return figures().changes_without(self.rank_changes(), styles=styles, **how)


def rescored(
    measure: Measure | str, collection: Collection, selections: Selections, tell: Tell | None = None
) -> Rescored:
    """Return scores of all systems with each selection of the assessments; `tell` is called with the finished share.

    Raises InputError for a measure that cannot be computed on the collection.

    >>> from evalcore.data import collection
    >>> from evalcore.labels.pools import top_documents
    >>> c = collection({"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"z": 1.0}}}, {"t": {"x": 0, "y": 1, "z": 0}})
    >>> rescored("P@2", c, top_documents(c, [1, 2])).means.tolist()  # y is at rank 2
    [[0.0, 0.0], [0.5, 0.0]]
    """
    parsed = as_measure(measure, collection)
    mean = collection.rankings.topic_means
    full = mean(parsed.scores_on(collection))
    means = np.empty((len(selections), len(collection.systems)))
    assessed = np.empty(len(selections), dtype=int)
    for at in range(len(selections)):
        kept = selections.kept(at)
        pool = pool_with(collection.assessments, kept)
        of_part = replace(collection, assessments=pool, subtopics=subtopics_with(collection, kept))
        with part(at, len(selections)):
            means[at] = mean(parsed.scores_on(of_part))
        assessed[at] = (collection.assessments.judged & kept).sum()
        tell_share(tell, (at + 1) / len(selections))
    return Rescored(collection.systems, selections.index, full, means, assessed, parsed.good)
