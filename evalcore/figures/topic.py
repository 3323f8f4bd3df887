"""One topic: rankings rank by rank, with every label and the contribution of each rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import LINE, Styles, plain, system_label
from evalcore.structures.documents import Scale

ROW = 19  # pixels of a rank
LABELS_SHARE = 0.62  # of a system's width, for the labels; the rest is for the contributions of ranks
UNASSESSED = "·"
FEW = 12  # ranks that each have a number
# Grey to blue: the best grade is the most colourful on light and dark pages, and numbers are legible on all shades.
SHADES = [(0.0, "#a9b2bc"), (0.75, "#7db5ef"), (1.0, "#1f62c9")]


def ranked_lists(
    walks: Mapping[str, pd.DataFrame], scales: Mapping[str, Scale], styles: Styles, marked: int | None = None
) -> draw.Figure:
    """Draw rankings side by side: a row for each rank, with a cell for each aspect and a bar of its contribution.

    `walks` are tables of `evalcore.explain.rank_by_rank.walk`. Better grades are bluer; a dot is a missing label. A
    line is drawn under the rank `marked`.
    """
    depth = max((len(table) for table in walks.values()), default=1)
    most = max((float(table["adds"].max()) for table in walks.values() if "adds" in table and len(table)), default=0.0)
    room = 58 if len(scales) < 3 else 96  # names of many columns are slanted
    up = draw.axis("rank", range=[depth + 0.6, 0.4], dtick=1 if depth <= 30 else 5, showgrid=False)
    ends = {"range": [0, most * 1.05 or 1], "nticks": 3, "ticklabelposition": "outside right"}  # off the last name
    named = {"showgrid": False, "tickvals": [plain(name) for name in scales]}
    traces, axes = list[draw.Trace](), dict[str, Any]()
    for at, (system, table) in enumerate(walks.items()):
        left, right = at / len(walks), (at + 0.94) / len(walks)
        split = left + LABELS_SHARE * (right - left)
        cells, bars = f"x{2 * at + 1}" if at else "x", f"x{2 * at + 2}"
        traces += [_cells(table, scales, cells), _bars(table, styles[system].colour, bars)]
        heading = f"<b>{system_label(system, styles)}</b>"
        axes[f"xaxis{cells[1:]}"] = draw.axis(heading, domain=[left, split - 0.01], side="top", **named)
        axes[f"xaxis{bars[1:]}"] = draw.axis("", domain=[split + 0.01, right], side="top", **ends)
    return draw.figure_of(
        traces,
        ROW * depth + room + 52,
        **axes,
        yaxis=up,
        shapes=[] if marked is None else [draw.level(marked + 0.5, width=1.5)],
        margin={"l": 8, "r": 8, "t": room + 26, "b": 8},
    )


def _cells(table: pd.DataFrame, scales: Mapping[str, Scale], across: str) -> draw.Trace:
    """Draw labels as cells shaded from worst to best, each with its grade."""
    labels = table[list(scales)].to_numpy()
    rows = zip(table["document"], labels.tolist(), strict=True)
    return draw.cells(
        np.column_stack([_share(table[name].to_numpy(), scale) for name, scale in scales.items()]),
        SHADES,
        (0, 1),
        "rank %{y}<br>%{hovertext}",
        x=[plain(name) for name in scales],
        y=table.index.to_numpy(),
        xgap=2,
        ygap=2,
        text=[[UNASSESSED if np.isnan(value) else f"{value:.3g}" for value in row] for row in labels],
        texttemplate="%{text}",
        hovertext=[[_hover(document, row, scales)] * len(scales) for document, row in rows],
        xaxis=across,
    )


def _share(values: np.ndarray[Any, Any], scale: Scale) -> np.ndarray[Any, Any]:
    """Return labels on a scale from 0 to 1: the worst and best label of the scale or, for a signal, of these values."""
    values = scale.judged(values)
    low, high = scale.ends(values)
    share = (values - low) / (high - low or 1.0)
    return share if scale.good == "high" else 1 - share


def _hover(document: str, labels: Sequence[float], scales: Mapping[str, Scale]) -> str:
    if not document:
        return "a document that nobody assessed"
    named = [
        f"{plain(scale.name)}: {_named(value, scale)}" for value, scale in zip(labels, scales.values(), strict=True)
    ]
    return "<br>".join([f"<b>{plain(document)}</b>", *named])


def _named(value: float, scale: Scale) -> str:
    if np.isnan(value):
        return "not assessed"
    if np.isnan(scale.judged(np.array([value]))[0]):
        return f"{value:g}: not judged"
    names = dict(zip(scale.grades, scale.names, strict=False))
    return f"{value:g}" + (f" ({plain(names[value])})" if value in names else "")


def _bars(table: pd.DataFrame, colour: str, across: str) -> draw.Trace:
    adds = table["adds"].to_numpy() if "adds" in table else np.zeros(len(table))
    look = {"orientation": "h", "marker": {"color": colour}, "xaxis": across}
    hover = "rank %{y} adds %{x:.4f}<extra></extra>"
    return draw.trace("bar", x=adds, y=table.index, hovertemplate=hover, **look)


def subtopics_met(walks: Mapping[str, pd.DataFrame], names: Sequence[str], styles: Styles) -> draw.Figure:
    """Draw the subtopics that each rank covers: a filled mark for a new one, a hollow one if a rank above covers it.

    `walks` are tables of `read_down` by system, with the columns subtopics and new; `names` are all subtopics of the
    topic.
    """
    traces, ticks, labels = list[draw.Trace](), list[int](), list[str]()
    for at, (system, table) in enumerate(walks.items()):
        shown, colour = system_label(system, styles), styles[system].colour
        for kind, symbol in (("new", "circle"), ("subtopics", "circle-open")):
            again = kind == "subtopics"
            pairs = [
                (rank, at * (len(names) + 1) + names.index(part))
                for rank, row in table.iterrows()
                for part in filter(None, row[kind].split(", "))
                if not (again and part in row["new"].split(", "))
            ]
            ranks, rows = zip(*pairs, strict=True) if pairs else ((), ())
            hover = f"<b>{shown}</b>, rank %{{x}}: " + ("known already" if again else "new")
            look = {"size": 9, "symbol": symbol, "color": colour}
            name = f"{shown}: {'again' if again else 'new'}"
            traces.append(draw.marks(list(ranks), list(rows), look, hover, name=name))
        ticks += [at * (len(names) + 1) + row for row in range(len(names))]
        labels += [plain(name) for name in names]
    up = draw.axis("subtopic", tickvals=ticks, ticktext=labels, autorange="reversed")
    return draw.figure_of(traces, 110 + 24 * len(ticks), xaxis=draw.axis("rank", dtick=1), yaxis=up)


def running_sums(
    walks: Mapping[str, pd.DataFrame],
    styles: Styles,
    marked: int | None = None,
    *,
    height: int = 300,
    discount: bool = True,
) -> draw.Figure:
    """Draw the cumulated score by rank and, if `discount`, the discount of each rank (dotted, right axis)."""
    lines = [
        draw.line(
            [0, *table.index],
            [0.0, *table["sum so far"]],
            {"color": styles[system].colour, "width": 2.5, "shape": "hv"},
            f"{plain(system)}<br>down to rank %{{x}}: %{{y:.4f}}",
            name=system_label(system, styles),
            marker={"symbol": styles[system].symbol, "size": 6},
        )
        for system, table in walks.items()
    ]
    longest = max(walks.values(), key=len)
    if discount and "discount" in longest:
        look, hover = {"color": LINE, "width": 1.5, "dash": "dot"}, "rank %{x}: discount %{y:.4f}"
        lines.append(draw.line(longest.index, longest["discount"], look, hover, name="discount", yaxis="y2"))
    return draw.figure_of(
        lines,
        height,
        xaxis=draw.axis("rank", **({"dtick": 1} if len(longest) < FEW else {})),
        yaxis=draw.axis("score so far", rangemode="tozero"),
        yaxis2=draw.axis("discount", overlaying="y", side="right", rangemode="tozero", showgrid=False),
        shapes=[] if marked is None else [draw.upright(marked)],
    )
