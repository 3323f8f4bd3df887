"""The page Topic: one topic, rank by rank: documents, labels, what each adds; and the same edited."""

from __future__ import annotations

from ui.address.settings import address
from ui.data import open_collection
from ui.moved.moved_settings import MovedSettings
from ui.moved.path import path
from ui.stage import show
from ui.topic import what_if
from ui.topic.rank_by_rank import rank_by_rank
from ui.topic.topic_settings import RANKS, WHAT_IF, TopicSettings

EXPLAINED = {
    RANKS: (
        "Each row is a rank, each column an aspect; the number is the grade, and bluer is better. A dot is an "
        "unassessed document. Bars show what the rank adds to the score.",
        "The dotted line marks where two curves split: one system finds a credited document that the other misses.",
        "Try the next topic: topics with the largest differences between the systems shown come first (for one system, "
        "between all systems).",
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
        if came_by_path():
            path(MovedSettings.read(collection, address()), beyond=page.look)
        (rank_by_rank if page.look == RANKS else what_if.draw)(page)
    show.explain(*EXPLAINED[page.look])


def came_by_path() -> bool:
    """Return True if a system that moved led here."""
    return "moved.system" in address()


def draw_controls(page: TopicSettings) -> None:
    page.draw("measure", "look")
    if page.look == RANKS:
        page.draw("topic", "compared", "depth")
    if page.look == WHAT_IF:
        page.draw("topic", "system", "depth")
