"""Some of the systems, some of the topics, and what means are over: said in the sidebar and in the link."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import get_args

import streamlit as st

import evalcore as ec
from evalcore.data import Collection
from evalcore.data.averages import describe, lacked_text
from evalcore.data.structures import Topics
from evalcore.meta import best_first
from ui.controls import choose, choose_many, line
from ui.measures import scores, suggested
from ui.text import markdown

NONE = {
    "like": "",
    "tag": [],
    "only": [],
    "best": "all",
    "ontopics": [],
    "average": "all",
}  # each control's key, and what it filters nothing at
AVERAGE_HELP = (
    "trec_eval -c averages over all assessed topics, and a topic for which a system retrieved nothing counts as an "
    "empty ranking; trec_eval without -c leaves it out of the system's mean. Then two systems are compared on the "
    "topics that both have."
)
PATTERN_HELP = "Names or patterns, a comma between them: bm25*, *rm3. Capital letters count."


def narrowed(collection: Collection) -> Collection:
    """The part of the collection that the sidebar's filter leaves, or all of it."""
    active = any(st.session_state.get(key, st.query_params.get(key, empty)) != empty for key, empty in NONE.items())
    with st.expander("Filter systems and topics", icon=":material/filter_alt:", expanded=active):
        systems = _systems(collection)
        topics = choose_many("Only topics", "ontopics", collection.topics, placeholder="all") or list(collection.topics)
        if not systems:
            st.warning("No system fits the filter: all are shown.", icon=":material/filter_alt_off:")
        lacked = lacked_text(collection.rankings, collection.topics)
        averaged = _averaged(collection) if lacked else collection
        part = _part(averaged, systems or collection.systems, topics)
        part = _part(part, _best(part), topics)
        st.button("Clear the filter", disabled=not active, on_click=_clear, width="stretch")
    if part.fingerprint != averaged.fingerprint:
        st.caption(
            f":material/filter_alt: **{len(part.systems)} of {len(collection.systems)} systems, "
            f"{len(part.topics)} of {len(collection.topics)} topics**"
        )
    if lacked:
        which, _, _ = lacked.partition(":")
        st.caption(f":material/functions: {which}; **{describe(part.rankings.average_over)}**", help=markdown(lacked))
    return part


def _averaged(collection: Collection) -> Collection:
    """With means over the topics that the reader chose."""
    topics: Topics = choose("Means over topics", "average", get_args(Topics), help=AVERAGE_HELP)
    return averaged_over(collection, topics)


def averaged_over(collection: Collection, topics: Topics) -> Collection:
    """The collection with means over these topics; kept for the next run."""
    if topics == collection.rankings.average_over:
        return collection
    return _averaged_over(_called(collection), topics, collection)


def _called(collection: Collection) -> tuple[str, ...]:
    """What tells collections apart, content and words: the same files may be open under another title."""
    return collection.fingerprint, collection.title, collection.manifest


@st.cache_resource(max_entries=16, show_spinner=False)
def _averaged_over(called: tuple[str, ...], topics: Topics, _collection: Collection) -> Collection:
    return ec.average_over(_collection, topics)


def _systems(collection: Collection) -> list[str]:
    """What name, tag and selection leave, in the collection's order."""
    patterns = [one.strip() for one in line("Systems named", "like", help=PATTERN_HELP, placeholder="all").split(",")]
    patterns = [one for one in patterns if one] or ["*"]
    left = [one for one in collection.systems if any(fnmatch.fnmatchcase(one, pattern) for pattern in patterns)]
    tags = collection.report.systems.get("tag")
    if tags is not None and 1 < tags.nunique() < len(tags):
        chosen = choose_many("Run tag", "tag", sorted(map(str, tags.unique())), placeholder="all")
        left = [one for one in left if not chosen or str(tags.get(one)) in chosen]
    only = choose_many("Only systems", "only", collection.systems, placeholder="all")
    highlighted = st.session_state.get("systems")
    if highlighted:
        st.button("Only the highlighted ones", on_click=_keep, args=(list(highlighted),), width="stretch")
    return [one for one in left if not only or one in only]


def _best(collection: Collection) -> list[str]:
    """The first n by the first measure that fits the collection."""
    measure = next(iter(suggested(collection).values()))[0]
    counts = ["all", *(str(count) for count in (3, 5, 10, 20, 50) if count < len(collection.systems))]
    count = choose(f"Best by {markdown(measure)}", "best", counts)
    if count == "all":
        return list(collection.systems)
    return list(best_first(scores(collection, measure).mean()).index[: int(count)])


def _part(collection: Collection, systems: Sequence[str], topics: Sequence[str]) -> Collection:
    if tuple(systems) == collection.systems and tuple(topics) == collection.topics:
        return collection
    return _restricted(_called(collection), tuple(systems), tuple(topics), collection)


@st.cache_resource(max_entries=16, show_spinner=False)
def _restricted(
    called: tuple[str, ...], systems: tuple[str, ...], topics: tuple[str, ...], _collection: Collection
) -> Collection:
    return ec.restrict(_collection, systems, topics)


def _keep(systems: list[str]) -> None:
    st.session_state["only"] = systems


def _clear() -> None:
    # Set, not deleted: a deleted one would be read from the link again.
    for key, empty in NONE.items():
        if key in st.session_state:
            st.session_state[key] = empty
