"""Topics left out one at a time, and topics that set two measures or two systems apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.figures import draw
from evalcore.figures.endless import Ends
from evalcore.figures.style import BLUE, HEIGHT, LINE, PALETTE, RED, plain


def left_out(table: pd.DataFrame, height: int = HEIGHT) -> go.Figure:
    """tau of the ranking without each topic with the one over all; red where another system is first.

    `table` has the columns tau, moved, largest, first and same first, by topic; bars hang from 1, the longest first.
    """
    shown = table.sort_values("tau", kind="stable")
    kinds = ((True, "the same system is first", PALETTE[0]), (False, "another one is", RED))
    bars = [_left_out_bars(shown, shown["same first"] == same, name, colour) for same, name, colour in kinds]
    low = float(np.nanmin(shown["tau"].to_numpy(dtype=float), initial=1.0))
    return draw.figure_of(
        [bar for bar in bars if len(bar["x"])],
        height,
        xaxis=_topic_axis("topic left out", shown.index),
        yaxis=draw.axis(
            "τ with the ranking over all topics",
            range=[low - 0.06 * (1.001 - low), 1 + 0.03 * (1.001 - low)],
            **draw.decimals(3, form="~f"),
        ),
        bargap=0.25,
    )


def _left_out_bars(table: pd.DataFrame, mask: pd.Series, name: str, colour: str) -> draw.Trace:
    own = table[mask]
    columns = [own[column].tolist() for column in ("moved", "largest", "first", "tau")]
    rows = [[moved, largest, plain(first), tau] for moved, largest, first, tau in zip(*columns, strict=True)]
    return draw.bars(
        [plain(topic) for topic in own.index],
        own["tau"] - 1,
        colour,
        hover="without %{x}: τ %{customdata[3]:.4f}<br>%{customdata[0]} systems move, "
        "by up to %{customdata[1]} ranks<br>first: %{customdata[2]}",
        base=1,
        name=name,
        customdata=rows,
    )


def influences(table: pd.DataFrame, title: str, height: int = HEIGHT) -> go.Figure:
    """What each topic does to the agreement of two measures, or to a difference: below 0 it lowers it.

    `table` has the column influence by topic, in the order in which topics are drawn, and may have tau without.
    """
    without = "<br>τ without it %{customdata:.4f}" if "tau without" in table else ""
    bars = _signed_bars(
        table["influence"],
        table.get("tau without"),
        f"%{{x}}: influence %{{y:+.3f}}{without}<extra></extra>",
    )
    lines = _zero()
    return draw.figure_of(
        [bars],
        height,
        xaxis=_topic_axis("topic", table.index),
        yaxis=draw.axis(title),
        shapes=lines,
        showlegend=False,
        bargap=0.25,
    )


def shifts(table: pd.DataFrame, title: str, height: int = HEIGHT) -> go.Figure:
    """What each topic adds to the move of one system between two measures; below 0 it lets the system fall.

    `table` has the columns x, y and shift by topic, in the order in which they are drawn; a click names the topic.
    """
    bars = _signed_bars(
        table["shift"],
        [[str(topic), x, y] for topic, x, y in zip(table.index, table["x"], table["y"], strict=True)],
        "%{x}: %{y:+.3f}<br>lead %{customdata[1]:+.3f} → %{customdata[2]:+.3f}<extra></extra>",
    )
    return draw.figure_of(
        [bars],
        height,
        xaxis=_topic_axis("topic", table.index),
        yaxis=draw.axis(title, **draw.decimals(2, "+", "~f")),
        shapes=_zero(),
        showlegend=False,
        bargap=0.25,
        clickmode="event+select",
    )


def _signed_bars(values: pd.Series, customdata: Any, hover: str) -> draw.Trace:
    """A bar for each topic, red below 0."""
    return draw.trace(
        "bar",
        x=[plain(topic) for topic in values.index],
        y=values.to_numpy(),
        marker={"color": [RED if value < 0 else BLUE for value in values], "line": {"width": 0}},
        customdata=customdata,
        hovertemplate=hover,
    )


def contributions(table: pd.DataFrame, labels: tuple[str, str], title: str, height: int = HEIGHT) -> go.Figure:
    """What each topic contributes to the difference of two systems under each of two measures.

    `table` has the columns x, y and shift by topic, in the order in which they are drawn; `labels` name the measures.
    An infinite contribution stands on a line of its own; where both systems have an infinite score there is none.
    """
    ends_of = Ends.of(table[["x", "y"]])
    table = ends_of.place(table[["x", "y"]])
    topics = [plain(topic) for topic in table.index]
    dots = [
        draw.marks(
            topics,
            table[column],
            {"size": 9, "color": colour, "symbol": symbol},
            hover=f"%{{x}}<br>{plain(label)}: %{{y:+.4f}}",
            name=plain(label),
        )
        for column, label, colour, symbol in zip(("x", "y"), labels, PALETTE[:2], ("circle", "diamond"), strict=True)
    ]
    gap = np.full(len(table), None)
    ends = np.column_stack([table["x"], table["y"], gap]).ravel()
    joined = draw.line(
        np.repeat(np.array(topics, dtype=object), 3), ends, {"color": LINE, "width": 2}, showlegend=False
    )
    return draw.figure_of(
        [joined, *dots],
        height,
        xaxis=_topic_axis("topic", table.index),
        yaxis=draw.axis(title, **draw.decimals(3, "+", "~f")),
        shapes=[*_zero(), *ends_of.lines("y")],
        annotations=ends_of.names("y"),
    )


def _topic_axis(title: str, topics: pd.Index) -> dict[str, Any]:
    order = {"categoryorder": "array", "categoryarray": [plain(topic) for topic in topics]}
    return draw.axis(title, type="category", tickangle=-60, tickfont={"size": 10}, showgrid=False, **order)


def _zero() -> list[dict[str, Any]]:
    return [{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 0, "y1": 0, "line": {"color": LINE, "width": 1}}]
