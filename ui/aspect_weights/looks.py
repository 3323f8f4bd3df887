"""Closer looks: scatter, leaderboard, zeros, upper bounds."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.data.structures import Floats
from evalcore.measures import Aggregate, upper_bounds
from evalcore.meta import ranks
from ui import collections, pins, show
from ui.aspect_weights.controls import MEANS, combined
from ui.controls import choose
from ui.text import markdown

VIEWS = ("Scatter", "Leaderboard", "Zeros", "Upper bounds")


def details(
    collection: Collection,
    measure: Aggregate,
    aspects: list[str],
    part_scores: Floats,
    selected: list[str],
    before: list[pd.Series] | None,
) -> None:
    """One of four closer looks; only the open one is computed."""
    view = choose("Look closer", "view2", VIEWS, segmented=True)
    if view == "Scatter":
        draw_scatter(collection, measure, aspects, part_scores, selected)
    elif view == "Leaderboard":
        leaderboard(collection, measure, aspects, part_scores, before)
    elif view == "Zeros":
        zeros(collection, aspects, part_scores)
    else:
        bounds(collection, measure, aspects)


def draw_scatter(
    collection: Collection, measure: Aggregate, aspects: list[str], part_scores: Floats, selected: list[str]
) -> None:
    """Any two combinations of the same aspect scores against each other."""
    options = [*MEANS, *(f"{name} alone" for name in aspects)]
    across, up, _ = st.columns([1, 1, 2])
    with across:
        x_name = choose("Across", "x", options, "CAM")
    with up:
        y_name = choose("Up", "y", options, "MM")
    x, y = (combined(collection, measure, name, aspects, part_scores) for name in (x_name, y_name))
    figure = figures.scatter(
        x, {y_name: y}, collections.styles(collection), selected=selected, x_title=x_name, y_title=y_name
    )
    show.figure(figure, "combined", f"Scatter of {len(x)} systems, {x_name} across and {y_name} up")
    st.caption(
        f"Kendall's tau_b of the two rankings: **{ec.tau(x, y):.3f}**; "
        f"τ_AP with reference {markdown(x_name)}: **{ec.tau_ap(y, x):.3f}**."
    )


def leaderboard(
    collection: Collection,
    measure: Aggregate,
    aspects: list[str],
    part_scores: Floats,
    before: list[pd.Series] | None,
) -> None:
    means = {name: combined(collection, measure, name, aspects, part_scores) for name in MEANS}
    table = pd.DataFrame(means)
    for at, name in enumerate(aspects):
        alone = combined(collection, measure, f"{name} alone", aspects, part_scores)
        table[f"{measure.parts[at]}"] = alone
        table[f"rank by {name}"] = ranks(alone).astype(int)
    chosen = means[type(measure).__name__]
    table.insert(0, "rank", ranks(chosen).astype(int))
    if before:
        table.insert(1, "places won since the pin", pins.rank_changes(chosen, before[0]))
        st.caption(f"Kendall's tau_b with the pinned ranking: **{ec.tau(chosen, before[0]):.3f}**")
    show.table(table.sort_values("rank", kind="stable"), "leaderboard", height=480)


def zeros(collection: Collection, aspects: list[str], part_scores: Floats) -> None:
    """Where an aspect scores 0: MM is then 0 whatever the others say (Maistro et al. 2021, Problem 1)."""
    is_0, mean = part_scores == 0, collection.rankings.topic_means
    columns = {f"{name} is 0": mean(zero.astype(float)) for name, zero in zip(aspects, is_0, strict=True)}
    table = pd.DataFrame(columns, index=pd.Index(collection.systems, name="system", dtype=object))
    table.insert(0, "MM is 0", mean(is_0.any(axis=0).astype(float)))
    counted = collection.rankings.counted()
    share = is_0.any(axis=0)[counted].mean()
    st.markdown(
        f"In **{share:.1%}** of all {counted.sum():,} rankings some aspect scores 0. The harmonic mean is then "
        "set to 0, and the other aspects go unseen; an aspect of weight 0 is left out and does no harm."
    )
    show.table(
        table.sort_values("MM is 0", ascending=False), "zeros", decimals=dict.fromkeys(table.columns, 3), height=420
    )


def bounds(collection: Collection, measure: Aggregate, aspects: list[str]) -> None:
    """The best attainable score of each topic, by ideal rankings of several strategies."""
    table = bound_table(collection.fingerprint, str(measure), tuple(aspects), collection)
    best = table.max(axis=1)
    st.markdown(
        f"**{(best > 1 - 1e-9).mean():.0%}** of the topics can reach 1; for **{(best < 0.9).mean():.0%}** even the "
        f"best known ranking stays below 0.9. Lowest: {best.min():.3f} (topic {markdown(best.idxmin())})."
    )
    show.figure(
        figures.bound_boxes(table, type(measure).__name__), "bounds", "Scores of the candidate ideal rankings by topic"
    )
    st.caption(
        "For each topic all assessed documents are ranked by every order of the aspects, by the sum of the labels, by "
        "the sum of their squares and by the largest label; each box holds the scores of these rankings. A measure "
        "with an ideal ranking of its own would reach 1 everywhere (Maistro et al. 2021, section 4.2)."
    )


@st.cache_data(max_entries=32, show_spinner="Building ideal rankings")
def bound_table(fingerprint: str, measure: str, aspects: tuple[str, ...], _collection: Collection) -> pd.DataFrame:
    return upper_bounds(measure, _collection.assessments, aspects)
