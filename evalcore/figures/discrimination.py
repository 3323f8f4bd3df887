"""Pairs of systems that a measure separates, and the differences of one pair by topic."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import less
from evalcore.figures import draw
from evalcore.figures.draw import Ends, score_text
from evalcore.figures.style import (
    BLUE,
    GRID,
    HEIGHT,
    LINE,
    RED,
    Styles,
    look_of_line,
    plain,
    system_label,
    system_ticks,
)

MOST_POINTS = 2400  # drawn in one figure of curves or strips
MOST_TOPICS = 80  # named below their bars
MOST_NAMED = 60  # systems that get a label on the axes of the matrix
MOST_CLICKED = 150  # systems up to which a click on the matrix reports the pair
MOST_STARRED = 9  # curves up to which the legend has room for the name of a pair
Pair = tuple[str, str]


def pair_name(a: str, b: str) -> str:
    """Return the text that a click on a pair reports: a JSON list of its two systems.

    >>> pair_name("run1", "run2")
    '["run1", "run2"]'
    """
    return json.dumps([a, b])


# --- ASL curves -------------------------------------------------------------------------------------------------------


def asl_curves(
    curves: Mapping[str, pd.DataFrame],
    alpha: float,
    n_resamples: int,
    pair: Pair | None = None,
    styles: Styles | None = None,
) -> draw.Figure:
    """Draw ASL curves (Sakai 2006): pairs of systems by falling ASL, a line for each measure.

    Pairs below alpha differ significantly. `curves` maps a measure's name to `PairedBootstrap.curve()`. An ASL of 0 is
    drawn below the smallest possible ASL above 0. `pair` is marked on every curve.
    """
    floor = 0.5 / n_resamples
    most = max(60, MOST_POINTS // max(len(curves), 1))
    lines = [_asl_line(name, curve, floor, at, most) for at, (name, curve) in enumerate(curves.items())]
    marks = [_pair_marks(curves, floor, pair, styles)] if pair else []
    decades = [10.0**-power for power in range(int(np.floor(np.log10(n_resamples))) + 1)]
    bottom, top = float(np.log10(floor)) - 0.12, 0.12
    return draw.figure_of(
        [*lines, *marks],
        HEIGHT + 5 * max(0, len(lines) - 9),  # room for the names
        xaxis=draw.axis("pairs of systems, highest ASL first", tickformat=".0%", range=[-0.01, 1.01]),
        yaxis=draw.axis("ASL", type="log", range=[bottom, top], tickvals=[*decades, floor])
        | {"ticktext": [*(f"{value:g}" for value in decades), "0"]},
        clickmode="event+select",
        shapes=[draw.box(GRID, y=(10**bottom, alpha), layer="below"), draw.level(alpha, dash="dash", width=1.5)],
        annotations=[draw.note(f"α = {alpha:g}; below: significant", 0, float(np.log10(alpha)), "left top", "x")],
        showlegend=True,
        legend_itemsizing="trace",
    )


def _asl_line(name: str, curve: pd.DataFrame, floor: float, at: int, most: int) -> draw.Trace:
    shown = draw.evenly(len(curve), most)
    part = curve.iloc[shown]
    return draw.line(
        (shown + 0.5) / len(curve),
        np.maximum(part["asl"].to_numpy(), floor),
        {**look_of_line(at), "width": 2},
        f"{plain(name)}<br>{_HOVER}",
        name=plain(name),
        # marks too small to be seen, because plotly reports clicks only on marks
        marker={"size": 0.1, "color": look_of_line(at)["color"]},
        customdata=_pair_data(part),
    )


_HOVER = "<b>%{customdata[1]}</b><br>%{customdata[2]}<br>difference %{customdata[3]:.4f}, ASL %{customdata[4]:.4f}"


def _pair_data(pairs: pd.DataFrame) -> list[list[Any]]:
    columns = (pairs[name].tolist() for name in ("system_a", "system_b", "difference", "asl"))
    return [[pair_name(a, b), plain(a), plain(b), gap, asl] for a, b, gap, asl in zip(*columns, strict=True)]


def _pair_marks(curves: Mapping[str, pd.DataFrame], floor: float, pair: Pair, styles: Styles | None) -> draw.Trace:
    xs, ys, colours = [], [], []
    for at, curve in enumerate(curves.values()):
        where = np.flatnonzero(_is_pair(curve, pair))
        xs += ((where + 0.5) / len(curve)).tolist()
        ys += np.maximum(curve["asl"].to_numpy()[where], floor).tolist()
        colours += [look_of_line(at)["color"]] * len(where)
    return draw.marks(
        xs,
        ys,
        {"symbol": "star", "size": 14, "color": colours, "line": {"width": 1, "color": "#ffffff"}},
        name=" | ".join(system_label(system, styles) for system in pair),
        showlegend=len(curves) <= MOST_STARRED,
    )


def _is_pair(pairs: pd.DataFrame, pair: Pair) -> np.ndarray[Any, np.dtype[np.bool_]]:
    a, b = pairs["system_a"].to_numpy(), pairs["system_b"].to_numpy()
    return np.asarray(((a == pair[0]) & (b == pair[1])) | ((a == pair[1]) & (b == pair[0])))


# --- one pair ---------------------------------------------------------------------------------------------------------


def topic_differences(
    differences: pd.Series, interval: tuple[float, float], names: Pair, height: int = 380, styles: Styles | None = None
) -> draw.Figure:
    """Draw the difference of two systems on each topic, by size, with its mean and the mean's confidence interval.

    Above 0 the first system is better. Infinite differences are on a line of their own, and then there is no mean and
    no interval. If the variation of the difference is unknown, the mean has no interval.
    """
    ordered = differences.sort_values(ascending=False, kind="stable")
    ends = Ends.of(ordered)
    values = ends.place(ordered).to_numpy(dtype=float)
    with np.errstate(invalid="ignore"):
        mean = float(differences.mean())
    bars = draw.bars(
        [plain(topic) for topic in ordered.index],
        values,
        np.where(values >= 0, BLUE, RED),
        "topic %{x}: %{customdata}",
        customdata=[score_text(value, sign="+") for value in ordered],
        **({"text": [score_text(value) if np.isinf(value) else "" for value in ordered]} if ends.used else {}),
    )
    band = [draw.box("rgba(128, 138, 150, 0.28)", y=interval, layer="below")] if np.isfinite(interval).all() else []
    line = [draw.level(mean, width=1.5, dash="dash")] if np.isfinite(mean) else []
    a, b = (system_label(name, styles) for name in names)
    few = len(ordered) <= MOST_TOPICS
    return draw.figure_of(
        [bars],
        height,
        xaxis=draw.topics("topics, ordered by difference", showgrid=False, showticklabels=few),
        yaxis=draw.axis("difference", zeroline=True, zerolinecolor=LINE),
        shapes=[*band, *line],
        annotations=[
            draw.note(f"<span style='color:{BLUE}'>▲</span> {a} is better", 1, 1.0, "right top", "xy", None),
            draw.note(f"<span style='color:{RED}'>▼</span> {b} is better", 0, 0.0, "left bottom", "xy", None),
        ],
        bargap=0.15,
    )


# --- all pairs --------------------------------------------------------------------------------------------------------


def pair_matrix(
    systems: Sequence[str], pairs: pd.DataFrame, alpha: float, height: int = HEIGHT, styles: Styles | None = None
) -> draw.Figure:
    """Draw a matrix of systems x systems, best first: the colour shows the better of two that differ significantly.

    `pairs` has system_a, system_b, difference and p, which is compared with alpha. A click reports the pair.
    """
    verdict, p, difference = (np.full((len(systems), len(systems)), np.nan) for _ in range(3))
    place = {name: at for at, name in enumerate(systems)}
    a, b = (pairs[name].map(place).to_numpy() for name in ("system_a", "system_b"))
    for rows, columns, sign in ((a, b, 1), (b, a, -1)):
        difference[rows, columns] = sign * pairs["difference"]
        p[rows, columns] = pairs["p"]
        apart = less(pairs["p"], alpha)  # false if p is nan
        verdict[rows, columns] = np.where(apart, sign * np.sign(pairs["difference"]), 0)
    side: dict[str, Any] = {"type": "category", "showgrid": False}
    return draw.figure_of(
        [_verdicts(systems, verdict, p, difference), *_verdict_legend()],
        height,
        xaxis=draw.axis("the same systems in the same order", showticklabels=False, ticks="", **side),
        yaxis=draw.axis("", autorange="reversed", dtick=1, showticklabels=len(systems) <= MOST_NAMED, **side)
        | {"tickfont": {"size": 10}, **system_ticks(systems, styles)},
        clickmode="event+select",
    )


def _verdicts(systems: Sequence[str], verdict: FloatArray, p: FloatArray, difference: FloatArray) -> draw.Trace:
    names, size = [plain(name) for name in systems], len(systems)
    gap = 1 if size <= MOST_NAMED else 0
    hover, pairs = "<b>%{y}</b><br>against %{x}", None
    if size <= MOST_CLICKED:
        pairs = [
            [
                [pair_name(row, column), score_text(difference[r, c], sign="+"), score_text(p[r, c])]
                for c, column in enumerate(systems)
            ]
            for r, row in enumerate(systems)
        ]
        hover += "<br>difference %{customdata[1]}<br>p %{customdata[2]}"
    shades = [[0, RED], [0.5, "rgba(128, 138, 150, 0.22)"], [1, BLUE]]
    where = {"x": names, "y": names, "xgap": gap, "ygap": gap}
    return draw.cells(verdict, shades, (-1, 1), hover, customdata=pairs, hoverongaps=False, **where)


def _verdict_legend() -> list[draw.Trace]:
    entries = (("row is better", BLUE), ("column is better", RED), ("not significant", "rgba(128, 138, 150, 0.4)"))
    return [draw.key(name, {"symbol": "square", "size": 11, "color": colour}) for name, colour in entries]
