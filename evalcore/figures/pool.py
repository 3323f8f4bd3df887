"""Pictures of what was assessed, and of the gains that a setting gives to it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.arrays import FloatArray
from evalcore.figures import draw
from evalcore.figures.style import DASHES, LINE, PALETTE, SystemStyle, by_family, plain


def gain_curves(
    values: FloatArray,
    curves: Mapping[str, tuple[FloatArray, FloatArray]],
    title: str,
    *,
    steps: bool,
    height: int = 210,
) -> draw.Figure:
    """What a document gains by its value on one column: one curve per setting, over the pool's own distribution.

    `values` are the pool's values; each curve is (positions, gains).
    """
    places, counts = _distribution(values)
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
            {**look, "dash": DASHES[at % len(DASHES)]},
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
        yaxis=draw.axis("u", range=[-0.05, 1.08], tickvals=[0, 0.5, 1]),
        yaxis2={"overlaying": "y", "visible": False, "rangemode": "tozero"},
        showlegend=len(curves) > 1,
        bargap=0.05,
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
) -> draw.Figure:
    """How often each grade (or band of a signal) was given; `names` are those of grades."""
    places, counts = _distribution(values)
    share = counts / max(counts.sum(), 1)
    labels = [plain((names or {}).get(place, "")) for place in places.tolist()]
    bars = draw.bars(
        places,
        counts,
        PALETTE[0],
        hover="%{x:.4g} %{customdata[1]}: %{y:,} documents (%{customdata[0]:.1%})",
        customdata=list(zip(share.tolist(), labels, strict=True)),
    )
    across = draw.axis(plain(title), **({"tickvals": places} if len(places) <= 20 else {}))
    return draw.figure_of([bars], height, xaxis=across, yaxis=draw.axis("documents"), showlegend=False, bargap=0.15)


def assessed_by_depth(shares: pd.DataFrame, styles: Mapping[str, SystemStyle], height: int = 340) -> draw.Figure:
    """Share of retrieved documents that are assessed, by depth; one line per system, one trace per family."""
    depths = [float(depth) for depth in shares.columns]
    groups = by_family(shares.index, styles)
    return draw.figure_of(
        [_depth_lines(plain(name), shares.loc[members], styles[members[0]]) for name, members in groups.items()],
        height,
        xaxis=draw.axis("depth", type="log", tickvals=depths, ticktext=[f"{depth:g}" for depth in depths]),
        yaxis=draw.axis("assessed", tickformat=".0%", range=[-0.02, 1.04]),
    )


def _depth_lines(name: str, shares: pd.DataFrame, style: SystemStyle) -> draw.Trace:
    depths = shares.columns.astype(float)
    return draw.line(
        **draw.strands(depths, shares),
        look={"color": style.colour, "width": 1.5},
        hover="%{text}<br>top %{x:.0f}: %{y:.1%} assessed",
        marker={"size": 5, "symbol": style.symbol},
        name=name,
        text=np.repeat([plain(system) for system in shares.index], len(depths) + 1),
    )


def joint_grades(table: pd.DataFrame, height: int = 300) -> draw.Figure:
    """How the grades of two aspects occur together: counts written in the cells, shade by share of the row."""
    hover = f"{plain(table.index.name)} %{{y}}, {plain(table.columns.name)} %{{x}}"
    shades = [[0, "#e8eef6"], [1, "#4168a9"]]  # opaque: plotly picks the text's colour by it
    cells = draw.cells(
        table.div(table.sum(axis=1).replace(0, 1), axis=0).to_numpy(),
        shades,
        (0, 1),
        f"{hover}: %{{text:,}} documents, %{{z:.1%}} of the row",
        x=[_short(column) for column in table.columns],
        y=[_short(row) for row in table.index],
        text=table.to_numpy(),
        texttemplate="%{text:,}",
    )
    sides = (table.columns, table.index)
    across, up = (draw.axis(plain(side.name), type="category", showgrid=False) for side in sides)
    return draw.figure_of([cells], height, xaxis=across, yaxis=up)


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else plain(value)
