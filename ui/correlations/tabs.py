"""Closer looks: one pair, its ranks and topics, all pairs, and the table of Maistro et al. 2021."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import GainMeasure, short_names
from evalcore.measures.toma import EQUAL_RANGES
from evalcore.meta import CorrelationMatrix, correlation_matrix, swapped_pairs
from evalcore.papers import maistro2021_table4 as printed
from evalcore.papers.aspect_correlation import aspect_correlations, measure_correlations
from ui.address import site
from ui.address.highlight import Highlight
from ui.computing.first import first_of, tables
from ui.computing.tau import RESAMPLES
from ui.correlations.controls import DRAWN, Comparison, cell, number
from ui.data import open_collection
from ui.screen.items import At, Figure, Headline, Item, Metric, Table, Text
from ui.screen.text import counted, markdown, sentence
from ui.shell import live
from ui.stage import show

PRINTED = (
    "“printed”: the range over the tracks of Maistro et al. 2021, Table 4, to be read with care: the published code "
    "correlates sorted lists of names, not the rankings."
)


MatrixOf = Callable[[Comparison], CorrelationMatrix]


def details(page: Comparison, matrix_of: MatrixOf, highlight: Highlight) -> None:
    """One of six closer looks; only the open one is computed."""
    page.draw("look")
    if page.look == "Scatter":
        draw_pair(page, matrix_of, highlight)
    elif page.look == "Rank changes":
        rank_changes(page, highlight)
    elif page.look == "Topics":
        topics(page)
    elif page.look == "All pairs":
        all_pairs(matrix_of(page), page)
    elif page.look == "Measures of aspects":
        measures_of_aspects(page)
    else:
        aspects(page)


def draw_pair(page: Comparison, matrix_of: MatrixOf, highlight: Highlight) -> None:
    styles, (left, right) = open_collection.styles(page.collection), st.columns([0.3, 0.7], gap="medium")
    with left:
        highlight.draw("systems")
    places = {"numbers": left, "systems": right}
    live.follow(page, lambda one: pair_content(one, matrix_of(one), highlight, styles), "at", places=places)
    test, reference = page.pair
    if {test, reference} <= set(page.varied.values()):  # not scores of other tools
        with right:
            site.moved(reference, test)


def pair_content(
    page: Comparison,
    matrix: CorrelationMatrix,
    highlight: Highlight,
    styles: Styles,
) -> Iterator[Item]:
    """The numbers of the pair, and the systems by both measures."""
    test, reference = page.pair
    x, y = page.scores[reference].mean(), page.scores[test].mean()
    yield At("numbers", tuple(numbers_of_pair(page, matrix, x, y)))
    make = partial(
        figures.scatter,
        x,
        {test: y},
        styles,
        selected=highlight.systems,
        x_title=figures.plain(reference),
        y_title=figures.plain(test),
        doubt=tables(page.scores[reference], page.scores[test]),
    )
    alt = f"Scatter of {len(x)} systems, {reference} across and {test} up; the values are under Rank changes"
    yield At("systems", (Figure(make, "pair", alt, highlight.take, layout={"height": 400}),))


def numbers_of_pair(page: Comparison, matrix: CorrelationMatrix, x: pd.Series, y: pd.Series) -> Iterator[Item]:
    """The correlation of the pair, the winners, and how many pairs of systems swap."""
    test, reference = page.pair
    yield Metric(page.kind.label, number(cell(matrix.values, test, reference)), help=page.kind.description)
    if matrix.intervals:
        yield Text(interval_text(matrix, test, reference), "note")
    swapped = len(swapped_pairs(x, y))
    yield Headline(
        f"First by {markdown(reference)}: {first_of(page.scores[reference])}  \n"
        f"First by {markdown(test)}: {first_of(page.scores[test])}  \n"
        f"**{swapped:,}** of {counted(len(x) * (len(x) - 1) // 2, 'pair')} of systems swap{'s' * (swapped == 1)}."
    )
    ties = ec.ties_in_words(page.kind, x, y) if page.over == "means" else ""
    if ties:
        yield Text(sentence(markdown(ties)), "note")


def interval_text(matrix: CorrelationMatrix, test: str, reference: str, of: str = "") -> str:
    """The interval of a pair in words, or why there is none."""
    assert matrix.intervals
    parts = (matrix.intervals.low, matrix.intervals.high)
    low, high = (cell(part, test, reference) for part in parts)
    why = str(matrix.intervals.why.loc[test, reference])
    return f"no 95% interval{of}: {why}" if why else f"95% interval{of} {number(low)} to {number(high)}"


def rank_changes(page: Comparison, highlight: Highlight) -> None:
    test, reference = page.pair
    if test == reference:
        st.caption("The two are one measure: nothing moves.")
        return
    means = {name: page.scores[name].mean() for name in (reference, test)}
    picture, table = st.columns([0.45, 0.55], gap="medium")
    with picture:
        selected = [one for one in highlight.systems if one in page.systems]
        columns = {short_names(means)[name]: of for name, of in means.items()}
        doubt = tables(*(page.scores[name] for name in means))
        make = partial(figures.bump, columns, open_collection.styles(page.collection), selected, doubt)
        alt = f"Ranks of all systems under {reference} and {test}; the values are in the table beside it"
        show.put(Figure(make, "pairbump", alt, on_select=highlight.take, modes=("points",)))
    with table:
        st.caption(f"x: {markdown(reference)}, y: {markdown(test)}. A positive change is a move up under y.")
        show.put(Table(ec.rank_changes(*means.values()), "rank changes", height=520))


def topics(page: Comparison) -> None:
    """The correlation of the pair on each topic."""
    test, reference = page.pair
    if test == reference:
        st.caption("The two are one measure.")
        return
    both = {name: page.scores[name] for name in (test, reference)}
    matrix = correlation_matrix(both, page.kind, "topics", n_resamples=RESAMPLES)
    values = matrix.of_topics(test, reference)
    assert matrix.intervals
    parts = (matrix.values, matrix.intervals.low, matrix.intervals.high)
    mean, low, high = (cell(part, test, reference) for part in parts)
    label = page.kind.label
    lost = int(values.isna().sum())
    without = f" {lost} more {'has' if lost == 1 else 'have'} none: a measure scores all systems alike." if lost else ""
    known = len(values) - lost
    on = counted(known, "topic")
    interval = f", {interval_text(matrix, test, reference, ' of the mean')}" if known > 1 else ""
    st.caption(
        f"{markdown(label)} of {markdown(test)} and {markdown(reference)} on {on}: mean "
        f"**{number(mean)}**{interval}.{without}"
    )
    figure = figures.topic_correlations(values, label, mean, (low, high) if known > 1 else None)
    alt = f"{label} on each of {len(values)} topics; the values are in the table below"
    show.put(Figure(figure, "topics", alt))
    table = values.rename(label).to_frame().sort_values(label)
    show.put(Table(table, "topics", decimals={label: 3}, height=300))


def all_pairs(matrix: CorrelationMatrix, page: Comparison) -> None:
    names = short_names(matrix.measures)
    table = matrix.pairs().sort_values(page.correlation)
    st.caption(f"{markdown(page.kind.label)} of every two measures, least alike first.")
    shown = table.assign(test=table["test"].map(names), reference=table["reference"].map(names))
    decimals = dict.fromkeys(table.columns, 3)
    drawn = DRAWN if matrix.intervals else {}
    show.put(Table(shown, "pairs", index=False, decimals=decimals, height=380, download=table, drawn=drawn))
    st.caption("The same as a matrix: rows the test, columns the reference. Files have the measures' whole texts.")
    square = matrix.values.rename(index=names, columns=names)
    show.put(Table(square, "matrix", decimals=dict.fromkeys(square.columns, 3), download=matrix.values.reset_index()))


def measures_of_aspects(page: Comparison) -> None:
    """Table 4 of Maistro et al. 2021, first block."""
    caption = (
        "Kendall's tau_b on each topic, averaged over the topics that have one (their number stands beside it). "
        "EUCL, MANH, CHEB: TOMA by distance; for a base that knows only yes and no, every class but the worst is yes. "
        "Where scales differ in length, the paper's TOMA is that by equal steps."
    )
    correlations = partial(measure_correlations, embedding=page.embedding or EQUAL_RANGES)
    page.draw("embedding")
    aspect_table(page, correlations, printed.printed_measures, "measures of aspects", caption)


def aspects(page: Comparison) -> None:
    """Table 4 of Maistro et al. 2021, second block: each aspect by itself."""
    caption = (
        "Each measure reads one aspect alone. Low values: ranking systems by one aspect says little about the other, "
        "so it matters that both are measured."
    )
    aspect_table(page, aspect_correlations, printed.printed_aspects, "aspects", caption)


def aspect_table(
    page: Comparison,
    correlations: Callable[[Collection, list[str], list[GainMeasure]], pd.DataFrame],
    of: Callable[[str], pd.DataFrame],
    name: str,
    caption: str,
) -> None:
    """A block of Table 4 for the bases and aspects chosen here, beside what is printed."""
    for place, name in zip(st.columns(2), ("bases", "aspects"), strict=True):
        with place:
            page.draw(name)
    with show.errors():
        table = correlations(page.collection, list(page.aspects), [one_aspect(text) for text in page.bases])
        decimals = dict.fromkeys(table.columns, 3)
        show.put(Table(beside_printed(table, of), name, decimals=decimals, download=table.reset_index()))
        st.caption(f"{caption} {PRINTED}")


def one_aspect(text: str) -> GainMeasure:
    """A measure that reads one aspect. Raises InputError for others."""
    measure = ec.parse(text)
    if not isinstance(measure, GainMeasure) or "aspect" not in measure.parameters():
        raise InputError("expected a measure of one aspect, such as nDCG@10", text)
    return measure


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
