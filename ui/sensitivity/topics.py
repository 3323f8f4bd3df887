"""Topics: what becomes of the ranking without one, and which of them set two measures apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.figures.endless import score_text
from evalcore.measures import Measure, short_names
from evalcore.meta import best_first, jackknife_error, pair_contributions, rank_ranges, ranks, swapped_pairs
from evalcore.sensitivity import Parameter
from ui import show
from ui.code import as_python
from ui.controls import choose
from ui.measures import choose_measure, scores
from ui.sensitivity.controls import HEIGHT, counterpart, shorter
from ui.text import markdown

LEAVE, BETWEEN, PAIR = VIEWS = ("Leave one out", "Between two measures", "Two systems")


def draw(
    collection: Collection, measure: Measure, known: list[Parameter], left: DeltaGenerator, right: DeltaGenerator
) -> None:
    """The view Topics."""
    if len(collection.topics) < 2:
        right.info("Leaving a topic out takes two topics at least.", icon=":material/info:")
        return
    with left:
        view = choose("Question", "topicview", VIEWS)
    own = scores(collection, measure)
    if (own.notna().sum() < 2).any():
        right.info("Leaving a topic out takes two topics of every system: one retrieved for a single topic.")
        return
    if view == LEAVE:
        _leave_one_out(own, measure, left, right)
        as_python(collection, f"scores = ec.evaluate({str(measure)!r}, c)", "ec.leave_one_out(scores)")
        return
    with left:
        other = choose_measure(collection, "measure2", str(counterpart(measure) or ""), "Against")
    if str(other) == str(measure):
        right.info("Choose two different measures.", icon=":material/info:")
        return
    if view == BETWEEN:
        _between_measures(own, scores(collection, other), measure, other, left, right)
    else:
        _between_systems(collection, own, scores(collection, other), measure, other, left, right)
    as_python(
        collection,
        f"scores, others = (ec.evaluate(measure, c) for measure in ({str(measure)!r}, {str(other)!r}))",
        "ec.driving_topics(scores, others)",
        "ec.meta.pair_contributions(others, scores, *c.systems[:2])",
    )


def _leave_one_out(own: pd.DataFrame, measure: Measure, left: DeltaGenerator, right: DeltaGenerator) -> None:
    table = ec.leave_one_out(own)
    other, most = int((~table["same first"]).sum()), int(table["moved"].to_numpy().argmax())
    moved, largest = table[["moved", "largest"]].to_numpy()[most]
    with left:
        lowest, changes = st.columns(2)
        lowest.metric("lowest τ", f"{table['tau'].min():.3f}", help="Between the ranking without a topic and over all")
        changes.metric("other winner", f"{other} of {len(table)}", help="Topics without which another system is first")
        st.caption(
            f"Topic {markdown(table.index[most])} moves the most systems: {moved}, none by more than {largest} rank(s)."
            if moved
            else "No topic moves any system."
        )
    with right:
        first = ", ".join(own.columns[ranks(own.mean()) == 1])
        st.markdown(f"Over all topics **{markdown(shorter(first))}** is first by {markdown(measure)}.")
        figure = figures.left_out(table, HEIGHT)
        show.figure(figure, "leftout", f"τ without each of {len(table)} topics; the values are in the table Topics")
    show.explain(
        "Each bar is a topic: how alike the ranking without it is to the ranking over all topics. A red one decides "
        "who is first: without it another system is.",
        "Short bars: no topic matters much by itself. One long bar: a claim about systems is a claim about that topic.",
        "Look which systems change rank most in the table below; then ask which topics set two measures apart.",
    )
    one_table, other_table = st.columns(2, gap="medium")
    with one_table:
        st.markdown("**Topics**")
        show.table(table.sort_values("tau"), "topics left out", height=320, decimals={"tau": 4})
    with other_table:
        st.markdown("**How far systems move**")
        show.table(rank_ranges(own), "ranks without a topic", height=320)


def _between_measures(
    own: pd.DataFrame,
    against: pd.DataFrame,
    measure: Measure,
    other: Measure,
    left: DeltaGenerator,
    right: DeltaGenerator,
) -> None:
    table = ec.driving_topics(own, against)
    tau, error = ec.tau(own.mean(), against.mean()), jackknife_error(own, against)
    with left:
        first, second = st.columns(2)
        first.metric("τ", f"{tau:.3f}", help=f"Between {markdown(measure)} and {markdown(other)}, over all topics")
        second.metric("standard error", f"{error:.3f}", help="Of τ over topics, by the jackknife")
    with right:
        driver = table.index[0]
        st.markdown(
            f"Topic **{markdown(driver)}** sets the two measures apart most: without it τ is "
            f"**{table['tau without'].iloc[0]:.3f}** instead of {tau:.3f}."
        )
        figure = figures.influences(table, "influence on τ", HEIGHT)
        show.figure(figure, "drivers", f"Influence of {len(table)} topics on τ; the values are in the table below")
    show.explain(
        "Each bar is a topic and what it does to the agreement of the two measures: (T − 1) times what τ loses when it "
        "is left out, the influence of the jackknife.",
        "Red, below 0: the topic sets the measures apart. Blue: it holds them together. Steps are whole swaps of two "
        "systems.",
        "Take the topic at the far left and look at two systems on it: Question, Two systems.",
    )
    show.table(table, "driving topics", height=320)


def _between_systems(
    collection: Collection,
    own: pd.DataFrame,
    against: pd.DataFrame,
    measure: Measure,
    other: Measure,
    left: DeltaGenerator,
    right: DeltaGenerator,
) -> None:
    a, b = _usual_pair(own.mean(), against.mean())
    with left:
        first = choose("System", "sysa", list(collection.systems), a)
        second = choose("minus", "sysb", [name for name in collection.systems if name != first], b if b != first else a)
    table = pair_contributions(against, own, first, second)
    names = short_names([str(other), str(measure)])
    labels = (names[str(other)], names[str(measure)])
    with right:
        with np.errstate(invalid="ignore"):  # nan: infinite scores on both sides
            x, y = table["x"].sum(), table["y"].sum()
        sides = int(x > 0) + int(y > 0)
        who = ("behind by both measures", "ahead by one measure only", "ahead by both measures")[sides]
        who = "infinite scores on both sides tell nothing" if np.isnan(x + y) else who
        st.markdown(
            f"**{markdown(first)}** ahead of **{markdown(second)}**: {score_text(x, sign='+')} by "
            f"{markdown(labels[0])}, {score_text(y, sign='+')} by {markdown(labels[1])}: {who}."
        )
        figure = figures.contributions(table, labels, f"contribution to {figures.plain(first)} less the other", HEIGHT)
        show.figure(figure, "contributions", f"Contributions of {len(table)} topics; the values are in the table below")
    show.explain(
        "For each topic, what it adds to the difference of the two systems under each measure: the difference of their "
        "scores over the number of topics. All marks of a colour add up to the difference of the means.",
        "Above 0 the first system gains, also where low scores are good. A long line: on this topic the change of the "
        "measure moves the pair; those topics stand at the left.",
        "Open one of these topics and look at the documents that both systems return.",
    )
    shown = table.rename(columns={"x": labels[0], "y": labels[1]})
    show.table(shown, "contributions", height=320)


def _usual_pair(own: pd.Series, against: pd.Series) -> tuple[str, str]:
    """The pair that the two measures order most differently, else the first two."""
    swapped = swapped_pairs(against, own)
    if len(swapped):
        return str(swapped["system_a"].iloc[0]), str(swapped["system_b"].iloc[0])
    best = best_first(own).index
    return str(best[0]), str(best[1])
