"""Two measures against each other: the scatter of systems and the change of their ranking."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.figures.style import (
    BLUE,
    FADED,
    HEIGHT,
    LINE,
    RED,
    SYMBOLS,
    SystemStyle,
    axis,
    family,
    new_figure,
    plain,
)
from evalcore.meta import ranks

Styles = Mapping[str, SystemStyle]
NAMED = 3  # systems named at the top of each axis


def scatter(
    x: pd.Series,
    ys: Mapping[str, pd.Series],
    styles: Styles,
    *,
    selected: Collection[str] = (),
    apart: Mapping[str, pd.DataFrame] | None = None,
    x_title: str = "",
    y_title: str = "",
) -> go.Figure:
    """Systems as marks, one measure across and one (or several, told apart by mark) up, with the identity line.

    `x` and each of `ys` hold one score per system. `apart` maps up to two legends to pairs of systems (columns
    system_a, system_b), joined by a blue and a red line. What is not selected fades.
    """
    figure = new_figure(
        xaxis=axis(x_title or plain(x.name), tickformat=".2f"),
        yaxis=axis(y_title, tickformat=".2f"),
        clickmode="event+select",
        dragmode="lasso",
    )
    figure.add_trace(_identity(x, ys))
    first = next(iter(ys.values()))
    for (name, pairs), colour in zip((apart or {}).items(), (BLUE, RED), strict=False):
        figure.add_trace(_pairs(pairs, x, first, plain(name), colour))
    for trace in _marks(x, ys, styles, selected):
        figure.add_trace(trace)
    figure.update_layout(annotations=_names(x, first, selected))
    return figure


def _identity(x: pd.Series, ys: Mapping[str, pd.Series]) -> Trace:
    values = np.concatenate([x.to_numpy(), *(y.to_numpy() for y in ys.values())])
    low, high = float(values.min()), float(values.max())
    room = 0.03 * (high - low or 1)
    low = min(0.0, low) if low < 0.25 * high else low - room
    ends = [low, high + room]
    line = {"color": LINE, "width": 1, "dash": "dot"}
    return trace("scatter", x=ends, y=ends, mode="lines", line=line, showlegend=False, hoverinfo="skip")


def _pairs(pairs: pd.DataFrame, x: pd.Series, y: pd.Series, name: str, colour: str) -> Trace:
    a, b = pairs["system_a"], pairs["system_b"]
    gap = np.full(len(pairs), np.nan)
    return trace("scatter", 
        x=np.column_stack([x[a], x[b], gap]).ravel(),
        y=np.column_stack([y[a], y[b], gap]).ravel(),
        mode="lines",
        line={"color": colour, "width": 2},
        opacity=0.7,
        name=name,
        hoverinfo="skip",
    )


def _marks(x: pd.Series, ys: Mapping[str, pd.Series], styles: Styles, selected: Collection[str]) -> list[Trace]:
    """One trace per family, or per measure where there are several."""
    x_ranks = ranks(x)
    if len(ys) == 1:
        y = next(iter(ys.values()))
        y_ranks, groups = ranks(y), x.index.to_series().map(lambda name: styles[name].family)
        return [
            _mark_trace(x[group], y[group], x_ranks, y_ranks, styles, selected, plain(name), styles[group[0]].symbol)
            for name, group in groups.groupby(groups).groups.items()
        ]
    return [
        _mark_trace(x, y, x_ranks, ranks(y), styles, selected, plain(label), SYMBOLS[at % len(SYMBOLS)])
        for at, (label, y) in enumerate(ys.items())
    ]


def _mark_trace(
    x: pd.Series,
    y: pd.Series,
    x_ranks: pd.Series,
    y_ranks: pd.Series,
    styles: Styles,
    selected: Collection[str],
    name: str,
    symbol: str,
) -> Trace:
    systems = list(x.index)
    rows = zip(systems, x_ranks[systems], y_ranks[systems], strict=True)
    hover = (
        "<b>%{customdata[1]}</b><br>across %{x:.4f}, rank %{customdata[2]:.0f}"
        "<br>up %{y:.4f}, rank %{customdata[3]:.0f}<extra></extra>"
    )
    return trace("scatter", 
        x=x.to_numpy(),
        y=y.to_numpy(),
        mode="markers",
        name=name,
        customdata=[[system, plain(system), a, b] for system, a, b in rows],
        hovertemplate=hover,
        marker={
            "symbol": symbol,
            "size": 10,
            "color": [styles[system].colour for system in systems],
            "opacity": [1.0 if not selected or system in selected else FADED for system in systems],
            "line": {"width": 1, "color": "rgba(255, 255, 255, 0.6)"},
        },
        selected={"marker": {"opacity": 1.0}},
        unselected={"marker": {"opacity": FADED}},
    )


def _names(x: pd.Series, y: pd.Series, selected: Collection[str]) -> list[dict[str, Any]]:
    """Names beside the selected systems, else beside the first of each axis."""
    named = list(selected) or list(dict.fromkeys([str(x.idxmax()), str(y.idxmax())]))
    return [
        {
            "x": float(x[name]),
            "y": float(y[name]),
            "text": plain(name),
            "showarrow": True,
            "arrowwidth": 1,
            "arrowcolor": LINE,
            "arrowhead": 0,
            "ax": -30,
            "ay": (34, -30, 46, -42)[at % 4],
        }
        for at, name in enumerate(named[:12])
        if name in x.index
    ]


def bump(columns: Mapping[str, pd.Series], styles: Styles, selected: Collection[str] = ()) -> go.Figure:
    """Ranks of all systems under each measure, joined by lines: what crosses has swapped."""
    labels = [plain(label) for label in columns]
    scores = pd.DataFrame(dict(zip(labels, columns.values(), strict=True)))
    table = _places(scores)
    systems = list(table.index)
    height = max(HEIGHT, 18 * len(systems) + 60)
    figure = new_figure(
        height,
        xaxis=axis(
            "",
            side="top",
            showgrid=False,
            range=[-0.02, len(labels) - 0.98],
            tickvals=list(range(len(labels))),
            ticktext=labels,
        ),
        yaxis=_named_ranks(table[labels[0]], ranks(scores[labels[0]]), "{name}  {rank}"),
        yaxis2={
            **_named_ranks(table[labels[-1]], ranks(scores[labels[-1]]), "{rank}  {name}"),
            "overlaying": "y",
            "side": "right",
        },
        showlegend=False,
        clickmode="event+select",
    )
    for name, members in _families(systems).items():
        figure.add_trace(_bump_lines(table.loc[members], styles, selected, name))
    for system in selected:
        if system in table.index:
            figure.add_trace(_bump_line(table.T[system], styles[system].colour))
    # Plotly draws an axis only where some trace uses it.
    figure.add_trace(trace("scatter", x=[0], y=[1], yaxis="y2", mode="markers", opacity=0, hoverinfo="skip"))
    return figure


def _places(scores: pd.DataFrame) -> pd.DataFrame:
    """A place of its own for every system; those tied keep the order of the column before, so that no line
    crosses for nothing.
    """
    before = np.arange(len(scores))
    places = {}
    for label in scores.columns:
        order = np.lexsort((before, ranks(scores[label])))
        before = np.argsort(order)
        places[label] = before + 1
    return pd.DataFrame(places, index=scores.index)


def _named_ranks(places: pd.Series, shared: pd.Series, form: str) -> dict[str, Any]:
    by_place = places.sort_values()
    texts = [form.format(name=plain(name), rank=shared[name]) for name in by_place.index]
    ends = [len(by_place) + 0.7, 0.3]
    return axis("", range=ends, tickvals=by_place.to_numpy(), ticktext=texts, showgrid=False, tickfont={"size": 11})


def _families(systems: Sequence[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for system in systems:
        groups.setdefault(family(system), []).append(system)
    return groups


def _bump_lines(table: pd.DataFrame, styles: Styles, selected: Collection[str], name: str) -> Trace:
    places = np.append(np.arange(table.shape[1], dtype=float), np.nan)
    moved = np.column_stack([table.to_numpy(dtype=float), np.full(len(table), np.nan)])
    path = " → ".join
    hovers = [
        f"<b>{plain(system)}</b><br>{path(f'{rank:.0f}' for rank in row)}"
        for system, row in zip(table.index, table.to_numpy(), strict=True)
    ]
    style = styles[table.index[0]]
    return trace("scatter", 
        x=np.tile(places, len(table)),
        y=moved.ravel(),
        mode="lines+markers",
        line={"color": style.colour, "width": 1.6},
        marker={"size": 6, "symbol": style.symbol, "color": style.colour},
        opacity=FADED * 1.6 if selected else 0.85,
        customdata=np.repeat(np.array(table.index, dtype=object), table.shape[1] + 1)[:, None],
        text=np.repeat(hovers, table.shape[1] + 1),
        hovertemplate="%{text}<extra></extra>",
        name=plain(name),
    )


def _bump_line(row: pd.Series, colour: str) -> Trace:
    line = {"color": colour, "width": 3.5}
    return trace("scatter", 
        x=list(range(len(row))),
        y=row.to_numpy(dtype=float),
        mode="lines+markers",
        line=line,
        marker={"size": 9},
        hoverinfo="skip",
    )
