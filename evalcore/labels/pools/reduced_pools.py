"""Remove some of the assessments of a collection, and leave everything else unchanged."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, FloatArray
from evalcore.errors import InputError
from evalcore.structures.documents import Assessments, Collection, Scale, refuse_parts
from evalcore.structures.sources import Sources


def with_assessed(collection: Collection, kept: BoolArray) -> Collection:
    """Return the collection with only the assessments of the pool rows `kept` (P,); all others become unassessed.

    Signals are unchanged, as they do not come from assessors. A document that loses its labels counts as never pooled.
    All topics stay: on a topic without labels all systems score 0, so their order is as if the topic were left out.
    Raises InputError for a mask of a different shape, and for assessments of passages or of components with links.
    """
    pool = collection.assessments
    mask = np.asarray(kept)
    if mask.shape != (len(pool),) or mask.dtype != np.bool_:
        raise InputError(f"expected a mask of the pool's {len(pool):,} rows, found shape {mask.shape} of {mask.dtype}")
    refuse_unlabelled(collection)
    if mask[pool.judged].all():
        return collection
    called = f"{collection.fingerprint}\nassessed\n".encode() + np.packbits(mask).tobytes()
    return replace(
        collection,
        assessments=pool_with(pool, mask),
        rankings=replace(collection.rankings),  # rankings cache results for these labels
        fingerprint=hashlib.sha256(called).hexdigest(),
        subtopics=subtopics_with(collection, mask),
    )


def refuse_unlabelled(collection: Collection) -> None:
    """Raise InputError for a collection without an aspect, or with labels of parts of documents or of components."""
    refuse_parts(collection)
    if not collection.aspects:
        raise InputError("expected an aspect with labels, found signals only")


def pool_with(pool: Assessments, kept: BoolArray) -> Assessments:
    """Return the pool with only the labels of the kept rows, from every source."""
    pooled = {name: _emptied(pool.columns[name], kept, pool) for name in pool.aspects}
    columns = {
        name: _kept(values, pool.scale(name), kept, pooled[name]) if name in pooled else values
        for name, values in pool.columns.items()
    }
    sources = {
        name: Sources({by: np.where(kept, given, np.nan) for by, given in sources.labels.items()}, sources.default)
        for name, sources in pool.sources.items()
    }
    return replace(pool, columns=columns, sources=sources)


def _kept(values: FloatArray, scale: Scale, kept: BoolArray, pooled: BoolArray) -> FloatArray:
    """Return the column with only the labels of the kept rows.

    In topics that have no labels left (marked in `pooled`), a grade below the scale replaces the removed labels: it
    means "pooled, not judged" and keeps the topic.
    """
    gone = np.where(np.isnan(values) | ~pooled, np.nan, 2 * min(scale.low, 0.0) - 1)
    return np.where(kept, values, gone)


def _emptied(values: FloatArray, kept: BoolArray, pool: Assessments) -> BoolArray:
    """Mark the (P,) rows of topics that have no labels left; such topics still count in means."""
    left = np.bincount(pool.topic[kept & ~np.isnan(values)], minlength=len(pool.topics))
    return np.asarray(left[pool.topic] == 0)


def subtopics_with(collection: Collection, kept: BoolArray) -> pd.DataFrame | None:
    """Return the table of grades by subtopic, with only the kept rows; None if the collection has no subtopics."""
    table, pool = collection.subtopics, collection.assessments
    if table is None:
        return None
    gone = pd.MultiIndex.from_arrays(list(pool.ids(~kept).values()))
    return table[~pd.MultiIndex.from_frame(table[["topic", "document"]]).isin(gone)]
