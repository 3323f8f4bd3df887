"""Does the winner depend on the setting? One parameter of a measure, two, or any number of them; and the topics."""

from __future__ import annotations

from ui.address.highlight import Highlight
from ui.data import open_collection
from ui.screen.text import measure_name
from ui.sensitivity import many, one, topics, two
from ui.sensitivity.controls import LOOKS, TOPICS, SensitivitySettings
from ui.stage import show
from ui.widgets.embedding_note import embedding_note

DRAW = dict(zip(LOOKS, (one.draw, two.draw, many.draw, topics.draw), strict=True))


def main() -> None:
    collection = open_collection.ranked("sensitivity", "A winner")
    page, highlight = SensitivitySettings.now(collection), Highlight.now(collection)
    collection = page.collection
    page.draw("look")
    left, right = show.two_columns()
    with left:
        page.draw("measure")
        embedding_note(collection, [page.measure], lambda texts: page.change(measure=texts[0]))
    with show.errors():
        if not page.known and page.look != TOPICS:
            lack = f"{measure_name(page.measure)} has nothing that can be varied on this collection; choose another."
            right.info(lack, icon=":material/info:")
            return
        DRAW[page.look](page, highlight, left, right)
