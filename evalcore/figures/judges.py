"""How far two sources of labels agree: their confusion matrix, and a coefficient on each topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.figures import draw
from evalcore.figures.style import LINE, PALETTE, RED, plain
from evalcore.rounding import percent

SHADES = ((0.0, "#eef2f8"), (1.0, "#274a82"))  # opaque, so that what is written on them can be read in either theme
DARK = 0.55  # from this share on a cell is so dark that what stands in it is white
MOST_WRITTEN = 7  # grades; where there are more, cells have no room for the share of their row
MOST_NUMBERED = 14  # where there are more yet, numbers are left to the hover
MOST_NAMED = 30  # topics that are named below their dots


def cell_name(row: float, column: float) -> str:
    """What a click on a cell reports: the labels of both sources.

    >>> cell_name(2.0, 0.5)
    '2 0.5'
    """
    return f"{row:g} {column:g}"


def confusion_matrix(
    table: pd.DataFrame, names: Sequence[str], *, chosen: tuple[float, float] | None = None, height: int = 0
) -> go.Figure:
    """Documents by the labels of two sources, the first downwards: counts, shaded by the share of the row.

    Rows and columns are grades, in the order in which they are drawn, best first; `names` are theirs. The `chosen` cell
    is framed. The first customdata of a cell is `cell_name`.
    """
    counts = table.to_numpy(dtype=float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    size, ends = len(table), [-0.5, len(table) - 0.5]
    heat = draw.cells(shares, [list(one) for one in SHADES], (0, 1), xgap=1, ygap=1)
    first, second = (plain(side) for side in (table.index.name, table.columns.name))
    grades = table.index.tolist()
    framed = [] if chosen is None else [_frame(grades.index(chosen[1]), grades.index(chosen[0]))]
    side: dict[str, Any] = {
        "showgrid": False,
        "tickvals": list(range(size)),
        "ticktext": [plain(one) for one in names],
        "tickfont": {"size": 11},
    }
    return draw.figure_of(
        [heat, _cells(table, shares, names)],
        height or int(min(max(130 + 62 * size, 260), 560)),
        xaxis=draw.axis(f"label of {second}", side="top", range=ends, **side),
        yaxis=draw.axis(f"label of {first}", range=ends[::-1], **side),
        shapes=framed,
        showlegend=False,
        dragmode=False,
        clickmode="event+select",
        hoverdistance=80,
    )


def _cells(table: pd.DataFrame, shares: np.ndarray[Any, Any], names: Sequence[str]) -> draw.Trace:
    """What is read, pointed at and clicked: plotly selects marks, not the cells of a heat map."""
    first, second = (plain(side) for side in (table.index.name, table.columns.name))
    data, texts, x, y, colours = [], [], [], [], []
    counts = table.to_numpy()
    grades = [float(grade) for grade in table.index]
    for i, row in enumerate(grades):
        for j, column in enumerate(grades):
            share = percent(float(shares[i, j]))
            said = f"<b>{counts[i, j]:,} documents</b>, {share} of the row"
            both = f"{first}: {plain(names[i])}<br>{second}: {plain(names[j])}"
            data.append([cell_name(row, column), f"{said}<br>{both}"])
            written = f"{counts[i, j]:,}" + (f"<br>{share}" if len(table) <= MOST_WRITTEN else "")
            texts.append(written if len(table) <= MOST_NUMBERED else "")
            x.append(j)
            y.append(i)
            colours.append("#ffffff" if shares[i, j] > DARK else "#333333")
    return draw.marks(
        x,
        y,
        {"symbol": "square", "size": 34, "opacity": 0},
        hover="%{customdata[1]}",
        mode="markers+text",
        meta={"cells": True},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        text=texts,
        textfont={"size": 13 if len(table) <= MOST_WRITTEN else 10, "color": colours},
        customdata=data,
    )


def _frame(column: int, row: int) -> dict[str, Any]:
    sides = {"x0": column - 0.48, "x1": column + 0.48, "y0": row - 0.48, "y1": row + 0.48}
    return {"type": "rect", **sides, "line": {"color": RED, "width": 3}, "fillcolor": "rgba(0, 0, 0, 0)"}


def topic_agreement(
    table: pd.DataFrame, label: str, overall: tuple[float, float, float], height: int = 340
) -> go.Figure:
    """A coefficient on each topic, ascending, with the interval over its documents; the band is that of all topics.

    `table` is `Agreement.by_topic`; `overall` is the coefficient over all topics with its interval. Topics on which it
    is undefined are left out. The first customdata of a dot is its topic.
    """
    known = table.dropna(subset="value").sort_values("value", kind="stable")
    places = list(range(len(known)))
    value, low, high = (known[name].to_numpy(dtype=float) for name in ("value", "low", "high"))
    dots = draw.marks(
        places,
        value,
        {"size": 8 if len(known) <= 100 else 5, "color": PALETTE[0]},
        hover=f"<b>topic %{{customdata[1]}}</b><br>{plain(label)} %{{y:.3f}}, %{{customdata[3]}}"
        "<br>%{customdata[2]:,} documents",
        error_y={
            "type": "data",
            "symmetric": False,
            "array": np.nan_to_num(np.maximum(high - value, 0)),
            "arrayminus": np.nan_to_num(np.maximum(value - low, 0)),
            "thickness": 1,
            "width": 0,
            "color": LINE,
        },
        customdata=[
            [topic, plain(topic), count, _span(*ends)]
            for topic, count, *ends in zip(known.index, known["documents"].tolist(), low, high, strict=True)
        ],
    )
    few = len(known) <= MOST_NAMED
    names = {"tickvals": places if few else [], "ticktext": [plain(one) for one in known.index] if few else []}
    bottom = float(np.nanmin([0.0, *value, *low]))
    return draw.figure_of(
        [dots],
        height,
        xaxis=draw.axis("topics, the least agreement first", showgrid=False, range=[-0.7, len(known) - 0.3], **names),
        yaxis=draw.axis(f"{plain(label)} on the topic", range=[bottom - 0.05, 1.05]),
        shapes=_overall(*overall),
        showlegend=False,
        clickmode="event+select",
    )


def _span(low: float, high: float) -> str:
    return "no interval" if np.isnan([low, high]).any() else f"{low:.3f} to {high:.3f}"


def _overall(value: float, low: float, high: float) -> list[dict[str, Any]]:
    """The line of all topics, and its band."""
    across = {"xref": "paper", "x0": 0, "x1": 1}
    if np.isnan(value):
        return []
    line = {"type": "line", **across, "y0": value, "y1": value, "line": {"color": LINE, "width": 2, "dash": "dot"}}
    if np.isnan([low, high]).any():
        return [line]
    band = {"type": "rect", **across, "y0": low, "y1": high, "line": {"width": 0}, "layer": "below"}
    return [line, {**band, "fillcolor": LINE, "opacity": 0.25}]
