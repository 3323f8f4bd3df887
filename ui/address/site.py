"""The open page of a place, the menu, and links from page to page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.data import Collection
from ui.address import settings
from ui.address.families import named
from ui.address.page import IN_WORDS, NEEDS, Page
from ui.address.places import DATA, HOME, LEARN, PAGES, PLACES, file_of, keys_of, pages_of, to_page
from ui.address.settings import Settings, setting
from ui.screen.text import listed
from ui.widgets.callback import callback
from ui.widgets.fields import Choice

SHARED = ("data", "systems", "doubt")  # shared settings that a link may set
OF_OPEN_DATA = {"exercises"}  # pages of Learn that use the open collection


@dataclass(frozen=True)
class Opened(Settings, page=None, lasts=True):
    """Setting of the open page of a place."""

    view: str = setting(lambda of: _views(of.PAGE, of.collection))

    @property
    def works_on(self) -> None:
        """None, because the data for captions and reports come from the settings of the open page."""

    @callback
    def change(self, **changes: Any) -> None:
        """Open another page of the place.

        If the place has a select box for its pages, the new page shows the same view (`look`) as the current page.
        """
        here, view = settings.address(), changes["view"]
        there = self.read(self.collection, here).with_(**changes).address()
        if PLACES[str(self.PAGE)].chooser:
            there[f"{view}.look"] = here.get(f"{self.view}.look", [])
        on = st.session_state.get(settings.MADE_ON)
        now = {**here, self.key("view"): [], **there, **({settings.MADE_ON: [on]} if on else {})}
        settings.write({key: texts for key, texts in now.items() if texts})

    def words(self, all: bool = True) -> list[tuple[str, str]]:
        return []


def _views(place: str, collection: Collection) -> Choice:
    """Return the field for the pages of a place; by default the first page whose data the collection has."""
    pages = pages_of(place)
    held = len(collection.aspects) + len(collection.signals)
    fitting = (page for page in pages if works(page.stem, collection) and page.columns <= max(held, 1))
    first = next(fitting, pages[0])
    names, chooser = {page.stem: page.name for page in pages}, PLACES[place].chooser
    reads = {stem: f"{chooser}: {name}" for stem, name in names.items()} if chooser else names
    label, strip = chooser or "View", not chooser
    return Choice(label, list(names), first.stem, reads=reads.__getitem__, segmented=strip, hide_label=True)


_OPENED: dict[str, type[Opened]] = {
    place: type(f"Opened {place}", (Opened,), {"__module__": __name__}, page=place)
    for place in PLACES
    if len(pages_of(place)) > 1
}


def opened(place: str, collection: Collection) -> Page:
    """Return the page of a place that the address names, or its default page."""
    kind = _OPENED.get(place)
    return PAGES[kind.read(collection, settings.address()).view] if kind else pages_of(place)[0]


def works(stem: str, collection: Collection) -> bool:
    """Return True if a collection has the data that a page needs."""
    return any(wanted <= collection.has for wanted in NEEDS[PAGES[stem].needs])


def lack(stem: str, collection: Collection) -> str:
    """Return a sentence on what a page needs and what the collection has; "" if the page can be shown."""
    if works(stem, collection):
        return ""
    has = [name for name in ("runs", "labels", "scores") if name in collection.has]
    contents = " and ".join(has) + (" alone" if len(has) == 1 else "")
    return f"This page needs {IN_WORDS[PAGES[stem].needs]}; the open collection has {contents or 'none of these'}."


def is_of_its_own(page: Page) -> bool:
    """Return True for a page that is the same for any open collection, because it needs no data or has its own."""
    return page.place == LEARN and page.stem not in OF_OPEN_DATA


def ranks_systems(page: Page) -> bool:
    """Return True if a page names a winner or compares rankings."""
    return page.stem == HOME or bool(page.needs or page.data)


def title(stem: str, question: str, collection: Collection) -> None:
    """Draw the name of the place, the question that the page answers, and the choice of pages."""
    page = PAGES[stem]
    if stem != HOME:
        st.html(f'<div class="page-name">{PLACES[page.place].name}</div>')
    st.title(question or page.question, anchor=False)
    if page.place in _OPENED and not PLACES[page.place].chooser:
        with st.container(horizontal=True, vertical_alignment="center"):
            choose(page.place, collection)
            for place in PLACES if page.place == LEARN else ():
                if is_left_out(place, collection):  # people can still learn from its sample
                    first = pages_of(place)[0]
                    link(first.stem, first.name, f":material/{first.icon}:")


def choose(place: str, collection: Collection) -> None:
    """Draw the control that opens a page of a place."""
    _OPENED[place].now(collection).draw("view")


def menu_pages() -> list[Any]:
    """Return a Streamlit page for each place, as `st.navigation` expects them."""
    return [
        st.Page(
            file_of(place.stem),
            title=place.name,
            icon=f":material/{place.icon}:",
            url_path=place.stem,
            default=place.stem == HOME,
        )
        for place in PLACES.values()
    ]


def menu(entries: Sequence[Any], here: Any, collection: Collection) -> DeltaGenerator:
    """Draw a link to each place except Data, with the settings that the place last had in this session.

    Streamlit's own menu would drop these settings.

    Places about passages or links are left out if the collection lacks this data. The link of the open place contains
    its settings, so it is drawn later, in the returned container.
    """
    seen, result = settings.remembered(), None
    for entry in entries:
        place = place_of(entry)
        if place_of(here) == place:
            result = st.empty()
        elif place != DATA and not is_left_out(place, collection):
            st.page_link(entry, query_params=seen(place))
    return result or st.empty()


def is_left_out(place: str, collection: Collection) -> bool:
    """Return True if a place is about passages or links, and the collection lacks this data."""
    about = {page.data for page in pages_of(place) if page.data}
    return bool(about) and about.isdisjoint(collection.more)


def place_of(entry: Any) -> str:
    """Return the stem of the place that an entry of Streamlit's navigation opens."""
    return entry.url_path or HOME


