"""Home: one live figure with its finding, a link for each question, and the open collection."""

from __future__ import annotations

from importlib import import_module

import streamlit as st

from evalcore.data import Collection
from ui import subjects
from ui.address import site
from ui.address.places import PAGES
from ui.data import open_collection
from ui.home import texts
from ui.home.figure import Card, ranks_documents, two_rankings
from ui.shell import live
from ui.stage import show
from ui.understandability.texts import question

FIRST_PICTURES = subjects.added("FIRST_PICTURES")


def main() -> None:
    collection = open_collection.titled("home")
    figure(collection)
    doors()
    what_is_open(collection)


def figure(collection: Collection) -> None:
    """Show the first figure that fits the open collection, or a sample's figure if none fits."""
    if ranks_documents(collection):
        live_card(collection)
    elif picture := next((one for one in map(import_module, FIRST_PICTURES) if one.fits(collection)), None):
        show.screen(picture.draw(collection))
    else:
        live_card(open_collection.instead(texts.NOTHING_TO_RANK))


def live_card(collection: Collection) -> None:
    """Show the sliders, and the scatter of two measures that follows them."""
    card = Card.now(collection)
    left, right = show.two_columns(0.27)
    with left:
        card.draw("rho", "threshold")
        live.follow(card, two_rankings, places={"numbers": left, "figure": right})
        if reader := card.reader:
            here = reader.with_(threshold=card.threshold).address()
            given = {key.partition(".")[2]: values for key, values in here.items()}
            site.link("understandability", question(reader.column), ":material/arrow_forward:", **given)
        else:
            measure, other = map(str, card.pair)
            site.link("sensitivity", texts.FIRST_QUESTION, ":material/arrow_forward:", measure=measure, other=other)


def doors() -> None:
    """Show one link per question, to the menu entry whose pages answer it."""
    with st.container(horizontal=True, gap="small", key="doors"):
        for place, asked in texts.DOORS.items():
            site.door(place, asked)


def what_is_open(collection: Collection) -> None:
    """Show the open collection, links to the pages that its special data allow, and a link for beginners."""
    st.markdown(texts.open_now(collection.title, collection.summary))
    with st.container(horizontal=True, gap="small", key="open now"):
        site.link("collection", texts.HOW_IT_WAS_READ, ":material/folder_open:")
        for page in PAGES.values():
            if page.data in collection.more:
                site.link(page.stem, page.question, f":material/{page.icon}:")
        site.link("guided_path", texts.GUIDED_PATH, ":material/school:")
