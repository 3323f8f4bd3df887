"""What the systems return that a measure likes best: documents without any merit, and quality by rank."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from evalcore.figures.style import PALETTE, axis, figure_of, look_of_line, plain, trace

SHADES = ("#7f1d1d", "#b23a2e", "#d66a4a", "#eb9c74", "#f4cba9")  # the first ranks are the gravest


def zero_aspect_bars(table: pd.DataFrame, names: Mapping[str, str], height: int = 380) -> go.Figure:
    """How many documents without any merit the best systems return, by measure and rank.

    `table` is from `zero_aspect_documents`; `names` maps a measure's text to the name to show.
    """
    single = table[~table["ranks"].str.contains("-")]
    ranks = list(dict.fromkeys(single["ranks"]))
    shades = [SHADES[at * len(SHADES) // max(len(ranks), 1)] for at in range(len(ranks))]
    bars = [
        trace(
            "bar",
            x=part["zero"].to_numpy(),
            y=[plain(names[text]) for text in part["measure"]],
            orientation="h",
            name=f"rank {rank}",
            marker={"color": shade, "line": {"width": 0}},
            customdata=part[["share", "unassessed"]].to_numpy(),
            hovertemplate=f"%{{y}}<br>rank {rank}: %{{x:.4g}} documents (%{{customdata[0]:.2%}} of all ranks); "
            "%{customdata[1]:.4g} more are unassessed<extra></extra>",
        )
        for rank, shade in zip(ranks, shades, strict=True)
        for part in [single[single["ranks"] == rank]]
    ]
    return figure_of(
        bars,
        height,
        barmode="stack",
        xaxis=axis("documents with the worst label on every aspect"),
        yaxis=axis("", autorange="reversed", showgrid=False),
        bargap=0.3,
        legend_traceorder="normal",
    )


def label_sum_lines(table: pd.DataFrame, names: Mapping[str, str], column: str, height: int = 380) -> go.Figure:
    """The mean sum of labels by band of ranks, one line per measure; `table` is from `label_sums_by_rank`."""
    lines = []
    for at, (text, part) in enumerate(table.groupby("measure", sort=False)):
        colour = PALETTE[at % len(PALETTE)]
        lines.append(
            trace(
                "scatter",
                x=part["ranks"].tolist(),
                y=part[column].to_numpy(),
                mode="lines+markers",
                name=plain(names[str(text)]),
                line={**look_of_line(at), "width": 2},
                marker={"size": 7, "color": colour},
                hovertemplate=f"{plain(names[str(text)])}<br>ranks %{{x}}: %{{y:.4f}}<extra></extra>",
            )
        )
    return figure_of(
        lines,
        height,
        xaxis=axis("ranks", type="category"),
        yaxis=axis("mean sum of labels"),
        showlegend=len(lines) <= 12,
    )
