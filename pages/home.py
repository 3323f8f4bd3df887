"""Home: what this is, five pictures to step into, what is loaded, what to do next."""

from __future__ import annotations

import streamlit as st

from evalcore.data import Collection
from ui.frame import open_collection, site
from ui.home.gallery import GALLERY, fits, show_picture
from ui.widgets.text import markdown


def main() -> None:
    collection = open_collection.current()
    site.title("home")
    st.markdown(
        "Search systems return rankings; assessors label documents for relevance, understandability, credibility. "
        "Which system is best then depends on the measure and its parameters. Move a slider, and the scatter of "
        "systems, their ranking and the correlations answer at once."
    )
    drawn = [picture for picture in GALLERY if fits(picture, collection)]
    cells = [*st.columns(3, gap="small"), *st.columns(3, gap="small")]
    for place, picture in zip(cells, drawn, strict=False):
        with place, st.container(border=True):
            show_picture(picture, collection)
    with cells[len(drawn)]:
        next_steps(collection)


def next_steps(collection: Collection) -> None:
    """What is open, and what the three kinds of readers do next."""
    st.markdown(f"**Open now: {markdown(collection.title)}**  \n{markdown(collection.summary)}")
    site.link("collection", "See how it was read", ":material/folder_open:")
    if collection.passages is not None:
        site.link("focused_retrieval", "How much of what was returned was worth reading?", ":material/menu_book:")
    if collection.navigation is not None:
        site.link("navigation", "What is a result worth if people follow its links?", ":material/account_tree:")
    site.link("guided_path", "Teach: seven steps, each with a question", ":material/school:")
    site.link("papers", "Recompute the tables of five papers", ":material/article:")
    site.link("sensitivity", "Does the winner depend on the setting?", ":material/tune:")
    st.caption("The address bar always holds a link that reopens exactly this view.")


main()
