"""Descriptions of pages and of places (entries of the menu), available before a page is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evalcore.structures.documents import Content

Needs = Literal["", "rankings", "systems", "labels"]
"""Requirement of a page: rankings of labelled documents; systems with rankings or given scores; labels; or nothing."""

NEEDS: Mapping[Needs, tuple[frozenset[Content], ...]] = {
    "": (frozenset(),),
    "rankings": (frozenset({"runs", "labels"}),),
    "systems": (frozenset({"runs", "labels"}), frozenset({"scores"})),
    "labels": (frozenset({"labels"}),),
}
IN_WORDS: Mapping[Needs, str] = {
    "": "nothing",
    "rankings": "rankings and labels of documents",
    "systems": "systems with rankings and labels, or with scores",
    "labels": "labels of documents",
}


@dataclass(frozen=True)
class Page:
    """A page of the app. Each place (an entry of the menu) has one or more pages and shows one at a time."""

    place: str  # stem of the place
    stem: str  # prefix of its settings in a link, unless `keys` is given
    name: str  # in the list of the place's pages
    icon: str
    question: str  # the title
    needs: Needs = ""
    columns: int = 1  # aspects and signals it needs; with fewer it shows a sample, and another page opens by default
    data: str = ""  # kind of data that the page is about, if a subject adds it to collections
    module: str = ""  # the module whose `main` draws it; "" is ui.STEM.page
    keys: str = ""  # prefix of its settings in a link, if it shares those of another page


@dataclass(frozen=True)
class Place:
    """An entry of the menu. `stem` is its path in a link and the name of its file in pages/."""

    stem: str
    name: str
    icon: str
    chooser: str = ""  # label of a select box for its pages; "" for buttons side by side
