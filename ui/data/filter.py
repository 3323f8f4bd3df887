"""The filter in the sidebar and in links: source of labels, systems, topics, and the topics that means include."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

import streamlit as st

import evalcore as ec
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.data.averages import describe, lacked_text
from evalcore.data.report_warnings import DIRECTION, FOLD, MISLEADING
from evalcore.data.system_table import grouping_columns, in_words
from evalcore.errors import InputError, counted, shorten
from evalcore.measures import Measure
from evalcore.meta import best_first
from evalcore.structures.documents import RELEVANCE, Topics
from ui.address import derived, site
from ui.address.settings import Settings, setting, texts_of
from ui.computing.measures import scores, suggested
from ui.data import texts
from ui.screen.text import markdown
from ui.server import browser_store
from ui.stage.show import show_error
from ui.widgets.callback import callback
from ui.widgets.fields import Choice, Field, Line, Many

AVERAGE_HELP = (
    "Topics for which a system retrieved nothing: trec_eval -c counts them as empty rankings; trec_eval without -c "
    "leaves them out of the system's mean. Without -c, two systems are compared on topics for which both have results."
)
CONFIRMED = "labels confirmed"  # key of the fingerprints of collections with confirmed labels
SOURCE = "source"  # key of the source of labels
STAYS = {SOURCE, "leading"}  # keys of settings that leave nothing out
SOURCE_HELP = (
    "The source of the labels: assessors, an LLM judge, a run of one judge, or a combination such as the majority. "
    "Topics without labels from the source are left out."
)
LEADING_HELP = (
    "The aspect that measures use if they name none: usually relevance. Here no aspect is called relevance, so the "
    "first aspect is used unless you choose another."
)
AS_GIVEN = "as the collection says"
MADE_OF_HELP = "Filter by systems.csv: keep systems with a chosen value in every column where you choose values"
GROUPS_HELP = "Filter by the table of topics: keep topics with a chosen value in every column where you choose values"
PATTERN_HELP = "Names or patterns separated by commas: bm25*, *rm3. Names are case-sensitive."


def _made_of(collection: Collection) -> Field | None:
    """Return the field of values in the columns of systems.csv that group systems; None without such columns."""
    options = [f"{name}: {text}" for name, texts in _said(collection).items() for text in sorted(set(texts.values()))]
    options = list(dict.fromkeys(options))
    return Many("Systems made of", options, help=MADE_OF_HELP, placeholder="all") if options else None


def _said(collection: Collection) -> dict[str, dict[str, str]]:
    """Map each grouping column in the table of systems to a dict from each system to its value."""
    table = collection.system_table
    return {name: in_words(table[name]) for name in grouping_columns(table)} if table is not None else {}


def _like(filter: Filter) -> Field | None:
    """Return the field of patterns for system names; None without systems."""
    return Line("Systems named", help=PATTERN_HELP, placeholder="all") if filter.collection.systems else None


def _only(filter: Filter) -> Field | None:
    systems = filter.collection.systems
    return Many("Only systems", systems, placeholder="all") if systems else None


def _grouped(collection: Collection) -> Field | None:
    """Return the field of groups of topics, from groupings with several groups; None without such a grouping."""
    listed = [f"{name}: {group}" for name, of in _groups(collection).items() for group in sorted(set(of))]
    return Many("Topics of", listed, help=GROUPS_HELP, placeholder="all") if listed else None


def _groups(collection: Collection) -> dict[str, tuple[str, ...]]:
    """Map each grouping with several groups to the group of each topic, in the order of the topics."""
    groups = collection.assessments.groups if isinstance(collection, Collection) else {}
    return {name: of for name, of in groups.items() if len(set(of)) > 1}


def _source(filter: Filter) -> Field | None:
    """Return the field of the source of labels, default first; None without named sources."""
    sources = filter.collection.source_names
    if not sources:
        return None
    usual = filter.collection.default_source or AS_GIVEN
    return Choice("Labels of", list(dict.fromkeys([usual, *sources])), help=SOURCE_HELP)


def _leading(filter: Filter) -> Field | None:
    """Return the field of the leading aspect; None with fewer than two aspects, or if one is called relevance."""
    collection = filter.collection
    if RELEVANCE in collection.aspects or len(collection.aspects) < 2 or not isinstance(collection, Collection):
        return None
    return Choice("Leading aspect", collection.aspects, collection.leading, help=LEADING_HELP)


def _deciding(filter: Filter) -> Measure:
    """Return the measure that decides which systems are best: the first one that fits the collection."""
    return next(iter(suggested(led_by(filter.collection, filter.leading or filter.collection.leading)).values()))[0]


def _best(filter: Filter) -> Field | None:
    if len(filter.collection.systems) < 2:
        return None
    fewer = (str(count) for count in (3, 5, 10, 20, 50) if count < len(filter.collection.systems))
    return Choice(f"Best by {markdown(_deciding(filter))}", ["all", *fewer])


def _average(filter: Filter) -> Field | None:
    if not lacked_text(filter.collection.rankings, filter.collection.topics):
        return None
    return Choice("Means over topics", get_args(Topics), help=AVERAGE_HELP)


@dataclass(frozen=True)
class Filter(Settings, lasts=True):
    """Settings of the filter: they choose the part of the open collection that every page uses."""

    leading: str | None = setting(_leading)
    like: str | None = setting(_like)
    made: tuple[str, ...] | None = setting(lambda filter: _made_of(filter.collection))
    only: tuple[str, ...] | None = setting(_only)
    best: str | None = setting(_best)
    topicsof: tuple[str, ...] | None = setting(lambda filter: _grouped(filter.collection))
    ontopics: tuple[str, ...] = setting(lambda filter: Many("Only topics", filter.collection.topics, placeholder="all"))
    source: str | None = setting(_source)
    average: Topics | None = setting(_average)

    @cached_property
    def left(self) -> list[str]:
        """Systems that pass all three filters (name, properties, selection), in the order of the collection."""
        patterns = [word for word in map(str.strip, (self.like or "").split(",")) if word] or ["*"]
        columns = _said(self.collection) if self.made else {}
        asked = {column: _named(column, texts.values(), self.made) for column, texts in columns.items()}
        return [
            name
            for name in self.collection.systems
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
            and (not self.only or name in self.only)
            and all(columns[column][name] in texts for column, texts in asked.items() if texts)
        ]

    @cached_property
    def topics_left(self) -> set[str]:
        """Topics that pass both filters (groups, selection); empty if no topic does."""
        of_groups = _groups(self.collection) if self.topicsof else {}
        left = set(self.ontopics or self.collection.topics)
        for name, of in of_groups.items():
            asked = _named(name, of, self.topicsof) or set(of)
            left &= {topic for topic, group in zip(self.collection.topics, of, strict=True) if group in asked}
        return left

    @callback
    def clear(self) -> None:
        """Remove the filter; the source of labels and the leading aspect stay."""
        self.read(self.collection, {key: texts for key, texts in self.address().items() if key in STAYS}).show()


def _named(column: str, texts: Iterable[str], chosen: Sequence[str] | None) -> set[str]:
    """Return the chosen ones among these `texts` of a column; `chosen` contains them as "COLUMN: TEXT"."""
    return {text for text in texts if f"{column}: {text}" in (chosen or ())}


def narrowed(collection: Collection) -> Collection:
    """Draw the filter in the sidebar and return the part of the collection that it leaves."""
    filter = Filter.now(collection)
    _warn(collection)
    with st.expander("Filter", icon=":material/filter_alt:", expanded=bool(filter.address()), key="filter box"):
        filter.draw("source", "leading", "like", "made", "only")
        _offer_highlighted(filter)
        filter.draw("topicsof", "ontopics")
        kinds = {"system": (collection.systems, filter.left), "topic": (collection.topics, filter.topics_left)}
        for what, (every, left) in kinds.items():
            if every and not left:
                st.warning(texts.nothing_fits(what), icon=":material/filter_alt_off:")
        filter.draw("average", "best")
        nothing = not filter.address().keys() - STAYS
        st.button("Clear the filter", disabled=nothing, on_click=filter.clear, width="stretch")
    judged = _led(filter, _labelled(filter))
    averaged = averaged_over(judged, filter.average or "all")
    topics = [topic for topic in judged.topics if topic in filter.topics_left] or judged.topics
    part = _part(averaged, filter.left or collection.systems, topics)
    part = _part(part, _first(part, filter), topics)
    _say(filter, averaged, part)
    return part


def _labelled(filter: Filter) -> Collection:
    """Return the collection with labels of the chosen source; after an error, show it and use the default labels."""
    collection = filter.collection
    try:
        judged = judged_by(collection, filter.source or "")
    except InputError as error:
        show_error(error)
        return judged_by(collection, "")
    if filter.topics_left and not filter.topics_left & set(judged.topics):
        st.warning(texts.no_document(judged.source), icon=":material/filter_alt_off:")
    return judged


def _led(filter: Filter, judged: Collection) -> Collection:
    """Return the collection with the chosen leading aspect; if that is not relevance, name it on the page."""
    led = judged if filter.leading is None else led_by(judged, filter.leading)
    if led.aspects and led.leading != RELEVANCE:
        st.caption(texts.leads(led.leading))
    return led


def led_by(collection: Collection, aspect: str) -> Collection:
    """Return the collection with this leading aspect; a changed collection is cached."""
    if aspect == collection.leading:
        return collection
    return derived.of(collection, ("led", aspect), lambda: ec.lead_by(collection, aspect))


def _say(filter: Filter, averaged: Collection, part: Collection) -> None:
    """State the source of labels, what the filter leaves, and, if it matters, over which topics means are taken."""
    collection, asked = filter.collection, texts_of("source")
    if asked and filter.source is None:
        st.caption(texts.no_source(shorten(asked[-1], 40)))
    if averaged.source:
        count = f"{len(averaged.topics):,} of {counted(len(collection.topics), 'topic')}"
        st.caption(f":material/rate_review: **labels of {markdown(averaged.source)}; {count}**")
    if part.fingerprint != averaged.fingerprint:
        of = len(collection.systems), len(collection.topics)
        st.caption(texts.left(len(part.systems), of[0], len(part.topics), of[1]))
    if filter.average is not None:
        lacked = lacked_text(collection.rankings, collection.topics)
        which, _, _ = lacked.partition(":")
        st.caption(f":material/functions: {which}; **{describe(part.rankings.average_over)}**", help=markdown(lacked))


def _warn(collection: Collection) -> None:
    """Warn of data that could mislead a comparison of systems.

    A single warning is shown in full; if there are several, their number is shown, with a link to them.
    """
    confirmed = collection.fingerprint in (browser_store.get(CONFIRMED) or ())
    notes = collection.report.notes
    texts = [note.text for note in notes if not confirmed and (note.where == DIRECTION or FOLD in note.where)]
    texts += [note.text for where in MISLEADING for note in notes if note.where == where]
    if len(texts) == 1:
        st.caption(f":material/warning: {markdown(texts[0])}")
    elif texts:
        site.link("collection", f"{len(texts)} warnings about the data", ":material/warning:")


def judged_by(collection: Collection, source: str) -> Collection:
    """Return the collection with a source's labels, cached for later runs; "" and the default source change nothing.

    Raises InputError if the source labelled nothing.
    """
    if source in ("", AS_GIVEN, collection.default_source):
        return collection
    return derived.of(collection, ("judged", source), lambda: ec.judged_by(collection, source))


def averaged_over(collection: Collection, topics: Topics) -> Collection:
    """Return the collection with means taken over these topics, cached for later runs."""
    if topics == collection.rankings.average_over:
        return collection
    return derived.of(collection, ("averaged", topics), lambda: ec.average_over(collection, topics))


def _offer_highlighted(filter: Filter) -> None:
    known = [name for name in texts_of("systems") if name in filter.collection.systems]
    if known:
        st.button("Only highlighted systems", on_click=filter.change, kwargs={"only": known}, width="stretch")


def _first(collection: Collection, filter: Filter) -> list[str]:
    """Return the systems of the collection; if the filter sets a number of best systems, only these, the best first."""
    if filter.best in (None, "all"):
        return list(collection.systems)
    return list(best_first(scores(collection, _deciding(filter)).mean()).index[: int(filter.best)])


def _part(collection: Collection, systems: Sequence[str], topics: Sequence[str]) -> Collection:
    if tuple(systems) == collection.systems and tuple(topics) == collection.topics:
        return collection
    how = "restricted", tuple(systems), tuple(topics)
    return derived.of(collection, how, lambda: ec.restrict(collection, systems, topics))
