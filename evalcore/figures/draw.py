"""Parts of figures: traces, lines and texts over them, axes, and the figure in the common layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.direction import Scored
from evalcore.figures.style import GRID, HEIGHT, LINE, plain

MOST_DECIMALS = 8  # that an axis writes
ROOM = 0.1  # distance from the last finite score to the line of infinite ones, as a share of the axis

EDGELESS = {"line": {"width": 0}}

Figure: TypeAlias = go.Figure
Trace = dict[str, Any]
Kind: TypeAlias = Literal["scatter", "bar", "heatmap", "box", "scatterternary"]  # drawing/ draws these
Part = dict[str, Any]  # of a layout: a shape, an annotation, an axis
LEGEND: Part = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "itemsizing": "constant"}


# --- traces ---------------------------------------------------------------------------------------------------------


def trace(kind: Kind, **settings: Any) -> Trace:
    """Return a trace as plotly.js reads it, with columns as arrays; without a name it has no entry in the legend.

    It becomes an object of plotly only together with its figure, which saves time.
    """
    arrays = {name: column.to_numpy() for name, column in settings.items() if isinstance(column, pd.Series | pd.Index)}
    unnamed = {} if settings.get("name") else {"showlegend": False}
    return {"type": kind, **unnamed, **settings, **arrays}


def line(x: Any, y: Any, look: Mapping[str, Any], hover: str | None = "", **more: Any) -> Trace:
    """Draw a line, with marks if `more` has a `marker`; `hover` is the hover text ("" for none, None for x and y)."""
    mode = {"mode": "lines+markers", "cliponaxis": False} if "marker" in more else {"mode": "lines"}
    return trace("scatter", x=x, y=y, **{**mode, "line": look, **_under_the_mouse(hover), **more})


def marks(x: Any, y: Any, look: Mapping[str, Any], hover: str | None = "", **more: Any) -> Trace:
    """Draw marks, which are not cut off at the edges; `hover` is the hover text ("" for none, None for x and y)."""
    own = {"mode": "markers", "cliponaxis": False, "marker": look, **_under_the_mouse(hover)}
    return trace("scatter", x=x, y=y, **{**own, **more})


def bars(x: Any, y: Any, colour: Any, hover: str | None = "", **more: Any) -> Trace:
    """Draw bars without edges; `marker` may change their look, and `orientation` "h" makes them horizontal."""
    marker = {"color": colour, "line": {"width": 0}, **more.pop("marker", {})}
    return trace("bar", x=x, y=y, marker=marker, **_under_the_mouse(hover), **more)


def cells(z: Any, colours: Any, ends: tuple[float, float], hover: str | None = "", **more: Any) -> Trace:
    """Draw a table of values as coloured cells without a colour bar; `ends` are the values of the outermost colours."""
    own = {"zmin": ends[0], "zmax": ends[1], "colorscale": colours, "showscale": False, **_under_the_mouse(hover)}
    return trace("heatmap", z=z, **{**own, **more})


def band(x: Any, low: Any, high: Any, colour: str, **more: Any) -> list[Trace]:
    """Return traces that fill the area between two lines; `more` are settings of the upper one, such as a name."""
    quiet = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    filled = {**quiet, "fill": "tonexty", "fillcolor": colour, **more}
    return [trace("scatter", x=x, y=low, **quiet), trace("scatter", x=x, y=high, **filled)]


def written_cells(
    x: Any, y: Any, size: float, data: Any, texts: Any, font: Mapping[str, Any], values: bool = False
) -> Trace:
    """Draw invisible marks with texts over cells, for pointing and clicking: plotly selects marks, not cells.

    `data` holds, for each mark, the text that a click reports and the hover text. If `values`, the texts are the values
    of the heat map below, and may lose decimals in small cells.
    """
    still = {"selected": {"marker": {"opacity": 0}}, "unselected": {"marker": {"opacity": 0}}}
    look = {"symbol": "square", "size": size, "opacity": 0}
    words = {"mode": "markers+text", "text": texts, "textfont": font, "customdata": data}
    # places.js chooses the texts that fit at the size at which the figure is shown
    meta = {"cells": "values" if values else "words"}
    return marks(x, y, look, "%{customdata[1]}", meta=meta, **words, **still)


def unseen(**more: Any) -> Trace:
    """Draw an invisible mark, because plotly draws an axis only if some trace uses it."""
    return trace("scatter", mode="markers", opacity=0, hoverinfo="skip", **more)


def key(name: str, look: Mapping[str, Any], **more: Any) -> Trace:
    """Return an entry of the legend, without a mark in the figure."""
    return trace("scatter", x=[None], y=[None], name=name, **{"mode": "markers", "marker": look, **more})


def _under_the_mouse(hover: str | None) -> dict[str, str]:
    if hover is None:
        return {}
    return {"hovertemplate": f"{hover}<extra></extra>"} if hover else {"hoverinfo": "skip"}


def gapped(*ends: ArrayLike) -> FloatArray:
    """Return many short lines, given by their ends, joined into one line with a gap after each.

    >>> gapped([1, 2], [3, 4]).tolist()
    [1.0, 3.0, nan, 2.0, 4.0, nan]
    """
    columns = [np.asarray(end, dtype=np.float64) for end in ends]
    return np.column_stack([*columns, np.full(len(columns[0]), np.nan)]).ravel()


def strands(x: ArrayLike, table: ArrayLike) -> dict[str, FloatArray]:
    """Return many lines (rows of the table) over the same x values, joined into one with a gap after each.

    >>> {side: values.tolist() for side, values in strands([1, 2], [[3, 4], [5, 6]]).items()}
    {'x': [1.0, 2.0, nan, 1.0, 2.0, nan], 'y': [3.0, 4.0, nan, 5.0, 6.0, nan]}
    """
    rows = np.atleast_2d(np.asarray(table, dtype=np.float64))
    places = np.append(np.asarray(x, dtype=np.float64), np.nan)
    return {"x": np.tile(places, len(rows)), "y": gapped(*rows.T)}


def spread(low: Any, value: Any, high: Any, **more: Any) -> Part:
    """Return error bars from low to high; towards an unknown end, they have no length."""
    ends = {"array": np.maximum(high - value, 0), "arrayminus": np.maximum(value - low, 0)}
    known = {name: np.nan_to_num(np.asarray(values, dtype=float)) for name, values in ends.items()}
    return {"type": "data", "symmetric": False, **known, "thickness": 1, "color": LINE, **more}


# --- figures --------------------------------------------------------------------------------------------------------


# Plotly checks and rewrites every property of every trace, which takes longer than everything else about a figure. The
# tests switch this on, and check that it changes nothing.
new_figure: Callable[..., Figure] = partial(go.Figure, _validate=False)


@dataclass(frozen=True)
class Spec:
    """A figure as plotly.js reads it, without plotly's objects."""

    data: Sequence[Trace]
    layout: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return a dict of data and layout, in the form of plotly's figures."""
        return {"data": list(self.data), "layout": dict(self.layout)}

    def with_layout(self, **changes: Any) -> Spec:
        """Return the figure with changed settings of the layout; nested settings are merged."""
        inner = {name: change for name, change in changes.items() if isinstance(change, Mapping)}
        merged = {name: {**(self.layout.get(name) or {}), **values} for name, values in inner.items()}
        return replace(self, layout={**self.layout, **changes, **merged})


