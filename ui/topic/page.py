"""The page Topic: one topic, rank by rank, with documents, labels and what each rank adds, as it is or after edits."""

from __future__ import annotations

from ui.address.settings import address
from ui.data import open_collection
from ui.moved.moved_settings import MovedSettings
from ui.moved.path import path
from ui.stage import show
from ui.topic import texts, what_if
from ui.topic.rank_by_rank import rank_by_rank
from ui.topic.topic_settings import RANKS, WHAT_IF, TopicSettings


def main() -> None:
    collection = open_collection.titled("topic")
    page = TopicSettings.now(collection)
    left, right = show.two_columns(0.27)
    with left:
        draw_controls(page)
    with right, show.errors():
        if "moved.system" in address():  # opened from the page Who moved
            path(MovedSettings.read(collection, address()), beyond=page.look)
        (rank_by_rank if page.look == RANKS else what_if.draw)(page)
    show.explain(*(texts.READING_RANKS if page.look == RANKS else texts.READING_WHAT_IF))


def draw_controls(page: TopicSettings) -> None:
    page.draw("measure", "look")
    if page.look == RANKS:
        page.draw("topic", "compared", "depth")
    if page.look == WHAT_IF:
        page.draw("topic", "system", "depth")
