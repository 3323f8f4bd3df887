"""Closer looks: one pair, its ranks and topics, all pairs, and the table of Maistro et al. 2021."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.aspect_correlation import aspect_correlations, measure_correlations
from evalcore.data import Collection
from evalcore.measures import ERR, RBP, TOMA, GainMeasure, P, nDCG, short_names
from evalcore.measures.suggestions import BASES
from evalcore.measures.toma import EQUAL_RANGES
from evalcore.meta import CorrelationMatrix, correlation_matrix, swapped_pairs, winner
from evalcore.reference import maistro2021_table4 as printed
from ui import collections, show
from ui.controls import choose, choose_many
from ui.correlations.setting import DRAWN, RESAMPLES, Setting, cell, number
from ui.embedding_note import OTHER, label_counts
from ui.text import markdown

VIEWS = ("Scatter", "Rank changes", "Topics", "All pairs", "Measures of aspects", "Aspects")
MORE_BASES: dict[str, GainMeasure] = {
    str(one): one for one in (*BASES, nDCG(cutoff=10), P(cutoff=10), RBP(), ERR(cutoff=20))
}
PRINTED = (
    "“printed”: the range over the tracks of Maistro et al. 2021, Table 4, to be read with care: the published code "
    "correlates sorted lists of names, not the rankings."
)


def details(
    collection: Collection,
    scores: dict[str, pd.DataFrame],
    matrix: CorrelationMatrix,
    setting: Setting,
    test: str,
    reference: str,
) -> None:
    """One of six closer looks; only the open one is computed."""
    view = choose("Look closer", "corrview", VIEWS, segmented=True)
    if view == "Scatter":
        draw_pair(collection, scores, matrix, setting, test, reference)
    elif view == "Rank changes":
        rank_changes(collection, scores, test, reference)
    elif view == "Topics":
        topics(scores, setting, test, reference)
    elif view == "All pairs":
        all_pairs(matrix, setting)
    elif view == "Measures of aspects":
        measures_of_aspects(collection)
    else:
        aspects(collection)


def draw_pair(
    collection: Collection,
    scores: dict[str, pd.DataFrame],
    matrix: CorrelationMatrix,
    setting: Setting,
    test: str,
    reference: str,
) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    x, y = scores[reference].mean(), scores[test].mean()
    with left:
        selected = choose_many("Highlight systems", "systems", collection.systems, placeholder="all")
        st.metric(
            setting.correlation.label,
            number(cell(matrix.values, test, reference)),
            help=setting.correlation.description,
        )
        if matrix.intervals:
            low, high = (cell(part, test, reference) for part in (matrix.intervals.low, matrix.intervals.high))
            st.caption(f"95 % interval {number(low)} to {number(high)}")
        swapped = len(swapped_pairs(x, y))
        st.markdown(
            f"First by {markdown(reference)}: **{markdown(winner(x))}**  \nFirst by {markdown(test)}: "
            f"**{markdown(winner(y))}**  \n**{swapped:,}** of {len(x) * (len(x) - 1) // 2:,} pairs of systems swap."
        )
    with right:
        styles = collections.styles(collection)
        figure = figures.scatter(
            x,
            {test: y},
            styles,
            selected=selected,
            x_title=figures.plain(reference),
            y_title=figures.plain(test),
        )
        figure.update_layout(height=400)
        alt = f"Scatter of {len(x)} systems, {reference} across and {test} up; the values are under Rank changes"
        show.figure(figure, "pair", alt, on_select=take_systems)


def take_systems(systems: list[str]) -> None:
    st.session_state["systems"] = systems


def rank_changes(collection: Collection, scores: dict[str, pd.DataFrame], test: str, reference: str) -> None:
    if test == reference:
        st.caption("The two are one measure: nothing moves.")
        return
    means = {name: scores[name].mean() for name in (reference, test)}
    picture, table = st.columns([0.45, 0.55], gap="medium")
    with picture:
        selected = [one for one in st.session_state.get("systems", []) if one in means[test].index]
        columns = {short_names(means)[name]: of for name, of in means.items()}
        figure = figures.bump(columns, collections.styles(collection), selected)
        alt = f"Ranks of all systems under {reference} and {test}; the values are in the table beside it"
        show.figure(figure, "pairbump", alt, on_select=take_systems, modes=("points",))
    with table:
        st.caption(f"x: {markdown(reference)}, y: {markdown(test)}. A positive change is a move up under y.")
        show.table(ec.rank_changes(*means.values()), "rank changes", height=520)


def topics(scores: dict[str, pd.DataFrame], setting: Setting, test: str, reference: str) -> None:
    """The correlation of the pair on each topic."""
    if test == reference:
        st.caption("The two are one measure.")
        return
    both = {name: scores[name] for name in (test, reference)}
    matrix = correlation_matrix(both, setting.correlation, "topics", n_resamples=RESAMPLES)
    values = matrix.of_topics(test, reference)
    assert matrix.intervals
    parts = (matrix.values, matrix.intervals.low, matrix.intervals.high)
    mean, low, high = (cell(part, test, reference) for part in parts)
    label = setting.correlation.label
    lost = int(values.isna().sum())
    without = f" {lost} more {'has' if lost == 1 else 'have'} none: a measure scores all systems alike." if lost else ""
    st.caption(
        f"{markdown(label)} of {markdown(test)} and {markdown(reference)} on {len(values) - lost} topics: mean "
        f"**{number(mean)}**, 95 % interval of the mean {number(low)} to {number(high)}.{without}"
    )
    figure = figures.topic_correlations(values, label, mean, (low, high))
    alt = f"{label} on each of {len(values)} topics; the values are in the table below"
    show.figure(figure, "topics", alt, drawn=DRAWN)
    table = values.rename(label).to_frame().sort_values(label)
    show.table(table, "topics", decimals={label: 3}, height=300)


def all_pairs(matrix: CorrelationMatrix, setting: Setting) -> None:
    names = short_names(matrix.measures)
    table = matrix.pairs().sort_values(setting.correlation.name)
    st.caption(f"{markdown(setting.correlation.label)} of every two measures, least alike first.")
    shown = table.assign(test=table["test"].map(names), reference=table["reference"].map(names))
    decimals = dict.fromkeys(table.columns, 3)
    drawn = DRAWN if matrix.intervals else {}
    show.table(shown, "pairs", index=False, decimals=decimals, height=380, download=table, drawn=drawn)
    st.caption("The same as a matrix: rows the test, columns the reference. Files have the measures' whole texts.")
    square = matrix.values.rename(index=names, columns=names)
    show.table(square, "matrix", decimals=dict.fromkeys(square.columns, 3), download=matrix.values.reset_index())


def bases_and_aspects(collection: Collection) -> tuple[list[GainMeasure], list[str]]:
    left, right = st.columns(2)
    with left:
        offered = list(MORE_BASES)
        picked = choose_many("Instantiated with", "bases", offered, placeholder=", ".join(map(str, BASES)))
    with right:
        names = list(collection.aspects)
        shown = choose_many("Aspects", "aspects", names, placeholder="all graded ones")
    return [MORE_BASES[name] for name in picked] or list(BASES), shown


def measures_of_aspects(collection: Collection) -> None:
    """Table 4 of Maistro et al. 2021, first block."""
    caption = (
        "Kendall's tau_b on each topic, averaged over the topics that have one (their number stands beside it). "
        "EUCL, MANH, CHEB: TOMA by distance; for a base that knows only yes and no, every class but the worst is yes. "
        "Where scales differ in length, the paper's TOMA is that by equal steps."
    )
    embedding = EQUAL_RANGES
    if len(set(label_counts(collection, collection.aspects).values())) > 1:
        help = TOMA.parameters()["embedding"].metadata["help"]
        embedding = choose("TOMA by", "tomaby", list(OTHER), segmented=True, help=help)
    correlations = partial(measure_correlations, embedding=embedding)
    aspect_table(collection, correlations, printed.printed_measures, "measures of aspects", caption)


def aspects(collection: Collection) -> None:
    """Table 4 of Maistro et al. 2021, second block: each aspect by itself."""
    caption = (
        "Each measure reads one aspect alone. Low values: ranking systems by one aspect says little about the other, "
        "so it matters that both are measured."
    )
    aspect_table(collection, aspect_correlations, printed.printed_aspects, "aspects", caption)


def aspect_table(
    collection: Collection,
    correlations: Callable[[Collection, list[str], list[GainMeasure]], pd.DataFrame],
    of: Callable[[str], pd.DataFrame],
    name: str,
    caption: str,
) -> None:
    """A block of Table 4 for the bases and aspects chosen here, beside what is printed."""
    bases, names = bases_and_aspects(collection)
    with show.errors():
        table = correlations(collection, names, bases)
        decimals = dict.fromkeys(table.columns, 3)
        show.table(beside_printed(table, of), name, decimals=decimals, download=table.reset_index())
        st.caption(f"{caption} {PRINTED}")


def beside_printed(table: pd.DataFrame, of: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """The table with the range that the paper prints for the same pair."""
    shown = table.copy()
    for base, name in (("nDCG", "NDCG"), ("AP", "AP")):
        if base in table:
            rows = of(name).rename(index=str.lower).T
            shown[f"{base} printed"] = [
                span(rows[pair.lower()]) if pair.lower() in rows else "" for pair in table.index
            ]
    return shown


def span(values: pd.Series) -> str:
    known = values.dropna()
    return f"{known.min():.2f} to {known.max():.2f}"