Drawn: TypeAlias = Figure | Spec


_AS_SPEC: ContextVar[bool] = ContextVar("figures as specs", default=False)


def spec_of(make: Callable[[], Figure]) -> Spec:
    """Call `make` so that `figure_of` builds no objects of plotly, and return the figure as a `Spec`.

    Creating and copying these objects takes longer than computing what is drawn.
    """
    token = _AS_SPEC.set(True)
    try:
        made = make()
    finally:
        _AS_SPEC.reset(token)
    return as_spec(made)


def as_spec(figure: Drawn) -> Spec:
    """Return a figure without plotly's objects."""
    if isinstance(figure, Spec):
        return figure
    # part by part, because for a whole figure plotly encodes the numbers, which takes time and makes them unreadable
    return Spec([trace.to_plotly_json() for trace in figure.data], figure.layout.to_plotly_json())


def figure_of(traces: Sequence[Trace], height: int = HEIGHT, **layout: Any) -> Figure:
    """Return a figure of traces in the common layout; `uirevision` keeps zoom and selection when data change."""
    settings: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 28, "b": 8},
        "uirevision": "keep",
        "hoverlabel": {"align": "left", "namelength": -1},
        "legend": LEGEND,
        "dragmode": "zoom",
    }
    if _AS_SPEC.get():
        return cast(Figure, Spec(traces, {**settings, **layout}))
    return new_figure(data=traces, layout={**settings, **layout})


