"""The pages of the app: order, titles, icons, and how one page leads to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from ui import settings
from ui.text import markdown

PAGES = Path(__file__).parents[1] / "pages"
SHARED = ("data", "systems", "pins", "baseline")  # settings of all pages that a link may carry
# A page's file stem is its place in a link, since Streamlit finds a linked page by it on a server just started.
SITE: dict[str, list[tuple[str, str, str]]] = {
    "": [("home", "Home", "home")],
    "Several aspects": [
        ("understandability", "Understandability", "menu_book"),
        ("aspect_weights", "Aspect weights", "balance"),
        ("toma", "TOMA", "target"),
    ],
    "What is a measure worth": [
        ("correlations", "Correlations", "grid_on"),
        ("discriminative_power", "Discriminative power", "call_split"),
        ("sensitivity", "Sensitivity", "tune"),
        ("topic", "Topic", "search"),
        ("pins", "Pins", "keep"),
    ],
    "Other kinds of retrieval": [
        ("focused_retrieval", "Focused retrieval", "format_ink_highlighter"),
        ("navigation", "Navigation", "account_tree"),
    ],
    "Learn": [
        ("guided_path", "Guided path", "school"),
        ("worked_examples", "Worked examples", "edit_note"),
        ("measures", "Measures", "straighten"),
        ("papers", "The papers", "article"),
        ("glossary", "Glossary", "dictionary"),
    ],
    "Data": [("collection", "Collection", "folder_open")],
}


def pages() -> dict[str, list[Any]]:
    """The pages by section, as st.navigation takes them."""
    return {
        section: [_page(stem, title, icon) for stem, title, icon in listed if (PAGES / f"{stem}.py").is_file()]
        for section, listed in SITE.items()
    }


def _page(stem: str, title: str, icon: str) -> Any:
    file = PAGES / f"{stem}.py"
    return st.Page(file, title=title, icon=f":material/{icon}:", url_path=stem, default=stem == "home")


def by_place(sections: dict[str, list[Any]]) -> dict[str, Any]:
    """Every page by its place in a link; the first one has none."""
    return {page.url_path: page for listed in sections.values() for page in listed}


def menu(sections: dict[str, list[Any]], here: Any) -> None:
    """The pages by section, each as it was last seen in this session: Streamlit's own menu would drop the address."""
    seen = settings.remembered()
    for section, listed in sections.items():
        if not section:
            _to(listed[0], seen)
        else:
            open_here = any(page.url_path == here.url_path for page in listed)
            # Named by the page, so that going to another one closes it.
            label = f"**{section}**" if open_here else section
            with st.popover(label, type="tertiary", width="content", key=f"{section} {here.url_path}"):
                for page in listed:
                    _to(page, seen)


def _to(page: Any, seen: Callable[[str], dict[str, list[str]]]) -> None:
    st.page_link(page, query_params=seen(page.url_path or "home"))


def link(stem: str, label: str, icon: str | None = None, **said: str | list[str]) -> None:
    """A link to a page with these settings; what is open and filtered goes along."""
    keys = settings.shared(settings.address())
    own = {key if key in SHARED else f"{stem}.{key}": texts for key, texts in said.items()}
    st.page_link(PAGES / f"{stem}.py", label=label, icon=icon, query_params={**keys, **own})


def drill(measure: object, systems: Sequence[str]) -> None:
    """A link to what made the scores of the selected systems: the page Topic, rank by rank."""
    if systems:
        some = ", ".join(map(markdown, systems[:2])) + (" and others" if len(systems) > 2 else "")
        link(
            "topic",
            f"What made it so: {some}, rank by rank",
            ":material/search:",
            measure=str(measure),
            compared=list(systems[:3]),
        )
