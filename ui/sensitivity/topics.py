"""Topics: the ranking without each, and which of them set two measures apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.figures.endless import score_text
from evalcore.measures import short_names
from evalcore.meta import jackknife_error, pair_contributions, rank_ranges, ranks
from evalcore.rounding import less
from ui.address.families import named, short
from ui.address.highlight import Highlight
from ui.computing.first import code as first_code
from ui.computing.first import remark
from ui.computing.measures import scores
from ui.data.as_python import as_python
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import counted, markdown
from ui.sensitivity.controls import BETWEEN, HEIGHT, LEAVE, SensitivitySettings, are_first
from ui.stage import show


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Topics."""
    if len(page.collection.topics) < 2:
        right.info("Leaving a topic out takes two topics at least.", icon=":material/info:")
        return
    with left:
        page.draw("question")
    own = scores(page.collection, page.varied)
    if (own.notna().sum() < 2).any():
        right.info("Leaving a topic out takes two topics of every system: one retrieved for a single topic.")
        return
    if page.question == LEAVE:
        _leave_one_out(page, own, left, right)
    else:
        with left:
            page.draw("other")
        _two_measures(page, own, left, right)
    as_python(page.collection, *_code(page))


def _two_measures(page: SensitivitySettings, own: pd.DataFrame, left: DeltaGenerator, right: DeltaGenerator) -> None:
    if page.other == page.measure:
        right.info("Choose two different measures.", icon=":material/info:")
    elif page.question == BETWEEN:
        _between_measures(page, own, scores(page.collection, page.other), left, right)
    else:
        _between_systems(page, own, scores(page.collection, page.other), left, right)


def _code(page: SensitivitySettings) -> list[str]:
    """What recomputes the numbers and the table of the question."""
    if page.question == LEAVE:
        return [
            f"scores = ec.evaluate({page.measure!r}, c)",
            "table = ec.leave_one_out(scores)",
            "other_first, n_topics = (~table['same first']).sum(), len(table)",
            "ranges = ec.meta.rank_ranges(scores)",
            *first_code("[scores]", scores(page.collection, page.varied)),
            "ec.plot(table)",
        ]
    both = f"scores, others = (ec.evaluate(measure, c) for measure in ({page.measure!r}, {page.other!r}))"
    if page.question == BETWEEN:
        error = "error = ec.meta.jackknife_error(scores, others)"
        table, tau = "table = ec.driving_topics(scores, others)", "tau = ec.tau(scores.mean(), others.mean())"
        return [both, table, tau, error, "ec.plot(table)"]
    if page.a == page.b:
        return [both]
    pair = f"table = ec.meta.pair_contributions(others, scores, {page.a!r}, {page.b!r})"
    names = short_names([page.other, page.measure])
    title = f"contribution to {page.a} less the other"
    figure = f"ec.plot(table, names={(names[page.other], names[page.measure])!r}, title={title!r})"
    return [both, pair, "x, y = table['x'].sum(), table['y'].sum()", figure]


def _leave_one_out(page: SensitivitySettings, own: pd.DataFrame, left: DeltaGenerator, right: DeltaGenerator) -> None:
    table = ec.leave_one_out(own)
    other, most = int((~table["same first"]).sum()), int(table["moved"].to_numpy().argmax())
    moved, largest = table[["moved", "largest"]].to_numpy()[most]
    with left:
        lowest, changes = st.columns(2)
        tau = score_text(float(table["tau"].min()), 3)
        show.metric(lowest, "lowest τ", tau, help="Between the ranking without a topic and over all")
        help = "Topics without which who is first is not the same"
        show.metric(changes, "other winner", f"{other} of {len(table)}", help=help)
        at_most = f"{moved}, none by more than {counted(largest, 'rank')}"
        told = f"Topic {markdown(table.index[most])} moves the most systems: {at_most}."
        st.caption(told if moved else "No topic moves any system.")
    with right:
        first = ", ".join(own.columns[ranks(own.mean()) == 1])
        show.put(Headline(f"Over all topics {are_first(first)} by {markdown(page.measure)}{remark(own)}."))
        figure = figures.left_out(table, HEIGHT)
        show.put(
            Figure(figure, "leftout", f"τ without each of {len(table)} topics; the values are in the table Topics")
        )
    show.explain(
        "Each bar is a topic: how alike the ranking without it is to the ranking over all topics. A red one decides "
        "who is first: without it another system is.",
        "Short bars: no topic matters much by itself. One long bar: much of the ranking rests on that topic.",
        "See which systems change rank most in the table below; then ask which topics set two measures apart.",
    )
    one_table, other_table = st.columns(2, gap="medium")
    with one_table:
        st.markdown("**Topics**")
        show.put(Table(table.sort_values("tau"), "topics left out", height=320, decimals={"tau": 4}))
    with other_table:
        st.markdown("**How far systems move**")
        show.put(Table(rank_ranges(own), "ranks without a topic", height=320))


