"""Many judges by how far their ranking is the reference's, with what each of them is made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import BLUE, LINE, RED, plain

ROW = 20  # pixels of a level
WIDE = 20  # times the cheapest: from there on costs are drawn by their logarithm
MOST_NAMED = 12  # judges on a map
LOOKS = ((BLUE, "circle"), (RED, "diamond"), (LINE, "square"), ("#9f701e", "cross"), ("#333333", "x"))  # by size


def judge_curve(table: pd.DataFrame, factors: Sequence[str], height: int = 260) -> draw.Figure:
    """tau of every judge, the lowest first, blue where it has the reference's winner; beneath, the levels of factors.

    `table` is that of `multiverse`, and `factors` are those of its columns that are drawn.
    """
    places = list(range(len(table)))
    names = [plain(name) for name in table.index]
    dots = [_dots(table, names, places, same) for same in (True, False)]
    levels = [(factor, level) for factor in factors for level in sorted(map(str, table[factor].unique()), reverse=True)]
    taken = [
        (at, row)
        for row, (factor, level) in enumerate(levels)
        for at, cell in enumerate(table[factor].astype(str))
        if cell == level
    ]
    x, y = ([levels[side] for levels in taken] for side in (0, 1))
    marks = draw.marks(x, y, {"symbol": "square", "size": 7, "color": LINE}, yaxis="y2")
    rows = ROW * max(len(levels), 1)
    split = rows / (height + rows)
    ticks = [f"{plain(factor)}: {plain(level)}" for factor, level in levels]
    return draw.figure_of(
        [*dots, marks],
        height + rows,
        xaxis=draw.axis(
            "judges, the lowest τ first", anchor="y2", showticklabels=False, range=[-0.7, len(table) - 0.3]
        ),
        yaxis=draw.axis("τ with the reference", domain=[split + 0.04, 1.0]),
        yaxis2=draw.axis("", domain=[0.0, split], **draw.ticks(ticks), range=[-0.6, len(levels) - 0.4]),
    )


def _dots(table: pd.DataFrame, names: list[str], places: list[int], same: bool) -> draw.Trace:
    chosen = [at for at in places if bool(table["same_winner"].iloc[at]) == same]
    return draw.marks(
        chosen,
        table["tau"].iloc[chosen],
        {"size": 9, "color": BLUE if same else RED},
        "<b>%{customdata[0]}</b><br>τ %{y:.3f}<br>first: %{customdata[1]}",
        name="the reference's winner" if same else "another winner",
        customdata=[[names[at], plain(table["winner"].iloc[at])] for at in chosen],
    )


def judge_map(places: pd.DataFrame, taus: pd.Series, height: int = 380) -> draw.Figure:
    """Judges, the reference among them, by how alike their rankings are: near means alike, the axes mean nothing else.

    `places` is the map of a `Multiverse`; `taus` are those of every judge with the reference. Few are named, of many
    the reference alone.
    """
    given = [name in taus.index for name in places.index]
    parts = [
        draw.marks(
            part["x"],
            part["y"],
            look,
            "<b>%{customdata[0]}</b><br>%{customdata[1]}",
            name=name,
            mode="markers" if of_judges and len(places) > MOST_NAMED else "markers+text",
            text=[plain(name) for name in part.index],
            textposition="top center",
            customdata=[
                [plain(judge), f"τ {taus[judge]:.3f}" if of_judges else "the reference"] for judge in part.index
            ],
        )
        for name, of_judges, part, look in (
            ("judges", True, places[given], {"size": 9, "color": BLUE}),
            ("the reference", False, places[~np.array(given)], {"size": 13, "color": RED, "symbol": "star"}),
        )
    ]
    none = {"showticklabels": False}
    return draw.figure_of(
        parts,
        height,
        xaxis=draw.axis("1 − τ apart", **none),
        yaxis=draw.axis("", scaleanchor="x", **none),
    )


def panel_costs(table: pd.DataFrame, height: int = 340) -> draw.Figure:
    """tau of every panel of judges over what a label of it costs; a line joins those that none as cheap is better than.

    `table` is that of `panels`.
    """
    best = table[table["frontier"]]
    line = draw.line(best["cost"], best["tau"], {"color": BLUE, "width": 2, "shape": "hv"}, name="frontier")
    sizes = [
        draw.marks(
            part["cost"],
            part["tau"],
            {"size": 7, "color": colour, "symbol": symbol},
            "<b>%{customdata[0]}</b><br>cost %{x:,.4g}, τ %{y:.3f}",
            name="one judge" if size == 1 else f"{size} judges",
            customdata=[[plain(names)] for names in part["judges"]],
        )
        for (size, part), (colour, symbol) in zip(table.groupby("size"), LOOKS, strict=False)
    ]
    wide = best["cost"].min() > 0 and best["cost"].max() > WIDE * best["cost"].min()
    return draw.figure_of(
        [line, *sizes],
        height,
        xaxis=draw.axis("cost of a label", **({"type": "log"} if wide else {"rangemode": "tozero"})),
        yaxis=draw.axis("τ with the reference"),
    )
