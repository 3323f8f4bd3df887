"""Which measures agree about the systems? Every two measures, their correlation, and what is behind it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import numpy as np
import streamlit as st

from evalcore import InputError, figures
from evalcore.data import Collection
from evalcore.meta import CorrelationMatrix, correlation_matrix, equivalent_groups
from evalcore.rounding import less
from ui.address import site
from ui.address.highlight import Highlight
from ui.correlations.as_python import code
from ui.correlations.controls import NOTHING, Comparison, computed, number
from ui.correlations.tabs import details
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.data.compared import compared
from ui.screen.items import Figure, Headline, Item, Text
from ui.screen.text import counted, markdown
from ui.shell import live
from ui.stage import show
from ui.widgets.beside import two_columns

MOST_NAMED = 6  # measures in a sentence


def main() -> None:
    collection = open_collection.current()
    site.title("correlations")
    if lack := what_is_missing(collection):
        st.info(lack, icon=":material/info:")
        return
    left, right = two_columns()
    with left:
        page, highlight = compared(Comparison, collection), Highlight.now(collection)
        collection = page.collection
        page.draw("correlation", "over", "threshold", "intervals")
    if len(page.scores) < 2:
        right.info("Choose at least two measures that have systems and topics in common.", icon=":material/info:")
        return
    with right:
        matrix, order = computed(page), order_of(page)
    with left:
        page.draw("test", "reference", "vary", "parameter", "at")
    if matrix is None:
        return

    @cache
    def matrix_of(other: Comparison) -> CorrelationMatrix:
        return matrix if other is page else elsewhere(other, page)

    with right:
        live.follow(page, lambda one: matrix_screen(matrix_of(one), one, order), "at", "threshold")
    details(page, matrix_of, highlight)
    show.explain(*explanation(page))
    as_python(collection, *code(page, order))


def what_is_missing(collection: Collection) -> str:
    """Why there is nothing to show, and what to do; empty where there is."""
    if len(collection.systems) > 1 and collection.topics:
        return ""
    return (
        "Measures agree or not about an order of systems; the open collection has "
        f"{counted(len(collection.systems), 'system')} and {counted(len(collection.topics), 'topic')}. Open more runs."
    )


def without_numbers(page: Comparison) -> list[str]:
    """The measures that Pearson's r leaves out, as some score of theirs is infinite."""
    if page.correlation != "pearson":
        return []
    return [markdown(name) for name, frame in page.scores.items() if np.isinf(frame.to_numpy()).any()]


def order_of(page: Comparison) -> list[str]:
    """The measures, such that those that agree stand together, whichever number of one varies; by the chosen texts."""
    found = computed(page.with_(vary=NOTHING)) if page.at is not None else None
    return (
        [] if found is None else [name for group in equivalent_groups(found.values, page.threshold) for name in group]
    )


def elsewhere(page: Comparison, shown: Comparison) -> CorrelationMatrix:
    """The matrix at another place of a slider, without intervals. Raises InputError where it is of other measures."""
    if page.kept != shown.kept:
        raise InputError("expected the same measures, found that one cannot be answered or is another one here")
    return correlation_matrix(page.scores, page.correlation, page.over)


def matrix_screen(matrix: CorrelationMatrix, page: Comparison, held: list[str]) -> Iterator[Item]:
    """The matrix, its measures in the order that is held, if any."""
    groups = equivalent_groups(matrix.values, page.threshold)
    order = [page.varied.get(name, name) for name in held] or [name for group in groups for name in group]
    order = [name for name in dict.fromkeys(order) if name in matrix.measures]
    yield Headline(headline(matrix, page, groups))
    label = page.kind.label
    if infinite := without_numbers(page):
        yield Text(f"{markdown(label)} takes finite scores; there are infinite ones by {', '.join(infinite)}.", "note")
    make = partial(
        figures.correlation_heatmap,
        matrix.values,
        page.names,
        label,
        threshold=page.threshold,
        directed=not page.kind.symmetric,
        groups=groups,
        order=order,
        chosen=page.pair,
        notes=figures.cell_notes(matrix),
    )
    alt = f"{label} of every two of {len(order)} measures; the values are in the table All pairs"
    yield Figure(make, "matrix", alt, lambda cells: take_cell(page, cells, order), ("points",))


def take_cell(page: Comparison, cells: list[str], order: list[str]) -> None:
    """The cell that was clicked becomes the pair."""
    if cells:
        row, column = map(int, cells[0].split())
        page.change(test=page.chosen(order[row]), reference=page.chosen(order[column]))


def headline(matrix: CorrelationMatrix, page: Comparison, groups: list[list[str]]) -> str:
    """Which measures are equivalent, and which two agree least."""
    label = markdown(page.kind.label)
    several = [[markdown(page.names[name]) for name in group] for group in groups if len(group) > 1]
    count = sum(map(len, several))
    listed = "; ".join(map(", ".join, several)) or "no two measures"
    if count > MOST_NAMED:
        listed = f"{count} measures, in {counted(len(several), 'group')}"
    lines = [f"Equivalent ({label} above {page.threshold:.2f}): **{listed}**"]
    pairs = matrix.pairs().dropna(subset=page.correlation)
    if len(pairs):
        least = pairs.sort_values(page.correlation).iloc[0]
        value = float(least[page.correlation])
        others = int((~less(value, pairs[page.correlation].to_numpy(dtype=float))).sum()) - 1
        both = f"**{markdown(page.names[least['test']])}** and **{markdown(page.names[least['reference']])}**"
        if others and others + 1 == len(pairs):
            lines.append(f"Every two are as alike as any other: {label} {number(value)}")
        else:
            more = f", and {counted(others, 'other pair')}" if others else ""
            lines.append(f"Least alike: {both}{more}, {label} {number(value)}")
    return "  \n".join(lines)


def explanation(page: Comparison) -> tuple[str, str, str]:
    direction = "" if page.kind.symmetric else " Rows are the test, whose list is walked down, columns the reference."
    return (
        "Each cell compares two measures: do they put the systems in the same order? Of Kendall's τ 1 is the same "
        f"order, 0 as many pairs alike as swapped, −1 the reverse.{direction} Similar measures stand together.",
        f"Bold and dark (≈): above {page.threshold:.2f}, here called equivalent; the winner may still differ. A frame "
        "joins measures of which every two are equivalent. What stands alone orders the systems unlike all others.",
        "Click a pale cell and see which systems it moves. Go topic by topic: there measures mostly agree less. "
        "Import the scores of another tool and set them beside these.",
    )


main()
