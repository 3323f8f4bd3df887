"""The partial order of label tuples: which documents it compares, and who decides about the rest.

A tuple is at least as good as another if it is so on every aspect (Maistro et al. 2021, section 3.1). Tuples hold the
places of labels on their scales, 0 the worst. Shapes: U tuples, A aspects.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.data.structures import Assessments, Integers
from evalcore.measures.orders import TupleOrder, pool_tuples


def at_least_as_good(tuples: Integers) -> NDArray[np.bool_]:
    """(U, U) whether tuple i is at least as good as tuple j on every aspect.

    >>> at_least_as_good(np.array([[1, 0], [0, 1], [1, 1]])).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [1, 1, 1]]
    """
    return np.asarray((tuples[:, None, :] >= tuples[None, :, :]).all(axis=2))


def covers(tuples: Integers) -> list[tuple[int, int]]:
    """The lines of the Hasse diagram: (i, j) where i is better than j and nothing stands between them.

    >>> covers(np.array([[0, 0], [0, 1], [1, 1]]))
    [(1, 0), (2, 1)]
    """
    better = at_least_as_good(tuples) & ~np.eye(len(tuples), dtype=bool)
    between = (better.astype(np.int32) @ better.astype(np.int32)) > 0
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(better & ~between), strict=True)]


def open_pairs(pool: Assessments, orders: Mapping[str, TupleOrder]) -> pd.DataFrame:
    """How many pairs of documents of one topic the partial order leaves open, and how each total order decides them.

    One row per order. Columns: pairs (of all assessed documents of a topic), equal (the same labels), comparable, open,
    tied (open, and in one class of the order), decided. All orders must be over the same aspects.
    """
    aspects = next(iter(orders.values())).aspects
    tuples = pool_tuples(pool, aspects)
    counts = {name: np.zeros(4, dtype=np.int64) for name in orders}
    classes = {name: order.class_of(tuples) for name, order in orders.items()}
    for start, end in zip(pool.topic_start[:-1], pool.topic_start[1:], strict=True):
        better = at_least_as_good(tuples[start:end])
        above = np.triu_indices(end - start, k=1)
        one, other = better[above], better.T[above]
        unsettled = ~one & ~other
        for name, of_pool in classes.items():
            of_topic = of_pool[start:end]
            tied = int(np.count_nonzero(unsettled & (of_topic[above[0]] == of_topic[above[1]])))
            counts[name] += np.array([len(one), np.count_nonzero(one & other), np.count_nonzero(unsettled), tied])
    return _pair_table(counts)


def _pair_table(counts: Mapping[str, NDArray[np.int64]]) -> pd.DataFrame:
    table = pd.DataFrame(dict(counts), index=["pairs", "equal", "open", "tied"]).T
    table["comparable"] = table["pairs"] - table["equal"] - table["open"]
    table["decided"] = table["open"] - table["tied"]
    return table.rename_axis("order").reindex(columns=["pairs", "equal", "comparable", "open", "tied", "decided"])
