"""Correlations of many measures as a heat map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import less
from evalcore.figures import draw
from evalcore.figures.style import LINE, RED, plain
from evalcore.meta import CorrelationMatrix

# Brown below 0, blue above, both darker towards the ends: visible with any colour vision.
LIGHT = ((0.0, "#6b4711"), (0.2, "#c9a566"), (0.5, "#f4f2ee"))
BELOW, ABOVE, BEST = "#a3bfe7", "#4f77b5", "#274a82"
FRAME = "#e69f00"
DARK = -0.7  # below it, brown is so dark that numbers are white
LONGEST = 28  # characters of a measure's name on an axis
SIZES = {9: 13, 12: 11, 16: 10, 20: 9}  # font sizes of the numbers in cells, by the largest number of measures
WIDE = 12  # with more measures, numbers have no leading zero
MANY, ROW, TALLEST = 24, 13, 900  # with more measures, cells have no numbers; pixels of a row then, and of the figure


def correlation_scale(threshold: float) -> list[tuple[float, str]]:
    """Return the colour scale from -1 to 1, with a step at the threshold above which rankings are equivalent."""
    step = (threshold + 1) / 2
    dark = [(step, ABOVE), (1.0, BEST)] if step < 1 else []
    return [*LIGHT, (step, BELOW), *dark]


def cell_notes(matrix: CorrelationMatrix) -> pd.DataFrame | None:
    """Return a note on each cell: its interval and, for a mean over topics, their number; None if there is neither."""
    parts = []
    if matrix.intervals:
        low, high = (part.map(_number) for part in (matrix.intervals.low, matrix.intervals.high))
        why = matrix.intervals.why
        parts.append(("95% interval " + low + " to " + high).where(why == "", "no interval: " + why))
    if matrix.by_topic is not None:
        parts.append("mean over " + (len(matrix.topics) - matrix.undefined_topics).astype(str) + " topics")
    return None if not parts else parts[0] if len(parts) == 1 else parts[0] + ", " + parts[1]


def correlation_heatmap(
    values: pd.DataFrame,
    names: Mapping[str, str],
    label: str,
    *,
    threshold: float,
    directed: bool = False,
    groups: Sequence[Sequence[str]] = (),
    order: Sequence[str] = (),
    chosen: tuple[str, str] | None = None,
    notes: pd.DataFrame | None = None,
) -> draw.Figure:
    """Draw the correlation of every pair of measures, ordered by `order` or `groups`.

    The rows are the tests of the correlations, the columns the references. Values above the threshold are bold and
    dark. Neighbouring measures of one group are framed, and so is the `chosen` cell. `notes` are shown when
    pointing at a cell. The first customdata of a cell is its row and column in that order ("0 2"). The sides are named
    if they differ (`directed`).
    """
    order = list(order) or [name for group in groups for name in group] or list(values.index)
    values = values.loc[order, order]
    heat = draw.cells(
        values.mask(np.eye(len(order), dtype=bool)).to_numpy(), correlation_scale(threshold), (-1, 1), xgap=1, ygap=1
    )
    hovers = _hovers(values, names, label, directed, None if notes is None else notes.loc[order, order])
    ends = [-0.5, len(order) - 0.5]
    return draw.figure_of(
        [heat, _numbers(values.to_numpy(dtype=float), threshold, hovers)],
        _height(len(order)),
        xaxis=_side(order, names, "reference" if directed else "", tickangle=-35, range=ends),
        yaxis=_side(order, names, "test" if directed else "", range=ends[::-1]),
        shapes=[*_frames(groups, order), *_chosen(order, chosen)],
        dragmode=False,
        clickmode="event+select",
        hoverdistance=60,
    )


def _height(count: int) -> int:
    """Return the height of the figure, with room for the name of each row."""
    return min(160 + ROW * count, TALLEST) if count > MANY else min(max(160 + 30 * count, 400), 560)


def _hovers(
    values: pd.DataFrame, names: Mapping[str, str], label: str, directed: bool, notes: pd.DataFrame | None
) -> list[list[str]]:
    """Return the hover text of each cell, row by row."""
    test, reference = ("test: ", "reference: ") if directed else ("", "")
    labels = [plain(names[name]) for name in values.index]
    beneath = np.full(values.shape, "") if notes is None else "<br>" + notes.map(plain).to_numpy(dtype=object)
    return [
        [
            f"<b>{plain(label)} {_number(value)}</b><br>{test}{labels[row]}<br>{reference}{labels[column]}{more}"
            for column, (value, more) in enumerate(zip(line, beneath[row], strict=True))
        ]
        for row, line in enumerate(values.to_numpy())
    ]


def _numbers(values: FloatArray, threshold: float, hovers: Sequence[Sequence[str]]) -> draw.Trace:
    count = len(values)
    rows, columns = (places.tolist() for places in np.nonzero(~np.eye(count, dtype=bool)))
    cells = values[rows, columns]
    above = less(threshold, cells)
    colours = np.select([np.isnan(cells), above | (cells < DARK)], [LINE, "#ffffff"], "#333333")
    size = next((size for most, size in SIZES.items() if count <= most), 8)
    font = {"size": size, "weight": np.where(above, "bold", "normal").tolist(), "color": colours.tolist()}
    data = [[f"{row} {column}", hovers[row][column]] for row, column in zip(rows, columns, strict=True)]
    texts = ["" if count > MANY else _text(cell, count) for cell in cells.tolist()]
    return draw.written_cells(columns, rows, 22, data, texts, font, values=True)


def _text(value: float, count: int) -> str:
    if count > WIDE:
        return _number(value).replace("0.", ".", 1)
    return _number(value)


def _number(value: float) -> str:
    return "none" if np.isnan(value) else f"{value:.3f}".replace("-", "−")


def _side(order: Sequence[str], names: Mapping[str, str], title: str, **settings: Any) -> draw.Part:
    labels = [plain(_shortened(names[name])) for name in order]
    font = {"size": 9 if len(order) > MANY else 11}
    return draw.axis(title, showgrid=False, **draw.ticks(labels), tickfont=font, **settings)


def _shortened(name: str) -> str:
    """Return a long name shortened in the middle; its end is kept, because similar names often differ there."""
    half = LONGEST // 2
    return name if len(name) <= LONGEST else f"{name[:half]}…{name[-half + 1 :]}"


def _frames(groups: Sequence[Sequence[str]], order: Sequence[str]) -> list[draw.Part]:
    group_of = {name: at for at, group in enumerate(groups) for name in group}
    runs = [list(run) for _, run in groupby(range(len(order)), key=lambda at: group_of.get(order[at]))]
    ends = [(run[0] - 0.5, run[-1] + 0.5) for run in runs if len(run) > 1 and order[run[0]] in group_of]
    return [draw.frame(FRAME, both, both) for both in ends]


def _chosen(order: Sequence[str], chosen: tuple[str, str] | None) -> list[draw.Part]:
    if chosen is None or not set(chosen) <= set(order):
        return []
    row, column = (order.index(name) for name in chosen)
    return [draw.frame(RED, (column - 0.5, column + 0.5), (row - 0.5, row + 0.5), name=draw.SELECTION)]
