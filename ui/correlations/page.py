"""The page Correlations: how far each pair of measures agrees about the systems, and why."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import chain

import numpy as np
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.measures import short_names
from evalcore.meta import CorrelationMatrix, equivalent_groups
from ui.address import site
from ui.address.families import plotted_plain
from ui.address.highlight import Highlight
from ui.correlations import texts
from ui.correlations.correlation_settings import NOTHING, Comparison, kept_matrix
from ui.correlations.pairs_and_tables import all_pairs, below
from ui.data import open_collection
from ui.data.compared import compared
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Headline, Item, Text
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show


def main() -> None:
    collection = open_collection.titled("correlations", texts.what_is_missing)
    left, right = show.two_columns()
    with left:
        slider = st.container()  # at the top, so that the Tab key reaches it first
        page, highlight = compared(Comparison, collection), Highlight.now(collection)
        with slider:
            page.draw("at")
        page.draw("test", "reference", "vary", "parameter")
        with st.expander("More settings"):
            page.draw("correlation", "over", "threshold")
    if len(page.scores) < 2:
        right.info(texts.FEW, icon=":material/info:")
        return
    with right:
        matrix, order = kept_matrix(page), order_of(page)
        held = matrix.value is None
    if held:
        return

    @cache
    def matrix_of(other: Comparison) -> Call[CorrelationMatrix]:
        return matrix if other is page else elsewhere(other, page)

    with right:
        live.follow(page, lambda there: answer(there, matrix_of(there), order), "at", "threshold")
        way_on(page, matrix.value)
    below(page, matrix_of, highlight)
    show.explain(*texts.reading(page))
    show.numbers(lambda: show.screen(all_pairs(page, matrix)))


def without_numbers(page: Comparison) -> list[str]:
    """Return the measures that Pearson's r leaves out because of infinite scores; [] for other coefficients."""
    if page.correlation != "pearson":
        return []
    return [markdown(name) for name, frame in page.scores.items() if np.isinf(frame.to_numpy()).any()]


def order_of(page: Comparison) -> list[str]:
    """Return the texts of the measures, similar ones side by side, in an order that is fixed while a parameter varies.

    Return an empty list if no parameter varies, or if the work was stopped.
    """
    at_rest = kept_matrix(page.with_(vary=NOTHING)).value if page.at is not None else None
    return [] if at_rest is None else list(chain.from_iterable(equivalent_groups(at_rest.values, page.threshold)))


def elsewhere(page: Comparison, shown: Comparison) -> Call[CorrelationMatrix]:
    """Return the call of the matrix at another slider position, without intervals.

    Raises InputError if `page` and `shown` do not compare the same measures.
    """
    if page.kept != shown.kept:
        raise InputError(texts.NOT_HERE)
    return page.matrix(intervals=False)


def answer(page: Comparison, matrix: Call[CorrelationMatrix], held: list[str]) -> Iterator[Item]:
    """Yield the headline with the measures that agree, and the matrix.

    `held` is the order of the measures in the matrix; if it is empty, similar measures are neighbours.
    """
    groups = call("equivalent", ec.meta.equivalent_groups, matrix.it.values, page.threshold)
    yield headline(page, matrix, groups)
    if infinite := without_numbers(page):
        yield Text.note(texts.infinite(page.kind.label, infinite))
    order = [page.varied.get(name, name) for name in held] or list(chain.from_iterable(groups.value))
    order = [name for name in dict.fromkeys(order) if name in matrix.value.measures]
    options = {"threshold": page.threshold, "chosen": page.pair, "groups": groups.it}
    options["order"] = order if held else None
    options["names"] = page.names if page.names != short_names(page.scores) else None
    figure = plotted_plain("", matrix.it, **options)
    alt = texts.matrix(page.kind.label, len(order))
    yield Figure(figure, "matrix", alt, partial(take_cell, page, order), ("points",))


def take_cell(page: Comparison, order: list[str], cells: list[str]) -> None:
    """Make the clicked cell the pair shown below the matrix."""
    if cells:
        row, column = map(int, cells[0].split())
        page.change(test=page.chosen(order[row]), reference=page.chosen(order[column]))


def headline(page: Comparison, matrix: Call[CorrelationMatrix], groups: Call[list[list[str]]]) -> Headline:
    """Return the headline with the equivalent measures and the two that agree least."""
    several = [[markdown(page.names[name]) for name in group] for group in groups.value if len(group) > 1]
    sizes = [record(len)(groups.it[at]) for at, group in enumerate(groups.value) if len(group) > 1]
    count = call("n_equivalent", sum, sizes)
    lines = [texts.equivalent(page, several)]
    pairs = line("pairs", matrix.it.pairs().dropna(subset=page.correlation))
    if len(matrix.value.measures) == 2 and len(pairs.value):
        lines = [texts.the_only_pair(page, pairs.value, bool(count.value))]
    elif len(pairs.value):
        lines.append(texts.least_alike(page, pairs.value))
    return Headline("  \n".join(lines), (count, pairs))


def way_on(page: Comparison, matrix: CorrelationMatrix) -> None:
    """Draw a link to the systems that move between the two measures that agree least.

    If these two are the chosen pair, the link is below the matrix and not here.
    """
    pairs = matrix.pairs().dropna(subset=page.correlation)
    if not len(pairs):
        return
    least = texts.least_of(page, pairs)
    both = least["reference"], least["test"]
    if set(both) != set(page.pair):
        site.moved(*both, f" between {' and '.join(markdown(page.names[text]) for text in both)}")