def _between_measures(
    page: SensitivitySettings, own: pd.DataFrame, other: pd.DataFrame, left: DeltaGenerator, right: DeltaGenerator
) -> None:
    table = ec.driving_topics(own, other)
    tau, error = ec.tau(own.mean(), other.mean()), jackknife_error(own, other)
    with left:
        first, second = st.columns(2)
        both = f"{markdown(page.measure)} and {markdown(page.other)}"
        show.metric(first, "τ", score_text(tau, 3), help=f"Between {both}, over all topics")
        show.metric(second, "standard error", score_text(error, 3), help="Of τ over topics, by the jackknife")
    with right:
        show.put(Headline(_driver(table, tau)))
        figure = figures.influences(table, "influence on τ", HEIGHT)
        show.put(Figure(figure, "drivers", f"Influence of {len(table)} topics on τ; the values are in the table below"))
    show.explain(
        "Each bar is a topic and what it does to the agreement of the two measures: (T − 1) times what τ loses when it "
        "is left out, the influence of the jackknife.",
        "Red, below 0: the topic sets the measures apart. Blue: it holds them together. Steps are whole swaps of two "
        "systems.",
        "Take the topic at the far left and look at two systems on it: Question, Two systems.",
    )
    show.put(Table(table, "driving topics", height=320))


def _driver(table: pd.DataFrame, tau: float) -> str:
    """Which topic sets the two measures apart most, where one does."""
    without, influence = table.iloc[0][["tau without", "influence"]]
    if np.isnan(influence):
        return "τ is not defined: a measure scores all systems alike."
    if not less(influence, 0.0):
        return f"No topic sets the two measures apart: without any of them τ is at most the {tau:.3f} over all topics."
    return (
        f"Topic **{markdown(table.index[0])}** sets the two measures apart most: without it τ is **{without:.3f}** "
        f"instead of {tau:.3f}."
    )


def _between_systems(
    page: SensitivitySettings, own: pd.DataFrame, other: pd.DataFrame, left: DeltaGenerator, right: DeltaGenerator
) -> None:
    with left:
        page.draw("a", "b")
    first, second = page.a, page.b
    if first == second:
        right.info("A system does not differ from itself: choose two.", icon=":material/info:")
        return
    table = pair_contributions(other, own, first, second)
    names = short_names([page.other, page.measure])
    labels = (names[page.other], names[page.measure])
    with right:
        with np.errstate(invalid="ignore"):  # nan: infinite scores on both sides
            x, y = table["x"].sum(), table["y"].sum()
        show.put(
            Headline(
                f"**{named(first)}** less **{named(second)}**: {score_text(x, sign='+')} by "
                f"{markdown(labels[0])}, {score_text(y, sign='+')} by {markdown(labels[1])}: {_who(x, y, labels)}."
            )
        )
        figure = figures.contributions(
            table, labels, f"contribution to {figures.plain(short(first))} less the other", HEIGHT
        )
        show.put(
            Figure(figure, "contributions", f"Contributions of {len(table)} topics; the values are in the table below")
        )
    show.explain(
        "For each topic, what it adds to the difference of the two systems under each measure: the difference of their "
        "scores over the number of topics. All marks of a colour add up to the difference of the means.",
        "Above 0 the first system gains, also where low scores are good. A long line: on this topic the change of the "
        "measure moves the pair; those topics stand at the left.",
        "Open one of these topics and look at the documents that both systems return.",
    )
    shown = table.rename(columns={"x": labels[0], "y": labels[1]})
    show.put(Table(shown, "contributions", height=320))


def _who(x: float, y: float, labels: tuple[str, str]) -> str:
    """Whether the first system is ahead by the two measures, from its differences; above 0 it is the better one."""
    if np.isnan(x + y):
        return "infinite scores on both sides tell nothing"
    places = ["level" if round(one, 12) == 0 else "ahead" if one > 0 else "behind" for one in (x, y)]
    if places[0] == places[1]:
        return f"{places[0]} by both measures"
    return ", ".join(f"{place} by {markdown(label)}" for place, label in zip(places, labels, strict=True))
