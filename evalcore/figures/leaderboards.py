"""What people draw of leaderboards: who stands where, which mean ranks differ, who beats whom."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.rows import Rows, interval_lines
from evalcore.figures.style import HEIGHT, LINE, PALETTE, Styles, plain, system_label
from evalcore.leaderboard import CriticalDifference

MOST_CELLS = 80  # systems whose names stand beside a matrix of wins
NUMBERED = 14  # systems up to which the shares stand in the cells
FOOT = -1.0  # where the critical difference lies, under the last row
PALE_BAR = "#b8bec6"
WINS = ((0.0, "#b2182b"), (0.5, "#f4f4f4"), (1.0, "#2166ac"))


def standing_lines(
    table: pd.DataFrame, styles: Styles, *, title: str = "score", selected: Collection[str] = (), height: int = HEIGHT
) -> draw.Figure:
    """The number of each system with its interval, the best on top; `table` is that of `standings`."""
    shown = table.iloc[::-1]
    rows = Rows.of(shown.index, styles, selected, height)
    hover = "<b>%{customdata[1]}</b><br>%{x:.4f}<br>%{customdata[2]} missing"
    data = rows.named_data(shown["missing"].astype(int).tolist())
    return rows.figure(
        [
            interval_lines(shown["low"], shown["high"], rows.places, rows.line),
            draw.marks(shown["estimate"], rows.places, rows.marks(9), hover, customdata=data),
        ],
        xaxis=draw.axis(title, side="top", **draw.decimals()),
    )


def critical_differences(
    tested: CriticalDifference,
    styles: Styles,
    *,
    groups: Sequence[Sequence[str]] = (),
    selected: Collection[str] = (),
    height: int = HEIGHT,
) -> draw.Figure:
    """Mean ranks, the best on top, and at the right bars that join systems which are not separable.

    Dark bars are those of the test of mean ranks; pale ones `groups` of another test, those of the means of the scores
    (`rank_intervals`). The line at the foot is as long as the critical difference, where there is one.
    """
    rows = Rows.of(tested.ranks.index[::-1], styles, selected, height)
    values = tested.ranks.to_numpy()[::-1]
    hover = "<b>%{customdata[1]}</b><br>mean rank %{x:.2f}"
    marks = draw.marks(values, rows.places, rows.marks(9), hover, customdata=rows.named_data())
    known = not np.isnan(tested.difference)
    bars = _bars([(tested.groups, tested.by, PALETTE[0]), (groups, "means", PALE_BAR)], rows.systems)
    return rows.figure(
        [marks, *([_length(tested, values)] if known else []), *bars],
        xaxis=draw.axis("mean rank", domain=[0, 0.62], side="top"),
        xaxis2=draw.axis("", domain=[0.66, 1.0], range=[-1, max(len(bars), 1)], showticklabels=False, showgrid=False),
        yaxis=rows.axis() | {"range": [FOOT - 0.6, len(rows.systems) - 0.2]},
        annotations=[_difference(tested, values)] if known else [],
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0.6},
        showlegend=True,
    )


def _bars(tests: Sequence[tuple[Sequence[Sequence[str]], str, str]], names: Sequence[str]) -> list[draw.Trace]:
    """A bar for each group of two systems or more that a test leaves, from its best to its worst; many are thin."""
    place = {name: at for at, name in enumerate(names)}
    ends = [
        ([place[name] for name in group if name in place], test, colour)
        for groups, test, colour in tests
        for group in groups
        if len(group) > 1
    ]
    width = min(5.0, max(1.0, 180 / max(len(ends), 1)))
    bars, named = [], set[str]()
    for at, (places, test, colour) in enumerate(ends):
        look, reach = {"color": colour, "width": width}, [min(places) - 0.3, max(places) + 0.3]
        legend = {"name": test, "legendgroup": test, "showlegend": test not in named}
        bars.append(draw.line([at, at], reach, look, "", xaxis="x2", **legend))
        named.add(test)
    return bars


def _difference(tested: CriticalDifference, ranks: np.ndarray) -> draw.Part:
    """What the line at the foot is, in words behind its end."""
    end = float(ranks.min()) + tested.difference
    return draw.note(f"CD {tested.difference:.2f}", end, FOOT, "left auto", "", 11, xshift=6)


def _length(tested: CriticalDifference, ranks: np.ndarray) -> draw.Trace:
    """A line as long as the critical difference, at the foot, from the best mean rank on."""
    start = float(ranks.min())
    ends = [start, start + tested.difference]
    hover = f"critical difference {tested.difference:.3f}"
    return draw.line(
        ends,
        [FOOT, FOOT],
        {"color": LINE, "width": 3},
        hover,
        marker={"symbol": "line-ns-open", "size": 10, "color": LINE},
    )


def win_matrix(shares: pd.DataFrame, styles: Styles, *, height: int = 0) -> draw.Figure:
    """The share of topics on which the system of a row beats that of a column, as `win_shares` has it."""
    names = [system_label(str(name), styles) for name in shares.index]
    labelled = len(names) <= MOST_CELLS
    named = draw.ticks(names) if labelled else {}
    first = 0 if labelled else 1  # without names the rows and columns are counted from the best
    # Slanted, the names of many would lie on each other.
    across = {"tickangle": -40 if len(names) <= NUMBERED else -90, **named} if labelled else {}
    scale = {} if len(names) <= NUMBERED else {"showscale": True, "colorbar": {"tickformat": ".0%", "thickness": 10}}
    hovers = [[f"{plain(row)} beats {plain(column)}" for column in shares.columns] for row in shares.index]
    cells = draw.cells(
        shares.to_numpy(), [list(colour) for colour in WINS], (0.0, 1.0),
        "%{customdata}<br>on %{z:.0%} of their topics", customdata=hovers, x0=first, y0=first, **scale,
    )  # fmt: skip
    numbers = [_numbers(shares)] if len(names) <= NUMBERED else []
    return draw.figure_of(
        [cells, *numbers],
        height or int(min(max(140 + 22 * len(names), 320), 760)),
        xaxis=draw.axis("", side="top", showgrid=False, **across),
        yaxis=draw.axis("", range=[len(names) - 0.5 + first, first - 0.5], showgrid=False, **named),
    )


def _numbers(shares: pd.DataFrame) -> draw.Trace:
    rows, columns = (places.tolist() for places in np.nonzero(shares.notna().to_numpy()))
    values = shares.to_numpy()[rows, columns]
    colours = np.where(np.abs(values - 0.5) > 0.3, "#ffffff", "#333333").tolist()
    font = {"size": 11, "color": colours}
    names = [plain(str(name)) for name in shares.index]
    data = [
        [f"{row} {column}", f"{names[row]} beats {names[column]}<br>on {value:.0%} of their topics"]
        for row, column, value in zip(rows, columns, values, strict=True)
    ]
    return draw.written_cells(columns, rows, 22, data, [f"{value:.0%}" for value in values], font)
