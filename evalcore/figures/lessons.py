"""Figures that only the guided path shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.figures import draw
from evalcore.figures.style import BLUE, LINE, PALETTE, RED, Styles, SystemStyle, look_of_line, plain

KINDS = {  # an assessor's judgement of a document -> colour, pattern
    "relevant": (PALETTE[0], ""),
    "not relevant": ("rgba(128, 138, 150, 0.45)", ""),
    "not assessed": ("rgba(128, 138, 150, 0.6)", "/"),
}
FAINT = "rgba(128, 138, 150, 0.35)"


def reading_depth(reach: FloatArray, kinds: Sequence[str], share: FloatArray, mean: float) -> draw.Figure:
    """Draw the probability that each rank is read, coloured by the kind of its document, and the cumulated weight.

    `reach` (K,) are the probabilities, `kinds` (K,) keys of KINDS, `share` (K,) the cumulated weights, and `mean` is
    the number of documents read on average.
    """
    ranks = np.arange(1, len(reach) + 1)
    bars = [_kind_bars(ranks, reach, np.array(kinds) == kind, kind) for kind in KINDS]
    look, hover = {"color": LINE, "width": 2, "dash": "dot"}, "ranks 1 to %{x}: %{y:.1%} of the weight"
    at, last = min(mean, len(reach)), len(reach) + 0.7
    return draw.figure_of(
        [*bars, draw.line(ranks, share, look, hover, name="weight so far")],
        370,
        barmode="overlay",
        bargap=0.25,
        xaxis=draw.axis("rank", range=[0.3, last], dtick=5 if len(reach) > 12 else 1, showgrid=False),
        yaxis=draw.axis("probability of being read", range=[0, 1.04], tickformat=".0%"),
        shapes=[draw.upright(at, dash="solid", width=1.5)],
        annotations=[_beside(at, 0.97, f"{mean:.3g} on average" + (" →" if mean > len(reach) else ""), last)],
    )


def _kind_bars(ranks: IntArray, reach: FloatArray, chosen: BoolArray, kind: str) -> draw.Trace:
    colour, pattern = KINDS[kind]
    hover = f"rank %{{x}}, {kind}<br>read with probability %{{y:.1%}}"
    return draw.bars(ranks[chosen], reach[chosen], colour, hover, name=kind, marker=_hatched(pattern))


def _hatched(shape: str) -> dict[str, Any]:
    return {"pattern": {"shape": shape, "size": 6}}


def _beside(at: float, height: float, text: str, end: float) -> draw.Part:
    """Return a label beside a vertical line, on the side with room."""
    side, shift = ("right", -6) if at > 0.7 * end else ("left", 6)
    return draw.note(text, at, height, f"{side} middle", size=None, xshift=shift)


def border_and_ranks(
    gains: tuple[FloatArray, Mapping[str, FloatArray]],
    values: FloatArray,
    ranks: pd.DataFrame,
    named: Sequence[str],
    threshold: float,
    styles: Styles,
    title: str,
    height: int = 440,
) -> draw.Figure:
    """Draw the gain of a document by its readability (top), and the rank of every system at each threshold (below).

    `gains` are positions and the gain there under each model, the first with a solid line; `values` are the pool's
    readabilities; `ranks` is thresholds x systems; the `named` systems are drawn in their colours.
    """
    counts, edges = np.histogram(values[~np.isnan(values)], bins=40)
    pool = draw.bars(
        (edges[:-1] + edges[1:]) / 2,
        counts / max(counts.max(), 1),
        FAINT,
        "%{x:.3g}: %{customdata:,} assessed",
        yaxis="y2",
        name="assessed documents",
        customdata=counts,
    )
    looks = [{"color": PALETTE[0], "width": 2.5}, *[{"color": LINE, "width": 1.5, "dash": "dot"}] * len(gains[1])]
    curves = [
        draw.line(gains[0], gain, look, f"{plain(label)}<br>%{{x:.3g}} gains %{{y:.2f}}", yaxis="y2", name=plain(label))
        for (label, gain), look in zip(gains[1].items(), looks, strict=False)
    ]
    lines = draw.strands(ranks.index, ranks.T)
    every = draw.line(lines["x"], lines["y"], {"color": FAINT, "width": 1})
    count, ends = ranks.shape[1], [float(ranks.index[0]), float(ranks.index[-1])]
    return draw.figure_of(
        [pool, *curves, every, *(_rank_line(ranks[name], styles[name]) for name in named)],
        height,
        xaxis=draw.axis(title, range=ends, showgrid=False, anchor="y"),
        yaxis=draw.axis("rank", range=[count + 0.7, 0.3], domain=[0, 0.62], tickvals=[1, *range(5, count + 1, 5)]),
        yaxis2=draw.axis("gain u", range=[-0.05, 1.08], domain=[0.7, 1], tickvals=[0, 0.5, 1]),
        shapes=[draw.upright(threshold, dash="solid", width=1.5)],
        annotations=[_beside(threshold, 0.66, f"threshold {threshold:g}", ends[1])],
        bargap=0,
    )


def _rank_line(ranks: pd.Series, style: SystemStyle) -> draw.Trace:
    every = max(1, len(ranks) // 8)
    return draw.line(
        ranks.index.to_numpy(dtype=float),
        ranks.to_numpy(),
        {"color": style.colour, "width": 2.5},
        hover=f"<b>{plain(ranks.name)}</b><br>threshold %{{x:g}}: rank %{{y}}",
        marker={"symbol": style.symbol, "size": 8, "maxdisplayed": len(ranks) // every},
        name=plain(ranks.name),
    )


def two_rankings(scores: pd.DataFrame, groups: Mapping[str, int], height: int = 400) -> draw.Figure:
    """Draw the scores of two rankings (columns) under each measure (row); `groups` maps groups of rows to sizes."""
    bars = [
        draw.bars(
            [plain(name) for name in scores.index],
            scores[column],
            colour,
            f"{plain(column)}<br>%{{x}}: %{{y:.4f}}",
            marker=_hatched(pattern),
            name=plain(column),
            text=[f"{value:.2f}" for value in scores[column]],
            textposition="outside",
            cliponaxis=False,
        )
        for column, colour, pattern in zip(scores, (BLUE, RED), ("", "/"), strict=False)
    ]
    ends = np.cumsum([0, *groups.values()]) - 0.5
    labels = [
        draw.note(f"<b>{plain(name).replace(', ', ',<br>')}</b>", (low + high) / 2, 1.16, "auto middle", "", None)
        for name, low, high in zip(groups, ends[:-1], ends[1:], strict=True)
    ]
    return draw.figure_of(
        bars,
        height,
        xaxis=draw.axis("", range=[ends[0], ends[-1]], showgrid=False),
        yaxis=draw.axis("score", range=[0, 1.24], tickvals=[0, 0.25, 0.5, 0.75, 1]),
        annotations=labels,
        shapes=[draw.upright(float(end), dash="solid", width=1.5) for end in ends[1:-1]],
        bargap=0.35,
        bargroupgap=0.08,
    )


def against_ideal(table: pd.DataFrame, styles: Styles, title: str, height: int = 400, named: str = "") -> draw.Figure:
    """Draw the best attainable score on each topic (column `ideal`), and the scores of systems (the other columns).

    The topic `named` has its name above the mark of the first system.
    """
    topics = [plain(topic) for topic in table.index]
    edge = {"line": {"width": 1, "color": FAINT}}
    most = draw.bars(
        topics,
        table["ideal"],
        "rgba(128, 138, 150, 0.16)",
        "%{x}: at most %{y:.4f}",
        marker=edge,
        name="best known ranking",
    )
    marks = [
        draw.marks(
            topics,
            table[system],
            {"symbol": styles[system].symbol, "color": styles[system].colour, "size": 9}
            | {"line": {"width": 1, "color": "rgba(255, 255, 255, 0.6)"}},
            f"<b>{plain(system)}</b><br>%{{x}}: %{{y:.4f}}, %{{customdata:.0%}} of the best",
            name=plain(system),
            customdata=table[system] / table["ideal"].replace(0, np.nan),
        )
        for system in table.columns.drop("ideal")
    ]
    return draw.figure_of(
        [most, *marks],
        height,
        xaxis=draw.axis("topic", type="category", showgrid=False, tickfont={"size": 10}),
        yaxis=draw.axis(title, range=[0, 1.14 * (float(table["ideal"].max()) or 1.0)]),
        bargap=0.12,
        annotations=[_named_topic(topics, table, named)] if named else [],
    )


def _named_topic(topics: Sequence[str], table: pd.DataFrame, named: str) -> dict[str, Any]:
    """Return the name of a topic above the neighbouring bars, with an arrow down to the mark of the first system."""
    at, system = list(table.index).index(named), table.columns.drop("ideal")[0]
    above = table["ideal"].iloc[max(at - 2, 0) : at + 3].max() + 0.06 * table["ideal"].max()
    # by index: an arrow given by category names is lost when it moves from one category to another
    tail = {"axref": "x", "ax": at, "ayref": "y", "ay": above, "arrowhead": 2, "arrowcolor": LINE}
    return {"x": at, "y": table[system].iloc[at], "text": f"<b>{topics[at]}</b>", "standoff": 6, **tail}


def by_place(curves: pd.DataFrame, at: int, title: str, height: int = 160) -> draw.Figure:
    """Draw correlations (columns) by the rank at which a ranking is changed (index), with one rank marked."""
    lines = [
        draw.line(
            curves.index.to_numpy(),
            curves[name],
            {**look_of_line(place), "width": 2},
            hover=f"{plain(name)}<br>at rank %{{x}}: %{{y:.3f}}",
            name=plain(name),
            marker={"size": [11 if place == at else 5 for place in curves.index], "line": {"width": 0}, "opacity": 1},
        )
        for place, name in enumerate(curves)
    ]
    return draw.figure_of(
        lines,
        height,
        xaxis=draw.axis(title, dtick=1, showgrid=False),
        yaxis=draw.axis("", **draw.decimals()),
        shapes=[draw.upright(at, dash="solid", width=1.5)],
    )


def effort_and_gain(
    curves: Mapping[str, pd.DataFrame], effort: FloatArray, gain: FloatArray, total: float, height: int = 175
) -> draw.Figure:
    """Draw gain against effort: one person's steps, and the expectation over users by rank (columns effort, gain).

    `curves` holds "list" (the list that the person walks down), "ideal" (the ideal list) and "results" (the same list
    without links); `effort` and `gain` are (N + 1,).
    """
    most = max(float(effort[-1]), min(float(curves["list"]["effort"].iloc[-1]), 12.0), 1.0)
    own = pd.DataFrame({"effort": effort, "gain": gain})
    lines = [
        _steps("ideal list", curves["ideal"], {"color": LINE, "dash": "dot"}, 0),
        _steps("users expect", curves["list"], look_of_line(1), 6),
        _steps("results alone", curves["results"], look_of_line(2), 0),
        _steps("you", own, {"color": PALETTE[0], "dash": "solid", "width": 3}, 9),
    ]
    return draw.figure_of(
        lines,
        height,
        xaxis=draw.axis("effort", range=[-0.02 * most, 1.04 * most], showgrid=False),
        yaxis=draw.axis("gain", range=[-0.05 * total, 1.1 * total] if total else [-0.05, 1.1]),
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )


def _steps(name: str, curve: pd.DataFrame, look: Mapping[str, Any], size: float) -> draw.Trace:
    """Draw a step line that rises at each gain, with dots of this `size` at the end of each rank or step (0: none)."""
    return draw.line(
        curve["effort"],
        curve["gain"],
        {"width": 2, "shape": "hv", **look},
        f"{name}<br>effort %{{x:.4g}}: gain %{{y:.4g}}",
        mode="lines+markers" if size else "lines",
        name=name,
        marker={"size": size, "line": {"width": 0}},
    )
