"""Ranks of all systems along one parameter, and how alike the order stays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.draw import score_text
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
) -> draw.Figure:
    """Ranks of all systems while one parameter moves (spread out at the top), and tau with the default under them.

    `ranks` and `means` are values x systems, `tau` is by value, `changes` has the columns low, high, before, after: a
    band on top says who is first, a dotted line where that changes. Of MANY systems the selected and the ten that move
    most are in colour and named, the selected with a band from their best to their worst rank; the others are pale.
    `orders`, by value what becomes of the order of the first (`Orders.of_first`), is a strip over tau: dark where it is
    kept, pale where it is another, red where that is decided. `names`: what the values of a choice are called.
    Lines that have a name at their end have the dash of their system, so that it is found without its colour.
    """
    many, chosen = ranks.shape[1] >= MANY, [name for name in selected if name in ranks]
    vivid = [*chosen, *(_movers(ranks, chosen) if many else [])]
    drawn = _drawn_last(ranks[vivid] if many else ranks, selected)
    last = ranks.iloc[-1].sort_values(kind="stable")
    named = [name for at, name in enumerate(last.index) if name in vivid or (at < NAMED and not many)]
    lines = [_rank_line(ranks[name], means[name], styles[name], name, selected, name in named) for name in drawn]
    pale = [_pale_lines(ranks, bool(selected))] if many else []
    left, right = _rank_axes(ranks, last[named], styles, height)
    values = ranks.index.to_numpy(dtype=float)
    margin = 0.01 * (values[-1] - values[0] or 1.0)
    shapes, notes = _default(default, PANEL if orders is None else PANEL + 0.035)
    return draw.figure_of(
        [*pale, *lines, _tau_line(tau), draw.unseen(x=[ranks.index[0]], y=[1], yaxis="y3")],
        height,
        xaxis=draw.axis(title, range=[values[0] - margin, values[-1] + margin], anchor="y2", showgrid=False)
        | draw.named_ticks(names),
        yaxis=left,
        yaxis2=_tau_axis(tau),
        yaxis3=right,
        shapes=[
            *(_reach(ranks[name], styles[name]) for name in (chosen if many else [])),
            *[
                draw.box(styles[first].colour if first in styles else SEVERAL, (start, stop), (0.96, 1.0), yref="paper")
                for start, stop, first in _stretches(ranks, changes)
            ],
            *([] if orders is None else _order_strip(orders)),
            *(draw.upright(at, 0.96) for at in changes["low"].tolist()),
            *shapes,
        ],
        annotations=[*_band_names(ranks, changes, styles), *notes],
        showlegend=False,
        clickmode="event+select",
    )


def _rank_axes(ranks: pd.DataFrame, last: pd.Series, styles: Styles, height: int) -> tuple[draw.Part, draw.Part]:
    """The axis of the ranks, and on the right that of the names at the ends of lines, which are at the `last` ranks."""
    many, ends = ranks.shape[1] >= MANY, np.sqrt([ranks.to_numpy().max() + 0.9, 0.75]).tolist()
    room = LETTERS * (ends[0] - ends[1]) / ((0.955 - PANEL - 0.03) * (height - 70))
    place: dict[str, Any] = {"range": ends, "domain": [PANEL + 0.03, 0.955], "showgrid": False}
    left = draw.axis("rank", **_rank_ticks(ranks, room if many else 0.0), **place)
    return left, draw.axis("", **place, **_end_names(last, room, ends, styles, many))


def _tau_axis(tau: pd.Series) -> draw.Part:
    low = float(np.nanmin(tau.to_numpy(), initial=1.0))
    ends = [low - 0.12 * (1.02 - low) - 0.01, 1.02]
    return draw.axis("τ", domain=[0, PANEL - 0.03], nticks=4, **draw.decimals(), range=ends)


def _rank_ticks(ranks: pd.DataFrame, room: float) -> dict[str, Any]:
    """Some of RANKS, those whose names have room on the axis; the last of them always."""
    shown: list[int] = []
    for rank in reversed([rank for rank in RANKS if rank <= ranks.to_numpy().max()]):
        if not shown or np.sqrt(shown[0]) - np.sqrt(rank) >= room:
            shown.insert(0, rank)
    return {"tickvals": np.sqrt(shown).tolist(), "ticktext": shown}


def _default(at: float | None, height: float) -> tuple[list[draw.Part], list[draw.Part]]:
    """The line of the default setting, where there is one, and its name."""
    if at is None:
        return [], []
    name = draw.note("default", at, height, "left middle", font={"size": 11, "color": LINE})
    return [draw.upright(at, 0.96, dash="solid", width=2)], [name]


def _end_names(last: pd.Series, room: float, ends: Sequence[float], styles: Styles, coloured: bool) -> dict[str, Any]:
    """The names at the ends of lines; in the colours of these where they may stand apart from them."""
    names = [system_label(name, styles) for name in last.index]
    if coloured:
        colours = (styles[name].colour for name in last.index)
        names = [f"<span style='color:{colour}'>{name}</span>" for name, colour in zip(names, colours, strict=True)]
    places = pushed_apart(np.sqrt(last.to_numpy(dtype=float)), room, ends[1], ends[0])
    right = {"overlaying": "y", "side": "right", "tickfont": {"size": 10}}
    return {**right, "tickvals": places, "ticktext": names}


def standing_at(figure: draw.Figure | None, value: float | None) -> draw.Figure:
    """The figure with a line through it at a value, its first shape; the line alone where there is no figure."""
    figure = draw.Figure() if figure is None else figure
    line = [] if value is None else [draw.upright(value, 0.955, dash="solid", width=1.5)]
    figure.layout.shapes = [*line, *(shape.to_plotly_json() for shape in figure.layout.shapes)]
    return figure


def _movers(ranks: pd.DataFrame, chosen: Sequence[str]) -> list[str]:
    """Return the systems with the largest span between best and worst rank, beside the chosen."""
    known = ranks.where(ranks > 0)  # 0: the measure is undefined there
    reach = (known.max() - known.min()).drop(chosen).sort_values(ascending=False, kind="stable")
    return [str(name) for name in reach.index[:MOVERS]]


def _reach(ranks: pd.Series, style: SystemStyle) -> draw.Part:
    """A band from the best to the worst rank of one system."""
    ranks = ranks[ranks > 0]
    ends = np.sqrt([ranks.min(), ranks.max()]).tolist()
    return draw.box(style.colour, y=ends, opacity=0.12, layer="below")


def _pale_lines(ranks: pd.DataFrame, faded: bool) -> draw.Trace:
    """The lines of all systems as one, with a gap after each, at some of the values."""
    thin = ranks.iloc[draw.evenly(len(ranks), PALE_VALUES)]
    table = thin.where(thin > 0).to_numpy(dtype=float).T
    return draw.line(
        **draw.strands(thin.index, np.sqrt(table)),
        look={"color": PALE, "width": 1},
        hover="<b>%{customdata[1]}</b><br>at %{x:.4g}: rank %{text}",
        opacity=FADED if faded else 0.35,
        name="systems",
        customdata=[[name, plain(name)] for name in ranks for _ in range(len(thin) + 1)],
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
    return draw.line(
        ranks.index.to_numpy(dtype=float),
        [float(np.sqrt(rank)) if rank else None for rank in ranks],
        {"color": style.colour, "width": 3.5 if chosen else 1.7, "dash": style.dash if named else "solid"},
        f"<b>{plain(name)}</b><br>at %{{x:.4g}}: rank %{{customdata[1]}}, score %{{customdata[2]}}",
        opacity=FADED * 1.3 if selected and not chosen else 0.9,
        name=plain(name),
        customdata=[[name, rank, score_text(mean)] for rank, mean in zip(ranks.tolist(), means.tolist(), strict=True)],
    )


def _tau_line(tau: pd.Series) -> draw.Trace:
    look = {"color": PALETTE[0], "width": 2}
    filled = {"fill": "tozeroy", "fillcolor": "rgba(65, 104, 169, 0.12)"}
    return draw.line(tau.index.to_numpy(dtype=float), tau, look, "at %{x:.4g}: τ %{y:.3f}", yaxis="y2", **filled)


def _stretches(ranks: pd.DataFrame, changes: pd.DataFrame) -> list[tuple[float, float, str]]:
    """From, to, who is first."""
    starts = [float(ranks.index[0]), *changes["high"].tolist()]
    stops = [*changes["low"].tolist(), float(ranks.index[-1])]
    first = ", ".join(ranks.columns[ranks.iloc[0].to_numpy() == 1])
    return list(zip(starts, stops, [first, *changes["after"].tolist()], strict=True))


def _order_strip(orders: pd.Series) -> list[draw.Part]:
    """Draw the order of the first systems at each value, half-way to its neighbours: equal ones as one box."""
    values = orders.index.to_numpy(dtype=float)
    middles = [values[0], *((values[1:] + values[:-1]) / 2), values[-1]]
    starts = [0, *(np.flatnonzero(orders.to_numpy()[1:] != orders.to_numpy()[:-1]) + 1).tolist(), len(orders)]
    return [
        draw.box(STRIP[orders.iloc[start]], (middles[start], middles[stop]), (PANEL - 0.005, PANEL + 0.013))
        | {"yref": "paper"}
        for start, stop in pairwise(starts)
        if orders.iloc[start] in STRIP
    ]


def _band_names(ranks: pd.DataFrame, changes: pd.DataFrame, styles: Styles) -> list[draw.Part]:
    """The names of those who are first for long enough to be written down."""
    whole = float(ranks.index[-1] - ranks.index[0]) or 1.0
    look = {"font": {"size": 11, "color": "#ffffff"}, "bgcolor": "rgba(17, 22, 30, 0.45)", "borderpad": 1}
    return [
        draw.note(text, (start + stop) / 2, 0.98, "center middle", name=draw.within((stop - start) / whole)) | look
        for start, stop, first in _stretches(ranks, changes)
        for text in [_first_named(first, styles)]
        if (stop - start) / whole > 0.011 * len(text)
    ]


def _first_named(first: str, styles: Styles) -> str:
    """Those who share the first place, by their short names; more than two are counted."""
    names = [first] if first in styles else first.split(", ")
    return ", ".join(system_label(name, styles) for name in names) if len(names) < 3 else f"{len(names)} tied"
