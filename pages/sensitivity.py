"""Does the winner depend on the setting? One parameter of a measure, two, or any number of them; and the topics."""

from __future__ import annotations

import streamlit as st

from evalcore.data import Collection
from evalcore.sensitivity import parameters_of
from ui import collections, show
from ui.controls import choose
from ui.embedding_note import embedding_note
from ui.measures import choose_measure
from ui.sensitivity import many, motion, one, topics, two
from ui.sensitivity.controls import default_text
from ui.text import markdown

VIEWS = {
    "One parameter": one.draw,
    "Two parameters": two.draw,
    "Any number": many.draw,
    "Motion": motion.draw,
    "Topics": topics.draw,
}


def main() -> None:
    collection = collections.current()
    st.title("Does the winner depend on the setting?", anchor=False)
    if lack := what_is_missing(collection):
        st.info(lack, icon=":material/info:")
        return
    view = choose("What varies", "vary", list(VIEWS), segmented=True)
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        measure = choose_measure(collection, "varied", default_text(collection))
        embedding_note(collection, [str(measure)], lambda texts: st.session_state.update(varied=texts[0]))
    with show.errors():
        known = parameters_of(measure, collection)
        if not known and view != "Topics":
            lack = f"{markdown(measure)} has no number that can be varied on this collection; choose another measure."
            right.info(lack, icon=":material/info:")
            return
        VIEWS[view](collection, measure, known, left, right)


def what_is_missing(collection: Collection) -> str:
    """Why there is nothing to show, and what to do; empty where there is."""
    if len(collection.systems) > 1 and collection.topics and collection.aspects:
        return ""
    counts = f"{len(collection.systems)} system(s) and {len(collection.topics)} topic(s)"
    return f"A winner takes two systems and an assessed topic; the open collection has {counts}. Open more runs."


main()
