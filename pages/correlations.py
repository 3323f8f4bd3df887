"""Which measures agree about the systems? Every two measures, their correlation, and what is behind it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.direction import good_of
from evalcore.measures import short_names
from evalcore.meta import CorrelationMatrix, equivalent_groups
from ui import collections, score_tables, show
from ui.code import as_python
from ui.compared import compared
from ui.correlations.looks import details
from ui.correlations.setting import RESAMPLES, Setting, computed, controls, number, pair
from ui.text import markdown

MOST_NAMED = 6  # measures in a sentence


def main() -> None:
    collection = collections.current()
    st.title("Which measures agree about the systems?", anchor=False)
    if len(collection.systems) < 2 or not collection.topics:
        st.info(
            "Measures agree or not about an order of systems; the open collection has "
            f"{len(collection.systems)} system(s) and {len(collection.topics)} topic(s). Open more runs.",
            icon=":material/info:",
        )
        return
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        scores = compared(collection)
        setting = controls()
    if len(scores) < 2:
        right.info("Choose at least two measures that have systems and topics in common.", icon=":material/info:")
        return
    matrix = computed(collection, scores, setting)
    with left:
        test, reference = pair(scores, setting.correlation)
    with right:
        draw_matrix(matrix, setting, (test, reference), without_numbers(scores, setting))
    details(collection, scores, matrix, setting, test, reference)
    show.explain(*explanation(setting))
    as_python(collection, *code(scores, setting))


def code(scores: dict[str, pd.DataFrame], setting: Setting) -> tuple[str, ...]:
    """What recomputes the matrix."""
    ours = [text for text in scores if not text.endswith(score_tables.MARK)]
    theirs = {text.removesuffix(score_tables.MARK): good_of(scores[text]) for text in scores if text not in ours}
    low = {name: good for name, good in theirs.items() if good == "low"}
    resampled = f", n_resamples={RESAMPLES}" if setting.intervals else ""
    return (
        f"scores = ec.evaluate({ours!r}, c)",
        *([f"scores |= ec.load_scores('a-file-of-scores'{f', good={low!r}' if low else ''})"] if theirs else []),
        f"matrix = ec.correlation_matrix(scores, {setting.correlation.name!r}, {setting.over!r}{resampled})",
        "matrix.values",
    )


def without_numbers(scores: dict[str, pd.DataFrame], setting: Setting) -> list[str]:
    """The measures that Pearson's r leaves out, as some score of theirs is infinite."""
    if setting.correlation.name != "pearson":
        return []
    return [markdown(name) for name, frame in scores.items() if np.isinf(frame.to_numpy()).any()]


def draw_matrix(matrix: CorrelationMatrix, setting: Setting, chosen: tuple[str, str], infinite: list[str]) -> None:
    groups = equivalent_groups(matrix.values, setting.threshold)
    order = [name for group in groups for name in group]
    names = short_names(order)
    st.markdown(headline(matrix, setting, groups, names))
    if infinite:
        st.caption(
            f"{markdown(setting.correlation.label)} takes finite scores; there are infinite ones by "
            f"{', '.join(infinite)}."
        )
    figure = figures.correlation_heatmap(
        matrix.values,
        names,
        setting.correlation.label,
        threshold=setting.threshold,
        directed=not setting.correlation.symmetric,
        groups=groups,
        chosen=chosen,
        notes=notes(matrix),
    )
    alt = f"{setting.correlation.label} of every two of {len(order)} measures; the values are in the table All pairs"
    show.figure(figure, "matrix", alt, on_select=lambda cells: take_cell(cells, order), modes=("points",))


def notes(matrix: CorrelationMatrix) -> pd.DataFrame | None:
    """What is said of a cell beside its value: its interval; topic by topic, on how many topics there is one."""
    parts = []
    if matrix.intervals:
        low, high = (part.map(number) for part in (matrix.intervals.low, matrix.intervals.high))
        parts.append("95 % interval " + low + " to " + high)
    if matrix.by_topic is not None:
        parts.append("mean over " + (len(matrix.topics) - matrix.undefined_topics).astype(str) + " topics")
    return None if not parts else parts[0] if len(parts) == 1 else parts[0] + ", " + parts[1]


def take_cell(cells: list[str], order: list[str]) -> None:
    """The cell that was clicked becomes the pair."""
    if cells:
        row, column = map(int, cells[0].split())
        st.session_state["test"], st.session_state["reference"] = order[row], order[column]


def headline(matrix: CorrelationMatrix, setting: Setting, groups: list[list[str]], names: dict[str, str]) -> str:
    """Which measures are equivalent, and which two agree least."""
    label = markdown(setting.correlation.label)
    several = [[markdown(names[name]) for name in group] for group in groups if len(group) > 1]
    count = sum(map(len, several))
    listed = "; ".join(map(", ".join, several)) or "no two measures"
    if count > MOST_NAMED:
        listed = f"{count} measures, in {len(several)} group{'s' * (len(several) > 1)}"
    lines = [f"Equivalent ({label} above {setting.threshold:.2f}): **{listed}**"]
    pairs = matrix.pairs().dropna(subset=setting.correlation.name)
    if len(pairs):
        least = pairs.sort_values(setting.correlation.name).iloc[0]
        both = f"**{markdown(names[least['test']])}** and **{markdown(names[least['reference']])}**"
        lines.append(f"Least alike: {both}, {label} {number(least[setting.correlation.name])}")
    return "  \n".join(lines)


def explanation(setting: Setting) -> tuple[str, str, str]:
    direction = (
        ""
        if setting.correlation.symmetric
        else " Rows are the test, whose list is walked down, columns the reference, which is taken for the truth."
    )
    return (
        "Each cell compares two measures: do they put the systems in the same order? 1 is the same order, 0 no "
        f"relation, −1 the reverse.{direction} Measures that agree stand together.",
        f"Bold and dark (≈): above {setting.threshold:.2f}, so either measure would do. A frame joins measures of "
        "which every two are equivalent. What stands alone tells you something that the others do not.",
        "Click a pale cell and see which systems it moves. Go topic by topic: rankings agree less than their means do. "
        "Import the scores of another tool and set them beside these.",
    )


main()
