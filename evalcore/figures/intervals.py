"""Any number of parameters: where the systems end up, and which parameter moves them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.arrays import FloatArray, IntArray
from evalcore.figures import draw
from evalcore.figures.labels import pushed_apart
from evalcore.figures.style import FADED, HEIGHT, LINE, MANY, PALE, PALETTE, Styles, plain, system_label

TALL = 900  # of a figure with a row for each of many systems
LEADERS, LETTERS = 10, 13  # how many of many are named; pixels from one name to the next
RING = {"symbol": "circle-open", "color": LINE, "line": {"width": 1.5}}


def rank_intervals(
    table: pd.DataFrame, styles: Styles, *, selected: Collection[str] = (), height: int = HEIGHT
) -> go.Figure:
    """Ranks of the systems over many settings: the line from low to high, the dot the median, the ring the default.

    `table` has the columns rank, share first, share top N, rank low, rank median and rank high; the bars beside it say
    in which share of the settings a system is first, the paler ones in the top. Of MANY systems the first ten and the
    selected are named and in colour.
    """
    shown = table.iloc[::-1]
    places = np.arange(len(shown))
    rows = Rows.of(list(shown.index), selected, height)
    styles = rows.styles(styles)
    top = next(column for column in table.columns if column.startswith("share top"))
    opacity = [1.0 if not selected or name in selected else FADED for name in shown.index]
    return draw.figure_of(
        [
            interval_lines(shown["rank low"], shown["rank high"], places, rows.line),
            _interval_dots(shown, places, styles, opacity, rows.mark(9)),
            draw.marks(shown["rank"], places, RING | {"size": rows.mark(13)}),
            *_share_bars(shown, places, (top, "share first"), styles, opacity),
        ],
        rows.height,
        xaxis=draw.axis(
            "rank", domain=[0, 0.66], side="top", range=[0.3, len(shown) + 0.7], tickvals=_ticks(len(shown))
        ),
        xaxis2=draw.axis(f"{top}, and first", domain=[0.7, 1.0], side="top", range=[0, 1.02], tickformat=".0%"),
        yaxis=rows.axis(styles),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        barmode="overlay",
        bargap=0.35,
        showlegend=False,
        clickmode="event+select",
    )


@dataclass(frozen=True)
class Rows:
    """A row for each system, the best on top; many rows are thin, and a few of them named."""

    systems: list[str]  # from below
    named: list[int]  # the rows that have names
    height: int

    @classmethod
    def of(cls, systems: list[str], selected: Collection[str], height: int) -> Rows:
        """The rows of a figure of at least this height."""
        count = len(systems)
        if count < MANY:
            return cls(systems, list(range(count)), max(height, 60 + 23 * count // 2))
        named = [at for at, name in enumerate(systems) if at >= count - LEADERS or name in selected]
        return cls(systems, named, max(height, TALL))

    @property
    def many(self) -> bool:
        return len(self.systems) >= MANY

    @property
    def line(self) -> float:
        """The width of the line in each row."""
        return 1 if self.many else 3

    def mark(self, usual: float) -> float:
        """The size of the mark in each row."""
        return 5 if self.many else usual

    def styles(self, styles: Styles) -> Styles:
        """Those without a name are pale."""
        if not self.many:
            return styles
        named = {self.systems[at] for at in self.named}
        return {name: styles[name] if name in named else replace(styles[name], colour=PALE) for name in self.systems}

    def axis(self, styles: Styles | None = None) -> dict[str, Any]:
        """The axis with the names, which stand apart even where their rows do not."""
        count, places = len(self.systems), np.array(self.named, dtype=np.float64)
        ends = -0.8, count - 0.2
        if self.many:
            places = pushed_apart(places, LETTERS * count / (self.height - 60), *ends)
        names = [system_label(self.systems[at], styles) for at in self.named]
        font = {"size": 11 if count <= 30 else 10}
        grid = {"range": list(ends), "showgrid": not self.many}
        return draw.axis("", tickvals=places, ticktext=names, tickfont=font, **grid)


def _ticks(count: int) -> list[int]:
    step = 5 if count <= 30 else 10 if count <= 100 else 50
    return [1, *range(step, count + 1, step)]


def interval_lines(
    low: pd.Series, high: pd.Series, places: IntArray | FloatArray, width: float = 3, colour: str = LINE, **more: Any
) -> draw.Trace:
    """A line from low to high at each place, with a gap after each."""
    return draw.line(draw.gapped(low, high), draw.gapped(places, places), {"color": colour, "width": width}, **more)


def _interval_dots(
    table: pd.DataFrame, places: IntArray, styles: Styles, opacity: Sequence[float], size: float
) -> draw.Trace:
    columns = ["rank", "rank low", "rank median", "rank high"]
    rows = table[columns].astype(int).values.tolist()
    look = {"size": size, "opacity": list(opacity), "symbol": [styles[name].symbol for name in table.index]}
    return draw.marks(
        table["rank median"],
        places,
        look | {"color": [styles[name].colour for name in table.index]},
        "<b>%{customdata[1]}</b><br>rank %{customdata[3]} to %{customdata[5]}, median %{customdata[4]}"
        "<br>by default %{customdata[2]}",
        customdata=[[name, plain(name), *row] for name, row in zip(table.index, rows, strict=True)],
    )


def _share_bars(
    table: pd.DataFrame, places: IntArray, columns: Sequence[str], styles: Styles, opacity: Sequence[float]
) -> list[draw.Trace]:
    colours = [styles[name].colour for name in table.index]
    return [
        draw.bars(
            table[column],
            places,
            colours,
            hover=f"<b>%{{customdata[1]}}</b><br>{column}: %{{x:.1%}}",
            marker={"opacity": [strength * one for one in opacity]},
            orientation="h",
            xaxis="x2",
            customdata=[[name, plain(name)] for name in table.index],
        )
        for column, strength in zip(columns, (0.35, 1.0), strict=True)
    ]


def importance_bars(table: pd.DataFrame, height: int = 0) -> go.Figure:
    """Sobol indices of each parameter: what it explains alone (dark) and has a part in (pale), with 95% intervals."""
    shown = table.iloc[::-1]
    bars = [
        draw.bars(
            shown[column].clip(lower=0),
            [plain(name) for name in shown.index],
            colour,
            f"<b>%{{y}}</b><br>{label}: %{{x:.3f}}",
            orientation="h",
            name=label,
            error_x=draw.spread(shown[f"{column} low"], shown[column], shown[f"{column} high"], width=2),
        )
        for column, label, colour in (("total", "with others", "#a9bbdb"), ("first", "alone", PALETTE[0]))
    ]
    most = max(1.0, float(shown["total high"].max()))
    return draw.figure_of(
        bars,
        height or 40 * len(shown) + 100,
        xaxis=draw.axis("share of the variance of τ", range=[0, most], tickformat=".0%"),
        yaxis=draw.axis("", tickfont={"size": 12}, type="category"),
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "traceorder": "reversed"},
        bargap=0.3,
    )
