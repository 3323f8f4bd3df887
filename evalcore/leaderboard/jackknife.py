"""Intervals of what is computed of all topics at once: each topic is left out once."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from evalcore.arrays import FloatArray


def standard_error(left: FloatArray) -> FloatArray:
    """(...) the error of a value, of it without each of n topics, (n, ...), by the delete-one jackknife.

    sqrt((n - 1) / n sum_t (x_(t) - mean x_(.))^2) (Efron and Tibshirani 1993, 11.5).

    >>> float(standard_error(np.array([0.5, 0.4, 0.3])).round(4))  # of the mean of 0.2, 0.4 and 0.6
    0.1155
    """
    return np.asarray(np.sqrt((len(left) - 1) * left.var(axis=0)))


def reach(error: FloatArray, n: int, level: float) -> FloatArray:
    """By how much an interval goes to either side: t(n - 1) errors."""
    return np.asarray(stdtrit(max(n - 1, 1), (1 + level) / 2) * error)
