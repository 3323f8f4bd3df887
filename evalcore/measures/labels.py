"""Labels of aspects and tuples of labels: names from worst to best, positions, and how often a tuple occurs.

A tuple holds one label per aspect, as its index on the scale, 0 for the worst label.
Shapes: P documents, U tuples, A aspects.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalcore.common.arrays import IntArray
from evalcore.structures.documents import Scale


def grades_upwards(scale: Scale) -> tuple[float, ...]:
    """Return the grades from worst to best."""
    return scale.grades if scale.good == "high" else scale.grades[::-1]


def labels_upwards(scale: Scale) -> list[str]:
    """Return the labels from worst to best: their names, or the grades if they have no names.

    >>> labels_upwards(Scale("difficulty", good="low", grades=(0, 1), names=("easy", "hard")))
    ['hard', 'easy']
    """
    known = scale.names if len(scale.names) == len(scale.grades) else tuple(f"{grade:g}" for grade in scale.grades)
    return list(known if scale.good == "high" else known[::-1])


def equal_steps(count: int, length: float) -> tuple[float, ...]:
    """Return `count` positions from 0 to `length`, in equal steps (Maistro et al. 2021, Table 1, scenarios 1 and 2).

    >>> equal_steps(3, 3)
    (0.0, 1.5, 3.0)
    """
    return tuple((length * np.arange(count) / (count - 1)).tolist())


def growing_steps(count: int, length: float) -> tuple[float, ...]:
    """Return `count` positions from 0 to `length`, in growing steps (Maistro et al. 2021, Table 1, scenario 3).

    >>> growing_steps(3, 6)
    (0.0, 2.0, 6.0)
    """
    climbed = np.cumsum(np.arange(count))
    return tuple((length * climbed / climbed[-1]).tolist())


def bent_steps(count: int, length: float, bend: float) -> tuple[float, ...]:
    """Return the positions length * (i / (count - 1))^bend of labels i = 0, 1, ...; equal steps if `bend` is 1.

    Bent steps are rounded to 4 decimals, so that distances can be compared exactly.

    >>> bent_steps(3, 2, 2)
    (0.0, 0.5, 2.0)
    """
    if bend == 1:
        return equal_steps(count, length)
    return tuple(np.round(length * (np.arange(count) / (count - 1)) ** bend, 4).tolist())


def distinct(tuples: IntArray, shape: Sequence[int]) -> tuple[IntArray, IntArray]:
    """Return the distinct tuples (U, A) among (P, A), ascending, and how often each occurs (U,).

    `shape` lists the number of labels of each aspect.

    >>> distinct(np.array([[1, 0], [0, 2], [1, 0]]), (2, 3))[1].tolist()
    [1, 2]
    """
    flat, counts = np.unique(places_in(tuples, shape), return_counts=True)
    return np.column_stack(np.unravel_index(flat, tuple(shape))), counts


def occurrences(tuples: IntArray, among: IntArray, shape: Sequence[int]) -> IntArray:
    """Return how often each tuple (U, A) occurs among the tuples (P, A).

    >>> occurrences(np.array([[0, 0], [1, 0]]), np.array([[1, 0], [0, 2], [1, 0]]), (2, 3)).tolist()
    [0, 2]
    """
    known, counts = np.unique(places_in(among, shape), return_counts=True)
    wanted = places_in(tuples, shape)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, counts[at], 0) if len(known) else np.zeros(len(tuples), dtype=int)


def places_in(tuples: IntArray, shape: Sequence[int]) -> IntArray:
    """Return the (U,) index of each tuple (U, A) in the list of all tuples of this `shape`, in ascending order."""
    flat: IntArray = np.ravel_multi_index(tuple(tuples.T), tuple(shape))
    return flat
