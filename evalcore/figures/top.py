"""Whether a judge can be trusted at the top, and what its scores are worth where systems rank by its labels."""

from __future__ import annotations

import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import BLUE, LINE, RED

LINES = {"tau": ("τ of the first k", BLUE), "rbo": ("RBO", LINE), "common": ("common to both", "#9f701e")}
BARS = {"wrong": ("wrongly significant", RED), "missed": ("missed", "rgba(47, 111, 208, 0.4)")}


def top_lines(table: pd.DataFrame, k: int, height: int = 400) -> draw.Figure:
    """How far the first k systems by a judge are those by a reference; and pairs that its tests get wrong, or miss.

    `table` is that of `top_agreement`. Above, tau, rank-biased overlap and the share of the first k that both have;
    below, counts of pairs. The upright line stands at `k`.
    """
    depths = table.index.to_list()
    lines = [
        draw.line(depths, table[column], {"color": colour, "width": 2}, _hover(name), name=name)
        for column, (name, colour) in LINES.items()
    ]
    bars = [
        draw.bars(depths, table[column], colour, _hover(name, ":,"), name=name, yaxis="y2")
        for column, (name, colour) in BARS.items()
    ]
    low = float(min(0.0, table["tau"].min()))
    return draw.figure_of(
        [*lines, *bars],
        height,
        xaxis=draw.axis("the first k systems by the reference", anchor="y2", range=[1.5, depths[-1] + 0.5]),
        yaxis=draw.axis("agreement", domain=[0.48, 1.0], range=[low, 1.04]),
        yaxis2=draw.axis("pairs", domain=[0.0, 0.38]),
        shapes=[draw.upright(float(k))],
        barmode="stack",
        bargap=0.1,
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
    )


def _hover(name: str, form: str = ":.3f") -> str:
    return f"k %{{x}}<br>{name}: %{{y{form}}}"


def circular_lines(table: pd.DataFrame, depth: int, height: int = 400) -> draw.Figure:
    """What re-ranking by a judge's labels does: its mean score, the reference's, and tau between their rankings.

    `table` is that of `circularity`; depths stand as far apart as they are many. The upright line stands at `depth`.
    """
    names = list(map(str, table.index))
    places = list(range(len(names)))
    lines = [
        draw.line(
            places, table[column], look, f"depth %{{customdata}}<br>{name}: %{{y:.3f}}", name=name, customdata=names
        )
        for column, name, look in (
            ("tau", "τ with the reference", {"color": BLUE, "width": 3}),
            ("judge", "mean score by the judge", {"color": RED, "width": 2}),
            ("reference", "mean score by the reference", {"color": LINE, "width": 2, "dash": "dash"}),
        )
    ]
    return draw.figure_of(
        lines,
        height,
        xaxis=draw.axis("first documents that every system re-ranks by the judge", tickvals=places, ticktext=names),
        yaxis=draw.axis("τ, and mean scores", rangemode="tozero"),
        shapes=[draw.upright(float(table.index.to_list().index(depth)))],
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
    )
