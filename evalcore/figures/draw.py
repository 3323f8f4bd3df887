"""Parts of figures: traces, lines and words over them, axes, and the figure in the layout of the house."""

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
ROOM = 0.1  # from the last finite score to the infinite ones, as a share of the axis

EDGELESS = {"line": {"width": 0}}

Figure: TypeAlias = go.Figure
Trace = dict[str, Any]
Kind: TypeAlias = Literal["scatter", "bar", "heatmap", "box", "scatterternary"]  # drawing/ draws these
Part = dict[str, Any]  # of a layout: a shape, an annotation, an axis
LEGEND: Part = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "itemsizing": "constant"}


# --- traces ---------------------------------------------------------------------------------------------------------


def trace(kind: Kind, **settings: Any) -> Trace:
    """A trace as plotly.js reads it, columns as arrays; made a plotly object once, with its figure: that costs time.

    Without a name it has no entry in a legend.
    """
    arrays = {name: column.to_numpy() for name, column in settings.items() if isinstance(column, pd.Series | pd.Index)}
    unnamed = {} if settings.get("name") else {"showlegend": False}
    return {"type": kind, **unnamed, **settings, **arrays}


def line(x: Any, y: Any, look: Mapping[str, Any], hover: str | None = "", **more: Any) -> Trace:
    """A line, with marks if `more` has a `marker`; `hover` describes a point: "" nothing, None its numbers."""
    mode = {"mode": "lines+markers", "cliponaxis": False} if "marker" in more else {"mode": "lines"}
    return trace("scatter", x=x, y=y, **{**mode, "line": look, **_under_the_mouse(hover), **more})


def marks(x: Any, y: Any, look: Mapping[str, Any], hover: str | None = "", **more: Any) -> Trace:
    """Marks, whole at the edge of the axes; `hover` describes each, "" nothing, None its numbers."""
    own = {"mode": "markers", "cliponaxis": False, "marker": look, **_under_the_mouse(hover)}
    return trace("scatter", x=x, y=y, **{**own, **more})


def bars(x: Any, y: Any, colour: Any, hover: str | None = "", **more: Any) -> Trace:
    """Bars without edges; `marker` may say more of their look, and `orientation` "h" has them lie."""
    marker = {"color": colour, "line": {"width": 0}, **more.pop("marker", {})}
    return trace("bar", x=x, y=y, marker=marker, **_under_the_mouse(hover), **more)


def cells(z: Any, colours: Any, ends: tuple[float, float], hover: str | None = "", **more: Any) -> Trace:
    """A table of values as shades from one end of the colours to the other, without a scale beside it."""
    own = {"zmin": ends[0], "zmax": ends[1], "colorscale": colours, "showscale": False, **_under_the_mouse(hover)}
    return trace("heatmap", z=z, **{**own, **more})


def band(x: Any, low: Any, high: Any, colour: str, **more: Any) -> list[Trace]:
    """Fill the area between two lines; `more` belongs to the upper one, and may name it in a legend."""
    quiet = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    filled = {**quiet, "fill": "tonexty", "fillcolor": colour, **more}
    return [trace("scatter", x=x, y=low, **quiet), trace("scatter", x=x, y=high, **filled)]


def written_cells(
    x: Any, y: Any, size: float, data: Any, texts: Any, font: Mapping[str, Any], values: bool = False
) -> Trace:
    """Draw invisible marks with texts over cells, which can be pointed at and clicked: plotly selects marks, not cells.

    `data` says of each what a click reports, and what stands under the mouse. `values`: the texts are those of the heat
    map under them, and may lose decimals in smaller cells.
    """
    still = {"selected": {"marker": {"opacity": 0}}, "unselected": {"marker": {"opacity": 0}}}
    look = {"symbol": "square", "size": size, "opacity": 0}
    words = {"mode": "markers+text", "text": texts, "textfont": font, "customdata": data}
    # places.js chooses which texts fit where the figure is seen.
    meta = {"cells": "values" if values else "words"}
    return marks(x, y, look, "%{customdata[1]}", meta=meta, **words, **still)


