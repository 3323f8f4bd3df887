"""What does each measure say of three documents, or of your own? Worked examples, with every number's arithmetic."""

from __future__ import annotations

import streamlit as st

from ui.address import site
from ui.data import open_collection
from ui.teaching.worked_examples.controls import ONE, THREE, YOURS, ExampleSettings
from ui.teaching.worked_examples.each_measure import each_measure
from ui.teaching.worked_examples.three_documents import three_documents
from ui.teaching.worked_examples.your_own import your_own

QUESTIONS = {
    ONE: "How is each measure computed by hand?",
    YOURS: "What does each measure say of your own ranking?",
}


def main() -> None:
    collection = open_collection.current()
    page = ExampleSettings.now(collection)
    site.title("worked_examples", QUESTIONS.get(page.example, ""), collection)
    widths = (3.3, 4.6) if page.example == ONE else (3.3, 1.3, 1.8, 1.5)
    columns = st.columns(widths, vertical_alignment="bottom")
    with columns[0]:
        page.draw("example")
    if page.example == THREE:
        three_documents(page, columns[1:])
    elif page.example == ONE:
        each_measure(page, columns[1])
    else:
        your_own(page)
