"""Which numbers of a measure can be varied on a collection, and between which ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from evalcore.data.structures import Assessments, Floats, Rankings, Scale
from evalcore.errors import DataError
from evalcore.measures.aggregates import Aggregate
from evalcore.measures.base import HasPoolAndRankings, Measure, as_measure
from evalcore.measures.gains import Arctan, Gain, has_border
from evalcore.measures.products import PRODUCT, Product
from evalcore.measures.toma import TOMA, Given
from evalcore.measures.urbp import uRBP2
from evalcore.measures.values import Range, Value
from evalcore.rounding import ceiling, less
from evalcore.sensitivity.paths import Leaf, implied, leaves

BORDERS = ("rel", "threshold", "at")
HIGHEST = ("max", "max_rel")
COUNTED = ("weights", "exponents", "importance")
UNREAD = (*HIGHEST, "rel", "gains")  # of the base of a Product: its gains are given to it
DEEPEST = 100  # a cut-off is offered down to here, or to where it stands now
FEW = 8  # labels whose positions are offered one by one


@dataclass(frozen=True)
class Parameter:
    """One number of a measure that can be varied: where it stands, its value, and its ends.

    `levels` are the only values that make a difference: whole numbers, or the grades between which a border can lie.
    `value` is None where the measure leaves the number open (a cut-off at no rank).
    """

    path: str
    value: float | None
    low: float
    high: float
    levels: tuple[float, ...] = ()
    help: str = ""

    def within(self, low: float, high: float) -> Parameter:
        """The same between narrower ends. Raises DataError where nothing is left between them."""
        levels = tuple(level for level in self.levels if low <= level <= high)
        if low > high or (self.levels and not levels):
            raise DataError(
                f"expected values between {self.low:g} and {self.high:g}, found {low:g} to {high:g}", self.path
            )
        return Parameter(self.path, self.value, low, high, levels, self.help)

    def values(self, count: int) -> list[float]:
        """At most `count` values from end to end, evenly spaced.

        >>> Parameter("rho", 0.8, 0.0, 1.0).values(3)
        [0.0, 0.5, 1.0]
        >>> Parameter("cutoff", 10, 1, 100, tuple(range(1, 101))).values(4)
        [1, 34, 67, 100]
        """
        if len(self.levels) > count:
            places = np.linspace(0, len(self.levels) - 1, count).round().astype(int)
            return [self.levels[place] for place in places]
        spaced: list[float] = np.linspace(self.low, self.high, count).round(10).tolist()
        return list(self.levels) or spaced

    def round_values(self, most: int) -> list[float]:
        """Round values from end to end, at most `most` of them, and the present value among them.

        Steps are 1, 2 or 5 times a power of ten.

        >>> Parameter("rho", 0.85, 0.01, 0.99).round_values(5)
        [0.5, 0.85]
        >>> Parameter("rho", 0.8, 0.01, 0.99).round_values(12)
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
        """
        if self.levels or not self.low < self.high:
            return self.values(most)
        wanted = (self.high - self.low) / max(most - 2, 1)
        power = 10.0 ** math.floor(math.log10(wanted))
        step = next(times * power for times in (1, 2, 5, 10) if not less(times * power, wanted))
        first, last = ceiling(self.low / step), -ceiling(-self.high / step)
        own = [self.value] if self.value is not None and self.low <= self.value <= self.high else []
        spaced = [round(at * step, 10) for at in range(first, last + 1)]
        return sorted({*spaced, *own})

    def at(self, shares: Floats) -> Floats:
        """The values at shares of the way from end to end, in [0, 1]: every level has an equal part of it.

        >>> Parameter("rel", 1, 1, 2, (1, 2)).at(np.array([0.0, 0.49, 0.5, 1.0]))
        array([1., 1., 2., 2.])
        """
        if not self.levels:
            return self.low + (self.high - self.low) * shares
        places = np.minimum((shares * len(self.levels)).astype(int), len(self.levels) - 1)
        return np.asarray(np.array(self.levels, dtype=float)[places])


def parameters_of(measure: Measure | str, collection: HasPoolAndRankings) -> list[Parameter]:
    """Every number of a measure that can be varied on a collection, in the order of its fields.

    Ends come from the declared range; for a border, from the grades or values of its column; for a weight, from 0 to
    four times the largest; for entries that may not decrease, from half-way to their neighbours.

    >>> from evalcore.data.small import small_collection
    >>> import pandas as pd
    >>> c = small_collection(pd.DataFrame({"relevance": [0, 1, 2]}, index=["a", "b", "c"]), {"one": ["a", "b"]})
    >>> [(p.path, p.low, p.high, p.levels) for p in parameters_of("RBP(rho=0.5)", c)][:2]
    [('rho', 0.01, 0.99, ()), ('rel', 1.0, 2.0, (1.0, 2.0))]
    """
    return [one for one in _known(measure, collection) if one.low < one.high < math.inf]


def parameter_of(measure: Measure | str, path: str, collection: HasPoolAndRankings) -> Parameter:
    """The parameter at a path; its ends are infinite where nothing says how far it may go.

    Raises DataError where it is not there.
    """
    known = {one.path: one for one in _known(measure, collection)}
    if path not in known:
        raise DataError(f"expected one of its numbers ({', '.join(known) or 'none'}), found {path!r}", str(measure))
    return known[path]


def _known(measure: Measure | str, collection: HasPoolAndRankings) -> list[Parameter]:
    pool, rankings = collection.assessments, collection.rankings
    found = (_parameter(leaf, pool, rankings) for leaf in leaves(written_out(measure, collection)))
    return [one for one in found if one is not None]


def written_out(measure: Measure | str, collection: HasPoolAndRankings) -> Measure:
    """The same measure with what it reads as equal weights, as ones or as equal steps written out, ready to vary."""
    full: Measure = _full(as_measure(measure), collection.assessments)
    return full


def _full(value: Any, pool: Assessments) -> Any:
    if not isinstance(value, Value):
        return tuple(_full(one, pool) for one in value) if isinstance(value, tuple) else value
    inside = {name: _full(getattr(value, name), pool) for name in value.parameters()}
    changes: dict[str, Any] = {**inside, **implied(value)}
    if isinstance(value, TOMA):
        spread = value.with_(embedding={}).positions(pool)
        changes["embedding"] = {
            name: places
            for name, places in value.positions(pool).items()
            if len(places) <= FEW or places != spread[name]
        }
    return value.with_(**changes)


def _parameter(leaf: Leaf, pool: Assessments, rankings: Rankings) -> Parameter | None:
    owner, name = leaf.owner
    about = owner.parameters()[name].metadata
    if name == "tuples" or (name in UNREAD and _in_product(leaf)):
        return None
    if name == "embedding" and len(_entries(leaf)) > FEW:
        return None
    scale = _scale(leaf, pool) if name in (*BORDERS, *HIGHEST) else None
    value, levels = leaf.value, list[float]()
    if scale is not None and name in BORDERS:
        if value is None and name == "rel":
            value = _positive_from(leaf, scale, pool)
        elif value is None and has_border(scale):
            value = scale.border
        low, high, levels = _border_ends(owner, name, scale, pool)
    elif scale is not None:
        value, low, high = value or scale.high, scale.high, max(2 * scale.high, value or 0.0)
    elif name == "cutoff":
        deepest = max(min(int(rankings.length.max(initial=1)), DEEPEST), int(value or 1))
        low, high, levels = 1.0, float(deepest), [float(rank) for rank in range(1, deepest + 1)]
    else:
        low, high = _ends(leaf, about.get("range"))
    return Parameter(leaf.path, value, low, high, tuple(levels), about.get("help", ""))


def _ends(leaf: Leaf, declared: Range | None) -> tuple[float, float]:
    """The ends of a number that no column limits; infinite where it has neither ends nor a value to start from."""
    owner, name = leaf.owner
    entries = [one for one in _entries(leaf) if one is not None]
    if isinstance(owner, Given) or name == "embedding":
        return _between(entries, int(leaf.way[-1][1]), declared)
    allowed = declared or Range(0)
    low = allowed.low + (allowed.step or 0.01) * allowed.open_low
    high = allowed.high - (allowed.step or 0.01) * allowed.open_high
    if name in COUNTED and len(entries) < 2:  # one weight alone says nothing
        return entries[0], entries[0]
    if name in COUNTED:
        return max(low, 0.0), min(high, 4 * max(entries, default=1.0) or 1.0)
    if math.isfinite(low) and not math.isfinite(high) and leaf.value is not None:
        high = max(low + 1.0, 4 * leaf.value)
    return low, high


def _entries(leaf: Leaf) -> list[Any]:
    """The numbers that stand beside this one in its list or table."""
    node, _ = leaf.way[-1]
    if isinstance(node, Value):
        return [leaf.value]
    return list(node.values()) if isinstance(node, Mapping) else list(node)


def _between(entries: Sequence[float], at: int, declared: Range | None) -> tuple[float, float]:
    """Half-way to the neighbours of an entry, so that entries varied together never change places."""
    gaps = [(after - before) / 2 for before, after in pairwise(entries)] or [0.0]
    low, high = entries[at] - gaps[max(at - 1, 0)], entries[at] + gaps[min(at, len(gaps) - 1)]
    return max(low, declared.low if declared else -math.inf), high


def _border_ends(owner: Value, name: str, scale: Scale, pool: Assessments) -> tuple[float, float, list[float]]:
    """From the lowest value of the column to the highest; a step between few grades lies at one of the upper ones."""
    smooth = isinstance(owner, Arctan | uRBP2) and name != "rel"
    if not scale.continuous and not smooth:
        lowest = scale.zero if name == "rel" and scale.good == "high" else scale.low
        upper = [grade for grade in scale.grades if grade > lowest] or [scale.high]
        return upper[0], upper[-1], upper
    values = pool.column(scale.name) if scale.name in pool.scales else np.array(scale.grades, dtype=float)
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max()), []) if len(values) else (0.0, 0.0, [])


def _in_product(leaf: Leaf) -> bool:
    return any(isinstance(node, Product) and step == "base" for node, step in leaf.way)


def _scale(leaf: Leaf, pool: Assessments) -> Scale | None:
    """The scale that a border or a highest grade is read on."""
    for node, step in leaf.way:
        if isinstance(node, TOMA) and step == "base":
            return Scale("weight", grades=_unique(node.weights.of(node.order(pool))))
        if isinstance(node, Aggregate) and step == "base" and not isinstance(node.base, tuple):
            return Scale("any", grades=_unique(grade for name in node.aspects for grade in pool.scale(name).grades))
        if isinstance(node, Product) and step == "f":
            return PRODUCT
    owner, name = leaf.owner
    column = getattr(owner, "relevance", None) if name == "rel" else None
    return pool.scales.get(column or _column(leaf) or "")


def _positive_from(leaf: Leaf, scale: Scale, pool: Assessments) -> float | None:
    """The border that stands for none at all; None where aspects scored one by one have different ones."""
    for node, step in leaf.way:
        if isinstance(node, Aggregate) and step == "base" and not isinstance(node.base, tuple):
            borders = {(pool.scale(name).good, pool.scale(name).positive_from) for name in node.aspects}
            return borders.pop()[1] if len(borders) == 1 else None
    return scale.positive_from


def _column(leaf: Leaf) -> str | None:
    """The column that the innermost measure or gain on the way reads."""
    for node, step in reversed(leaf.way):
        if isinstance(node, Mapping) and isinstance(node[step], Gain):
            return str(step)
        if aspect := getattr(node, "aspect", None):
            return str(aspect)
    return None


def _unique(grades: Iterable[float]) -> tuple[float, ...]:
    return tuple(sorted(set(map(float, grades))))
