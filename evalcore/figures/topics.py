"""Contributions of topics to the change of one system between two measures."""

from __future__ import annotations

from typing import Any

import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import BLUE, HEIGHT, RED, plain


def shifts(table: pd.DataFrame, title: str, height: int = HEIGHT) -> draw.Figure:
    """Draw the contribution of each topic to the change of a system's lead between two measures.

    `table` has the columns x, y and shift by topic, in the order in which they are drawn; a click reports the topic.
    """
    rows = [[str(topic), x, y] for topic, x, y in zip(table.index, table["x"], table["y"], strict=True)]
    hover = "%{x}: %{y:+.3f}<br>lead %{customdata[1]:+.3f} → %{customdata[2]:+.3f}"
    up = draw.axis(title, **draw.decimals(2, "+", "~f"))
    return _signed_bars(table["shift"], rows, hover, up, height, clickmode="event+select")


def _signed_bars(
    values: pd.Series, customdata: Any, hover: str, up: draw.Part, height: int, **layout: Any
) -> draw.Figure:
    """Draw a bar for each topic, red below 0 and blue otherwise."""
    colours = [RED if value < 0 else BLUE for value in values]
    bars = draw.bars([plain(topic) for topic in values.index], values, colours, hover, customdata=customdata)
    own = {"xaxis": _topic_axis("topic", values.index), "yaxis": up, "shapes": [ZERO]}
    return draw.figure_of([bars], height, **own, bargap=0.25, **layout)


def _topic_axis(title: str, topics: pd.Index) -> draw.Part:
    order = [plain(topic) for topic in topics]
    return draw.topics(title, showgrid=False, categoryorder="array", categoryarray=order)


ZERO = draw.level(0, dash="solid")
