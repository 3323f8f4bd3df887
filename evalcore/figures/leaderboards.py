"""What people draw of leaderboards: who stands where, which mean ranks differ, who beats whom."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.figures import draw
from evalcore.figures.intervals import Rows, interval_lines
from evalcore.figures.style import FADED, HEIGHT, LINE, PALETTE, Styles, plain, system_label
from evalcore.leaderboard import CriticalDifference

MOST_CELLS = 80  # systems whose names stand beside a matrix of wins
NUMBERED = 14  # systems up to which the shares stand in the cells
WINS = ((0.0, "#b2182b"), (0.5, "#f4f4f4"), (1.0, "#2166ac"))


def standing_lines(
    table: pd.DataFrame, styles: Styles, *, title: str = "score", selected: Collection[str] = (), height: int = HEIGHT
) -> go.Figure:
    """The number of each system with its interval, the best on top; `table` is that of `standings`."""
    shown = table.iloc[::-1]
    names, places = [str(name) for name in shown.index], np.arange(len(shown))
    rows = Rows.of(names, selected, height)
    look = rows.styles(styles)
    hovers = [[name, plain(name), int(missing)] for name, missing in zip(names, shown["missing"], strict=True)]
    hover = "<b>%{customdata[1]}</b><br>%{x:.4f}<br>%{customdata[2]} missing"
    return draw.figure_of(
        [
            interval_lines(shown["low"], shown["high"], places, rows.line),
            draw.marks(
                shown["estimate"], places, _marks(names, look, rows.mark(9), selected), hover, customdata=hovers
            ),
        ],
        rows.height,
        xaxis=draw.axis(title, side="top", **draw.decimals()),
        yaxis=rows.axis(look),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        clickmode="event+select",
    )


def _marks(names: Sequence[str], styles: Styles, size: float, selected: Collection[str]) -> draw.Part:
    return {
        "size": size,
        "symbol": [styles[name].symbol for name in names],
        "color": [styles[name].colour for name in names],
        "opacity": [1.0 if not selected or name in selected else FADED for name in names],
    }


def critical_differences(
    found: CriticalDifference,
    styles: Styles,
    *,
    groups: Sequence[Sequence[str]] = (),
    selected: Collection[str] = (),
    height: int = HEIGHT,
) -> go.Figure:
    """Mean ranks, the best on top, and at the right bars that join systems which are not separable.

    Dark bars are those of the test of mean ranks; pale ones `groups` of another test, such as those of the scores
    themselves (`rank_intervals`). The line at the foot is as long as the critical difference, where there is one.
    """
    names = [str(name) for name in found.ranks.index][::-1]
    rows = Rows.of(names, selected, height)
    look = rows.styles(styles)
    place = {name: at for at, name in enumerate(names)}
    values = found.ranks.to_numpy()[::-1]
    hovers = [[name, plain(name)] for name in names]
    joined = [(group, PALETTE[0]) for group in found.groups] + [
        (group, "#b8bec6") for group in groups if len(group) > 1
    ]
    count = max(len(joined), 1)
    bars = [
        draw.line([at, at], [min(ends) - 0.3, max(ends) + 0.3], {"color": colour, "width": 5}, xaxis="x2")
        for at, (group, colour) in enumerate(joined)
        if (ends := [place[name] for name in group if name in place])
    ]
    length = [] if np.isnan(found.difference) else [_length(found, values)]
    return draw.figure_of(
        [
            draw.marks(
                values,
                np.arange(len(names)),
                _marks(names, look, rows.mark(9), selected),
                "<b>%{customdata[1]}</b><br>mean rank %{x:.2f}",
                customdata=hovers,
            ),
            *length,
            *bars,
        ],
        rows.height,
        xaxis=draw.axis("mean rank", domain=[0, 0.62], side="top"),
        xaxis2=draw.axis(
            "not separable", domain=[0.66, 1.0], side="top", range=[-0.7, count - 0.3], showticklabels=False,
            showgrid=False,
        ),
        yaxis=rows.axis(look),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        clickmode="event+select",
    )  # fmt: skip


def _length(found: CriticalDifference, ranks: np.ndarray) -> draw.Trace:
    """A line as long as the critical difference, at the foot, from the best mean rank on."""
    start = float(ranks.min())
    ends = [start, start + found.difference]
    hover = f"critical difference {found.difference:.3f}"
    return draw.line(
        ends,
        [-0.6, -0.6],
        {"color": LINE, "width": 3},
        hover,
        marker={"symbol": "line-ns-open", "size": 10, "color": LINE},
    )


def win_matrix(shares: pd.DataFrame, styles: Styles, *, height: int = 0) -> go.Figure:
    """The share of topics on which the system of a row beats that of a column, as `win_shares` has it."""
    names = [system_label(str(name), styles) for name in shares.index]
    named = {"tickvals": list(range(len(names))), "ticktext": names, "showgrid": False}
    shown = named if len(names) <= MOST_CELLS else {"showticklabels": False, "showgrid": False}
    hovers = [[f"{plain(row)} beats {plain(column)}" for column in shares.columns] for row in shares.index]
    cells = draw.cells(
        shares.to_numpy(), [list(one) for one in WINS], (0.0, 1.0), "%{customdata}<br>on %{z:.0%} of their topics",
        customdata=hovers,
    )  # fmt: skip
    numbers = [_numbers(shares)] if len(names) <= NUMBERED else []
    return draw.figure_of(
        [cells, *numbers],
        height or int(min(max(140 + 22 * len(names), 320), 760)),
        xaxis=draw.axis("", side="top", tickangle=-40, **shown),
        yaxis=draw.axis("", range=[len(names) - 0.5, -0.5], **shown),
        showlegend=False,
    )


def _numbers(shares: pd.DataFrame) -> draw.Trace:
    rows, columns = (places.tolist() for places in np.nonzero(shares.notna().to_numpy()))
    values = shares.to_numpy()[rows, columns]
    colours = np.where(np.abs(values - 0.5) > 0.3, "#ffffff", "#333333").tolist()
    font = {"size": 11, "color": colours}
    names = [plain(str(name)) for name in shares.index]
    data = [
        [f"{row} {column}", f"{names[row]} beats {names[column]}<br>on {value:.0%} of their topics"]
        for row, column, value in zip(rows, columns, values, strict=True)
    ]
    return draw.written_cells(columns, rows, 22, data, [f"{value:.0%}" for value in values], font)
