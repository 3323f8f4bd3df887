"""Structure of documents: structural links, nearness and reading on, from the positions of components.

Shapes: C components, K targets.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.later import sparse
from evalcore.navigation.chains import NEGLIGIBLE
from evalcore.navigation.links import Components, Links

Entries = list[tuple[IntArray, IntArray, FloatArray]]  # rows, columns, values of a sparse matrix


def structure_links(components: Components) -> Links:
    """Links that document structure makes: to the smallest component around, to those directly inside, to neighbours.

    What only overlaps a component is not around it. Neighbours are the components just before and after in the same
    container, or document.
    """
    pairs: set[tuple[int, int]] = set()
    for members in _documents(components):
        around = _containers(members, components)
        pairs |= {pair for inner, outer in around.items() if outer >= 0 for pair in ((inner, outer), (outer, inner))}
        last: dict[int, int] = {}
        for member, outer in around.items():
            if outer in last:
                pairs |= {(last[outer], member), (member, last[outer])}
            last[outer] = member
    ends = np.array(sorted(pairs), dtype=int).reshape(-1, 2)
    return Links(ends[:, 0], ends[:, 1], np.full(len(ends), np.nan), np.zeros(len(ends), dtype=int))


def joined(links: Links, others: Links) -> Links:
    """All links of the first, and those of the second that it lacks."""
    known = set(zip(links.source.tolist(), links.target.tolist(), strict=True))
    new = np.array([pair not in known for pair in zip(others.source.tolist(), others.target.tolist(), strict=True)])
    new = new.astype(bool)
    return Links(
        np.append(links.source, others.source[new]),
        np.append(links.target, others.target[new]),
        np.append(links.probability, others.probability[new]),
        np.append(links.line, others.line[new]),
        links.where,
    )


def _documents(components: Components) -> list[IntArray]:
    """The components of each document that have a place in it, by offset, the larger first."""
    placed = np.flatnonzero((components.document >= 0) & np.isfinite(components.end))
    order = np.lexsort((-components.size[placed], components.offset[placed], components.document[placed]))
    members = placed[order]
    borders = np.flatnonzero(np.diff(components.document[members])) + 1
    return [part for part in np.split(members, borders) if len(part)]


def _containers(members: IntArray, components: Components) -> dict[int, int]:
    """The smallest component around each one, of equal ones the last to begin; -1 where there is none.

    Members by offset, the larger first; of two with one place, the first is around the second.
    """
    around: dict[int, int] = {}
    # What may be around a later member: by end, the last to end first, and with it the largest; ends with a minus sign.
    ends: list[float] = []
    candidates: list[int] = []
    places = zip(members.tolist(), components.offset[members].tolist(), components.end[members].tolist(), strict=True)
    for member, begin, end in places:
        while ends and -ends[-1] < begin:
            ends.pop()
            candidates.pop()
        at = bisect_right(ends, -end)
        around[member] = candidates[at - 1] if at else -1
        at = bisect_left(ends, -end, hi=at)
        # No later member is in one of these without being in this one, which is as small.
        beaten = at
        while beaten < len(ends) and components.size[candidates[beaten]] >= components.size[member]:
            beaten += 1
        ends[at:beaten], candidates[at:beaten] = [-end], [member]
    return around


def near(components: Components, targets: IntArray, theta: float) -> sparse.csr_array:
    """(C, K) 1 / (1 + e^(theta d)) for every other component of the same document."""
    column = np.full(len(components), -1)
    column[targets] = np.arange(len(targets))
    entries: Entries = []
    for members in _documents(components):
        wanted = members[column[members] >= 0]
        before = components.offset[wanted] - components.end[members][:, None]
        after = components.offset[members][:, None] - components.end[wanted]
        with np.errstate(over="ignore"):
            chance = 1 / (1 + np.exp(theta * np.maximum(np.maximum(before, after), 0.0)))
        row, at = np.nonzero((chance > NEGLIGIBLE) & (members[:, None] != wanted))
        entries.append((members[row], column[wanted[at]], chance[row, at]))
    return _assembled(entries, (len(components), len(targets)))


def read_on(components: Components, relevant: IntArray, tolerance: float) -> sparse.csr_array:
    """(C, C) 1 where a reader who begins at one component comes to another, itself included."""
    worthy = np.zeros(len(components), dtype=bool)
    worthy[relevant] = True
    entries: Entries = []
    for members in _documents(components):
        for at, start in enumerate(members):
            seen = members[at : at + _stretch(members[at:], components, worthy, tolerance)]
            entries.append((np.full(len(seen), start), seen, np.ones(len(seen))))
    return _assembled(entries, (len(components), len(components)))


def _stretch(members: IntArray, components: Components, worthy: FloatArray, tolerance: float) -> int:
    """Return how many components a reader comes to who begins at the first."""
    last = components.offset[members[0]]
    for count, member in enumerate(members.tolist()):
        if count and components.offset[member] - last >= tolerance:
            return count
        if worthy[member]:
            last = max(last, components.end[member])
    return len(members)


def _assembled(parts: Entries, shape: tuple[int, int]) -> sparse.csr_array:
    if not parts:
        return sparse.csr_array(shape)
    rows, columns, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    return sparse.csr_array((values, (rows, columns)), shape=shape)
