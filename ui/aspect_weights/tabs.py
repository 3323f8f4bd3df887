"""Closer looks: scatter, leaderboard, zeros, upper bounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.arrays import FloatArray
from evalcore.data import Collection
from evalcore.explain import upper_bounds
from evalcore.figures.endless import score_text
from evalcore.figures.style import Styles
from evalcore.measures import MM
from evalcore.meta import ranks
from ui.address import site
from ui.address.highlight import Highlight
from ui.aspect_weights.controls import MEANS, Weighting, combined, combined_frame
from ui.computing.first import decimals, tables, with_doubt
from ui.computing.tau import intervals
from ui.computing.unassessed import unassessed, unassessed_decimals, with_unassessed
from ui.data import open_collection, pins
from ui.screen.items import Figure, Item, Sentence, Table
from ui.screen.text import markdown, sentence
from ui.shell import live
from ui.stage import show


def details(page: Weighting, part_scores: FloatArray, highlight: Highlight, before: list[pd.Series] | None) -> None:
    """One of four closer looks; only the open one is computed."""
    page.draw("look")
    if page.look == "Scatter":
        draw_scatter(page, part_scores, highlight)
    elif page.look == "Leaderboard":
        leaderboard(page, part_scores, before)
    elif page.look == "Zeros":
        zeros(page, part_scores)
    else:
        bounds(page)


def draw_scatter(page: Weighting, part_scores: FloatArray, highlight: Highlight) -> None:
    """Any two combinations of the same aspect scores against each other."""
    across, up, _ = st.columns([1, 1, 2])
    with across:
        page.draw("across")
    with up:
        page.draw("up")
    styles = open_collection.styles(page.collection)
    live.follow(page, lambda page: scattered(page, part_scores, highlight, styles))
    site.moved(page.named(page.across), page.named(page.up))


def scattered(page: Weighting, part_scores: FloatArray, highlight: Highlight, styles: Styles) -> Iterator[Item]:
    """The scatter and how alike the two rankings are."""
    x, y = (combined(page, name, part_scores) for name in (page.across, page.up))
    across_frame, up_frame = (combined_frame(page, name, part_scores) for name in (page.across, page.up))
    make = partial(
        figures.scatter,
        x,
        {page.up: y},
        styles,
        selected=highlight.systems,
        x_title=figures.plain(page.across),
        y_title=figures.plain(page.up),
        doubt=tables(across_frame, up_frame),
    )
    alt = f"Scatter of {len(x)} systems, {page.across} across and {page.up} up"
    yield Figure(make, "combined", alt, highlight.take)
    ties = ec.ties_in_words("tau_ap", y, x)
    yield Sentence(
        f"Kendall's tau_b of the two rankings: **{score_text(ec.tau(x, y), 3)}**; "
        f"τ_AP with reference {markdown(page.across)}: **{score_text(ec.tau_ap(y, x), 3)}**."
        f"{f' {sentence(markdown(ties))}' if ties else ''}",
        caption=True,
    )
    yield from intervals({"τ": ("tau", up_frame, across_frame), "τ_AP": ("tau_ap", up_frame, across_frame)})


def leaderboard(page: Weighting, part_scores: FloatArray, before: list[pd.Series] | None) -> None:
    means = {name: combined(page, name, part_scores) for name in MEANS}
    table = pd.DataFrame(means)
    for name, part in zip(page.aspects, page.parts, strict=True):
        alone = combined(page, f"{name} alone", part_scores)
        table[str(part)] = alone
        table[f"rank by {name}"] = ranks(alone).astype(int)
    chosen = means[page.mean]
    table.insert(0, "rank", ranks(chosen).astype(int))
    if before:
        table.insert(1, "places won since the pin", pins.rank_changes(chosen, before[0]))
        st.caption(f"Kendall's tau_b with the pinned ranking: **{score_text(ec.tau(chosen, before[0]), 3)}**")
    table = with_doubt(table, combined_frame(page, page.mean, part_scores), after="rank")
    table = with_unassessed(table, unassessed(page.measure, page.collection)).sort_values("rank", kind="stable")
    show.put(Table(table, "leaderboard", height=480, decimals=decimals() | unassessed_decimals(table)))


def zeros(page: Weighting, part_scores: FloatArray) -> None:
    """Where an aspect scores 0: MM is then 0 whatever the others say (Maistro et al. 2021, Problem 1)."""
    rankings = page.collection.rankings
    is_0, mm_is_0 = part_scores == 0, MM.combine(part_scores, page.measure.shares) == 0
    named = {"MM is 0": mm_is_0, **{f"{name} is 0": zero for name, zero in zip(page.aspects, is_0, strict=True)}}
    columns = {name: rankings.topic_means(zero.astype(float)) for name, zero in named.items()}
    table = pd.DataFrame(columns, index=pd.Index(page.collection.systems, name="system", dtype=object))
    counted = rankings.counted()
    share, several = is_0.any(axis=0)[counted].mean(), "" if counted.sum() == 1 else "s"
    st.markdown(
        f"In **{share:.1%}** of {counted.sum():,} ranking{several} some aspect scores 0. The harmonic mean is then "
        "set to 0, whatever the other aspects score; an aspect of weight 0 is left out and does no harm."
    )
    show.put(
        Table(
            table.sort_values("MM is 0", ascending=False), "zeros", decimals=dict.fromkeys(table.columns, 3), height=420
        )
    )


def bounds(page: Weighting) -> None:
    """The best attainable score of each topic, by ideal rankings of several strategies."""
    collection = page.collection
    table = bound_table(collection.fingerprint, str(page.measure), page.aspects, collection)
    best = table.max(axis=1)
    st.markdown(
        f"**{(best > 1 - 1e-9).mean():.0%}** of the topics can reach 1; for **{(best < 0.9).mean():.0%}** even the "
        f"best known ranking stays below 0.9. Lowest: {best.min():.3f} (topic {markdown(best.idxmin())})."
    )
    show.put(Figure(figures.bound_boxes(table, page.mean), "bounds", "Scores of the candidate ideal rankings by topic"))
    st.caption(
        "For each topic all assessed documents are ranked by every order of the aspects, by the sum of the labels, by "
        "the sum of their squares and by the largest label; each box holds the scores of these rankings. A measure "
        "with an ideal ranking of its own would reach 1 everywhere (Maistro et al. 2021, section 4.2)."
    )


@st.cache_data(max_entries=32, show_spinner="Building ideal rankings")
def bound_table(fingerprint: str, measure: str, aspects: tuple[str, ...], _collection: Collection) -> pd.DataFrame:
    return upper_bounds(measure, _collection.assessments, aspects)
