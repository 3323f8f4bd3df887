"""Mean scores of systems, as bars or along one parameter."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.io import templates

from evalcore.figures import draw
from evalcore.figures.style import HEIGHT, Styles, plain, system_label

ROW = 18  # pixels of a system


def score_bars(means: pd.Series, styles: Styles, *, title: str = "", height: int = 0) -> go.Figure:
    """Draw the mean score of each system, in the order of the series from the top; an infinite score has no bar."""
    names = [system_label(name, styles) for name in means.index]
    bars = draw.bars(
        means.replace([np.inf, -np.inf], np.nan).to_numpy(dtype=float),
        names,
        [styles[name].colour for name in means.index],
        hover="%{text}: %{x:.4f}",
        orientation="h",
        text=[plain(name) for name in means.index],
        textposition="none",
    )
    return draw.figure_of(
        [bars],
        height or 90 + ROW * max(len(means), 5),
        title={"text": plain(title), "font": {"size": 14}},
        xaxis=draw.axis("mean score", rangemode="tozero"),
        yaxis=draw.axis("", type="category", autorange="reversed", dtick=1, showgrid=False),
        margin={"l": 8, "r": 8, "t": 44, "b": 8},
        bargap=0.25,
    )


def score_lines(means: pd.DataFrame, styles: Styles, *, title: str = "", height: int = HEIGHT) -> go.Figure:
    """Draw the mean scores of systems (columns) over the values of a parameter (rows): a line for each system.

    Values that are not numbers are drawn at equal distances.
    """
    numbers = pd.api.types.is_numeric_dtype(means.index)
    places = means.index.to_numpy(dtype=float) if numbers else [plain(value) for value in means.index]
    lines = [
        draw.line(
            places,
            means[name].replace([np.inf, -np.inf], np.nan).to_numpy(dtype=float),
            {"color": styles[name].colour, "dash": styles[name].dash, "width": 2},
            hover=f"{plain(name)}<br>%{{x}}: %{{y:.4f}}",
            marker={"symbol": styles[name].symbol, "size": 7},
            name=system_label(name, styles),
        )
        for name in means.columns
    ]
    across = draw.axis(plain(title or means.index.name or ""), **({} if numbers else {"type": "category"}))
    return draw.figure_of(lines, height, xaxis=across, yaxis=draw.axis("mean score"), legend={"orientation": "v"})


def on_white(figure: go.Figure) -> go.Figure:
    """Set the white template of pages and reports, and return the figure."""
    figure.layout.template = templates["plotly_white"]  # given only by name, plotly could not write HTML
    return figure
