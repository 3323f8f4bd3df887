"""Gain functions: a column of grades or a signal -> the gain of a document, in [0, 1] unless stated otherwise.

A missing value (not assessed) is worth 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import floors
from evalcore.errors import InputError
from evalcore.notation.formula import Formula, number
from evalcore.notation.values import Range, Value, parameter
from evalcore.structures.documents import Scale

UNIT = Range(0, 1)
ABOVE_ZERO = Range(0, math.inf, open_low=True, open_high=True)
LARGEST_POWER = 1000.0  # exponent of 2 that is well within the range of floats


def highest_grade_parameter() -> Any:
    """Return the dataclass field for the highest grade."""
    help = "highest grade; default: the highest of the scale"
    return parameter(None, help, within=ABOVE_ZERO, role="highest grade")


@dataclass(frozen=True)
class Gain(Value, abstract=True):
    """A gain function: `of` maps values on a scale to gains, `latex` writes the formula for a symbol."""

    smooth: ClassVar[bool] = False  # true if moving a threshold between two grades changes the gains

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        """Return the gain of each value."""
        gains = np.asarray(self.formula(scale)(x=values, **self._constants(scale)), dtype=float)
        return np.where(np.isnan(values), 0.0, gains)

    def latex(self, symbol: str, scale: Scale) -> str:
        """Return the formula, with `symbol` for the value of a document."""
        text = self.formula(scale).latex(x=symbol, **self._shown(scale))
        return text if text == symbol or text.startswith(r"\left") else rf"\left({text}\right)"

    def formula(self, scale: Scale) -> Formula:
        raise NotImplementedError

    def needs_whole_pool(self, scale: Scale) -> bool:
        """Return whether the gain of a value depends on the other values of its column."""
        return False

    def _constants(self, scale: Scale) -> dict[str, Any]:
        """Map the name of each constant of the formula to its value."""
        return self.arguments()

    def _shown(self, scale: Scale) -> dict[str, Any]:
        """Map the name of each constant to its value or, if it is unknown, to a symbol in LaTeX."""
        return self._constants(scale)


@dataclass(frozen=True)
class GradeGain(Gain, abstract=True):
    """A gain that grows with x: the grade, or the highest grade minus the grade if low is good.

    A grade below 0 is worth 0.
    """

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        points = values if scale.good == "high" else self._highest(scale) - values
        return super().of(np.maximum(points, 0.0), scale)

    def latex(self, symbol: str, scale: Scale) -> str:
        highest = number(scale.high) if scale.high > 0 else r"\max"
        return super().latex(symbol if scale.good == "high" else rf"\left({highest} - {symbol}\right)", scale)

    def _highest(self, scale: Scale) -> float:
        if not scale.grades:
            which = f"the signal {scale.name}" + (", where low is good" if scale.good == "low" else "")
            raise InputError(f"expected an aspect with grades, found {which}", str(self))
        return scale.high

    def _most(self, scale: Scale) -> float:
        """Return the largest gain on a scale."""
        return self._highest(scale) - (min(scale.low, 0.0) if scale.good == "low" else 0.0)


@dataclass(frozen=True)
class Grade(GradeGain):
    """x, the grade itself, unbounded, as in nDCG with linear gain.

    >>> Grade().of(np.array([2.0, np.nan, -1.0]), Scale("relevance"))
    array([2., 0., 0.])
    """

    def formula(self, scale: Scale) -> Formula:
        return Formula("x")


@dataclass(frozen=True)
class GradeIfPositive(Grade):
    """x, the grade itself, if the label is positive (see `Positive`), else 0: the gain of relevant documents in Q.

    >>> GradeIfPositive().of(np.array([1.0, 2.0, 5.0]), Scale("relevance", grades=(1, 2, 3, 4, 5)))
    array([0., 2., 5.])
    """

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        return super().of(values, scale) * (Positive().of(values, scale) > 0)

    def latex(self, symbol: str, scale: Scale) -> str:
        grade = super().latex(symbol, scale)
        # if grades begin at 0 and no threshold is declared, exactly x > 0 is positive
        plain = scale.threshold is None and (scale.good == "low" or scale.zero == 0)
        return grade if plain else rf"{grade} \cdot {Positive().latex(symbol, scale)}"


@dataclass(frozen=True)
class Exponential(GradeGain):
    """2^x - 1, unbounded, as in nDCG with exponential gain (Burges et al. 2005).

    >>> Exponential().of(np.array([0.0, 1.0, 2.0]), Scale("relevance"))
    array([0., 1., 3.])
    """

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        """Return the gain of each value. Raises InputError for a grade whose power of 2 overflows."""
        points = values if scale.good == "high" else self._highest(scale) - values
        highest = np.nanmax(points, initial=0.0)
        if highest > LARGEST_POWER:
            expected = f"expected grades of at most {LARGEST_POWER:g}, as the gain is 2^x - 1"
            raise InputError(f"{expected}, found {highest:g} in {scale.name}", str(self))
        return super().of(values, scale)

    def formula(self, scale: Scale) -> Formula:
        return Formula("2 ** x - 1")


@dataclass(frozen=True)
class _ScaledGain(GradeGain, abstract=True):
    """A gain relative to the gain of the highest grade. Raises InputError for a grade above the highest."""

    max: float | None = highest_grade_parameter()

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        highest, found = self._constants(scale)["max"], np.nanmax(values, initial=0.0)
        if found > highest:
            raise InputError(f"expected grades of at most {highest:g} in {scale.name}, found {found:g}", str(self))
        return super().of(values, scale)

    def _constants(self, scale: Scale) -> dict[str, Any]:
        # On a scale whose only grade is 0, any highest grade gives the same gains.
        return {"max": self.max or max(self._most(scale), 0.0) or 1.0}

    def _shown(self, scale: Scale) -> dict[str, Any]:
        return {"max": self.max or (scale.high if scale.high > 0 else r"\max")}


@dataclass(frozen=True)
class Probability(_ScaledGain):
    """(2^x - 1) / 2^max: the probability that this grade satisfies a reader (Chapelle et al. 2009, for ERR).

    >>> Probability().of(np.array([0.0, 1.0, 2.0]), Scale("relevance", grades=(0, 1, 2)))
    array([0.  , 0.25, 0.75])
    """

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        excess = self._constants(scale)["max"] - LARGEST_POWER
        if excess <= 0:
            return super().of(values, scale)
        # With thousands of grades (TOMA's classes), gains that underflow are practically 0 beside the highest.
        points = values if scale.good == "high" else self._highest(scale) - values
        return Probability(max=LARGEST_POWER).of(np.maximum(points - excess, 0.0), Scale(scale.name))

    def formula(self, scale: Scale) -> Formula:
        return Formula("(2 ** x - 1) / 2 ** max")


@dataclass(frozen=True)
class Share(_ScaledGain):
    """x / max: the grade as a share of the highest; with `min`, (x - min) / (max - min), and 0 below it.

    >>> Share().of(np.array([0.0, 1.0, 2.0]), Scale("relevance", grades=(0, 1, 2)))
    array([0. , 0.5, 1. ])
    >>> Share(max=3, min=1).of(np.array([0.0, 1.0, 2.0]), Scale("relevance"))
    array([0. , 0. , 0.5])
    """

    min: float = parameter(0.0, "highest grade with no gain")

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        return np.maximum(super().of(values, scale), 0.0)

    def formula(self, scale: Scale) -> Formula:
        return Formula("(x - min) / (max - min)" if self.min else "x / max")

    def _constants(self, scale: Scale) -> dict[str, Any]:
        known = super()._constants(scale)
        if known["max"] <= self.min:
            raise InputError(f"expected a highest grade above `min` ({self.min:g}), found {known['max']:g}", str(self))
        return {**known, "min": self.min}

    def _shown(self, scale: Scale) -> dict[str, Any]:
        return {**super()._shown(scale), "min": self.min}


@dataclass(frozen=True)
class Mapped(GradeGain):
    """The listed gain of a grade; for any other grade, the grade itself (as with `gains` of nDCG in ir_measures).

    >>> Mapped(gains={2: 5}).of(np.array([0.0, 1.0, 2.0]), Scale("relevance"))
    array([0., 1., 5.])
    """

    gains: Mapping[float, float] = parameter((), "gains of grades")

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        result = super().of(values, scale)
        for grade, gain in dict(self.gains).items():
            result[values == grade] = max(gain, 0.0)
        return result

    def formula(self, scale: Scale) -> Formula:
        return Formula("x")

    def latex(self, symbol: str, scale: Scale) -> str:
        named = ",\\ ".join(f"g({number(grade)}) = {number(gain)}" for grade, gain in dict(self.gains).items())
        return rf"g\left({symbol}\right)" + (rf",\ {named}" if named else "")


@dataclass(frozen=True)
class Step(Gain):
    """1 on the good side of a threshold, 0 on the bad side; the threshold itself belongs to the high side.

    High is good: x >= at. Low is good: x < at (Zuccon 2016, section 5.2, and its erratum). Without `at`,
    the scale's declared threshold is used, or else the first grade of its upper half.

    >>> Step(at=10).of(np.array([9.0, 10.0]), Scale("fog", good="low"))
    array([1., 0.])
    """

    at: float | None = parameter(None, "threshold between bad and good values", role="border")

    def formula(self, scale: Scale) -> Formula:
        return Formula("x >= at" if scale.good == "high" else "x < at")

    def _constants(self, scale: Scale) -> dict[str, Any]:
        if self.at is None and not has_border(scale):
            raise InputError(f"expected a threshold for {scale.name}, which has no grades and no threshold", str(self))
        return {"at": scale.border if self.at is None else self.at}

    def _shown(self, scale: Scale) -> dict[str, Any]:
        return self._constants(scale) if self.at is not None or has_border(scale) else {"at": r"\theta"}


@dataclass(frozen=True)
class Positive(Gain):
    """1 if the label is positive, else 0. Labels above 0 are positive, unless the collection declares otherwise.

    On a declared scale of 1 to 5, labels above 1 are positive; if low grades are good, labels below the highest; with a
    declared threshold, labels on its good side.

    >>> Positive().of(np.array([-1.0, 0.0, 1.0, 2.0]), Scale("relevance"))
    array([0., 0., 1., 1.])
    """

    def formula(self, scale: Scale) -> Formula:
        if scale.threshold is not None:
            return Step().formula(scale)
        return Formula("x > at" if scale.good == "high" else "x < at")

    def _constants(self, scale: Scale) -> dict[str, Any]:
        if scale.good == "low" and not has_border(scale):
            problem = f"expected rel, the threshold of positive values, as {scale.name} has no grades and no threshold"
            raise InputError(problem, str(self))
        return {"at": scale.zero if scale.threshold is None else scale.threshold}

    def _shown(self, scale: Scale) -> dict[str, Any]:
        return self._constants(scale) if scale.good == "high" or has_border(scale) else {"at": r"\max"}


def relevant(rel: float | None) -> Gain:
    """Return the gain that is 1 if the grade is at least `rel`, else 0; without `rel`, 1 if the label is positive."""
    return Positive() if rel is None else Step(at=rel)


def rel_parameter() -> Any:
    """Return the dataclass field `rel` of a measure with binary relevance."""
    help = "lowest grade that counts as relevant; default: any grade above 0 (or as the scale declares)"
    return parameter(None, help, role="lowest positive")


@dataclass(frozen=True)
class Arctan(Gain):
    """A smooth step around the threshold: 1/2 - arctan(x - at) / pi if low is good (Zuccon 2016, Eq. 7).

    If high is good, the sign is reversed. The formula is as printed, not normalised (erratum of Zuccon 2016, Eq. 7).

    >>> Arctan(at=15).of(np.array([15.0]), Scale("fog", good="low"))
    array([0.5])
    """

    at: float = parameter(15.0, "threshold, at which the gain is one half", role="border")
    smooth: ClassVar[bool] = True

    def formula(self, scale: Scale) -> Formula:
        return Formula("1 / 2 + arctan(x - at) / pi" if scale.good == "high" else "1 / 2 - arctan(x - at) / pi")


@dataclass(frozen=True)
class Table(Gain):
    """One gain per grade, from the worst grade to the best (Zuccon 2016, section 4.1: 0, .4, .8, 1).

    A scale with too many grades to list counts as continuous and is cut into bands of equal width; a value between
    two bands belongs to the upper one. Raises InputError if the numbers of gains and grades differ.

    >>> Table([0, 0.4, 0.8, 1]).of(np.array([3.0, 1.0]), Scale("understandability", grades=(0, 1, 2, 3)))
    array([1. , 0.4])
    """

    gains: tuple[float, ...] = parameter((0.0, 0.4, 0.8, 1.0), "one gain per grade, worst to best", within=UNIT)

    def needs_whole_pool(self, scale: Scale) -> bool:
        """Return whether the column is a signal, whose bands depend on its lowest and highest value."""
        return scale.kind == "signal"

    def of(self, values: FloatArray, scale: Scale) -> FloatArray:
        levels = self._levels(values, scale)
        table = np.asarray(self.gains if scale.good == "high" else self.gains[::-1], dtype=float)
        return np.where(np.isnan(values), 0.0, table[np.where(np.isnan(values), 0, levels).astype(int)])

    def latex(self, symbol: str, scale: Scale) -> str:
        return rf"g\left({symbol}\right),\ g = ({', '.join(f'{gain:g}' for gain in self.gains)})"

    def _levels(self, values: FloatArray, scale: Scale) -> FloatArray:
        if scale.continuous:
            low, high = np.nanmin(values, initial=scale.low), np.nanmax(values, initial=scale.high)
            width = (high - low or 1.0) / len(self.gains)
            return np.minimum(floors((values - low) / width), len(self.gains) - 1)
        if len(scale.grades) != len(self.gains):
            grades = ", ".join(f"{grade:g}" for grade in scale.grades)
            problem = f"expected one gain for each grade of {scale.name} ({grades}), found {len(self.gains)} gains"
            last = max(len(scale.grades) - 1, 1)
            steps = replace(self, gains=tuple(round(at / last, 4) for at in range(len(scale.grades))))
            proposed = str(steps).removeprefix("Table(").removesuffix(")")
            raise InputError(f"{problem}; equal steps are {proposed}", str(self))
        levels = np.searchsorted(scale.grades, values)
        strange = np.asarray(scale.grades)[np.minimum(levels, len(scale.grades) - 1)] != values
        if (strange & ~np.isnan(values)).any():
            found = values[strange & ~np.isnan(values)][0]
            grades = ", ".join(f"{grade:g}" for grade in scale.grades)
            raise InputError(f"expected a grade of {scale.name} ({grades}), found {found:g}", str(self))
        return levels.astype(float)


def has_border(scale: Scale) -> bool:
    """Return whether a scale declares a threshold, or has grades that imply one."""
    return bool(scale.grades) or scale.threshold is not None
