"""Ranks of all systems along one parameter, and how alike the order stays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.arrays import FloatArray
from evalcore.figures import draw
from evalcore.figures.endless import score_text
from evalcore.figures.labels import pushed_apart
from evalcore.figures.style import FADED, HEIGHT, LINE, MANY, PALE, PALETTE, Styles, SystemStyle, plain, system_label

RANKS = (1, 2, 3, 5, 10, 20, 40, 80, 160, 320)  # named on an axis of ranks
NAMED = 8  # systems named at the end of their lines
MOVERS = 10  # of many systems, in colour and named
LETTERS = 12  # pixels from one name to the next
PALE_VALUES = 40  # at most, at which the pale lines of many systems have points
SEVERAL = "#8a94a0"  # nobody is first alone
STRIP = {"kept": "#4d5866", "other": "#c3cad3", "decided": "#c8443c"}  # what becomes of the order of the first
PANEL = 0.24  # share of the height that tau has under the ranks


def rank_trajectories(
    ranks: pd.DataFrame,
    means: pd.DataFrame,
    tau: pd.Series,
    changes: pd.DataFrame,
    styles: Styles,
    *,
    title: str,
    default: float | None = None,
    selected: Collection[str] = (),
    height: int = HEIGHT,
    orders: pd.Series | None = None,
    names: Mapping[float, str] | None = None,
) -> go.Figure:
    """Ranks of all systems while one parameter moves (spread out at the top), and tau with the default under them.

    `ranks` and `means` are values x systems, `tau` is by value, `changes` has the columns low, high, before, after: a
    band on top says who is first, a dotted line where that changes. Of MANY systems the selected and the ten that move
    most are in colour and named, the selected with a band from their best to their worst rank; the others are pale.
    `orders`, by value what becomes of the order of the first (`Orders.of_first`), is a strip over tau: dark where it is
    kept, pale where it is another, red where that is decided. `names`: what the values of a choice are called.
    Lines that have a name at their end have the dash of their system, so that it is found without its colour.
    """
    many = ranks.shape[1] >= MANY
    vivid = [*_chosen(ranks, selected), *(_movers(ranks, selected) if many else [])]
    drawn = _drawn_last(ranks[vivid] if many else ranks, selected)
    marks = [*changes["low"].tolist(), *changes["high"].tolist()]
    last = ranks.iloc[-1].sort_values(kind="stable")
    named = [name for at, name in enumerate(last.index) if name in vivid or (at < NAMED and not many)]
    lines = [_rank_line(ranks[name], means[name], styles[name], name, selected, name in named) for name in drawn]
    top = float(ranks.to_numpy().max())
    ends = [_spread(top + 0.9), _spread(0.75)]
    rank_axis: dict[str, Any] = {"range": ends, "domain": [PANEL + 0.03, 0.955], "showgrid": False}
    room = LETTERS * (ends[0] - ends[1]) / ((0.955 - PANEL - 0.03) * (height - 70))
    shown = _legible([rank for rank in RANKS if rank <= top], room if many else 0.0)
    right: dict[str, Any] = {"overlaying": "y", "side": "right", "tickfont": {"size": 10}}
    places = pushed_apart(np.sqrt(last[named].to_numpy(dtype=float)), room, ends[1], ends[0])
    right |= {
        "tickvals": places,
        "ticktext": [_coloured(name, styles) if many else system_label(name, styles) for name in named],
    }
    # Plotly draws an axis only where some trace uses it.
    unseen = draw.trace("scatter", x=[ranks.index[0]], y=[1], yaxis="y3", mode="markers", opacity=0, hoverinfo="skip")
    return draw.figure_of(
        [*([_pale_lines(ranks, bool(selected))] if many else []), *lines, _tau_line(tau), unseen],
        height,
        xaxis=draw.axis(title, range=_ends(ranks.index.to_numpy(dtype=float)), anchor="y2", showgrid=False)
        | draw.named_ticks(names),
        yaxis=draw.axis("rank", tickvals=[_spread(rank) for rank in shown], ticktext=shown, **rank_axis),
        yaxis2=draw.axis("τ", domain=[0, PANEL - 0.03], nticks=4, **draw.decimals(), range=_tau_range(tau)),
        yaxis3=draw.axis("", **rank_axis) | right,
        shapes=[
            *(_reach(ranks[name], styles[name]) for name in (_chosen(ranks, selected) if many else [])),
            *_bands(ranks, changes, styles),
            *([] if orders is None else _order_strip(orders)),
            *(draw.upright(at, 0.96) for at in marks[: len(changes)]),
            *_default_line(default),
        ],
        annotations=[
            *_band_names(ranks, changes, styles),
            *_default_name(default, PANEL if orders is None else PANEL + 0.035),
        ],
        showlegend=False,
        clickmode="event+select",
        hovermode="closest",
    )


def standing_at(figure: go.Figure | None, value: float | None) -> go.Figure:
    """The figure with a line through it at a value, its first shape; the line alone where there is no figure."""
    figure = go.Figure() if figure is None else figure
    line = [] if value is None else [draw.upright(value, 0.955, dash="solid", width=1.5)]
    figure.layout.shapes = [*line, *(one.to_plotly_json() for one in figure.layout.shapes)]
    return figure


def tau_along(table: pd.DataFrame, at: float, title: str, *, height: int = 300) -> go.Figure:
    """tau of two measures along one number that both depend on, with its interval; a line is where it stands now.

    `table` has the columns tau, low and high by value; where the latter are nan there is no band. The first customdata
    of a mark is its value.
    """
    values = table.index.to_numpy(dtype=float)
    common = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    band = {"fill": "tonexty", "fillcolor": "rgba(65, 104, 169, 0.18)"}
    bounds = table[["low", "high"]].itertuples(index=False)
    told = ["no interval" if np.isnan(low) else f"{low:.3f} to {high:.3f}" for low, high in bounds]
    lowest = float(np.nanmin(table[["low", "tau"]].to_numpy(dtype=float), initial=1.0))
    return draw.figure_of(
        [
            draw.trace("scatter", x=values, y=table["low"].to_numpy(), **common),
            draw.trace("scatter", x=values, y=table["high"].to_numpy(), **common, **band),
            draw.line(
                values,
                table["tau"].to_numpy(),
                {"color": PALETTE[0], "width": 2},
                hover="at %{x:.4g}: τ %{y:.3f} (%{text})",
                marker={"size": 6},
                customdata=[[one] for one in values.tolist()],
                text=told,
                showlegend=False,
            ),
        ],
        height,
        xaxis=draw.axis(plain(title)),
        yaxis=draw.axis("τ", range=[min(lowest - 0.02, 0.95), 1.01]),
        shapes=[draw.upright(at, dash="solid", width=1.5)],
        clickmode="event+select",
    )


def _spread(rank: float) -> float:
    """The place of a rank on an axis that gives the top more room."""
    return float(np.sqrt(rank))


def _legible(listed: Sequence[int], room: float) -> list[int]:
    """The ranks of a list whose names have room on the axis, the last of them always."""
    shown: list[int] = []
    for rank in reversed(listed):
        if not shown or _spread(shown[0]) - _spread(rank) >= room:
            shown.insert(0, rank)
    return shown


def _coloured(name: str, styles: Styles) -> str:
    """A name in the colour of its line, from which it may stand apart."""
    return f"<span style='color:{styles[name].colour}'>{system_label(name, styles)}</span>"


def _chosen(ranks: pd.DataFrame, selected: Collection[str]) -> list[str]:
    return [name for name in selected if name in ranks]


def _movers(ranks: pd.DataFrame, selected: Collection[str]) -> list[str]:
    """Who moves most between its best and its worst rank, beside the selected."""
    known = ranks.where(ranks > 0)  # 0: the measure is undefined there
    reach = (known.max() - known.min()).drop(_chosen(ranks, selected)).sort_values(ascending=False, kind="stable")
    return [str(name) for name in reach.index[:MOVERS]]


def _reach(ranks: pd.Series, style: SystemStyle) -> dict[str, Any]:
    """A band from the best to the worst rank of one system."""
    ranks = ranks[ranks > 0]
    return {
        "type": "rect",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": _spread(float(ranks.min())),
        "y1": _spread(float(ranks.max())),
        "line": {"width": 0},
        "fillcolor": style.colour,
        "opacity": 0.12,
        "layer": "below",
    }


def _pale_lines(ranks: pd.DataFrame, faded: bool) -> draw.Trace:
    """The lines of all systems as one, with a gap after each, at some of the values."""
    thin = ranks.iloc[np.unique(np.linspace(0, len(ranks) - 1, PALE_VALUES).round().astype(int))]
    table = thin.where(thin > 0).to_numpy(dtype=float).T
    gap = np.full((len(table), 1), np.nan)
    rows = [[name, plain(name)] for name in ranks]
    return draw.line(
        np.tile(np.append(thin.index.to_numpy(dtype=float), np.nan), len(table)),
        np.hstack([np.sqrt(table), gap]).ravel(),
        {"color": PALE, "width": 1},
        hover="<b>%{customdata[1]}</b><br>at %{x:.4g}: rank %{text}",
        opacity=FADED if faded else 0.35,
        name="systems",
        customdata=[row for row in rows for _ in range(len(thin) + 1)],
        text=[text for row in table.tolist() for text in (*(f"{rank:.0f}" for rank in row), "")],
    )


def _drawn_last(ranks: pd.DataFrame, selected: Collection[str]) -> list[str]:
    """The systems with those that matter on top of the others."""
    best = ranks.min().sort_values(ascending=False, kind="stable")
    return sorted(best.index, key=lambda name: name in selected)


def _rank_line(
    ranks: pd.Series, means: pd.Series, style: SystemStyle, name: str, selected: Collection[str], named: bool
) -> draw.Trace:
    chosen = name in selected
    rows = zip(ranks.tolist(), map(score_text, means.tolist()), strict=True)
    return draw.line(
        ranks.index.to_numpy(dtype=float),
        [_spread(rank) if rank else None for rank in ranks],
        {"color": style.colour, "width": 3.5 if chosen else 1.7, "dash": style.dash if named else "solid"},
        hover=f"<b>{plain(name)}</b><br>at %{{x:.4g}}: rank %{{customdata[1]}}, score %{{customdata[2]}}",
        opacity=FADED * 1.3 if selected and not chosen else 0.9,
        name=plain(name),
        customdata=[[name, rank, mean] for rank, mean in rows],
    )


def _tau_line(tau: pd.Series) -> draw.Trace:
    return draw.line(
        tau.index.to_numpy(dtype=float),
        tau.to_numpy(),
        {"color": PALETTE[0], "width": 2},
        hover="at %{x:.4g}: τ %{y:.3f}",
        yaxis="y2",
        fill="tozeroy",
        fillcolor="rgba(65, 104, 169, 0.12)",
    )


def _tau_range(tau: pd.Series) -> list[float]:
    low = float(np.nanmin(tau.to_numpy(), initial=1.0))
    return [low - 0.12 * (1.02 - low) - 0.01, 1.02]


def _ends(values: FloatArray) -> list[float]:
    room = 0.01 * (values[-1] - values[0] or 1.0)
    return [float(values[0] - room), float(values[-1] + room)]


def _stretches(ranks: pd.DataFrame, changes: pd.DataFrame) -> list[tuple[float, float, str]]:
    """From, to, who is first."""
    starts = [float(ranks.index[0]), *changes["high"].tolist()]
    stops = [*changes["low"].tolist(), float(ranks.index[-1])]
    first = ", ".join(ranks.columns[ranks.iloc[0].to_numpy() == 1])
    return list(zip(starts, stops, [first, *changes["after"].tolist()], strict=True))


def _bands(ranks: pd.DataFrame, changes: pd.DataFrame, styles: Styles) -> list[dict[str, Any]]:
    return [
        {
            "type": "rect",
            "yref": "paper",
            "x0": start,
            "x1": stop,
            "y0": 0.96,
            "y1": 1.0,
            "line": {"width": 0},
            "fillcolor": styles[first].colour if first in styles else SEVERAL,
        }
        for start, stop, first in _stretches(ranks, changes)
    ]


def _order_strip(orders: pd.Series) -> list[dict[str, Any]]:
    """What becomes of the order of the first at each value, from half-way to its neighbours: equal ones as one."""
    values = orders.index.to_numpy(dtype=float)
    middles = [values[0], *((values[1:] + values[:-1]) / 2), values[-1]]
    starts = [0, *(np.flatnonzero(orders.to_numpy()[1:] != orders.to_numpy()[:-1]) + 1).tolist(), len(orders)]
    return [
        {
            "type": "rect",
            "yref": "paper",
            "x0": middles[start],
            "x1": middles[stop],
            "y0": PANEL - 0.005,
            "y1": PANEL + 0.013,
            "line": {"width": 0},
            "fillcolor": STRIP[orders.iloc[start]],
        }
        for start, stop in pairwise(starts)
        if orders.iloc[start] in STRIP
    ]


def _band_names(ranks: pd.DataFrame, changes: pd.DataFrame, styles: Styles) -> list[dict[str, Any]]:
    """The names of those who are first for long enough to be written down."""
    whole = float(ranks.index[-1] - ranks.index[0]) or 1.0
    return [
        {
            "x": (start + stop) / 2,
            "y": 0.98,
            "yref": "paper",
            "xanchor": "center",
            "yanchor": "middle",
            "text": text,
            "showarrow": False,
            "font": {"size": 11, "color": "#ffffff"},
            "bgcolor": "rgba(17, 22, 30, 0.45)",
            "borderpad": 1,
        }
        for start, stop, first in _stretches(ranks, changes)
        for text in [_first_named(first, styles)]
        if (stop - start) / whole > 0.011 * len(text)
    ]


def _first_named(first: str, styles: Styles) -> str:
    """Those who share the first place, by their short names; more than two are counted."""
    names = [first] if first in styles else first.split(", ")
    return ", ".join(system_label(name, styles) for name in names) if len(names) < 3 else f"{len(names)} tied"


def _default_line(at: float | None) -> list[dict[str, Any]]:
    return [] if at is None else [draw.upright(at, 0.96, dash="solid", width=2)]


def _default_name(at: float | None, height: float) -> list[dict[str, Any]]:
    if at is None:
        return []
    place = {"x": at, "y": height, "yref": "paper", "xanchor": "left", "yanchor": "middle"}
    return [{**place, "text": "default", "showarrow": False, "font": {"size": 11, "color": LINE}}]
