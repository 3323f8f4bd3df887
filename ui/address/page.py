"""What is known of a page before it is opened."""

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
    """One page of a place: its strip shows the names of its pages, and one of them is open."""

    place: str  # stem of the place
    stem: str  # in front of the keys of its settings in a link, where `keys` is not
    name: str  # in the strip
    icon: str
    question: str  # the title
    needs: Needs = ""
    columns: int = 1  # aspects and signals that it compares: with fewer it shows a sample, and another page opens first
    data: str = ""  # what a subject adds to collections that the page is about
    module: str = ""  # whose `main` draws it; ui.STEM.page where none is given
    keys: str = ""  # in front of the keys of its settings, of a page that shares those of another one


@dataclass(frozen=True)
class Place:
    """An entry of the menu. Its file in pages/ has the name `stem`, which is its path in a link."""

    stem: str
    name: str
    icon: str
    chooser: str = ""  # what its pages are, where a select leads from one to the next in place of a strip
