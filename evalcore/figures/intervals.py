"""Any number of parameters: where the systems end up, and which parameter moves them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd

from evalcore.figures import draw
from evalcore.figures.rows import SHARES, Rows, interval_lines
from evalcore.figures.style import HEIGHT, LINE, PALETTE, Styles, plain

RING = {"symbol": "circle-open", "color": LINE, "line": {"width": 1.5}}


def rank_intervals(
    table: pd.DataFrame, styles: Styles, *, selected: Collection[str] = (), height: int = HEIGHT
) -> draw.Figure:
    """Ranks of the systems over many settings: the line from low to high, the dot the median, the ring the default.

    `table` has the columns rank, share first, share top N, rank low, rank median and rank high; the bars beside it say
    in which share of the settings a system is first, the paler ones in the top. Of MANY systems the first ten and the
    selected are named and in colour.
    """
    shown = table.iloc[::-1]
    rows = Rows.of(shown.index, styles, selected, height)
    top = next(column for column in table.columns if column.startswith("share top"))
    numbers = shown[["rank", "rank low", "rank median", "rank high"]].astype(int)
    hover = (
        "<b>%{customdata[1]}</b><br>rank %{customdata[3]} to %{customdata[5]}, median %{customdata[4]}"
        "<br>by default %{customdata[2]}"
    )
    data = rows.named_data(*(numbers[column].tolist() for column in numbers))
    return rows.figure(
        [
            interval_lines(shown["rank low"], shown["rank high"], rows.places, rows.line),
            draw.marks(shown["rank median"], rows.places, rows.marks(9), hover, customdata=data),
            draw.marks(shown["rank"], rows.places, RING | {"size": rows.mark(13)}),
            rows.bars(shown[top], f"{top}: %{{x:.1%}}", 0.35),
            rows.bars(shown["share first"], "share first: %{x:.1%}"),
        ],
        xaxis=draw.axis("rank", domain=[0, 0.66], side="top", **rows.ranks),
        xaxis2=draw.axis(f"{top}, and first", domain=[0.7, 1.0], **SHARES),
        barmode="overlay",
        bargap=0.35,
    )


def importance_bars(table: pd.DataFrame, height: int = 0, names: Mapping[str, str] | None = None) -> draw.Figure:
    """Sobol indices of each parameter: what it explains alone (dark) and has a part in (pale), with 95% intervals.

    `names` of parameters are what they are called in the figure, where that is not their path.
    """
    shown = table.iloc[::-1].rename(index=dict(names or {}))
    bars = [
        draw.bars(
            shown[column].clip(lower=0),
            [plain(name) for name in shown.index],
            colour,
            f"<b>%{{y}}</b><br>{label}: %{{x:.3f}}",
            orientation="h",
            name=label,
            error_x=draw.spread(shown[f"{column} low"], shown[column], shown[f"{column} high"], width=2),
        )
        for column, label, colour in (("total", "with others", "#a9bbdb"), ("first", "alone", PALETTE[0]))
    ]
    most = max(1.0, float(shown["total high"].max()))
    return draw.figure_of(
        bars,
        height or 40 * len(shown) + 100,
        xaxis=draw.axis("share of the variance of τ", range=[0, most], tickformat=".0%"),
        yaxis=draw.axis("", tickfont={"size": 12}, type="category"),
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "traceorder": "reversed"},
        bargap=0.3,
    )
