"""What made it so? One topic, rank by rank: the documents, their labels, what each adds to the score."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import DataError, figures
from evalcore.data import Collection
from evalcore.figures.endless import score_text
from evalcore.measures import Measure
from evalcore.measures.walk import Parting, parting, walk
from evalcore.meta import best_first, ranks
from ui import collections, parts, show
from ui.code import as_python
from ui.controls import choose, choose_many
from ui.measures import choose_measure, scores
from ui.text import markdown

VIEWS = ("Rank by rank", "All topics and systems", "Difference of two measures")
DEPTHS = ("10", "20", "30", "50", "100")
MOST = 3


def main() -> None:
    collection = collections.current()
    st.title("What made it so?", anchor=False)
    left, right = st.columns([0.27, 0.73], gap="medium")
    with left:
        measure = choose_measure(collection, "why", label="Measure")
        try:
            frame = scores(collection, measure)
        except DataError as error:
            show.show_error(error)
            return
        view = choose("Show", "whyview", VIEWS)
        topic = choose("Topic", "topic", topics_by_spread(frame), names=str)
        compared = choose_many("Systems (two or three)", "pair", collection.systems, most=MOST, placeholder="best two")
        compared = compared or list(best_first(frame.mean()).index[:2])
        depth = int(choose("Down to rank", "depth", DEPTHS, "20"))
    with right:
        if view == VIEWS[0]:
            rank_by_rank(collection, measure, frame, topic, compared, depth)
        elif view == VIEWS[1]:
            everything(frame, str(measure))
        else:
            difference(collection, frame, measure)
    show.explain(
        "Each row is a rank, each column an aspect: the darker, the better the label; the number is the grade. A dot "
        "is a document that nobody assessed. Bars: what the rank adds to the score.",
        "Two systems part where one finds a document that the measure credits and the other does not: the dotted line.",
        "Choose a topic where they differ most (topics are sorted by it), or click any cell of the map of all topics.",
    )
    as_python(
        collection,
        "from evalcore.measures.walk import walk",
        f"measure = ec.parse({str(measure)!r})",
        f"at = [c.systems.index(one) for one in {compared!r}], c.topics.index({topic!r})",
        f"tables = [walk(measure, c.assessments, c.rankings, system, at[1], {depth}) for system in at[0]]",
    )


def topics_by_spread(frame: pd.DataFrame) -> list[str]:
    """Topics on which systems differ most, first: those on which some scores are infinite and others not."""
    infinite = np.isinf(frame).sum(axis=1).between(1, frame.shape[1] - 1)
    spread = frame.where(np.isfinite(frame)).std(axis=1, ddof=0).fillna(0.0).mask(infinite, np.inf)
    return list(spread.sort_values(ascending=False, kind="stable").index)


def rank_by_rank(
    collection: Collection, measure: Measure, frame: pd.DataFrame, topic: str, compared: list[str], depth: int
) -> None:
    pool, at = collection.assessments, collection.topics.index(topic)
    rankings = parts.rankings_of(collection, topic)
    walks = {system: walk(measure, pool, rankings, collection.systems.index(system), at, depth) for system in compared}
    # Of one topic there is no mean: who retrieved nothing for it has an empty ranking.
    on_topic = scores(collections.over_all(collection), measure).T[topic]
    headline(collection, frame, on_topic, compared)
    parted = where_they_part(walks)
    scales = dict(pool.scales)
    drawn = figures.ranked_lists(walks, scales, collections.styles(collection), parted.rank if parted else None)
    show.figure(
        drawn, "walk", f"The first {depth} ranks of {', '.join(compared)} on topic {topic}; values in the tables"
    )
    say_parting(walks, parted, list(scales))
    if all("sum so far" in table for table in walks.values()):
        sums = figures.running_sums(walks, collections.styles(collection), parted.rank if parted else None)
        show.figure(sums, "sums", "The score as it grows from rank to rank")
    else:
        st.caption(f"{markdown(measure)} is no sum over ranks: labels are shown, what each rank adds is not.")
    for system, table in walks.items():
        with st.expander(markdown(system)):
            show.table(table, f"{system} on {topic}", height=400)


def headline(collection: Collection, frame: pd.DataFrame, on_topic: pd.Series, compared: list[str]) -> None:
    """The query, and the score and rank of each system on this topic."""
    topic = str(on_topic.name)
    query = collection.queries.get(topic, "")
    st.markdown(f"**Topic {markdown(topic)}** {markdown(query)}")
    place = ranks(on_topic)
    for column, system in zip(st.columns(len(compared)), compared, strict=True):
        mean = score_text(frame[system].mean())
        help = f"Rank {place[system]} of {len(on_topic)} on this topic; mean over topics {mean}"
        column.metric(markdown(system), score_text(on_topic[system]), help=help)


def where_they_part(walks: dict[str, pd.DataFrame]) -> Parting | None:
    tables = list(walks.values())
    if len(tables) < 2 or not all("adds" in table for table in tables):
        return None
    return parting(tables[0]["adds"].tolist(), tables[1]["adds"].tolist())


def say_parting(walks: dict[str, pd.DataFrame], parted: Parting | None, aspects: list[str]) -> None:
    if parted is None:
        return
    first, second = list(walks)[:2]
    ahead, behind = (first, second) if parted.lead > 0 else (second, first)
    st.markdown(
        f"Down to here **{markdown(ahead)}** leads **{markdown(behind)}** by {abs(parted.lead):.4f}. Its largest gain, "
        f"{abs(parted.gain):.4f}, comes at rank {parted.rank}: {found(walks[ahead], parted.rank, aspects)} against "
        f"{found(walks[behind], parted.rank, aspects)}."
    )


def found(table: pd.DataFrame, rank: int, aspects: list[str]) -> str:
    """What a system has at a rank, in words."""
    if rank not in table.index or not table.loc[rank, "document"]:
        return "a document that nobody assessed"
    row = table.loc[rank]
    labels = ", ".join(f"{markdown(name)} {row[name]:.3g}" for name in aspects if pd.notna(row[name]))
    return f"{markdown(row['document'])} ({labels})"


def everything(frame: pd.DataFrame, name: str) -> None:
    st.caption(f"{markdown(name)} of every system on every topic. Click a cell to see what made it so.")
    show.figure(figures.topic_map(frame), "map", f"{name} by topic and system", on_select=go_to, modes=("points",))
    show.table(frame, "scores by topic", height=300)


def difference(collection: Collection, frame: pd.DataFrame, measure: Measure) -> None:
    other = choose_measure(collection, "less", str(other_measure(measure)), label="Less the measure")
    try:
        gap = frame - scores(collection, other)
    except DataError as error:
        show.show_error(error)
        return
    st.caption(f"{markdown(measure)} less {markdown(other)}; blue: the first is higher. Click a cell to see why.")
    drawn = figures.topic_map(gap, difference=True)
    show.figure(drawn, "gap map", f"{measure} less {other} by topic and system", on_select=go_to, modes=("points",))
    show.table(gap, "difference by topic", height=300)


def other_measure(measure: Measure) -> Measure:
    return ec.parse("nDCG@10" if str(measure).startswith("RBP") else "RBP(rho=0.8)")


def go_to(cells: list[str]) -> None:
    """A clicked cell opens its topic and system."""
    if cells:
        topic, _, system = cells[0].partition(" | ")
        others = [one for one in st.session_state.get("pair", []) if one != system]
        st.session_state["topic"] = topic
        st.session_state["pair"] = [system, *others][:2]
        st.session_state["whyview"] = VIEWS[0]


main()
