"""What each rank of one ranking adds to a score."""

from __future__ import annotations

import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import LINE, PALETTE, plain

FEWEST = 6  # ranks that have room, so that bars of a short ranking are no wider
PATTERNS = ("", "/", "x", ".")


def rank_credits(credits: pd.DataFrame, most: pd.Series, height: int = 320) -> draw.Figure:
    """Bars of what each measure (column) credits at each rank (row), below the most that the rank can give."""
    ranks = credits.index.to_numpy()
    ceiling = draw.bars(
        ranks,
        most,
        LINE,
        hover="rank %{x}: at most %{y:.4f}",
        marker={"opacity": 0.22},
        width=0.92,
        name="the most a rank can give",
    )
    share = 0.84 / max(len(credits.columns), 1)
    bars = [
        draw.trace(
            "bar",
            x=ranks,
            y=credits[name],
            width=0.94 * share,
            offset=-0.42 + at * share,
            marker={"color": PALETTE[at], "pattern": {"shape": PATTERNS[at % len(PATTERNS)], "size": 6}},
            name=plain(name),
            hovertemplate=f"{plain(name)}<br>rank %{{x}} adds %{{y:.4f}}<extra></extra>",
        )
        for at, name in enumerate(credits)
    ]
    return draw.figure_of(
        [ceiling, *bars],
        height,
        barmode="overlay",
        xaxis=draw.axis("rank", tickvals=ranks, showgrid=False, range=[0.4, max(len(ranks), FEWEST) + 0.6]),
        yaxis=draw.axis("credit", range=[0, 1.06 * float(most.max())]),
    )