def own_link(entry: Any) -> None:
    """Draw the link of the open place, with its current settings."""
    st.page_link(entry, query_params=settings.remembered()(place_of(entry)))


def link(stem: str, label: str, icon: str | None = None, **given: str | list[str]) -> None:
    """Draw a link to a page with these settings, on the open collection and with the filter."""
    st.page_link(file_of(PAGES[stem].place), label=label, icon=icon, query_params=_address(stem, given))


def door(place: str, label: str) -> None:
    """Draw a link to a place, with the settings that the place last had in this session."""
    icon = f":material/{PLACES[place].icon}:"
    st.page_link(file_of(place), label=label, icon=icon, query_params=settings.remembered()(place))


def go(stem: str, **given: str | list[str]) -> None:
    """Open a page of the open place with these settings, after a click in a figure."""
    on = st.session_state.get(settings.MADE_ON)
    settings.write({**_address(stem, given), **({settings.MADE_ON: [on]} if on else {})})


def _address(stem: str, given: Mapping[str, str | list[str]]) -> dict[str, list[str]]:
    """Return the address of a page with these settings.

    If the place of the page is open, the settings of its other pages are included.
    """
    here, prefix = settings.address(), f"{keys_of(stem)}."
    there = settings.page() == PAGES[stem].place
    keys = {key: texts for key, texts in here.items() if "." not in key or (there and not key.startswith(prefix))}
    lists = {key: [texts] if isinstance(texts, str) else texts for key, texts in given.items()}
    own = {key if key in SHARED else f"{prefix}{key}": texts for key, texts in lists.items()}
    return {**keys, **to_page(stem), **own}


def moved(x: object, y: object, between: str = "") -> None:
    """Draw a link to the systems that move between two measures; `between` names the pair if there are more pairs."""
    link("moved", f"Who moved{between}, and why?", ":material/swap_vert:", x=str(x), y=str(y))


def drill(measure: object, systems: Sequence[str]) -> None:
    """Draw a link to the page Topic, which shows how much each rank adds to the scores of the first 3 systems."""
    if systems:
        some = listed([*map(named, systems[:2]), *(["others"] if len(systems) > 2 else [])])
        link(
            "topic",
            f"{some}, rank by rank",
            ":material/search:",
            measure=str(measure),
            compared=list(systems[:3]),
        )
