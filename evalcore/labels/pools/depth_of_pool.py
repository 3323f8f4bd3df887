"""Estimate the depth of a pool, and mark its relevant documents.

Shapes: P pool rows, S systems, D depths.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, IntArray, divided
from evalcore.common.rounding import less, percent
from evalcore.common.short_forms import shown
from evalcore.measures.base import GainMeasure, Measure
from evalcore.measures.parts.gains import relevant
from evalcore.structures.documents import Collection, assessed_counts

NEARLY_ALL = 0.95
USUAL = 10  # the depth assumed if it cannot be estimated


@shown
@dataclass(frozen=True, eq=False)
class PoolDepth:
    """The apparent depth of a pool, for each system and for the collection; `basis` states how it was estimated."""

    systems: pd.Series  # by system: the rank down to which nearly all documents are assessed, 0 if there is none
    depth: int
    basis: str


def pool_depth(collection: Collection, nearly_all: float = NEARLY_ALL) -> PoolDepth:
    """Estimate the depth to which runs were pooled, from their assessed documents.

    A system's depth is the greatest d, at most the length of its longest ranking, with enough assessed documents at
    every depth from 1 to d: at least the share `nearly_all` of its documents down to that depth, over all topics. The
    collection's depth is the greatest d with enough deep systems at every depth from 1 to d: three quarters of the
    systems that return that many documents have at least that depth. A system with depth 0 may not have been pooled and
    does not count.

    >>> from evalcore.data import collection
    >>> c = collection({"a": {"t": {"x": 3.0, "y": 2.0, "u": 1.0}}, "b": {"t": {"u": 1.0}}}, {"t": {"x": 1, "y": 0}})
    >>> pool_depth(c).systems.to_dict(), pool_depth(c).depth
    ({'a': 2, 'b': 0}, 2)
    """
    rankings, judged = collection.rankings, collection.assessments.judged
    found, retrieved = assessed_counts(rankings, judged, range(1, max(rankings.depth, 1) + 1))
    longest = rankings.length.max(axis=1, initial=0)
    reaching = longest[:, None] > np.arange(found.shape[1])
    enough = ~less(divided(found, retrieved), nearly_all) & reaching
    to = np.cumprod(enough, axis=1).sum(axis=1)
    systems = pd.Series(to, index=pd.Index(collection.systems, name="system", dtype=object), name="assessed to")
    depth = _shared_depth(to[to > 0], reaching[to > 0])
    if not depth:
        basis = f"assumed to be {USUAL}, because every system has some unassessed documents at rank 1"
        return PoolDepth(systems, USUAL, basis)
    long_enough = int((longest >= depth).sum())
    longer = f"systems that return at least {depth} documents ({len(systems)} in all)"
    which = "systems" if long_enough == len(systems) else longer
    basis = (
        f"guessed: for {int((to >= depth).sum())} of {long_enough} {which} at least {percent(nearly_all)} of the "
        f"{'first document is' if depth == 1 else f'first {depth} documents are'} assessed"
    )
    return PoolDepth(systems, depth, basis)


def _shared_depth(to: IntArray, reaching: BoolArray) -> int:
    """Return the greatest depth to which three quarters of the systems are assessed, 0 if there is none.

    `to` (S,) are the systems' own depths; `reaching` (S, D) marks the depths that their rankings reach.
    """
    count = reaching.sum(axis=0)
    assessed = (to[:, None] > np.arange(reaching.shape[1])).sum(axis=0)
    return int(np.cumprod((count > 0) & (assessed >= count - (count - 1) // 4)).sum())


def relevant_rows(collection: Collection, measure: Measure | None = None) -> BoolArray:
    """Return the (P,) mask of documents with a gain under the measure.

    For a measure without gains, the mask has the documents that are relevant on its first aspect; without a measure,
    those that are relevant on the first aspect of the collection.
    """
    pool = collection.assessments
    if isinstance(measure, GainMeasure):
        return np.asarray(measure.document_gains(pool) > 0)
    read = [name for name in (measure.columns if measure else ()) if name in pool.aspects]
    name = read[0] if read else pool.aspects[0]
    return np.asarray(relevant(None).of(pool.column(name), pool.scale(name)) > 0)
