"""Closer looks: one pair, its ranks and topics, all pairs, and the table of Maistro et al. 2021."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.explain.aspect_correlation import aspect_correlations, measure_correlations
from evalcore.figures.style import SystemStyle
from evalcore.measures import GainMeasure, short_names
from evalcore.meta import CorrelationMatrix
from evalcore.meta.tied_rankings import TIE_AWARE
from evalcore.teaching.papers import maistro2021_table4 as printed
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.computing.doubt import RESAMPLES, doubt_of, first_calls, firsts
from ui.computing.measures import averaged
from ui.correlations.controls import DRAWN, Comparison, number
from ui.screen.calls import Call, call, line, record
from ui.screen.items import At, Columns, Figure, Headline, Item, Metric, Table, Text
from ui.screen.text import counted, markdown, measure_name, sentence
from ui.shell import live
from ui.stage import show

PRINTED = (
    "“printed”: the range over the tracks of Maistro et al. 2021, Table 4, to be read with care: the published code "
    "correlates sorted lists of names, not the rankings."
)
OF_MEASURES = (
    "Kendall's tau_b on each topic, averaged over the topics that have one (their number stands beside it). "
    "EUCL, MANH, CHEB: TOMA by distance; for a base that knows only yes and no, every class but the worst is yes. "
    "Where scales differ in length, the paper's TOMA is that by equal steps."
)
OF_ASPECTS = (
    "Each measure reads one aspect alone. Low values: ranking systems by one aspect says little about the other, "
    "so it matters that both are measured."
)

Matrix = Call[CorrelationMatrix]


def details(page: Comparison, matrix_of: Callable[[Comparison], Matrix], highlight: Highlight) -> None:
    """One of six closer looks; only the open one is computed."""
    page.draw("look")
    if page.look == "Scatter":
        scatter(page, matrix_of, highlight)
    elif page.look == "Rank changes":
        show.screen(rank_changes(page, highlight))
    elif page.look == "Topics":
        show.screen(topics(page))
    elif page.look == "All pairs":
        show.screen(all_pairs(page, matrix_of(page)))
    else:
        of_aspects(page)


def scatter(page: Comparison, matrix_of: Callable[[Comparison], Matrix], highlight: Highlight) -> None:
    """The pair, which follows the number that moves."""
    left, right = st.columns([0.3, 0.7], gap="medium")
    styles = families.styles_call(page.collection)
    with left:
        highlight.draw("systems")
    containers = {"numbers": left, "systems": right}
    live.follow(page, lambda there: pair(there, matrix_of(there), highlight, styles), "at", places=containers)
    test, reference = page.pair
    if {test, reference} <= set(page.varied.values()):  # not scores of other tools
        with right:
            site.moved(reference, test)


def pair(
    page: Comparison, matrix: Matrix, highlight: Highlight, styles: Call[dict[str, SystemStyle]]
) -> Iterator[Item]:
    """The numbers of the pair, and the systems by both measures."""
    yield At("numbers", tuple(numbers_of_pair(page, matrix)))
    (test, reference), (y, x) = page.pair, map(page.of, page.pair)
    x_title, y_title = figures.measure_title(reference), figures.measure_title(test)
    doubt = doubt_of(x, y)
    of, known = (x.it.mean(), {test: y.it.mean()}, styles.it), doubt.it if doubt else ()
    figure = call("", figures.scatter, *of, doubt=known, x_title=x_title, y_title=y_title).here(
        selected=highlight.systems
    )
    count = len(page.systems)
    alt = f"Scatter of {count} systems, {reference} across and {test} up; the values are under Rank changes"
    yield At("systems", (Figure(figure, "pair", alt, highlight.take, layout={"height": 400}),))


def numbers_of_pair(page: Comparison, matrix: Matrix) -> Iterator[Item]:
    """The correlation of the pair, the winners, and how many pairs of systems swap."""
    value, (y, x) = page.value(matrix), map(page.of, page.pair)
    yield Metric(page.kind.label, number(value.value), help=page.kind.description, calls=(value,))
    if matrix.value.intervals:
        yield Text.note(interval_text(page, matrix), calls=page.bounds(matrix))
    swapped = call("swapped", ec.meta.swapped_pairs, averaged(x).it, averaged(y).it)
    count, n_pairs = call("n_swapped", len, swapped.it), len(page.systems) * (len(page.systems) - 1)
    lines = firsts({measure_name(text): page.scores[text] for text in reversed(page.pair)})
    swap = f"**{count.value:,}** of {counted(n_pairs // 2, 'pair')} of systems swap{'s' * (count.value == 1)}."
    yield Headline("\n\n".join((swap, "  \n".join(lines))), (*first_calls(x, y), count))
    if page.over == "means" and page.correlation in TIE_AWARE:
        ties = call("ties", ec.ties_in_words, page.correlation, averaged(x).it, averaged(y).it)
        with_itself = [record(getattr(ec, page.correlation))(side, side) for side in (averaged(x).it, averaged(y).it)]
        if ties.value:
            yield Text.note(sentence(markdown(ties.value)), calls=(ties, line("with_itself", with_itself)))


def interval_text(page: Comparison, matrix: Matrix, of: str = "") -> str:
    """The interval of the pair in words, or why there is none."""
    low, high, why = (bound.value for bound in page.bounds(matrix))
    return f"no 95% interval{of}: {why}" if why else f"95% interval{of} {number(low)} to {number(high)}"


def rank_changes(page: Comparison, highlight: Highlight) -> Iterator[Item]:
    """How each system moves between the two measures."""
    (test, reference), (y, x) = page.pair, map(page.of, page.pair)
    if test == reference:
        yield Text.note("The two are one measure: nothing moves.")
        return
    short, doubt = short_names(page.pair), doubt_of(x, y)
    means = {short[reference]: averaged(x).it, short[test]: averaged(y).it}
    selected = [system for system in highlight.systems if system in page.systems]
    own, known = families.styles_of(page.collection), doubt.it if doubt else ()
    figure = call("", figures.bump, means, styles=own, doubt=known).here(selected=selected)
    alt = f"Ranks of all systems under {reference} and {test}; the values are in the table beside it"
    picture = Figure(figure, "pairbump", alt, highlight.take, ("points",))
    words = f"x: {markdown(reference)}, y: {markdown(test)}. A positive change is a move up under y."
    table = Table(call("changes", ec.rank_changes, averaged(x).it, averaged(y).it), "rank changes", height=520)
    yield Columns(((picture,), (Text.note(words), table)), (0.45, 0.55), "medium")


def topics(page: Comparison) -> Iterator[Item]:
    """The correlation of the pair on each topic."""
    test, reference = page.pair
    if test == reference:
        yield Text.note("The two are one measure.")
        return
    both = line("both", {text: page.of(text).it for text in page.pair})
    matrix = call("by_topic", ec.correlation_matrix, both.it, page.correlation, "topics", n_resamples=RESAMPLES)
    values = line("values", matrix.it.of_topics(test, reference))
    at_pair: Any = matrix.it.values.loc[page.pair]
    mean, label, known = line("mean", at_pair), page.kind.label, int(values.value.notna().sum())
    lost = len(values.value) - known
    without = f" {lost} more {'has' if lost == 1 else 'have'} none: a measure scores all systems alike." if lost else ""
    interval = f", {interval_text(page, matrix, ' of the mean')}" if known > 1 else ""
    words = (
        f"{markdown(label)} of {markdown(test)} and {markdown(reference)} on {counted(known, 'topic')}: mean "
        f"**{number(mean.value)}**{interval}.{without}"
    )
    ends = dict(zip(("low", "high"), page.bounds(matrix), strict=False)) if known > 1 else {}
    yield Text.note(words, calls=(mean, *ends.values()))
    interval_ends = ((ends["low"].it, ends["high"].it),) if ends else ()
    figure = call("", figures.topic_correlations, values.it, label, mean.it, *interval_ends)
    alt = f"{label} on each of {len(values.value)} topics; the values are in the table below"
    yield Figure(figure, "topics", alt)
    table = values.value.rename(label).to_frame().sort_values(label)
    yield Table(table, "topics", {label: 3}, height=300, calls=(values,))


def all_pairs(page: Comparison, matrix: Matrix) -> Iterator[Item]:
    """Every two measures, as a list and as a matrix."""
    names, pairs = short_names(matrix.value.measures), line("all_pairs", matrix.it.pairs())
    table = pairs.value.sort_values(page.correlation)
    yield Text.note(f"{markdown(page.kind.label)} of every two measures, least alike first.")
    shown = table.assign(test=table["test"].map(names), reference=table["reference"].map(names))
    options: dict[str, Any] = {"height": 380, "download": table, "drawn": DRAWN if page.intervals else {}}
    yield Table(shown, "pairs", dict.fromkeys(table.columns, 3), index=False, calls=(pairs,), **options)
    words = "The same as a matrix: rows the test, columns the reference. Files have the measures' whole texts."
    yield Text.note(words)
    values = line("values", matrix.it.values)
    square, whole = values.value.rename(index=names, columns=names), values.value.reset_index()
    yield Table(square, "matrix", dict.fromkeys(square.columns, 3), download=whole, calls=(values,))


def of_aspects(page: Comparison) -> None:
    """A block of Table 4 of Maistro et al. 2021."""
    if page.look == "Measures of aspects":
        page.draw("embedding")
    page.draw_in_row("bases", "aspects")
    screens = {"Measures of aspects": measures_of_aspects, "Aspects": aspects}
    with show.errors():
        show.screen(screens[page.look](page))


def measures_of_aspects(page: Comparison) -> Iterator[Item]:
    """The first block of the table."""
    options = {"embedding": page.embedding} if page.embedding else {}
    table = of_bases(page, measure_correlations, **options)
    yield from beside_printed(table, printed.printed_measures, "measures of aspects", OF_MEASURES)


def aspects(page: Comparison) -> Iterator[Item]:
    """The second block: each aspect by itself."""
    yield from beside_printed(of_bases(page, aspect_correlations), printed.printed_aspects, "aspects", OF_ASPECTS)


def of_bases(page: Comparison, function: Callable[..., Any], name: str = "table", **options: str) -> Call[Any]:
    """What a function makes of the bases and aspects that are chosen."""
    for text in page.bases:
        refuse_several(text)
    bases = line("bases", [record(ec.parse)(text) for text in page.bases])
    return call(name, function, page.collection, list(page.aspects), bases.it, **options)


def refuse_several(text: str) -> None:
    """Raises InputError for a measure that does not read one aspect."""
    measure = ec.parse(text)
    if not isinstance(measure, GainMeasure) or "aspect" not in measure.parameters():
        raise InputError("expected a measure of one aspect, such as nDCG@10", text)


def beside_printed(
    table: Call[pd.DataFrame], rows: Callable[[str], pd.DataFrame], name: str, caption: str
) -> Iterator[Item]:
    """The table beside what is printed, and what it is."""
    function, decimals = printed.beside_printed, dict.fromkeys(table.value.columns, 3)
    beside = call("beside", function, table.it, rows)
    yield Table(beside, name, decimals, download=table.value.reset_index())
    yield Text.note(f"{caption} {PRINTED}")
