"""The page Worked examples: small enough for a pencil, with the arithmetic of every number."""

from __future__ import annotations

import streamlit as st

from evalcore import InputError
from evalcore.teaching.typed_rankings import SYSTEM, TOPIC
from ui.address import site
from ui.address.edits import MOST, buttons
from ui.computing.measures import frames
from ui.data import open_collection
from ui.stage import show
from ui.teaching.worked_examples import reading
from ui.teaching.worked_examples.example_settings import READABILITY, ExampleSettings
from ui.teaching.worked_examples.worked import Worked, draw
from ui.widgets.ranking_table import KEYS, ranking_table, rows_of

HOW = (
    "One ranking with its labels, its score by each measure, and the sum that gives the score.",
    "*adds* is the rise of the score at a rank. For a measure with a reader model, C is the share of readers at a rank "
    "who continue, W the share of all reading done there, L the share who stop there; the score is the sum of W times "
    "the gains.",
    "Compute the score on paper before you look at the sum. Then drag a document to another rank, choose another "
    "label, or write your own ranking, and see which measures change.",
)


def main() -> None:
    page = ExampleSettings.now(open_collection.current())
    question = "How hard is a text to read?" if page.one == READABILITY else ""
    site.title("worked_examples", question, page.collection)
    left, right = show.two_columns(0.32)
    with left:
        page.draw("one", "measures", "text")
        if page.written is not None:
            with st.expander("Write another ranking", expanded=isinstance(page.yours, InputError)):
                page.draw("written")
    with right, show.errors():
        if page.one == READABILITY:
            show.screen(reading.draw(page.text))
        else:
            worked_out(page)
    show.explain(*(reading.HOW if page.one == READABILITY else HOW))


def worked_out(page: ExampleSettings) -> None:
    """Show the ranking to edit, and what each measure says of it."""
    if isinstance(page.yours, InputError):
        raise page.yours
    worked = Worked(page)
    if page.yours is not None:
        worked = Worked(page, tuple(frames(worked.after.value, page.measures or ())))
        if not worked.measures:
            raise InputError("none of the measures fits these aspects; choose another measure")
        with st.container(horizontal=True, gap="small"):
            buttons(page)
        walk = worked.walks.value[worked.measures[0]]
        ranking_table("own ranking", rows_of(page.yours, page.made, SYSTEM, TOPIC, walk, MOST, KEYS), page.make)
    show.screen(draw(worked))
