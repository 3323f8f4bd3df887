"""Systems that move while a parameter is dragged: every frame computed before, the motion is the browser's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray
from evalcore.figures import draw, plotly_script
from evalcore.figures.endless import Ends, score_text
from evalcore.figures.style import HEIGHT, LINE, PALETTE, Styles, plain, system_label
from evalcore.meta import best_first, ranks

GLIDE = 160  # ms from one frame to the next
LEFT, RIGHT = "middle left", "middle right"
LETTER = (0.0115, 0.04)  # width and height of a letter, as shares of the axes
NOTHING = "\u00a0"  # plotly takes an empty text out of the page, and never puts one back in its place
START = "Plotly.animate('{plot_id}', ['%d'], {mode: 'immediate', frame: {duration: 0}, transition: {duration: 0}})"
# Plotly rejects, without a reason, the promise of an animation that another one interrupts.
QUIET = (
    "window.addEventListener('unhandledrejection', (event) => event.reason === undefined && event.preventDefault());"
)


def motion(
    x: pd.DataFrame,
    y: pd.DataFrame,
    styles: Styles,
    *,
    parameter: str,
    notes: Sequence[str],
    start: int = 0,
    named: int = 3,
    x_title: str = "",
    y_title: str = "",
    height: int = HEIGHT,
    names: Mapping[float, str] | None = None,
) -> draw.Figure:
    """Systems as marks that glide while a slider under the figure is dragged, or by its play button.

    `x` and `y` are values x systems: mean scores across and up at each value of the parameter. The axes stay as they
    are. The first `named` systems of each axis carry their names where there is room; `notes` has a text for each
    value, shown above. `names`: what the values of a choice are called. The figure needs no
    server: `standalone` makes it a page of its own.
    """
    across, up = Ends.of(x), Ends.of(y)
    low, high = _limits(across.place(x), up.place(y))
    short = {str(name): system_label(str(name), styles) for name in x.columns}
    sides = _sides(x, y, named)
    frames = _frames(x, y, named, notes, low, high, short, sides)
    ends = [float(max(low)), float(min(high))]
    diagonal = draw.line(ends, ends, {"color": LINE, "width": 1, "dash": "dot"})
    figure = draw.figure_of(
        [diagonal, *_looks(frames[start], list(x.columns), styles, sides)],
        height,
        margin={"l": 8, "r": 8, "t": 40, "b": 96},
        xaxis=draw.axis(x_title, range=[low[0], high[0]], **draw.decimals()),
        yaxis=draw.axis(y_title, range=[low[1], high[1]], **draw.decimals()),
        sliders=[_slider([plain(names[value]) if names else f"{value:.4g}" for value in x.index], parameter, start)],
        updatemenus=[_buttons()],
        shapes=[*across.lines("x"), *up.lines("y")],
        annotations=[*across.names("x"), *up.names("y")],
    )
    figure.frames = [{"name": str(at), "data": frame, "traces": [1, 2, 3]} for at, frame in enumerate(frames)]
    return figure


def standalone(figure: draw.Figure, title: str) -> str:
    """The figure as one HTML page with all that it needs; it asks nothing of any network."""
    page = draw.Figure(figure)
    page.update_layout(template="plotly_white", title={"text": plain(title), "font": {"size": 16}}, height=None)
    page.update_layout(margin={"t": 84, "b": 110, "l": 70, "r": 30})
    text: str = page.to_html(
        include_plotlyjs=False,
        include_mathjax=False,
        auto_play=False,
        default_height="96vh",
        config={"displaylogo": False},
        post_script=[QUIET, START % page.layout.sliders[0].active],
    )
    return text.replace("<head>", f"<head><title>{plain(title)}</title><script>{plotly_script.text()}</script>", 1)


def _frames(
    x: pd.DataFrame,
    y: pd.DataFrame,
    named: int,
    notes: Sequence[str],
    low: FloatArray,
    high: FloatArray,
    short: Mapping[str, str],
    sides: Mapping[str, str],
) -> list[list[draw.Trace]]:
    """What changes from frame to frame, of three traces: marks, names, note."""
    corner = low + np.array([0.01, 0.99]) * (high - low)
    frames, drawn_x, drawn_y = [], Ends.of(x).place(x), Ends.of(y).place(y)
    for at, note in enumerate(notes):
        across, up = drawn_x.iloc[at], drawn_y.iloc[at]
        names = _names(across, up, _leaders(x.iloc[at], y.iloc[at], named), sides, high - low, short)
        place = {"x": across.round(5).tolist(), "y": up.round(5).tolist()}
        places = np.column_stack([ranks(x.iloc[at]), ranks(y.iloc[at])]).tolist()
        marks = draw.trace("scatter", **place, customdata=places, **_endless_scores(x, y, at))
        mark = draw.trace("scatter", x=[corner[0]], y=[corner[1]], text=[note])
        frames.append([marks, draw.trace("scatter", **place, text=names), mark])
    return frames


def _leaders(x: pd.Series, y: pd.Series, named: int) -> list[str]:
    """The first of each axis, those of the one that goes up before the others."""
    return list(dict.fromkeys([*best_first(y).index[:named], *best_first(x).index[:named]]))


def _endless_scores(x: pd.DataFrame, y: pd.DataFrame, at: int) -> dict[str, list[str]]:
    """The scores of each mark in words, where some score is infinite in any frame: its place does not tell it."""
    if not (Ends.of(x).used or Ends.of(y).used):
        return {}
    both = zip(x.iloc[at], y.iloc[at], strict=True)
    return {"text": [f"across {score_text(across)}, up {score_text(up)}" for across, up in both]}


def _names(
    x: pd.Series,
    y: pd.Series,
    leaders: Sequence[str],
    sides: Mapping[str, str],
    spans: FloatArray,
    short: Mapping[str, str],
) -> list[str]:
    """The text at each mark: the names of the leaders, without those that would lie across a better one's."""
    width, height = spans * np.array(LETTER)
    boxes: dict[str, tuple[float, float]] = {}
    for name in leaders:
        wide = width * len(short[name])
        left = float(x[name]) - (0 if sides[name] == RIGHT else wide)
        clear = [
            abs(float(y[name] - y[other])) > height or left > end or left + wide < begin
            for other, (begin, end) in boxes.items()
        ]
        if all(clear):
            boxes[name] = (left, left + wide)
    return [f"  {short[name]}  " if name in boxes else NOTHING for name in x.index]


