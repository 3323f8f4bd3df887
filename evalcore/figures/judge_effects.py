"""What another judge does to systems: whom it favours, and how far the ranking stands when labels go wrong."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.figures import draw
from evalcore.figures.intervals import Rows, interval_lines
from evalcore.figures.style import BLUE, FADED, HEIGHT, LINE, RED, Styles, plain, shown_groups
from evalcore.rounding import less

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
) -> go.Figure:
    """Of each system what a judge does to its score, beside the interval that the judges' confusion predicts.

    `table` is that of `evalcore.judges.favour`, the most favoured on top: the mark is the observed difference, the
    short upright line its expected value, the bar its interval without favour, of permuted labels. Filled marks have a
    corrected p below `alpha`. Families that the legend names have their colour. Of MANY systems the ten most favoured
    and the selected are named. A table of groups, which `styles` does not know, is drawn in one colour.
    """
    shown = table.iloc[::-1]
    places = np.arange(len(shown), dtype=np.float64)
    rows = Rows.of(list(map(str, shown.index)), selected, height or 120)
    bands = {
        **interval_lines(shown["low"], shown["high"], places),
        "line": {"color": BAND, "width": rows.mark(9)},
        "name": f"{NULL}, 95%",
    }
    expected = draw.marks(
        shown["expected"],
        places,
        {"symbol": "line-ns-open", "size": rows.mark(9), "color": LINE, "line": {"width": 2, "color": LINE}},
        name=f"{NULL}: mean",
    )
    return draw.figure_of(
        [bands, expected, *_observed(shown, places, judge, styles, selected, rows, alpha)],
        rows.height + 60,
        xaxis=draw.axis(f"liked less by {plain(judge)} ← difference of scores → liked more", **_range(table)),
        yaxis=rows.axis(styles),
        shapes=[draw.upright(0.0, dash="solid")],
        hovermode="closest",
        clickmode="event+select",
    )


def _observed(
    shown: pd.DataFrame,
    places: np.ndarray[Any, Any],
    judge: str,
    styles: Styles,
    selected: Collection[str],
    rows: Rows,
    alpha: float,
) -> list[draw.Trace]:
    """A trace for each family that the legend names; for all others one."""
    names = list(map(str, shown.index))
    if any(name not in styles for name in names):
        groups, look = {"": names}, dict.fromkeys(names, (BLUE, "circle"))
    else:
        pale = rows.styles(styles)
        groups = shown_groups(names, styles)
        look = {name: (pale[name].colour, "circle") for name in names}
    where, told = dict(zip(names, places, strict=True)), _told(shown, judge)
    apart = dict(zip(names, less(shown["p_corrected"].to_numpy(), alpha), strict=True))
    difference = dict(zip(names, shown["difference"], strict=True))
    traces = []
    for group, members in groups.items():
        colours = [look[name][0] for name in members]
        traces.append(
            draw.marks(
                [difference[name] for name in members],
                [where[name] for name in members],
                {
                    "size": rows.mark(10),
                    "symbol": ["circle" if apart[name] else "circle-open" for name in members],
                    "color": colours,
                    "opacity": [1.0 if not selected or name in selected else FADED for name in members],
                    "line": {"width": 2, "color": colours},
                },
                hover="<b>%{customdata[1]}</b><br>%{customdata[2]}",
                name=plain(group) or f"observed (filled: corrected p below {alpha:g})",
                customdata=[[name, plain(name), told[name]] for name in members],
            )
        )
    return traces


def _told(shown: pd.DataFrame, judge: str) -> dict[str, str]:
    """What each mark says when it is pointed at."""
    found = {}
    for name, row in zip(map(str, shown.index), shown.to_dict("records"), strict=True):
        way = "more" if row["favour"] > 0 else "less"
        found[name] = (
            f"difference {row['difference']:+.4f}, expected {row['expected']:+.4f}"
            f" ({row['low']:+.4f} to {row['high']:+.4f})<br>liked {way} by {plain(judge)} by {abs(row['favour']):.4f}"
            f"<br>p {row['p']:.3f}, corrected {row['p_corrected']:.3f}"
        )
    return found


def _range(table: pd.DataFrame) -> dict[str, Any]:
    """Both ends of the axis, with 0 between them."""
    drawn = table[["difference", "low", "high"]].to_numpy(dtype=np.float64)
    low, high = float(np.nanmin(drawn, initial=0.0)), float(np.nanmax(drawn, initial=0.0))
    room = 0.04 * (high - low) or 1.0
    return {"range": [low - room, high + room], **draw.decimals(3, "+")}


def noise_levels(
    table: pd.DataFrame,
    level: float,
    wanted: float = 0.9,
    *,
    measured: float = np.nan,
    judges: Mapping[str, tuple[float, float]] | None = None,
    height: int = HEIGHT - 100,
) -> go.Figure:
    """Kendall's tau to the original ranking, and how often the winner stays, over the share of wrong labels.

    `table` is that of a `NoiseCurve`: the line is the mean over draws, the band the interval of the draws. A line lies
    across at the `wanted` tau; an upright one stands at the `level` that is looked at, with a mark on the line, and a
    dotted one where labels of two sources were `measured` to differ. `judges` that are real have a mark each: the
    share of their labels that differ, and the tau of their ranking.
    """
    levels = table.index.to_numpy(dtype=np.float64)
    edge = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "x": levels}
    hover = "%{x:.0%} wrong: τ %{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})<br>κ %{customdata[2]:.2f}"
    at = [float(np.interp(level, levels, table[name])) for name in ("tau", "winner_stays")]
    traces = [
        draw.trace("scatter", y=table["tau_low"], showlegend=False, **edge),
        draw.trace("scatter", y=table["tau_high"], fill="tonexty", fillcolor=BAND, name="95% of the draws", **edge),
        draw.line(
            levels,
            table["tau"],
            {"color": BLUE, "width": 3},
            hover=f"{hover}",
            name="τ to the original ranking, mean",
            customdata=table[["tau_low", "tau_high", "kappa"]].to_numpy(),
        ),
        draw.line(
            levels,
            table["winner_stays"],
            {"color": WINNER, "width": 2, "dash": "dash"},
            hover="%{x:.0%} wrong: the winner stays in %{y:.0%}",
            name="share of draws in which the winner stays",
        ),
        draw.marks(
            [level, level],
            at,
            {"size": 11, "color": [BLUE, WINNER], "line": {"width": 2, "color": "white"}},
            showlegend=False,
        ),
        *([_real_judges(judges)] if judges else []),
    ]
    lowest = min((tau for _, tau in (judges or {}).values()), default=wanted)
    drawn = table[["tau_low", "winner_stays"]].to_numpy(dtype=np.float64)
    low = float(np.nanmin(drawn, initial=min(wanted, lowest)))
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": wanted, "y1": wanted, "layer": "below"}
    known = np.isfinite(measured) and measured <= levels[-1]
    return draw.figure_of(
        traces,
        height,
        xaxis=draw.axis("share of labels that are wrong", tickformat=".0%", range=[0, float(levels[-1]) or 1.0]),
        yaxis=draw.axis("", range=[min(low - 0.04, wanted - 0.1), 1.02]),
        shapes=[
            {**line, "line": {"color": LINE, "dash": "dash", "width": 1}},
            draw.upright(level, dash="solid", width=2),
            *([draw.upright(measured)] if known else []),
        ],
        annotations=[
            {
                "xref": "paper", "x": 0, "y": wanted, "text": f"τ {wanted:g}", "showarrow": False, "xanchor": "left",
                "yanchor": "top", "font": {"size": 12},
            },
            *([_beside(measured)] if known else []),
        ],
        hovermode="closest",
    )  # fmt: skip


def _real_judges(judges: Mapping[str, tuple[float, float]]) -> draw.Trace:
    return draw.marks(
        [differs for differs, _ in judges.values()],
        [tau for _, tau in judges.values()],
        {"size": 12, "symbol": "diamond", "color": RED, "line": {"width": 1, "color": "white"}},
        hover="<b>%{text}</b><br>%{x:.1%} of its labels differ: τ %{y:.3f}",
        mode="markers+text",
        name="a judge's own labels",
        text=[plain(name) for name in judges],
        textposition="top right",
    )


def _beside(measured: float) -> dict[str, Any]:
    place = {"x": measured, "y": 0.02, "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return {**place, "text": "as measured", "showarrow": False, "font": {"size": 12}}
