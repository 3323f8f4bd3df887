"""Weights of aspects: the winner at each weighting, and the best attainable scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.errors import InputError
from evalcore.figures import draw
from evalcore.figures.labels import END_NAMES, end_names
from evalcore.figures.style import HEIGHT, PALETTE, Styles, plain, system_label
from evalcore.meta import best_first, winners

NAMED = 40  # a system that wins more weightings than these is named on its area
BESIDE_EQUAL = 0.09  # distance from equal shares, where the star is by default
IN_FRONT, APART = 4, 20  # best systems with a line in the strip, taken at every 20th weighting


def weight_map(means: pd.DataFrame, current: FloatArray, styles: Styles) -> draw.Figure:
    """Draw the winner under each weighting of two aspects (a strip) or three (a triangle); `current` is marked.

    `means` is the result of `evalcore.explain.weightings.means_by_weighting`. Raises InputError for any other number of
    aspects.
    """
    aspects = list(map(str, means.index.names))
    if len(aspects) == 3:
        return weight_triangle(means.index.to_frame().to_numpy(), means, current, styles, aspects)
    if len(aspects) != 2:
        raise InputError(f"expected weights of two or three aspects to draw, found {len(aspects)}")
    shares = means.index.get_level_values(0).to_numpy()
    return weight_strip(shares, means, float(current[0]), styles, aspects, _in_front(means))


def _in_front(means: pd.DataFrame) -> list[str]:
    """Return the systems that win at some weighting, then others that are among the best at some weighting."""
    some = means.iloc[::APART]
    best = (best_first(some.iloc[at]).index[:IN_FRONT] for at in range(len(some)))
    return list(dict.fromkeys([*winners(means), *(name for names in best for name in names)]))


def weight_strip(
    shares: FloatArray,
    means: pd.DataFrame,
    current: float,
    styles: Styles,
    aspects: Sequence[str],
    shown: Sequence[str],
    height: int = HEIGHT,
) -> draw.Figure:
    """Draw the mean scores of some systems by the weight of the first of two aspects, with the winner in a band below.

    `shares` (G,) are the weights of the first aspect, `means` is weightings x systems.
    """
    firsts = means.columns.get_indexer(pd.Index(winners(means)))
    lines = [
        draw.line(
            shares,
            means[system].to_numpy(),
            {"color": styles[system].colour, "width": 2.5, "dash": styles[system].dash},
            hover=f"<b>{plain(system)}</b><br>weight %{{x:.2f}}: %{{y:.4f}}",
            name=system_label(system, styles),
        )
        for system in shown
    ]
    first = plain(aspects[0])
    drawn = means[list(shown)]
    return draw.figure_of(
        lines,
        height,
        **end_names(drawn, *_ends(drawn), height, styles=styles),
        showlegend=len(shown) > END_NAMES,
        xaxis=draw.axis(f"weight of {first}", range=[0, 1], **draw.decimals(1)),
        yaxis=draw.axis("mean score", **draw.decimals()),
        shapes=[*_ground(shares, firsts, list(means.columns), styles), draw.upright(current)],
    )


def _ends(drawn: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of the axis that plotly fits to these lines."""
    known = drawn.to_numpy(dtype=np.float64)
    known = known[np.isfinite(known)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    return (low, high) if low < high else (low - 1, high + 1)


def _ground(shares: FloatArray, firsts: IntArray, systems: list[str], styles: Styles) -> list[draw.Part]:
    """Return a band at the foot of the figure for each interval with one winner."""
    ends = np.flatnonzero(np.diff(firsts)) + 1
    starts, stops = np.append(0, ends), np.append(ends, len(firsts) - 1)
    return [
        draw.box(styles[systems[firsts[start]]].colour, (float(shares[start]), float(shares[stop])), (0, 0.045))
        | {"yref": "paper"}
        for start, stop in zip(starts, stops, strict=True)
    ]


def weight_triangle(
    grid: FloatArray, means: pd.DataFrame, current: FloatArray, styles: Styles, aspects: Sequence[str]
) -> draw.Figure:
    """Draw every weighting of three aspects as a point of a triangle, in the colour of its winner."""
    firsts = means.columns.get_indexer(pd.Index(winners(means)))
    best = means.to_numpy()[np.arange(len(means)), firsts]
    traces = [
        _corner_points(grid[firsts == at], best[firsts == at], str(means.columns[at]), styles)
        for at in pd.Series(firsts).value_counts().index
    ]
    names = [_ground_name(grid[firsts == at], str(means.columns[at]), styles) for at in np.unique(firsts).tolist()]
    star = {"symbol": "star", "size": 17, "color": "#ffffff", "line": {"width": 2, "color": "#111111"}}
    here = _in_triangle(current[None], mode="markers", name="now", marker=star, hovertemplate="now<extra></extra>")
    bare = {"gridcolor": "rgba(0,0,0,0)", "tickformat": ".1f", "nticks": 5}
    sides = zip("abc", map(plain, aspects), strict=True)
    corners = {f"{corner}axis": {"title": {"text": name}, **bare} for corner, name in sides}
    return draw.figure_of(
        [*traces, _ground_names([name for name in names if name]), here],
        margin={"l": 90, "r": 90, "t": 40, "b": 40},
        ternary={"sum": 1, "bgcolor": "rgba(0,0,0,0)", "domain": {"y": [0, 0.93]}, **corners},
    )


def _in_triangle(shares: FloatArray, **more: Any) -> draw.Trace:
    """Draw marks at weightings (N, 3) in the triangle."""
    return draw.trace("scatterternary", **dict(zip("abc", shares.T, strict=True)), **more)


def only_weights(figure: draw.Figure, current: FloatArray) -> draw.Figure:
    """Return the part of a strip or triangle that changes with the present weights, for a path."""
    traces: list[draw.Trace] = [{"type": drawn.type} for drawn in figure.data]
    if len(current) == 2:
        ground: list[draw.Part] = [{} for _ in figure.layout.shapes[1:]]
        return draw.new_figure(data=traces, layout={"shapes": [*ground, draw.upright(float(current[0]))]})
    star = _in_triangle(current[None], name=figure.data[-1].name)  # without a name it would vanish from the legend
    return draw.new_figure(data=[*traces[1:], star], layout={})


def _corner_points(grid: FloatArray, best: FloatArray, system: str, styles: Styles) -> draw.Trace:
    hover = f"<b>{plain(system)}</b> wins with %{{customdata:.4f}}<br>%{{a:.2f}}, %{{b:.2f}}, %{{c:.2f}}<extra></extra>"
    return _in_triangle(
        grid,
        mode="markers",
        name=system_label(system, styles),
        customdata=best,
        cliponaxis=False,
        marker={"symbol": "hexagon", "size": 14, "color": styles[system].colour, "line": {"width": 0}},
        hovertemplate=hover,
    )


def _ground_name(grid: FloatArray, system: str, styles: Styles) -> tuple[FloatArray, str, float] | None:
    """Return (weighting, name, width) for the name of a system on its area; None if the area is small.

    The weighting is the one nearest to the middle, if possible not in the row with the default (equal) weights.
    """
    if len(grid) <= NAMED:
        return None
    free = grid[np.abs(grid[:, 0] - 1 / 3) > BESIDE_EQUAL]
    known = free if len(free) else grid
    middle = known[((known - grid.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    row = grid[np.isclose(grid[:, 0], middle[0])]
    across = np.abs(row[:, 2] - middle[2])[[0, -1]]
    return middle, system_label(system, styles), 2 * float(across.min())


def _ground_names(names: Sequence[tuple[FloatArray, str, float]]) -> draw.Trace:
    """Draw the names of systems on their areas."""
    places = np.array([place for place, _, _ in names]).reshape(-1, 3)
    return _in_triangle(
        places,
        mode="text",
        text=[name for _, name, _ in names],
        meta={"within": [share for _, _, share in names]},
        textfont={"color": "#ffffff", "size": 13},
        hoverinfo="skip",
        cliponaxis=False,
    )


def bound_boxes(bounds: pd.DataFrame, title: str) -> draw.Figure:
    """Draw the scores of candidate rankings, a box for each topic (Maistro et al. 2021, Figure 2).

    Topics are in increasing order of their best score.
    """
    ordered = bounds.loc[bounds.max(axis=1).sort_values(kind="stable").index]
    boxes = draw.trace(
        "box",
        x=np.repeat([plain(topic) for topic in ordered.index], ordered.shape[1]),
        y=ordered.to_numpy().ravel(),
        boxpoints="all",
        jitter=0.2,
        pointpos=0,
        marker={"size": 3, "color": PALETTE[0]},
        line={"width": 1, "color": PALETTE[0]},
        text=np.tile([plain(strategy) for strategy in ordered.columns], len(ordered)),
        hovertemplate="topic %{x}<br>%{text}: %{y:.4f}<extra></extra>",
    )
    low = max(0.0, float(ordered.to_numpy().min()) - 0.05)
    return draw.figure_of(
        [boxes],
        HEIGHT - 120,
        xaxis=draw.topics("topics, ordered by the best attainable score"),
        yaxis=draw.axis(title, range=[low, 1.02], **draw.decimals()),
        shapes=[draw.level(0.9), draw.level(1.0)],
    )
