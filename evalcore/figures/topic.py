"""One topic: rankings rank by rank with every label, and the map of all topics and systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.direction import directed, good_of
from evalcore.figures import draw
from evalcore.figures.endless import Ends, score_text
from evalcore.figures.style import BLUES, GRID, HEIGHT, LINE, RED_TO_BLUE, Styles, plain, system_label, system_ticks
from evalcore.meta import best_first
from evalcore.structures.documents import Scale

ROW = 19  # pixels of a rank
LABELS_SHARE = 0.62  # of a system's width, for the labels; the rest is for what each rank adds
UNASSESSED = "·"
# Light up to the better grades, dark at the best: a number is read on both, and on little in between.
SHADES = [(0.0, "#f7fbff"), (0.75, "#9ecae1"), (1.0, "#08519c")]


def ranked_lists(
    walks: Mapping[str, pd.DataFrame], scales: Mapping[str, Scale], styles: Styles, marked: int | None = None
) -> go.Figure:
    """Rankings side by side: a row per rank, a cell per aspect, darker for better, then a bar of what the rank adds.

    `walks` are tables of `evalcore.explain.rank_by_rank.walk`. A dot is a document that nobody assessed. `marked` is
    the rank that a line points out.
    """
    depth = max((len(table) for table in walks.values()), default=1)
    most = max((float(table["adds"].max()) for table in walks.values() if "adds" in table and len(table)), default=0.0)
    traces: list[draw.Trace] = []
    layout: dict[str, Any] = {
        "yaxis": draw.axis("rank", range=[depth + 0.6, 0.4], dtick=1 if depth <= 30 else 5, showgrid=False)
    }
    width = 1 / max(len(walks), 1)
    for at, (system, table) in enumerate(walks.items()):
        left, right = at * width, at * width + 0.94 * width
        split = left + LABELS_SHARE * (right - left)
        cells, bars = 2 * at + 1, 2 * at + 2
        traces += [_cells(table, scales, cells), _bars(table, styles[system].colour, bars)]
        names = [plain(name) for name in scales]
        layout[_axis(cells)] = draw.axis("", domain=[left, split - 0.01], side="top", showgrid=False, tickvals=names)
        ends = {"range": [0, most * 1.05 or 1], "nticks": 3, "ticklabelposition": "outside right"}  # off the last name
        layout[_axis(bars)] = draw.axis("", domain=[split + 0.01, right], side="top", **ends)
    room = 58 if len(scales) < 3 else 96  # names of many columns are slanted
    layout["annotations"] = [
        _heading(system_label(system, styles), at * width, room) for at, system in enumerate(walks)
    ]
    if marked is not None:
        line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": marked + 0.5, "y1": marked + 0.5}
        layout["shapes"] = [line | {"line": {"color": LINE, "dash": "dot", "width": 1.5}}]
    margin = {"l": 8, "r": 8, "t": room + 26, "b": 8}
    return draw.figure_of(traces, ROW * depth + room + 52, showlegend=False, margin=margin, **layout)


def _axis(number: int) -> str:
    return "xaxis" if number == 1 else f"xaxis{number}"


def _heading(text: str, x: float, room: int) -> dict[str, Any]:
    place = {"x": x, "y": 1, "yshift": room, "xref": "paper", "yref": "paper", "xanchor": "left", "showarrow": False}
    return place | {"text": f"<b>{text}</b>", "font": {"size": 14}}


def _cells(table: pd.DataFrame, scales: Mapping[str, Scale], number: int) -> draw.Trace:
    """Labels as shades from worst to best, each with its grade in it."""
    shades = np.column_stack([_share(table[name].to_numpy(), scale) for name, scale in scales.items()])
    labels = [[_label(value) for value in row] for row in table[list(scales)].to_numpy()]
    hovers = [[_hover(document, row, scales)] * len(scales) for document, row in _rows(table, scales)]
    return draw.cells(
        shades,
        SHADES,
        (0, 1),
        hover="rank %{y}<br>%{hovertext}",
        x=[plain(name) for name in scales],
        y=table.index.to_numpy(),
        xgap=2,
        ygap=2,
        text=labels,
        texttemplate="%{text}",
        hovertext=hovers,
        xaxis=f"x{number}" if number > 1 else "x",
    )


def _rows(table: pd.DataFrame, scales: Mapping[str, Scale]) -> list[tuple[str, list[float]]]:
    return list(zip(table["document"], table[list(scales)].to_numpy().tolist(), strict=True))


def _label(value: float) -> str:
    return UNASSESSED if np.isnan(value) else f"{value:.3g}"


def _share(values: np.ndarray[Any, Any], scale: Scale) -> np.ndarray[Any, Any]:
    """From 0, the worst label, to 1, the best; a signal by its own extremes here."""
    values = scale.judged(values)
    low, high = scale.ends(values)
    share = (values - low) / (high - low or 1.0)
    return share if scale.good == "high" else 1 - share


def _hover(document: str, labels: Sequence[float], scales: Mapping[str, Scale]) -> str:
    if not document:
        return "a document that nobody assessed"
    named = [
        f"{plain(name)}: {_named(value, scale)}" for value, (name, scale) in zip(labels, scales.items(), strict=True)
    ]
    return "<br>".join([f"<b>{plain(document)}</b>", *named])


def _named(value: float, scale: Scale) -> str:
    if np.isnan(value):
        return "not assessed"
    if np.isnan(scale.judged(np.array([value]))[0]):
        return f"{value:g}: not judged"
    names = dict(zip(scale.grades, scale.names, strict=False))
    return f"{value:g}" + (f" ({plain(names[value])})" if value in names else "")


def _bars(table: pd.DataFrame, colour: str, number: int) -> draw.Trace:
    adds = table["adds"].to_numpy() if "adds" in table else np.zeros(len(table))
    return draw.trace(
        "bar",
        orientation="h",
        y=table.index.to_numpy(),
        x=adds,
        marker={"color": colour},
        hovertemplate="rank %{y} adds %{x:.4f}<extra></extra>",
        xaxis=f"x{number}",
    )


def running_sums(
    walks: Mapping[str, pd.DataFrame],
    styles: Styles,
    marked: int | None = None,
    *,
    height: int = 300,
    discount: bool = True,
) -> go.Figure:
    """The score as it grows from rank to rank, and what the rank still counts (dotted, right axis) if asked."""
    lines = [
        draw.line(
            table.index.to_numpy(),
            table["sum so far"].to_numpy(),
            {"color": styles[system].colour, "width": 2.5, "shape": "hv"},
            hover=f"{plain(system)}<br>down to rank %{{x}}: %{{y:.4f}}",
            name=system_label(system, styles),
            marker={"symbol": styles[system].symbol, "size": 6},
        )
        for system, table in walks.items()
    ]
    longest = max(walks.values(), key=len)
    if discount and "discount" in longest:
        lines.append(_discount(longest))
    shapes = [] if marked is None else [draw.upright(marked)]
    right = draw.axis("discount", overlaying="y", side="right", rangemode="tozero", showgrid=False)
    return draw.figure_of(
        lines,
        height,
        xaxis=draw.axis("rank"),
        yaxis=draw.axis("score so far", rangemode="tozero"),
        yaxis2=right,
        shapes=shapes,
    )


def _discount(table: pd.DataFrame) -> draw.Trace:
    return draw.line(
        table.index.to_numpy(),
        table["discount"].to_numpy(),
        {"color": LINE, "width": 1.5, "dash": "dot"},
        hover="rank %{x} counts %{y:.4f}",
        name="discount",
        yaxis="y2",
    )


def _means(scores: pd.DataFrame) -> pd.Series:
    """Means over the rows; 0 of what is infinite at both ends."""
    with np.errstate(invalid="ignore"):
        means: pd.Series = scores.mean().fillna(0.0)
    return means


def topic_map(scores: pd.DataFrame, difference: bool = False, styles: Styles | None = None) -> go.Figure:
    """Topics x systems as shades, empty where a system has no score; each cell carries `topic | system` for a click.

    Best systems first, hardest topics last, the better the darker. `difference`: from blue (the first measure higher)
    to red, white at 0. An infinite score has the shade beyond the last finite one, and says ∞.
    """
    if difference:
        scores = directed(scores, "high").fillna(0.0)  # both infinite: no difference
    systems, topics = (best_first(_means(one)).index for one in (scores, scores.T))
    ordered = scores.loc[topics, systems]
    drawn = Ends.of(ordered).place(ordered).to_numpy()
    most = float(np.nanmax(np.abs(drawn), initial=0.0)) or 1.0
    shades = BLUES if good_of(scores) == "high" else [[1 - at, shade] for at, shade in BLUES[::-1]]
    scale: dict[str, Any] = {"colorscale": shades, "zmin": 0.0}
    if difference:
        scale = {"colorscale": RED_TO_BLUE, "zmin": -most, "zmax": most}
    infinite = np.isinf(ordered.to_numpy())
    if infinite.any():
        scale["text"], scale["texttemplate"] = np.where(infinite, "∞", "").tolist(), "%{text}"
    said = [[score_text(value) for value in row] for row in ordered.to_numpy()]
    cells = draw.trace(
        "heatmap",
        x=[plain(system) for system in systems],
        y=[plain(topic) for topic in topics],
        z=drawn,
        customdata=[
            [[f"{topic} | {system}", text] for system, text in zip(systems, row, strict=True)]
            for topic, row in zip(topics, said, strict=True)
        ],
        hovertemplate="topic %{y}<br><b>%{x}</b><br>%{customdata[1]}<extra></extra>",
        colorbar={"thickness": 12, "outlinewidth": 0},
        xgap=0.5,
        ygap=0.5,
        **scale,
    )
    look = {"showgrid": False, "tickangle": -60, "tickfont": {"size": 10}}
    across = draw.axis("", type="category", **look, **system_ticks(list(systems), styles))
    up = draw.axis(
        "topic", type="category", autorange="reversed", showgrid=False, tickfont={"size": 10}, gridcolor=GRID
    )
    return draw.figure_of([cells], max(HEIGHT, 11 * len(topics) + 160), xaxis=across, yaxis=up)
