"""Numbers that can be varied in a measure on a collection, and their ranges; choices are in the module `choices`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from evalcore.common.rounding import ceiling, less
from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure, HasPoolAndRankings, Measure, as_measure, assessments_of
from evalcore.measures.parts.gains import Gain, has_border
from evalcore.measures.paths import Leaf, leaves
from evalcore.measures.toma import FEW
from evalcore.notation.display_names import reading_name, reading_path
from evalcore.notation.values import Range, Role, Value, mapped, written
from evalcore.structures.documents import Assessments, Rankings, Scale

DEEPEST = 100  # deepest offered cut-off, unless the present one is deeper


@dataclass(frozen=True)
class Parameter:
    """A number or a choice that can be varied in a measure: its path, its value, and its range.

    `levels`, if any, are the only values to try: whole numbers, or the grades that a threshold can have. `value` is
    None if the measure leaves the number unset (no cut-off). A choice (a distance, a base) has `options`; its value,
    ends and levels are their indices: 0, 1, ...
    """

    path: str
    value: float | None
    low: float
    high: float
    levels: tuple[float, ...] = ()
    help: str = ""
    options: tuple[Any, ...] = ()
    weighs: str = ""  # aspect or part whose weight it is

    @property
    def reading(self) -> str:
        """The name under which the parameter is shown to readers.

        >>> Parameter("base.rho", 0.8, 0, 1).reading, Parameter("weights[0]", 1, 0, 4, weighs="relevance").reading
        ('base.ρ', 'weight of relevance')
        """
        return f"weight of {self.weighs}" if self.weighs else reading_path(self.path)

    def within(self, low: float, high: float) -> Parameter:
        """Return the parameter with a narrower range. Raises InputError if no value is left in it."""
        levels = tuple(level for level in self.levels if low <= level <= high)
        if low > high or (self.levels and not levels):
            raise InputError(f"expected values of {self.low:g} to {self.high:g}, found {low:g} to {high:g}", self.path)
        return replace(self, low=low, high=high, levels=levels)

    def setting(self, value: float) -> Any:
        """Return the setting at a value: the number itself, or the option with that index."""
        return self.options[int(value)] if self.options else value

    def name(self, value: float) -> str:
        """Return a value as text for readers.

        >>> Parameter("rho", 0.8, 0.01, 0.99).name(0.5), Parameter("d", 0, 0, 1, (0, 1), "", ("x", "y")).name(1)
        ('0.5', 'y')
        """
        if not self.options:
            return f"{value:.6g}"
        option = self.options[int(value)]
        return written(option, pairs=True) if isinstance(option, tuple) else str(option)

    @property
    def names(self) -> dict[float, str] | None:
        """A dict from the values of a choice to the names of its options; None for a number."""
        return {value: self.name(value) for value in self.levels} if self.options else None

    def values(self, count: int) -> list[float]:
        """Return at most `count` evenly spaced values over the range, including both ends.

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
        """Return at most `most` values within the range: round values, and the present value.

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


def parameters_of(measure: Measure | str, collection: HasPoolAndRankings) -> list[Parameter]:
    """Return every number that can be varied in a measure on a collection, in the order of the measure's fields.

    The ends are those of the declared range; for a threshold, those of the grades or values of its column; for a
    weight, 0 and four times the largest weight; for entries that must not decrease, half-way to their neighbours.

    >>> from evalcore.data.small_collections import small_collection
    >>> import pandas as pd
    >>> c = small_collection(pd.DataFrame({"relevance": [0, 1, 2]}, index=["a", "b", "c"]), {"one": ["a", "b"]})
    >>> [(p.path, p.low, p.high, p.levels) for p in parameters_of("RBP(rho=0.5)", c)][:2]
    [('rho', 0.01, 0.99, ()), ('rel', 1.0, 2.0, (1.0, 2.0))]
    """
    return [number for number in numbers_of(measure, collection) if number.low < number.high < math.inf]


def numbers_of(measure: Measure | str, collection: HasPoolAndRankings) -> list[Parameter]:
    """Return every number of a measure that has an effect and is not fixed.

    Numbers with an empty or infinite range are included.
    """
    pool, rankings = assessments_of(collection), collection.rankings
    parameters = (_parameter(leaf, pool, rankings) for leaf in leaves(written_out(measure, collection)))
    return [parameter for parameter in parameters if parameter is not None]


def written_out(measure: Measure | str, collection: HasPoolAndRankings) -> Measure:
    """Return the measure with defaults such as equal weights or equal steps written out, so that they can be varied."""
    pool = assessments_of(collection)
    full: Measure = mapped(as_measure(measure, pool), lambda value: value.with_(**value.written_out(pool)))
    return full


def _parameter(leaf: Leaf, pool: Assessments, rankings: Rankings) -> Parameter | None:
    owner, name = leaf.owner
    about = owner.parameters()[name].metadata
    role, value, levels = about.get("role"), leaf.value, list[float]()
    if role == "fixed" or _is_unread(leaf) or (role == "position" and len(_entries(leaf)) > FEW):
        return None
    scales = _scales(leaf, role, pool)
    scale = _merged(scales)
    if scale is not None and role in ("border", "lowest positive"):
        if value is None and role == "lowest positive":
            value = _positive_from(scales)
        elif value is None and has_border(scale):
            value = scale.border
        low, high, levels = _border_ends(owner, role, scale, pool)
    elif scale is not None and role == "highest grade":
        value, low, high = value or scale.high, scale.high, max(2 * scale.high, value or 0.0)
    elif name == "cutoff":
        deepest = max(min(int(rankings.length.max(initial=1)), DEEPEST), int(value or 1))
        low, high, levels = 1.0, float(deepest), [float(rank) for rank in range(1, deepest + 1)]
    else:
        low, high = _ends(leaf, role, about.get("range"))
    return Parameter(leaf.path, value, low, high, tuple(levels), about.get("help", ""), weighs=_weighed(leaf, role))


def _weighed(leaf: Leaf, role: Role | None) -> str:
    """Return the name of the aspect or part whose weight a number is; "" if the number is not such a weight."""
    names: Sequence[Any] = getattr(leaf.owner[0], "part_names", ())
    place = leaf.way[-1][1]
    if role == "weight" and isinstance(place, int) and place < len(names):
        return reading_name(names[place])
    return ""


def _ends(leaf: Leaf, role: Role | None, declared: Range | None) -> tuple[float, float]:
    """Return the ends (low, high) of the range of a number that does not depend on a column.

    An end is infinite if neither the declared range nor the present value limits the number.
    """
    entries = [entry for entry in _entries(leaf) if entry is not None]
    if role in ("rising", "position"):
        return _between(entries, int(leaf.way[-1][1]), declared)
    allowed = declared or Range(0)
    low = allowed.low + (allowed.step or 0.01) * allowed.open_low
    high = allowed.high - (allowed.step or 0.01) * allowed.open_high
    if role == "weight" and len(entries) < 2:  # a single weight has no effect
        return entries[0], entries[0]
    if role == "weight":
        return max(low, 0.0), min(high, 4 * max(entries, default=1.0) or 1.0)
    if math.isfinite(low) and not math.isfinite(high) and leaf.value is not None:
        high = max(low + 1.0, 4 * leaf.value)
    return low, high


def _entries(leaf: Leaf) -> list[Any]:
    """Return all numbers of the list or table that contains the leaf."""
    node, _ = leaf.way[-1]
    if isinstance(node, Value):
        return [leaf.value]
    return list(node.values()) if isinstance(node, Mapping) else list(node)


def _between(entries: Sequence[float], at: int, declared: Range | None) -> tuple[float, float]:
    """Return the midpoints between an entry and its neighbours, so that entries varied together never swap."""
    gaps = [(after - before) / 2 for before, after in pairwise(entries)] or [0.0]
    low, high = entries[at] - gaps[max(at - 1, 0)], entries[at] + gaps[min(at, len(gaps) - 1)]
    return max(low, declared.low if declared else -math.inf), high


def _border_ends(owner: Value, role: Role, scale: Scale, pool: Assessments) -> tuple[float, float, list[float]]:
    """Return the lowest and highest value of a threshold, and the levels that it can have.

    The levels are the upper grades. A signal, and the threshold of a smooth gain, have no levels ([]); their lowest
    and highest value are those of the column.
    """
    positive = role == "lowest positive"
    if not scale.continuous and (positive or not _is_smooth(owner)):
        lowest = scale.zero if positive and scale.good == "high" else scale.low
        upper = [grade for grade in scale.grades if grade > lowest] or [scale.high]
        return upper[0], upper[-1], upper
    values = pool.column(scale.name) if pool.find(scale.name) else np.array(scale.grades, dtype=float)
    values = values[np.isfinite(values)]
    return (float(values.min()), float(values.max()), []) if len(values) else (0.0, 0.0, [])


def _is_smooth(owner: Value) -> bool:
    """Return whether a gain is smooth, so that its threshold may lie anywhere between two grades."""
    if isinstance(owner, GainMeasure):
        return any(gain.smooth for gain in owner.gain_functions().values())
    return isinstance(owner, Gain) and owner.smooth


def _is_unread(leaf: Leaf) -> bool:
    """Return whether a measure that contains this number declares that the number has no effect in it."""
    _, name = leaf.owner
    return any(isinstance(node, Measure) and name in node.unread.get(str(step), ()) for node, step in leaf.way)


def _scales(leaf: Leaf, role: Role | None, pool: Assessments) -> tuple[Scale, ...]:
    """Return the scales of a threshold or a highest grade; there are several if a base scores aspects in turn."""
    if role not in ("border", "lowest positive", "highest grade"):
        return ()
    for node, step in leaf.way:
        if isinstance(node, Measure) and (scales := node.scales_of(str(step), pool)):
            return scales
    owner, _ = leaf.owner
    column = getattr(owner, "relevance", None) if role == "lowest positive" else None
    scale = pool.find(column or _column(leaf) or "")
    return () if scale is None else (scale,)


def _merged(scales: Sequence[Scale]) -> Scale | None:
    """Return one scale with the grades of all these scales; None if there are no scales."""
    if len(scales) > 1:
        return Scale("any", grades=tuple(sorted({float(grade) for scale in scales for grade in scale.grades})))
    return scales[0] if scales else None


def _positive_from(scales: Sequence[Scale]) -> float | None:
    """Return the default threshold; None if aspects that are scored one by one have different defaults."""
    borders = {(scale.good, scale.positive_from) for scale in scales}
    return borders.pop()[1] if len(borders) == 1 else None


def _column(leaf: Leaf) -> str | None:
    """Return the column read by the innermost measure or gain that contains this leaf; None if there is none."""
    for node, step in reversed(leaf.way):
        if isinstance(node, Mapping) and isinstance(node[step], Gain):
            return str(step)
        if aspect := getattr(node, "aspect", None):
            return str(aspect)
    return None
