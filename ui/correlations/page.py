"""The page Correlations: how far every two measures agree about the systems, and what is behind it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import chain

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.common.rounding import first_largest, less
from evalcore.data import Collection
from evalcore.measures import short_names
from evalcore.meta import CorrelationMatrix, equivalent_groups
from ui.address import site
from ui.address.families import plotted_plain
from ui.address.highlight import Highlight
from ui.correlations.correlation_settings import NOTHING, Comparison, kept_matrix, number
from ui.correlations.pairs_and_tables import all_pairs, below
from ui.data import open_collection
from ui.data.compared import compared
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Figure, Headline, Item, Text
from ui.screen.text import counted, markdown
from ui.shell import live
from ui.stage import show

MOST_NAMED = 6  # measures in a sentence


def main() -> None:
    collection = open_collection.titled("correlations", what_is_missing)
    left, right = show.two_columns()
    with left:
        slider = st.container()  # first, near for keys
        page, highlight = compared(Comparison, collection), Highlight.now(collection)
        with slider:
            page.draw("at")
        page.draw("test", "reference", "vary", "parameter")
        with st.expander("More settings"):
            page.draw("correlation", "over", "threshold")
    if len(page.scores) < 2:
        right.info("Choose at least two measures that have systems and topics in common.", icon=":material/info:")
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
    show.explain(*explanation(page))
    show.numbers(lambda: show.screen(all_pairs(page, matrix)))


def what_is_missing(collection: Collection) -> str:
    """Say why there is nothing to show, and what to do; "" if there is something."""
    if len(collection.systems) > 1 and collection.topics:
        return ""
    return (
        "You need two systems to compare measures; the open collection has "
        f"{counted(len(collection.systems), 'system')} and {counted(len(collection.topics), 'topic')}. Open more runs."
    )


def without_numbers(page: Comparison) -> list[str]:
    """Measures that Pearson's r leaves out, as one of their scores is infinite; none for other correlations."""
    if page.correlation != "pearson":
        return []
    return [markdown(name) for name, frame in page.scores.items() if np.isinf(frame.to_numpy()).any()]


def order_of(page: Comparison) -> list[str]:
    """Return the chosen texts of the measures such that those that agree are neighbours, wherever the parameter stands.

    They are none if no parameter moves, or if the work was held.
    """
    at_rest = kept_matrix(page.with_(vary=NOTHING)).value if page.at is not None else None
    groups = [] if at_rest is None else equivalent_groups(at_rest.values, page.threshold)
    return list(chain.from_iterable(groups))


def elsewhere(page: Comparison, shown: Comparison) -> Call[CorrelationMatrix]:
    """Return the matrix at another place of a slider, without intervals. Raises InputError if its measures differ."""
    if page.kept != shown.kept:
        raise InputError("One measure in this link is not available here. Choose the measures again.")
    return page.matrix(intervals=False)


def answer(page: Comparison, matrix: Call[CorrelationMatrix], held: list[str]) -> Iterator[Item]:
    """The measures that agree, and the matrix; its measures keep the order `held`, if that has any."""
    groups = call("equivalent", ec.meta.equivalent_groups, matrix.it.values, page.threshold)
    yield headline(page, matrix, groups)
    label = page.kind.label
    if infinite := without_numbers(page):
        yield Text.note(f"{markdown(label)} needs finite scores; some scores by {', '.join(infinite)} are infinite.")
    order = [page.varied.get(name, name) for name in held] or list(chain.from_iterable(groups.value))
    order = [name for name in dict.fromkeys(order) if name in matrix.value.measures]
    options = {"threshold": page.threshold, "chosen": page.pair, "groups": groups.it}
    options["order"] = order if held else None
    options["names"] = page.names if page.names != short_names(page.scores) else None
    figure = plotted_plain("", matrix.it, **options)
    alt = f"{label} of all pairs of {len(order)} measures; the values are in the table of all pairs"
    yield Figure(figure, "matrix", alt, partial(take_cell, page, order), ("points",))


