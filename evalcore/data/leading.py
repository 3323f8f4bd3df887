"""Which aspect leads: what a measure reads that names no aspect, where none is called relevance."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from evalcore.errors import InputError
from evalcore.structures.documents import RELEVANCE, Collection, refuse_partitions


def lead_by(collection: Collection, aspect: str) -> Collection:
    """The collection with another leading aspect, which measures read unless they name one: AP is then AP of it.

    Unasked the first aspect leads. Raises InputError for what is no aspect of the collection, and where one is called
    relevance, which leads.

    >>> from evalcore.data import collection
    >>> c = collection({"run": {"t": {"a": 1.0}}}, {"usefulness": {"t": {"a": 0}}, "credibility": {"t": {"a": 1}}})
    >>> c.leading, lead_by(c, "credibility").leading
    ('usefulness', 'credibility')
    """
    refuse_partitions(collection)
    if RELEVANCE in collection.aspects and aspect != RELEVANCE:
        raise InputError(f"expected {RELEVANCE}, which leads where an aspect is called so, found {aspect!r}")
    if aspect not in collection.aspects:
        known = ", ".join(collection.aspects) or "none"
        raise InputError(f"expected an aspect of this collection ({known}), found {aspect!r}")
    if aspect == collection.leading:
        return collection
    fingerprint = hashlib.sha256(f"{collection.fingerprint}\nled by {aspect}".encode()).hexdigest()
    return replace(collection, assessments=replace(collection.assessments, lead=aspect), fingerprint=fingerprint)
