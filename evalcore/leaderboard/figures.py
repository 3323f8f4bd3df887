"""What people draw of leaderboards: who stands where, who beats whom."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from evalcore.figures import draw
from evalcore.figures.rows import Rows, interval_lines
from evalcore.figures.style import HEIGHT, Styles

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