def unseen(**more: Any) -> Trace:
    """An invisible mark: plotly draws an axis only if some trace uses it."""
    return trace("scatter", mode="markers", opacity=0, hoverinfo="skip", **more)


def key(name: str, look: Mapping[str, Any], **more: Any) -> Trace:
    """An entry of the legend, of no mark."""
    return trace("scatter", x=[None], y=[None], name=name, **{"mode": "markers", "marker": look, **more})


def _under_the_mouse(hover: str | None) -> dict[str, str]:
    if hover is None:
        return {}
    return {"hovertemplate": f"{hover}<extra></extra>"} if hover else {"hoverinfo": "skip"}


def gapped(*ends: ArrayLike) -> FloatArray:
    """The ends of many short lines joined into a single line, with a gap after each.

    >>> gapped([1, 2], [3, 4]).tolist()
    [1.0, 3.0, nan, 2.0, 4.0, nan]
    """
    columns = [np.asarray(end, dtype=np.float64) for end in ends]
    return np.column_stack([*columns, np.full(len(columns[0]), np.nan)]).ravel()


def strands(x: ArrayLike, table: ArrayLike) -> dict[str, FloatArray]:
    """Many lines (rows of the table) over the same places as one, with a gap after each.

    >>> {side: values.tolist() for side, values in strands([1, 2], [[3, 4], [5, 6]]).items()}
    {'x': [1.0, 2.0, nan, 1.0, 2.0, nan], 'y': [3.0, 4.0, nan, 5.0, 6.0, nan]}
    """
    rows = np.atleast_2d(np.asarray(table, dtype=np.float64))
    places = np.append(np.asarray(x, dtype=np.float64), np.nan)
    return {"x": np.tile(places, len(rows)), "y": gapped(*rows.T)}


def spread(low: Any, value: Any, high: Any, **more: Any) -> Part:
    """Error bars from low to high; none if these are unknown."""
    ends = {"array": np.maximum(high - value, 0), "arrayminus": np.maximum(value - low, 0)}
    known = {name: np.nan_to_num(np.asarray(values, dtype=float)) for name, values in ends.items()}
    return {"type": "data", "symmetric": False, **known, "thickness": 1, "color": LINE, **more}


# --- figures --------------------------------------------------------------------------------------------------------


# Plotly checks and rewrites every property of every trace, which takes longer than all else about a figure. The tests
# have it do so, and see that it changes nothing.
new_figure: Callable[..., Figure] = partial(go.Figure, _validate=False)


@dataclass(frozen=True)
class Spec:
    """A figure as plotly.js reads it, without objects of plotly."""

    data: Sequence[Trace]
    layout: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """As in figures of plotly."""
        return {"data": list(self.data), "layout": dict(self.layout)}

    def with_layout(self, **changes: Any) -> Spec:
        """The figure with other settings of the layout; nested settings are merged."""
        inner = {name: change for name, change in changes.items() if isinstance(change, Mapping)}
        merged = {name: {**(self.layout.get(name) or {}), **values} for name, values in inner.items()}
        return replace(self, layout={**self.layout, **changes, **merged})


Drawn: TypeAlias = Figure | Spec


_AS_SPEC: ContextVar[bool] = ContextVar("figures as specs", default=False)


def spec_of(make: Callable[[], Figure]) -> Spec:
    """The figure that `make` returns, without plotly's objects if it comes directly from `figure_of`.

    Those objects, and to copy what is in them, take longer than to find out what is drawn.
    """
    token = _AS_SPEC.set(True)
    try:
        made = make()
    finally:
        _AS_SPEC.reset(token)
    return as_spec(made)


