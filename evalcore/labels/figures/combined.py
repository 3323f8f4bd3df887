"""The figure of mean scores with human and model labels together, and with each separately."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.rows import TIGHT, interval_lines
from evalcore.figures.style import BLUE, LINE, RED, Styles, opacities, plain, system_label

SHOWN = 20  # systems, as each has three rows
APART = 0.24  # distance of lines, as a share of a row
TRUE = "with all human labels"


def combined_scores(
    lines: Mapping[str, pd.DataFrame],
    styles: Styles,
    true: pd.Series | None = None,
    *,
    selected: Collection[str] = (),
    shown: int = SHOWN,
    height: int = 0,
) -> draw.Figure:
    """Draw mean scores of the first systems with intervals: with both kinds of labels, and with each kind alone.

    `lines` are tables of systems with mean, low and high; the first table gives the order. Ticks mark the `true`
    scores, if known. Unknown intervals are not drawn.
    """
    first = next(iter(lines.values())).head(shown).index[::-1]
    places = np.arange(len(first), dtype=np.float64)
    traces = []
    for at, (name, table) in enumerate(lines.items()):
        rows, level, colour = table.loc[first], places + APART * (1 - at), (BLUE, LINE, RED)[at]
        traces.append(interval_lines(rows["low"], rows["high"], level, 2.5, colour))
        traces.append(_dots(rows, level, name, colour, selected))
    if true is not None:
        mark = {"symbol": "line-ns-open", "size": 20, "color": LINE, "line": {"width": 1.5, "color": LINE}}
        traces.append(draw.marks(true.loc[first], places, mark, None, name=TRUE))
    names = [system_label(name, styles) for name in first]
    return draw.figure_of(
        traces,
        height or 90 + 30 * len(first),
        xaxis=draw.axis("mean score", side="top"),
        yaxis=draw.axis("", **draw.ticks(names), tickfont={"size": 11}, range=[-0.7, len(first) - 0.3]),
        legend={"orientation": "h", "y": 0, "yanchor": "top", "x": 0},
        margin=TIGHT,
        clickmode="event+select",
    )


def _dots(rows: pd.DataFrame, level: np.ndarray, name: str, colour: str, selected: Collection[str]) -> draw.Trace:
    symbol = "circle" if colour != RED else "circle-open"
    ends = [_ends(low, high) for low, high in zip(rows["low"], rows["high"], strict=True)]
    return draw.marks(
        rows["mean"],
        level,
        {"size": 8, "color": colour, "opacity": opacities(rows.index, selected), "symbol": symbol},
        f"<b>%{{customdata[1]}}</b><br>{name}: %{{x:.4f}}%{{customdata[2]}}",
        name=name,
        customdata=[[system, plain(system), text] for system, text in zip(rows.index, ends, strict=True)],
    )


def _ends(low: float, high: float) -> str:
    return "" if np.isnan(low) else f", {low:.4f} to {high:.4f}"
