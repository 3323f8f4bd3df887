"""Measures that return scores given with a collection, such as another tool's, and weights for groups of topics.

They work like any other measure: scores of another tool can be compared, swept, tested in claims and reported.
Shapes: S systems, T topics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError, did_you_mean
from evalcore.measures.base import Around, HasPoolAndRankings, Measure
from evalcore.notation.formula import name_latex, number
from evalcore.notation.values import Range, parameter, written
from evalcore.structures.documents import Assessments, GivenScores, Good, Rankings, Scale


@dataclass(frozen=True)
class Score(Measure):
    """A given score from the tables of a collection, by the name of its measure; "" is the first table.

    The score on topic t is s(t), read from the table, and nan if the table has none. Low scores are good only with
    good="low" in the text, which must agree with the collection.

    >>> from evalcore.data import collection
    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": [0.5, 0.25], "b": [0.0, 1.0]}, index=["t1", "t2"])
    >>> c = collection(scores={"map": table})
    >>> Score("map").scores(c.assessments, c.rankings).tolist()
    [[0.5, 0.25], [0.0, 1.0]]
    >>> str(Score("ms", end="low"))
    'Score("ms", good="low")'
    """

    name: str = parameter("", "the name of the measure in the tables")
    end: str = parameter("high", "the good end of its scores: high or low", choices=("high", "low"), alias="good")
    bounds: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    reference: ClassVar[str] = "Computed elsewhere"

    def __str__(self) -> str:
        texts = [written(self.name)] if self.name else []
        texts += ['good="low"'] if self.end == "low" else []
        return f"Score({', '.join(texts)})" if texts else "Score"

    @property
    def known_as(self) -> str:
        """The name that readers see: the measure's name in the tables."""
        return self.name

    @property
    def good(self) -> Good:  # type: ignore[override]
        return cast(Good, self.end)

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self._table(rankings).values

    def _table(self, rankings: Rankings) -> GivenScores:
        """Return the table of scores. Raises InputError if no table has the name, or if its good end differs."""
        given: Mapping[str, GivenScores] = getattr(rankings, "given", {})
        name = self.name or next(iter(given), "")
        if name not in given:
            known = ", ".join(given) or "none"
            raise InputError(
                f"expected a score in the tables of this collection ({known}), found "
                f"{written(self.name) if self.name else 'none'}{did_you_mean(self.name, given)}",
                str(self),
            )
        if given[name].good != self.good:
            right = Score(name, given[name].good)
            raise InputError(f"expected {right}, as {given[name].good} scores are good in this table", str(self))
        return given[name]

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        return f"{name_latex('Score')} = s_{{{name_latex(self.name or 'first')}}}(t)"


@dataclass(frozen=True)
class GroupWeights(Around):
    """A measure with weights for groups of topics, such as domains: its mean is a weighted mean over topics.

    s'(t) = s(t) w(g_t) n / sum of w(g_u) over the n topics u on which the system has a score; the mean of s' over these
    topics is sum w s / sum w. Groups are ordered by name; a topic without a group is in the group "". Without weights,
    all groups count the same: each topic weighs 1 / the number of topics in its group.

    >>> from evalcore.data import collection
    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": [0.0, 0.0, 0.9]}, index=["t1", "t2", "t3"])
    >>> groups = pd.DataFrame({"domain": ["law", "law", "news"]}, index=["t1", "t2", "t3"])
    >>> c = collection(scores={"map": table}, groups=groups)
    >>> float(GroupWeights(Score("map"), by="domain").scores_on(c).mean().round(12))
    0.45
    """

    measure: Measure = parameter(Score(), "the measure", positional=True)
    by: str = parameter("", "the grouping of the topics; default: the first", shown=False)
    weights: tuple[float, ...] = parameter((), "weight of each group", within=Range(0), role="weight")
    reference: ClassVar[str] = "Macro-average"
    weighs_topics: ClassVar[bool] = True

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self._weighted(self.measure.scores(pool, rankings), pool)

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        return self._weighted(self.measure.scores_on(collection), collection.assessments)

    def _weighted(self, scores: FloatArray, pool: Assessments) -> FloatArray:
        group = np.array(self._groups(pool), dtype=object)
        names = sorted(set(group.tolist()))
        place = np.searchsorted(np.array(names, dtype=object), group)
        weights = self._of_groups(names, np.bincount(place, minlength=len(names)).astype(float))[place]
        known = ~np.isnan(scores)
        total = np.where(known, weights, 0.0).sum(axis=-1, keepdims=True)
        share = np.divide(
            weights * known.sum(axis=-1, keepdims=True), total, where=total > 0, out=np.zeros(scores.shape)
        )
        return np.where(known & (total > 0), np.where(share > 0, scores, 0.0) * share, np.nan)

    def _groups(self, pool: Assessments) -> tuple[str, ...]:
        """Return the (T,) group of each topic. Raises InputError for an unknown grouping."""
        known = pool.groups
        name = self.by or next(iter(known), "")
        if name not in known:
            listed = ", ".join(known) or "none"
            raise InputError(f"expected a grouping of the topics ({listed}), found {written(name)}", str(self))
        return known[name]

    def _of_groups(self, names: list[str], sizes: FloatArray) -> FloatArray:
        """Return the weight of each group. Raises InputError for a wrong number of weights, and if none is above 0."""
        if not self.weights:
            return np.asarray(1 / np.maximum(sizes, 1))
        if len(self.weights) != len(names):
            listed = ", ".join(names)
            raise InputError(f"expected a weight for each group ({listed}), found {len(self.weights)}", str(self))
        weights = np.array(self.weights)
        if not weights.max(initial=0) > 0:
            raise InputError("expected at least one weight above 0, found none", str(self))
        return np.asarray(weights / weights.max())

    def written_out(self, pool: Assessments | None = None) -> dict[str, Any]:
        if self.weights or pool is None:
            return {}
        names, sizes = np.unique(np.array(self._groups(pool), dtype=str), return_counts=True)
        return {"weights": tuple((sizes.max() / sizes).tolist())} if len(names) else {}

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        shown = ", ".join(number(weight) for weight in self.weights) or "1 / n_g"
        inside = name_latex(str(self.measure))
        share = r"\frac{n \, w_{g_t}}{\sum_u w_{g_u}}"
        return rf"{name_latex('GroupWeights')} = {inside}(t) \cdot {share}, \; w = {shown}"
