"""Gains over baselines, power over the number of topics, and what explains the variance of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import less
from evalcore.figures import draw
from evalcore.figures.draw import Ends, score_text
from evalcore.figures.rows import interval_lines
from evalcore.figures.style import BLUE, GRID, LINE, PALETTE, Styles, plain, system_label

ROW = 23  # pixels of a system
BESIDE = 0.8  # of a row that several baselines share


# --- gains over baselines ---------------------------------------------------------------------------------------------


def baseline_gains(table: pd.DataFrame, alpha: float, height: int = 0, styles: Styles | None = None) -> draw.Figure:
    """What each system gains over each baseline, with its interval; filled where it is told apart.

    `table` is that of `evalcore.meta.against_baselines`: best system first. Infinite gains stand on a line of
    their own.
    """
    systems = list(dict.fromkeys(table["system"]))
    bases = list(dict.fromkeys(table["baseline"]))
    ends, traces = Ends.of(table["gain"], table["low"], table["high"]), []
    for at, base in enumerate(bases):
        rows = table[table["baseline"] == base]
        beside = BESIDE * ((at + 0.5) / len(bases) - 0.5)
        places = np.array([systems.index(name) + beside for name in rows["system"]])
        traces += _gains(rows, places, alpha, PALETTE[at % len(PALETTE)], ends, styles)
    named = [system_label(name, styles) for name in systems]
    span = draw.ends(0.0, ends.place(table[["gain", "low", "high"]]), room=0.04)
    return draw.figure_of(
        traces,
        height or max(260, 80 + max(ROW, 15 * len(bases)) * len(systems)),
        xaxis=draw.axis("gain over the baseline (mean difference)", range=span),
        yaxis=draw.rows(named, tickfont={"size": 11}),
        shapes=[draw.upright(0.0, dash="solid", width=1.5), *ends.lines("x")],
        annotations=ends.names("x"),
    )


def _gains(
    rows: pd.DataFrame, places: FloatArray, alpha: float, colour: str, ends: Ends, styles: Styles | None
) -> list[draw.Trace]:
    name, apart = system_label(rows["baseline"].iloc[0], styles), less(rows["p_corrected"], alpha)
    quiet = {"opacity": 0.5, "legendgroup": name, "showlegend": False}
    symbols = np.where(apart, "circle", "circle-open").tolist()
    dots = draw.marks(
        ends.place(rows["gain"]),
        places,
        {"size": 9, "symbol": symbols, "color": colour, "line": {"width": 2, "color": colour}},
        "<b>%{customdata[0]}</b> over %{customdata[1]}<br>%{customdata[2]}",
        name=f"over {name}; filled: significant",
        legendgroup=name,
        customdata=[_in_words(row) for row in rows.to_dict("records")],
    )
    return [interval_lines(rows["low"], rows["high"], places, 2, colour, **quiet), dots]


def _in_words(row: Mapping[Any, Any]) -> list[str]:
    """What a dot says when it is pointed at."""
    gain = score_text(row["gain"], sign="+")
    between = "" if np.isnan(row["low"]) else f" ({row['low']:+.4f} to {row['high']:+.4f})"
    topics = f"{row['wins']} topics won, {row['losses']} lost, {row['ties']} tied"
    p = f"p {score_text(row['p'])}, corrected {score_text(row['p_corrected'])}"
    return [plain(row["system"]), plain(row["baseline"]), f"gain {gain}{between}<br>{topics}<br>{p}"]


# --- power over topics ------------------------------------------------------------------------------------------------


def power_curves(
    curves: Mapping[str, pd.Series], wanted: float, n_topics: int, needed: float, height: int = 400
) -> draw.Figure:
    """The chance of finding a difference over the number of topics, on a scale of logarithms; a line per difference.

    `curves` maps what a difference is called to power by number of topics; the second is the one that is asked about.
    `needed` are the topics that it takes, nan where they cannot be said.
    """
    lines = [
        draw.line(
            list(curve.index),
            curve,
            {"color": BLUE if at == 1 else LINE, "width": 3 if at == 1 else 1.5, "dash": _DASHES[at]},
            None,
            name=plain(name),
            hovertemplate=f"%{{x:,}} topics: %{{y:.1%}}<extra>{plain(name)}</extra>",
        )
        for at, (name, curve) in enumerate(curves.items())
    ]
    marks = [(float(n_topics), f"here: {n_topics:,}", 0.02)]
    if np.isfinite(needed):
        marks.append((needed, f"needed: {needed:,.0f}", 0.1))
    return draw.figure_of(
        lines,
        height,
        xaxis=draw.axis("topics", type="log", tickformat=",", dtick="D2" if _decades(curves) < 3 else 1),
        yaxis=draw.axis("power", range=[0, 1.03], tickformat=".0%"),
        shapes=[*(draw.upright(at, dash="dash") for at, _, _ in marks), draw.level(wanted, dash="dash")],
        # An axis of logarithms takes the power of ten.
        annotations=[draw.note(text, float(np.log10(at)), y, "left bottom") for at, text, y in marks],
    )


_DASHES = ("dot", "solid", "dash")


def _decades(curves: Mapping[str, pd.Series]) -> float:
    topics = next(iter(curves.values())).index.to_numpy(dtype=float)
    return float(np.log10(topics.max() / topics.min()))


# --- analysis of variance ---------------------------------------------------------------------------------------------


def variance_shares(shares: pd.DataFrame, height: int = 0) -> draw.Figure:
    """What each effect explains of the variance of the scores, a bar per measure; the last column is what is left.

    `shares` has measures down and effects across, as omega squared, which chance can put below 0: drawn as none.
    """
    names, drawn = [plain(name) for name in shares.index], shares.clip(lower=0)
    colours = [*(PALETTE[at % len(PALETTE)] for at in range(shares.shape[1] - 1)), GRID]
    bars = [
        draw.bars(
            drawn[effect],
            list(range(len(names))),
            colour,
            "<b>%{customdata[0]}</b><br>%{customdata[1]}: %{customdata[2]}",
            orientation="h",
            name=plain(effect),
            customdata=[
                [name, plain(effect), score_text(value, 3)] for name, value in zip(names, shares[effect], strict=True)
            ],
        )
        for effect, colour in zip(shares, colours, strict=True)
    ]
    ends = {"range": [0, 1.005 * max(1.0, float(drawn.sum(axis=1).max()))], "dtick": 0.2}
    return draw.figure_of(
        bars,
        height or 110 + 34 * len(names),
        xaxis=draw.axis("share of the variance of all scores (ω²)", tickformat=".0%", **ends),
        yaxis=draw.rows(names),
        barmode="stack",
        bargap=0.35,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "traceorder": "normal"},
    )
