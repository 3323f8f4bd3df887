"""Maps over two parameters: similarity of the order of the systems, and the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.figures import draw
from evalcore.figures.style import HEIGHT, Styles, plain, system_label

# The colours of the correlation matrix, with its step at 0.9, above which rankings are often treated as equivalent
# (Voorhees 2001; Maistro et al. 2021, section 4.3).
SCALE = [(-1, "#6b4711"), (-0.6, "#c9a566"), (0, "#f4f2ee"), (0.9, "#a3bfe7"), (0.9, "#4f77b5"), (1, "#274a82")]
MAP_WIDTH, LETTER = 280, 6  # pixels of a map and of a letter, roughly
KEY_LINE, KEY_LETTERS = 15, 42  # height of a line above the maps in pixels, and letters of a name there
WINNERS = 8  # named at most, those with the largest areas
SEVERAL = "#8a94a0"  # for tied winners


def setting_maps(
    xs: FloatArray,
    ys: FloatArray,
    tau: FloatArray,
    winner: IntArray,
    tied: IntArray,
    systems: Sequence[str],
    styles: Styles,
    *,
    titles: tuple[str, str],
    default: tuple[float | None, float | None] = (None, None),
    height: int = HEIGHT,
    names: tuple[Mapping[float, str] | None, Mapping[float, str] | None] = (None, None),
) -> draw.Figure:
    """Draw two maps over two parameters: tau between the order at each pair of values and the default, and the winner.

    `tau`, `winner` (index of a system, -1: none) and `tied` (number of tied winners) are (Y, X). A star marks the
    default. `names` are names of the values across and up, if these are options. The WINNERS with the largest areas
    are named on their area or, without room there, above the map.
    """
    left, right = {"domain": [0, 0.47]}, {"domain": [0.53, 1.0]}
    x_title, y_title = titles
    maps = [_tau_map(xs, ys, tau), _winner_map(xs, ys, winner, tied, systems, styles)]
    borders = _borders(xs, ys, np.where(tied > 1, len(systems), winner))
    common = {"showgrid": False, "ticks": "outside", "ticklen": 3}
    across, up = map(draw.named_ticks, names)
    labels = [system_label(name, styles) for name in systems]
    on_ground = _ground_names(xs, ys, winner, tied, labels)
    key = _key([at for at in _by_ground(winner, tied) if at not in on_ground], systems, labels, styles)
    return draw.figure_of(
        [*maps, borders, *_default(default)],
        height,
        margin={"l": 8, "r": 8, "t": 54 + KEY_LINE * len(key), "b": 8},
        xaxis=draw.axis(x_title, **common, **left, **across, range=_edges(xs)[[0, -1]]),
        xaxis2=draw.axis(x_title, **common, **right, **across, range=_edges(xs)[[0, -1]], matches="x"),
        yaxis=draw.axis(y_title, **common, **up, range=_edges(ys)[[0, -1]]),
        yaxis2=draw.axis("", **common, range=_edges(ys)[[0, -1]], matches="y", anchor="x2", showticklabels=False),
        annotations=[
            draw.note("τ with the default", 0.0, 1.03, "left bottom", "xy"),
            draw.note("winner", 0.53, 1.03, "left bottom", "xy"),
            *([draw.note("<br>".join(key), 0.0, 1.03, "left bottom", "xy", align="left", yshift=34)] if key else []),
            *on_ground.values(),
        ],
        showlegend=False,
    )


def _tau_map(xs: FloatArray, ys: FloatArray, tau: FloatArray) -> draw.Trace:
    low = min(float(np.nanmin(tau, initial=1.0)), 0.95)
    whole = min(np.floor(low * 10) / 10, 0.9)
    return draw.trace(
        "heatmap",
        x=xs,
        y=ys,
        z=tau.round(4),
        zmin=whole,
        zmax=1,
        colorscale=_tau_colours(whole),
        hovertemplate="%{x:.4g}, %{y:.4g}<br>τ %{z:.3f}<extra></extra>",
        hoverongaps=False,
        colorbar={
            "orientation": "h",
            "x": 0.47,
            "xanchor": "right",
            "y": 1.045,
            "yanchor": "bottom",
            "len": 0.25,
            "thickness": 8,
            "outlinewidth": 0,
            "tickfont": {"size": 10},
            "tickvals": sorted({whole, 0.9, 1.0} | ({0.0, 0.5} if whole < 0.3 else set())),
            "ticklen": 2,
            "xpad": 0,
            "ypad": 0,
        },
    )


def _tau_colours(low: float) -> list[list[Any]]:
    """Return the colour scale from `low` to 1, so that a value of tau has the same colour in every figure."""
    stops = [[(at - low) / (1 - low), colour] for at, colour in SCALE if at > low]
    (below, first), (above, second) = next(pair for pair in pairwise(SCALE) if pair[1][0] > low)
    return [[0.0, _mixed(first, second, (low - below) / (above - below))], *stops]


def _mixed(first: str, second: str, share: float) -> str:
    parts = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (first, second)]
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(*parts, strict=True))


def _winner_map(
    xs: FloatArray,
    ys: FloatArray,
    winner: IntArray,
    tied: IntArray,
    systems: Sequence[str],
    styles: Styles,
) -> draw.Trace:
    known = [int(at) for at in np.unique(winner[(tied == 1)])]
    codes = np.select([tied > 1, *(winner == at for at in known)], range(len(known) + 1), default=-1).astype(float)
    codes[tied == 0] = np.nan
    colours = [SEVERAL, *(styles[systems[at]].colour for at in known)]
    count = len(colours)
    names = [[_first(systems, at, n) for at, n in zip(*row, strict=True)] for row in zip(winner, tied, strict=True)]
    return draw.cells(
        codes,
        [[(at + end) / count, colour] for at, colour in enumerate(colours) for end in (0, 1)],
        (-0.5, count - 0.5),
        hover="%{x:.4g}, %{y:.4g}<br>%{text}",
        x=xs,
        y=ys,
        xaxis="x2",
        yaxis="y2",
        text=names,
        hoverongaps=False,
    )


def _first(systems: Sequence[str], winner: int, tied: int) -> str:
    if tied == 0:
        return "no score can be computed"
    return f"<b>{plain(systems[winner])}</b> is first" if tied == 1 else f"{tied} systems are tied for first"


def _edges(values: FloatArray) -> FloatArray:
    """Return the (N + 1,) edges of the cells around N values."""
    if len(values) < 2:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middles = (values[1:] + values[:-1]) / 2
    return np.concatenate([[2 * values[0] - middles[0]], middles, [2 * values[-1] - middles[-1]]])


def _borders(xs: FloatArray, ys: FloatArray, codes: IntArray) -> draw.Trace:
    """Draw lines between cells with different winners."""
    x, y = _edges(xs), _edges(ys)
    row, column = np.nonzero(codes[:, 1:] != codes[:, :-1])
    below, beside = np.nonzero(codes[1:] != codes[:-1])
    across = np.append(draw.gapped(x[column + 1], x[column + 1]), draw.gapped(x[beside], x[beside + 1]))
    up = np.append(draw.gapped(y[row], y[row + 1]), draw.gapped(y[below + 1], y[below + 1]))
    return draw.line(across, up, {"color": "#ffffff", "width": 1.2}, xaxis="x2", yaxis="y2")


def _default(at: tuple[float | None, float | None]) -> list[draw.Trace]:
    """Return a star at the default setting for each map; none without a default."""
    star = {"symbol": "star", "size": 15, "color": "#ffffff", "line": {"width": 1.6, "color": "#111111"}}
    sides = ("", "2") if None not in at else ()
    look = {"name": "default", "hoverinfo": "name"}
    return [draw.marks([at[0]], [at[1]], star, None, xaxis=f"x{side}", yaxis=f"y{side}", **look) for side in sides]


def _by_ground(winner: IntArray, tied: IntArray) -> list[int]:
    """Return the indices of at most WINNERS systems: those that win the largest areas alone, the largest first."""
    winners, sizes = np.unique(winner[tied == 1], return_counts=True)
    return [int(at) for at in winners[np.argsort(-sizes, kind="stable")][:WINNERS]]


def _key(winners: Sequence[int], systems: Sequence[str], names: Sequence[str], styles: Styles) -> list[str]:
    """Return the lines of a legend above both maps, for winners whose area has no room for their names."""
    lines, letters = list[str](), MAP_WIDTH
    for at in winners:
        name = names[at] if len(names[at]) <= KEY_LETTERS else f"{names[at][:20]}…{names[at][-20:]}"
        part = f"<span style='color:{styles[systems[at]].colour}'>■</span> {name}"
        letters += len(name) + 5
        if letters * LETTER > MAP_WIDTH:
            lines.append(part)
            letters = len(name) + 2
        else:
            lines[-1] += f"&nbsp;&nbsp; {part}"
    return lines


def _ground_names(
    xs: FloatArray, ys: FloatArray, winner: IntArray, tied: IntArray, names: Sequence[str]
) -> dict[int, dict[str, Any]]:
    """Map each winner to a note with its name on its area: on the row nearest the middle with room for the name."""
    edges = _edges(xs)
    font = {"size": 11, "color": "#ffffff"}
    place = {"xref": "x2", "yref": "y2", "showarrow": False, "font": font, "bgcolor": "rgba(17, 22, 30, 0.5)"}
    result = {}
    for at in _by_ground(winner, tied):
        runs = _longest_runs((winner == at) & (tied == 1))
        middle = float(np.median([row for row, _, _ in runs]))
        room = LETTER * len(names[at]) / MAP_WIDTH * (edges[-1] - edges[0])
        wide = [run for run in runs if edges[run[2]] - edges[run[1]] > room]
        if wide:
            row, start, stop = min(wide, key=lambda run: abs(run[0] - middle))
            x, share = float(edges[start] + edges[stop]) / 2, (edges[stop] - edges[start]) / (edges[-1] - edges[0])
            result[at] = {**place, "x": x, "y": float(ys[row]), "text": names[at], "name": draw.within(float(share))}
    return result


def _longest_runs(mask: BoolArray) -> list[tuple[int, int, int]]:
    """Return (row, start, stop) of the longest run of true cells, for each row that has any."""
    runs = []
    for row in np.flatnonzero(mask.any(axis=1)):
        steps = np.diff(np.concatenate([[0], mask[row].astype(int), [0]]))
        starts, stops = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
        longest = int((stops - starts).argmax())
        runs.append((int(row), int(starts[longest]), int(stops[longest])))
    return runs
