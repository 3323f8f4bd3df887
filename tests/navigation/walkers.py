"""Simulated users who walk over links, for comparison with the formulas.

The formulas assume that each component is seen independently, and that a rank has its expected cost. Users who walk
over links see the components of a path together, and a long walk costs more. Shapes: U users, R ranks, n targets, C
components.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.lazy_imports import sparse
from evalcore.navigation.links import Navigation
from evalcore.navigation.models import Walk
from evalcore.navigation.topic_graphs import TopicGraph
from evalcore.navigation.worth import Effort


@dataclass(frozen=True, eq=False)
class Crowd:
    """Simulated users: their effort and gain after each rank of a list."""

    cg: FloatArray  # (U, R)
    ce: FloatArray  # (U, R)


def mean_and_error(values: FloatArray) -> tuple[float, float]:
    """Return the mean of a sample, and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def draw_walkers(
    navigation: Navigation, walk: Walk, effort: Effort, graph: TopicGraph, ranking: IntArray, users: int, seed: int = 0
) -> Crowd:
    """Simulate users who walk from each result, link by link, until they stop."""
    random = np.random.default_rng(seed)
    Q = walk.transitions(navigation)
    Q.sum_duplicates()
    reading = effort.of_reading(navigation.components)
    column = np.full(Q.shape[0], -1)
    column[graph.target] = np.arange(len(graph.gains))
    seen = np.zeros((users, len(graph.gains)), dtype=bool)
    cg, cost = np.zeros((users, len(ranking))), np.zeros((users, len(ranking)))
    for rank, start in enumerate(np.asarray(ranking).tolist()):
        cost[:, rank] = effort.rank
        if start >= 0:
            cost[:, rank] += _walks(Q, start, seen, column, reading, effort.click, random)
        cg[:, rank] = seen @ graph.gains
    return Crowd(cg, np.cumsum(cost, axis=1))


def _walks(
    Q: sparse.csr_array,
    start: int,
    seen: FloatArray,
    column: IntArray,
    reading: FloatArray,
    click: float,
    random: np.random.Generator,
) -> FloatArray:
    """(U,) effort of a walk of every user from one component; also marks the targets in `seen` (U, n)."""
    line = np.repeat(np.arange(Q.shape[0]), np.diff(Q.indptr))
    # transitions of each row divide the interval [row, row + 1]; the remainder is the probability of stopping
    totals = np.append(0.0, np.cumsum(Q.data))
    edges = line + totals[1:] - totals[Q.indptr[line]]
    who, place, cost = np.arange(len(seen)), np.full(len(seen), start), np.zeros(len(seen))
    while len(who):
        cost[who] += reading[place]
        worthy = column[place] >= 0
        seen[who[worthy], column[place[worthy]]] = True
        chosen = np.searchsorted(edges, place + random.random(len(who)), side="right")
        goes = chosen < Q.indptr[place + 1]
        who, place = who[goes], Q.indices[chosen[goes]]
        cost[who] += click
    return cost
