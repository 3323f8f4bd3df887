"""What made it so, and what if? One topic, rank by rank: documents, labels, what each adds; and the same edited."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from evalcore import figures
from ui.address import families
from ui.computing.measures import scored
from ui.data import open_collection
from ui.screen.calls import Call, call, line
from ui.screen.items import Figure, Item, Table, Text
from ui.screen.text import measure_name, reading_name
from ui.stage import show
from ui.topic import what_if
from ui.topic.controls import DIFFERENCE, MAP, RANKS, WHAT_IF, TopicSettings
from ui.topic.rank_by_rank import rank_by_rank

EXPLAINED = {
    RANKS: (
        "Each row is a rank, each column an aspect: the darker, the better the label; the number is the grade. A dot "
        "is a document that nobody assessed. Bars: what the rank adds to the score.",
        "Two systems part where one finds a document that the measure credits and the other does not: the dotted line.",
        "Take the next topic: topics are listed by how far apart the systems shown are (for one system: all systems). "
        "Or click any cell of the map of all topics.",
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
    collection = open_collection.titled("topic")
    page = TopicSettings.now(collection)
    left, right = show.two_columns(0.27)
    with left:
        draw_controls(page)
    with right, show.errors():
        draw(page)
    show.explain(*EXPLAINED[page.look])


def draw_controls(page: TopicSettings) -> None:
    page.draw("measure", "look")
    if page.look == RANKS:
        page.draw("topic", "compared", "depth", "both")
    if page.look == WHAT_IF:
        page.draw("topic", "system", "depth")
    if page.look == DIFFERENCE or (page.look == RANKS and page.both):
        page.draw("less")


def draw(page: TopicSettings) -> None:
    """The look. Raises InputError where the collection has no answer."""
    if page.look == RANKS:
        rank_by_rank(page)
    elif page.look == WHAT_IF:
        what_if.draw(page)
    else:
        show.screen((scores_of_all if page.look == MAP else difference)(page))


def scores_of_all(page: TopicSettings) -> Iterator[Item]:
    """The scores of every system on every topic."""
    scores = scored("scores", page.measure, page.collection)
    yield Text.note(
        f"{measure_name(page.measure)} of every system on every topic. Click a cell to see what made it so."
    )
    yield topic_map(page, "map", scores, f"{page.measure} by topic and system")
    yield Table(scores, "scores by topic", height=300)


def difference(page: TopicSettings) -> Iterator[Item]:
    """What one measure gives each system on each topic, less what the other gives it."""
    x, y = (scored("", measure, page.collection) for measure in (page.measure, page.less))
    gap = line("gap", x.it - y.it)
    words = f"{measure_name(page.measure)} less {measure_name(page.less)}"
    yield Text.note(f"{words}; blue: the first is higher, red: the second. Click a cell to see why.")
    alt = f"{reading_name(page.measure)} less {reading_name(page.less)} by topic and system"
    yield topic_map(page, "gap map", gap, alt, difference=True)
    yield Table(gap, "difference by topic", height=300)


def topic_map(
    page: TopicSettings, key: str, scores: Call[pd.DataFrame], alt: str, *, difference: bool | None = None
) -> Figure:
    """A map whose cells open their topic rank by rank."""
    own = families.styles_of(page.collection)
    figure = call("", figures.topic_map, scores.it, difference=bool(difference), styles=own)
    return Figure(figure, key, alt, page.open_cell, ("points",))
