"""Pictures of what was assessed, and of the gains that a setting gives to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.figures.style import LINE, PALETTE, SystemStyle, axis, family, new_figure, plain

DASHES = ("solid", "dash", "dot", "dashdot")


def gain_curves(
    values: NDArray[np.float64],
    curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
    title: str,
    *,
    steps: bool,
    height: int = 210,
) -> go.Figure:
    """What a document gains by its value on one column: one curve per setting, over the pool's own distribution.

    `values` are the pool's values; each curve is (positions, gains).
    """
    figure = new_figure(
        height,
        xaxis=axis(title),
        yaxis=axis("u", range=[-0.05, 1.08], tickvals=[0, 0.5, 1]),
        yaxis2={"overlaying": "y", "visible": False, "rangemode": "tozero"},
        showlegend=len(curves) > 1,
        bargap=0.05,
    )
    places, counts = _distribution(values)
    figure.add_trace(
        trace("bar", 
            x=places,
            y=counts,
            yaxis="y2",
            marker={"color": LINE, "opacity": 0.45, "line": {"width": 0}},
            name="assessed documents",
            showlegend=False,
            hovertemplate="%{x}: %{y:,} assessed<extra></extra>",
        )
    )
    for at, (label, (x, y)) in enumerate(curves.items()):
        line = {"color": PALETTE[0], "width": 2.5, "shape": "hvh" if steps else "linear", "dash": DASHES[at % 4]}
        hover = f"{plain(label)}<br>%{{x:.4g}} gains %{{y:.3f}}<extra></extra>"
        figure.add_trace(
            trace("scatter", 
                x=x, y=y, mode="lines+markers" if steps else "lines", line=line, name=plain(label), hovertemplate=hover
            )
        )
    return figure


def _distribution(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    known = values[~np.isnan(values)]
    levels, counts = np.unique(known, return_counts=True)
    if len(levels) <= 20:
        return levels, counts
    counts, edges = np.histogram(known, bins=30)
    return (edges[:-1] + edges[1:]) / 2, counts


def distribution(values: NDArray[np.float64], title: str, names: Sequence[str] = (), height: int = 230) -> go.Figure:
    """How often each grade (or band of a signal) was given."""
    places, counts = _distribution(values)
    figure = new_figure(height, xaxis=axis(plain(title)), yaxis=axis("documents"), showlegend=False, bargap=0.15)
    if len(places) <= 20:
        figure.update_xaxes(tickvals=places)
    share = counts / max(counts.sum(), 1)
    labels = [plain(name) for name in names] if len(names) == len(places) else [""] * len(places)
    figure.add_trace(
        trace("bar", 
            x=places,
            y=counts,
            customdata=list(zip(share, labels, strict=True)),
            marker={"color": PALETTE[0], "line": {"width": 0}},
            hovertemplate="%{x:.4g} %{customdata[1]}: %{y:,} documents (%{customdata[0]:.1%})<extra></extra>",
        )
    )
    return figure


def assessed_by_depth(shares: pd.DataFrame, styles: Mapping[str, SystemStyle], height: int = 340) -> go.Figure:
    """Share of retrieved documents that are assessed, by depth; one line per system, one trace per family."""
    depths = [float(depth) for depth in shares.columns]
    figure = new_figure(
        height,
        xaxis=axis("depth", type="log", tickvals=depths, ticktext=[f"{depth:g}" for depth in depths]),
        yaxis=axis("assessed", tickformat=".0%", range=[-0.02, 1.04]),
    )
    groups: dict[str, list[str]] = {}
    for system in shares.index:
        groups.setdefault(family(system), []).append(system)
    for name, members in groups.items():
        part = shares.loc[members]
        style = styles[members[0]]
        figure.add_trace(
            trace("scatter", 
                x=np.tile(np.append(depths, np.nan), len(part)),
                y=np.column_stack([part.to_numpy(), np.full(len(part), np.nan)]).ravel(),
                mode="lines+markers",
                line={"color": style.colour, "width": 1.5},
                marker={"size": 5, "symbol": style.symbol},
                name=plain(name),
                text=np.repeat([plain(system) for system in part.index], len(depths) + 1),
                hovertemplate="%{text}<br>top %{x:.0f}: %{y:.1%} assessed<extra></extra>",
            )
        )
    return figure


def joint_grades(table: pd.DataFrame, height: int = 300) -> go.Figure:
    """How the grades of two aspects occur together: counts written in the cells, shade by share of the row."""
    hover = f"{plain(table.index.name)} %{{y}}, {plain(table.columns.name)} %{{x}}"
    shares = table.div(table.sum(axis=1).replace(0, 1), axis=0)
    figure = new_figure(height, xaxis=axis(plain(table.columns.name)), yaxis=axis(plain(table.index.name)))
    figure.add_trace(
        trace("heatmap", 
            x=[_short(column) for column in table.columns],
            y=[_short(row) for row in table.index],
            z=shares.to_numpy(),
            text=table.to_numpy(),
            texttemplate="%{text:,}",
            colorscale=[[0, "rgba(65, 104, 169, 0.06)"], [1, "rgba(65, 104, 169, 0.85)"]],
            zmin=0,
            zmax=1,
            showscale=False,
            hovertemplate=f"{hover}: %{{text:,}} documents, %{{z:.1%}} of the row<extra></extra>",
        )
    )
    figure.update_xaxes(type="category", showgrid=False)
    figure.update_yaxes(type="category", showgrid=False)
    return figure


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else plain(value)
