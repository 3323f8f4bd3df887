"""Orders of label tuples: a distance to the best tuple completes the partial order (Maistro et al. 2021).

A *tuple* holds one label per aspect, as its index on the scale: 0 for the worst label, the last index for the best.
Shapes: A aspects, U tuples, K classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.progress import checkpoint
from evalcore.common.rounding import SOLVED, as_written, distinct
from evalcore.errors import InputError
from evalcore.notation.values import Range, Value, parameter
from evalcore.structures.documents import Assessments, Scale

LARGEST = 1 << 62
MOST_ORDER = 100  # of a distance: beyond, only the largest gap counts
MOST_BITS = 1 << 13  # of a power that is computed exactly; the common unit of powers has at most twice as many bits
MOST_TOTALS = 2_000_000  # sums of gaps that are held at once, each in 80 bytes while they are compared
SAME = SOLVED  # distances that cannot be compared exactly are equal within this share of the largest


@dataclass(frozen=True)
class Distance(Value, abstract=True):
    """A distance of the Minkowski family: (sum over aspects of w_a * gap_a^p)^(1/p), or the largest w_a * gap_a."""

    @property
    def power(self) -> float:
        """The power p; infinity for the largest gap."""
        raise NotImplementedError

    def latex(self, gaps: Sequence[tuple[str, float]]) -> str:
        """Return the distance as LaTeX, from gaps (as LaTeX) and their weights.

        >>> Euclidean().latex([("a", 1), ("b", 2)])
        '\\\\sqrt{a^{2} + 2 \\\\cdot b^{2}}'
        """
        power = "" if self.power in (1, math.inf) else f"^{{{self.power:g}}}"
        terms = [
            rf"{weight:g} \cdot {gap}{power}" if weight != 1 else f"{gap}{power}" for gap, weight in gaps if weight
        ]
        if math.isinf(self.power):
            return rf"\max\left({', '.join(terms)}\right)"
        root = "" if self.power == 2 else f"[{self.power:g}]"
        return rf"\sqrt{root}{{{' + '.join(terms)}}}" if power else " + ".join(terms)


@dataclass(frozen=True)
class Euclidean(Distance):
    """The root of the sum of squared gaps; it separates most tuples."""

    power = 2.0


@dataclass(frozen=True)
class Manhattan(Distance):
    """The sum of the gaps."""

    power = 1.0


@dataclass(frozen=True)
class Chebyshev(Distance):
    """The largest gap: only the worst aspect counts."""

    power = math.inf


@dataclass(frozen=True)
class Minkowski(Distance):
    """The root of order p of the sum of gaps to the power p; p = 1 is Manhattan, 2 Euclidean, infinity Chebyshev."""

    order: float = parameter(3.0, f"the order p, at most {MOST_ORDER}", within=Range(1, step=0.5), shown=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.order > MOST_ORDER:  # not the end of the parameter's range, as sweeps go to that end
            problem = f"expected a number in [1, {MOST_ORDER}], found {self.order:g}"
            raise InputError(f"{problem}; use Chebyshev, the limit of large orders", "Minkowski(order=...)")

    @property
    def power(self) -> float:
        return self.order


@dataclass(frozen=True, eq=False)
class TupleOrder:
    """The classes of tuples with equal distances to the best tuple, worst (farthest) first.

    `costs` contain, for each aspect, the amount that each label adds to the distance (before the root): whole numbers
    if distances are compared exactly; floats if whole numbers would overflow or the order p is not a whole number.
    """

    aspects: tuple[str, ...]
    costs: tuple[NDArray[Any], ...]
    power: float
    unit: float  # distance of a cost of 1
    totals: NDArray[Any]  # (K,) cost of each class, descending

    @classmethod
    def of(
        cls,
        positions: Mapping[str, Sequence[float]],
        distance: Distance,
        importance: Mapping[str, float] | None = None,
        tuples: IntArray | None = None,
    ) -> TupleOrder:
        """Order the admissible `tuples` (U, A), by default all tuples, according to the positions of labels.

        Positions run from the worst label to the best and may not decrease; an aspect's gap is weighted by its
        importance (1 if not named). Raises InputError for decreasing positions, for a negative importance, if no
        importance is above 0, and for an empty set of tuples.
        """
        weights = _importances(positions, importance or {})
        gaps = [_gaps(name, places) for name, places in positions.items()]
        costs, unit = _costs(gaps, weights, distance.power)
        if tuples is None:
            totals = _all_totals(costs, distance.power)
        elif len(tuples):
            totals = np.unique(_totals(costs, tuples, distance.power))
        else:
            raise InputError("expected at least one admissible tuple of labels, found none")
        return cls(tuple(positions), tuple(costs), distance.power, unit, _apart(totals)[::-1])

    @property
    def n_classes(self) -> int:
        return len(self.totals)

    @cached_property
    def distances(self) -> FloatArray:
        """The (K,) distances of the classes from the best tuple, worst class first."""
        return self._root(self.totals)

    def distance_of(self, tuples: IntArray) -> FloatArray:
        """Return the (U,) distance of each tuple (U, A), admissible or not, from the best tuple."""
        return self._root(_totals(self.costs, tuples, self.power))

    def rank_of(self, tuples: IntArray) -> IntArray:
        """Return the (U,) class of each tuple (U, A), 1 the best. Raises InputError for an inadmissible tuple."""
        return self.n_classes - self.class_of(tuples)

    def _root(self, totals: NDArray[Any]) -> FloatArray:
        root = 1.0 if np.isinf(self.power) else 1.0 / self.power
        spread: FloatArray = (totals.astype(float) * self.unit) ** root
        return spread

    def class_of(self, tuples: IntArray) -> IntArray:
        """Return the (U,) class of each tuple (U, A), 0 the worst. Raises InputError for an inadmissible tuple."""
        totals = _totals(self.costs, tuples, self.power)
        ascending = self.totals[::-1]
        at = np.clip(np.searchsorted(ascending, totals), 0, len(ascending) - 1)
        if not np.issubdtype(ascending.dtype, np.integer):
            below = np.maximum(at - 1, 0)
            at = np.where(abs(ascending[below] - totals) < abs(ascending[at] - totals), below, at)
        near = abs(ascending[at] - totals) <= SAME * max(float(ascending[-1]), 1e-300)
        if not near.all():
            labels = ", ".join(map(str, tuples[int(np.argmin(near))].tolist()))
            raise InputError(f"expected admissible tuples of labels, found ({labels}) (positions on scales, from 0)")
        return len(ascending) - 1 - at


def label_places(values: FloatArray, scale: Scale) -> IntArray:
    """Return the index of each label on its scale, 0 for the worst; a missing label counts as the worst.

    Raises InputError for a signal.

    >>> label_places(np.array([2.0, 0.0, np.nan]), Scale("r", grades=(0, 1, 2), good="high"))
    array([2, 0, 0])
    """
    if not scale.grades:
        raise InputError(
            f"expected an aspect with grades, found the signal {scale.name}; make grades of it with cuts or shares"
        )
    places = np.searchsorted(scale.grades, np.where(np.isnan(values), scale.grades[0], values))
    if scale.good == "low":
        places = len(scale.grades) - 1 - places
    return np.where(np.isnan(values), 0, places)


def pool_tuples(pool: Assessments, aspects: Sequence[str]) -> IntArray:
    """Return the (P, A) tuples of the pool's documents, as indices on the scales."""
    return np.column_stack([label_places(pool.column(name), pool.scale(name)) for name in aspects])


