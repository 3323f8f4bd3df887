"""Score, then combine: each aspect gets a score of its own, and the scores are averaged.

The opposite approach, combining labels before scoring, is in `products` and `toma`.
Shapes: A aspects, P pool rows, S systems, T topics.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray
from evalcore.common.progress import of_each
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure, OfAspects, where_covered
from evalcore.measures.dcg import nDCG
from evalcore.notation.formula import name_latex, number
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Good, Rankings, Scale

POSITIVE = Range(0)


@dataclass(frozen=True)
class Aggregate(OfAspects, Measure, abstract=True):
    """A weighted mean of one score per aspect.

    `base` is one measure, applied to each of `aspects`, or a list of the measures to combine. `weights` are
    scaled to sum to 1; without weights, all are equal.
    """

    base: Measure | tuple[Measure, ...] = parameter(nDCG(), "the measure of each aspect", positional=True)
    aspects: tuple[str, ...] = parameter((), "the aspects to combine; default: all of the collection")
    weights: tuple[float, ...] = parameter((), "weight of each aspect", within=POSITIVE, role="weight")

    @property
    def parts(self) -> tuple[Measure, ...]:
        """The combined measures: `base` on each aspect, or the measures that `base` lists."""
        if isinstance(self.base, tuple):
            return self.base
        if not self.base.takes("aspect"):
            raise InputError(f"expected a measure of one aspect, or a list of measures, found {self.base}", str(self))
        return tuple(self.base.with_(aspect=aspect) for aspect in self.names)

    def with_aspect_weights(self, weights: Mapping[str, float]) -> Measure | None:
        changed = self.with_(weights=tuple(weights.get(name, 1.0) for name in self.names))
        return changed if isinstance(self.base, Measure) and len(changed.shares) else None

    def meant_of(self, pool: Assessments) -> Aggregate:
        if not isinstance(self.base, tuple):
            meant: Aggregate = super().meant_of(pool)
            return meant
        parts = tuple(part.meant_of(pool) for part in self.base)
        return self.with_(base=parts) if any(map(operator.is_not, parts, self.base)) else self

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the parts: their aspects, or their measures if `base` lists several."""
        return tuple(map(str, self.base)) if isinstance(self.base, tuple) else self.names

    def written_out(self, pool: Assessments | None = None) -> dict[str, Any]:
        return {} if self.weights else {"weights": (1.0,) * len(self.parts)}

    def scales_of(self, part: str, pool: Assessments) -> tuple[Scale, ...]:
        """Return the scales of all aspects for the part `base`, if one measure scores all aspects; else ()."""
        return tuple(map(pool.scale, self.names)) if part == "base" and not isinstance(self.base, tuple) else ()

    def of_one_aspect(self) -> Measure:
        return self.parts[0]

    @property
    def combined(self) -> tuple[Measure, ...]:
        return tuple(measure for part in self.parts for measure in part.combined)

    def combining(self, change: Callable[[Measure], Measure]) -> Measure:
        return self.with_(base=tuple(part.combining(change) for part in self.parts))

    def scores_by(self, scores: Callable[[Measure], FloatArray]) -> FloatArray:
        return self.combine(np.array([part.scores_by(scores) for part in self.parts]), self.shares)

    @property
    def good(self) -> Good:  # type: ignore[override]
        """Return the good end of the scores, which all parts must share. Raises InputError if they differ."""
        ends = {part.good: str(part) for _, part in self._weighted_parts()}
        if len(ends) > 1:
            found = " and ".join(f"{name} ({end})" for end, name in ends.items())
            raise InputError(f"expected parts whose good scores are all high or all low, found {found}", str(self))
        return next(iter(ends))

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in self.parts for name in part.columns))

    @property
    def shares(self) -> FloatArray:
        """The (A,) weights, scaled to sum to 1. Raises InputError if they are too few, too many or all 0."""
        count = len(self.parts)
        weights = np.asarray(self.weights or (1.0,) * count, dtype=float)
        if len(weights) != count:
            raise InputError(f"expected a weight for each of {count} aspects, found {len(weights)}", str(self))
        if not weights.max(initial=0) > 0:
            raise InputError("expected at least one weight above 0, found none", str(self))
        return np.asarray(weights / weights.sum())

    def covered(self, pool: Assessments) -> BoolArray:
        return np.asarray(np.all([part.covered(pool) for part in self.parts], axis=0))

    def part_scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        """Return the (A, S, T) scores before they are combined, nan if a part does not cover a topic."""
        return np.array([where_covered(part.scores(pool, rankings), part.covered(pool)) for part in self.parts])

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self.combine(np.array([part.scores(pool, rankings) for part in self.parts]), self.shares)

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        scores = of_each(self.parts, lambda one: one.scores_on(collection))
        return self.combine(np.array(scores), self.shares)

    @classmethod
    def combine(cls, scores: FloatArray, shares: FloatArray) -> FloatArray:
        """Return scores (A, ...) combined with shares (A,) of sum 1; nan if a part is nan, even at weight 0."""
        lacking = np.isnan(scores)
        if not lacking.any():
            return cls.weighted(scores, shares)
        return np.where(lacking.any(axis=0), np.nan, cls.weighted(np.where(lacking, 0.0, scores), shares))

    @staticmethod
    def weighted(scores: FloatArray, shares: FloatArray) -> FloatArray:
        """Return the weighted mean (...) of scores (A, ...), none of which is nan."""
        raise NotImplementedError

    def assumed_scale(self, name: str, values: FloatArray) -> Scale:
        part = next(part for part in self.parts if name in part.columns)
        return part.assumed_scale(name, values)

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        shown = [(number(round(float(share), 4)), name_latex(str(part))) for share, part in self._weighted_parts()]
        return f"{name_latex(type(self).__name__)} = {self._mean_latex(shown)}"

    def _weighted_parts(self) -> list[tuple[float, Measure]]:
        return [(share, part) for share, part in zip(self.shares.tolist(), self.parts, strict=True) if share]

    @staticmethod
    def _mean_latex(parts: list[tuple[str, str]]) -> str:
        """Return the mean as LaTeX, from (share, name) pairs."""
        raise NotImplementedError


