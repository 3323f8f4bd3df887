"""Home: the finding, one live figure, a door to each question, and what is open."""

from __future__ import annotations

import streamlit as st

from evalcore.data import Collection
from ui.address import site
from ui.address.places import PAGES
from ui.data import open_collection
from ui.home.figure import Card, best_systems, judged_twice, ranks_documents, two_judges, two_rankings
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show
from ui.understandability.reader import question

DOORS = {
    "rank": "Who leads, and how sure are we?",
    "tune": "What if we measured otherwise?",
    "compare": "Which measures agree, who moved, and why?",
    "labels": "Can the labels be trusted?",
    "claim": "What may I write?",
}
NOTHING_TO_RANK = "Nothing to rank: open two systems with labels or scores, or the labels of two judges."


def main() -> None:
    collection = open_collection.titled("home")
    figure(collection)
    doors()
    what_is_open(collection)


def figure(collection: Collection) -> None:
    """The first picture of what is open; of a sample if that has none."""
    if ranks_documents(collection):
        live_card(collection)
    elif "scores" in collection.has and len(collection.systems) > 1:
        show.screen(best_systems(collection))
    elif "runs" not in collection.has and judged_twice(collection):
        show.screen(two_judges(collection))
    else:
        live_card(open_collection.instead(NOTHING_TO_RANK))


def live_card(collection: Collection) -> None:
    """The sliders, and the two rankings that follow them."""
    card = Card.now(collection)
    left, right = show.two_columns(0.27)
    with left:
        card.draw("rho", "threshold")
        live.follow(card, two_rankings, places={"numbers": left, "figure": right})
        if reader := card.reader:
            here = reader.with_(threshold=card.threshold).address()
            given = {key.partition(".")[2]: texts for key, texts in here.items()}
            site.link("understandability", question(reader.column), ":material/arrow_forward:", **given)
        else:
            measure, other = map(str, card.pair)
            asked = "Does the winner depend on how far people read?"
            site.link("sensitivity", asked, ":material/arrow_forward:", measure=measure, other=other)


def doors() -> None:
    """A link to the place of each question."""
    with st.container(horizontal=True, gap="small", key="doors"):
        for place, asked in DOORS.items():
            site.door(place, asked)


def what_is_open(collection: Collection) -> None:
    """The open data, what they can show that others cannot, and where to begin."""
    st.markdown(f"**Open now: {markdown(collection.title)}**  \n{markdown(collection.summary)}")
    with st.container(horizontal=True, gap="small", key="open now"):
        site.link("collection", "See how it was read", ":material/folder_open:")
        for page in PAGES.values():
            if page.data in collection.more:
                site.link(page.stem, page.question, f":material/{page.icon}:")
        site.link("guided_path", "New here? Follow the guided path", ":material/school:")
