"""Figures with a row for each system, the best on top: names, marks and intervals, and bars beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.figures import draw
from evalcore.figures.labels import beside, room
from evalcore.figures.style import LINE, MANY, PALE, Styles, opacities, plain, system_label

TALL = 900  # pixels of a figure with a row for each of many systems
LEADERS, LETTERS = 10, 13  # best systems in colour if there are many; pixels from one name to the next
AXIS = 60  # pixels of the height that rows do not have
TIGHT = {"l": 8, "r": 8, "t": 8, "b": 8}
SHARES: dict[str, Any] = {"side": "top", "range": [0, 1.02], "tickformat": ".0%"}


@dataclass(frozen=True)
class Rows:
    """The rows of systems in a figure; if there are many, they are thin, and only a few are named and in colour."""

    systems: list[str]  # from bottom to top
    named: list[int]  # rows with names
    height: int
    styles: Styles
    opacity: list[float]

    @classmethod
    def of(cls, systems: Iterable[Any], styles: Styles, selected: Collection[str], height: int) -> Rows:
        """Return the rows for systems from bottom to top, in a figure of at least this height.

        With MANY systems or more, only the best and the selected ones are in colour, and only they are named unless
        there is room for all names.
        """
        names = list(map(str, systems))
        count, opacity = len(names), opacities(names, selected)
        if count < MANY:
            return cls(names, list(range(count)), max(height, AXIS + 23 * count // 2), styles, opacity)
        height = max(height, TALL)
        leading = [at for at, name in enumerate(names) if at >= count - LEADERS or name in selected]
        named = list(range(count)) if LETTERS * count <= height - AXIS else leading
        seen = {names[at] for at in leading}
        pale = {name: style if name in seen else replace(style, colour=PALE) for name, style in styles.items()}
        return cls(names, named, height, pale, opacity)

    @property
    def places(self) -> IntArray:
        return np.arange(len(self.systems))

    @property
    def many(self) -> bool:
        return len(self.systems) >= MANY

    @property
    def few_named(self) -> bool:
        return len(self.named) < len(self.systems)

    @property
    def line(self) -> float:
        """The width of the lines in the rows."""
        return 1 if self.many else 3

    @property
    def colours(self) -> list[str]:
        return [self.styles[name].colour for name in self.systems]

    @property
    def ranks(self) -> dict[str, Any]:
        """The ends and the ticks of an axis of ranks."""
        count = len(self.systems)
        step = 1 if count <= 6 else 5 if count <= 30 else 10 if count <= 100 else 50
        return {"range": [0.3, count + 0.7], "tickvals": sorted({1, *range(step, count + 1, step)})}

    def mark(self, usual: float) -> float:
        """Return the size of the marks: `usual`, or a smaller size if there are many systems."""
        return 5 if self.many else usual

    def marks(self, usual: float) -> draw.Part:
        """Return the look of the systems' marks."""
        symbols = [self.styles[name].symbol for name in self.systems]
        return {"size": self.mark(usual), "symbol": symbols, "color": self.colours, "opacity": self.opacity}

    def named_data(self, *columns: Iterable[Any]) -> list[list[Any]]:
        """Return customdata for hover texts: each system's name, its escaped name, and its values in columns."""
        return [[name, plain(name), *more] for name, *more in zip(self.systems, *columns, strict=True)]

    def bars(self, values: pd.Series, hover: str, strength: float = 1.0) -> draw.Trace:
        """Draw a bar in each row, on the second horizontal axis."""
        return draw.bars(
            values,
            self.places,
            self.colours,
            f"<b>%{{customdata[1]}}</b><br>{hover}",
            marker={"opacity": [strength * opacity for opacity in self.opacity]},
            orientation="h",
            xaxis="x2",
            customdata=self.named_data(),
        )

    def axis(self) -> dict[str, Any]:
        """Return the vertical axis, with the names of the rows if all are named."""
        count = len(self.systems)
        names = {} if self.few_named else draw.ticks([system_label(name, self.styles) for name in self.systems])
        font = {"size": 11 if count <= 30 else 10}
        look = {"showgrid": not self.many, "showticklabels": not self.few_named, "tickfont": font}
        return draw.axis("", range=[-0.8, count - 0.2], **names, **look)

    def few_names(self) -> dict[str, Any]:
        """Return annotations that name a few of many rows, with leader lines, and a margin; {} if all have names."""
        if not self.few_named:
            return {}
        count, texts = len(self.systems), [system_label(self.systems[at], self.styles) for at in self.named]
        places = np.array(self.named, dtype=np.float64)
        notes = beside(texts, places, (-0.8, count - 0.2), self.height - AXIS, left=True)
        return {"annotations": notes, "margin": {**TIGHT, "l": room(texts)}}

    @property
    def meta(self) -> dict[str, Any]:
        """The names of all rows, for the browser, which shows those that fit; {} unless there are many rows."""
        return {"rows": {"yaxis": [system_label(name, self.styles) for name in self.systems]}} if self.many else {}

    def figure(self, traces: Sequence[draw.Trace], **layout: Any) -> draw.Figure:
        """Return a figure of traces in these rows; a click selects a system."""
        usual = {"meta": self.meta, "yaxis": self.axis(), "margin": TIGHT, **self.few_names()}
        return draw.figure_of(traces, self.height, clickmode="event+select", **{**usual, **layout})


def interval_lines(
    low: pd.Series, high: pd.Series, places: IntArray | FloatArray, width: float = 3, colour: str = LINE, **more: Any
) -> draw.Trace:
    """Draw a line from low to high at each place, as one trace with gaps."""
    return draw.line(draw.gapped(low, high), draw.gapped(places, places), {"color": colour, "width": width}, **more)
