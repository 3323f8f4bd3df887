"""The parts of a measure: what a grade gains, what a rank counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.arrays import FloatArray
from evalcore.figures.style import LINE, PALETTE, axis, figure_of, plain, trace


def gain_bars(labels: Sequence[str], gains: FloatArray, height: int = 240) -> go.Figure:
    """What each grade gains."""
    bars = trace(
        "bar",
        x=[plain(label) for label in labels],
        y=gains,
        marker={"color": PALETTE[0], "line": {"width": 0}},
        hovertemplate="%{x}: gain %{y:.4g}<extra></extra>",
    )
    return figure_of([bars], height, xaxis=axis("grade", type="category"), yaxis=axis("gain"), showlegend=False)


def discount_bars(weights: FloatArray, height: int = 240) -> go.Figure:
    """What each rank counts, and the share of all weight down to it."""
    ranks = np.arange(1, len(weights) + 1)
    share = np.cumsum(weights) / max(float(weights.sum()), 1e-300)
    bars = trace(
        "bar",
        x=ranks,
        y=weights,
        customdata=share,
        marker={"color": PALETTE[0], "line": {"width": 0}},
        name="discount",
        hovertemplate="rank %{x}: counts %{y:.4g}<br>%{customdata:.1%} of the shown weight down to here<extra></extra>",
    )
    line = trace(
        "scatter",
        x=ranks,
        y=share,
        yaxis="y2",
        mode="lines",
        line={"color": LINE, "width": 2, "dash": "dot"},
        name="share of the weight down to here",
        hoverinfo="skip",
    )
    second = {**axis("", range=[0, 1.05], tickformat=".0%", showgrid=False), "overlaying": "y", "side": "right"}
    return figure_of([bars, line], height, xaxis=axis("rank"), yaxis=axis("discount"), yaxis2=second)