def _importances(positions: Mapping[str, Sequence[float]], importance: Mapping[str, float]) -> list[Fraction]:
    for name, weight in importance.items():
        if name not in positions or weight < 0:
            known = ", ".join(positions)
            raise InputError(f"expected an importance of 0 or more for each of {known}, found {name!r}: {weight:g}")
    weights = [as_written(importance.get(name, 1.0)) for name in positions]
    if not any(weights):
        raise InputError("expected at least one aspect with an importance above 0, found none")
    return weights


def _gaps(name: str, places: Sequence[float]) -> list[Fraction]:
    """Return the distance of each label from the best as an exact fraction. Raises InputError if positions decrease."""
    exact = [as_written(place) for place in places]
    for at in range(1, len(exact)):
        if exact[at] < exact[at - 1]:
            raise InputError(
                f"expected positions of {name} that do not decrease from the worst label to the best, "
                f"found {places[at]:g} after {places[at - 1]:g}: a better label must not be farther from the best"
            )
    return [exact[-1] - place for place in exact]


def _costs(gaps: list[list[Fraction]], weights: list[Fraction], power: float) -> tuple[list[NDArray[Any]], float]:
    """Return the amount that each label adds to the distance, in whole multiples of a unit if possible, and the unit.

    Raises InputError if the largest total is 0 or infinite.
    """
    exponent = 1 if np.isinf(power) else power
    bits = max(max(gap.numerator, gap.denominator).bit_length() for row in gaps for gap in row)
    if float(exponent).is_integer() and exponent * bits <= MOST_BITS:
        raised = [[weight * gap ** int(exponent) for gap in row] for row, weight in zip(gaps, weights, strict=True)]
        common = _common(cost.denominator for row in raised for cost in row)
        whole = [[int(cost * common) for cost in row] for row in raised]
        if common and sum(max(row) for row in whole) < LARGEST:
            return [np.array(row, dtype=np.int64) for row in whole], 1 / common
    with np.errstate(over="ignore"):
        costs = [float(w) * np.array(row, dtype=float) ** exponent for row, w in zip(gaps, weights, strict=True)]
        if not 0 < sum(max(row) for row in costs) < math.inf:
            farthest = float(max(max(row) for row in gaps))
            raise InputError(f"expected gaps with finite powers above 0, found {farthest:g} to the power {exponent:g}")
    return costs, 1.0