@dataclass(frozen=True)
class CAM(Aggregate):
    """Convex aggregating measure: sum over aspects of w_a * M_a (Lioma et al. 2017; Maistro et al. 2021, Eq. 5).

    >>> CAM(nDCG(), weights=[3, 1]).of([1, 0], [0, 0])
    0.75
    """

    reference: ClassVar[str] = "Lioma, Simonsen & Larsen 2017"

    @staticmethod
    def weighted(scores: FloatArray, shares: FloatArray) -> FloatArray:
        return _weighted_sum(scores, shares)

    @staticmethod
    def _mean_latex(parts: list[tuple[str, str]]) -> str:
        return " + ".join(rf"{share} \cdot {name}" for share, name in parts)


@dataclass(frozen=True)
class MM(Aggregate, also=("H",)):
    """Weighted harmonic mean: (sum of w_a) / (sum of w_a / M_a).

    Palotti et al. 2018, Eq. H; Maistro et al. 2021, Eq. 6.
    An aspect of weight 0 is left out; if any other aspect scores 0, the mean is 0.

    >>> MM(nDCG()).of([1, 0], [1, 0]), MM(nDCG()).of([1, 0], [0, 0])
    (1.0, 0.0)
    """

    reference: ClassVar[str] = "Palotti, Zuccon & Hanbury 2018"

    @staticmethod
    def weighted(scores: FloatArray, shares: FloatArray) -> FloatArray:
        counted = shares > 0
        scores, shares = scores[counted], shares[counted]
        positive = (scores >= np.finfo(float).tiny).all(axis=0)  # 1 / x overflows for any smaller x
        inverse = _weighted_sum(1 / np.where(positive, scores, 1.0), shares)
        return np.where(positive, 1 / inverse, 0.0)

    @staticmethod
    def _mean_latex(parts: list[tuple[str, str]]) -> str:
        terms = " + ".join(rf"\frac{{{share}}}{{{name}}}" for share, name in parts)
        return rf"\left({terms}\right)^{{-1}}"


@dataclass(frozen=True)
class WHAM(MM):
    """Weighted harmonic mean of relevance and credibility (Lioma et al. 2017): MM of these two aspects.

    >>> WHAM(nDCG()).of([0, 1], [1, 0]) == MM(nDCG()).of([0, 1], [1, 0])
    True
    """

    without_collection: ClassVar[tuple[str, ...]] = ("relevance", "credibility")
    reference: ClassVar[str] = "Lioma, Simonsen & Larsen 2017"


@dataclass(frozen=True)
class GM(Aggregate):
    """Weighted geometric mean: product over aspects of M_a ^ w_a. It lies between CAM and MM.

    An aspect of weight 0 is left out.

    >>> GM(nDCG()).of([0, 0, 1], [1, 0, 0]) == 0.5 ** 0.5
    True
    """

    reference: ClassVar[str] = (
        "the weighted geometric mean, which lies between the means of Maistro et al. 2021, Eqs. 5 and 6"
    )

    @staticmethod
    def weighted(scores: FloatArray, shares: FloatArray) -> FloatArray:
        counted = shares > 0
        powers = scores[counted] ** shares[counted].reshape(-1, *(1,) * (scores.ndim - 1))
        product: FloatArray = powers.prod(axis=0)
        return product

    @staticmethod
    def _mean_latex(parts: list[tuple[str, str]]) -> str:
        return r" \cdot ".join(f"{name}^{{{share}}}" for share, name in parts)


def _weighted_sum(scores: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the weighted sum of scores, (A, ...) -> (...), always in the order of the aspects.

    A matrix product would add in an order that depends on shapes.
    """
    total = np.zeros(scores.shape[1:])
    for share, score in zip(shares.tolist(), scores, strict=True):
        if share:  # an infinite score of weight 0 adds 0, too
            total += share * score
    return total
