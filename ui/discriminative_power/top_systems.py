"""What the systems return that each measure likes best, as a view."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.meta import PairedBootstrap
from ui.computing.measures import scores
from ui.data.score_tables import MARK
from ui.discriminative_power.controls import Power
from ui.screen.items import Figure, Table
from ui.stage import show


def top_systems(page: Power, tests: Mapping[str, PairedBootstrap]) -> None:
    collection, depth, deep = page.collection, page.depth, page.sum_depth
    if not collection.aspects:
        st.info("This looks at labels of aspects; the open collection has signals only.", icon=":material/info:")
        return
    places = st.columns([1.4, 1, 1, 1])
    for place, names in zip(places, (("aspects", "shares"), ("depth",), ("sum_depth",), ("bands",)), strict=True):
        with place:
            page.draw(*names)
    zero = ec.zero_aspect_documents(cut_scores(page, depth), collection, page.looked_at, depth)
    sums = ec.label_sums_by_rank(cut_scores(page, deep), collection, page.looked_at, deep, page.bands, page.shares)
    left, right = st.columns(2, gap="medium")
    with left:
        figure = figures.zero_aspect_bars(zero, page.names)
        show.put(Figure(figure, "zero", "Documents with the worst label on every aspect, by measure and rank"))
    with right:
        figure = figures.label_sum_lines(sums, page.names, "mean_sum")
        show.put(Figure(figure, "sums", "Mean sum of labels by band of ranks and measure"))
    show.put(Table(zero_shape(zero, page.names), "zero-aspect documents", download=zero))
    shaped = sum_shape(sums, page.names)
    show.put(Table(shaped, "label sums", decimals={"unassessed": 1}, download=sums))
    st.caption(
        f"For each topic, the best system under each measure with rankings cut at {depth} (left) and {deep} (right); "
        "systems tied as best share the topic, so counts may be fractions. A label counts from the worst grade of its "
        "aspect, which is 0, also where low is good; a missing label counts as the worst. Unassessed documents have no "
        "labels at all: they are counted apart, and left out of the mean (Maistro et al. 2021, Tables 5 and 6)."
    )


def cut_scores(page: Power, depth: int) -> dict[str, pd.DataFrame]:
    """Scores under each measure with rankings cut at a depth; those of other tools as they are."""
    cut = ec.cut_rankings(page.collection, depth)
    return {text: frame if text.endswith(MARK) else scores(cut, text) for text, frame in page.scores.items()}


def zero_shape(table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Measures down, ranks across, as in Table 5 turned round: number and share; then what is counted apart."""
    cells: dict[str, dict[str, str]] = {}
    for row in table.to_dict("records"):
        line = cells.setdefault(names[row["measure"]], {})
        line[row["ranks"]] = f"{row['zero']:.4g} ({row['share']:.2%})"
    shaped = pd.DataFrame.from_dict(cells, orient="index").rename_axis("measure")
    whole = table.groupby("measure", sort=False).last()
    for name in ("unassessed", "documents"):
        shaped[name] = [f"{value:.4g}" for value in whole[name]]
    return shaped


def sum_shape(table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Measures down, bands across, as in Table 6."""
    shaped = table.pivot(index="measure", columns="ranks", values="mean_sum")
    shaped = shaped.loc[list(dict.fromkeys(table["measure"])), list(dict.fromkeys(table["ranks"]))]
    shaped["unassessed"] = table.groupby("measure", sort=False)["unassessed"].sum()
    return shaped.rename(index=names).rename_axis(columns=None)
