"""Equality of computed numbers: one rule for all decisions.

Sums, quotients and solutions are exact except for their last bits, which depend on the order of the steps:
0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1. So if numbers decide something (the leader, an order, whether a limit is
reached), two numbers are equal if they differ by at most a tiny fraction of the larger one. In a sorted list only
neighbours are compared, so that equality is transitive. Facts that need no floats, such as probabilities of exactly 0
or 1, are decided exactly: from integers, from fractions as written, or from the possible outcomes.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import BoolArray, FloatArray

TIE = 1e-12
"""Relative tolerance within which sums, means, products and quotients of given numbers count as equal."""

SOLVED = 1e-9
"""Relative tolerance for solutions of equations; in sums of gains or distances, relative to the whole sum."""

JUST_BELOW_ONE = float(np.nextafter(1.0, 0.0))
"""The largest float below 1: an upper limit of the probability of an event that is not certain."""

LARGEST_DENOMINATOR = 1000  # largest denominator of a recognised fraction


def apart(ascending: FloatArray, share: float = TIE, whole: float | None = None) -> BoolArray:
    """Return an array (..., N - 1), true where one of the sorted numbers (..., N) differs from the one before.

    Two numbers differ if their distance exceeds `share` times the larger one or, for parts of a sum, times `whole`.

    >>> apart(np.array([0.3, 0.1 + 0.2, 0.4])).tolist()
    [False, True]
    """
    before, after = ascending[..., :-1], ascending[..., 1:]
    with np.errstate(invalid="ignore"):  # inf - inf is nan, so two infinities are equal
        gap = after - before
        larger = np.maximum(np.abs(before), np.abs(after)) if whole is None else whole
        return np.asarray((gap > share * larger) | np.isinf(gap))


def distinct(ascending: FloatArray, share: float = TIE, whole: float | None = None) -> FloatArray:
    """Return the first of each run of equal numbers in a sorted array.

    >>> distinct(np.array([0.3, 0.1 + 0.2, 0.4])).tolist()
    [0.3, 0.4]
    """
    return np.asarray(ascending[np.append(True, apart(ascending, share, whole))[: len(ascending)]])


def ordinals(values: FloatArray, share: float = TIE) -> NDArray[np.intp]:
    """Return the (N,) index of each number among the distinct ones, from 0 for the least; equal numbers share one.

    >>> ordinals(np.array([0.4, 0.1 + 0.2, 0.3])).tolist()
    [1, 0, 0]
    """
    order = np.argsort(values, kind="stable")
    places = np.zeros(len(values), dtype=np.intp)
    places[order[1:]] = np.cumsum(apart(values[order], share))
    return places


def falling(values: FloatArray, share: float = TIE) -> NDArray[np.intp]:
    """Return the (N,) indices that sort numbers descending; equal numbers keep their order, nan is last.

    >>> falling(np.array([0.3, 0.1 + 0.2, np.nan, 0.4])).tolist()
    [3, 0, 1, 2]
    """
    return np.argsort(np.where(np.isnan(values), 1, -ordinals(values, share)), kind="stable")


def merged(values: FloatArray, share: float = TIE) -> FloatArray:
    """Return N numbers, each replaced by the least number equal to it, so that equal numbers become identical.

    >>> merged(np.array([0.1 + 0.2, 0.4, 0.3])).tolist()
    [0.3, 0.4, 0.3]
    """
    distinct, place = np.unique(values, return_inverse=True)
    first = np.append(True, apart(distinct, share))[: len(distinct)]
    return np.asarray(distinct[first][np.cumsum(first)[place] - 1])


def first_largest(values: FloatArray, share: float = TIE) -> NDArray[np.intp]:
    """Return the index (...) of the largest of the numbers (..., N); if several are equal, of the first.

    >>> int(first_largest(np.array([0.1, 0.3, 0.1 + 0.2])))
    1
    """
    largest = values.max(axis=-1, keepdims=True)
    return np.asarray((~less(values, largest, share)).argmax(axis=-1))


def less(value: Any, limit: Any, share: float = TIE) -> Any:
    """Return whether a value is below a limit, and not equal to it under the rule of this module.

    >>> bool(less(0.1 * 3, 0.3)), bool(less(3 * 0.0001, 0.0003)), bool(less(0.2, 0.3))
    (False, False, True)
    """
    limit = np.asarray(limit)
    return np.asarray(value) < limit * (1 - share * np.sign(limit))


def difference(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return x - y: 0 if x and y are equal under the rule of this module, but nan for two equal infinities.

    >>> difference(np.array([0.1 + 0.2, 0.5]), np.array([0.3, 0.25])).tolist()
    [0.0, 0.25]
    """
    with np.errstate(invalid="ignore"):
        result = np.asarray(x - y)
        small = np.abs(result) <= TIE * np.maximum(np.abs(x), np.abs(y))
        result[small & np.isfinite(result)] = 0.0
    return result


def ceiling(value: float) -> int:
    """Return the least integer not below a number; an error in the last bits of the number is ignored.

    >>> ceiling(0.55 * 100), ceiling(2.1)  # 55.00000000000001
    (55, 3)
    """
    nearest = round(value)
    return nearest if abs(value - nearest) <= TIE * abs(value) else math.ceil(value)


def floors(values: FloatArray) -> FloatArray:
    """Return the largest integer not above each number; errors in the last bits are ignored.

    >>> floors(np.array([0.3 / 0.1, 2.9])).tolist()  # 2.9999999999999996
    [3.0, 2.0]
    """
    nearest = np.round(values)
    return np.asarray(np.where(np.abs(values - nearest) <= TIE * np.abs(values), nearest, np.floor(values)))


def as_written(value: float) -> Fraction:
    """Return a float as the fraction that was meant: a decimal as written, or a quotient of small integers.

    0.1 is one tenth. A number equal to a fraction with a denominator of at most 1,000 is that fraction:
    0.3333333333333333 is a third, and 0.1 + 0.2 three tenths.

    >>> as_written(0.1), as_written(1 / 3), as_written(0.1 + 0.2), as_written(0.12345)
    (Fraction(1, 10), Fraction(1, 3), Fraction(3, 10), Fraction(2469, 20000))
    """
    written = Fraction(repr(float(value)))
    simple = written.limit_denominator(LARGEST_DENOMINATOR)
    return simple if abs(written - simple) <= Fraction(TIE) * abs(written) else written


def percent(share: float) -> str:
    """Return a share as a percentage, for a sentence; only exact 0 and 1 appear as 0% and 100%.

    >>> percent(0.8349), percent(0.001), percent(0.999), percent(1.0)
    ('83%', 'under 1%', 'over 99%', '100%')
    """
    if 0 < share < 0.01:
        return "under 1%"
    if 0.99 < share < 1 - TIE:
        return "over 99%"
    return f"{100 * share:.0f}%"
