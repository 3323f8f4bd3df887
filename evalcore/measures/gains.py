"""Gain functions: a column of grades or a signal -> what a document is worth, in [0, 1] unless said otherwise.

A missing value (not assessed) is worth 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.data.structures import Floats, Scale
from evalcore.errors import DataError
from evalcore.measures.formula import Formula
from evalcore.measures.values import Range, Value, parameter

UNIT = Range(0, 1)


@dataclass(frozen=True)
class Gain(Value, abstract=True):
    """What all gain functions share: `of` values on a scale, and the same as LaTeX for a document symbol."""

    def of(self, values: Floats, scale: Scale) -> Floats:
        """The gain of each value."""
        gains = np.asarray(self.formula(scale)(x=values, **self._constants(scale)), dtype=float)
        return np.where(np.isnan(values), 0.0, gains)

    def latex(self, symbol: str, scale: Scale) -> str:
        """The formula, with `symbol` for the value of a document."""
        text = self.formula(scale).latex(x=symbol, **self._constants(scale))
        return text if text.startswith(r"\left") else rf"\left({text}\right)"

    def formula(self, scale: Scale) -> Formula:
        raise NotImplementedError

    def _constants(self, scale: Scale) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class Grade(Gain):
    """The grade itself, unbounded: what nDCG with linear gain reads. Grades below 0 are worth 0.

    >>> Grade().of(np.array([2.0, np.nan, -1.0]), Scale("relevance"))
    array([2., 0., 0.])
    """

    def formula(self, scale: Scale) -> Formula:
        return Formula("where(x > 0, x, 0)")

    def latex(self, symbol: str, scale: Scale) -> str:
        return symbol


@dataclass(frozen=True)
class Step(Gain):
    """1 on the good side of a border, 0 on the other; the border itself is on the high side.

    High is good: x >= at. Low is good: x < at (Zuccon 2016, section 5.2; the strict side by ERRATA 7). Without `at`, the
    border that the scale declares, else the first grade of its upper half.

    >>> Step(at=10).of(np.array([9.0, 10.0]), Scale("fog", good="low"))
    array([1., 0.])
    """

    at: float | None = parameter(None, "border of the good side")

    def formula(self, scale: Scale) -> Formula:
        return Formula("x >= at" if scale.good == "high" else "x < at")

    def _constants(self, scale: Scale) -> dict[str, Any]:
        declared = scale.border if scale.grades or scale.threshold is not None else "th"
        return {"at": declared if self.at is None else self.at}


@dataclass(frozen=True)
class Arctan(Gain):
    """A step smoothed around the border: 1/2 - arctan(x - at) / pi where low is good (Zuccon 2016, Eq. 7).

    Where high is good the sign turns. As printed, not normalised (ERRATA 8).

    >>> Arctan(at=15).of(np.array([15.0]), Scale("fog", good="low"))
    array([0.5])
    """

    at: float = parameter(15.0, "border, where the gain is one half")

    def formula(self, scale: Scale) -> Formula:
        return Formula("1 / 2 + arctan(x - at) / pi" if scale.good == "high" else "1 / 2 - arctan(x - at) / pi")

    def _constants(self, scale: Scale) -> dict[str, Any]:
        return {"at": self.at}


@dataclass(frozen=True)
class Table(Gain):
    """One gain per grade, from the worst grade to the best (Zuccon 2016, section 4.1: 0, .4, .8, 1).

    A scale of so many grades that it is continuous is cut into bands of equal width. Raises DataError where the number
    of gains is not the number of grades.

    >>> Table([0, 0.4, 0.8, 1]).of(np.array([3.0, 1.0]), Scale("understandability", grades=(0, 1, 2, 3)))
    array([1. , 0.4])
    """

    gains: tuple[float, ...] = parameter((0.0, 0.4, 0.8, 1.0), "one gain per grade, worst to best", within=UNIT)

    def of(self, values: Floats, scale: Scale) -> Floats:
        levels = self._levels(values, scale)
        table = np.asarray(self.gains if scale.good == "high" else self.gains[::-1], dtype=float)
        return np.where(np.isnan(values), 0.0, table[np.where(np.isnan(values), 0, levels).astype(int)])

    def latex(self, symbol: str, scale: Scale) -> str:
        return rf"g\left({symbol}\right),\ g = ({', '.join(f'{gain:g}' for gain in self.gains)})"

    def _levels(self, values: Floats, scale: Scale) -> Floats:
        if scale.continuous:
            low, high = np.nanmin(values, initial=scale.low), np.nanmax(values, initial=scale.high)
            width = (high - low or 1.0) / len(self.gains)
            return np.minimum(np.floor((values - low) / width), len(self.gains) - 1)
        if len(scale.grades) != len(self.gains):
            grades = ", ".join(f"{grade:g}" for grade in scale.grades)
            problem = f"expected one gain for each grade of {scale.name} ({grades}), found {len(self.gains)} gains"
            raise DataError(problem, str(self))
        return np.searchsorted(scale.grades, values).astype(float)
