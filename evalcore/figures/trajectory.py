"""Ranks of all systems along one parameter, and the similarity of the order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.draw import score_text
from evalcore.figures.labels import beside, room
from evalcore.figures.style import FADED, HEIGHT, LINE, PALE, PALETTE, Styles, SystemStyle, plain, system_label

RANKS = (1, 2, 3, 5, 10, 20, 40, 80, 160, 320)  # possible ticks of an axis of ranks
NAMED = 8  # winners in colour, and named at the end of their lines
LETTERS = 12  # least distance between two ticks of the axis of ranks, in pixels
PALE_VALUES = 40  # most values at which the pale lines have points
SEVERAL = "#8a94a0"  # for tied winners
PANEL = 0.24  # share of the height for tau, below the ranks


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
    names: Mapping[float, str] | None = None,
) -> draw.Figure:
    """Draw the ranks of all systems along one parameter, with more room at the top, and below it tau with the default.

    `ranks` and `means` are values x systems, `tau` is by value, `changes` has the columns low, high, before, after. A
    band on top names the winner, and a dotted line marks each change. Winners and selected systems are in colour, with
    their own dashes, and named at the ends of their lines; all others are pale. `names` are names of the values,
    if these are options.
    """
    vivid = list(dict.fromkeys([*(name for name in selected if name in ranks), *_winners(ranks, changes)]))
    lines = [_rank_line(ranks[name], means[name], styles[name], name, selected) for name in reversed(vivid)]
    values = ranks.index.to_numpy(dtype=float)
    margin = 0.01 * (values[-1] - values[0] or 1.0)
    shapes, notes = _default(default, PANEL)
    ends, pixels = np.sqrt([ranks.to_numpy().max() + 0.9, 0.75]).tolist(), (0.955 - PANEL - 0.03) * (height - 70)
    last = ranks.iloc[-1][vivid]
    last = last[last > 0]
    shown = [system_label(str(name), styles) for name in last.index]
    colours = [styles[str(name)].colour for name in last.index]
    place: dict[str, Any] = {"range": ends, "domain": [PANEL + 0.03, 0.955], "showgrid": False}
    return draw.figure_of(
        [_pale_lines(ranks, bool(selected)), *lines, _tau_line(tau)],
        height,
        margin={"l": 8, "r": room(shown), "t": 28, "b": 8},
        xaxis=draw.axis(title, range=[values[0] - margin, values[-1] + margin], anchor="y2", showgrid=False)
        | draw.named_ticks(names),
        yaxis=draw.axis("rank", **_rank_ticks(ranks, LETTERS * (ends[0] - ends[1]) / pixels), **place),
        yaxis2=_tau_axis(tau),
        shapes=[
            *[
                draw.box(styles[first].colour if first in styles else SEVERAL, (start, stop), (0.96, 1.0), yref="paper")
                for start, stop, first in _stretches(ranks, changes)
            ],
            *(draw.upright(at, 0.96) for at in changes["low"].tolist()),
            *shapes,
        ],
        annotations=[
            *_band_names(ranks, changes, styles),
            *notes,
            *beside(shown, np.sqrt(last.to_numpy(dtype=float)), ends, pixels, colours),
        ],
        showlegend=False,
        clickmode="event+select",
    )


def _winners(ranks: pd.DataFrame, changes: pd.DataFrame) -> list[str]:
    """Return the systems that win at some value, the most frequent winners first, at most NAMED."""
    first = (ranks == 1).sum().sort_values(ascending=False, kind="stable")
    between = [name for name in changes["after"] if name in ranks]
    return list(dict.fromkeys([*map(str, first.index[first > 0]), *between]))[:NAMED]


def _tau_axis(tau: pd.Series) -> draw.Part:
    low = float(np.nanmin(tau.to_numpy(), initial=1.0))
    ends = [low - 0.12 * (1.02 - low) - 0.01, 1.02]
    return draw.axis("τ", domain=[0, PANEL - 0.03], nticks=4, **draw.decimals(), range=ends)


def _rank_ticks(ranks: pd.DataFrame, room: float) -> dict[str, Any]:
    """Return ticks at those RANKS that have room on the axis, including the largest."""
    shown: list[int] = []
    for rank in reversed([rank for rank in RANKS if rank <= ranks.to_numpy().max()]):
        if not shown or np.sqrt(shown[0]) - np.sqrt(rank) >= room:
            shown.insert(0, rank)
    return {"tickvals": np.sqrt(shown).tolist(), "ticktext": shown}


def _default(at: float | None, height: float) -> tuple[list[draw.Part], list[draw.Part]]:
    """Return a line at the default setting and its label; nothing without a default."""
    if at is None:
        return [], []
    name = draw.note("default", at, height, "left middle", font={"size": 11, "color": LINE})
    return [draw.upright(at, 0.96, dash="solid", width=2)], [name]


def standing_at(figure: draw.Figure | None, value: float | None) -> draw.Figure:
    """Return the figure, or an empty one for None; a vertical line at the value, if given, is added as first shape."""
    figure = draw.Figure() if figure is None else figure
    line = [] if value is None else [draw.upright(value, 0.955, dash="solid", width=1.5)]
    figure.layout.shapes = [*line, *(shape.to_plotly_json() for shape in figure.layout.shapes)]
    return figure


def _pale_lines(ranks: pd.DataFrame, faded: bool) -> draw.Trace:
    """Draw pale lines of all systems as one trace with gaps, at some of the values."""
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


def _rank_line(
    ranks: pd.Series, means: pd.Series, style: SystemStyle, name: str, selected: Collection[str]
) -> draw.Trace:
    chosen = name in selected
    return draw.line(
        ranks.index.to_numpy(dtype=float),
        [float(np.sqrt(rank)) if rank else None for rank in ranks],
        {"color": style.colour, "width": 3.5 if chosen else 1.7, "dash": style.dash},
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
    """Return (start, end, winner) for each interval of values with the same winner."""
    starts = [float(ranks.index[0]), *changes["high"].tolist()]
    stops = [*changes["low"].tolist(), float(ranks.index[-1])]
    first = ", ".join(ranks.columns[ranks.iloc[0].to_numpy() == 1])
    return list(zip(starts, stops, [first, *changes["after"].tolist()], strict=True))


def _band_names(ranks: pd.DataFrame, changes: pd.DataFrame, styles: Styles) -> list[draw.Part]:
    """Return notes that name the winner on each interval that is long enough for its name."""
    whole = float(ranks.index[-1] - ranks.index[0]) or 1.0
    look = {"font": {"size": 11, "color": "#ffffff"}, "bgcolor": "rgba(17, 22, 30, 0.45)", "borderpad": 1}
    return [
        draw.note(text, (start + stop) / 2, 0.98, "center middle", name=draw.within((stop - start) / whole)) | look
        for start, stop, first in _stretches(ranks, changes)
        for text in [_first_named(first, styles)]
        if (stop - start) / whole > 0.011 * len(text)
    ]


def _first_named(first: str, styles: Styles) -> str:
    """Return the short names of the winners as text; more than two tied ones are only counted."""
    names = [first] if first in styles else first.split(", ")
    return ", ".join(system_label(name, styles) for name in names) if len(names) < 3 else f"{len(names)} tied"
