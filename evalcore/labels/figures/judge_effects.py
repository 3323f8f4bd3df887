"""The figure of rankings under random errors in labels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import BLUE, HEIGHT, RED, plain

BAND = "rgba(47, 111, 208, 0.16)"
WINNER = "#9f701e"


def noise_levels(
    table: pd.DataFrame,
    level: float,
    wanted: float = 0.9,
    *,
    measured: float = np.nan,
    judges: Mapping[str, tuple[float, float]] | None = None,
    height: int = HEIGHT - 100,
) -> draw.Figure:
    """Draw tau with the original ranking, and how often the winner stays, against the share of wrong labels.

    `table` comes from a `NoiseCurve`: the line is the mean over draws, the band the interval of the draws. A horizontal
    line shows the `wanted` tau, a vertical line the selected `level`, and a dotted line the `measured` share of labels
    on which two sources differ. A mark shows each of the real `judges`: its share of differing labels, and the tau of
    its ranking.
    """
    levels = table.index.to_numpy(dtype=np.float64)
    real = judges or {}
    lowest = min((tau for _, tau in real.values()), default=wanted)
    drawn = table[["tau_low", "winner_stays"]].to_numpy(dtype=np.float64)
    low = float(np.nanmin(drawn, initial=min(wanted, lowest)))
    known = np.isfinite(measured) and measured <= levels[-1]
    shapes = [draw.level(wanted, dash="dash") | {"layer": "below"}, draw.upright(level, dash="solid", width=2)]
    notes = [draw.note(f"τ {wanted:g}", 0, wanted, "left top", "x")]
    if known:
        shapes.append(draw.upright(measured))
        notes.append(draw.note("as measured", measured, 0.02, "left bottom"))
    return draw.figure_of(
        [*_noise_lines(table, level), *([_real_judges(real)] if real else [])],
        height,
        xaxis=draw.axis("share of labels that are wrong", tickformat=".0%", range=[0, float(levels[-1]) or 1.0]),
        yaxis=draw.axis("", range=[min(low - 0.04, wanted - 0.1), 1.02]),
        shapes=shapes,
        annotations=notes,
    )


def _noise_lines(table: pd.DataFrame, level: float) -> list[draw.Trace]:
    levels = table.index.to_numpy(dtype=np.float64)
    tau = draw.line(
        levels,
        table["tau"],
        {"color": BLUE, "width": 3},
        "%{x:.0%} wrong: τ %{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})<br>κ %{customdata[2]:.2f}",
        name="mean τ with the original ranking",
        customdata=table[["tau_low", "tau_high", "kappa"]].to_numpy(),
    )
    stays = draw.line(
        levels,
        table["winner_stays"],
        {"color": WINNER, "width": 2, "dash": "dash"},
        "%{x:.0%} wrong: the same winner in %{y:.0%} of draws",
        name="share of draws with the same winner",
    )
    here = [float(np.interp(level, levels, table[name])) for name in ("tau", "winner_stays")]
    mark = {"size": 11, "color": [BLUE, WINNER], "line": {"width": 2, "color": "white"}}
    band = draw.band(levels, table["tau_low"], table["tau_high"], BAND, name="95% of the draws")
    return [*band, tau, stays, draw.marks([level, level], here, mark)]


def _real_judges(judges: Mapping[str, tuple[float, float]]) -> draw.Trace:
    differs, tau = map(list, zip(*judges.values(), strict=True))
    return draw.marks(
        differs,
        tau,
        {"size": 12, "symbol": "diamond", "color": RED, "line": {"width": 1, "color": "white"}},
        "<b>%{text}</b><br>%{x:.1%} of its labels differ: τ %{y:.3f}",
        mode="markers+text",
        name="labels of a judge",
        text=[plain(name) for name in judges],
        textposition="top right",
    )
