"""Comparison of measures: the scatter of systems under two of them, and the change of ranks from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.direction import good_of, has_gaps, upwards
from evalcore.figures import draw
from evalcore.figures.draw import Ends, score_text
from evalcore.figures.intervals import rank_bounds
from evalcore.figures.labels import beside, placed, room
from evalcore.figures.style import (
    BESIDE,
    BLUE,
    FADED,
    HEIGHT,
    LINE,
    MANY,
    PALE,
    RED,
    SYMBOLS,
    Styles,
    SystemStyle,
    by_family,
    measure_title,
    plain,
    shown_groups,
    system_label,
)
from evalcore.meta import ranks
from evalcore.meta.order import ahead

GLYPHS = dict(zip(SYMBOLS, "●◆■▲✚★▼⬢", strict=True))  # the marks as characters, for a legend
NAMED = 12  # selected systems that are named
ROOM = 0.06  # margin beyond the outermost marks, as a share of their span
LEADERS = MOVERS = 10  # of many systems, in colour and named
FEW = 15  # systems that are all named, if there is room
TALL = 720  # height of a figure with many ranks, in pixels
Heights: TypeAlias = Callable[[Any], FloatArray]  # from ranks to their heights in the figure
OVER_NAMES = 1.03  # where the legend begins, in heights of the plot: the name of the highest mark may rise above it
Window: TypeAlias = tuple[Sequence[float], Sequence[float]]  # the ends of the horizontal and of the vertical axis


def scatter(
    x: pd.Series,
    ys: Mapping[str, pd.Series],
    styles: Styles,
    *,
    selected: Collection[str] = (),
    apart: Mapping[str, pd.DataFrame] | None = None,
    doubt: Sequence[pd.DataFrame] = (),
    x_title: str = "",
    y_title: str = "",
    window: Window | None = None,
) -> draw.Figure:
    """Draw systems as marks, one measure across and one (or several, each with its own mark) up, and the identity line.

    `x` and each of `ys` hold one score per system; infinite scores are on a line of their own. If high scores are good
    on one axis and low ones on the other, no identity line is drawn. `apart` maps up to two legends to pairs of systems
    (columns system_a, system_b), joined by lines, blue for the first legend and red for the second. `doubt` are the
    tables of `rank_intervals` for x and each of `ys`, shown when pointing at a mark. If systems are selected, others
    fade.

    With MANY systems or more, the selected ones, the best ten under the first of `ys`, and the ten whose rank changes
    most from `x` to this measure are in colour, and named if there is room; the others are pale. The axes reach from
    the smallest to the largest score with a margin, or over `window`. Other scores of the same systems give a figure
    with the same numbers of traces, points and names.
    """
    top = next(iter(ys.values()))
    across, up = Ends.of(x), Ends.of(*ys.values())
    drawn_x, drawn_ys = across.place(x), {label: up.place(y) for label, y in ys.items()}
    drawn_y = drawn_ys[next(iter(ys))]
    pairs = [
        _pairs(listed, drawn_x, drawn_y, plain(name), colour)
        for (name, listed), colour in zip((apart or {}).items(), (BLUE, RED), strict=False)
    ]
    same = [_identity(x, ys)] if good_of(x) == good_of(top) else []
    seen = window or (draw.ends(drawn_x, room=ROOM), draw.ends(*drawn_ys.values(), room=ROOM))
    named = _named(x, top, selected)
    return draw.figure_of(
        [*same, *pairs, *_marks(x, ys, drawn_x, drawn_ys, styles, selected, named, doubt)],
        xaxis=draw.axis(_titled(x_title or plain(x.name), x), **draw.decimals(), **_ends(seen[0], window)),
        yaxis=draw.axis(_titled(y_title, top), **draw.decimals(), **_ends(seen[1], window)),
        clickmode="event+select",
        dragmode="lasso",
        shapes=[*across.lines("x"), *up.lines("y")],
        legend=draw.LEGEND | {"y": OVER_NAMES},
        annotations=[
            *_names(drawn_x, drawn_ys, named, len(_of(selected, x)), seen, styles),
            *across.names("x"),
            *up.names("y"),
        ],
        **BESIDE,
    )


def _ends(ends: Sequence[float], window: Window | None) -> dict[str, Any]:
    """Return settings for an axis: fixed ends with a `window`, else automatic ones, which keep a reader's zoom."""
    if window is not None:
        return {"range": list(ends)}
    return {"autorange": True, "autorangeoptions": {"minallowed": ends[0], "maxallowed": ends[1]}}


