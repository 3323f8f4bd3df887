"""Figures of leaderboards: standings, and which system beats which."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.rows import Rows, interval_lines
from evalcore.figures.style import HEIGHT, Styles, plain, system_label

MOST_CELLS = 80  # systems whose names stand beside a matrix of wins
NUMBERED = 14  # systems up to which the shares stand in the cells
WINS = ((0.0, "#b2182b"), (0.5, "#f4f4f4"), (1.0, "#2166ac"))


def standing_lines(
    table: pd.DataFrame, styles: Styles, *, title: str = "score", selected: Collection[str] = (), height: int = HEIGHT
) -> draw.Figure:
    """The number of each system with its interval, the best on top; `table` is that of `standings`."""
    shown = table.iloc[::-1]
    rows = Rows.of(shown.index, styles, selected, height)
    hover = "<b>%{customdata[1]}</b><br>%{x:.4f}<br>%{customdata[2]} missing"
    data = rows.named_data(shown["missing"].astype(int).tolist())
    return rows.figure(
        [
            interval_lines(shown["low"], shown["high"], rows.places, rows.line),
            draw.marks(shown["estimate"], rows.places, rows.marks(9), hover, customdata=data),
        ],
        xaxis=draw.axis(title, side="top", **draw.decimals()),
    )


def win_matrix(shares: pd.DataFrame, styles: Styles, *, height: int = 0) -> draw.Figure:
    """The share of topics on which the system of a row beats that of a column, as `win_shares` has it."""
    names = [system_label(str(name), styles) for name in shares.index]
    labelled = len(names) <= MOST_CELLS
    named = draw.ticks(names) if labelled else {}
    first = 0 if labelled else 1  # without names the rows and columns are counted from the best
    # Slanted, the names of many would lie on each other.
    across = {"tickangle": -40 if len(names) <= NUMBERED else -90, **named} if labelled else {}
    scale = {} if len(names) <= NUMBERED else {"showscale": True, "colorbar": {"tickformat": ".0%", "thickness": 10}}
    hovers = [[f"{plain(row)} beats {plain(column)}" for column in shares.columns] for row in shares.index]
    cells = draw.cells(
        shares.to_numpy(), [list(colour) for colour in WINS], (0.0, 1.0),
        "%{customdata}<br>on %{z:.0%} of their topics", customdata=hovers, x0=first, y0=first, **scale,
    )  # fmt: skip
    numbers = [_numbers(shares)] if len(names) <= NUMBERED else []
    return draw.figure_of(
        [cells, *numbers],
        height or int(min(max(140 + 22 * len(names), 320), 760)),
        xaxis=draw.axis("", side="top", showgrid=False, **across),
        yaxis=draw.axis("", range=[len(names) - 0.5 + first, first - 0.5], showgrid=False, **named),
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
