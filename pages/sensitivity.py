"""Does the winner depend on the setting? One parameter of a measure, two, or any number of them; and the topics."""

from __future__ import annotations

import streamlit as st

from evalcore.sensitivity import parameters_of
from ui.frame import open_collection, site
from ui.frame.highlight import Highlight
from ui.sensitivity import many, motion, one, topics, two
from ui.sensitivity.controls import LOOKS, TOPICS, SensitivitySettings
from ui.widgets import show
from ui.widgets.beside import two_columns
from ui.widgets.embedding_note import embedding_note
from ui.widgets.text import markdown

DRAW = dict(zip(LOOKS, (one.draw, two.draw, many.draw, motion.draw, topics.draw), strict=True))


def main() -> None:
    collection = open_collection.current()
    site.title("sensitivity")
    if lack := open_collection.lacks_a_ranking(collection, "A winner"):
        st.info(lack, icon=":material/info:")
        return
    page, highlight = SensitivitySettings.now(collection), Highlight.now(collection)
    page.draw("look")
    left, right = two_columns()
    with left:
        page.draw("measure")
        embedding_note(collection, [page.measure], lambda texts: page.change(measure=texts[0]))
    with show.errors():
        if not parameters_of(page.varied, collection) and page.look != TOPICS:
            lack = f"{markdown(page.measure)} has no number that can be varied on this collection; choose another."
            right.info(lack, icon=":material/info:")
            return
        DRAW[page.look](page, highlight, left, right)


main()
