"""Ranks with their doubt over topics: the interval of each rank, and how often the system is first."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.arrays import IntArray
from evalcore.figures.intervals import Rows, interval_lines
from evalcore.figures.style import FADED, HEIGHT, Styles, Trace, axis, figure_of, plain, trace

BAND = "rgba(128, 138, 150, 0.10)"


def ranks_over_topics(
    table: pd.DataFrame, styles: Styles, *, selected: Collection[str] = (), height: int = HEIGHT
) -> go.Figure:
    """Ranks of the systems with their intervals over topics, best first; bars: shares of resamples with it first.

    `table` is that of `evalcore.meta.rank_intervals`. A filled dot is a system that is not separable from the leader,
    an open one is separable; the band is behind the systems of the leader's group. Of MANY systems the first ten and
    the selected are named and in colour.
    """
    shown = table.iloc[::-1]
    count = len(shown)
    places = np.arange(count)
    opacity = [1.0 if not selected or name in selected else FADED for name in shown.index]
    rows = Rows.of(list(shown.index), selected, height)
    styles = rows.styles(styles)
    return figure_of(
        [
            interval_lines(shown["rank_low"], shown["rank_high"], places, rows.line),
            _rank_dots(shown, places, styles, opacity, rows.mark(10)),
            _chance_bars(shown, places, styles, opacity),
        ],
        rows.height,
        xaxis=axis("rank", domain=[0, 0.72], side="top", range=[0.3, count + 0.7], tickvals=_ticks(count)),
        xaxis2=axis("share first", domain=[0.76, 1.0], side="top", range=[0, 1.02], tickformat=".0%", nticks=4),
        yaxis=rows.axis(),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        shapes=_leaders_band(shown),
        bargap=0.35,
        showlegend=False,
        clickmode="event+select",
    )


def rank_bounds(table: pd.DataFrame) -> dict[str, str]:
    """The interval of each rank as a hover says it; none where nothing says how sure.

    `table` is that of `evalcore.meta.rank_intervals`.

    >>> rank_bounds(pd.DataFrame({"rank_low": [1.0, 2.0], "rank_high": [3.0, 2.0]}, index=["a", "b"]))
    {'a': '1 to 3', 'b': '2'}
    """
    both = zip(table.index, table["rank_low"].tolist(), table["rank_high"].tolist(), strict=True)
    return {name: f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}" for name, low, high in both if low <= high}


def _ticks(count: int) -> list[int]:
    step = 1 if count <= 6 else 5 if count <= 30 else 10 if count <= 100 else 50
    return sorted({1, *range(step, count + 1, step)})


def _leaders_band(shown: pd.DataFrame) -> list[dict[str, object]]:
    """Behind the systems that share a group with the leader, which stands last."""
    first = set(str(shown["groups"].iloc[-1]).split())
    shared = int(sum(bool(first & set(str(groups).split())) for groups in shown["groups"]))
    top = len(shown) - 0.5
    return [
        {
            "type": "rect", "xref": "paper", "x0": 0, "x1": 1, "y0": top - shared, "y1": top,
            "fillcolor": BAND, "line": {"width": 0}, "layer": "below",
        }
    ]  # fmt: skip


def _rank_dots(table: pd.DataFrame, places: IntArray, styles: Styles, opacity: Sequence[float], size: float) -> Trace:
    styled = [styles[name] for name in table.index]
    symbols = [
        f"{style.symbol}-open" if separable else style.symbol
        for style, separable in zip(styled, table["separable"], strict=True)
    ]
    return trace(
        "scatter",
        x=table["rank"],
        y=places,
        mode="markers",
        customdata=[
            [row[0], plain(row[0]), words] for row, words in zip(table.itertuples(), _words(table), strict=True)
        ],
        hovertemplate="<b>%{customdata[1]}</b><br>%{customdata[2]}<extra></extra>",
        marker={
            "size": size,
            "color": [style.colour for style in styled],
            "symbol": symbols,
            "opacity": list(opacity),
            "line": {"width": 1.5, "color": [style.colour for style in styled]},
        },
    )


def _words(table: pd.DataFrame) -> list[str]:
    """What each dot says when it is pointed at; the leader stands last."""
    names = ("mean", "rank", "shared", "rank_low", "rank_high", "chance_first")
    leader, columns = plain(table.index[-1]), [table[name].tolist() for name in names]
    behind = [table[name].tolist() for name in ("behind", "behind_low", "behind_high", "separable")]
    texts = []
    for mean, rank, shared, low, high, chance, lead, least, most, apart in zip(*columns, *behind, strict=True):
        lines = [f"mean {mean:.4f}, rank {rank:.0f}{f', shared by {shared:.0f}' if shared > 1 else ''}"]
        if not np.isnan(low):
            lines += [f"rank {low:.0f} to {high:.0f} over topics", f"first in {chance:.1%} of the resamples"]
        if not np.isnan(least) and least != most:
            said = "separable" if apart else "not separable"
            lines.append(f"behind {leader} by {lead:.4f} ({least:.4f} to {most:.4f}): {said}")
        texts.append("<br>".join(lines))
    return texts


def _chance_bars(table: pd.DataFrame, places: IntArray, styles: Styles, opacity: Sequence[float]) -> Trace:
    return trace(
        "bar",
        orientation="h",
        x=table["chance_first"],
        y=places,
        xaxis="x2",
        marker={
            "color": [styles[name].colour for name in table.index],
            "opacity": list(opacity),
            "line": {"width": 0},
        },
        customdata=[[name, plain(name)] for name in table.index],
        hovertemplate="<b>%{customdata[1]}</b><br>first in %{x:.1%} of the resamples<extra></extra>",
    )
