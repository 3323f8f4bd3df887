"""Types of arrays, and operations on them, such as division with a default for a divisor of 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.integer[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]


def divided(top: ArrayLike, bottom: ArrayLike, otherwise: float = 0.0) -> FloatArray:
    """Return top / bottom, broadcast, or `otherwise` where bottom is not above 0.

    >>> divided([1.0, 1.0], [2.0, 0.0]).tolist()
    [0.5, 0.0]
    """
    tops, bottoms = np.broadcast_arrays(np.asarray(top, np.float64), np.asarray(bottom, np.float64))
    quotients: FloatArray = np.divide(tops, bottoms, out=np.full(tops.shape, otherwise), where=bottoms > 0)
    return quotients


def rows_of(structure: object, rows: Any, *names: str) -> dict[str, Any]:
    """Return a dict from each name to the given rows of the structure's array with this name."""
    return {name: getattr(structure, name)[rows] for name in names}


def concatenated(structures: Sequence[object], *names: str) -> dict[str, Any]:
    """Return a dict from each name to the concatenation of the arrays with this name in several structures."""
    return {name: np.concatenate([getattr(structure, name) for structure in structures]) for name in names}
