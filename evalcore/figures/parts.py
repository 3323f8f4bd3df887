"""Figures of a measure's parts: the gain of each grade and the discount of each rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray
from evalcore.figures import draw
from evalcore.figures.style import LINE, PALETTE, look_of_line, plain


def gain_bars(labels: Sequence[str], gains: FloatArray, height: int = 240, title: str = "grade") -> draw.Figure:
    """Draw the gain of each grade."""
    bars = draw.bars([plain(label) for label in labels], gains, PALETTE[0], "%{x}: gain %{y:.4g}")
    across, up = draw.axis(plain(title), type="category"), draw.axis("gain", rangemode="tozero")
    return draw.figure_of([bars], height, xaxis=across, yaxis=up)


def gain_curves(
    values: FloatArray,
    curves: Mapping[str, tuple[FloatArray, FloatArray]],
    title: str,
    *,
    steps: bool,
    top: float = 1.0,
    height: int = 210,
) -> draw.Figure:
    """Draw the gain by the value in one column: a curve for each setting, over the distribution of the values.

    `values` are the pool's values; each curve is (positions, gains), and `top` is the highest possible gain.
    """
    places, counts = in_bands(values)
    pool = draw.bars(
        places,
        counts,
        LINE,
        hover="%{x}: %{y:,} assessed",
        marker={"opacity": 0.45},
        yaxis="y2",
        name="assessed documents",
        showlegend=False,
    )
    look = {"color": PALETTE[0], "width": 2.5, "shape": "hvh" if steps else "linear"}
    lines = [
        draw.line(
            x,
            y,
            {**look, "dash": look_of_line(at)["dash"]},
            f"{plain(label)}<br>%{{x:.4g}} gains %{{y:.3f}}",
            name=plain(label),
            mode="lines+markers" if steps else "lines",
        )
        for at, (label, (x, y)) in enumerate(curves.items())
    ]
    return draw.figure_of(
        [pool, *lines],
        height,
        xaxis=draw.axis(title),
        yaxis=draw.axis("u", range=[-0.05 * top, 1.08 * top], tickvals=[0, 0.5 * top, top], tickformat=".3~g"),
        yaxis2={"overlaying": "y", "visible": False, "rangemode": "tozero"},
        showlegend=len(curves) > 1,
        bargap=0.05,
    )


def in_bands(values: FloatArray) -> tuple[FloatArray, NDArray[np.int64]]:
    """Return the distinct values and their counts; if there are more than 20, the middles and counts of 30 bands."""
    known = values[~np.isnan(values)]
    levels, counts = np.unique(known, return_counts=True)
    if len(levels) <= 20:
        return levels, counts
    counts, edges = np.histogram(known, bins=30)
    return (edges[:-1] + edges[1:]) / 2, counts


def discount_bars(weights: FloatArray, height: int = 240) -> draw.Figure:
    """Draw the discount of each rank, and the share of all weight down to each rank."""
    ranks = np.arange(1, len(weights) + 1)
    share = np.cumsum(weights) / max(float(weights.sum()), 1e-300)
    hover = "rank %{x}: discount %{y:.4g}<br>%{customdata:.1%} of the shown weight up to this rank"
    bars = draw.bars(ranks, weights, PALETTE[0], hover, customdata=share, name="discount")
    look = {"color": LINE, "width": 2, "dash": "dot"}
    line = draw.line(ranks, share, look, yaxis="y2", name="share of the weight up to this rank")
    second = draw.axis("", range=[0, 1.05], tickformat=".0%", showgrid=False, overlaying="y", side="right")
    return draw.figure_of([bars, line], height, xaxis=draw.axis("rank"), yaxis=draw.axis("discount"), yaxis2=second)
