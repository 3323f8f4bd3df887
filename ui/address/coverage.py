"""The part of a collection that a page uses: topics with labels for its measures, and systems with scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from weakref import WeakKeyDictionary

import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.measures import Measure, parse
from evalcore.measures.base import unwrapped
from ui.address import derived
from ui.screen.text import counted, markdown

# Parts in use, each with the fingerprint of the whole collection and the measures that determined the part.
_CUT: WeakKeyDictionary[Collection, tuple[str, tuple[str, ...]]] = WeakKeyDictionary()


def on_covered_topics(collection: Collection, texts: Iterable[str]) -> Collection:
    """Return the part of a collection on which these measures can be compared: the topics that all of them cover.

    Measures that raise InputError do not count. The whole collection is returned if no measure is left, or if they
    share no topic or all topics.
    """
    covered = _covered(collection, texts)
    if not covered:
        return collection
    first, *others = covered.values()
    shared = set(first).intersection(*others)
    if len(shared) in (0, len(collection.topics)):
        return collection
    return _part(collection, tuple(covered), topics=[topic for topic in first if topic in shared])


def on_scored_systems(collection: Collection, texts: Iterable[str]) -> Collection:
    """Return the part of a collection with those systems that have given scores under all of these measures.

    The whole collection is returned if no system has such scores, if all have, or if no scores are given.
    """
    if not getattr(collection.rankings, "given", None):
        return collection
    known = tuple(_covered(collection, texts))
    frames = ec.evaluate(list(known), collection).values() if known else ()
    systems = [name for name in collection.systems if all(frame[name].notna().any() for frame in frames)]
    return collection if len(systems) in (0, len(collection.systems)) else _part(collection, known, systems=systems)


def _part(collection: Collection, known: tuple[str, ...], **which: Sequence[str]) -> Collection:
    part = derived.of(collection, (*which, known), lambda: ec.restrict(collection, **which))
    _CUT[part] = collection.fingerprint, known
    return part


def measures_of(part: Collection, whole: Collection) -> tuple[str, ...]:
    """Return the texts of the measures for which `part` was cut from `whole`; () if it was not cut from `whole`."""
    fingerprint, texts = _CUT.get(part, ("", ()))
    return texts if fingerprint == whole.fingerprint else ()


def say(part: Collection, whole: Collection) -> None:
    """State how many of the topics or systems the page uses, and why; state nothing if it uses all."""
    texts = measures_of(part, whole)
    if texts and len(part.systems) < len(whole.systems):
        st.caption(f":material/rule: **{len(part.systems):,} of {counted(len(whole.systems), 'system')}** have scores.")
    elif texts:
        listed = markdown(", ".join(dict.fromkeys(name for text in texts for name in _read(text))))
        left_out = counted(len(whole.topics) - len(part.topics), "topic")
        st.caption(
            f":material/rule: **Over {len(part.topics):,} of {counted(len(whole.topics), 'topic')}**: the topics with "
            f"all labels used here ({listed}). Missing labels exclude {left_out}."
        )


def _covered(collection: Collection, texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Map the text of each measure to the topics that have labels for it, without measures that raise InputError.

    A page reports these errors when it computes the scores.
    """
    covered = {}
    for text in dict.fromkeys(texts):
        with suppress(InputError):
            covered[text] = ec.covered_topics(collection, text)
    return covered


def _read(text: str) -> list[str]:
    """Return the names of the columns that a measure reads, as "NAME by SOURCE" if it names a source of labels."""
    measure: Measure = parse(text)
    inside, source = unwrapped(measure)
    return [f"{name} by {source}" if source else name for name in inside.columns]
