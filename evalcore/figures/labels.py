"""Names beside marks: placed so that they cover neither each other nor any mark, the same ones each time.

A name tries places around its mark, from near to far, and takes the first that is clear; names that come first choose
first. What is clear is decided in pixels of a figure of usual size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray, IntArray
from evalcore.figures.style import BESIDE, plain

WIDTH, HEIGHT = 540, 430  # of the room for marks, in pixels, in a window of 1280 pixels
LETTER, LINE_HEIGHT = 7.0, 18.0  # of a name, in pixels
MARK = 6  # radius of a mark
END_NAMES, END_SIZE = 8, 11  # lines named where they end, and the type of their names
AROUND_LINES = 80  # pixels of a figure's height that its lines do not have
_RINGS = (6, 14, 24, 36, 50, 66)  # pixels from a mark to its name
_AROUND = np.array([(1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0)], dtype=np.float64)
_CELL = 4  # pixels; marks are counted in cells


def placed(
    names: Sequence[str], at: FloatArray, marks: FloatArray, needed: int = 0
) -> list[tuple[float, float] | None]:
    """From each mark to the middle of its name, in pixels to the right and down; None where no place is clear.

    `at` (K, 2) says where the marks of the names stand, `marks` (N, 2) where all do: pixels from the upper left corner
    of a room of WIDTH x HEIGHT. The first `needed` names get a place in any case, the one that covers least.

    >>> placed(["a"], np.array([[100.0, 100.0]]), np.array([[100.0, 100.0]]))
    [(9.5, -15.0)]
    """
    counted = _counted(marks)
    taken = np.empty((0, 4))
    found: list[tuple[float, float] | None] = []
    for number, (name, mark) in enumerate(zip(names, at, strict=True)):
        size = np.array([LETTER * len(name), LINE_HEIGHT])
        shifts = np.concatenate([_AROUND * (size / 2 + ring) for ring in _RINGS])
        boxes = np.hstack([mark + shifts - size / 2, mark + shifts + size / 2])
        covered = _inside(counted, boxes) + 1000 * _overlaps(boxes, taken) + 1000 * _outside(boxes)
        best = int(covered.argmin())
        if covered[best] and number >= needed:
            found.append(None)
            continue
        taken = np.vstack([taken, boxes[best]])
        found.append((float(shifts[best, 0]), float(shifts[best, 1])))
    return found


def pushed_apart(places: FloatArray, gap: float, low: float, high: float) -> FloatArray:
    """Sorted places moved until neighbours are a gap apart, within two ends where there is room for all.

    >>> pushed_apart(np.array([0.0, 0.1, 5.0]), 1.0, 0.0, 5.0).tolist()
    [0.0, 1.0, 5.0]
    """
    steps = gap * np.arange(len(places))
    down = np.maximum.accumulate(np.maximum(places, low) - steps) + steps
    ends = high - steps[::-1]
    return np.asarray(np.maximum(np.minimum(down, ends), low + steps))


def end_names(lines: pd.DataFrame, low: float, high: float, height: int, first: Sequence[str] = ()) -> dict[str, Any]:
    """Of the layout: the names of the highest lines (columns) where they end, one under the other, and room for them.

    `low` and `high` are the ends of the axis; the lines in `first` are named in any case.
    """
    ends = lines.ffill().iloc[-1].dropna().sort_values(kind="stable")
    others = [name for name in ends.index if name not in first]
    ends = ends[ends.index.isin([*first, *others[-max(END_NAMES - len(first), 0) :]])]
    gap = (END_SIZE + 2) * (high - low) / (height - AROUND_LINES)
    beside = {"x": 1, "xref": "paper", "xanchor": "left", "showarrow": False, "font": {"size": END_SIZE}}
    names = [
        {**beside, "y": float(place), "text": plain(name)}
        for name, place in zip(ends.index, pushed_apart(ends.to_numpy(dtype=np.float64), gap, low, high), strict=True)
    ]
    room = END_SIZE / 1.8 * max((len(str(name)) for name in ends.index), default=0) + 8
    return {"annotations": names, "margin": {**BESIDE["margin"], "r": max(room, 36)}}


def _counted(marks: FloatArray) -> IntArray:
    """How many marks stand in the cells above and left of each corner of a cell."""
    columns, rows = WIDTH // _CELL, HEIGHT // _CELL
    cells = (marks[np.isfinite(marks).all(axis=1)] // _CELL).astype(np.intp)
    cells = cells[((cells >= 0) & (cells < (columns, rows))).all(axis=1)]
    count = np.zeros((columns + 1, rows + 1), dtype=np.intp)
    np.add.at(count, (cells[:, 0] + 1, cells[:, 1] + 1), 1)
    return np.asarray(count.cumsum(axis=0).cumsum(axis=1))


def _inside(counted: IntArray, boxes: FloatArray) -> IntArray:
    """How many marks each box (left, top, right, bottom) touches."""
    most = np.array(counted.shape) - 1
    low = np.clip(np.floor((boxes[:, :2] - MARK) / _CELL), 0, most).astype(np.intp)
    high = np.clip(np.ceil((boxes[:, 2:] + MARK) / _CELL), 0, most).astype(np.intp)
    (left, top), (right, bottom) = low.T, high.T
    return np.asarray(counted[right, bottom] - counted[left, bottom] - counted[right, top] + counted[left, top])


def _overlaps(boxes: FloatArray, others: FloatArray) -> IntArray:
    """How many of the others each box overlaps."""
    one, other = boxes[:, None], others[None]
    across = (one[..., :2] < other[..., 2:]) & (other[..., :2] < one[..., 2:])
    return np.asarray(across.all(axis=2).sum(axis=1))


def _outside(boxes: FloatArray) -> IntArray:
    """1 where a box leaves the room."""
    left_it = (boxes[:, :2] < 0) | (boxes[:, 2:] > (WIDTH, HEIGHT))
    return np.asarray(left_it.any(axis=1).astype(np.intp))
