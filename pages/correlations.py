"""Which measures agree about the systems? Every two measures, their correlation, and what is behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.aspect_correlation import aspect_correlations, measure_correlations
from evalcore.data import Collection
from evalcore.measures import ERR, RBP, GainMeasure, P, nDCG, short_names
from evalcore.measures.suggestions import BASES
from evalcore.meta import (
    CORRELATIONS,
    EQUIVALENT,
    Correlation,
    CorrelationMatrix,
    correlation_matrix,
    equivalent_groups,
    swapped_pairs,
)
from evalcore.reference import maistro2021_table4 as printed
from ui import collections, score_tables, show
from ui.code import as_python
from ui.compared import compared
from ui.controls import choose, choose_many, slider, switch
from ui.text import markdown

OVER = {"system means": "means", "topic by topic": "topics"}
RESAMPLES = 1000
MOST_NAMED = 6  # measures in a sentence
VIEWS = ("Scatter", "Rank changes", "Topics", "All pairs", "Measures of aspects", "Aspects")
MORE_BASES: dict[str, GainMeasure] = {
    str(one): one for one in (*BASES, nDCG(cutoff=10), P(cutoff=10), RBP(), ERR(cutoff=20))
}
CORRELATION_HELP = "  \n".join(f"**{one.label}**: {one.description}" for one in CORRELATIONS.values())
OVER_HELP = (
    "system means: each system's score is averaged over topics, then the systems are compared. topic by topic: the "
    "systems are compared on each topic, then the correlations are averaged, as Maistro et al. 2021 do."
)


@dataclass(frozen=True)
class Setting:
    """What the controls say."""

    correlation: Correlation
    over: str
    threshold: float
    intervals: bool


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
        draw_matrix(matrix, setting, (test, reference))
    details(collection, scores, matrix, setting, test, reference)
    show.explain(*explanation(setting))
    as_python(collection, *code(list(scores), setting))


def code(measures: list[str], setting: Setting) -> tuple[str, ...]:
    """What recomputes the matrix."""
    ours = [text for text in measures if not text.endswith(score_tables.MARK)]
    resampled = f", n_resamples={RESAMPLES}" if setting.intervals else ""
    return (
        f"scores = ec.evaluate({ours!r}, c)",
        *(["scores |= ec.load_scores('a-file-of-scores')"] if len(ours) < len(measures) else []),
        f"matrix = ec.correlation_matrix(scores, {setting.correlation.name!r}, {setting.over!r}{resampled})",
        "matrix.values",
    )


def controls() -> Setting:
    name = choose(
        "Correlation", "corr", list(CORRELATIONS), names=lambda one: CORRELATIONS[one].label, help=CORRELATION_HELP
    )
    over = choose("Taken over", "over", list(OVER), segmented=True, help=OVER_HELP)
    threshold = slider(
        "Equivalent above",
        "equivalent",
        0.5,
        1.0,
        EQUIVALENT,
        0.01,
        help="Rankings with a tau above 0.9 are usually read as equivalent (Voorhees 2001; Maistro et al. 2021)",
    )
    intervals = switch(
        "Bootstrap intervals",
        "intervals",
        help=f"95 % intervals of {RESAMPLES:,} resamples of the topics (seed 0), the same for every pair: point at a "
        "cell. A resample repeats topics and so blurs both rankings: over system means the interval lies a "
        "little lower than the value itself.",
    )
    return Setting(CORRELATIONS[name], OVER[over], threshold, intervals)


def pair(scores: dict[str, pd.DataFrame], correlation: Correlation) -> tuple[str, str]:
    """The two measures looked at closely: chosen here, or by a click on their cell."""
    listed = list(scores)
    names = short_names(listed)
    first, second = ("Look at", "Against") if correlation.symmetric else ("Test", "Reference")
    test = choose(first, "test", listed, listed[1], names=names.__getitem__, help="Or click a cell")
    reference = choose(second, "reference", listed, listed[0], names=names.__getitem__)
    return test, reference


def computed(collection: Collection, scores: dict[str, pd.DataFrame], setting: Setting) -> CorrelationMatrix:
    key = (collection.fingerprint, score_tables.digest(), tuple(scores))
    return _computed(key, setting.correlation.name, setting.over, setting.intervals, scores)


@st.cache_resource(max_entries=32, show_spinner="Comparing every two measures")
def _computed(
    key: tuple[object, ...], correlation: str, over: str, intervals: bool, _scores: dict[str, pd.DataFrame]
) -> CorrelationMatrix:
    resamples = RESAMPLES if intervals else 0
    return correlation_matrix(_scores, correlation, "means" if over == "means" else "topics", n_resamples=resamples)


def draw_matrix(matrix: CorrelationMatrix, setting: Setting, chosen: tuple[str, str]) -> None:
    groups = equivalent_groups(matrix.values, setting.threshold)
    order = [name for group in groups for name in group]
    names = short_names(order)
    st.markdown(headline(matrix, setting, groups, names))
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


# --- closer looks -----------------------------------------------------------------------------------------------------


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
            f"First by {markdown(reference)}: **{markdown(x.idxmax())}**  \nFirst by {markdown(test)}: "
            f"**{markdown(y.idxmax())}**  \n**{swapped:,}** of {len(x) * (len(x) - 1) // 2:,} pairs of systems swap."
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


def cell(frame: pd.DataFrame, test: str, reference: str) -> float:
    return float(frame.to_numpy()[frame.index.get_loc(test), frame.columns.get_loc(reference)])


def number(value: float) -> str:
    return "none" if np.isnan(value) else f"{value:.3f}".replace("-", "−")


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
    show.figure(figure, "topics", f"{label} on each of {len(values)} topics; the values are in the table below")
    table = values.rename(label).to_frame().sort_values(label)
    show.table(table, "topics", decimals={label: 3}, height=300)


def all_pairs(matrix: CorrelationMatrix, setting: Setting) -> None:
    names = short_names(matrix.measures)
    table = matrix.pairs().sort_values(setting.correlation.name)
    st.caption(f"{markdown(setting.correlation.label)} of every two measures, least alike first.")
    shown = table.assign(test=table["test"].map(names), reference=table["reference"].map(names))
    decimals = dict.fromkeys(table.columns, 3)
    drawn = {"resamples": RESAMPLES, "seed": 0} if matrix.intervals else {}
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
    bases, names = bases_and_aspects(collection)
    with show.errors():
        table = measure_correlations(collection, names, bases)
        aspect_table(table, printed.printed_measures, "measures of aspects")
        st.caption(
            "Kendall's tau_b on each topic, averaged over the topics that have one (their number stands beside it). "
            "EUCL, MANH, CHEB: TOMA by distance; for a base that knows only yes and no, every class but the worst is "
            f"yes. {PRINTED}"
        )


def aspects(collection: Collection) -> None:
    """Table 4 of Maistro et al. 2021, second block: each aspect by itself."""
    bases, names = bases_and_aspects(collection)
    with show.errors():
        table = aspect_correlations(collection, names, bases)
        aspect_table(table, printed.printed_aspects, "aspects")
        st.caption(
            "Each measure reads one aspect alone. Low values: ranking systems by one aspect says little about the "
            f"other, so it matters that both are measured. {PRINTED}"
        )


PRINTED = (
    "“printed”: the range over the tracks of Maistro et al. 2021, Table 4, to be read with care: the published code "
    "correlates sorted lists of names, not the rankings."
)


def aspect_table(table: pd.DataFrame, of: Callable[[str], pd.DataFrame], name: str) -> None:
    decimals = dict.fromkeys(table.columns, 3)
    show.table(beside_printed(table, of), name, decimals=decimals, download=table.reset_index())


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


main()
