"""Topics left out one at a time, and topics that set two measures or two systems apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import BLUE, HEIGHT, PALETTE, RED, plain


def left_out(table: pd.DataFrame, height: int = HEIGHT) -> draw.Figure:
    """tau of the ranking without each topic with the one over all; red where another system is first.

    `table` has the columns tau, moved, largest, first and same first, by topic; bars hang from 1, the longest first.
    """
    shown = table.sort_values("tau", kind="stable")
    kinds = ((True, "the same system is first", PALETTE[0]), (False, "another one is", RED))
    bars = [_left_out_bars(shown[shown["same first"] == same], name, colour) for same, name, colour in kinds]
    low = float(np.nanmin(shown["tau"].to_numpy(dtype=float), initial=1.0))
    ends = [low - 0.06 * (1.001 - low), 1 + 0.03 * (1.001 - low)]
    return draw.figure_of(
        [bar for bar in bars if len(bar["x"])],
        height,
        xaxis=_topic_axis("topic left out", shown.index),
        yaxis=draw.axis("τ with the ranking over all topics", range=ends, **draw.decimals(3, form="~f")),
        bargap=0.25,
    )


def _left_out_bars(table: pd.DataFrame, name: str, colour: str) -> draw.Trace:
    columns = [table[column].tolist() for column in ("moved", "largest", "first", "tau")]
    return draw.bars(
        [plain(topic) for topic in table.index],
        table["tau"] - 1,
        colour,
        "without %{x}: τ %{customdata[3]:.4f}<br>%{customdata[0]} systems move, by up to %{customdata[1]} ranks"
        "<br>first: %{customdata[2]}",
        base=1,
        name=name,
        customdata=[[moved, largest, plain(first), tau] for moved, largest, first, tau in zip(*columns, strict=True)],
    )


def influences(table: pd.DataFrame, title: str, height: int = HEIGHT) -> draw.Figure:
    """What each topic does to the agreement of two measures, or to a difference: below 0 it lowers it.

    `table` has the column influence by topic, in the order in which topics are drawn, and may have tau without.
    """
    without = "<br>τ without it %{customdata:.4f}" if "tau without" in table else ""
    hover = f"%{{x}}: influence %{{y:+.3f}}{without}"
    return _signed_bars(table["influence"], table.get("tau without"), hover, draw.axis(title), height)


def shifts(table: pd.DataFrame, title: str, height: int = HEIGHT) -> draw.Figure:
    """What each topic adds to the move of one system between two measures; below 0 it lets the system fall.

    `table` has the columns x, y and shift by topic, in the order in which they are drawn; a click names the topic.
    """
    rows = [[str(topic), x, y] for topic, x, y in zip(table.index, table["x"], table["y"], strict=True)]
    hover = "%{x}: %{y:+.3f}<br>lead %{customdata[1]:+.3f} → %{customdata[2]:+.3f}"
    up = draw.axis(title, **draw.decimals(2, "+", "~f"))
    return _signed_bars(table["shift"], rows, hover, up, height, clickmode="event+select")


def _signed_bars(
    values: pd.Series, customdata: Any, hover: str, up: draw.Part, height: int, **layout: Any
) -> draw.Figure:
    """A bar for each topic, red below 0."""
    colours = [RED if value < 0 else BLUE for value in values]
    bars = draw.bars([plain(topic) for topic in values.index], values, colours, hover, customdata=customdata)
    own = {"xaxis": _topic_axis("topic", values.index), "yaxis": up, "shapes": [ZERO]}
    return draw.figure_of([bars], height, **own, bargap=0.25, **layout)


def _topic_axis(title: str, topics: pd.Index) -> draw.Part:
    order = [plain(topic) for topic in topics]
    return draw.topics(title, showgrid=False, categoryorder="array", categoryarray=order)


ZERO = draw.level(0, dash="solid")
