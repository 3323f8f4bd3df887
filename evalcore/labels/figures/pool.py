"""Figures of a pool: assessed documents, their gains, their teams, and the ranking without some of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.errors import counted
from evalcore.figures import draw
from evalcore.figures.parts import in_bands
from evalcore.figures.style import BLUE, HEIGHT, MANY, PALE, PALETTE, RED, Styles, by_family, plain

OTHERS = "rgba(128, 138, 150, 0.45)"
MOST_DOTS = 5000  # dots that a browser draws at once
SPREAD = 0.34  # half-width of a column, in which systems with the same change are spread
HERE: dict[str, Any] = {"color": RED, "width": 1.5}
SOLID, BELOW = {"dash": "solid"}, {"layer": "below"}


def distribution(
    values: FloatArray, title: str, names: Mapping[float, str] | None = None, height: int = 230
) -> draw.Figure:
    """Draw the frequency of each grade (or band of a signal); `names` are the names of grades."""
    places, counts = in_bands(values)
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
    return draw.figure_of([bars], height, xaxis=across, yaxis=draw.axis("documents"), bargap=0.15)


def assessed_by_depth(shares: pd.DataFrame, styles: Styles, height: int = 340) -> draw.Figure:
    """Draw the share of assessed documents by depth; one line per system, one trace per family.

    Many systems without families are drawn pale, with their median on top.
    """
    depths, families = shares.columns.astype(float), by_family(shares.index, styles)
    crowded = len(shares) >= MANY and len(families) == 1
    lines = [
        draw.line(
            **draw.strands(depths, shares.loc[members]),
            look={"color": PALE if crowded else styles[members[0]].colour, "width": 1.5},
            opacity=0.3 if crowded else 1,
            hover="%{text}<br>top %{x:.0f}: %{y:.1%} assessed",
            marker={"size": 5, "symbol": styles[members[0]].symbol},
            name=plain(name),
            text=np.repeat([plain(system) for system in members], len(depths) + 1),
        )
        for name, members in families.items()
    ]
    if crowded:
        median, hover = shares.median(), "median of the systems<br>top %{x:.0f}: %{y:.1%} assessed"
        lines.append(draw.line(depths, median, {"color": BLUE, "width": 3}, hover=hover, name="median"))
        lines[0].update(name="a system", showlegend=True)
    return draw.figure_of(
        lines,
        height,
        xaxis=draw.axis("depth", type="log", tickvals=depths, ticktext=[f"{depth:g}" for depth in depths]),
        yaxis=draw.axis("assessed", tickformat=".0%", range=draw.ends(shares, room=0.04)),
    )


def joint_grades(table: pd.DataFrame, height: int = 300) -> draw.Figure:
    """Draw how often grades of two aspects occur together: cells show counts, shaded by their share of the row."""
    hover = f"{plain(table.index.name)} %{{y}}, {plain(table.columns.name)} %{{x}}"
    shades = [[0, "#e8eef6"], [1, "#4168a9"]]  # opaque, as plotly chooses the text colour from it
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


def changes_without(
    changes: pd.DataFrame, groups: Mapping[str, str], styles: Styles, *, height: int = HEIGHT
) -> draw.Figure:
    """Draw the ranks that systems gain or lose without each group: the group's systems in colour, all others in grey.

    `changes` has a row for each group and a column for each system, above 0 for a rise; `groups` maps systems to
    groups. Systems with the same change are drawn side by side. If there are more than MOST_DOTS grey dots, one dot
    represents all other systems with the same change.
    """
    names, systems = [str(name) for name in changes.index], [str(name) for name in changes.columns]
    values = changes.to_numpy()
    own = np.array([[groups[system] == name for system in systems] for name in names]).reshape(values.shape)
    across = np.arange(len(names))[:, None] + _beside(values, own)

    def dots(shown: BoolArray, look: Mapping[str, Any], legend: str) -> draw.Trace:
        row, column = np.nonzero(shown)
        texts = [systems[at] for at in column]
        return _dots(across[shown], values[shown], [names[at] for at in row], texts, look, legend)

    looks = [styles[systems[at]] for at in np.nonzero(own)[1]]
    marks = {"color": [style.colour for style in looks], "symbol": [style.symbol for style in looks]}
    pale, legend = {"size": 4, "color": OTHERS}, "the others"
    many = (~own).sum() > MOST_DOTS
    ticks = [plain(name) for name in names] if len(names) < MANY else [""] * len(names)
    columns = {**_slant(len(names)), "range": [-0.6, len(names) - 0.4]}
    return draw.figure_of(
        [
            _together(values, own, names, pale, legend) if many else dots(~own, pale, legend),
            dots(own, {"size": 9 if len(systems) < MANY else 6, **marks}, "its own systems"),
        ],
        height,
        xaxis=draw.axis(plain(changes.index.name or "left out"), **draw.ticks(ticks), showgrid=False, **columns),
        yaxis=draw.axis("ranks gained or lost", tickformat="d"),
        shapes=[draw.level(0.0, **SOLID) | BELOW],
        clickmode="event+select",
    )


def _beside(values: IntArray, own: BoolArray) -> FloatArray:
    """Return the (G, S) horizontal offset of each dot in its column, so that equal dots do not hide each other."""
    result = np.zeros(values.shape)
    for row, (listed, mine) in enumerate(zip(values, own, strict=True)):
        for value in np.unique(listed):
            at = np.flatnonzero(listed == value)
            at = at[np.argsort(~mine[at], kind="stable")]  # the group's own systems in the middle
            place = np.arange(len(at))
            side = np.where(place % 2, 1, -1) * ((place + 1) // 2)
            result[row, at] = side * min(0.06, SPREAD / max(len(at) // 2, 1))
    return result


def _together(values: IntArray, own: BoolArray, names: list[str], look: Mapping[str, Any], legend: str) -> draw.Trace:
    """Draw one dot in each column for all other systems with the same change."""
    counts = [
        (at, value, counted(count, "system"))
        for at, (listed, mine) in enumerate(zip(values, own, strict=True))
        for value, count in zip(*(part.tolist() for part in np.unique(listed[~mine], return_counts=True)), strict=True)
    ]
    rows, changes, texts = (list(column) for column in zip(*counts, strict=True))
    return _dots(np.array(rows), np.array(changes), [names[at] for at in rows], texts, look, legend)


def _dots(
    across: FloatArray | IntArray,
    up: IntArray,
    groups: list[str],
    texts: list[str],
    look: Mapping[str, Any],
    legend: str,
) -> draw.Trace:
    """Draw dots with hover texts; the first customdata of a dot is its group."""
    rows = [[group, plain(text), plain(group)] for group, text in zip(groups, texts, strict=True)]
    hover = "%{customdata[1]}: %{y:+d} without %{customdata[2]}"
    return draw.marks(across, up, look, hover, customdata=rows, name=legend)


def tau_of_parts(table: pd.DataFrame, at: float | None = None, *, height: int = 380) -> draw.Figure:
    """Draw tau and tau_AP of rankings from pools of lower depth, with the ranking from the full pool, by depth.

    The depth `at` is marked. `table` has the columns tau, tau_ap, assessed and same first, by depth. Marks are
    hollow if the winner differs.
    """
    depths = table.index.to_numpy(dtype=float)
    lines = {"τ": ("tau", PALETTE[0], "circle"), "τ_AP": ("tau_ap", PALETTE[1], "diamond")}
    named = {"type": "log", "tickvals": depths, "ticktext": [f"{depth:g}" for depth in depths]}
    lowest = float(np.nanmin(table[["tau", "tau_ap"]].to_numpy(dtype=float), initial=1.0))
    return draw.figure_of(
        [_tau_line(table, label, *how) for label, how in lines.items()],
        height,
        xaxis=draw.axis("assessed ranks of each system", **named),
        yaxis=draw.axis("τ with the full pool", range=draw.ends([lowest, 1.0], room=0.06)),
        shapes=[] if at is None else [draw.upright(at, **HERE)],
    )


def _tau_line(table: pd.DataFrame, label: str, column: str, colour: str, symbol: str) -> draw.Trace:
    return draw.line(
        table.index.to_numpy(dtype=float),
        table[column].to_numpy(),
        {"color": colour, "width": 2},
        hover=f"top %{{x:,}}: {label} %{{y:.3f}}<br>%{{customdata}} documents assessed",
        name=label,
        marker={"size": 9, "symbol": [symbol if alike else f"{symbol}-open" for alike in table["same first"]]},
        customdata=[f"{count:,.0f}" for count in table["assessed"]],
    )


def _slant(count: int) -> dict[str, Any]:
    """Return settings that slant the names under more than 8 columns, or fewer if they do not fit side by side."""
    return {"tickangle": -60} if count > 8 else {"autotickangles": [0, -60]}