def _of(selected: Collection[str], x: pd.Series) -> list[str]:
    return [name for name in dict.fromkeys(selected) if name in x.index][:NAMED]


def _named(x: pd.Series, y: pd.Series, selected: Collection[str]) -> list[str]:
    """Return the systems to name; their number depends only on the numbers of all and of selected systems.

    With MANY systems or more, these are the selected ones, LEADERS others (the winner of each axis, then the best under
    the vertical measure), and MOVERS others, whose rank differs most between the axes. With fewer systems, these are
    the selected ones. If none is selected, these are all systems if there are at most FEW, else the winner of each axis
    (and the second under the vertical measure if one system wins both).
    """
    chosen = _of(selected, x)
    if len(x) < MANY and selected:
        return chosen
    names = [str(name) for name in x.index]
    by_x, by_y = _ahead(x, y)
    best = [names[at] for at in np.argsort(by_y, kind="stable")]
    leaders = list(dict.fromkeys([*_winners(x, y), *best]))
    if len(x) < MANY:
        return leaders if len(x) <= FEW else leaders[:2]
    left = [name for name in leaders if name not in chosen]
    moved = [names[at] for at in np.lexsort((by_y, -np.abs(by_x - by_y))).tolist()]
    leaders = left[:LEADERS]
    return [*chosen, *leaders, *[name for name in moved if name not in {*chosen, *leaders}][:MOVERS]]


def _ahead(x: pd.Series, y: pd.Series) -> tuple[IntArray, IntArray]:
    """Return the number of systems ahead of each system, under the horizontal and under the vertical measure."""
    across, up = (ahead(upwards(scores).to_numpy(dtype=np.float64)) for scores in (x, _in_order(y, x)))
    return across, up


def _winners(x: pd.Series, y: pd.Series) -> list[str]:
    """Return the winner under the horizontal measure, and under the vertical one if that is a different system."""
    return list(dict.fromkeys(str(x.index[int(places.argmin())]) for places in _ahead(x, y)))


def _titled(title: str, scores: pd.Series) -> str:
    return f"{title} (lower is better)" if good_of(scores) == "low" else title


def _identity(x: pd.Series, ys: Mapping[str, pd.Series]) -> draw.Trace:
    values = np.concatenate([x.to_numpy(), *(y.to_numpy() for y in ys.values())])
    values = values[np.isfinite(values)]
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    if low > high:  # all are infinite
        low, high = 0.0, 1.0
    room = 0.03 * (high - low or 1)
    low = min(0.0, low) if low < 0.25 * high else low - room
    ends = [low, high + room]
    return draw.line(ends, ends, {"color": LINE, "width": 1, "dash": "dot"})


def _pairs(pairs: pd.DataFrame, x: pd.Series, y: pd.Series, name: str, colour: str) -> draw.Trace:
    ends = list(zip(pairs["system_a"], pairs["system_b"], strict=True))
    across, up = ([value for a, b in ends for value in (side[a], side[b], None)] for side in (x.to_dict(), y.to_dict()))
    return draw.line(across, up, {"color": colour, "width": 2}, opacity=0.7, name=name)


def _marks(
    x: pd.Series,
    ys: Mapping[str, pd.Series],
    drawn_x: pd.Series,
    drawn_ys: Mapping[str, pd.Series],
    styles: Styles,
    selected: Collection[str],
    named: Collection[str],
    doubt: Sequence[pd.DataFrame] = (),
) -> list[draw.Trace]:
    """Draw the marks: one trace for each family that is shown, or for each measure if there are several."""
    systems, traces = list(x.index), []
    groups = shown_groups(systems, styles)
    ys = {label: _in_order(y, x) for label, y in ys.items()}
    by_x, text_x, places_x = _rank_texts(x, systems, doubt[:1]), _texts(x), drawn_x.tolist()
    for at, (label, y) in enumerate(ys.items()):
        texts = (by_x, _rank_texts(y, systems, doubt[at + 1 : at + 2]), text_x, _texts(y))
        rows = list(zip(systems, places_x, _in_order(drawn_ys[label], x).tolist(), *texts, strict=True))
        if len(ys) > 1:
            look = _look(systems, styles, selected, named, "" in groups, len(x) >= MANY)
            traces.append(_mark_trace(rows, {**look, "symbol": SYMBOLS[at % len(SYMBOLS)]}, plain(label)))
            continue
        by_name = dict(zip(systems, rows, strict=True))
        for name, members in groups.items():
            look = _look(members, styles, selected, named, name == "", len(x) >= MANY)
            shown = f"{plain(name)} {_shapes(members, styles)}".rstrip() if name else ""
            traces.append(_mark_trace([by_name[member] for member in members], look, shown))
    return traces


