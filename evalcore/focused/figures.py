"""Figures of focused retrieval: recall and precision, ranked documents, nearness to entry points, documents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.figures import draw
from evalcore.figures.labels import end_names
from evalcore.figures.style import DASHES, GRID, LINE, PALETTE, Styles, SystemStyle, plain, system_label
from evalcore.focused.overlay import Overlay
from evalcore.focused.tasks import CUTOFFS, RECALL_LEVELS

HEIGHT = 400
SETTINGS = {"A": "A: the distance, as a share of the document, that halves the score", "n": "n: characters on a screen"}
QUIET = 0.6  # opacity of systems other than the chosen one
HIGHLIGHTED, RETURNED = "#d6a62c", "#4168a9"


def recall_curves(
    curves: pd.DataFrame,
    styles: Styles,
    chosen: str,
    marks: Sequence[float] = RECALL_LEVELS,
    points: pd.DataFrame | None = None,
    until: float = 1.0,
    level: float | None = None,
) -> draw.Figure:
    """Draw interpolated precision against recall, one line per system (recall x systems), with marks at some levels.

    `points` are recall and precision after each part that the chosen system returned; two lines mark the recall
    `level` and iP at that level.
    """
    here = []
    if level is not None:
        at = float(curves[chosen].iloc[round(level * (len(curves) - 1))])
        here = [draw.upright(level, dash="solid", width=2), draw.level(at, dash="solid")]
    lines, shown = _lines(curves, styles, chosen, "recall %{x:.2f}: iP %{y:.4f}", shape="hv"), points is not None
    points = pd.DataFrame(columns=["recall", "precision", "document"]) if points is None else points
    raw = draw.marks(
        points["recall"],
        points["precision"],
        {"size": 5, "color": styles[chosen].colour, "line": {"width": 0.5, "color": "#ffffff"}},
        "rank %{customdata[0]}, %{customdata[1]}<br>R %{x:.4f}, P %{y:.4f}",
        name="after each part",
        customdata=[[rank, plain(name)] for rank, name in zip(points.index, points["document"], strict=True)],
    )
    top = float(np.max([*curves.to_numpy().ravel(), *points["precision"]], initial=0.0))
    room = 0.012 * until
    return draw.figure_of(
        [*lines, *[raw] * shown, _marks(curves[chosen], marks, styles[chosen], "iP[{:.2f}]")],
        HEIGHT,
        xaxis=draw.axis("recall: share of the highlighted text returned", range=[-room, until + room]),
        yaxis=draw.axis("precision: share of the text that is highlighted", range=[0, max(1.06 * top, 0.05)]),
        shapes=[*(draw.upright(at) for at in marks), *here],
    )


def rank_curves(curves: pd.DataFrame, styles: Styles, chosen: str, marks: Sequence[int] = CUTOFFS) -> draw.Figure:
    """Draw gP at each document rank, one line per system (ranks x systems), with marks at some ranks."""
    lines = _lines(curves, styles, chosen, "rank %{x}: gP %{y:.4f}")
    top = float(curves.to_numpy().max(initial=0.0))
    return draw.figure_of(
        [*lines, _marks(curves[chosen], marks, styles[chosen], "gP[{}]")],
        HEIGHT,
        xaxis=draw.axis("document rank", range=[0, len(curves) + 1], tickvals=[1, *range(5, len(curves) + 1, 5)]),
        yaxis=draw.axis("generalised precision gP", range=[0, max(1.06 * top, 0.05)]),
        shapes=[draw.upright(at) for at in marks],
        **end_names(curves, 0.0, max(1.06 * top, 0.05), HEIGHT, [chosen], styles),
    )


def setting_curves(
    means: pd.DataFrame,
    styles: Styles,
    chosen: str,
    current: float,
    title: str = "",
    score: str = "MAgP (mean over topics)",
) -> draw.Figure:
    """Draw mean scores against a setting (settings x systems, logarithmic axis); systems swap if their lines cross."""
    means = means.set_axis(means.index.astype(float))
    top = max(float(means.to_numpy().max(initial=0.0)), 0.05)
    lines = _lines(means, styles, chosen, f"{plain(means.index.name)} = %{{x:.4g}}: %{{y:.4f}}")
    return draw.figure_of(
        lines,
        HEIGHT,
        xaxis=draw.axis(
            title or SETTINGS[str(means.index.name)], type="log", **_decades(means.index.to_numpy(dtype=float))
        ),
        yaxis=draw.axis(plain(score), range=[-0.03 * top, 1.06 * top]),
        shapes=[draw.upright(current, width=2)],
        **end_names(means, -0.03 * top, 1.06 * top, HEIGHT, [chosen], styles),
    )


def nearness(curves: pd.DataFrame, occurring: Sequence[float] | FloatArray, height: int = 200) -> draw.Figure:
    """Draw the score against the distance from the best entry point, one line per setting (distances x settings).

    Ticks below mark the `occurring` distances.
    """
    distances = curves.index.to_numpy(dtype=float)
    lines = [
        draw.line(
            distances,
            scores.to_numpy(),
            {**({"color": PALETTE[0], "width": 2.5} if at == 0 else {"color": LINE, "width": 1.5}), "dash": dash},
            hover=f"{plain(label)}<br>%{{x:,.0f}} characters away: %{{y:.3f}}",
            name=plain(label),
        )
        for at, ((label, scores), dash) in enumerate(zip(curves.items(), cycle(DASHES), strict=False))
    ]
    ticks = draw.marks(
        occurring,
        np.full(len(occurring), -0.06),
        {"symbol": "line-ns-open", "size": 8, "color": LINE, "line": {"width": 1}},
        hover="%{x:,.0f} characters away",
    )
    return draw.figure_of(
        [*lines, ticks],
        height,
        xaxis=draw.axis("characters from the best entry point", range=[-0.02 * distances[-1], float(distances[-1])]),
        yaxis=draw.axis("s", range=[-0.12, 1.05], tickvals=[0, 0.5, 1]),
        showlegend=curves.shape[1] > 1,
    )


def document_map(overlay: Overlay, begun: bool = False, height: int = 104) -> draw.Figure:
    """Draw a document from its first character to its last: highlighted text, returned parts, entry points.

    If `begun`, also mark the start of the system's best-ranked part.
    """
    highlighted = [part for part in overlay.stretches if part.highlighted]
    returned = [part for part in overlay.stretches if part.rank]
    bars = [_bar("returned", returned, RETURNED, ""), _bar("highlighted", highlighted, HIGHLIGHTED, "/")]
    places = [("best entry point", overlay.best_entry, "highlighted")]
    places += [("system begins", overlay.begun, "returned")] if begun else []
    look = {"symbol": "triangle-right", "size": 13, "color": "#ffffff", "line": {"width": 2, "color": "#111111"}}
    marks = [draw.marks([at], [row], look, f"{name}: character %{{x:,}}") for name, at, row in places if at >= 0]
    return draw.figure_of(
        [*bars, *marks],
        height,
        margin={"l": 8, "r": 8, "t": 4, "b": 8},
        barmode="overlay",
        xaxis=draw.axis("", range=[-0.005 * overlay.length, 1.005 * overlay.length], tickformat=",d"),
        yaxis=draw.axis("", categoryorder="array", categoryarray=["returned", "highlighted"], showgrid=False),
        shapes=[draw.box(GRID, (0, overlay.length), layer="below")],
    )


def _bar(name: str, parts: Sequence[Any], colour: str, pattern: str) -> draw.Trace:
    return draw.bars(
        [len(part) for part in parts] or [0],
        [name] * max(len(parts), 1),
        colour,
        "characters %{customdata[0]:,} to %{customdata[1]:,}, %{customdata[2]}",
        marker={"pattern": {"shape": pattern, "size": 5, "solidity": 0.25}},
        orientation="h",
        base=[part.start for part in parts] or [0],
        width=0.62,
        customdata=[[part.start, part.end, f"rank {part.rank}" if part.rank else "not returned"] for part in parts],
    )


def _lines(frame: pd.DataFrame, styles: Styles, chosen: str, hover: str, shape: str = "linear") -> list[draw.Trace]:
    """Return a line per system; the chosen one is last and opaque. The legend shows the other systems by family."""
    named: set[str] = set()
    lines = []
    for system in sorted(frame.columns, key=lambda name: name == chosen):
        style, own, group = styles[system], system == chosen, styles[system].family
        strength = {"width": 3.5, "dash": "solid"} if own else {"width": 1.5, "dash": style.dash}
        lines.append(
            draw.line(
                frame.index,
                frame[system],
                {"color": style.colour, "shape": shape, **strength},
                f"<b>{plain(system)}</b><br>{hover}",
                name=system_label(system, styles) if own else plain(group),
                legendgroup=plain(system if own else group),
                showlegend=own or group not in named,
                opacity=1.0 if own else QUIET,
            )
        )
        named |= set() if own else {group}
    return lines


def _marks(scores: pd.Series, marks: Sequence[float], style: SystemStyle, form: str) -> draw.Trace:
    places = np.abs(scores.index.to_numpy(dtype=float)[:, None] - np.array(marks, dtype=float)).argmin(axis=0)
    labels = [form.format(at) for at in marks]
    return draw.marks(
        scores.index.to_numpy()[places],
        scores.to_numpy()[places],
        {"symbol": style.symbol, "size": 11, "color": style.colour, "line": {"width": 1.5, "color": "#ffffff"}},
        hover=f"<b>{plain(scores.name)}</b><br>%{{customdata}} = %{{y:.4f}}",
        customdata=labels,
    )


def _decades(values: FloatArray) -> dict[str, Any]:
    """Return ticks at 1, 2 and 5 times each power of ten."""
    low, high = np.log10(values.min()), np.log10(values.max())
    ticks = [step * 10.0**power for power in range(int(np.floor(low)), int(np.ceil(high)) + 1) for step in (1, 2, 5)]
    shown = [tick for tick in ticks if low - 1e-9 <= np.log10(tick) <= high + 1e-9]
    return {"tickvals": shown, "ticktext": [f"{tick:g}" for tick in shown], "range": [low, high]}
