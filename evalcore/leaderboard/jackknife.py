"""Standard errors over topics: for means from the spread of scores, for other statistics by leaving out each topic.

An error of 0 is not informative: if all topics have equal scores, or if no topic changes the statistic, the sample does
not show how topics vary, and there is no interval. For a system that scores 1 on nine topics of ten, more than half of
all samples of five topics contain only 1s.

Shapes: T topics, S systems; a system has scores on m of the topics.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from evalcore.common.arrays import BoolArray, FloatArray, divided
from evalcore.common.rounding import TIE

Doubt = tuple[FloatArray, FloatArray]
"""(S,) standard errors, and the degrees of freedom of their t."""


def left_out(left: FloatArray, whole: FloatArray, there: BoolArray, groups: np.ndarray) -> Doubt:
    """Return standard errors and degrees of freedom (S,), from results without each topic (T, S) and with all (S,).

    `there` (T, S) marks the scores that exist; `groups` (T,) are the groups within which topics are drawn.

    The square of the error is the sum over groups of (m - 1) / m sum_t (x_(t) - mean x_(.))^2, the delete-one jackknife
    (Efron, Tibshirani 1993, 11.5), with the degrees of freedom of Satterthwaite (1946). A group with one topic adds
    the squared difference between the results without and with it.

    >>> whole, there = np.array([0.4]), np.ones((3, 1), dtype=bool)
    >>> left_out(np.array([[0.5], [0.4], [0.3]]), whole, there, np.zeros(3))  # of the mean of 0.2, 0.4 and 0.6
    (array([0.11547005]), array([2.]))
    """
    variance, parts, free = (np.zeros(len(whole)) for _ in range(3))
    with np.errstate(invalid="ignore", over="ignore"):  # of infinite scores
        for group in np.unique(groups):
            rows, own = left[groups == group], there[groups == group]
            m = own.sum(axis=0)
            middle = np.where(m > 1, divided(np.where(own, rows, 0.0).sum(axis=0), m), whole)
            part = np.where(m > 1, divided(m - 1.0, m), 1.0) * ((rows - np.where(own, middle, whole)) ** 2).sum(axis=0)
            variance, free = variance + part, free + np.maximum(m - 1, 0)
            parts += part**2 / np.maximum(m - 1, 1)
        error = _beyond_rounding(np.sqrt(variance), np.where(there, left, 0.0))
        return error, np.where(parts > 0, divided(variance**2, parts), np.maximum(free, 1))


def of_means(points: FloatArray, ends: tuple[float, float] | None = None) -> Doubt:
    """Return standard errors (nan with fewer than two topics) and degrees of freedom (S,) of means of points (T, S).

    The errors are sd / sqrt(m), with m - 1 degrees of freedom. If the points have bounds `ends`, one topic at each
    bound is added, as Agresti and Coull 1998 do for shares, because the points of a few topics may all be equal by
    chance.

    >>> of_means(np.array([[0.2], [0.4], [0.6]])), of_means(np.ones((4, 1)), (0.0, 1.0))[0].round(4)
    ((array([0.11547005]), array([2.])), array([0.1667]))
    """
    m = (~np.isnan(points)).sum(axis=0)
    more = np.repeat(np.reshape(ends or (), (-1, 1)), points.shape[1], axis=1)
    every = np.concatenate([points, more])
    count = m + len(more)
    with np.errstate(invalid="ignore", over="ignore"):  # of infinite scores
        off = every - divided(np.nansum(every, axis=0), count)
        variance = divided(np.nansum(off**2, axis=0), (count - 1) * count)
    error = _beyond_rounding(np.sqrt(variance), np.nan_to_num(every))
    return np.where(m > 1, error, np.nan), np.maximum(m - 1.0, 1.0)


def _beyond_rounding(error: FloatArray, values: FloatArray) -> FloatArray:
    """Return the (S,) errors; an error that is no larger than the rounding error of the values (T, S) becomes 0."""
    return np.where(error <= TIE * np.abs(values).max(axis=0, initial=0.0), 0.0, error)


def reach(error: FloatArray, freedom: FloatArray | float, level: float) -> FloatArray:
    """Return half-widths of intervals: t with these degrees of freedom, times the error; nan for an error of 0.

    >>> reach(np.array([0.1, 0.0]), 4, 0.95).round(3)
    array([0.278,   nan])
    """
    return np.where(error == 0, np.nan, stdtrit(freedom, (1 + level) / 2) * error)
