"""Ranks with their doubt over topics: which ranks are left to each system, and how often it is first."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.arrays import IntArray
from evalcore.figures import draw
from evalcore.figures.intervals import Rows, interval_lines
from evalcore.figures.style import FADED, HEIGHT, Styles, plain

BAND = "rgba(128, 138, 150, 0.10)"


def ranks_over_topics(
    table: pd.DataFrame, styles: Styles, *, selected: Collection[str] = (), height: int = HEIGHT
) -> go.Figure:
    """Ranks of the systems with their 95% intervals, best first; bars: shares of resamples with it first.

    `table` is that of `evalcore.meta.rank_intervals`. The thick line is the interval of this system by itself, the thin
    one that of all systems together. A filled dot is a system that is not separable from the leader, on the band; an
    open one is separable. Of MANY systems the first ten and the selected are named and in colour.
    """
    shown = table.iloc[::-1]
    count = len(shown)
    places = np.arange(count)
    opacity = [1.0 if not selected or name in selected else FADED for name in shown.index]
    rows = Rows.of(list(shown.index), selected, height)
    styles = rows.styles(styles)
    return draw.figure_of(
        [
            interval_lines(shown["all_low"], shown["all_high"], places, min(rows.line, 1.0)),
            interval_lines(shown["rank_low"], shown["rank_high"], places, rows.line),
            _rank_dots(shown, places, styles, opacity, rows.mark(10)),
            _share_bars(shown, places, styles, opacity),
        ],
        rows.height,
        xaxis=draw.axis("rank", domain=[0, 0.72], side="top", range=[0.3, count + 0.7], tickvals=_ticks(count)),
        xaxis2=draw.axis("share first", domain=[0.76, 1.0], side="top", range=[0, 1.02], tickformat=".0%", nticks=4),
        yaxis=rows.axis(styles),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        shapes=_band(shown),
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


def _band(shown: pd.DataFrame) -> list[draw.Part]:
    """Behind the systems that are not separable from the leader: neighbours share a rectangle."""
    alike = np.flatnonzero(~shown["separable"].to_numpy(dtype=bool))
    runs = np.split(alike, np.flatnonzero(np.diff(alike) > 1) + 1)
    return [draw.box(BAND, y=(run[0] - 0.5, run[-1] + 0.5), layer="below") for run in runs]


def _rank_dots(
    table: pd.DataFrame, places: IntArray, styles: Styles, opacity: Sequence[float], size: float
) -> draw.Trace:
    styled = [styles[name] for name in table.index]
    colours = [style.colour for style in styled]
    both = zip(styled, table["separable"], strict=True)
    symbols = [f"{style.symbol}-open" if separable else style.symbol for style, separable in both]
    look = {"size": size, "color": colours, "symbol": symbols, "opacity": list(opacity)}
    return draw.marks(
        table["rank"],
        places,
        look | {"line": {"width": 1.5, "color": colours}},
        "<b>%{customdata[1]}</b><br>%{customdata[2]}",
        customdata=[[name, plain(name), words] for name, words in zip(table.index, _words(table), strict=True)],
    )


def _words(table: pd.DataFrame) -> list[str]:
    """What each dot says when it is pointed at; the leader stands last."""
    leader = plain(table.index[-1])
    return ["<br>".join(_lines(row, leader, at + 1 == len(table))) for at, row in enumerate(table.to_dict("records"))]


def _lines(row: Mapping[Hashable, Any], leader: str, leads: bool) -> list[str]:
    shared = f", shared by {row['shared']:.0f}" if row["shared"] > 1 else ""
    lines = [f"mean {row['mean']:.4f}, rank {row['rank']:.0f}{shared}"]
    if np.isfinite(row["rank_low"]):
        alone, together = (f"{row[f'{name}_low']:.0f} to {row[f'{name}_high']:.0f}" for name in ("rank", "all"))
        lines += [f"rank {alone} over topics, by itself", f"rank {together} with all systems together"]
    if np.isfinite(row["share_first"]):
        lines.append(f"first in {row['share_first']:.1%} of the resamples")
    if np.isfinite(row["behind"]) and not leads:
        apart = "separable" if row["separable"] else "not separable"
        lines.append(f"behind {leader} by {row['behind']:.4f}: {apart}")
    return lines


def _share_bars(table: pd.DataFrame, places: IntArray, styles: Styles, opacity: Sequence[float]) -> draw.Trace:
    return draw.bars(
        table["share_first"],
        places,
        [styles[name].colour for name in table.index],
        "<b>%{customdata[1]}</b><br>first in %{x:.1%} of the resamples",
        marker={"opacity": list(opacity)},
        orientation="h",
        xaxis="x2",
        customdata=[[name, plain(name)] for name in table.index],
    )
