"""TOMA, Total Order Multi-Aspect evaluation (Maistro et al. 2021): combine labels by a distance, then score.

Labels get positions, tuples of labels are ordered by their distance to the best tuple, each class of equal distance
gets a weight, and any single-aspect measure reads the weights. Shapes: P pool rows, K classes.

Two embeddings have names. "equal ranges", the default everywhere, puts the worst and the best label of every aspect
equally far apart: an aspect with more labels does not count more; only its importance sets how much it counts.
"equal steps" puts all labels one apart (Maistro et al. 2021, section 4.1, and the authors' code): if aspects have 3 and
11 labels, almost only the second decides. If all scales have the same number of labels, the embeddings are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure, Joined, Measure, OfAspects
from evalcore.measures.dcg import nDCG
from evalcore.measures.labels import equal_steps
from evalcore.measures.parts.gains import Gain
from evalcore.measures.tuple_orders import Distance, Euclidean, TupleOrder, label_places, pool_tuples
from evalcore.notation.formula import name_latex
from evalcore.notation.values import Range, Value, mapped, parameter, values_in
from evalcore.structures.documents import Assessments, Scale

EQUAL_RANGES, EQUAL_STEPS = "equal ranges", "equal steps"
FEW = 8  # labels whose positions are offered one by one


@dataclass(frozen=True)
class ClassWeights(Value, abstract=True):
    """W: weights of the classes, which never decrease from the worst to the best (Maistro et al. 2021, Eq. 4)."""

    def of(self, order: TupleOrder) -> FloatArray:
        """Return the (K,) weights of the classes, worst first."""
        raise NotImplementedError


@dataclass(frozen=True)
class ByClass(ClassWeights):
    """0, 1, 2, ...: each class gets one more than the class below it."""

    def of(self, order: TupleOrder) -> FloatArray:
        return np.arange(order.n_classes, dtype=float)


@dataclass(frozen=True)
class ByDistance(ClassWeights):
    """1 - d / D, from 0 to 1: d is the distance of a class to the best tuple, D the distance of the worst class."""

    def of(self, order: TupleOrder) -> FloatArray:
        farthest = order.distances[0] or 1.0
        return 1.0 - order.distances / farthest


@dataclass(frozen=True)
class GeometricWeights(ClassWeights):
    """0, 2, 4, 8, ...: 0 for the worst class, then rising powers of a factor."""

    factor: float = parameter(
        2.0, "weight of a class divided by the weight of the class below", within=Range(1, 10, open_low=True, step=0.5)
    )

    def of(self, order: TupleOrder) -> FloatArray:
        steps = np.arange(order.n_classes, dtype=float)
        # If the largest would overflow, all are scaled down: only ratios count.
        largest = 1000 / np.log2(self.factor)
        return np.where(steps == 0, 0.0, self.factor ** (steps - max(order.n_classes - 1 - largest, 0.0)))


@dataclass(frozen=True)
class TopHalf(ClassWeights):
    """1 for the better half of the classes (rounded up), 0 for the other classes (Maistro et al. 2021, Table 3)."""

    def of(self, order: TupleOrder) -> FloatArray:
        return (np.arange(order.n_classes) >= order.n_classes // 2).astype(float)


@dataclass(frozen=True)
class AboveWorst(ClassWeights):
    """1 for every class but the worst (Maistro et al. 2021, section 4.1)."""

    def of(self, order: TupleOrder) -> FloatArray:
        return (np.arange(order.n_classes) > 0).astype(float)


@dataclass(frozen=True)
class CustomWeights(ClassWeights):
    """The given weights, worst class to best. Raises InputError if they decrease (Eq. 4) or their number is wrong."""

    weights: tuple[float, ...] = parameter(
        (0.0, 1.0), "a weight for each class", within=Range(0), shown=True, role="rising"
    )

    def of(self, order: TupleOrder) -> FloatArray:
        if len(self.weights) != order.n_classes:
            raise InputError(
                f"expected a weight for each of {order.n_classes} classes, found {len(self.weights)}", str(self)
            )
        for at in range(1, len(self.weights)):
            if self.weights[at] < self.weights[at - 1]:
                raise InputError(
                    f"expected weights that do not decrease from the worst class to the best (Eq. 4), found "
                    f"{self.weights[at]:g} for class {at} after {self.weights[at - 1]:g}: a better document gains less",
                    str(self),
                )
        return np.array(self.weights)


@dataclass(frozen=True)
class TOMA(OfAspects, Joined):
    """A measure (`base`) of W(class of the labels); labels of a class are equally far from the best labels.

    Maistro et al. 2021.

    The base reads a weight as it reads a grade: nDCG linearly, ERR as a probability, AP as relevant if it is above 0
    (or at least `rel`).
    `embedding` sets the positions of labels: "equal ranges" spreads the labels of each aspect in equal steps over the
    same range, and an aspect with more labels does not count more; "equal steps" puts them one apart on every aspect,
    0, 1, 2, ... (section 4.1); a table lists positions by aspect, worst to best, and aspects that it does not name get
    equal ranges. `importance` weights an aspect's gap. `tuples` are the admissible tuples: "product" (every
    combination), "observed" (those in the pool), or a list of tuples of grades. A missing label counts as the worst of
    its aspect.

    >>> TOMA(nDCG()).of([0, 1, 1], [1, 0, 1]) == nDCG().of([1, 1, 2])
    True
    """

    base: GainMeasure = parameter(nDCG(), "the measure that reads the weights", positional=True)
    aspects: tuple[str, ...] = parameter((), "the aspects to combine; default: all of the collection")
    distance: Distance = parameter(Euclidean(), "distance of a tuple of labels to the best one", shown=True)
    embedding: Mapping[str, tuple[float, ...]] | str = parameter(
        EQUAL_RANGES,
        'positions of labels: "equal ranges", "equal steps", or a list for each aspect, worst to best',
        role="position",
    )
    importance: Mapping[str, float] = parameter((), "importance of each aspect's gap", role="weight")
    tuples: str | tuple[tuple[float, ...], ...] = parameter("product", "the admissible tuples of labels", role="fixed")
    weights: ClassWeights = parameter(ByClass(), "the weight of each class")
    reference: ClassVar[str] = "Maistro et al. 2021"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.embedding:  # a table that names no aspect
            object.__setattr__(self, "embedding", EQUAL_RANGES)
        if isinstance(self.embedding, str) and self.embedding not in (EQUAL_RANGES, EQUAL_STEPS):
            raise InputError(
                f'expected "{EQUAL_RANGES}", "{EQUAL_STEPS}" or positions by aspect, found {self.embedding!r}',
                "TOMA(embedding=...)",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        return self.names

    def gain_functions(self) -> Mapping[str, Gain]:
        raise InputError(
            "expected a measure with a gain for each aspect, found one that combines the aspects itself", str(self)
        )

    def order(self, pool: Assessments) -> TupleOrder:
        """Return the classes of label tuples on the pool's scales. Raises InputError for an aspect with one label."""
        return TupleOrder.of(self.positions(pool), self.distance, dict(self.importance), self.admissible(pool))

    def positions(self, pool: Assessments) -> dict[str, tuple[float, ...]]:
        """Map each aspect to the positions of its labels, worst to best.

        Raises InputError for an aspect with fewer than two labels, and for a wrong number of listed positions.
        """
        counts = {name: len(pool.scale(name).grades) for name in self.names}
        for name, count in counts.items():
            if count < 2:
                raise InputError(f"expected at least two labels of {name} to distinguish documents, found {count}")
        longest = max(counts.values()) - 1
        placed = {
            name: equal_steps(count, count - 1 if self.embedding == EQUAL_STEPS else longest)
            for name, count in counts.items()
        }
        return placed | self._named_positions(counts)

    def _named_positions(self, counts: Mapping[str, int]) -> dict[str, tuple[float, ...]]:
        """Map aspects to the positions that the measure lists.

        Raises InputError unless they fit the numbers of labels.
        """
        table = {} if isinstance(self.embedding, str) else dict(self.embedding)
        named = {name: table[name] for name in counts if name in table}
        for name, places in named.items():
            if len(places) != counts[name]:
                raise InputError(f"expected positions for {counts[name]} labels of {name}, found {len(places)}")
        return named

    def document_gains(self, pool: Assessments) -> FloatArray:
        own = list(self.base.gain_functions().values())
        if len(own) != 1:
            raise InputError(f"expected a base that reads one aspect, found {self.base}", str(self))
        order = self.order(pool)
        weights = self.weights.of(order)
        scale = Scale("weight", grades=tuple(np.unique(np.append(weights, 0.0)).tolist()))
        return own[0].of(weights, scale)[order.class_of(pool_tuples(pool, self.names))]

    def with_aspect_weights(self, weights: Mapping[str, float]) -> Measure | None:
        return self.with_(importance={name: weights.get(name, 1.0) for name in self.names})

    def written_out(self, pool: Assessments | None = None) -> dict[str, Any]:
        """Return the importance of each aspect and, with a pool, the positions of labels as `embedding`.

        An aspect is left out of `embedding` if it has many labels and their positions are those of "equal ranges".
        """
        values: dict[str, Any] = {"importance": {**dict.fromkeys(self.names, 1.0), **dict(self.importance)}}
        if pool is not None:
            spread, places = self.with_(embedding={}).positions(pool), self.positions(pool)
            values["embedding"] = {name: own for name, own in places.items() if len(own) <= FEW or own != spread[name]}
        return values

    def scales_of(self, part: str, pool: Assessments) -> tuple[Scale, ...]:
        """Return, for the part `base`, the scale whose grades are the weights of the classes; else ()."""
        if part != "base":
            return ()
        return (Scale("weight", grades=tuple(np.unique(self.weights.of(self.order(pool))).tolist())),)

    def needs_whole_pool(self, pool: Assessments) -> bool:
        return self.tuples == "observed"

    def admissible(self, pool: Assessments) -> IntArray | None:
        """Return the (U, A) admissible tuples of labels, as indices on the scales; None if all are admissible.

        Raises InputError for an unknown text in `tuples`, a grade not on its scale, or a tuple without A grades.
        """
        if self.tuples == "product":
            return None
        if self.tuples == "observed":
            return np.unique(pool_tuples(pool, self.names), axis=0) if len(pool) else None
        if isinstance(self.tuples, str):
            raise InputError(f"expected `tuples` to be product, observed or a list, found {self.tuples!r}", str(self))
        return _places(self.tuples, [pool.scale(name) for name in self.names])

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        labels = ", ".join(f"{name_latex(name)}_k" for name in self.names)
        weight = rf"W\left(\left[{labels}\right]\right)"
        return f"{name_latex('TOMA')} = {self.base.latex_of(weight)}"


