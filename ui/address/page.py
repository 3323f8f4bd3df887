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
    """What is known of a page before it is opened: all that lists pages takes it from here."""

    stem: str  # of its file, and its place in a link: Streamlit finds a linked page by it on a server just started
    name: str  # in the menu
    icon: str
    question: str  # that it answers, its title
    needs: Needs = ""
    data: str = ""  # what a subject adds to collections that the page is about


EXPLORE, CONCLUDE, EXPLAIN, OTHER, LEARN = "Explore", "Conclude", "Explain", "Other kinds of retrieval", "Learn"
