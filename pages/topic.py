"""What made it so, and what if? One topic, rank by rank: documents, labels, what each adds; and the same edited."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.explain.rank_by_rank import LargestGap, largest_gap
from evalcore.figures.endless import score_text
from evalcore.meta import ranks
from ui.address import families, site
from ui.address.families import named
from ui.computing.measures import scores
from ui.computing.ranked import document_at, read_down
from ui.data import open_collection
from ui.data.as_python import as_python
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import markdown
from ui.stage import show
from ui.topic import what_if
from ui.topic.controls import DIFFERENCE, MAP, RANKS, WHAT_IF, TopicSettings
from ui.widgets.beside import two_columns

EXPLAINED = {
    RANKS: (
        "Each row is a rank, each column an aspect: the darker, the better the label; the number is the grade. A dot "
        "is a document that nobody assessed. Bars: what the rank adds to the score.",
        "Two systems part where one finds a document that the measure credits and the other does not: the dotted line.",
        "Take the next topic: they are listed by how far the systems shown are apart (of one alone: all systems). Or "
        "click any cell of the map of all topics.",
    ),
    MAP: (
        "Each cell is a topic and a system: the darker, the better the score. Systems stand from the best to the "
        "worst, topics from the easiest to the hardest.",
        "A row of one shade is a topic that does not tell systems apart. A light cell in a dark column is a topic on "
        "which a good system failed.",
        "Click a cell: its topic opens rank by rank.",
    ),
    DIFFERENCE: (
        "Each cell is what one measure gives a system on a topic, less what the other gives it. White: both say the "
        "same.",
        "A row of one colour is a topic on which all systems gain by one of the measures; a column of another colour "
        "than its neighbours is a system that the choice of measure treats differently.",
        "Click a cell: its topic opens rank by rank, under both measures.",
    ),
    WHAT_IF: what_if.EXPLANATION,
}


def main() -> None:
    collection = open_collection.current()
    site.title("topic")
    page = TopicSettings.now(collection)
    collection = page.collection
    left, right = two_columns(0.27)
    with left:
        draw_controls(page)
    with right, show.errors():
        {RANKS: rank_by_rank, MAP: everything, DIFFERENCE: difference, WHAT_IF: what_if.draw}[page.look](page)
    show.explain(*EXPLAINED[page.look])
    as_python(collection, *python_lines(page))


def draw_controls(page: TopicSettings) -> None:
    page.draw("measure", "look")
    if page.look == RANKS:
        page.draw("topic", "compared", "depth", "both")
    if page.look == WHAT_IF:
        page.draw("topic", "system", "depth")
    if page.look == DIFFERENCE or (page.look == RANKS and page.both):
        page.draw("less")


def python_lines(page: TopicSettings) -> list[str]:
    """What recomputes each number of the look."""
    if page.look == WHAT_IF:
        return what_if.python_lines(page)
    if page.look == MAP:
        scores = f"scores = ec.evaluate({page.measure!r}, c)"
        return [
            "from evalcore import figures",
            "",
            scores,
            *families.code(page.collection),
            "figures.topic_map(scores, styles=styles)",
        ]
    if page.look == DIFFERENCE:
        gap = f"gap = ec.evaluate({page.measure!r}, c) - ec.evaluate({page.less!r}, c)"
        return [
            "from evalcore import figures",
            "",
            gap,
            *families.code(page.collection),
            "figures.topic_map(gap, True, styles)",
        ]
    compared = list(page.compared)
    less = [f'less = ec.evaluate({page.less!r}, c, topics="all").loc[topic, systems]', "gap = scores[systems] - less"]
    less.append(
        f"others = [walk(ec.parse({page.less!r}), c.assessments, c.rankings, *one, {page.depth}) for one in at]"
    )
    return [
        "from evalcore import figures",
        "from evalcore.explain.rank_by_rank import largest_gap, walk",
        "from evalcore.meta import ranks",
        "",
        f"measure, systems, topic = ec.parse({page.measure!r}), {compared!r}, {page.topic!r}",
        'scores = ec.evaluate(measure, c, topics="all").T[topic]',
        "places, means = ranks(scores)[systems], ec.evaluate(measure, c).mean()[systems]",
        "at = [(c.systems.index(system), c.topics.index(topic)) for system in systems]",
        f"walks = [walk(measure, c.assessments, c.rankings, *one, {page.depth}) for one in at]",
        'adds = [table["adds"].tolist() for table in walks if "adds" in table][:2]',
        "parted = largest_gap(*adds) if len(adds) == 2 else None",
        *(less if page.both else []),
        *families.code(page.collection),
        "marked = parted.rank if parted else None",
        "figures.ranked_lists(dict(zip(systems, walks)), c.assessments.scales, styles, marked)",
    ]


def rank_by_rank(page: TopicSettings) -> None:
    collection, compared = page.collection, list(page.compared)
    headline(page)
    walks = walks_of(page, page.measure)
    parted = where_they_part(walks)
    scales, styles = dict(collection.assessments.scales), open_collection.styles(collection)
    drawn = figures.ranked_lists(walks, scales, styles, parted.rank if parted else None)
    alt = f"The first {page.depth} ranks of {', '.join(compared)} on topic {page.topic}; values in the tables"
    show.put(Figure(drawn, "walk", alt))
    say_parting(walks, parted, list(scales))
    draw_sums(page, page.measure, walks, "sums")
    if page.both and page.less != page.measure:
        draw_sums(page, page.less, walks_of(page, page.less), "sums by the other")
    for system, table in walks.items():
        with st.expander(named(system)):
            show.put(Table(table, f"{system} on {page.topic}", height=400))


def walks_of(page: TopicSettings, measure: str) -> dict[str, pd.DataFrame]:
    return {one: read_down(page.collection, measure, one, page.topic, page.depth) for one in page.compared}


def headline(page: TopicSettings) -> None:
    """The query, and the score and rank of each system on this topic; by both measures if asked."""
    query = page.collection.queries.get(page.topic, "")
    st.markdown(f"**Topic {markdown(page.topic)}** {markdown(query)}")
    compared = list(page.compared)
    on_topic, means = page.by_topic(page.measure).T[page.topic], scores(page.collection, page.measure).mean()
    place = ranks(on_topic)
    for column, system in zip(st.columns(len(compared)), compared, strict=True):
        where = f"rank {place[system]} of {len(on_topic)} on this topic"
        help = f"{markdown(system)}: {where}; mean over topics {score_text(means[system])}"
        show.metric(column, named(system), score_text(on_topic[system]), help=help)
    if page.both:
        less = page.by_topic(page.less).T[page.topic]
        table = pd.DataFrame({page.measure: on_topic, page.less: less, "difference": on_topic - less})
        show.put(Table(table.loc[compared].rename_axis("system"), f"both measures on {page.topic}"))


def where_they_part(walks: Mapping[str, pd.DataFrame]) -> LargestGap | None:
    tables = list(walks.values())
    if len(tables) < 2 or not all("adds" in table for table in tables):
        return None
    return largest_gap(tables[0]["adds"].tolist(), tables[1]["adds"].tolist())


def say_parting(walks: Mapping[str, pd.DataFrame], parted: LargestGap | None, aspects: list[str]) -> None:
    if len(walks) < 2 or not all("adds" in table for table in walks.values()):
        return
    first, second = list(walks)[:2]
    if parted is None:
        show.put(Headline(f"Down to here **{named(first)}** and **{named(second)}** are level."))
        return
    ahead, behind = (first, second) if parted.lead > 0 else (second, first)
    show.put(
        Headline(
            f"Down to here **{named(ahead)}** leads **{named(behind)}** by {abs(parted.lead):.4f}. Its largest "
            f"gain, {abs(parted.gain):.4f}, comes at rank {parted.rank}: "
            f"{document_at(walks[ahead], parted.rank, aspects)} against "
            f"{document_at(walks[behind], parted.rank, aspects)}."
        )
    )


def draw_sums(page: TopicSettings, measure: str, walks: Mapping[str, pd.DataFrame], key: str) -> None:
    if not all("sum so far" in table for table in walks.values()):
        st.caption(f"{markdown(measure)} is no sum over ranks: labels are shown, what each rank adds is not.")
        return
    parted = where_they_part(walks)
    if page.both:
        st.caption(f"By {markdown(measure)}:")
    figure = figures.running_sums(walks, open_collection.styles(page.collection), parted.rank if parted else None)
    show.put(Figure(figure, key, f"The score by {measure} as it grows from rank to rank"))


def everything(page: TopicSettings) -> None:
    frame = scores(page.collection, page.measure)
    st.caption(f"{markdown(page.measure)} of every system on every topic. Click a cell to see what made it so.")
    alt = f"{page.measure} by topic and system"
    drawn = figures.topic_map(frame, styles=open_collection.styles(page.collection))
    show.put(Figure(drawn, "map", alt, on_select=page.open_cell, modes=("points",)))
    show.put(Table(frame, "scores by topic", height=300))


def difference(page: TopicSettings) -> None:
    gap = scores(page.collection, page.measure) - scores(page.collection, page.less)
    both = f"{markdown(page.measure)} less {markdown(page.less)}"
    st.caption(f"{both}; blue: the first is higher, red: the second. Click a cell to see why.")
    drawn = figures.topic_map(gap, True, open_collection.styles(page.collection))
    alt = f"{page.measure} less {page.less} by topic and system"
    show.put(Figure(drawn, "gap map", alt, on_select=page.open_cell, modes=("points",)))
    show.put(Table(gap, "difference by topic", height=300))


main()
