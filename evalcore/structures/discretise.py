"""Grades from continuous signals, by cut points or by shares of the documents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import SOLVED, as_written
from evalcore.errors import InputError

AT = " at "  # separates a signal's name and its cut points: "fog at 10, 15"


def reached(values: FloatArray, points: Sequence[float]) -> FloatArray:
    """Return the number of cut points that each value reaches (its grade); nan for nan.

    If two cut points are equal, no value gets the grade between them.

    For example, non-spamminess has cut points at 80 and 90 (Maistro et al. 2021, section 4.1): a value below 80 means
    spam, 80 to 89 fairly spam, and 90 or more not spam.

    >>> reached(np.array([79.0, 80.0, 90.0]), [80, 90])
    array([0., 1., 2.])
    """
    grades = np.searchsorted(np.asarray(points, dtype=float), values, side="right").astype(float)
    return np.where(np.isnan(values), np.nan, grades)


def points_of_shares(values: FloatArray, parts: Sequence[float]) -> tuple[float, ...]:
    """Return the cut points that give grades with these shares of the documents, lowest values first.

    Each point is the least value in a grade above the lowest; inf if the grade is empty. Example: popularity with the
    shares .85, .10, .05 (Maistro et al. 2021, section 4.1). Tied values get the grade of the first of them in sorted
    order, so shares are met as nearly as ties allow. A number of documents that ends in .5 is rounded to the even
    number. Raises InputError unless the shares are positive and sum to 1.

    >>> points_of_shares(np.array([3.0, 1.0, 2.0, 4.0]), [0.5, 0.25, 0.25])
    (3.0, 4.0)
    """
    if min(parts, default=0) <= 0 or abs(sum(parts) - 1) > SOLVED:
        raise InputError(f"expected positive shares that sum to 1, found {list(parts)}")
    known = np.sort(values[~np.isnan(values)])
    # in fractions, as 0.7 + 0.2 is less than 0.9 in floats, which may move a border by one document
    borders = [round(border * len(known)) for border in list(accumulate(map(as_written, parts)))[:-1]]
    first_places = np.searchsorted(known, known)
    return tuple(float(min(known[first_places >= border], default=math.inf)) for border in borders)


def graded_name(signal: str, points: Sequence[float]) -> str:
    """Return the column name with which a pool reads a signal as grades with these cut points.

    >>> graded_name("fog", (10, 15.5))
    'fog at 10, 15.5'
    """
    return signal + AT + ", ".join(f"{point:g}" if float(f"{point:g}") == point else repr(point) for point in points)


def signal_and_points(name: str) -> tuple[str, tuple[float, ...]]:
    """Return the signal and the cut points in a name; without points, the whole name and ().

    >>> signal_and_points("fog at 10, 15.5"), signal_and_points("at")
    (('fog', (10.0, 15.5)), ('at', ()))
    """
    signal, between, points = name.rpartition(AT)
    try:
        return (signal, tuple(map(float, points.split(",")))) if between else (name, ())
    except ValueError:
        return name, ()
