"""Navigation inside documents, from the positions of components: seeing nearby components, reading on.

Shapes: C components, K targets.
"""

from __future__ import annotations

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import sparse
from evalcore.navigation.chains import NEGLIGIBLE
from evalcore.navigation.links import Components

Entries = list[tuple[IntArray, IntArray, FloatArray]]  # rows, columns, values of a sparse matrix


def _documents(components: Components) -> list[IntArray]:
    """Return each document's components with known positions, ordered by offset, the larger first if tied."""
    placed = np.flatnonzero((components.document >= 0) & np.isfinite(components.end))
    order = np.lexsort((-components.size[placed], components.offset[placed], components.document[placed]))
    members = placed[order]
    borders = np.flatnonzero(np.diff(components.document[members])) + 1
    return [part for part in np.split(members, borders) if len(part)]


def near(components: Components, targets: IntArray, theta: float) -> sparse.csr_array:
    """Return the (C, K) matrix of 1 / (1 + e^(theta d)) for each component and the other targets of its document.

    d is the number of characters between the two, 0 if they overlap.
    """
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
    """Return a (C, C) matrix with 1 if a reader who begins at the row's component reaches the column's, else 0."""
    worthy = np.zeros(len(components), dtype=bool)
    worthy[relevant] = True
    entries: Entries = []
    for members in _documents(components):
        for at, start in enumerate(members):
            seen = members[at : at + _stretch(members[at:], components, worthy, tolerance)]
            entries.append((np.full(len(seen), start), seen, np.ones(len(seen))))
    return _assembled(entries, (len(components), len(components)))


def _stretch(members: IntArray, components: Components, worthy: FloatArray, tolerance: float) -> int:
    """Return the number of these components that a reader who begins at the first one reaches."""
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
