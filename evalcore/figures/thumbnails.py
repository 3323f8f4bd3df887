"""Small figures for the gallery: what a page shows, without its detail."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.draw import Ends
from evalcore.figures.style import BLUE, BLUES, LINE, RED, plain

HEIGHT = 230
WEAK = 0.5  # a correlation that is pale beside the usual ones


def small_matrix(table: pd.DataFrame) -> draw.Figure:
    """A square table of correlations in shades, a darker one for a higher value; 1 is always the darkest."""
    names, values = [plain(name) for name in table.index], table.to_numpy()
    least = float(np.fmin.reduce(values, axis=None, initial=WEAK))  # passes over what has no value
    texts = [["" if np.isnan(value) else f"{value:.2f}" for value in row] for row in values.tolist()]
    place = {"x": names, "y": names, "xgap": 1, "ygap": 1, "text": texts, "texttemplate": "%{text}"}
    shades = draw.cells(values, BLUES, (least, 1), "%{y}, %{x}: %{z:.3f}", **place)
    hidden = draw.axis("", showticklabels=False, showgrid=False)
    return draw.figure_of([shades], HEIGHT, xaxis=hidden, yaxis=draw.axis("", autorange="reversed", showgrid=False))


def first_places(counts: pd.Series) -> draw.Figure:
    """A bar for each system: how many measures put it first; one more for those that tie."""
    names = [plain(name) for name in counts.index]
    bars = draw.trace(
        "bar",
        x=counts,
        y=names,
        orientation="h",
        text=[f"{name}: {count}" for name, count in zip(names, counts, strict=True)],
        marker={"color": [BLUE, RED, LINE][: len(counts)]},
        hovertemplate="%{y}: %{x}<extra></extra>",
    )
    across = draw.axis("measures that put it first", rangemode="tozero")
    return draw.figure_of([bars], HEIGHT, xaxis=across, yaxis=draw.listed(showticklabels=False))


def difference_bars(differences: pd.Series, above: str, below: str) -> draw.Figure:
    """One bar per topic, sorted: up where the first system is better, down where the second is, grey where neither."""
    colours = [BLUE if value > 0 else RED if value < 0 else LINE for value in differences]
    topics = [plain(topic) for topic in differences.index]
    drawn, hover = Ends.of(differences).place(differences), "topic %{x}: %{y:+.4f}<extra></extra>"
    bars = draw.trace("bar", x=topics, y=drawn, marker={"color": colours}, hovertemplate=hover)
    notes = [
        draw.note(plain(above), 0.01, 0.98, "left top", "xy", None),
        draw.note(plain(below), 0.99, 0.02, "right bottom", "xy", None),
    ]
    across = draw.axis("topics", type="category", showticklabels=False, showgrid=False)
    return draw.figure_of([bars], HEIGHT, xaxis=across, yaxis=draw.axis("", **draw.decimals()), annotations=notes)
