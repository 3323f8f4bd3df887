"""Collections with other labels for the measures: those of another source, or of another aspect if they name none.

A source is another assessor, an LLM judge, or what all of them make.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from evalcore.data.restricting import restrict
from evalcore.errors import InputError, refuse_no_collection
from evalcore.structures.documents import RELEVANCE, Assessments, Collection


def lead_by(collection: Collection, aspect: str) -> Collection:
    """The collection with another leading aspect, which measures read unless they name one: AP is then AP of it.

    Unasked the first aspect leads. Raises InputError for what is no aspect of the collection, and where one is called
    relevance, which leads.

    >>> from evalcore.data import collection
    >>> c = collection({"run": {"t": {"a": 1.0}}}, {"usefulness": {"t": {"a": 0}}, "credibility": {"t": {"a": 1}}})
    >>> c.leading, lead_by(c, "credibility").leading
    ('usefulness', 'credibility')
    """
    refuse_no_collection(collection)
    if RELEVANCE in collection.aspects and aspect != RELEVANCE:
        raise InputError(f"expected {RELEVANCE} (measures read it if an aspect has this name), found {aspect!r}")
    if aspect not in collection.aspects:
        known = ", ".join(collection.aspects) or "none"
        raise InputError(f"expected an aspect of this collection ({known}), found {aspect!r}")
    if aspect == collection.leading:
        return collection
    fingerprint = hashlib.sha256(f"{collection.fingerprint}\nled by {aspect}".encode()).hexdigest()
    return replace(collection, assessments=replace(collection.assessments, lead=aspect), fingerprint=fingerprint)


def judged_by(collection: Collection, source: str) -> Collection:
    """The collection with the labels of a source, in every aspect that has it, on the topics for which it gave some.

    A document that it did not label is unassessed. A source is one that gave labels, or what all of them make:
    "majority", "median", "mean", "union", "agreed". Raises InputError naming the sources that there are.
    """
    refuse_no_collection(collection)
    old, pool = collection.assessments, collection.assessments.judged_by(source)
    if all(np.array_equal(pool.column(name), old.column(name), equal_nan=True) for name in pool.columns):
        return collection  # measures read the same labels
    fingerprint = hashlib.sha256(f"{collection.fingerprint}\nlabels of {source}".encode()).hexdigest()
    judged = replace(collection, assessments=pool, fingerprint=fingerprint)
    return restrict(judged, topics=_labelled_topics(pool, source))


def _labelled_topics(pool: Assessments, source: str) -> list[str]:
    """The topics with labels by a source, from a pool judged by it. Raises InputError if there are none."""
    having = [name for name, sources in pool.sources.items() if source in sources.names]
    labelled = np.any([~np.isnan(pool.column(name)) for name in having], axis=0)
    topics = [pool.topics[at] for at in np.unique(pool.topic[labelled])]
    if not topics:
        raise InputError(f"expected labels by {source!r} on at least one topic, found none")
    return topics