def _shapes(members: Sequence[str], styles: Styles) -> str:
    """Return the marks of a family as HTML, without the mark of its first member, which the legend shows.

    >>> _shapes(["a", "b", "c"], {name: SystemStyle("f", "#000", shape) for name, shape in zip("abc", SYMBOLS)})
    "<span style='color:#000'>◆</span><span style='color:#000'>■</span>"
    """
    first = {styles[name].symbol: styles[name].colour for name in reversed(members)}
    others = (symbol for symbol in dict.fromkeys(styles[name].symbol for name in members[1:]))
    drawn = (symbol for symbol in others if symbol != styles[members[0]].symbol)
    return "".join(f"<span style='color:{first[symbol]}'>{GLYPHS[symbol]}</span>" for symbol in drawn)


def _in_order(scores: pd.Series, x: pd.Series) -> pd.Series:
    """Return the scores of the systems in `x`, in the order of `x`."""
    return scores if scores.index.equals(x.index) else scores.reindex(x.index)


def _texts(scores: pd.Series) -> list[str]:
    return [score_text(value) for value in scores.to_numpy(dtype=np.float64).tolist()]


def _look(
    systems: Sequence[str], styles: Styles, selected: Collection[str], named: Collection[str], grey: bool, many: bool
) -> dict[str, Any]:
    """Return the look of marks: each system has its own colour; if there are many, only the selected and named ones.

    The others are transparent, so that overlaps look darker, and grey if `grey` (no families are shown). If systems are
    selected, other marks fade.
    """
    vivid = {*selected, *named} if many else set(systems)
    faint = FADED if selected or not many else 0.4
    half = (0.5 if many else FADED) if selected else 1.0
    return {
        "symbol": [styles[name].symbol if name in vivid else "circle" for name in systems],
        "size": [11 if name in vivid else 8 for name in systems] if many else 10,
        "color": [styles[name].colour if name in vivid or not grey else PALE for name in systems],
        "opacity": [1.0 if name in selected else half if name in vivid else faint for name in systems],
    }


def _rank_texts(scores: pd.Series, systems: list[str], doubt: Sequence[pd.DataFrame]) -> list[Any]:
    """Return the rank of each system; if `doubt` is given, as a text that adds the interval of the rank."""
    places: list[Any] = ranks(scores).tolist()
    if not doubt:
        return places
    bounds = rank_bounds(doubt[0])
    both = zip(systems, places, strict=True)
    return [f"{rank} (interval over topics: {bounds[name]})" if name in bounds else f"{rank}" for name, rank in both]


def _mark_trace(rows: list[tuple[Any, ...]], look: Mapping[str, Any], name: str) -> draw.Trace:
    """Draw marks from rows of (system, x, y, rank under x, rank under y, score under x, score under y)."""
    return draw.marks(
        [row[1] for row in rows],
        [row[2] for row in rows],
        {**look, "line": {"width": 1, "color": "rgba(255, 255, 255, 0.6)"}},
        "<b>%{customdata[1]}</b><br>across %{customdata[4]}, rank %{customdata[2]}"
        "<br>up %{customdata[5]}, rank %{customdata[3]}",
        name=name or "systems",
        showlegend=bool(name),
        customdata=[[row[0], plain(row[0]), *row[3:]] for row in rows],
        selected={"marker": {"opacity": 1.0}},
        unselected={"marker": {"opacity": FADED}},
    )


