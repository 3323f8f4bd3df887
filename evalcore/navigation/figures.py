"""Figures of navigation: users in a graph, their gain by rank, effort-precision by gain-recall, long walks."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import csgraph, sparse
from evalcore.errors import InputError
from evalcore.figures import draw
from evalcore.figures.style import FADED, LINE, PALETTE, Styles, plain
from evalcore.navigation.walk_tables import Walkthrough

WORTH, OTHER, HERE = (201, 128, 20), (65, 104, 169), "#c0392b"
FLOWS = ((0.3, 1.01, 4.0, 0.75), (0.1, 0.3, 2.6, 0.55), (0.02, 0.1, 1.6, 0.4))  # from, below, width, opacity
NUMBER = "#7a8290"  # text of a rank on a pale circle, readable in both themes
MAP_HEIGHT, HEIGHT = 430, 420
LONGEST_LABEL = 26
ALONE_PER_COLUMN = 9
NAME_ROOM, MOST_NAMES, EDGE = (0.75, 0.3), 4, 1.6
NAMED = {"ideal": "ideal list", "run": "this list"}
WORTH_LINE, RUN_LOOK = "rgb(201, 128, 20)", {"color": PALETTE[0], "width": 2.5}
MOST_EFFORT = 1.15  # end of the axis, relative to the furthest point
MARKED: dict[str, Any] = {"marker": {"size": 6}}


def spread(count: int, links: IntArray, seed: int = 1, rounds: int = 120) -> FloatArray:
    """Return (count, 2) positions of the nodes of a graph; nodes without a link are in separate columns on the right.

    Distances approximate those in the graph (stress majorisation, Gansner et al. 2004). The layout is wider than it
    is high, and always the same for the same graph.
    """
    places = np.zeros((count, 2))
    linked = np.unique(links)
    alone = np.setdiff1d(np.arange(count), linked)
    columns = max(-(-len(alone) // ALONE_PER_COLUMN), 1)
    places[alone, 0] = 1.9 - 0.3 * (np.arange(len(alone)) % columns)
    places[alone, 1] = np.linspace(1, -1, max(-(-len(alone) // columns), 2))[np.arange(len(alone)) // columns]
    if len(linked):
        place = np.searchsorted(linked, links)
        laid_out = _apart(_distances(len(linked), place), np.random.default_rng(seed), rounds)
        low, high = laid_out.min(axis=0), laid_out.max(axis=0)
        right = 1.9 - 0.3 * columns if len(alone) else 1.9
        box = np.array([[-1.9, -1.0], [right - 0.25 * (len(alone) > 0), 1.0]])
        places[linked] = box[0] + (laid_out - low) / np.maximum(high - low, 1e-9) * (box[1] - box[0])
    return places


def _distances(count: int, links: IntArray) -> FloatArray:
    """Return the (count, count) lengths of shortest paths in links; for unconnected nodes, the largest plus 1."""
    table = sparse.csr_array((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=(count, count))
    distances = csgraph.shortest_path(table, directed=False, unweighted=True)
    together = np.isfinite(distances)
    return np.asarray(np.where(together, distances, distances[together].max(initial=1.0) + 1))


def _apart(distances: FloatArray, random: np.random.Generator, rounds: int) -> FloatArray:
    """Return (count, 2) positions whose distances approximate the given ones, best for near nodes."""
    count = len(distances)
    off = ~np.eye(count, dtype=bool)
    weights = np.divide(1.0, distances**2, out=np.zeros_like(distances), where=off)
    solve = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    places = random.normal(size=(count, 2))
    for _ in range(rounds):
        gaps = np.linalg.norm(places[:, None] - places, axis=2)
        ratio = np.divide(weights * distances, gaps, out=np.zeros_like(gaps), where=off & (gaps > 1e-9))
        places = solve @ ((np.diag(ratio.sum(axis=1)) - ratio) @ places)
    return np.asarray(places)


def walk_down(walk: Walkthrough, rank: int, places: FloatArray | None = None) -> draw.Figure:
    """Draw the components that users of one ranking have seen down to a rank, and their next steps.

    `walk` comes from `evalcore.navigation.walk_tables.walkthrough`; `places` come from `spread`, if already computed.
    Raises InputError for a rank that the list does not have.
    """
    if not 0 <= rank < len(walk.seen):
        raise InputError(f"expected a rank from 0 to {len(walk.seen) - 1}, found {rank}")
    nodes = walk.components.assign(seen=walk.seen[rank], label=walk.components.index.astype(str))
    nodes["step"] = walk.step[rank - 1] if rank else 0.0
    nodes[["x", "y"]] = spread(len(nodes), walk.links) if places is None else places
    nodes["hover"] = [_hover(str(name), row) for name, row in nodes.iterrows()]
    at = np.flatnonzero(nodes["rank"].to_numpy() == rank)
    return walk_map(nodes, walk.links, int(at[0]) if len(at) else None)


def _hover(name: str, row: pd.Series) -> str:
    rank = "not returned" if np.isnan(row["rank"]) else f"rank {row['rank']:.0f}"
    return (
        f"<b>{plain(name)}</b><br>{rank}, gain {row['gain']:.4g}<br>seen by {row['seen']:.1%} so far"
        f"<br>reached from this result: {row['step']:.1%}"
    )


def walk_map(nodes: pd.DataFrame, links: IntArray, here: int | None, height: int = MAP_HEIGHT) -> draw.Figure:
    """Draw a graph of components: those seen down to a rank, and the next steps of users from the result at this rank.

    `nodes` have x, y, gain, rank (NaN: not returned), seen (down to this rank), step (from this result), label, hover.
    `links` are pairs of nodes, `here` is the node of the result at this rank. Components with gain are orange, others
    blue; a fuller colour means that more users have seen them.
    """
    x, y = nodes["x"].to_numpy(), nodes["y"].to_numpy()
    quiet = _lines(links, x, y, {"color": LINE, "width": 0.8}, 0.45)
    flows = [] if here is None else _flows(nodes, links, here, x, y)
    if here is not None:
        ring = {"size": _size(nodes)[here] + 9, "color": "rgba(0, 0, 0, 0)", "line": {"color": HERE, "width": 3}}
        flows.append(draw.marks([x[here]], [y[here]], ring))
    bare: dict[str, Any] = {"showgrid": False, "showticklabels": False}
    span = [float(x.min()) - 0.2, float(x.max()) + 0.2] if len(x) else [0, 1]
    return draw.figure_of(
        [quiet, *flows, _nodes(nodes), *_legend()],
        height,
        xaxis=draw.axis("", range=span, **bare),
        yaxis=draw.axis("", **bare),
        annotations=[*_names(nodes, here), *_unlinked(nodes, links)],
        dragmode="pan",
    )


def _lines(pairs: IntArray, x: FloatArray, y: FloatArray, look: dict[str, Any], opacity: float) -> draw.Trace:
    across, up = (draw.gapped(side[pairs[:, 0]], side[pairs[:, 1]]) for side in (x, y))
    return draw.line(across, up, look, opacity=opacity)


def _flows(nodes: pd.DataFrame, links: IntArray, here: int, x: FloatArray, y: FloatArray) -> list[draw.Trace]:
    """Return lines for links between components reached from `here`, and for jumps from `here` without a link.

    Higher probabilities have wider and darker lines.
    """
    step = nodes["step"].to_numpy()
    strength = step[links].min(axis=1) if len(links) else np.zeros(0)
    met = np.unique(links[strength >= FLOWS[-1][0]])
    jumps = np.setdiff1d(np.flatnonzero(step >= FLOWS[-1][0]), np.append(met, here))
    pairs = np.vstack([links, np.column_stack([np.full(len(jumps), here), jumps])]).astype(int)
    strength = np.append(strength, step[jumps])
    return [
        _lines(pairs[(strength >= low) & (strength < high)], x, y, {"color": HERE, "width": width}, opacity)
        for low, high, width, opacity in FLOWS
    ]


def _size(nodes: pd.DataFrame) -> FloatArray:
    return np.asarray(13 + 5 * np.sqrt(nodes["gain"].to_numpy()) + 9 * nodes["seen"].to_numpy())


def _colour(worth: bool, seen: float) -> str:
    red, green, blue = WORTH if worth else OTHER
    return f"rgba({red}, {green}, {blue}, {0.06 + 0.94 * seen:.3f})"


def _nodes(nodes: pd.DataFrame) -> draw.Trace:
    worth = (nodes["gain"] > 0).tolist()
    edge = [_colour(value, 0.95) for value in worth]
    return draw.marks(
        nodes["x"],
        nodes["y"],
        {
            "size": _size(nodes),
            "color": [_colour(value, seen) for value, seen in zip(worth, nodes["seen"], strict=True)],
            "line": {"width": 1.4, "color": edge},
            "opacity": 1.0,
        },
        hover="%{customdata}",
        mode="markers+text",
        text=["" if np.isnan(rank) else f"{rank:.0f}" for rank in nodes["rank"]],
        textfont={"size": 10, "color": ["white" if seen > 0.5 else NUMBER for seen in nodes["seen"]]},
        customdata=nodes["hover"].tolist(),
    )


def _legend() -> list[draw.Trace]:
    """Return the entries of the legend: two colours of components, and the path from a result."""
    worth = (("gain of its own", _colour(True, 0.9)), ("no gain of its own", _colour(False, 0.9)))
    marks = [draw.key(name, {"size": 11, "color": colour}) for name, colour in worth]
    return [*marks, draw.line([None], [None], {"color": HERE}, None, name="the path from this result")]


def _names(nodes: pd.DataFrame, here: int | None) -> list[dict[str, Any]]:
    """Return labels for the result itself and, if there is room, up to three components that most users go on to."""
    if here is None:
        return []
    step = nodes["step"].to_numpy().copy()
    step[here] = 2.0
    shown: list[int] = []
    places = nodes[["x", "y"]].to_numpy()
    for at in np.argsort(-step, kind="stable")[:8].tolist():
        crowded = any((np.abs(places[at] - places[other]) < NAME_ROOM).all() for other in shown)
        if step[at] >= FLOWS[-1][0] and not crowded and len(shown) < MOST_NAMES:
            shown.append(at)
    return [
        {
            "x": float(nodes["x"].iloc[at]),
            "y": float(nodes["y"].iloc[at]),
            "text": _label(nodes["label"].iloc[at], None if at == here else step[at]),
            "showarrow": False,
            "xanchor": "right" if places[at, 0] > EDGE else "left" if places[at, 0] < -EDGE else "center",
            "yshift": 20 if at == here or nodes["y"].iloc[at] > nodes["y"].iloc[here] else -20,
            "font": {"size": 12 if at == here else 11},
        }
        for at in shown
    ]


def _unlinked(nodes: pd.DataFrame, links: IntArray) -> list[dict[str, Any]]:
    """Return a label for the components on the right, which have no links."""
    alone = np.setdiff1d(np.arange(len(nodes)), links)
    if not len(alone) or not len(links):
        return []
    place = {"x": float(nodes["x"].iloc[alone].mean()), "y": 1.0, "yshift": 24, "showarrow": False}
    edge = {"xanchor": "right", "xshift": 14}  # centred words over a column at the right would be cut off
    return [{**place, **edge, "text": "without links", "font": {"size": 11, "color": NUMBER}}]


def _label(name: str, chance: float | None) -> str:
    short = name if len(name) <= LONGEST_LABEL else name[:LONGEST_LABEL] + "…"
    return f"<b>{plain(short)}</b>" if chance is None else f"{plain(short)} {chance:.0%}"


def gain_against_effort(curves: pd.DataFrame, at: pd.DataFrame, linear: bool = False) -> draw.Figure:
    """Draw gain against effort for the ideal and a system's list (gain levels x ideal, run, ep), and mark a level.

    `at` is the row of the selected level; `linear` joins the corners of the ideal curve.
    """
    looks = {"ideal": ({"color": WORTH_LINE, "width": 2}, "linear" if linear else "hv"), "run": (RUN_LOOK, "hv")}
    lines, marks = [], []
    for name, (look, shape) in looks.items():
        effort = np.append(0.0, curves[name])
        gain = np.append(0.0, curves.index)
        known = np.isfinite(effort)
        hover = f"{NAMED[name]}: gain %{{y:.4g}} at effort %{{x:.4g}}"
        lines.append(draw.line(effort[known], gain[known], {**look, "shape": shape}, hover, name=NAMED[name]))
        met = at[name].where(np.isfinite(at[name]))
        marks.append(draw.marks(met, at.index, {"size": 10, "color": look["color"]}, hover))
    furthest = np.append(curves["ideal"], at["run"])
    span = MOST_EFFORT * float(np.max(furthest, where=np.isfinite(furthest), initial=0.0))
    across = draw.axis("effort", range=[0, max(span, 1.0)])
    up = draw.axis("gain", range=[0, 1.05 * float(curves.index.max()) if len(curves) else 1.0])
    return draw.figure_of([*lines, *marks], HEIGHT, xaxis=across, yaxis=up, shapes=[draw.level(at.index[0])])


def arrivals(shares: pd.Series) -> draw.Figure:
    """Draw the shares of users who first reach a level of gain at each rank, at a later rank, or never."""
    places = [str(rank) for rank in shares.index]
    hover = "rank %{x}: %{y:.1%} of users"
    bars = draw.bars(places, shares, [PALETTE[0]] * (len(places) - 2) + [LINE] * 2, hover)
    up = draw.axis("share of users", tickformat=".0%", range=[0, max(1.08 * float(shares.max()), 0.05)])
    return draw.figure_of(
        [bars], HEIGHT, xaxis=draw.axis("rank at which the level is reached", type="category"), yaxis=up
    )


def effort_precision(curves: pd.DataFrame, styles: Styles, selected: Collection[str] = ()) -> draw.Figure:
    """Draw ep against gain-recall, a line per system (levels x systems); 1 is the ideal list, which can be beaten."""
    lines = [
        draw.line(
            curves.index,
            curves[name],
            {"color": styles[name].colour, "width": 3 if name in selected else 1.8},
            f"<b>{plain(name)}</b><br>gain-recall %{{x:.1f}}: ep %{{y:.4f}}",
            name=plain(name),
            marker={"symbol": styles[name].symbol, "size": 7},
            opacity=1.0 if not selected or name in selected else FADED * 1.6,
        )
        for name in map(str, curves)
    ]
    top = max(1.0, float(np.nanmax(curves.to_numpy(), initial=0.0)))
    return draw.figure_of(
        lines,
        HEIGHT,
        xaxis=draw.axis("gain-recall: share of all gain reached", range=[0.05, 1.05], tickvals=list(curves.index)),
        yaxis=draw.axis("effort-precision", range=[-0.02, 1.05 * top]),
        shapes=[draw.level(1)],
        legend={"orientation": "v", "x": 1.02, "y": 1, "yanchor": "top"},
    )


def trail_lengths(table: pd.DataFrame, height: int = 360) -> draw.Figure:
    """Draw the lengths of walks, on logarithmic axes, beside the observed law (columns of `table`, by length)."""
    looks = ({"color": PALETTE[0], "width": 2.5}, {"color": LINE, "width": 2, "dash": "dash"})
    hover = ": %{x} components %{y:.4f}"
    lines = [
        draw.line(table.index, shares.where(shares > 1e-9), look, plain(name) + hover, name=plain(name), **MARKED)
        for (name, shares), look in zip(table.items(), looks, strict=False)
    ]
    ticks = [at for at in (1, 2, 3, 5, 10, 20) if at <= len(table)]
    across = draw.axis("components seen on one walk", type="log", tickvals=ticks)
    up = draw.axis("share of walks", type="log", dtick=1, exponentformat="none")
    return draw.figure_of(lines, height, xaxis=across, yaxis=up)


def normal_beside_exact(chances: pd.DataFrame, errors: pd.DataFrame, n: int, wanted: float) -> draw.Figure:
    """Draw P(cg < g), exact and normal (gains x methods), and beside it the largest error for each n.

    `errors` are components x methods; a horizontal line marks the `wanted` error, a vertical line `n`.
    """
    looks = {
        "exact": {"color": PALETTE[0], "width": 2.5, "shape": "hv"},
        "normal": {"color": HERE, "width": 1.8},
        "corrected": {"color": WORTH_LINE, "width": 2, "dash": "dash"},
    }
    hover = {name: f"{name}: P(cg < %{{x}}) = %{{y:.4f}}" for name in looks}
    lines = [draw.line(chances.index, chances[name], look, hover[name], name=name) for name, look in looks.items()]
    lines += [
        draw.line(
            errors.index, values, {**looks[str(name)], "shape": "linear"},
            f"{name}, %{{x}} components: %{{y:.4f}}", showlegend=False, xaxis="x2", yaxis="y2",
        )
        for name, values in errors.items()
    ]  # fmt: skip
    last = int(errors.index[-1])
    return draw.figure_of(
        lines,
        HEIGHT - 60,
        xaxis=draw.axis("gain g", domain=[0, 0.46], range=[-0.5, n + 1.5]),
        yaxis=draw.axis("P(cg < g)", range=[-0.02, 1.04]),
        xaxis2=draw.axis("components n", domain=[0.56, 1], range=[0, last + 1], anchor="y2"),
        yaxis2=draw.axis("largest error", range=[0, 0.3], anchor="x2"),
        shapes=[
            {**draw.level(wanted), "xref": "x2", "yref": "y2", "x0": 0, "x1": last + 1},
            {**draw.upright(n), "xref": "x2", "yref": "y2", "y1": 0.3},
        ],
    )
