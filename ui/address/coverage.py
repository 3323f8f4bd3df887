"""The topics that the measures of a page have labels for, and systems that they score: what it works on, and says."""

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

# Parts as long as they are there: of what each is the part, by fingerprint, and of which measures.
_CUT: WeakKeyDictionary[Collection, tuple[str, tuple[str, ...]]] = WeakKeyDictionary()


def on_covered_topics(collection: Collection, texts: Iterable[str]) -> Collection:
    """The part on which these measures can be compared; all of it where there is none, or nothing to leave out."""
    covered = _covered(collection, texts)
    if not covered:
        return collection
    first, *others = covered.values()
    shared = set(first).intersection(*others)
    if len(shared) in (0, len(collection.topics)):
        return collection
    return _part(collection, tuple(covered), topics=[topic for topic in first if topic in shared])


def on_scored_systems(collection: Collection, texts: Iterable[str]) -> Collection:
    """The systems that have given scores by all of these measures; all systems where none has, or nothing is given."""
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
    """The measures for which a part of the whole was cut to the topics that they cover; none where it was not."""
    fingerprint, texts = _CUT.get(part, ("", ()))
    return texts if fingerprint == whole.fingerprint else ()


def say(part: Collection, whole: Collection) -> None:
    """A line where a page works on some of the topics, and why."""
    texts = measures_of(part, whole)
    if texts and len(part.systems) < len(whole.systems):
        st.caption(f":material/rule: **{len(part.systems):,} of {counted(len(whole.systems), 'system')}** have scores.")
    elif texts:
        listed = markdown(", ".join(dict.fromkeys(name for text in texts for name in _read(text))))
        left_out = counted(len(whole.topics) - len(part.topics), "topic")
        st.caption(
            f":material/rule: **Over {len(part.topics):,} of {counted(len(whole.topics), 'topic')}**, those with "
            f"labels of all that is read here ({listed}). {left_out} without are left out."
        )


def _covered(collection: Collection, texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The topics of the measures that have labels of some; why not the others, a page says when it scores them."""
    covered = {}
    for text in dict.fromkeys(texts):
        with suppress(InputError):
            covered[text] = ec.covered_topics(collection, text)
    return covered


def _read(text: str) -> list[str]:
    """What a measure reads: columns, and of a source by whom."""
    measure: Measure = parse(text)
    inside, source = unwrapped(measure)
    return [f"{name} by {source}" if source else name for name in inside.columns]