def as_spec(figure: Drawn) -> Spec:
    """A figure without plotly's objects."""
    if isinstance(figure, Spec):
        return figure
    # Part by part: of a whole figure plotly encodes the numbers, which takes time and hides what they are.
    return Spec([trace.to_plotly_json() for trace in figure.data], figure.layout.to_plotly_json())


def figure_of(traces: Sequence[Trace], height: int = HEIGHT, **layout: Any) -> Figure:
    """Traces in the house layout; `uirevision` keeps zoom and selection when data change."""
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
    """An axis with a faint grid and its title."""
    common: dict[str, Any] = {
        "title": {"text": title, "standoff": 8},
        "gridcolor": GRID,
        "zeroline": False,
        "automargin": True,
    }
    return {**common, **settings}


@cache
def decimals(least: int = 2, sign: str = "", form: str = "f") -> dict[str, Any]:
    """Format the numbers of an axis with `least` decimals, or more if ticks are closer, so that no two look alike.

    Plotly asks for the distance of the ticks, also after a zoom.

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
    """Ticks of an axis whose values are places among options, which have names; nothing where they have none."""
    return {"tickvals": list(names), "ticktext": list(map(plain, names.values()))} if names else {}


def ends(*values: ArrayLike, room: float) -> list[float]:
    """The ends of an axis: the smallest and largest finite number, with a margin as a share of their span.

    >>> ends([1, 3, np.inf], room=0.5), ends([], room=0)
    ([0.0, 4.0], [0.0, 1.0])
    """
    known = np.concatenate([np.asarray(part, dtype=np.float64).ravel() for part in values])
    known = known[np.isfinite(known)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    beyond = room * (high - low or abs(high) or 1.0)
    return [low - beyond, high + beyond]


def evenly(count: int, most: int) -> IntArray:
    """At most `most` of `count` positions, evenly spread, with both ends.

    >>> evenly(5, 3).tolist(), evenly(2, 3).tolist(), evenly(0, 3).tolist()
    ([0, 2, 4], [0, 1], [])
    """
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def ticks(names: Sequence[str]) -> Part:
    """A name at each of the places 0, 1, 2, ...; `names` are harmless already."""
    return {"tickvals": list(range(len(names))), "ticktext": list(names)}


def rows(names: Sequence[str], **settings: Any) -> Part:
    """An upright axis with a name for each row, the first on top."""
    return axis("", **{**ticks(names), "range": [len(names) - 0.4, -0.6], "showgrid": False, **settings})


def listed(title: str = "", **settings: Any) -> Part:
    """An upright axis of categories, the first on top."""
    return axis(title, **{"type": "category", "autorange": "reversed", "showgrid": False, **settings})


def topics(title: str, **settings: Any) -> Part:
    """An axis with the topics under it, small and slanted."""
    return axis(title, **{"type": "category", "tickangle": -60, "tickfont": {"size": 10}, **settings})


# --- over the traces --------------------------------------------------------------------------------------------------


def upright(at: float, top: float = 1.0, **look: Any) -> Part:
    """A vertical line through the figure, up to the share `top` of its height; dotted unless `look` says otherwise."""
    look = {"color": LINE, "dash": "dot", "width": 1, **look}
    return {"type": "line", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": top, "layer": "below", "line": look}


def level(at: float, **look: Any) -> Part:
    """A horizontal line through the whole figure, dotted unless `look` says otherwise."""
    look = {"color": LINE, "dash": "dot", "width": 1, **look}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": at, "y1": at, "line": look}


def box(colour: str, x: Sequence[float] | None = None, y: Sequence[float] | None = None, **more: Any) -> Part:
    """A rectangle without an edge; across the whole figure on a side that has no ends."""
    whole = {f"{side}ref": "paper" for side, ends in (("x", x), ("y", y)) if ends is None}
    (x0, x1), (y0, y1) = x or (0, 1), y or (0, 1)
    return {"type": "rect", **whole, "x0": x0, "x1": x1, "y0": y0, "y1": y1, "fillcolor": colour, **EDGELESS, **more}


def frame(colour: str, x: Sequence[float], y: Sequence[float], **more: Any) -> Part:
    """The edge of a rectangle."""
    return box("rgba(0, 0, 0, 0)", x, y, line={"color": colour, "width": 3}, **more)


def within(share: float) -> str:
    """Name a note whose words stand on a ground: if they do not fit, they are cut to that share of the axis."""
    return f"within {share:.4f}"


SELECTION = "selection"  # a part that shows a selection: it is left out of files, see following/places.js


def mean_and_band(value: float, low: float, high: float) -> list[Part]:
    """A horizontal line at a value with the band of its interval, as far as they are known."""
    known = not np.isnan(value), not np.isnan([low, high]).any()
    line, interval = level(value, width=2), box(LINE, y=(low, high), layer="below", opacity=0.25)
    return [part for part, there in zip((line, interval), known, strict=True) if there]


def note(text: str, x: Any, y: Any, anchor: str, paper: str = "y", size: float | None = 12, **more: Any) -> Part:
    """Text at a position, `anchor` as "left top"; `paper` names the coordinates in shares of the figure, as "xy"."""
    across, up = anchor.split()
    refs = {f"{side}ref": "paper" for side in paper}
    font = {"font": {"size": size}} if size else {}
    place = {"x": x, "y": y, **refs, "xanchor": across, "yanchor": up, "showarrow": False}
    return {**place, "text": text, **font, **more}


# --- infinite scores stand beyond all others, on a line of their own that says ∞ --------------------------------------


def score_text(value: float, digits: int = 4, sign: str = "") -> str:
    """A score for reading; `sign` "+" shows the sign of a difference.

    >>> score_text(0.5), score_text(float("inf")), score_text(-1.0, 2, "+"), score_text(float("nan"))
    ('0.5000', '∞', '-1.00', 'none')
    """
    return "none" if np.isnan(value) else f"{value:{sign}.{digits}f}".replace("inf", "∞")


@dataclass(frozen=True)
class Ends:
    """An axis of scores: the position of infinite ones, and whether there are any."""

    low: float
    high: float
    below: bool
    above: bool

    @classmethod
    def of(cls, *scores: pd.Series | pd.DataFrame) -> Ends:
        """The axis that holds all of these."""
        values = np.concatenate([np.asarray(score, dtype=np.float64).ravel() for score in scores])
        low, high = ends(values, room=ROOM)
        return cls(low, high, bool((values == -np.inf).any()), bool((values == np.inf).any()))

    @property
    def used(self) -> bool:
        return self.below or self.above

    def place(self, scores: Scored) -> Scored:
        """Scores as they are drawn, all finite.

        >>> Ends.of(pd.Series([0.0, 1.0, np.inf])).place(pd.Series([0.5, np.inf])).tolist()
        [0.5, 1.1]
        """
        if not self.used:
            return scores  # as nearly always, and the rest is felt at every move of a slider
        return scores.mask(scores == np.inf, self.high).mask(scores == -np.inf, self.low)

    def lines(self, side: Literal["x", "y"]) -> list[Part]:
        """The lines on which infinite scores stand, across the figure."""
        line = {"x": upright, "y": level}[side]
        return [line(at, dash="dash") | {"layer": "below"} for at, _ in self._marks()]

    def names(self, side: Literal["x", "y"]) -> list[Part]:
        """∞ at the end of each line."""
        font = {"size": 15, "color": LINE}
        if side == "x":
            return [note(text, at, 1, "auto bottom", font=font) for at, text in self._marks()]
        return [note(text, 1, at, "right bottom", "x", font=font) for at, text in self._marks()]

    def _marks(self) -> list[tuple[float, str]]:
        return [(self.low, "−∞")] * self.below + [(self.high, "∞")] * self.above
