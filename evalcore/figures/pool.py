"""Pictures of what was assessed, and of the gains that a setting gives to it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.arrays import FloatArray
from evalcore.figures.style import DASHES, LINE, PALETTE, SystemStyle, Trace, axis, by_family, figure_of, plain, trace


def gain_curves(
    values: FloatArray,
    curves: Mapping[str, tuple[FloatArray, FloatArray]],
    title: str,
    *,
    steps: bool,
    height: int = 210,
) -> go.Figure:
    """What a document gains by its value on one column: one curve per setting, over the pool's own distribution.

    `values` are the pool's values; each curve is (positions, gains).
    """
    places, counts = _distribution(values)
    pool = trace(
        "bar",
        x=places,
        y=counts,
        yaxis="y2",
        marker={"color": LINE, "opacity": 0.45, "line": {"width": 0}},
        name="assessed documents",
        showlegend=False,
        hovertemplate="%{x}: %{y:,} assessed<extra></extra>",
    )
    lines = [_curve(label, x, y, steps, DASHES[at % len(DASHES)]) for at, (label, (x, y)) in enumerate(curves.items())]
    return figure_of(
        [pool, *lines],
        height,
        xaxis=axis(title),
        yaxis=axis("u", range=[-0.05, 1.08], tickvals=[0, 0.5, 1]),
        yaxis2={"overlaying": "y", "visible": False, "rangemode": "tozero"},
        showlegend=len(curves) > 1,
        bargap=0.05,
    )


def _curve(label: str, x: FloatArray, y: FloatArray, steps: bool, dash: str) -> Trace:
    return trace(
        "scatter",
        x=x,
        y=y,
        mode="lines+markers" if steps else "lines",
        line={"color": PALETTE[0], "width": 2.5, "shape": "hvh" if steps else "linear", "dash": dash},
        name=plain(label),
        hovertemplate=f"{plain(label)}<br>%{{x:.4g}} gains %{{y:.3f}}<extra></extra>",
    )


def _distribution(values: FloatArray) -> tuple[FloatArray, NDArray[np.int64]]:
    known = values[~np.isnan(values)]
    levels, counts = np.unique(known, return_counts=True)
    if len(levels) <= 20:
        return levels, counts
    counts, edges = np.histogram(known, bins=30)
    return (edges[:-1] + edges[1:]) / 2, counts


def distribution(
    values: FloatArray, title: str, names: Mapping[float, str] | None = None, height: int = 230
) -> go.Figure:
    """How often each grade (or band of a signal) was given; `names` are those of grades."""
    places, counts = _distribution(values)
    share = counts / max(counts.sum(), 1)
    labels = [plain((names or {}).get(place, "")) for place in places.tolist()]
    bars = trace(
        "bar",
        x=places,
        y=counts,
        customdata=list(zip(share.tolist(), labels, strict=True)),
        marker={"color": PALETTE[0], "line": {"width": 0}},
        hovertemplate="%{x:.4g} %{customdata[1]}: %{y:,} documents (%{customdata[0]:.1%})<extra></extra>",
    )
    across = axis(plain(title), **({"tickvals": places} if len(places) <= 20 else {}))
    return figure_of([bars], height, xaxis=across, yaxis=axis("documents"), showlegend=False, bargap=0.15)


def assessed_by_depth(shares: pd.DataFrame, styles: Mapping[str, SystemStyle], height: int = 340) -> go.Figure:
    """Share of retrieved documents that are assessed, by depth; one line per system, one trace per family."""
    depths = [float(depth) for depth in shares.columns]
    groups = by_family(shares.index, styles)
    return figure_of(
        [_depth_lines(plain(name), shares.loc[members], styles[members[0]]) for name, members in groups.items()],
        height,
        xaxis=axis("depth", type="log", tickvals=depths, ticktext=[f"{depth:g}" for depth in depths]),
        yaxis=axis("assessed", tickformat=".0%", range=[-0.02, 1.04]),
    )


def _depth_lines(name: str, shares: pd.DataFrame, style: SystemStyle) -> Trace:
    depths = np.append(np.array(shares.columns, dtype=float), np.nan)
    return trace(
        "scatter",
        x=np.tile(depths, len(shares)),
        y=np.column_stack([shares.to_numpy(), np.full(len(shares), np.nan)]).ravel(),
        mode="lines+markers",
        line={"color": style.colour, "width": 1.5},
        marker={"size": 5, "symbol": style.symbol},
        name=name,
        text=np.repeat([plain(system) for system in shares.index], len(depths)),
        hovertemplate="%{text}<br>top %{x:.0f}: %{y:.1%} assessed<extra></extra>",
    )


def joint_grades(table: pd.DataFrame, height: int = 300) -> go.Figure:
    """How the grades of two aspects occur together: counts written in the cells, shade by share of the row."""
    hover = f"{plain(table.index.name)} %{{y}}, {plain(table.columns.name)} %{{x}}"
    shares = table.div(table.sum(axis=1).replace(0, 1), axis=0)
    cells = trace(
        "heatmap",
        x=[_short(column) for column in table.columns],
        y=[_short(row) for row in table.index],
        z=shares.to_numpy(),
        text=table.to_numpy(),
        texttemplate="%{text:,}",
        colorscale=[[0, "#e8eef6"], [1, "#4168a9"]],  # opaque: plotly picks the text's colour by it
        zmin=0,
        zmax=1,
        showscale=False,
        hovertemplate=f"{hover}: %{{text:,}} documents, %{{z:.1%}} of the row<extra></extra>",
    )
    across, up = (axis(plain(side.name), type="category", showgrid=False) for side in (table.columns, table.index))
    return figure_of([cells], height, xaxis=across, yaxis=up)


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else plain(value)
