"""Ranks of systems with their intervals over topics."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.rows import SHARES, Rows, interval_lines
from evalcore.figures.style import HEIGHT, Styles, plain

BAND = "rgba(128, 138, 150, 0.10)"


def ranks_over_topics(
    table: pd.DataFrame, styles: Styles, *, selected: Collection[str] = (), height: int = HEIGHT
) -> draw.Figure:
    """Draw ranks of systems with 95% intervals, best on top, and bars for the share of resamples that each system wins.

    `table` comes from `evalcore.meta.rank_intervals`. Thick lines are intervals that are valid for one system at a
    time; thin lines are valid for all systems together. A filled dot, on the band, is a system that may be the
    best; other dots are hollow. With MANY systems or more, the first ten and the selected ones are named and in colour.
    """
    shown = table.iloc[::-1]
    rows = Rows.of(shown.index, styles, selected, height)
    return rows.figure(
        [
            interval_lines(shown["all_low"], shown["all_high"], rows.places, min(rows.line, 1.0)),
            interval_lines(shown["rank_low"], shown["rank_high"], rows.places, rows.line),
            _rank_dots(shown, rows),
            rows.bars(shown["share_first"], "first in %{x:.1%} of the resamples"),
        ],
        xaxis=draw.axis("rank", domain=[0, 0.72], side="top", **rows.ranks),
        xaxis2=draw.axis("share first", domain=[0.76, 1.0], nticks=4, **SHARES),
        shapes=_band(shown),
        bargap=0.35,
    )


def rank_bounds(table: pd.DataFrame) -> dict[str, str]:
    """Map each system to the interval of its rank, as text for hovers; systems with unknown intervals are left out.

    `table` comes from `evalcore.meta.rank_intervals`.

    >>> rank_bounds(pd.DataFrame({"rank_low": [1.0, 2.0], "rank_high": [3.0, 2.0]}, index=["a", "b"]))
    {'a': '1 to 3', 'b': '2'}
    """
    both = zip(table.index, table["rank_low"].tolist(), table["rank_high"].tolist(), strict=True)
    return {name: f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}" for name, low, high in both if low <= high}


def _band(shown: pd.DataFrame) -> list[draw.Part]:
    """Return rectangles behind the systems that may be the best, one for each group of neighbouring rows."""
    alike = np.flatnonzero(shown["may_be_best"].to_numpy(dtype=bool))
    runs = np.split(alike, np.flatnonzero(np.diff(alike) > 1) + 1)
    return [draw.box(BAND, y=(run[0] - 0.5, run[-1] + 0.5), layer="below") for run in runs]


def _rank_dots(table: pd.DataFrame, rows: Rows) -> draw.Trace:
    """Draw the rank of each system: a filled dot if it may be the best, else a hollow one."""
    look = rows.marks(10)
    both = zip(look["symbol"], table["may_be_best"], strict=True)
    symbols = [symbol if may else f"{symbol}-open" for symbol, may in both]
    return draw.marks(
        table["rank"],
        rows.places,
        look | {"symbol": symbols, "line": {"width": 1.5, "color": rows.colours}},
        "<b>%{customdata[1]}</b><br>%{customdata[2]}",
        customdata=rows.named_data(_words(table)),
    )


def _words(table: pd.DataFrame) -> list[str]:
    """Return the hover text of each dot; the last row is the leader's."""
    leader = plain(table.index[-1])
    return ["<br>".join(_lines(row, leader, at + 1 == len(table))) for at, row in enumerate(table.to_dict("records"))]


def _lines(row: Mapping[Hashable, Any], leader: str, leads: bool) -> list[str]:
    shared = f", shared by {row['shared']:.0f}" if row["shared"] > 1 else ""
    lines = [f"mean {row['mean']:.4f}, rank {row['rank']:.0f}{shared}"]
    if np.isfinite(row["rank_low"]):
        alone, together = (f"{row[f'{name}_low']:.0f} to {row[f'{name}_high']:.0f}" for name in ("rank", "all"))
        whose = "if this system was chosen beforehand" if row["rank"] == 1 else "for this system"
        lines += [f"rank interval {alone}, {whose}", f"rank interval {together}, for all systems together"]
    if np.isfinite(row["share_first"]):
        lines.append(f"first in {row['share_first']:.1%} of the resamples")
    if np.isfinite(row["behind"]) and not leads:
        may = "may be the best" if row["may_be_best"] else "not the best"
        lines.append(f"behind {leader} by {row['behind']:.4f}: {may} (95 %, comparisons with the best)")
    return lines
