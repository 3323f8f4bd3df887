"""Rankings of one topic, rank by rank: documents, labels, what each rank adds, and where one ranking gains most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.explain import largest_gap, read_down
from evalcore.explain.rank_by_rank import CUT, LargestGap, subtopics_of
from ui.address import families
from ui.address.families import named
from ui.computing.measures import averaged, scored
from ui.computing.ranked import document_at
from ui.screen.calls import Call, call, keyed, line, record
from ui.screen.items import Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import markdown, score_text
from ui.stage import show
from ui.topic import texts
from ui.topic.topic_settings import TopicSettings


def rank_by_rank(page: TopicSettings) -> None:
    """Draw the view Rank by rank, with the table of each ranking in a folded box."""
    walks = walks_of(page)
    show.screen(draw(page, walks))
    for system, table in walks.value.items():
        with st.expander(named(system)):
            show.put(Table(table, f"{system} on {page.topic}", height=400, calls=(walks,)))


def draw(page: TopicSettings, walks: Call[dict[str, pd.DataFrame]]) -> Iterator[Item]:
    """Yield the scores, the rankings, the leader and where it gains most, the subtopics, and the running sums."""
    yield from headline(page)
    parted = gap_between(walks)
    yield ranked_lists(page, walks)
    if parted:
        yield parting(walks, parted, list(page.collection.assessments.scales))
    yield from met(page, walks)
    yield from sums(page, walks)


def walks_of(page: TopicSettings) -> Call[dict[str, pd.DataFrame]]:
    """Return the call that maps each system to the table of its first ranks, with what each rank adds to the score."""

    def walk(system: str) -> pd.DataFrame:
        return record(read_down)(page.measure, page.collection, system, page.topic, page.depth)

    return line("walks", keyed(list(page.compared), walk))


def headline(page: TopicSettings) -> Iterator[Item]:
    """Yield the topic with its query, and the score of each compared system; the help text states the system's rank."""
    yield titled(page)
    scores, compared = page.on_topic("scores", page.measure), list(page.compared)
    places = call("places", ec.ranks, scores.it)
    means = line("means", averaged(scored("", page.measure, page.collection)).it)

    metrics = list[Metric]()
    for system in compared:
        help = texts.place(system, places.value[system], len(scores.value), means.value[system])
        score = score_text(scores.value[system])
        metrics.append(Metric(named(system), score, help=help, calls=(scores, places, means)))
    yield in_row(*metrics)


def titled(page: TopicSettings) -> Text:
    """Return a text with the topic and its query."""
    query = page.collection.queries.get(page.topic, "")
    return Text(f"**Topic {markdown(page.topic)}** {markdown(query)}")


def gap_between(walks: Call[dict[str, pd.DataFrame]]) -> Call[LargestGap | None] | None:
    """Return the call that finds the rank at which the leading one of two rankings gains most.

    None if there are fewer than two rankings, or if their scores are not sums over ranks.
    """
    tables = walks.value
    if len(tables) < 2 or not all("adds" in table and CUT not in table.attrs for table in tables.values()):
        return None
    first, second = (walks.it[system]["adds"] for system in list(tables)[:2])
    return call("parted", largest_gap, first, second)  # type: ignore[arg-type]  # pandas declares no Sequence


def ranked_lists(page: TopicSettings, walks: Call[dict[str, pd.DataFrame]]) -> Figure:
    """Return the figure of the rankings side by side."""
    scales = record(page.collection).assessments.scales
    own, rank = families.styles_of(page.collection), parted_at(walks)
    figure = call("", figures.ranked_lists, walks.it, scales, styles=own, marked=rank)
    return Figure(figure, "walk", texts.rankings(page.depth, ", ".join(page.compared), page.topic))


def parted_at(walks: Call[dict[str, pd.DataFrame]]) -> int | None:
    """Return the rank at which the leading ranking gains most, recorded for As Python; None if neither leads."""
    parted = gap_between(walks)
    found = cast("Call[LargestGap]", parted)
    return found.it.rank if parted and parted.value else None


def parting(walks: Call[dict[str, pd.DataFrame]], parted: Call[LargestGap | None], aspects: list[str]) -> Headline:
    """Return a headline: which of two rankings leads after the ranks shown, and the rank at which it gains most."""
    tables, gap = walks.value, parted.value
    first, second = list(tables)[:2]
    if gap is None:
        return Headline(texts.level(first, second), (parted,))
    ahead, behind = (first, second) if gap.lead > 0 else (second, first)
    there = " against ".join(document_at(tables[side], gap.rank, aspects) for side in (ahead, behind))
    return Headline(texts.leads(ahead, behind, gap, there), (parted,))


def met(page: TopicSettings, walks: Call[dict[str, pd.DataFrame]]) -> Iterator[Item]:
    """Yield a text and a figure on the subtopics that each ranking covers, if the topic has subtopics."""
    found: Any = record(subtopics_of)(page.collection, page.topic)
    names: Call[list[str]] = call("subtopics", list, found)
    if page.collection.subtopics is None or not names.value:
        return
    ranks = {name: sum(len(cell.split(", ")) for cell in table["new"] if cell) for name, table in walks.value.items()}
    yield Text(texts.subtopics(ranks, len(names.value)), calls=(walks, names))
    figure = call("", figures.subtopics_met, walks.it, names.it, styles=families.styles_of(page.collection))
    yield Figure(figure, "subtopics", texts.SUBTOPICS)


def sums(page: TopicSettings, walks: Call[dict[str, pd.DataFrame]]) -> Iterator[Item]:
    """Yield the figure of the score as it grows from rank to rank, or a note if it is not a sum over ranks."""
    measure = page.measure
    if not are_sums(walks.value):
        yield Text.note(f"{markdown(measure)}{texts.NO_SUM}")
        return
    if any(table.attrs.get(CUT) for table in walks.value.values()):
        yield Text.note(f"{markdown(measure)}{texts.AS_IT_GROWS}")
    own, rank = families.styles_of(page.collection), parted_at(walks)
    figure = call("", figures.running_sums, walks.it, styles=own, marked=rank)
    yield Figure(figure, "sums", texts.sums(measure))


def are_sums(walks: Mapping[str, pd.DataFrame]) -> bool:
    """Return True if every ranking's table has the running sum of its score."""
    return all("sum so far" in table for table in walks.values())
