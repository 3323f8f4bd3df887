"""Facts about walks that follow from the links only: where walks may end, and what they can or must visit.

The links, and the components where a walk may stop, determine which probabilities are exactly 0 or 1. These
probabilities are found here without solving equations, so rounding cannot change them. Q is as in `chains`.
Shapes: C components, K targets.
"""

from __future__ import annotations

import numpy as np

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.lazy_imports import csgraph, sparse
from evalcore.common.rounding import less


def stops(Q: sparse.csr_array) -> BoolArray:
    """Return a (C,) mask of components where a walk may end: rows of Q whose sum is below 1 by more than `TIE`."""
    ends: BoolArray = less(np.asarray(Q.sum(axis=1)).ravel(), 1.0)
    return ends


def endless(Q: sparse.csr_array) -> IntArray:
    """Return the components of a cycle that a walk can neither leave nor stop in; empty if every walk ends.

    >>> endless(sparse.csr_array([[0, 1.0, 0], [1.0, 0, 0], [0, 0.5, 0]]))
    array([0, 1])
    """
    count, part = csgraph.connected_components(Q, directed=True, connection="strong")
    links = Q.tocoo()
    crossing = part[links.row] != part[links.col]
    leaves = np.zeros(count, dtype=bool)
    leaves[part[stops(Q)]] = True
    leaves[part[links.row[crossing & (links.data > 0)]]] = True
    trapped = np.flatnonzero(~leaves)
    return np.flatnonzero(part == trapped[0]) if len(trapped) else np.zeros(0, dtype=int)


def leading_to(Q: sparse.csr_array, targets: IntArray) -> BoolArray:
    """Return a (C, K) mask of the components from which each target can be reached, including the target itself.

    >>> leading_to(sparse.csr_array([[0, 0.5, 0], [0, 0, 0.5], [0, 0, 0]]), np.array([1, 2])).astype(int)
    array([[1, 1],
           [1, 1],
           [0, 1]])
    """
    reached = [0] * Q.shape[0]  # a bit for each target
    for at, target in enumerate(targets.tolist()):
        reached[target] |= 1 << at
    links = Q.tocoo()
    there = links.data > 0
    ways = list(zip(links.row[there].tolist(), links.col[there].tolist(), strict=True))
    changed = True
    while changed:
        changed = False
        ways.reverse()  # alternate directions: few rounds, whichever way the links go
        for j, c in ways:
            if reached[c] & ~reached[j]:
                reached[j] |= reached[c]
                changed = True
    width = -(-len(targets) // 8)
    table = np.frombuffer(b"".join(bits.to_bytes(width, "little") for bits in reached), dtype=np.uint8)
    leads = np.unpackbits(table.reshape(Q.shape[0], width), axis=1, count=len(targets), bitorder="little")
    return leads.astype(bool)


def certain(Q: sparse.csr_array, targets: IntArray) -> sparse.csr_array:
    """Return a (C, K) matrix with 1 if a walk from the component cannot end before it reaches the target, else 0.

    The entry is 1 if no path that avoids the target leads to a component where a walk may end.

    >>> certain(sparse.csr_array([[0, 0.5, 0.5], [0, 0, 1], [0, 0, 0]]), np.array([1, 2])).toarray()
    array([[0., 1.],
           [1., 1.],
           [0., 1.]])
    """
    ends, links = stops(Q), Q.tocoo()
    there = links.data > 0
    goes_on = there & ~ends[links.row]
    tails, heads = links.row[there], links.col[there]
    rows, columns = [targets], [np.arange(len(targets))]
    near = np.unique(links.col[goes_on])  # a certain target is linked from a component in which no walk ends
    for column in np.flatnonzero(np.isin(targets, near)).tolist():
        around = _leading_back(np.flatnonzero(ends), tails, heads, int(targets[column]), Q.shape[0])
        sure = np.flatnonzero(~around)
        sure = sure[sure != targets[column]]
        rows.append(sure)
        columns.append(np.full(len(sure), column))
    at = np.concatenate(rows), np.concatenate(columns)
    return sparse.csr_array((np.ones(len(at[0])), at), shape=(Q.shape[0], len(targets)))


def _leading_back(ends: IntArray, tails: IntArray, heads: IntArray, without: int, count: int) -> BoolArray:
    """Return a (count,) mask of the components from which a path that avoids `without` reaches one of `ends`.

    Links lead from `tails` to `heads`. The mask includes the ends themselves, except `without`.
    """
    kept = (tails != without) & (heads != without)
    ends = ends[ends != without]
    back = np.append(heads[kept], np.full(len(ends), count)), np.append(tails[kept], ends)
    graph: sparse.csr_array = sparse.csr_array((np.ones(len(back[0])), back), shape=(count + 1, count + 1))
    found = np.zeros(count + 1, dtype=bool)
    found[csgraph.breadth_first_order(graph, count, return_predecessors=False)] = True
    return found[:count]
