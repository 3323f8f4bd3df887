"""Certainties of walks from the graph of links alone: components where they may end, can end and must pass.

A probability of exactly 0 or 1 is a matter of which links there are, not of solving; so it is decided here, and holds
however the others are rounded. Q is as in `chains`. Shapes: C components, K targets.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.later import csgraph, sparse
from evalcore.common.rounding import less


def stops(Q: sparse.csr_array) -> BoolArray:
    """(C,) whether a walk may end at each component: a row of Q that is the same as 1 (`rounding.TIE`) never does."""
    ends: BoolArray = less(np.asarray(Q.sum(axis=1)).ravel(), 1.0)
    return ends


def endless(Q: sparse.csr_array) -> IntArray:
    """Components of a cycle that a walk can never leave and never stops in; empty where every walk ends.

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
    """(C, K) from where each target can be reached, from itself too.

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
        ways.reverse()  # up and down by turns: few rounds, whichever way the links go
        for j, c in ways:
            if reached[c] & ~reached[j]:
                reached[j] |= reached[c]
                changed = True
    width = -(-len(targets) // 8)
    table = np.frombuffer(b"".join(bits.to_bytes(width, "little") for bits in reached), dtype=np.uint8)
    leads = np.unpackbits(table.reshape(Q.shape[0], width), axis=1, count=len(targets), bitorder="little")
    return leads.astype(bool)


def certain(Q: sparse.csr_array, targets: IntArray) -> sparse.csr_array:
    """(C, K) 1 where a walk from a component comes to a target for certain, as it cannot end before.

    >>> certain(sparse.csr_array([[0, 0.5, 0.5], [0, 0, 1], [0, 0, 0]]), np.array([1, 2])).toarray()
    array([[0., 1.],
           [1., 1.],
           [0., 1.]])
    """
    following, column = unavoidable(Q), np.full(Q.shape[0] + 1, -1)
    column[targets] = np.arange(len(targets))
    rows, at = [targets], [targets]
    start = np.flatnonzero(following < Q.shape[0])
    place = following[start]
    while len(start):
        rows.append(start[column[place] >= 0])
        at.append(place[column[place] >= 0])
        on = following[place] < Q.shape[0]
        start, place = start[on], following[place[on]]
    rows_and_columns = np.concatenate(rows), column[np.concatenate(at)]
    return sparse.csr_array((np.ones(len(rows_and_columns[0])), rows_and_columns), shape=(Q.shape[0], len(targets)))


def unavoidable(Q: sparse.csr_array) -> IntArray:
    """(C,) the next component that every walk from each one comes to; C where there is none, as walks may end before.

    The tree of post-dominators, by Cooper, Harvey & Kennedy 2001: what cannot be avoided from j is what cannot be
    avoided from all components that j leads to, until nothing changes.

    >>> unavoidable(sparse.csr_array([[0, 0.5, 0.5, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]])).tolist()
    [3, 3, 3, 4]
    """
    end, goes_on = Q.shape[0], ~stops(Q)
    if not goes_on.any():
        return np.full(end, end)
    links = Q.tocoo()
    taken = goes_on[links.row] & (links.data > 0)
    source, target = links.row[taken], links.col[taken]
    leaving = np.flatnonzero(~goes_on)
    # From the end backwards, so that each component has a way out that comes before it.
    tails, heads = np.append(np.full(len(leaving), end), target), np.append(leaving, source)
    graph: sparse.csr_array = sparse.csr_array((np.ones(len(tails)), (tails, heads)), shape=(end + 1, end + 1))
    order = csgraph.breadth_first_order(graph, end, return_predecessors=False)
    place = np.full(end + 1, end + 1)
    place[order] = np.arange(len(order))
    following = _settled([at for at in order.tolist() if at < end and goes_on[at]], source, target, place.tolist())
    return np.array([following.get(at, end) for at in range(end)], dtype=int)


def _settled(order: list[int], source: IntArray, target: IntArray, place: list[int]) -> dict[int, int]:
    """Return the next component that every walk from each component comes to, in an order of ascending position."""
    onwards: dict[int, list[int]] = {at: [] for at in order}
    for begin, to in zip(source.tolist(), target.tolist(), strict=True):
        if begin in onwards:
            onwards[begin].append(to)
    end = len(place) - 1
    following: dict[int, int] = {}

    def meeting(a: int, b: int) -> int:
        while a != b:
            if place[a] > place[b]:
                a = following.get(a, end)
            else:
                b = following.get(b, end)
        return a

    changed = True
    while changed:
        changed = False
        for at in order:
            known = [to for to in onwards[at] if to in following or to not in onwards]
            result = reduce(meeting, known)
            changed |= following.get(at) != result
            following[at] = result
    return following
