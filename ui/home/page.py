"""Home: what this is, a ranking to move, pictures to step into, what is loaded, what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from evalcore.data import Collection
from evalcore.structures.documents import Content
from ui.address import site
from ui.address.places import PAGES
from ui.data import open_collection
from ui.home.first_card import first_card
from ui.home.first_card import fits as first_card_fits
from ui.home.gallery import GALLERY, fits, show_picture
from ui.screen.text import markdown
from ui.shell import live

INTRODUCTIONS: Mapping[frozenset[Content], str] = {
    frozenset({"runs"}): (
        "Search systems return rankings; assessors label documents for relevance, understandability, credibility. "
        "Which system is best then depends on the measure and its parameters. Move a slider, and the scatter of "
        "systems, their ranking and the correlations answer at once."
    ),
    frozenset({"scores"}): (
        "Systems have scores on topics, or models on tasks. Who is best then depends on the measure, on what combines "
        "the topics, and on what a missing score counts; and a rank is as sure as its topics make it."
    ),
    frozenset(): (
        "Several judges labelled the same documents. How far they agree, on which documents they do not, and who "
        "stands apart is shown under Labels."
    ),
}


def main() -> None:
    collection = open_collection.titled("home")
    st.markdown(next(words for needs, words in INTRODUCTIONS.items() if needs <= collection.has))
    cards = [partial(show_picture, picture) for picture in GALLERY if fits(picture, collection)]
    below = first_card_fits(collection) and len(cards) > 4
    if first_card_fits(collection):
        large, small = st.columns([2, 1], gap="small")
        with large, st.container(border=True):
            first_card(collection)
        columns = [small, *([small] if below else []), *st.columns(3, gap="small")]
    else:
        columns = [*st.columns(3, gap="small"), *st.columns(3, gap="small")]
    last = columns[0] if first_card_fits(collection) else columns[len(cards)]
    with live.unmoved():
        for place, card in zip(columns, cards, strict=False):
            with place, st.container(border=True):
                card(collection)
    rows_are_full = below or not (first_card_fits(collection) or len(cards) % 3)
    here, onward = st.columns(2, gap="small") if rows_are_full else (last, last)
    with here:
        what_is_open(collection)
    with onward:
        next_steps(collection)


def what_is_open(collection: Collection) -> None:
    """The open data, and what they can show that others cannot."""
    st.markdown(f"**Open now: {markdown(collection.title)}**  \n{markdown(collection.summary)}")
    site.link("collection", "See how it was read", ":material/folder_open:")
    if collection.source_names:
        alone = "runs" not in collection.has
        question = (
            "How far do the judges agree?" if alone else "Would the ranking stand with the labels of another judge?"
        )
        site.link("labels", question, ":material/group:")
    for page in PAGES.values():
        if page.data in collection.more:
            site.link(page.stem, page.question, f":material/{page.icon}:")


def next_steps(collection: Collection) -> None:
    """What the three kinds of readers do next."""
    site.link("guided_path", "Teach: a guided path, each step with a question", ":material/school:")
    site.link("papers", "Recompute the tables of five papers", ":material/article:")
    if site.works("sensitivity", collection):
        site.link("sensitivity", "Does the winner depend on the setting?", ":material/tune:")
    st.caption("The address bar always holds a link that reopens exactly this view.")