def tomas_in(value: Any) -> list[TOMA]:
    """List every TOMA in a measure or a list of measures: the measures themselves and the measures inside them.

    >>> len(tomas_in((TOMA(nDCG()), nDCG())))
    1
    """
    return [part for part in values_in(value) if isinstance(part, TOMA)]


def with_embedding(value: Any, embedding: str) -> Any:
    """Return a measure with this embedding in every TOMA; a TOMA with explicit positions is unchanged.

    >>> str(with_embedding(TOMA(distance=Euclidean()), "equal steps"))
    'TOMA(nDCG, distance=Euclidean, embedding="equal steps")'
    """

    def embedded(part: Value) -> Value:
        named = isinstance(part, TOMA) and isinstance(part.embedding, str)
        return part.with_(embedding=embedding) if named else part

    return mapped(value, embedded)


def _places(tuples: tuple[tuple[float, ...], ...], scales: list[Scale]) -> IntArray:
    """Return tuples of grades as indices on the scales.

    Raises InputError for a grade that is not on its scale, and for a tuple with too few or too many grades.
    """
    for listed in tuples:
        if len(listed) != len(scales):
            raise InputError(f"expected tuples of {len(scales)} grades, found one of {len(listed)}")
    table = np.array(tuples, dtype=float).reshape(-1, len(scales))
    for column, scale in zip(table.T, scales, strict=True):
        unknown = ~np.isin(column, scale.grades)
        if unknown.any():
            known = ", ".join(f"{grade:g}" for grade in scale.grades)
            raise InputError(f"expected grades of {scale.name} ({known}), found {column[unknown][0]:g}")
    return np.column_stack([label_places(column, scale) for column, scale in zip(table.T, scales, strict=True)])
