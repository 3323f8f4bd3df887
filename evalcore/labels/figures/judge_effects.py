"""What another judge does to systems: whom it favours, and how far the ranking stands when labels go wrong."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import less
from evalcore.figures import draw
from evalcore.figures.rows import Rows, interval_lines
from evalcore.figures.style import BLUE, HEIGHT, LINE, RED, Styles, plain, shown_groups

BAND, NULL = "rgba(47, 111, 208, 0.16)", "what the confusion predicts"
WINNER = "#9f701e"


def favours(
    table: pd.DataFrame,
    judge: str,
    styles: Styles,
    *,
    selected: Collection[str] = (),
    height: int = 0,
    alpha: float = 0.05,
) -> draw.Figure:
    """Of each system what a judge does to its score, beside the interval that the judges' confusion predicts.

    `table` is that of `ec.favour`, the most favoured on top: the mark is the observed difference, the short upright
    line its expected value, the bar its interval without favour, of permuted labels. Filled marks have a corrected p
    below `alpha`. Families that the legend names have their colour. Of MANY systems the ten most favoured
    and the selected are named. A table of groups, which `styles` does not know, is drawn in one colour.
    """
    shown = table.iloc[::-1]
    places = np.arange(len(shown), dtype=np.float64)
    known = all(str(name) in styles for name in shown.index)
    rows = Rows.of(shown.index, styles if known else {}, selected, height or 120)
    bands = interval_lines(shown["low"], shown["high"], places, rows.mark(9), BAND, name=f"{NULL}, 95%")
    mark = {"symbol": "line-ns-open", "size": rows.mark(9), "color": LINE, "line": {"width": 2, "color": LINE}}
    expected = draw.marks(shown["expected"], places, mark, name=f"{NULL}: mean")
    return draw.figure_of(
        [bands, expected, *_observed(shown, places, judge, rows, alpha)],
        rows.height + 60,
        xaxis=draw.axis(
            f"liked less by {plain(judge)} ← difference of scores → liked more",
            range=draw.ends(0.0, table[["difference", "low", "high"]], room=0.04),
            **draw.decimals(3, "+"),
        ),
        yaxis=rows.axis(),
        meta=rows.meta,
        shapes=[draw.upright(0.0, dash="solid")],
        clickmode="event+select",
    )


def _observed(shown: pd.DataFrame, places: FloatArray, judge: str, rows: Rows, alpha: float) -> list[draw.Trace]:
    """A trace for each family that the legend names; for all others one."""
    names, styles = rows.systems, rows.styles
    groups = shown_groups(names, styles) if styles else {"": names}
    apart = less(shown["p_corrected"].to_numpy(), alpha)
    traces = []
    for group, members in groups.items():
        at = [names.index(name) for name in members]
        colours = [styles[name].colour if styles else BLUE for name in members]
        look = {
            "size": rows.mark(10),
            "symbol": np.where(apart[at], "circle", "circle-open").tolist(),
            "color": colours,
            "opacity": [rows.opacity[row] for row in at],
            "line": {"width": 2, "color": colours},
        }
        words = [_in_words(row, judge) for row in shown.iloc[at].to_dict("records")]
        traces.append(
            draw.marks(
                shown["difference"].iloc[at].tolist(),
                places[at].tolist(),
                look,
                "<b>%{customdata[1]}</b><br>%{customdata[2]}",
                name=plain(group) or f"observed (filled: corrected p below {alpha:g})",
                customdata=[[name, plain(name), text] for name, text in zip(members, words, strict=True)],
            )
        )
    return traces


def _in_words(row: Mapping[Any, Any], judge: str) -> str:
    """What a mark says when it is pointed at."""
    way = "more" if row["favour"] > 0 else "less"
    return (
        f"difference {row['difference']:+.4f}, expected {row['expected']:+.4f}"
        f" ({row['low']:+.4f} to {row['high']:+.4f})<br>liked {way} by {plain(judge)} by {abs(row['favour']):.4f}"
        f"<br>p {row['p']:.3f}, corrected {row['p_corrected']:.3f}"
    )


def noise_levels(
    table: pd.DataFrame,
    level: float,
    wanted: float = 0.9,
    *,
    measured: float = np.nan,
    judges: Mapping[str, tuple[float, float]] | None = None,
    height: int = HEIGHT - 100,
) -> draw.Figure:
    """Kendall's tau to the original ranking, and how often the winner stays, over the share of wrong labels.

    `table` is that of a `NoiseCurve`: the line is the mean over draws, the band the interval of the draws. A line lies
    across at the `wanted` tau; an upright one stands at the `level` that is looked at, with a mark on the line, and a
    dotted one where labels of two sources were `measured` to differ. `judges` that are real have a mark each: the
    share of their labels that differ, and the tau of their ranking.
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
        name="τ to the original ranking, mean",
        customdata=table[["tau_low", "tau_high", "kappa"]].to_numpy(),
    )
    stays = draw.line(
        levels,
        table["winner_stays"],
        {"color": WINNER, "width": 2, "dash": "dash"},
        "%{x:.0%} wrong: the winner stays in %{y:.0%}",
        name="share of draws in which the winner stays",
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
        name="a judge's own labels",
        text=[plain(name) for name in judges],
        textposition="top right",
    )
