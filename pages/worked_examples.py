"""What does each measure say of three documents? Worked examples, with every number's arithmetic written out."""

from __future__ import annotations

import streamlit as st

from ui.frame import open_collection
from ui.frame import site
from ui.worked_examples.controls import THREE, ExampleSettings
from ui.worked_examples.rbp_by_hand import rbp_by_hand
from ui.worked_examples.three_documents import three_documents


def main() -> None:
    page = ExampleSettings.now(open_collection.current())
    if page.example == THREE:
        site.title("worked_examples")
    else:
        st.title("What does each document add to RBP and uRBP?", anchor=False)
    places = st.columns([2.2, 1.3, 1.9, 1.6], vertical_alignment="bottom")
    with places[0]:
        page.draw("example")
    if page.example == THREE:
        three_documents(page, places[1:])
    else:
        rbp_by_hand(page, places[1:])


main()