def _sides(x: pd.DataFrame, y: pd.DataFrame, named: int) -> dict[str, str]:
    """On which side of its mark each name stands, the same in all frames: from left to right by turns, so that
    neighbours lean away from each other.
    """
    ever = {name for at in range(len(x)) for name in _leaders(x.iloc[at], y.iloc[at], named)}
    across = Ends.of(x).place(x).mean()
    order = sorted(ever, key=lambda name: float(across[name]))
    turns = {name: (LEFT, RIGHT)[at % 2] for at, name in enumerate(order)}
    return {str(name): turns.get(name, LEFT) for name in x.columns}


def _looks(
    frame: Sequence[draw.Trace], systems: Sequence[str], styles: Styles, sides: Mapping[str, str]
) -> list[draw.Trace]:
    """The same traces with what stays as it is."""
    marks = {
        "size": 11,
        "color": [styles[name].colour for name in systems],
        "symbol": [styles[name].symbol for name in systems],
        "line": {"width": 1, "color": "rgba(255, 255, 255, 0.6)"},
    }
    hover = (
        "<b>%{hovertext}</b><br>across %{x:.4f}, rank %{customdata[0]}"
        "<br>up %{y:.4f}, rank %{customdata[1]}<extra></extra>"
    )
    if "text" in frame[0]:
        hover = "<b>%{hovertext}</b><br>%{text}<br>ranks %{customdata[0]} and %{customdata[1]}<extra></extra>"
    names = [plain(name) for name in systems]
    text = {"mode": "text", "hoverinfo": "skip"}
    return [
        {**frame[0], "mode": "markers", "marker": marks, "hovertext": names, "hovertemplate": hover},
        {**frame[1], **text, "textposition": [sides[name] for name in systems], "textfont": {"size": 12}},
        {**frame[2], **text, "textposition": "bottom right", "textfont": {"size": 15}},
    ]


def _limits(x: pd.DataFrame, y: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    """Ends of both axes over all frames, with room for marks and names."""
    values = [frame.to_numpy() for frame in (x, y)]
    low, high = (np.array([ends(value) for value in values]) for ends in (np.nanmin, np.nanmax))
    room = np.maximum(high - low, 1e-3)
    return low - 0.04 * room, high + np.array([0.18, 0.08]) * room  # names stand on the right, too


def _slider(labels: Sequence[str], parameter: str, start: int) -> dict[str, Any]:
    glide = _moving(0, GLIDE // 2)
    steps = [{"label": text, "method": "animate", "args": [[str(at)], glide]} for at, text in enumerate(labels)]
    value = {"prefix": f"{plain(parameter)} = ", "xanchor": "left", "font": {"size": 16}, "offset": 12}
    place = {"x": 0.21, "len": 0.79, "y": 0, "yanchor": "top", "pad": {"t": 48, "b": 0}}
    ticks = {"tickcolor": LINE, "minorticklen": 3, "ticklen": 6, "font": {"size": 11}}
    look = {"bgcolor": PALETTE[0], "activebgcolor": PALETTE[2], "bordercolor": LINE, "borderwidth": 1}
    still = {"transition": {"duration": 0}}
    return {"active": start, "steps": steps, "currentvalue": value, **place, **ticks, **look, **still}


def _moving(frame: int, glide: int, **more: Any) -> dict[str, Any]:
    """How long a frame is shown and how long the marks glide to it, in ms."""
    return {
        "mode": "immediate",
        "frame": {"duration": frame, "redraw": False},
        "transition": {"duration": glide, **more},
    }


def _buttons() -> dict[str, Any]:
    play = {**_moving(GLIDE, GLIDE, easing="linear"), "fromcurrent": True}
    buttons = [("Play", None, play), ("Pause", [None], _moving(0, 0))]
    place = {"x": 0, "y": 0, "xanchor": "left", "yanchor": "top", "pad": {"t": 60, "r": 8}}
    look = {
        "bgcolor": "rgba(128, 138, 150, 0.18)",
        "bordercolor": LINE,
        "font": {"size": 13},
        "direction": "left",
        "showactive": False,
    }
    listed = [{"label": label, "method": "animate", "args": [names, how]} for label, names, how in buttons]
    return {"type": "buttons", **place, **look, "buttons": listed}
