"""Sources of the labels of an aspect: several assessors, judges or runs of one judge, and combinations of them.

Shapes: P pool rows, J sources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.constants import COMBINED
from evalcore.common.rounding import less
from evalcore.common.short_forms import shown
from evalcore.direction import Good


@shown
@dataclass(frozen=True, eq=False)
class Sources:
    """The labels of each source for one aspect, on the aspect's scale; `default` is the source read by default."""

    labels: Mapping[str, FloatArray]  # name -> (P,), nan if missing
    default: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the original sources and, if there are several, of their combinations (`COMBINED`)."""
        return (*self.labels, *(COMBINED if len(self.labels) > 1 else ()))

    def of(self, name: str, grades: Sequence[float], good: Good = "high") -> FloatArray:
        """Return the (P,) labels of a source, or of a combination of sources (see `combined`)."""
        if name in self.labels:
            return self.labels[name]
        return combined(np.array(list(self.labels.values())), name, grades, good)

    def take(self, rows: IntArray | BoolArray | slice) -> Sources:
        """Return the labels of some pool rows, given by mask, indices or slice."""
        return Sources({name: values[rows] for name, values in self.labels.items()}, self.default)


def combined(labels: FloatArray, how: str, grades: Sequence[float], good: Good = "high") -> FloatArray:
    """Return one label for each document (P,), combined from labels of several sources (J, P); nan means missing.

    `how` is a key of COMBINED, `grades` are the grades of the scale, ascending, and `good` is the good end
    of the scale, "high" or "low".

    >>> three = np.array([[2.0, 1.0, np.nan], [2.0, 0.0, np.nan], [0.0, 1.0, 3.0]])
    >>> [combined(three, how, (0, 1, 2, 3)).tolist() for how in ("majority", "mean", "union", "agreed")]
    [[2.0, 1.0, 3.0], [1.0, 1.0, 3.0], [2.0, 1.0, 3.0], [nan, nan, nan]]
    """
    ordered = np.sort(labels, axis=0)  # nan last
    count = (~np.isnan(labels)).sum(axis=0)
    last = np.maximum(count - 1, 0)[None]

    def place(at: IntArray) -> FloatArray:
        return np.asarray(np.take_along_axis(ordered, at, axis=0)[0])

    if how == "agreed":
        return np.where((count > 1) & (ordered[0] == place(last)), ordered[0], np.nan)
    if how == "union":
        return place(last) if good == "high" else ordered[0]
    if how == "median":
        return place(last // 2)
    if how == "mean":
        means = np.nansum(labels, axis=0) / np.maximum(count, 1)
        return np.where(count > 0, _nearest(means, np.asarray(grades, dtype=float)), np.nan)
    votes = (ordered[:, None, :] == ordered[None]).sum(axis=1)
    return place(np.argmax(votes, axis=0)[None])  # the lowest of the grades with most votes


def _nearest(values: FloatArray, grades: FloatArray) -> FloatArray:
    """Return the grade nearest to each value; the lower one if two are equally near."""
    above = np.clip(np.searchsorted(grades, values), 1, max(len(grades) - 1, 1)) if len(grades) > 1 else None
    if above is None:
        return np.full(len(values), grades[0])
    low, high = grades[above - 1], grades[above]
    return np.where(less((low + high) / 2, values), high, low)
