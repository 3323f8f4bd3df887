"""The pages of the app: order, titles, icons, and how one page leads to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.data import Collection
from evalcore.structures.documents import Content
from ui.address import settings
from ui.screen.text import listed, markdown

FOLDER = Path(__file__).parents[2] / "pages"
SHARED = ("data", "systems", "pins", "baseline", "doubt")  # settings of all pages that a link may carry


Needs = Literal["", "rankings", "systems", "labels"]
"""What a page takes of a collection: rankings of labelled documents; systems, ranked by rankings or given scores."""

NEEDS: Mapping[Needs, tuple[frozenset[Content], ...]] = {
    "": (frozenset(),),
    "rankings": (frozenset({"runs", "labels"}),),
    "systems": (frozenset({"runs", "labels"}), frozenset({"scores"})),
    "labels": (frozenset({"labels"}),),
}
IN_WORDS: Mapping[Needs, str] = {
    "": "nothing",
    "rankings": "rankings of documents and their labels",
    "systems": "systems with rankings and labels, or with scores",
    "labels": "labels of documents",
}


@dataclass(frozen=True)
class Page:
    """What is known of a page before it is opened: all that lists pages takes it from here."""

    stem: str  # of its file, and its place in a link: Streamlit finds a linked page by it on a server just started
    name: str  # in the menu
    icon: str
    question: str  # that it answers, its title
    needs: Needs = ""


OTHER = "Other kinds of retrieval"
LEARN = "Learn"
SITE = {
    "": [Page("home", "Home", "home", "How much does our ranking depend on how we measured?")],
    "Explore": [
        Page("understandability", "Understandability", "menu_book", "Does readability change who wins?", "rankings"),
        Page("aspect_weights", "Aspect weights", "balance", "How much should each aspect count?", "rankings"),
        Page("toma", "TOMA", "target", "When is one document better than another?", "rankings"),
        Page("sensitivity", "Sensitivity", "tune", "Does the winner depend on the setting?", "systems"),
    ],
    "Conclude": [
        Page("leaderboard", "Leaderboard", "leaderboard", "Who leads, by which rule?", "systems"),
        Page("claim", "Claim", "gavel", "Which conclusions stand, whichever way we measure?", "systems"),
        Page("correlations", "Correlations", "grid_on", "Which measures agree about the systems?", "systems"),
        Page(
            "discriminative_power",
            "Discriminative power",
            "call_split",
            "How many pairs of systems does this measure separate?",
            "systems",
        ),
        Page("labels", "Labels", "group", "Would the ranking stand with other labels?", "labels"),
    ],
    "Explain": [
        Page("moved", "Who moved", "swap_vert", "Who moved, and why?", "systems"),
        Page("topic", "Topic", "search", "What made it so?", "rankings"),
        Page("pins", "Pins", "keep", "What differs between the settings I kept?", "systems"),
    ],
    OTHER: [
        Page(
            "focused_retrieval",
            "Focused retrieval",
            "format_ink_highlighter",
            "How much of what was returned was worth reading?",
        ),
        Page("navigation", "Navigation", "account_tree", "What is a result worth if people follow its links?"),
    ],
    LEARN: [
        Page("learn", "Contents", "toc", "What can I learn here, and where?"),
        Page("guided_path", "Guided path", "school", "What does a measure believe about its reader?"),
        Page("exercises", "Exercises", "quiz", "Can you say it before the figure does?"),
        Page("worked_examples", "Worked examples", "edit_note", "What does each measure say of three documents?"),
        Page("measures", "Measures", "straighten", "What does a measure reward?", "rankings"),
        Page("papers", "The papers", "article", "Can the papers' numbers be recomputed?"),
        Page("glossary", "Glossary", "dictionary", "What do the words mean?"),
    ],
    "Data": [Page("collection", "Collection", "folder_open", "What was measured, and how completely?")],
}

PAGES = {page.stem: page for listed in SITE.values() for page in listed}


OF_OPEN_DATA = {"measures", "exercises"}  # pages for learning that work on what is open


def works(stem: str, collection: Collection) -> bool:
    """Whether a page, known by its stem, has what it takes."""
    return any(wanted <= collection.has for wanted in NEEDS[PAGES[stem].needs])


def lacking(stem: str, collection: Collection) -> None:
    """A page in place of one that lacks something: what that is, in a line, and the ways to what works."""
    title(stem)
    has = [name for name in ("runs", "labels", "scores") if name in collection.has]
    contents = " and ".join(has) + (" alone" if len(has) == 1 else "")
    lack = f"This page takes {IN_WORDS[PAGES[stem].needs]}; the open collection has {contents or 'neither'}."
    st.info(f"{lack} What it has answers these:", icon=":material/info:")
    for page in PAGES.values():
        if page.needs and works(page.stem, collection):
            link(page.stem, page.question, f":material/{page.icon}:")


def is_of_its_own(place: str) -> bool:
    """Whether a page, known by its place in a link, has data of its own or none: the same whatever is open."""
    return any(page.stem == place for page in SITE[LEARN]) and place not in OF_OPEN_DATA


def ranks_systems(place: str) -> bool:
    """Whether a page, known by its place in a link, says who is first, or how alike rankings are."""
    return not place or bool(PAGES[place].needs) or any(page.stem == place for page in SITE[OTHER])


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
    parts_or_links = collection.passages is not None or collection.navigation is not None
    first = ["", OTHER] if parts_or_links else [""]
    for section in dict.fromkeys([*first, *sections]):
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