def _common(denominators: Iterable[int]) -> int:
    """Return the least common multiple of these denominators; 0 if it is too large."""
    common = 1
    for denominator in denominators:
        common = lcm(common, denominator)
        if common.bit_length() > 2 * MOST_BITS:
            return 0
    return common


def _totals(costs: Sequence[NDArray[Any]], tuples: IntArray, power: float) -> NDArray[Any]:
    parts = [cost[tuples[:, at]] for at, cost in enumerate(costs)]
    total: NDArray[Any] = reduce(np.maximum if np.isinf(power) else np.add, parts)
    return total


def _all_totals(costs: Sequence[NDArray[Any]], power: float) -> NDArray[Any]:
    """Return the distinct totals of all combinations of labels, computed aspect by aspect, without a row per tuple.

    Raises InputError if there are too many totals for the memory.
    """
    joined = _largest if np.isinf(power) else _added
    totals: NDArray[Any] = np.unique(costs[0])
    for cost in costs[1:]:
        checkpoint()
        own = np.unique(cost)
        if len(totals) * len(own) > MOST_TOTALS:
            found = f"{len(totals) * len(own):,}: make fewer grades with cuts, or list the tuples"
            raise InputError(f"expected at most {MOST_TOTALS:,} sums of gaps to compare, found {found}")
        totals = joined(totals, own)
    return totals


def _largest(totals: NDArray[Any], own: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct maxima of all pairs with one number from each array, ascending."""
    return np.asarray(np.union1d(totals[totals >= own[0]], own[own >= totals[0]]))


def _added(totals: NDArray[Any], own: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct sums of all pairs with one number from each array, ascending."""
    sums = np.sort(np.add.outer(totals, own), axis=None)  # faster than np.unique, which hashes whole numbers
    return np.asarray(sums[np.append(True, sums[1:] != sums[:-1])])


def _apart(totals: NDArray[Any]) -> NDArray[Any]:
    """Return ascending totals without any that differs from the total before it only by rounding."""
    if np.issubdtype(totals.dtype, np.integer) or not len(totals):
        return totals
    return distinct(totals, SAME, max(float(totals[-1]), 1e-300))


def at_least_as_good(tuples: IntArray) -> BoolArray:
    """Return a (U, U) mask: true at [i, j] if tuple i is at least as good as tuple j on every aspect.

    Maistro et al. 2021, section 3.1.

    >>> at_least_as_good(np.array([[1, 0], [0, 1], [1, 1]])).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [1, 1, 1]]
    """
    return np.asarray(np.logical_and.reduce([column[:, None] >= column for column in tuples.T]))