# --- axes ------------------------------------------------------------------------------------------------------------


def axis(title: str, **settings: Any) -> dict[str, Any]:
    """Return an axis with a faint grid and a title."""
    common: dict[str, Any] = {
        "title": {"text": title, "standoff": 8},
        "gridcolor": GRID,
        "zeroline": False,
        "automargin": True,
    }
    return {**common, **settings}


@cache
def decimals(least: int = 2, sign: str = "", form: str = "f") -> dict[str, Any]:
    """Return the number format of an axis: `least` decimals, or more if ticks are so close that two would look alike.

    Plotly chooses the format from the distance of the ticks, also after a zoom.

    >>> decimals(7)["tickformatstops"]
    [{'dtickrange': [None, 9e-08], 'value': '.8f'}, {'dtickrange': [9e-08, None], 'value': '.7f'}]
    """
    borders = [None, *(float(f"9e-{places + 1}") for places in range(MOST_DECIMALS - 1, least - 1, -1)), None]
    closest = range(MOST_DECIMALS, least - 1, -1)
    stops = [
        {"dtickrange": [low, high], "value": f"{sign}.{places}{form}"}
        for places, low, high in zip(closest, borders, borders[1:], strict=False)
    ]
    return {"tickformatstops": stops}


def named_ticks(names: Mapping[float, str] | None) -> dict[str, Any]:
    """Return the ticks of an axis whose values are indices of options with names; an empty dict without names."""
    return {"tickvals": list(names), "ticktext": list(map(plain, names.values()))} if names else {}