def take_cell(page: Comparison, order: list[str], cells: list[str]) -> None:
    """Make the clicked cell the pair to look at."""
    if cells:
        row, column = map(int, cells[0].split())
        page.change(test=page.chosen(order[row]), reference=page.chosen(order[column]))


def headline(page: Comparison, matrix: Call[CorrelationMatrix], groups: Call[list[list[str]]]) -> Headline:
    """The equivalent measures, and the two that agree least."""
    label = markdown(page.kind.label)
    several = [[markdown(page.names[name]) for name in group] for group in groups.value if len(group) > 1]
    sizes = [record(len)(groups.it[at]) for at, group in enumerate(groups.value) if len(group) > 1]
    count = call("n_equivalent", sum, sizes)
    listed = "; ".join(map(", ".join, several)) or "no two measures"
    if count.value > MOST_NAMED:
        listed = f"{count.value} measures, in {counted(len(several), 'group')}"
    lines = [f"Equivalent ({label} above {page.threshold:.2f}): **{listed}**"]
    pairs = line("pairs", matrix.it.pairs().dropna(subset=page.correlation))
    if len(matrix.value.measures) == 2 and len(pairs.value):
        lines = [the_only_pair(page, pairs.value, bool(count.value))]
    elif len(pairs.value):
        lines.append(least_alike(page, pairs.value))
    return Headline("  \n".join(lines), (count, pairs))


def way_on(page: Comparison, matrix: CorrelationMatrix) -> None:
    """Draw a link to the systems that move between the two measures that agree least.

    The pair that is looked at has its link below the matrix, so it gets none here.
    """
    pairs = matrix.pairs().dropna(subset=page.correlation)
    if not len(pairs):
        return
    least = least_of(page, pairs)
    both = least["reference"], least["test"]
    if set(both) != set(page.pair) and set(both) <= set(page.varied.values()):  # not for scores of other tools
        site.moved(*both, f" between {' and '.join(markdown(page.names[text]) for text in both)}")


def least_of(page: Comparison, pairs: pd.DataFrame) -> pd.Series:
    """The first of the pairs that agree least."""
    return pairs.iloc[int(first_largest(-pairs[page.correlation].to_numpy(dtype=float)))]


def the_only_pair(page: Comparison, pairs: pd.DataFrame, equivalent: bool) -> str:
    """Say of the only two measures if they are equivalent."""
    both = " and ".join(f"**{markdown(page.names[pairs[side].iloc[0]])}**" for side in ("test", "reference"))
    value, label = number(pairs[page.correlation].min()), markdown(page.kind.label)
    return f"{both} are {'' if equivalent else 'not '}equivalent: {label} {value}, threshold {page.threshold:.2f}"


def least_alike(page: Comparison, pairs: pd.DataFrame) -> str:
    """Name the two measures that agree least, or say that all pairs agree equally."""
    label, values = markdown(page.kind.label), pairs[page.correlation].to_numpy(dtype=float)
    least, value = least_of(page, pairs), float(values.min())
    others = int((~less(value, values)).sum()) - 1
    if others and others + 1 == len(pairs):
        return f"All pairs agree equally: {label} {number(value)}"
    both = f"**{markdown(page.names[least['test']])}** and **{markdown(page.names[least['reference']])}**"
    more = f", and {counted(others, 'other pair')}" if others else ""
    return f"Least alike: {both}{more}, {label} {number(value)}"


def explanation(page: Comparison) -> tuple[str, str, str]:
    direction = "" if page.kind.symmetric else " Rows are the test ranking, columns the reference."
    return (
        "Each cell compares the orders of systems under two measures. Kendall's τ is 1 for the same order, 0 if half "
        f"of the pairs swap, −1 for the reverse order.{direction} Similar measures are neighbours.",
        f"Bold cells are above {page.threshold:.2f}, here called equivalent; the winner may still differ. In a "
        "frame all pairs of measures are equivalent. A measure outside every frame agrees with no other.",
        "Click a cell that is not bold, then a line of the ranks, to see the topics that moved that system. Under *More settings* "
        "correlate topic by topic: measures then usually agree less.",
    )
