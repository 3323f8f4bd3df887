"""Small figures for the gallery: what a page shows, without its detail."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from evalcore.figures.endless import Ends
from evalcore.figures.style import BLUE, BLUES, RED, axis, figure_of, plain, trace

HEIGHT = 230


def small_matrix(table: pd.DataFrame) -> go.Figure:
    """A square table of correlations as shades, a darker one for a higher value."""
    names = [plain(name) for name in table.index]
    shades = trace(
        "heatmap",
        z=table.to_numpy(),
        x=names,
        y=names,
        zmax=1,
        colorscale=BLUES,
        showscale=False,
        xgap=1,
        ygap=1,
        hovertemplate="%{y}, %{x}: %{z:.3f}<extra></extra>",
    )
    hidden = axis("", showticklabels=False, showgrid=False)
    return figure_of([shades], HEIGHT, xaxis=hidden, yaxis=axis("", autorange="reversed", showgrid=False))


def difference_bars(differences: pd.Series, above: str, below: str) -> go.Figure:
    """One bar per topic, sorted: up where the first system is better, down where the second is."""
    differences = Ends.of(differences).place(differences)
    bars = trace(
        "bar",
        x=[plain(topic) for topic in differences.index],
        y=differences.to_numpy(),
        marker={"color": [BLUE if value > 0 else RED for value in differences]},
        hovertemplate="topic %{x}: %{y:+.4f}<extra></extra>",
    )
    words = [(0.01, 0.98, above, "left", "top"), (0.99, 0.02, below, "right", "bottom")]
    notes = [
        {"x": x, "y": y, "text": plain(text), "xanchor": across, "yanchor": up, "xref": "paper", "yref": "paper"}
        | {"showarrow": False}
        for x, y, text, across, up in words
    ]
    topics = axis("topics", type="category", showticklabels=False, showgrid=False)
    return figure_of([bars], HEIGHT, xaxis=topics, yaxis=axis(""), annotations=notes)
