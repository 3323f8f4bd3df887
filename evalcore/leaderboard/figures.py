"""The figure of a leaderboard: the score of each system with its interval."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from evalcore.figures import draw
from evalcore.figures.rows import Rows, interval_lines
from evalcore.figures.style import HEIGHT, Styles


def standing_lines(
    table: pd.DataFrame, styles: Styles, *, title: str = "score", selected: Collection[str] = (), height: int = HEIGHT
) -> draw.Figure:
    """Draw each system's score with its interval, the best on top; `table` is the result of `standings`."""
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
