"""The parts of a measure: what a grade gains, what a rank counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.arrays import FloatArray
from evalcore.figures import draw
from evalcore.figures.style import LINE, PALETTE, plain


def gain_bars(labels: Sequence[str], gains: FloatArray, height: int = 240) -> go.Figure:
    """What each grade gains."""
    bars = draw.bars([plain(label) for label in labels], gains, PALETTE[0], "%{x}: gain %{y:.4g}")
    across, up = draw.axis("grade", type="category"), draw.axis("gain")
    return draw.figure_of([bars], height, xaxis=across, yaxis=up, showlegend=False)


def discount_bars(weights: FloatArray, height: int = 240) -> go.Figure:
    """What each rank counts, and the share of all weight down to it."""
    ranks = np.arange(1, len(weights) + 1)
    share = np.cumsum(weights) / max(float(weights.sum()), 1e-300)
    hover = "rank %{x}: counts %{y:.4g}<br>%{customdata:.1%} of the shown weight down to here"
    bars = draw.bars(ranks, weights, PALETTE[0], hover, customdata=share, name="discount")
    look = {"color": LINE, "width": 2, "dash": "dot"}
    line = draw.line(ranks, share, look, yaxis="y2", name="share of the weight down to here")
    second = draw.axis("", range=[0, 1.05], tickformat=".0%", showgrid=False, overlaying="y", side="right")
    return draw.figure_of([bars, line], height, xaxis=draw.axis("rank"), yaxis=draw.axis("discount"), yaxis2=second)
