"""The pages of the app: order, titles, icons, and how one page leads to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.data import Collection
from evalcore.subjects import placed
from ui import subjects
from ui.address import settings
from ui.address.page import CONCLUDE, EXPLAIN, EXPLORE, IN_WORDS, LEARN, NEEDS, OTHER, Page
from ui.screen.text import listed, markdown

FOLDER = Path(__file__).parents[2] / "pages"
SHARED = ("data", "systems", "pins", "baseline", "doubt")  # settings of all pages that a link may carry


_OF_THE_CORE = {
    "": [Page("home", "Home", "home", "How much does our ranking depend on how we measured?")],
    EXPLORE: [
        Page("understandability", "Understandability", "menu_book", "Does readability change who wins?", "rankings"),
        Page("aspect_weights", "Aspect weights", "balance", "How much should each aspect count?", "rankings"),
        Page("toma", "TOMA", "target", "When is one document better than another?", "rankings"),
        Page("sensitivity", "Sensitivity", "tune", "Does the winner depend on the setting?", "systems"),
    ],
    CONCLUDE: [
        Page("correlations", "Correlations", "grid_on", "Which measures agree about the systems?", "systems"),
        Page(
            "discriminative_power",
            "Discriminative power",
            "call_split",
            "How many pairs of systems does this measure separate?",
            "systems",
        ),
    ],
    EXPLAIN: [
        Page("moved", "Who moved", "swap_vert", "Who moved, and why?", "systems"),
        Page("topic", "Topic", "search", "What made it so?", "rankings"),
        Page("pins", "Pins", "keep", "What differs between the settings I kept?", "systems"),
    ],
    OTHER: [],
    LEARN: [
        Page("measures", "Measures", "straighten", "What does a measure reward?", "rankings"),
        Page("glossary", "Glossary", "dictionary", "What do the words mean?"),
    ],
    "Data": [Page("collection", "Collection", "folder_open", "What was measured, and how completely?")],
}


def _with_subjects(section: str, core: list[Page]) -> list[Page]:
    more = [(after, page) for of, after, page in subjects.added("PAGES") if of == section]
    return placed(core, more, lambda page: page.stem)


_ALL = {section: _with_subjects(section, core) for section, core in _OF_THE_CORE.items()}
SITE = {section: rows for section, rows in _ALL.items() if rows}
PAGES = {page.stem: page for rows in SITE.values() for page in rows}


OF_OPEN_DATA = {"measures", "exercises"}  # pages for learning that work on what is open


def works(stem: str, collection: Collection) -> bool:
    """Whether a page, known by its stem, has what it takes."""
    return any(wanted <= collection.has for wanted in NEEDS[PAGES[stem].needs])


def lack(stem: str, collection: Collection) -> str:
    """What a page, known by its stem, takes and a collection has not; empty where it has."""
    if works(stem, collection):
        return ""
    has = [name for name in ("runs", "labels", "scores") if name in collection.has]
    contents = " and ".join(has) + (" alone" if len(has) == 1 else "")
    return f"This page takes {IN_WORDS[PAGES[stem].needs]}; the open collection has {contents or 'neither'}."


def is_of_its_own(place: str) -> bool:
    """Whether a page, known by its place in a link, has data of its own or none: the same whatever is open."""
    return any(page.stem == place for page in SITE[LEARN]) and place not in OF_OPEN_DATA


def ranks_systems(place: str) -> bool:
    """Whether a page, known by its place in a link, says who is first, or how alike rankings are."""
    return not place or bool(PAGES[place].needs) or any(page.stem == place for page in SITE.get(OTHER, ()))


def title(stem: str, question: str = "") -> None:
    """The question that a page answers, its own where none is given; before it the page's name, as people cite it."""
    page = PAGES[stem]
    if stem != "home":
        st.html(f'<div class="page-name">{page.name}</div>')
    st.title(question or page.question, anchor=False)


def pages() -> dict[str, list[Any]]:
    """The pages by section, as st.navigation takes them."""
    return {section: [_page(page) for page in listed] for section, listed in SITE.items()}


def _page(page: Page) -> Any:
    file, icon = FOLDER / f"{page.stem}.py", f":material/{page.icon}:"
    return st.Page(file, title=page.name, icon=icon, url_path=page.stem, default=page.stem == "home")


def menu(sections: dict[str, list[Any]], here: Any, collection: Collection) -> DeltaGenerator:
    """The pages by section, each as it was last seen in this session: Streamlit's own menu would drop the address.

    Pages on passages and links come first where the collection has some, and are left out where it has none. The link
    of the page that is open follows its settings, in the place that this returns.
    """
    places = list[DeltaGenerator]()
    seen = settings.remembered()
    parts_or_links = bool(collection.more)
    first = ["", OTHER] if parts_or_links else [""]
    for section in dict.fromkeys([*(one for one in first if one in sections), *sections]):
        listed = sections[section]
        open_here = any(page.url_path == here.url_path for page in listed)
        if section == OTHER and not parts_or_links and not open_here:
            continue
        if not section:
            places += _to(listed[0], here, seen)
        else:
            # Named by the page, so that going to another one closes it.
            label = f"**{section}**" if open_here else section
            with st.popover(label, type="tertiary", width="content", key=f"{section} {here.url_path}"):
                for page in listed:
                    places += _to(page, here, seen)
    return places[0] if places else st.empty()


def _to(page: Any, here: Any, seen: Callable[[str], dict[str, list[str]]]) -> list[DeltaGenerator]:
    """The link of a page; where it is the one that is open, a place for that."""
    if page.url_path == here.url_path:
        return [st.empty()]
    st.page_link(page, query_params=seen(page.url_path or "home"))
    return []


def own_link(page: Any) -> None:
    """The link of the page that is open, to its settings of now."""
    st.page_link(page, query_params=settings.remembered()(page.url_path or "home"))


def link(stem: str, label: str, icon: str | None = None, **given: str | list[str]) -> None:
    """A link to a page with these settings; what is open and filtered goes along."""
    keys = settings.shared(settings.address())
    own = {key if key in SHARED else f"{stem}.{key}": texts for key, texts in given.items()}
    st.page_link(FOLDER / f"{stem}.py", label=label, icon=icon, query_params={**keys, **own})


def moved(x: object, y: object, between: str = "") -> None:
    """A link to who moves between two measures, and why; `between` says which ones where there are several pairs."""
    link("moved", f"Who moved{between}, and why?", ":material/swap_vert:", x=str(x), y=str(y))


def drill(measure: object, systems: Sequence[str]) -> None:
    """A link to what made the scores of the selected systems: the page Topic, rank by rank."""
    if systems:
        some = listed([*map(markdown, systems[:2]), *(["others"] if len(systems) > 2 else [])])
        link(
            "topic",
            f"What made it so: {some}, rank by rank",
            ":material/search:",
            measure=str(measure),
            compared=list(systems[:3]),
        )
