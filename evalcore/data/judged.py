"""A collection with the labels of one of several sources: another assessor, an LLM judge, or what all of them make."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from evalcore.data.restrict import restrict
from evalcore.errors import InputError
from evalcore.structures.documents import Collection


def judged_by(collection: Collection, source: str) -> Collection:
    """The collection with the labels of a source, in every aspect that has it, on the topics for which it gave some.

    A document that it did not label is unassessed. Raises InputError naming the sources that there are.
    """
    pool = collection.assessments.judged_by(source)
    if all(pool.columns[name] is collection.assessments.columns[name] for name in pool.columns):
        return collection
    having = [name for name, one in pool.sources.items() if source in one.names]
    labelled = np.any([~np.isnan(pool.column(name)) for name in having], axis=0)
    topics = [pool.topics[at] for at in np.unique(pool.topic[labelled])]
    if not topics:
        raise InputError(f"expected labels by {source!r} of some topic, found none")
    called = hashlib.sha256(f"{collection.fingerprint}\nlabels of {source}".encode()).hexdigest()
    return restrict(replace(collection, assessments=pool, fingerprint=called), topics=topics)
