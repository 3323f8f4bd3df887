"""Names beside marks, placed without overlaps and always in the same way.

For each name, places around its mark are tried from near to far, and the first clear one is used; earlier names choose
first. A place is clear if it covers nothing in a figure of any usual size: when a figure grows, names keep their size,
but marks move apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.figures.style import BESIDE, LINE, Styles, system_label

# Usual sizes of the area for marks, in pixels: on a phone, beside the controls in a window of 1280, alone there, on a
# card.
ROOMS = ((300, 430), (540, 430), (960, 430), (560, 270))
LETTER, LINE_HEIGHT = 7.0, 18.0  # of a name, in pixels
MARK = 6  # radius of a mark
END_NAMES, END_SIZE = 8, 11  # number of lines that are named at their ends, and the font size of these names
AROUND_LINES = 120  # pixels of a figure's height for the axis and a legend of three rows
_RINGS = (10, 18, 28, 40, 54, 70)  # pixels from a mark to its name
_AROUND = np.array([(x, y) for y in (-1, 1, 0, -0.5, 0.5) for x in (1, -1, 0) if x or abs(y) == 1], dtype=np.float64)
_CELL = 4  # size, in pixels, of the cells in which marks are counted
BEYOND = 6  # pixels by which a name may extend beyond the area for marks


def placed(
    names: Sequence[str], at: FloatArray, marks: FloatArray, needed: int = 0
) -> list[tuple[float, float] | None]:
    """Return the shift from each mark to the middle of its name, in pixels right and down; None if no place is clear.

    `at` (K, 2) are the positions of the named marks, `marks` (N, 2) those of all marks, as shares of the figure's width
    and height from its upper left corner. The first `needed` names always get a place: if none is clear, the place
    where they cover least.

    >>> placed(["a"], np.array([[0.3, 0.3]]), np.array([[0.3, 0.3]]))
    [(13.5, -19.0)]
    """
    sizes = np.array(ROOMS, dtype=np.float64)[:, None]
    counted = _counted(marks * sizes)
    taken = np.empty((len(ROOMS), 0, 4))
    places: list[tuple[float, float] | None] = []
    for number, (name, mark) in enumerate(zip(names, at, strict=True)):
        size = np.array([LETTER * len(name), LINE_HEIGHT])
        shifts = np.concatenate([_AROUND * (size / 2 + ring) for ring in _RINGS])
        boxes = np.tile(mark * sizes, 2) + np.hstack([shifts - size / 2, shifts + size / 2])
        covered = (_inside(counted, boxes) + 1000 * (_overlaps(boxes, taken) + _outside(boxes, sizes))).sum(axis=0)
        best = int(covered.argmin())
        if covered[best] and number >= needed:
            places.append(None)
            continue
        taken = np.concatenate([taken, boxes[:, best, None]], axis=1)
        places.append((float(shifts[best, 0]), float(shifts[best, 1])))
    return places


def pushed_apart(places: FloatArray, gap: float, low: float, high: float) -> FloatArray:
    """Return sorted positions, moved until neighbours are at least a gap apart, within two ends if there is room.

    >>> pushed_apart(np.array([0.0, 0.1, 5.0]), 1.0, 0.0, 5.0).tolist()
    [0.0, 1.0, 5.0]
    """
    steps = gap * np.arange(len(places))
    down = np.maximum.accumulate(np.maximum(places, low) - steps) + steps
    ends = high - steps[::-1]
    return np.asarray(np.maximum(np.minimum(down, ends), low + steps))


def end_names(
    lines: pd.DataFrame, low: float, high: float, height: int, first: Sequence[str] = (), styles: Styles | None = None
) -> dict[str, Any]:
    """Return settings of the layout: annotations that name the highest lines (columns) at their ends, and a margin.

    `low` and `high` are the ends of the axis; the lines in `first` are named in any case.
    """
    ends = lines.ffill().iloc[-1].dropna().sort_values(kind="stable")
    others = [name for name in ends.index if name not in first]
    shown = ends[ends.index.isin([*first, *others[-max(END_NAMES - len(first), 0) :]])]
    names = [system_label(str(name), styles) for name in shown.index]
    notes = beside(names, shown.to_numpy(dtype=np.float64), (low, high), height - AROUND_LINES)
    return {"annotations": notes, "margin": {**BESIDE["margin"], "r": room(names)}}


def room(names: Iterable[str]) -> float:
    """Return the width, in pixels, that names beside an axis need."""
    return max(24 + END_SIZE / 1.8 * max(map(len, names), default=0), 36)


def beside(
    names: Sequence[str],
    heights: FloatArray,
    ends: Sequence[float],
    pixels: float,
    colours: Sequence[str] = (),
    *,
    left: bool = False,
) -> list[dict[str, Any]]:
    """Return annotations that name lines beside the plot, one below the other, with leader lines to their `heights`.

    `ends` are the lower and the upper end of the axis, and `pixels` is its length.

    >>> [round(note["ay"], 6) for note in beside(["a", "b"], np.array([1.0, 0.9]), (0, 1), 100)]
    [0.0, 3.0]
    """
    down = (ends[1] - heights) / (ends[1] - ends[0]) * pixels
    order = np.argsort(down, kind="stable")
    shift = np.empty(len(down))
    shift[order] = pushed_apart(down[order], END_SIZE + 2, 0, pixels) - down[order]
    look = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": LINE, "captureevents": False}
    place = {"x": 0, "ax": -14, "xanchor": "right"} if left else {"x": 1, "ax": 14, "xanchor": "left"}
    fonts = [{"size": END_SIZE, "color": colour} for colour in colours] or [{"size": END_SIZE}] * len(names)
    return [
        {**look, **place, "xref": "paper", "y": y, "ay": by, "text": text, "font": font}
        for text, y, by, font in zip(names, heights.tolist(), shift.tolist(), fonts, strict=True)
    ]


# Below, the first axis of each array corresponds to ROOMS.


def _counted(marks: FloatArray) -> IntArray:
    """Return, for each corner of the cells, the number of `marks`, of shape (R, N, 2), above and to the left of it."""
    columns, rows = np.max(ROOMS, axis=0) // _CELL
    cells = np.where(np.isfinite(marks), marks, -1.0) // _CELL
    room, mark = np.nonzero(((cells >= 0) & (cells < (columns, rows))).all(axis=2))
    across, down = cells[room, mark].astype(np.intp).T
    count = np.zeros((len(marks), columns + 1, rows + 1), dtype=np.int32)
    np.add.at(count, (room, across + 1, down + 1), 1)
    return np.asarray(count.cumsum(axis=1, dtype=np.int32).cumsum(axis=2, dtype=np.int32))


def _inside(counted: IntArray, boxes: FloatArray) -> IntArray:
    """Return the number of marks that each box (left, top, right, bottom) touches."""
    most = np.array(counted.shape[1:]) - 1
    low = np.clip((boxes[..., :2] - MARK) // _CELL, 0, most).astype(np.intp)
    high = np.clip(-(-(boxes[..., 2:] + MARK) // _CELL), 0, most).astype(np.intp)
    (left, top), (right, bottom) = np.moveaxis(low, -1, 0), np.moveaxis(high, -1, 0)
    room = np.arange(len(counted))[:, None]
    ends = counted[room, right, bottom] - counted[room, left, bottom]
    return np.asarray(ends - counted[room, right, top] + counted[room, left, top])


def _overlaps(boxes: FloatArray, others: FloatArray) -> IntArray:
    """Return the number of other boxes that each box overlaps."""
    one, other = boxes[:, :, None], others[:, None]
    across = (one[..., :2] < other[..., 2:]) & (other[..., :2] < one[..., 2:])
    return np.asarray(across.all(axis=3).sum(axis=2))


def _outside(boxes: FloatArray, sizes: FloatArray) -> IntArray:
    """Return 1 for each box that extends too far beyond the area for marks, else 0."""
    left_it = (boxes[..., :2] < -BEYOND) | (boxes[..., 2:] > sizes + BEYOND)
    return np.asarray(left_it.any(axis=2).astype(np.intp))
