"""Parts below the matrix: one pair and its ranks, all pairs, and the table of Maistro et al. 2021."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError, figures
from evalcore.explain.aspect_correlation import aspect_correlations, measure_correlations
from evalcore.figures.style import SystemStyle
from evalcore.measures import GainMeasure, short_names
from evalcore.meta import CorrelationMatrix
from evalcore.meta.correlation import TIE_AWARE
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.computing.doubt import doubt_of, first_calls, firsts
from ui.computing.measures import averaged
from ui.correlations import texts
from ui.correlations.correlation_settings import DRAWN, PAIR, Comparison, number, several_aspects
from ui.screen.calls import Call, call, line, record
from ui.screen.items import At, Figure, Headline, Item, Metric, Table, Text
from ui.screen.text import markdown, measure_name, sentence
from ui.shell import live
from ui.stage import show

Matrix = Call[CorrelationMatrix]


def below(page: Comparison, matrix_of: Callable[[Comparison], Matrix], highlight: Highlight) -> None:
    """Draw the section selected below the matrix: one pair of measures, or Table 4 of Maistro et al. 2021."""
    if several_aspects(page.collection):
        page.draw("look")
    if page.look == PAIR:
        the_pair(page, matrix_of, highlight)
    else:
        of_aspects(page)


def the_pair(page: Comparison, matrix_of: Callable[[Comparison], Matrix], highlight: Highlight) -> None:
    """Draw the scatter and ranks of the pair, which follow the moving parameter, and a link to the page Who moved."""
    test, reference = page.pair
    left, middle, right = st.columns([0.24, 0.42, 0.34], gap="medium")
    styles = families.styles_call(page.collection)
    with left:
        highlight.draw("systems")
        if test != reference:
            site.moved(reference, test)
    containers = {"numbers": left, "systems": middle, "ranks": right}
    take = partial(open_system, page)

    def draw(there: Comparison) -> Iterator[Item]:
        yield from pair(there, matrix_of(there), highlight, styles)
        if test != reference:
            yield At("ranks", (rank_changes(there, highlight, styles, take),))

    live.follow(page, draw, "at", places=containers)


def open_system(page: Comparison, clicked: list[str]) -> None:
    """Open the page Who moved at a clicked system, which shows the topics that moved it."""
    if clicked:
        test, reference = page.pair
        site.go("moved", x=reference, y=test, system=clicked[0])


def pair(
    page: Comparison, matrix: Matrix, highlight: Highlight, styles: Call[dict[str, SystemStyle]]
) -> Iterator[Item]:
    """Yield the numbers of the pair, and the scatter of the systems under both measures."""
    yield At("numbers", tuple(numbers_of_pair(page, matrix)))
    (test, reference), (y, x) = page.pair, map(page.of, page.pair)
    x_title, y_title = figures.measure_title(reference), figures.measure_title(test)
    doubt = doubt_of(x, y)
    of, known = (x.it.mean(), {test: y.it.mean()}, styles.it), doubt.it if doubt else ()
    figure = call("", figures.scatter, *of, doubt=known, x_title=x_title, y_title=y_title)
    figure = figure.here(selected=highlight.systems)
    alt = texts.scatter(len(page.systems), test, reference)
    yield At("systems", (Figure(figure, "pair", alt, highlight.take, layout={"height": 400}),))


def numbers_of_pair(page: Comparison, matrix: Matrix) -> Iterator[Item]:
    """Yield the correlation of the pair, the winners, and the number of swapped pairs of systems."""
    value, (y, x) = page.value(matrix), map(page.of, page.pair)
    yield Metric(page.kind.label, number(value.value), help=page.kind.description, calls=(value,))
    if matrix.value.intervals:
        yield Text.note(interval_text(page, matrix), calls=page.bounds(matrix))
    swapped = call("swapped", ec.meta.swapped_pairs, averaged(x).it, averaged(y).it)
    count = call("n_swapped", len, swapped.it)
    lines = firsts({measure_name(text): page.scores[text] for text in reversed(page.pair)})
    swap = texts.swap(count.value, len(page.systems))
    yield Headline("\n\n".join((swap, "  \n".join(lines))), (*first_calls(x, y), count))
    if page.over == "means" and page.correlation in TIE_AWARE:
        ties = call("ties", ec.ties_in_words, page.correlation, averaged(x).it, averaged(y).it)
        with_itself = [record(getattr(ec, page.correlation))(side, side) for side in (averaged(x).it, averaged(y).it)]
        if ties.value:
            yield Text.note(sentence(markdown(ties.value)), calls=(ties, line("with_itself", with_itself)))


def interval_text(page: Comparison, matrix: Matrix, of: str = "") -> str:
    """Return the pair's interval in words, or the reason why there is none."""
    low, high, why = (bound.value for bound in page.bounds(matrix))
    return f"no 95% interval{of}: {why}" if why else f"95% interval{of} {number(low)} to {number(high)}"


