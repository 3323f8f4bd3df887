"""The page Worked examples: rankings small enough for pencil and paper, with the arithmetic of every number."""

from __future__ import annotations

import streamlit as st

from evalcore import InputError
from evalcore.teaching.typed_rankings import SYSTEM, TOPIC
from ui.address import site
from ui.address.edits import MOST, buttons
from ui.computing.measures import frames
from ui.data import open_collection
from ui.stage import show
from ui.teaching.worked_examples import reading, texts
from ui.teaching.worked_examples.example_settings import READABILITY, ExampleSettings
from ui.teaching.worked_examples.worked import Worked, draw
from ui.widgets.ranking_table import KEYS, ranking_table, rows_of


def main() -> None:
    page = ExampleSettings.now(open_collection.current())
    question = texts.READABILITY if page.one == READABILITY else ""
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
    show.explain(*(texts.READING_A_TEXT if page.one == READABILITY else texts.READING_A_RANKING))


def worked_out(page: ExampleSettings) -> None:
    """Show the ranking to edit, and its score under each measure.

    Raises InputError if the written ranking cannot be read, or if no measure fits.
    """
    if isinstance(page.yours, InputError):
        raise page.yours
    worked = Worked(page)
    if page.yours is not None:
        worked = Worked(page, tuple(frames(worked.after.value, page.measures or ())))
        if not worked.measures:
            raise InputError(texts.NO_MEASURE)
        with st.container(horizontal=True, gap="small"):
            buttons(page)
        walk = worked.walks.value[worked.measures[0]]
        ranking_table("own ranking", rows_of(page.yours, page.made, SYSTEM, TOPIC, walk, MOST, KEYS), page.make)
    show.screen(draw(worked))