def _names(
    x: pd.Series, ys: Mapping[str, pd.Series], named: Sequence[str], chosen: int, window: Window, styles: Styles
) -> list[dict[str, Any]]:
    """Return annotations that name the marks of the first vertical measure; those without room are invisible."""
    (left, right), (low, high) = window
    across = (x.to_numpy(dtype=np.float64) - left) / (right - left)
    ups = [(high - _in_order(y, x).to_numpy(dtype=np.float64)) / (high - low) for y in ys.values()]
    marks = np.column_stack([np.tile(across, len(ups)), np.concatenate(ups)])
    at = x.index.get_indexer(pd.Index(named))
    y = next(iter(ys.values()))
    winners = len(_winners(x, y)) if len(x) >= MANY or not chosen else 0
    places = placed(named, marks[at], marks, needed=chosen + winners)
    return [
        {
            "x": float(x.iloc[number]),
            "y": float(y[name]),
            "text": system_label(name, styles),
            "showarrow": True,
            "arrowwidth": 1,
            "arrowcolor": LINE,
            "arrowhead": 0,
            "standoff": 5,
            "ax": place[0] if place else 0.0,
            "ay": place[1] if place else 0.0,
            "opacity": 1 if place else 0,
            "captureevents": False,
        }
        for number, name, place in zip(at.tolist(), named, places, strict=True)
    ]


def bump(
    columns: Mapping[str, pd.Series], styles: Styles, selected: Collection[str] = (), doubt: Sequence[pd.DataFrame] = ()
) -> draw.Figure:
    """Draw the ranks of all systems under each measure, joined by lines; crossing lines are swaps.

    `doubt` are the tables of `rank_intervals` for the first columns, shown when pointing at a line. Bars show the rank
    intervals of the selected systems or, if none is selected, of the winner in each column. With MANY systems or more,
    the selected ones, the best ten in the last column, and the ten whose rank varies most are in colour and named, and
    top ranks are further apart.
    """
    labels = list(map(measure_title, columns))
    known = list(columns.values())
    if all(map(has_gaps, known)):  # a system without a score under some measure has no line
        table = pd.concat(known, axis=1).notna().all(axis=1)
        known = [scores[table.reindex(scores.index)] for scores in known]
    shared = pd.DataFrame({at: ranks(scores) for at, scores in enumerate(known)})
    systems = [str(name) for name in shared.index]
    ranked = shared.to_numpy()
    rows = dict(zip(systems, _places(ranked), strict=True))
    many = len(systems) >= MANY
    chosen = [name for name in selected if name in rows]
    vivid = [*chosen, *_telling(rows, chosen)] if many else chosen
    heights = np.sqrt if many else np.asarray
    height = TALL if many else max(HEIGHT, 18 * len(systems) + 60)
    hovers = _bump_hovers(rows, labels, doubt)
    groups = {"": systems} if many else by_family(systems, styles)
    lines = [
        _bump_lines({member: rows[member] for member in members}, styles, bool(selected), name, hovers, heights)
        for name, members in groups.items()
    ]
    strong = [_bump_line(rows[name], styles[name], not many or name in chosen, heights) for name in vivid]
    across = draw.ticks(labels) | {"range": [-0.02, len(labels) - 0.98]}
    named = {name: rows[name] for name in (vivid if many else rows)}
    shown = {name: system_label(name, styles) for name in named}
    sides = [_named_ranks(named, shared, at, not many, shown) for at in (0, -1)]
    names = [_vivid_names(named, shared, at, styles, height, shown) for at in (0, -1)] if many else []
    return draw.figure_of(
        [*_rank_bars(chosen, doubt, styles, heights), *lines, *strong, draw.unseen(x=[0], y=[1], yaxis="y2")],
        height,
        xaxis=draw.axis("", side="top", showgrid=False, **across),
        yaxis=sides[0],
        yaxis2=sides[1] | {"overlaying": "y", "side": "right"},
        annotations=[note for side in names for note in side],
        margin={"l": 8, "r": 8, "t": 28, "b": 8}
        | {side: room(note["text"] for note in notes) for side, notes in zip("lr", names, strict=False)},
        showlegend=False,
        clickmode="event+select",
    )


def _telling(rows: Mapping[str, IntArray], chosen: Collection[str]) -> list[str]:
    """Return the systems to colour besides the chosen: LEADERS in the last column, MOVERS whose rank varies most."""
    left = [name for name in rows if name not in chosen]
    leaders = sorted(left, key=lambda name: int(rows[name][-1]))[:LEADERS]
    moved = sorted(left, key=lambda name: int(rows[name].min() - rows[name].max()))
    return [*leaders, *[name for name in moved if name not in leaders][:MOVERS]]


def _places(ranked: IntArray) -> IntArray:
    """Return a different rank for each system in each column; ties keep their previous order, so fewer lines cross."""
    before, places = np.arange(len(ranked)), np.empty_like(ranked)
    for at, column in enumerate(ranked.T):
        before = np.argsort(np.lexsort((before, column)))
        places[:, at] = before + 1
    return places