def rank_changes(
    page: Comparison, highlight: Highlight, styles: Call[dict[str, SystemStyle]], take: Callable[[list[str]], None]
) -> Figure:
    """Return the figure of each system's ranks under the two measures."""
    (test, reference), (y, x) = page.pair, map(page.of, page.pair)
    short, doubt = short_names(page.pair), doubt_of(x, y)
    means = {short[reference]: averaged(x).it, short[test]: averaged(y).it}
    selected = [system for system in highlight.systems if system in page.systems]
    made = call("", figures.bump, means, styles=styles.it, doubt=doubt.it if doubt else ())
    return Figure(made.here(selected=selected), "pairbump", texts.ranks(test, reference), take, ("points",))


def all_pairs(page: Comparison, matrix: Matrix) -> Iterator[Item]:
    """Yield the table of all pairs of measures, the least similar first."""
    names, pairs = short_names(matrix.value.measures), line("all_pairs", matrix.it.pairs())
    table = pairs.value.sort_values(page.correlation)
    yield Text.note(texts.all_pairs(page.kind.label))
    shown = table.assign(test=table["test"].map(names), reference=table["reference"].map(names))
    options: dict[str, Any] = {"height": 380, "download": table, "drawn": DRAWN if page.intervals else {}}
    yield Table(shown, "pairs", dict.fromkeys(table.columns, 3), index=False, calls=(pairs,), **options)


def of_aspects(page: Comparison) -> None:
    """Draw Table 4 of Maistro et al. 2021: correlations of measures of several aspects, then of the single aspects."""
    page.draw("embedding")
    page.draw_in_row("bases", "aspects")
    with show.errors():
        options = {"embedding": page.embedding} if page.embedding else {}
        measures, aspects = of_bases(page, measure_correlations, **options), of_bases(page, aspect_correlations)
        show.screen(correlations(measures, "measures of aspects", texts.OF_MEASURES))
        show.screen(correlations(aspects, "aspects", texts.OF_ASPECTS))


def of_bases(page: Comparison, function: Callable[..., Any], name: str = "table", **options: str) -> Call[Any]:
    """Return the call of `function` with the chosen base measures and aspects.

    Raises InputError unless every base reads one aspect.
    """
    for text in page.bases:
        refuse_several(text)
    bases = line("bases", [record(ec.parse)(text) for text in page.bases])
    return call(name, function, page.collection, list(page.aspects), bases.it, **options)


def refuse_several(text: str) -> None:
    """Raise InputError unless the measure reads exactly one aspect."""
    measure = ec.parse(text)
    if not isinstance(measure, GainMeasure) or "aspect" not in measure.parameters():
        raise InputError(texts.ONE_ASPECT, text)


def correlations(table: Call[pd.DataFrame], name: str, caption: str) -> Iterator[Item]:
    """Yield a table of correlations and its caption."""
    decimals = dict.fromkeys(table.value.columns, 3)
    yield Table(table.value, name, decimals, download=table.value.reset_index(), calls=(table,))
    yield Text.note(caption)
