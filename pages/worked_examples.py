"""What does each measure say of three documents? Worked examples, with every number's arithmetic written out."""

from __future__ import annotations

import streamlit as st

from ui import collections
from ui.controls import choose
from ui.examples.rbp_by_hand import rbp_by_hand
from ui.examples.three_documents import three_documents

EXAMPLES = ("Three documents", "RBP by hand")


def main() -> None:
    collections.current()
    title = st.empty()
    places = st.columns([2.2, 1.3, 1.9, 1.6], vertical_alignment="bottom")
    with places[0]:
        example = choose("Example", "example", EXAMPLES, segmented=True)
    if example == EXAMPLES[0]:
        title.title("What does each measure say of three documents?", anchor=False)
        three_documents(places[1:])
    else:
        title.title("What does each document add to RBP and uRBP?", anchor=False)
        rbp_by_hand(places[1:])


main()
