"""Upper bounds of a measure from candidates for the ideal ranking (Maistro et al. 2021, section 4.2).

CAM and MM have no ideal ranking of their own, so several candidates are built from the assessed documents and scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError
from evalcore.measures.base import Measure, as_measure
from evalcore.measures.tuple_orders import pool_tuples
from evalcore.structures.documents import Assessments, Rankings

MOST_ASPECTS = 6  # 6! = 720 orders


def upper_bounds(measure: Measure | str, pool: Assessments, aspects: Sequence[str]) -> pd.DataFrame:
    """Return the scores of candidates for the ideal ranking: topics x strategies.

    The strategies are all n! orders of the aspects (sort by the first aspect, ties by the second, ...) and three more:
    by the sum of the labels, by the sum of their squares, and by the largest label (labels as 0, 1, 2, ...). The
    maximum of a row is the best score known to be attainable on a topic. Raises InputError for no aspect or more than
    6.
    """
    if not 1 <= len(aspects) <= MOST_ASPECTS:
        raise InputError(f"expected 1 to {MOST_ASPECTS} aspects, found {len(aspects)}")
    orders = ideal_orders(pool_tuples(pool, aspects), aspects)
    rankings = _rankings(orders, pool)
    scores = as_measure(measure, pool).scores(pool, rankings)
    topics = pd.Index(pool.topics, name="topic", dtype=object)
    return pd.DataFrame(scores.T, index=topics, columns=pd.Index(rankings.systems, name="strategy", dtype=object))


def ideal_orders(tuples: IntArray, aspects: Sequence[str]) -> dict[str, list[FloatArray]]:
    """Map each strategy to its sort keys (larger is better), most important first."""
    labels = tuples.astype(float)
    orders = {
        " > ".join(aspects[at] for at in order): [labels[:, at] for at in order]
        for order in permutations(range(len(aspects)))
    }
    return {
        **orders,
        "sum": [labels.sum(axis=1)],
        "sum of squares": [(labels**2).sum(axis=1)],
        "largest label": [labels.max(axis=1)],
    }


def _rankings(orders: dict[str, list[FloatArray]], pool: Assessments) -> Rankings:
    """Return a ranking of all assessed documents of a topic for each topic and strategy; ties in pool order."""
    sizes = np.diff(pool.topic_start)
    rows = [np.lexsort((*(-key for key in reversed(keys)), pool.topic)) for keys in orders.values()]
    rank = np.arange(len(pool)) - pool.topic_start[pool.topic] + 1
    count = len(orders)
    return Rankings(
        systems=tuple(orders),
        n_topics=len(pool.topics),
        n_pool=len(pool),
        indptr=np.append(0, np.cumsum(np.tile(sizes, count))).astype(np.int32),
        rank=np.tile(rank, count).astype(np.int32),
        row=np.concatenate(rows).astype(np.int32),
        length=np.tile(sizes, (count, 1)).astype(np.int32),
    )
