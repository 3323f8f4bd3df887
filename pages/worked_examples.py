"""What does each measure say of three documents, or of your own? Worked examples, with every number's arithmetic."""

from __future__ import annotations

import streamlit as st

from ui.address import site
from ui.data import open_collection
from ui.worked_examples.controls import BY_HAND, THREE, ExampleSettings
from ui.worked_examples.rbp_by_hand import rbp_by_hand
from ui.worked_examples.three_documents import three_documents
from ui.worked_examples.your_own import your_own


def main() -> None:
    page = ExampleSettings.now(open_collection.current())
    if page.example == THREE:
        site.title("worked_examples")
    elif page.example == BY_HAND:
        site.title("worked_examples", "What does each document add to RBP and uRBP?")
    else:
        site.title("worked_examples", "What does each measure say of your own ranking?")
    places = st.columns([2.9, 1.3, 1.8, 1.5], vertical_alignment="bottom")
    with places[0]:
        page.draw("example")
    if page.example == THREE:
        three_documents(page, places[1:])
    elif page.example == BY_HAND:
        rbp_by_hand(page, places[1:])
    else:
        your_own(page)


main()
