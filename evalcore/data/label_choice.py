"""Other labels for the measures of a collection: from another source or, if a measure names no aspect, of another one.

A source is an assessor, an LLM judge, or a combination of all sources.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from evalcore.data.restricting import restrict
from evalcore.errors import InputError, refuse_no_collection
from evalcore.structures.documents import RELEVANCE, Assessments, Collection


def lead_by(collection: Collection, aspect: str) -> Collection:
    """Return the collection with another leading aspect, which measures such as AP read unless they name an aspect.

    By default the first aspect leads. Raises InputError for an aspect that the collection does not have. If the
    collection has relevance, relevance always leads, and every other aspect is an error.

    >>> from evalcore.data import collection
    >>> c = collection({"run": {"t": {"a": 1.0}}}, {"usefulness": {"t": {"a": 0}}, "credibility": {"t": {"a": 1}}})
    >>> c.leading, lead_by(c, "credibility").leading
    ('usefulness', 'credibility')
    """
    refuse_no_collection(collection)
    if RELEVANCE in collection.aspects and aspect != RELEVANCE:
        raise InputError(f"expected {RELEVANCE}, the leading aspect of every collection that has it, found {aspect!r}")
    if aspect not in collection.aspects:
        known = ", ".join(collection.aspects) or "none"
        raise InputError(f"expected an aspect of this collection ({known}), found {aspect!r}")
    if aspect == collection.leading:
        return collection
    fingerprint = hashlib.sha256(f"{collection.fingerprint}\nled by {aspect}".encode()).hexdigest()
    return replace(collection, assessments=replace(collection.assessments, lead=aspect), fingerprint=fingerprint)


def judged_by(collection: Collection, source: str) -> Collection:
    """Return the collection with a source's labels in every aspect that it labelled, on the topics that it labelled.

    A document that the source did not label is unassessed in these aspects. `source` is the name of an assessor or
    model, or a combination of all sources: "majority", "median", "mean", "union" or "agreed". Raises InputError that
    lists the sources if the name is unknown.
    """
    refuse_no_collection(collection)
    old, pool = collection.assessments, collection.assessments.judged_by(source)
    if all(np.array_equal(pool.column(name), old.column(name), equal_nan=True) for name in pool.columns):
        return collection  # measures read the same labels as before
    fingerprint = hashlib.sha256(f"{collection.fingerprint}\nlabels of {source}".encode()).hexdigest()
    judged = replace(collection, assessments=pool, fingerprint=fingerprint)
    return restrict(judged, topics=_labelled_topics(pool, source))


def _labelled_topics(pool: Assessments, source: str) -> list[str]:
    """Return the topics that a source labelled, from a pool with its labels. Raises InputError if there are none."""
    having = [name for name, sources in pool.sources.items() if source in sources.names]
    labelled = np.any([~np.isnan(pool.column(name)) for name in having], axis=0)
    topics = [pool.topics[at] for at in np.unique(pool.topic[labelled])]
    if not topics:
        raise InputError(f"expected labels by {source!r} on at least one topic, found none")
    return topics
