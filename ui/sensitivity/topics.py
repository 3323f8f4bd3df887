"""Topics: the ranking without each, and which of them set two measures apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import figures
from evalcore.common.rounding import less
from evalcore.measures import short_names
from ui.address.families import named, plotted_plain, short
from ui.address.highlight import Highlight
from ui.computing.doubt import doubt_calls, leads
from ui.computing.measures import scored
from ui.screen.calls import Call, call, line
from ui.screen.items import At, Columns, Figure, Headline, Item, Metric, Sentence, Table, Text, in_row
from ui.screen.text import counted, markdown, measure_name, score_text
from ui.sensitivity.controls import BETWEEN, HEIGHT, LEAVE, SensitivitySettings
from ui.stage import show

Scores = Call[pd.DataFrame]


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Topics."""
    if len(page.collection.topics) < 2:
        right.info("Leaving a topic out takes two topics at least.", icon=":material/info:")
        return
    with left:
        page.draw("question")
    own = scored("scores", page.measure, page.collection)
    if (own.value.notna().sum() < 2).any():
        right.info("Leaving a topic out takes two topics of every system: one retrieved for a single topic.")
        return
    containers = {"left": left, "right": right}
    if page.question == LEAVE:
        show.screen(_leave_one_out(page, own), containers)
        show.explain(
            "Each bar is a topic: how alike the ranking without it is to the ranking over all topics. A red one "
            "decides who is first: without it another system is.",
            "Short bars: no topic matters much by itself. One long bar: much of the ranking rests on that topic.",
            "See which systems change rank most in the table below; then ask which topics set two measures apart.",
        )
        show.screen(_left_out_tables(own))
    else:
        with left:
            page.draw("other")
            if page.question not in (LEAVE, BETWEEN) and page.other != page.measure:
                page.draw("a", "b")
        _two_measures(page, own, containers)


def _two_measures(page: SensitivitySettings, own: Scores, containers: dict[str, DeltaGenerator]) -> None:
    if page.other == page.measure:
        containers["right"].info("Choose two different measures.", icon=":material/info:")
        return
    other = scored("others", page.other, page.collection)
    if page.question == BETWEEN:
        show.screen(_between_measures(page, own, other), containers)
        show.explain(
            "Each bar is a topic and what it does to the agreement of the two measures: (T − 1) times what τ loses "
            "when it is left out, the influence of the jackknife.",
            "Red, below 0: the topic sets the measures apart. Blue: it holds them together. Steps are whole swaps of "
            "two systems.",
            "Take the topic at the far left and look at two systems on it: Question, Two systems.",
        )
        show.put(Table(_driving(own, other), "driving topics", height=320))
    elif page.a == page.b:
        containers["right"].info("A system does not differ from itself: choose two.", icon=":material/info:")
    else:
        _two_systems(page, own, other, containers)


def _two_systems(page: SensitivitySettings, own: Scores, other: Scores, containers: dict[str, DeltaGenerator]) -> None:
    table = call("table", ec.meta.pair_contributions, other.it, own.it, str(page.a), str(page.b))
    names = short_names([page.other, page.measure])
    labels = (names[page.other], names[page.measure])
    show.screen(_between_systems(page, table, labels), containers)
    show.explain(
        "For each topic, what it adds to the difference of the two systems under each measure: the difference of their "
        "scores over the number of topics. All marks of a colour add up to the difference of the means.",
        "Above 0 the first system gains, also where low scores are good. A long line: on this topic the change of the "
        "measure moves the pair; those topics stand at the left.",
        "Open one of these topics and look at the documents that both systems return.",
    )
    frame = table.value.rename(columns={"x": labels[0], "y": labels[1]})
    show.put(Table(frame, "contributions", height=320, calls=(table,)))


def _without(own: Scores) -> Scores:
    return call("table", ec.leave_one_out, own.it)


