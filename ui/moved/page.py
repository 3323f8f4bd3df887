"""The page Who moved: from systems to topics to documents, step by step."""

from __future__ import annotations

from ui.data import open_collection
from ui.moved import documents, systems, topics
from ui.moved.moved_settings import MovedSettings
from ui.moved.path import path
from ui.stage import show


def main() -> None:
    page = MovedSettings.now(open_collection.ranked("moved", "To move"))
    left, right = show.two_columns(0.27)
    with left:
        page.draw("x", "y", "system", "topic")
        if page.topic:
            page.draw("depth")
    if page.x == page.y:
        right.info("Choose two different measures.", icon=":material/info:")
        return
    with right, show.errors():
        path(page)
        step = systems if not page.system else topics if not page.topic else documents
        step.show_step(page)
