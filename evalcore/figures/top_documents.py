"""Documents that the best systems return: the number whose labels are all the worst, and label sums by rank."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from evalcore.figures import draw
from evalcore.figures.style import PALETTE, look_of_line, plain

SHADES = ("#7f1d1d", "#b23a2e", "#d66a4a", "#eb9c74", "#f4cba9")  # darkest for the first ranks, where it matters most


def zero_aspect_bars(table: pd.DataFrame, names: Mapping[str, str], height: int = 380) -> draw.Figure:
    """Draw how often the best systems return a document whose labels are all the worst, by measure and rank.

    `table` is from `zero_aspect_documents`; `names` maps a measure's text to its name in the figure.
    """
    single = table[~table["ranks"].str.contains("-")]
    ranks = list(dict.fromkeys(single["ranks"]))
    shades = [SHADES[at * len(SHADES) // max(len(ranks), 1)] for at in range(len(ranks))]
    bars = [
        draw.bars(
            part["zero"].to_numpy(),
            [plain(names[text]) for text in part["measure"]],
            shade,
            hover=f"%{{y}}<br>rank {rank}: %{{x:.4g}} documents (%{{customdata[0]:.2%}} of all ranks); "
            "%{customdata[1]:.4g} more are unassessed",
            orientation="h",
            name=f"rank {rank}",
            customdata=part[["share", "unassessed"]].to_numpy(),
        )
        for rank, shade in zip(ranks, shades, strict=True)
        for part in [single[single["ranks"] == rank]]
    ]
    return draw.figure_of(
        bars,
        height,
        barmode="stack",
        xaxis=draw.axis("documents with the worst label on every aspect"),
        yaxis=draw.axis("", autorange="reversed", showgrid=False),
        bargap=0.3,
        legend_traceorder="normal",
    )


def label_sum_lines(table: pd.DataFrame, names: Mapping[str, str], column: str, height: int = 380) -> draw.Figure:
    """Draw the mean sum of labels by band of ranks, one line per measure; `table` is from `label_sums_by_rank`."""
    lines = [
        draw.line(
            part["ranks"].tolist(),
            part[column],
            {**look_of_line(at), "width": 2},
            f"{plain(names[str(text)])}<br>ranks %{{x}}: %{{y:.4f}}",
            name=plain(names[str(text)]),
            marker={"size": 7, "color": PALETTE[at % len(PALETTE)]},
        )
        for at, (text, part) in enumerate(table.groupby("measure", sort=False))
    ]
    across, up = draw.axis("ranks", type="category"), draw.axis("mean sum of labels")
    return draw.figure_of(lines, height, xaxis=across, yaxis=up, showlegend=len(lines) <= 12)
