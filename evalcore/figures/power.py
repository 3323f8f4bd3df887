"""The power of a test by the number of topics."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import BLUE, PALETTE, plain


def power_curves(
    curves: Mapping[str, pd.Series], wanted: float, n_topics: int, needed: float, height: int = 400
) -> draw.Figure:
    """Draw the chance of detecting a difference by the number of topics, on a log scale; a line per difference.

    `curves` maps the name of a difference to its power by number of topics; the second is the one in question, and
    `needed` is the number of topics that it needs, nan if unknown. `wanted` is the power to reach.
    """
    lines = [
        draw.line(
            list(curve.index),
            curve,
            {"color": BLUE if at == 1 else PALETTE[4], "width": 3 if at == 1 else 1.5, "dash": _DASHES[at]},
            None,
            name=plain(name),
            hovertemplate=f"%{{x:,}} topics: %{{y:.1%}}<extra>{plain(name)}</extra>",
        )
        for at, (name, curve) in enumerate(curves.items())
    ]
    marks = [(float(n_topics), f"here: {n_topics:,}", 0.02)]
    if np.isfinite(needed):
        marks.append((needed, f"needed: {needed:,.0f}", 0.1))
    return draw.figure_of(
        lines,
        height,
        xaxis=draw.axis("topics", type="log", tickformat=",", dtick="D2" if _decades(curves) < 3 else 1),
        yaxis=draw.axis("power", range=[0, 1.03], tickformat=".0%"),
        shapes=[*(draw.upright(at, dash="dash") for at, _, _ in marks), draw.level(wanted, dash="dash")],
        # on a log axis, annotations are placed by the power of ten
        annotations=[draw.note(text, float(np.log10(at)), y, "left bottom") for at, text, y in marks],
    )


_DASHES = ("dot", "solid", "dash")


def _decades(curves: Mapping[str, pd.Series]) -> float:
    topics = next(iter(curves.values())).index.to_numpy(dtype=float)
    return float(np.log10(topics.max() / topics.min()))
