"""Does the winner depend on the setting? One parameter of a measure, two, or any number of them; and the topics."""

from __future__ import annotations

import streamlit as st

from evalcore.data import Collection
from evalcore.sensitivity import parameters_of
from ui.frame import open_collection
from ui.widgets import show
from ui.frame import site
from ui.widgets.embedding_note import embedding_note
from ui.frame.highlight import Highlight
from ui.sensitivity import many, motion, one, topics, two
from ui.sensitivity.controls import LOOKS, TOPICS, SensitivitySettings
from ui.widgets.text import counted, markdown

DRAW = dict(zip(LOOKS, (one.draw, two.draw, many.draw, motion.draw, topics.draw), strict=True))


def main() -> None:
    collection = open_collection.current()
    site.title("sensitivity")
    if lack := what_is_missing(collection):
        st.info(lack, icon=":material/info:")
        return
    page, highlight = SensitivitySettings.now(collection), Highlight.now(collection)
    page.draw("look")
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("measure")
        embedding_note(collection, [page.measure], lambda texts: page.change(measure=texts[0]))
    with show.errors():
        if not parameters_of(page.varied, collection) and page.look != TOPICS:
            lack = f"{markdown(page.measure)} has no number that can be varied on this collection; choose another."
            right.info(lack, icon=":material/info:")
            return
        DRAW[page.look](page, highlight, left, right)


def what_is_missing(collection: Collection) -> str:
    """Why there is nothing to show, and what to do; empty where there is."""
    if len(collection.systems) > 1 and collection.topics and collection.aspects:
        return ""
    counts = f"{counted(len(collection.systems), 'system')} and {counted(len(collection.topics), 'topic')}"
    return f"A winner takes two systems and an assessed topic; the open collection has {counts}. Open more runs."


main()
