"""The plane of two labels, with lines of equal distance to the best pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.figures import draw
from evalcore.figures.style import PALETTE, plain

Curve = tuple[FloatArray, FloatArray]
CURVE = "rgba(70, 130, 220, 0.6)"
NOTHING = "\u00a0"  # plotly removes an empty text from the page, and cannot replace it later
PLANE = 465  # height in pixels, so that the winner above and the positions beside it fit on one screen
STEEPEST = 4.0  # ratio of the two spans up to which both axes have the same unit


def shade(share: float) -> str:
    """Return the colour of a class: faint for the worst (0), full for the best (1); grey if there is none (nan).

    >>> shade(1.0)
    'rgba(65, 104, 169, 1.00)'
    """
    return "rgba(128, 138, 150, 0.15)" if math.isnan(share) else f"rgba(65, 104, 169, {0.08 + 0.92 * share:.2f})"


def equal_distance(radius: float, power: float, weights: tuple[float, float], reach: float) -> Curve:
    """Return the curve w1 * across^p + w2 * up^p = radius^p, as two arrays: the gaps across and the gaps up.

    For an infinite power, the larger of w1 * across and w2 * up is the radius. If an aspect has weight 0, the curve is
    a straight line of length `reach`.
    """
    if 0 in weights:
        weight = max(weights) if math.isinf(power) else max(weights) ** (1 / power)
        straight, free = np.full(2, radius / weight), np.array([0.0, reach])
        return (straight, free) if weights[1] == 0 else (free, straight)
    if math.isinf(power):
        across, up = (radius / weight for weight in weights)
        return np.array([across, across, 0.0]), np.array([0.0, up, up])
    turn = np.linspace(0, np.pi / 2, 49)
    across, up = (radius * weight ** (-1 / power) for weight in weights)
    return across * np.cos(turn) ** (2 / power), up * np.sin(turn) ** (2 / power)


def label_plane(
    marks: pd.DataFrame,
    curves: Sequence[Curve],
    across: tuple[str, Sequence[float], Sequence[str]],
    up: tuple[str, Sequence[float], Sequence[str]],
) -> draw.Figure:
    """Draw tuples of two labels at their positions, with lines of equal distance to the best (Maistro et al. Figure 1).

    `marks` has x, y, share (0 worst to 1 best), documents, text, hover, best. `across` and `up` each hold the title of
    an axis, the positions of its labels from worst to best, and their names.
    """
    lines = [
        np.concatenate([np.append(best - curve[at], np.nan) for curve in curves] or [np.array([])])
        for at, best in enumerate((across[1][-1], up[1][-1]))
    ]
    spans = [max(ends[1]) - min(ends[1]) or 1.0 for ends in (across, up)]
    same_unit = max(spans) <= STEEPEST * min(spans)
    room = 0.14 * min(max(spans), STEEPEST * min(spans)) if same_unit else 0.0
    x, y = (_label_axis(*side, room or 0.14 * span) for side, span in zip((across, up), spans, strict=True))
    contours = draw.line(lines[0], lines[1], {"color": CURVE, "width": 1}, hover=None)
    return draw.figure_of(
        [contours | {"hoverinfo": "skip"}, _tuple_marks(marks)],
        PLANE,
        xaxis=x | ({"constrain": "domain"} if same_unit else {}),
        yaxis=y | ({"constrain": "domain", "scaleanchor": "x"} if same_unit else {}),
    )


def _tuple_marks(marks: pd.DataFrame) -> draw.Trace:
    """Draw a mark for each tuple; the size of the mark grows with the number of documents that have the tuple."""
    most = max(float(marks["documents"].max()), 1.0) if len(marks) else 1.0
    few = len(marks) <= 60
    low, high = (11, 44) if few else (4, 18)
    size = low + (high - low) * np.sqrt(marks["documents"] / most)
    return draw.marks(
        marks["x"].to_numpy(),
        marks["y"].to_numpy(),
        {
            "size": np.where(marks["best"], size + 8, size),
            "symbol": ["star" if best else "circle" for best in marks["best"]] if few else "circle",
            **_shades(marks["share"], few),
            "line": {"width": 1.2 if few else 0.5, "color": PALETTE[0]},
            "opacity": 1.0,
        },
        hover="%{customdata}",
        mode="markers+text" if few else "markers",
        text=[text or NOTHING for text in marks["text"]],
        textposition="top right",
        textfont={"size": 13},
        customdata=marks["hover"].tolist(),
        cliponaxis=False,
    )


def _shades(shares: pd.Series, few: bool) -> dict[str, Any]:
    """Return the colours of marks; for many marks as numbers on a scale, which plotly draws faster."""
    if few:
        return {"color": [shade(share) for share in shares]}
    return {"color": shares.to_numpy(), "cmin": 0, "cmax": 1, "colorscale": [[0, shade(0.0)], [1, shade(1.0)]]}


def _label_axis(title: str, positions: Sequence[float], names: Sequence[str], room: float) -> dict[str, Any]:
    """Return an axis with a tick for each label; labels at the same position share a tick."""
    shared: dict[float, list[str]] = {}
    for position, name in zip(positions, names, strict=True):
        shared.setdefault(position, []).append("<br>".join(map(plain, wrap(name, 12))) or plain(name))
    texts = ["<br>".join(dict.fromkeys([*joined, f"{at:g}"])) for at, joined in shared.items()]
    ends = [min(positions) - room, max(positions) + room]
    return draw.axis(plain(title), tickvals=list(shared), ticktext=texts, range=ends)
