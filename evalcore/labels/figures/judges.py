"""Figures of the agreement of two sources of labels, on all documents, on each topic and at the top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import percent
from evalcore.errors import counted
from evalcore.figures import draw
from evalcore.figures.style import BLUE, LINE, PALETTE, RED, plain

SHADES = ((0.0, "#eef2f8"), (1.0, "#274a82"))  # opaque, so that text on them can be read in both themes
DARK = 0.55  # from this share on, cells are dark and their text is white
MOST_WRITTEN = 7  # grades; with more, cells have no room for the share of their row
MOST_NUMBERED = 14  # grades; with more, numbers are only in the hover
MOST_NAMED = 30  # topics named below their dots
LINES = {"tau": ("τ of the first k", BLUE), "rbo": ("RBO", LINE), "common": ("common to both", "#9f701e")}
BARS = {"wrong": ("wrongly significant", RED), "missed": ("missed", "rgba(47, 111, 208, 0.4)")}


def cell_name(row: float, column: float) -> str:
    """Return the text that identifies a clicked cell: the labels of both sources.

    >>> cell_name(2.0, 0.5)
    '2 0.5'
    """
    return f"{row:g} {column:g}"


def confusion_matrix(
    table: pd.DataFrame, names: Sequence[str], *, chosen: tuple[float, float] | None = None, height: int = 0
) -> draw.Figure:
    """Draw counts of documents by the labels of two sources, shaded by each cell's share of its row (first source).

    Rows and columns of `table` are grades in the order of drawing, best first; `names` are the names of the grades. The
    `chosen` cell is framed. The first customdata of a cell is `cell_name`.
    """
    counts = table.to_numpy(dtype=float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    size, ends = len(table), [-0.5, len(table) - 0.5]
    heat = draw.cells(shares, [list(stop) for stop in SHADES], (0, 1), xgap=1, ygap=1)
    first, second = (plain(side) for side in (table.index.name, table.columns.name))
    row, column = (table.index.tolist().index(grade) for grade in chosen) if chosen else (0, 0)
    sides = (column - 0.48, column + 0.48), (row - 0.48, row + 0.48)
    framed = [draw.frame(RED, *sides, name=draw.SELECTION)] if chosen else []
    ticks = draw.ticks([plain(name) for name in names]) | {"tickfont": {"size": 11}}
    return draw.figure_of(
        [heat, _cells(table, shares, names)],
        height or int(min(max(130 + 62 * size, 260), 560)),
        xaxis=draw.axis(f"label of {second}", side="top", range=ends, showgrid=False, **ticks),
        yaxis=draw.axis(f"label of {first}", range=ends[::-1], showgrid=False, **ticks),
        shapes=framed,
        dragmode=False,
        clickmode="event+select",
        hoverdistance=80,
    )


def _cells(table: pd.DataFrame, shares: FloatArray, names: Sequence[str]) -> draw.Trace:
    """Draw invisible marks with hover texts over cells, for hovering and clicking: plotly selects marks, not cells."""
    first, second = (plain(side) for side in (table.index.name, table.columns.name))
    data, texts, colours = [], [], []
    counts, labels = table.to_numpy(), [plain(name) for name in names]
    grades = [float(grade) for grade in table.index]
    for i, j in np.ndindex(*shares.shape):
        share = percent(float(shares[i, j]))
        documents = counted(int(counts[i, j]), "document")
        about = f"<b>{documents}</b>, {share} of the row<br>{first}: {labels[i]}<br>{second}: {labels[j]}"
        data.append([cell_name(grades[i], grades[j]), about])
        written = f"{counts[i, j]:,}" + (f"<br>{share}" if len(table) <= MOST_WRITTEN else "")
        texts.append(written if len(table) <= MOST_NUMBERED else "")
        colours.append("#ffffff" if shares[i, j] > DARK else "#333333")
    y, x = np.indices(shares.shape).reshape(2, -1).tolist()
    font = {"size": 13 if len(table) <= MOST_WRITTEN else 10, "color": colours}
    return draw.written_cells(x, y, 34, data, texts, font)


def topic_agreement(
    table: pd.DataFrame, label: str, overall: tuple[float, float, float], height: int = 340
) -> draw.Figure:
    """Draw a coefficient on each topic, ascending, with intervals over documents; a band shows its overall value.

    `table` is `Agreement.by_topic`; `overall` is the coefficient over all topics with its interval. Topics on which
    the coefficient is undefined are left out. The first customdata of a dot is its topic.
    """
    known = table.dropna(subset="value").sort_values("value", kind="stable")
    places = list(range(len(known)))
    value, low, high = (known[name].to_numpy(dtype=float) for name in ("value", "low", "high"))
    dots = draw.marks(
        places,
        value,
        {"size": 8 if len(known) <= 100 else 5, "color": PALETTE[0]},
        f"<b>topic %{{customdata[1]}}</b><br>{plain(label)} %{{y:.3f}}, %{{customdata[3]}}"
        "<br>%{customdata[2]:,} documents",
        error_y=draw.spread(low, value, high, width=0),
        customdata=[
            [topic, plain(topic), count, _span(*ends)]
            for topic, count, *ends in zip(known.index, known["documents"].tolist(), low, high, strict=True)
        ],
    )
    few = len(known) <= MOST_NAMED
    names = {"tickvals": places if few else [], "ticktext": [plain(topic) for topic in known.index] if few else []}
    bottom = float(np.nanmin([0.0, *value, *low]))
    return draw.figure_of(
        [dots],
        height,
        xaxis=draw.axis("topics, lowest agreement first", showgrid=False, range=[-0.7, len(known) - 0.3], **names),
        yaxis=draw.axis(f"{plain(label)} on the topic", range=[bottom - 0.05, 1.05]),
        shapes=draw.mean_and_band(*overall),
        clickmode="event+select",
    )


def _span(low: float, high: float) -> str:
    return "no interval" if np.isnan([low, high]).any() else f"{low:.3f} to {high:.3f}"


def top_lines(table: pd.DataFrame, k: int, height: int = 400) -> draw.Figure:
    """Draw the agreement of a judge with a reference on the first k systems, and the judge's wrong and missed pairs.

    `table` comes from `top_agreement`. The upper part shows tau, rank-biased overlap and the share of the first k
    systems that both have; the lower part counts pairs. The vertical line marks `k`.
    """
    depths = table.index.to_list()
    lines = [
        draw.line(depths, table[column], {"color": colour, "width": 2}, _hover(name), name=name)
        for column, (name, colour) in LINES.items()
    ]
    bars = [
        draw.bars(depths, table[column], colour, _hover(name, ":,"), name=name, yaxis="y2")
        for column, (name, colour) in BARS.items()
    ]
    return draw.figure_of(
        [*lines, *bars],
        height,
        xaxis=draw.axis("the first k systems of the reference", anchor="y2", range=[1.5, depths[-1] + 0.5]),
        yaxis=draw.axis("agreement", domain=[0.48, 1.0], range=draw.ends(table[list(LINES)], 1.0, room=0.04)),
        yaxis2=draw.axis("pairs", domain=[0.0, 0.38]),
        shapes=[draw.upright(float(k))],
        barmode="stack",
        bargap=0.1,
    )


def _hover(name: str, form: str = ":.3f") -> str:
    return f"k %{{x}}<br>{name}: %{{y{form}}}"
