"""Walks over links as an absorbing Markov chain (Levene et al. 2001): who is reached, how long it takes, what it costs.

A walk is at one component at a time. Q[j, c] is the probability that it goes on from j to c; what a row leaves to 1 is
the probability of stopping there. N = (I - Q)^-1 holds expected visits: a walk from j is N[j, c] times at c. Whether
it is there at all is another thing, N[j, c] / N[c, c], as each further visit comes back from c itself.
Shapes: C components, K targets.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from evalcore.data.structures import Floats, Integers

DENSE = 600  # components that hang together and are solved as one dense system
AT_ONCE = 128  # targets of a larger part of the graph that are solved together
NEGLIGIBLE = 1e-12  # chances in such a part that are taken for 0
CONTRACTING = 0.95  # where less than this goes on, powers of Q vanish fast enough to be summed
VANISHED = 1e-15
SURE = 1e-12  # a row of Q that lacks no more than this to 1 never stops


def hitting(Q: sparse.csr_array, targets: Integers) -> sparse.csr_array:
    """(C, K) the probability that a walk from each component is ever at each target; 1 from the target itself.

    >>> hitting(sparse.csr_array([[0, 0.5], [0.5, 0]]), np.array([1])).toarray().ravel().tolist()
    [0.5, 1.0]
    """
    linked = (np.diff(Q.indptr) > 0) | (np.bincount(Q.indices, minlength=Q.shape[0]) > 0)
    lonely = np.flatnonzero(~linked[targets])
    found: list[tuple[Integers, Integers, Floats]] = [(targets[lonely], lonely, np.ones(len(lonely)))]
    for members, wanted in _parts(Q, targets, np.flatnonzero(linked[targets])):
        block = Q[members][:, members]
        small = len(members) <= DENSE
        for some in [wanted] if small else np.array_split(wanted, -(-len(wanted) // AT_ONCE)):
            chances = _hitting(block, np.searchsorted(members, targets[some]))
            row, column = np.nonzero(chances > (0.0 if small else NEGLIGIBLE))
            found.append((members[row], some[column], chances[row, column]))
    rows, columns, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return sparse.csr_array((values, (rows, columns)), shape=(Q.shape[0], len(targets)))


def expected_sums(Q: sparse.csr_array, values: Floats) -> Floats:
    """(C, K) the expected sums along a walk from each component of values (C, K): N @ values.

    >>> expected_sums(sparse.csr_array([[0, 0.5], [0.5, 0]]), np.ones((2, 1))).ravel()  # 1 / (1 - 0.5) components
    array([2., 2.])
    """
    if Q.shape[0] <= DENSE:
        dense: Floats = np.linalg.solve(np.eye(Q.shape[0]) - Q.toarray(), values)
        return dense
    if not Q.nnz or Q.sum(axis=1).max() <= CONTRACTING:
        return _summed_powers(Q, values)
    solved: Floats = splu((sparse.eye_array(Q.shape[0]) - Q).tocsc()).solve(values)
    return solved


def trail_lengths(Q: sparse.csr_array, starts: Floats, longest: int) -> Floats:
    """(longest,) the probability that a walk is of t = 1, 2, ... components; `starts` (C,) says where it begins.

    >>> trail_lengths(sparse.csr_array([[0, 0.5], [0.5, 0]]), np.array([1.0, 0.0]), 3)
    array([0.5  , 0.25 , 0.125])
    """
    still = [starts / starts.sum()]
    for _ in range(longest):
        still.append(Q.T @ still[-1])
    alive = np.array([at.sum() for at in still])
    return np.asarray(alive[:-1] - alive[1:])


def endless(Q: sparse.csr_array) -> Integers:
    """Components of a cycle that a walk can never leave and never stops in; empty where every walk ends.

    >>> endless(sparse.csr_array([[0, 1.0, 0], [1.0, 0, 0], [0, 0.5, 0]]))
    array([0, 1])
    """
    count, part = connected_components(Q, directed=True, connection="strong")
    stops = np.asarray(Q.sum(axis=1)).ravel() < 1 - SURE
    links = Q.tocoo()
    crossing = part[links.row] != part[links.col]
    leaves = np.zeros(count, dtype=bool)
    leaves[part[stops]] = True
    leaves[part[links.row[crossing & (links.data > 0)]]] = True
    trapped = np.flatnonzero(~leaves)
    return np.flatnonzero(part == trapped[0]) if len(trapped) else np.zeros(0, dtype=int)


def _parts(Q: sparse.csr_array, targets: Integers, which: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Parts of the graph without links between them: their components, ascending, and which targets are in them."""
    _, part = connected_components(Q, directed=False)
    by_part = np.argsort(part, kind="stable")
    wanted = which[np.argsort(part[targets[which]], kind="stable")]
    names, firsts = np.unique(part[targets[wanted]], return_index=True)
    edges = np.searchsorted(part[by_part], np.column_stack([names, names + 1]))
    for (begin, end), own in zip(edges.tolist(), np.split(wanted, firsts[1:]), strict=False):
        yield by_part[begin:end], own


def _hitting(Q: sparse.csr_array, targets: Integers) -> Floats:
    """(C, K) hitting probabilities in one part of the graph."""
    columns = np.arange(len(targets))
    units = np.zeros((Q.shape[0], len(targets)))
    units[targets, columns] = 1.0
    visits = expected_sums(Q, units)
    chances = np.clip(visits / visits[targets, columns], 0.0, 1.0)
    chances[targets, columns] = 1.0
    return chances


def _summed_powers(Q: sparse.csr_array, values: Floats) -> Floats:
    """values + Q values + Q^2 values + ..., until nothing is added."""
    total, step = values.copy(), values
    while np.abs(step := Q @ step).max(initial=0.0) > VANISHED * np.abs(total).max():
        total += step
    return total
