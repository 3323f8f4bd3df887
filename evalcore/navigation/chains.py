"""Walks over links as an absorbing Markov chain (Levene et al. 2001): targets reached, steps and costs.

A walk is at one component at a time. Q[j, c] is the probability that it goes on from j to c; each row sums to 1 minus
the probability of stopping. N = (I - Q)^-1 contains expected visits: N[j, c] is the mean number of visits to c
by a walk from j. The walk visits c at least once with probability N[j, c] / N[c, c], because later visits come from c
itself.

The graph alone shows which components a walk can or must visit, so probabilities of 0 and 1 are exact. Shapes:
C components, K targets.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import csgraph, sparse, splu
from evalcore.common.rounding import JUST_BELOW_ONE
from evalcore.navigation.certainty import certain, leading_to

DENSE = 600  # connected components that are solved as one dense system
AT_ONCE = 128  # targets of a larger part of the graph that are solved together
NEGLIGIBLE = 1e-12  # probabilities in such a part that count as 0
TINY = 1e-300  # least probability of an existing path
CONTRACTING = 0.95  # if walks go on with lower probability, powers of Q vanish fast enough to be summed
VANISHED = 1e-15
LONGEST = 50  # longest walk in `going_on`


def hitting(Q: sparse.csr_array, targets: IntArray) -> sparse.csr_array:
    """Return the (C, K) probability that a walk from each component ever visits each target; 1 from the target itself.

    It is exactly 1 only if no walk can end before it visits the target. In parts of the graph with at most 600
    components, it is exactly 0 only if there is no path to the target.

    >>> hitting(sparse.csr_array([[0, 0.5], [0.5, 0]]), np.array([1])).toarray().ravel().tolist()
    [0.5, 1.0]
    """
    linked = (np.diff(Q.indptr) > 0) | (np.bincount(Q.indices, minlength=Q.shape[0]) > 0)
    lonely = np.flatnonzero(~linked[targets])
    entries: list[tuple[IntArray, IntArray, FloatArray]] = [(targets[lonely], lonely, np.ones(len(lonely)))]
    for members, wanted in _parts(Q, targets, np.flatnonzero(linked[targets])):
        block = Q[members][:, members]
        small = len(members) <= DENSE
        for some in [wanted] if small else np.array_split(wanted, -(-len(wanted) // AT_ONCE)):
            at = np.searchsorted(members, targets[some])
            solved = _hitting(block, at)
            row, column = np.nonzero(leading_to(block, at) if small else solved > NEGLIGIBLE)
            entries.append((members[row], some[column], solved[row, column]))
    rows, columns, values = (np.concatenate(parts) for parts in zip(*entries, strict=True))
    return with_certain(
        sparse.csr_array((values, (rows, columns)), shape=(Q.shape[0], len(targets))), certain(Q, targets)
    )


def with_certain(chances: sparse.csr_array, certain: sparse.csr_array) -> sparse.csr_array:
    """Return probabilities (C, K) corrected for rounding: exactly 1 in the entries of `certain`.

    Other stored probabilities are above 0 and below 1.
    """
    chances.data = np.clip(chances.data, TINY, JUST_BELOW_ONE)
    joined: sparse.csr_array = chances.maximum(certain).tocsr()
    return joined


def expected_sums(Q: sparse.csr_array, values: FloatArray) -> FloatArray:
    """Return the (C, K) expected sums of values (C, K) along a walk from each component: N @ values.

    >>> expected_sums(sparse.csr_array([[0, 0.5], [0.5, 0]]), np.ones((2, 1))).ravel()  # 1 / (1 - 0.5) components
    array([2., 2.])
    """
    if Q.shape[0] <= DENSE:
        dense: FloatArray = np.linalg.solve(np.eye(Q.shape[0]) - Q.toarray(), values)
        return dense
    if not Q.nnz or Q.sum(axis=1).max() <= CONTRACTING:
        return _summed_powers(Q, values)
    solved: FloatArray = splu((sparse.eye_array(Q.shape[0]) - Q).tocsc()).solve(values)
    return solved


def trail_lengths(
    Q: sparse.csr_array, starts: FloatArray, longest: int, longer: FloatArray | None = None
) -> FloatArray:
    """Return the (longest,) probabilities that a walk has t = 1, 2, ... components.

    `starts` (C,) are the weights of the components at which it begins. `longer` (see `going_on`) limits the lengths;
    if it is None, walks end only with the stopping probabilities of Q.

    >>> trail_lengths(sparse.csr_array([[0, 0.5], [0.5, 0]]), np.array([1.0, 0.0]), 3)
    array([0.5  , 0.25 , 0.125])
    """
    still = [starts / starts.sum()]
    for _ in range(longest):
        still.append(Q.T @ still[-1])
    alive = np.array([at.sum() for at in still])
    if longer is not None:
        alive *= np.append(longer, np.zeros(longest + 1))[: longest + 1]
    return np.asarray(alive[:-1] - alive[1:])


# --- walks whose length follows a law ---------------------------------------------------------------------------------


def going_on(alpha: float) -> FloatArray:
    """Return the (LONGEST,) shares of users who see at least t = 1, 2, ... components, if P(t) ~ t^(-alpha).

    >>> going_on(1.0)[:2].round(3)  # all; 1 - 1 / (1 + 1/2 + ... + 1/50)
    array([1.   , 0.778])
    """
    shares = np.arange(1.0, LONGEST + 1) ** -alpha
    return np.asarray(np.cumsum(shares[::-1])[::-1] / shares.sum())


def hitting_on_trails(Q: sparse.csr_array, targets: IntArray, longer: FloatArray) -> sparse.csr_array:
    """Return the (C, K) probability that a walk of limited length from each component visits each target.

    `longer` comes from `going_on`. The probability is the sum over t of longer[t] * P(the walk is at the target for the
    first time at its t-th component). To get this P for t from the P for t - 1, multiply by Q and leave out the walks
    that have reached the target.

    >>> hitting_on_trails(sparse.csr_array([[0, 1.0], [1.0, 0]]), np.array([1]), np.array([1, 0.4])).toarray().ravel()
    array([0.4, 1. ])
    """
    parts = []
    for some in np.array_split(np.arange(len(targets)), max(-(-len(targets) // AT_ONCE), 1)):
        columns = np.arange(len(some))
        first = np.zeros((Q.shape[0], len(some)))
        first[targets[some], columns] = 1.0
        total = first.copy()
        for share in longer[1:].tolist():
            first = Q @ first
            first[targets[some], columns] = 0.0
            total += share * first
        total[total <= NEGLIGIBLE] = 0.0
        parts.append(sparse.csr_array(total))
    own = sparse.csr_array((np.ones(len(targets)), (targets, np.arange(len(targets)))), (Q.shape[0], len(targets)))
    return with_certain(sparse.hstack(parts).tocsr(), own)


def sums_on_trails(Q: sparse.csr_array, values: FloatArray, longer: FloatArray) -> FloatArray:
    """Return the (C, K) expected sums of values (C, K) along walks from each component; lengths follow `going_on`."""
    total, step = values.astype(float), values
    for share in longer[1:].tolist():
        step = Q @ step
        total += share * step
    return total


def _parts(Q: sparse.csr_array, targets: IntArray, which: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the components and the targets of each connected part of the graph that has any selected target.

    `which` selects targets by their indices. Components are ascending; targets are yielded as indices of `targets`.
    """
    _, part = csgraph.connected_components(Q, directed=False)
    by_part = np.argsort(part, kind="stable")
    wanted = which[np.argsort(part[targets[which]], kind="stable")]
    names, firsts = np.unique(part[targets[wanted]], return_index=True)
    edges = np.searchsorted(part[by_part], np.column_stack([names, names + 1]))
    for (begin, end), own in zip(edges.tolist(), np.split(wanted, firsts[1:]), strict=False):
        yield by_part[begin:end], own


def _hitting(Q: sparse.csr_array, targets: IntArray) -> FloatArray:
    """Return the (C, K) hitting probabilities in one part of the graph."""
    columns = np.arange(len(targets))
    units = np.zeros((Q.shape[0], len(targets)))
    units[targets, columns] = 1.0
    visits = expected_sums(Q, units)
    return np.asarray(visits / visits[targets, columns])


def _summed_powers(Q: sparse.csr_array, values: FloatArray) -> FloatArray:
    """Return the sum of values + Q values + Q^2 values + ..., up to the first negligible term."""
    total, step = values.copy(), values
    while np.abs(step := Q @ step).max(initial=0.0) > VANISHED * np.abs(total).max():
        total += step
    return total
