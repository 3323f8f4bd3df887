"""The partial order of label tuples: which documents it compares, and who decides about the rest.

A tuple is at least as good as another if it is so on every aspect (Maistro et al. 2021, section 3.1). Tuples hold the
places of labels on their scales, 0 the worst. Shapes: U tuples, A aspects.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.later import pd
from evalcore.measures.tuple_orders import TupleOrder, pool_tuples
from evalcore.structures.documents import Assessments


def at_least_as_good(tuples: IntArray) -> BoolArray:
    """(U, U) whether tuple i is at least as good as tuple j on every aspect.

    >>> at_least_as_good(np.array([[1, 0], [0, 1], [1, 1]])).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [1, 1, 1]]
    """
    return np.asarray(np.logical_and.reduce([column[:, None] >= column for column in tuples.T]))


def covers(tuples: IntArray) -> list[tuple[int, int]]:
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
    tied (open, and in one class of the order), decided, and for each aspect "for" it: decided in favour of the document
    with the better label there. All orders must be over the same aspects.
    """
    aspects = next(iter(orders.values())).aspects
    labels, of_document = np.unique(pool_tuples(pool, aspects), axis=0, return_inverse=True)
    classes = {name: order.class_of(labels) for name, order in orders.items()}
    names = ["pairs", "equal", "open", "tied", *(f"for {aspect}" for aspect in aspects)]
    counts = {name: np.zeros(len(names)) for name in orders}
    for start, end in zip(pool.topic_start[:-1], pool.topic_start[1:], strict=True):
        present, documents = np.unique(of_document[start:end], return_counts=True)
        better = at_least_as_good(labels[present])
        unsettled = ~(better | better.T)
        every = [math.comb(int(end - start), 2), (documents * (documents - 1)).sum() / 2, _pairs(unsettled, documents)]
        above = [column[:, None] > column for column in labels[present].T]
        for name, of_label in classes.items():
            distinct = of_label[present]
            tied, won = unsettled & (distinct[:, None] == distinct), unsettled & (distinct[:, None] > distinct)
            for_aspect = [2 * _pairs(won & higher, documents) for higher in above]
            counts[name] += [*every, _pairs(tied, documents), *for_aspect]
    table = pd.DataFrame(counts, index=names).T.astype(int).rename_axis("order")
    table.insert(2, "comparable", table["pairs"] - table["equal"] - table["open"])
    table.insert(5, "decided", table["open"] - table["tied"])
    return table


def _pairs(which: BoolArray, documents: IntArray) -> float:
    """How many pairs of documents stand behind the pairs of tuples marked both ways round."""
    # Single precision counts the documents of a topic exactly, up to 16 million.
    partners = which.astype(np.float32) @ documents.astype(np.float32)
    return float(documents @ partners.astype(float)) / 2