def _leave_one_out(page: SensitivitySettings, own: Scores) -> Iterator[Item]:
    """The agreement with the ranking over all topics, without each of them."""
    table = _without(own)
    other_first = line("other_first", (~table.it["same first"]).sum())
    n_topics, lowest = call("n_topics", len, table.it), line("lowest", table.it["tau"].min())
    most = int(table.value["moved"].to_numpy().argmax())
    moved, largest = table.value[["moved", "largest"]].to_numpy()[most]
    at_most = f"{moved}, none by more than {counted(largest, 'rank')}"
    movers = f"Topic {markdown(table.value.index[most])} moves the most systems: {at_most}."
    tau, of = score_text(float(lowest.value), 3), f"{other_first.value} of {n_topics.value}"
    help = "Between the ranking without a topic and over all"
    least = Metric("lowest τ", tau, help=help, calls=(lowest,))
    help = "Topics without which who is first is not the same"
    changes = Metric("other winner", of, help=help, calls=(other_first, n_topics))
    words = Sentence(movers if moved else "No topic moves any system.", caption=True, calls=(table,))
    yield At("left", (in_row(least, changes), words))
    headline = f"Over all topics, by {measure_name(page.measure)}: {leads(own.value)}."
    figure = plotted_plain("", table.it).here(height=HEIGHT)
    alt = f"τ without each of {n_topics.value} topics; the values are in the table Topics"
    yield At("right", (Headline(headline, (own, *doubt_calls(own))), Figure(figure, "leftout", alt)))


def _left_out_tables(own: Scores) -> Iterator[Item]:
    ranges, table = call("ranges", ec.meta.rank_ranges, own.it), _without(own)
    by_topic, decimals = table.value.sort_values("tau"), {"tau": 4}
    topics = Table(by_topic, "topics left out", height=320, decimals=decimals, calls=(table,))
    systems = Table(ranges, "ranks without a topic", height=320)
    yield Columns(((Text("**Topics**"), topics), (Text("**How far systems move**"), systems)), gap="medium")


def _driving(own: Scores, other: Scores) -> Scores:
    return call("table", ec.driving_topics, own.it, other.it)


def _between_measures(page: SensitivitySettings, own: Scores, other: Scores) -> Iterator[Item]:
    """How alike the rankings by two measures are, and what each topic does to that."""
    table = _driving(own, other)
    tau = call("tau", ec.tau, own.it.mean(), other.it.mean())
    error = call("error", ec.meta.jackknife_error, own.it, other.it)
    alike = Metric.of("τ", tau, f"Between {measure_name(page.measure)} and {measure_name(page.other)}, over all topics")
    sure = Metric.of(
        "standard error",
        error,
        "How τ varies between samples of as many topics, by the jackknife that leaves out half of them. τ over all "
        "such topics may lie further off, as the noise of few lowers it: Intervals of τ, in the sidebar, are for that.",
    )
    yield At("left", (in_row(alike, sure),))
    figure = plotted_plain("", table.it).here(height=HEIGHT)
    alt = f"Influence of {len(table.value)} topics on τ; the values are in the table below"
    yield At("right", (Headline(_driver(table.value, tau.value), (table, tau)), Figure(figure, "drivers", alt)))


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


def _between_systems(page: SensitivitySettings, table: Scores, labels: tuple[str, str]) -> Iterator[Item]:
    """What each topic adds to the difference of two systems under both measures."""
    first, second = page.a, page.b
    x, y = (line(column, table.it[column].sum()) for column in ("x", "y"))
    with np.errstate(invalid="ignore"):  # nan: infinite scores on both sides
        sums = x.value, y.value
    by = (f"{score_text(sum, sign='+')} by {markdown(label)}" for sum, label in zip(sums, labels, strict=True))
    headline = f"**{named(first)}** less **{named(second)}**: {', '.join(by)}: {_who(*sums, labels)}."
    title, shown = (f"contribution to {name} less the other" for name in (first, figures.plain(short(str(first)))))
    figure = plotted_plain("", table.it, names=labels, title=title).here(height=HEIGHT, title=shown)
    alt = f"Contributions of {len(table.value)} topics; the values are in the table below"
    yield At("right", (Headline(headline, (x, y)), Figure(figure, "contributions", alt)))


def _who(x: float, y: float, labels: tuple[str, str]) -> str:
    """Whether the first system is ahead by the two measures, from its differences; above 0 it is the better one."""
    if np.isnan(x + y):
        return "infinite scores on both sides tell nothing"
    parts = [
        "level" if round(difference, 12) == 0 else "ahead" if difference > 0 else "behind" for difference in (x, y)
    ]
    if parts[0] == parts[1]:
        return f"{parts[0]} by both measures"
    return ", ".join(f"{place} by {markdown(label)}" for place, label in zip(parts, labels, strict=True))