def ends(*values: ArrayLike, room: float) -> list[float]:
    """Return the ends of an axis: the smallest and largest finite number, with a margin as a share of their span.

    >>> ends([1, 3, np.inf], room=0.5), ends([], room=0)
    ([0.0, 4.0], [0.0, 1.0])
    """
    known = np.concatenate([np.asarray(part, dtype=np.float64).ravel() for part in values])
    known = known[np.isfinite(known)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    beyond = room * (high - low or abs(high) or 1.0)
    return [low - beyond, high + beyond]


def evenly(count: int, most: int) -> IntArray:
    """Return at most `most` of `count` positions, evenly spaced, including both ends.

    >>> evenly(5, 3).tolist(), evenly(2, 3).tolist(), evenly(0, 3).tolist()
    ([0, 2, 4], [0, 1], [])
    """
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def ticks(names: Sequence[str]) -> Part:
    """Return ticks at 0, 1, 2, ... with these names, which must be escaped already."""
    return {"tickvals": list(range(len(names))), "ticktext": list(names)}


def rows(names: Sequence[str], **settings: Any) -> Part:
    """Return a vertical axis with a name for each row, the first on top."""
    return axis("", **{**ticks(names), "range": [len(names) - 0.4, -0.6], "showgrid": False, **settings})


def listed(title: str = "", **settings: Any) -> Part:
    """Return a vertical axis of categories, the first on top."""
    return axis(title, **{"type": "category", "autorange": "reversed", "showgrid": False, **settings})


def topics(title: str, **settings: Any) -> Part:
    """Return an axis with the topics as ticks, in small slanted type."""
    return axis(title, **{"type": "category", "tickangle": -60, "tickfont": {"size": 10}, **settings})


# --- over the traces --------------------------------------------------------------------------------------------------


def upright(at: float, top: float = 1.0, **look: Any) -> Part:
    """Return a vertical line up to the share `top` of the figure's height; dotted unless `look` says otherwise."""
    look = {"color": LINE, "dash": "dot", "width": 1, **look}
    return {"type": "line", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": top, "layer": "below", "line": look}


def level(at: float, **look: Any) -> Part:
    """Return a horizontal line through the whole figure, dotted unless `look` says otherwise."""
    look = {"color": LINE, "dash": "dot", "width": 1, **look}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": at, "y1": at, "line": look}


def box(colour: str, x: Sequence[float] | None = None, y: Sequence[float] | None = None, **more: Any) -> Part:
    """Return a rectangle without an edge; without `x` or `y` it spans the whole figure in that direction."""
    whole = {f"{side}ref": "paper" for side, ends in (("x", x), ("y", y)) if ends is None}
    (x0, x1), (y0, y1) = x or (0, 1), y or (0, 1)
    return {"type": "rect", **whole, "x0": x0, "x1": x1, "y0": y0, "y1": y1, "fillcolor": colour, **EDGELESS, **more}


def frame(colour: str, x: Sequence[float], y: Sequence[float], **more: Any) -> Part:
    """Return the outline of a rectangle."""
    return box("rgba(0, 0, 0, 0)", x, y, line={"color": colour, "width": 3}, **more)


def within(share: float) -> str:
    """Return a name for a note on an area; the browser cuts a note of this name to this share of the axis."""
    return f"within {share:.4f}"


SELECTION = "selection"  # name of a part that shows a selection; it is left out of files, see following/places.js


def mean_and_band(value: float, low: float, high: float) -> list[Part]:
    """Return a horizontal line at a value and the band of its interval, each only if it is known."""
    known = not np.isnan(value), not np.isnan([low, high]).any()
    line, interval = level(value, width=2), box(LINE, y=(low, high), layer="below", opacity=0.25)
    return [part for part, there in zip((line, interval), known, strict=True) if there]


def note(text: str, x: Any, y: Any, anchor: str, paper: str = "y", size: float | None = 12, **more: Any) -> Part:
    """Return a text at a position; `anchor` is the point of the text that lies there, such as "left top".

    On the axes in `paper` ("x", "y" or "xy"), the position is a share of the figure.
    """
    across, up = anchor.split()
    refs = {f"{side}ref": "paper" for side in paper}
    font = {"font": {"size": size}} if size else {}
    place = {"x": x, "y": y, **refs, "xanchor": across, "yanchor": up, "showarrow": False}
    return {**place, "text": text, **font, **more}


# --- infinite scores, drawn beyond all others on a line of their own, labelled ∞ --------------------------------------


def score_text(value: float, digits: int = 4, sign: str = "") -> str:
    """Return a score as text for readers; `sign` "+" shows the sign of a difference.

    >>> score_text(0.5), score_text(float("inf")), score_text(-1.0, 2, "+"), score_text(float("nan"))
    ('0.5000', '∞', '-1.00', 'none')
    """
    return "none" if np.isnan(value) else f"{value:{sign}.{digits}f}".replace("inf", "∞")


@dataclass(frozen=True)
class Ends:
    """The two ends of an axis of scores, and flags for infinite scores, which are drawn at these ends."""

    low: float
    high: float
    below: bool
    above: bool

    @classmethod
    def of(cls, *scores: pd.Series | pd.DataFrame) -> Ends:
        """Return the ends of an axis for all of these scores."""
        values = np.concatenate([np.asarray(score, dtype=np.float64).ravel() for score in scores])
        low, high = ends(values, room=ROOM)
        return cls(low, high, bool((values == -np.inf).any()), bool((values == np.inf).any()))

    @property
    def used(self) -> bool:
        return self.below or self.above

    def place(self, scores: Scored) -> Scored:
        """Return the scores as drawn: infinite ones are replaced by the ends.

        >>> Ends.of(pd.Series([0.0, 1.0, np.inf])).place(pd.Series([0.5, np.inf])).tolist()
        [0.5, 1.1]
        """
        if not self.used:
            return scores  # the usual case; the rest would slow down every move of a slider
        return scores.mask(scores == np.inf, self.high).mask(scores == -np.inf, self.low)

    def lines(self, side: Literal["x", "y"]) -> list[Part]:
        """Return the lines across the figure on which infinite scores are drawn."""
        line = {"x": upright, "y": level}[side]
        return [line(at, dash="dash") | {"layer": "below"} for at, _ in self._marks()]

    def names(self, side: Literal["x", "y"]) -> list[Part]:
        """Return the labels, ∞ or −∞, at the ends of the lines for infinite scores."""
        font = {"size": 15, "color": LINE}
        if side == "x":
            return [note(text, at, 1, "auto bottom", font=font) for at, text in self._marks()]
        return [note(text, 1, at, "right bottom", "x", font=font) for at, text in self._marks()]

    def _marks(self) -> list[tuple[float, str]]:
        return [(self.low, "−∞")] * self.below + [(self.high, "∞")] * self.above
