"""The numbers of a figure as a table, for screen readers and for exact values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import unescape
from itertools import repeat
from typing import Any

import pandas as pd

from evalcore.figures.draw import Drawn, Trace, as_spec


def numbers_drawn(figure: Drawn) -> pd.DataFrame:
    """Return a table of the points of all named traces of a figure: the name, and the position on both axes, as texts.

    If points are systems, each row has the system's name; gaps between lines are left out.

    >>> from evalcore.figures import draw
    >>> axis, data = draw.axis("rank"), [draw.trace("bar", name="gain", x=[1, 2], y=[0.5, 0.25])]
    >>> numbers_drawn(draw.figure_of(data, xaxis=axis, yaxis=draw.axis("")))
         of rank value
    0  gain    1   0.5
    1  gain    2  0.25
    """
    spec = as_spec(figure)
    named = [trace for trace in spec.data if trace.get("name") and len(_listed(trace, "x"))]
    titles = [_title(spec.layout, named, side) or other for side, other in (("x", "place"), ("y", "value"))]
    rows = [row for trace in named for row in _rows(trace, spec.layout)]
    return pd.DataFrame(rows, columns=["of", *titles], dtype=str)


def _rows(trace: Trace, layout: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    name, known = unescape(str(trace["name"])), _listed(trace, "customdata")
    ticks = _ticks(layout.get(_axis(trace, "x"), {}))
    for x, y, own in zip(_listed(trace, "x"), _listed(trace, "y"), known or repeat(None), strict=False):
        if x == x and y == y and None not in (x, y):
            is_system = isinstance(own, list | tuple) and own and isinstance(own[0], str)
            yield own[0] if is_system else name, ticks.get(x, _text(x)), _text(y)


def _listed(trace: Trace, key: str) -> list[Any]:
    values = trace.get(key)
    result: list[Any] = [] if values is None else values.tolist() if hasattr(values, "tolist") else list(values)
    return result


def _axis(trace: Trace, side: str) -> str:
    return f"{side}axis{str(trace.get(f'{side}axis') or side)[1:]}"


def _title(layout: Mapping[str, Any], traces: list[Trace], side: str) -> str:
    """Return the joined titles of the x or y axes on which these traces are drawn."""
    axes = dict.fromkeys(_axis(trace, side) for trace in traces)
    titles = (((layout.get(axis) or {}).get("title") or {}).get("text") or "" for axis in axes)
    return unescape(" or ".join(filter(None, dict.fromkeys(titles))))


def _ticks(axis: Mapping[str, Any]) -> dict[Any, str]:
    places, texts = axis.get("tickvals"), axis.get("ticktext")
    if places is None or texts is None:
        return {}
    return {place: unescape(str(text)) for place, text in zip(places, texts, strict=False)}


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else unescape(str(value))