def _named_ranks(
    rows: Mapping[str, IntArray], ranked: pd.DataFrame, column: int, named: bool, labels: Mapping[str, str]
) -> dict[str, Any]:
    """Return the axis on one side; if `named`, with the names and ranks of the systems; tied systems share a rank."""
    if not named:
        return draw.axis("", range=np.sqrt([len(ranked) + 0.7, 0.3]).tolist(), showticklabels=False, showgrid=False)
    order = sorted(rows, key=lambda name: int(rows[name][column]))
    ticks = {
        "tickvals": [int(rows[name][column]) for name in order],
        "ticktext": _with_ranks(order, ranked, column, labels),
    }
    return draw.axis("", range=[len(ranked) + 0.7, 0.3], **ticks, showgrid=False, tickfont={"size": 11})


def _with_ranks(names: Iterable[str], ranked: pd.DataFrame, column: int, labels: Mapping[str, str]) -> list[str]:
    form, rank = "{name}  {rank}" if column == 0 else "{rank}  {name}", ranked.iloc[:, column].to_dict()
    return [form.format(name=labels[name], rank=rank[name]) for name in names]


def _vivid_names(
    rows: Mapping[str, IntArray],
    ranked: pd.DataFrame,
    column: int,
    styles: Styles,
    height: int,
    labels: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Return annotations with the names of a few of many systems at the ends of their lines, in their colours."""
    heights, ends = np.sqrt([float(row[column]) for row in rows.values()]), np.sqrt([len(ranked) + 0.7, 0.3])
    texts, colours = _with_ranks(rows, ranked, column, labels), [styles[name].colour for name in rows]
    return beside(texts, heights, ends.tolist(), height - 60, colours, left=column == 0)


def _bump_hovers(rows: Mapping[str, IntArray], labels: Sequence[str], doubt: Sequence[pd.DataFrame]) -> dict[str, str]:
    """Map each system to the hover text of its line: its ranks, and the intervals of its ranks over topics."""
    bounds = [(label, rank_bounds(table)) for label, table in zip(labels, doubt, strict=False)]
    hovers = {}
    for system, row in rows.items():
        over_topics = [f"{label}: rank interval {rank[system]} over topics" for label, rank in bounds if system in rank]
        hovers[system] = "<br>".join([f"<b>{plain(system)}</b>", " → ".join(map(str, row.tolist())), *over_topics])
    return hovers


def _rank_bars(
    selected: Sequence[str], doubt: Sequence[pd.DataFrame], styles: Styles, heights: Heights
) -> list[draw.Trace]:
    """Draw the 95% intervals of the ranks of a few systems; intervals of all systems would overlap."""
    return [
        draw.line(
            [column] * 2,
            heights(table.loc[system, ["rank_low", "rank_high"]].to_numpy(dtype=np.float64)),
            {"color": styles[str(system)].colour, "width": 9},
            opacity=0.3,
        )
        for column, table in enumerate(doubt)
        for system in selected or table.index[:1]
        if system in table.index
    ]


def _bump_lines(
    rows: Mapping[str, IntArray], styles: Styles, faded: bool, name: str, hovers: Mapping[str, str], heights: Heights
) -> draw.Trace:
    """Draw the lines of one family, or pale lines of all systems, as one trace with a gap after each line."""
    systems, table = list(rows), np.array(list(rows.values()))
    each = [system for system in systems for _ in range(table.shape[1] + 1)]
    many = len(systems) >= MANY
    marks = {
        "size": 6,
        "symbol": [styles[system].symbol for system in each],
        "color": [styles[system].colour for system in each],
    }
    return draw.line(
        **draw.strands(np.arange(table.shape[1]), heights(table.astype(float))),
        look={"color": PALE, "width": 1} if many else {"color": styles[systems[0]].colour, "width": 1.6},
        hover="%{text}",
        marker={"size": 3, "color": PALE} if many else marks,
        opacity=0.4 if many else FADED * 1.6 if faded else 0.85,
        customdata=[[system] for system in each],
        text=[hovers[system] for system in each],
        name=plain(name) or "systems",
    )


def _bump_line(row: IntArray, style: SystemStyle, strong: bool, heights: Heights) -> draw.Trace:
    look, mark = {"color": style.colour, "width": 3.5 if strong else 1.8}, {"size": 9 if strong else 6}
    return draw.line(list(range(len(row))), heights(row).tolist(), look, marker=mark)
