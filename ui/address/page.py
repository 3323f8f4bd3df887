"""Descriptions of pages and places, which are known before a page is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evalcore.structures.documents import Content

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
    """A page of a place. The place shows the names of its pages in a strip, and one of them is open."""

    place: str  # stem of the place
    stem: str  # prefix of its settings in a link, unless `keys` is given
    name: str  # in the strip
    icon: str
    question: str  # the title
    needs: Needs = ""
    columns: int = 1  # aspects and signals it compares; with fewer, it shows a sample, and another page opens first
    data: str = ""  # kind of data, added to collections by a subject, that the page is about
    module: str = ""  # the module whose `main` draws it; "" is ui.STEM.page
    keys: str = ""  # prefix of its settings in a link, if it shares those of another page


@dataclass(frozen=True)
class Place:
    """An entry of the menu. Its file in pages/ has the name `stem`, which is its path in a link."""

    stem: str
    name: str
    icon: str
    chooser: str = ""  # label of a select for its pages, in place of a strip
