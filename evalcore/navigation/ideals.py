"""Effort to a gain level, and the ideal lists for comparison.

If computed efforts order components, two efforts that differ by at most a part in 10^9 are equal
(`evalcore.common.rounding`), and remaining ties keep the order of assessment.
Shapes: K ranks of a traversal, L levels, n targets, C components.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.rounding import SOLVED, distinct, first_largest, ordinals
from evalcore.errors import InputError
from evalcore.navigation.cumulated_gain import ROUNDING, StepCurve, below, distribution, method_for
from evalcore.navigation.topic_graphs import TopicGraph, Traversal, traverse

IDEALS = ("gain", "effort")
CURVES = ("step", "linear")
GRID = 512  # levels at which a normally approximated ideal is tabulated
CHEAPEST = 1e-300  # replaces an effort of 0


def expected_effort(way: Traversal, levels: FloatArray, method: str = "auto") -> FloatArray:
    """Return (L,) E[ce[gr]] = e[1] + sum over i >= 1 of e[i + 1] * P(cg[i] < gr), for levels above 0.

    It is infinite if the level may never be reached, which the printed sum would hide (erratum of E[ce]).
    """
    levels = np.asarray(levels, dtype=float)
    if not len(way.rank):
        return np.full(len(levels), np.inf)
    short = below(way, levels, method)
    reached = way.cost[0] + np.diff(way.cost) @ short[:-1]
    return np.where(short[-1] > 0, np.inf, reached)


def inverse_effort(way: Traversal, levels: FloatArray, method: str = "auto") -> FloatArray:
    """Return the (L,) expected inverse effort E[1 / ce[gr]] for levels above 0.

    It is the sum over k >= 1 of 1 / ce[k] * (P(cg[k - 1] < gr) - P(cg[k] < gr)), as corrected (erratum of E[1/ce]).
    Users who never reach the level add nothing.
    """
    levels = np.asarray(levels, dtype=float)
    if not len(way.rank):
        return np.zeros(len(levels))
    short = np.vstack([np.ones(len(levels)), below(way, levels, method)])
    return np.asarray((1 / costs(way)) @ -np.diff(short, axis=0))


def costs(way: Traversal) -> FloatArray:
    """Return the (K,) efforts ce. Raises InputError if something may be seen at no cost."""
    if len(way.cost) and not way.cost[0] > 0:
        raise InputError("expected an effort above 0 for the first rank with a component, found 0; give ranks a weight")
    return way.cost


@lru_cache(maxsize=4096)
def ideal_curve(graph: TopicGraph, ideal: str = "gain", method: str = "auto", interpolation: str = "step") -> StepCurve:
    """Return E[ce_ideal[gr]] of a topic as a function of the level.

    The ideal list has the components in decreasing order of gain ("gain"), or is, at each level, the cheaper of that
    list and a greedy list ("effort"; see `greedy_list`).
    """
    lists = [gain_list(graph)] if ideal == "gain" else [gain_list(graph), greedy_list(graph)]
    ways = [traverse(graph, pages) for pages in lists]
    levels = gain_levels(graph, ways, method)
    efforts = np.min([expected_effort(way, levels, method) for way in ways], axis=0)
    return StepCurve(levels, efforts, interpolation == "linear")


def gain_list(graph: TopicGraph) -> IntArray:
    """Return all components with gain, by decreasing gain, then increasing effort, then in order of assessment.

    Two efforts that differ by no more than a part in 10^9 are equal; gains are compared exactly.
    """
    order = np.lexsort((ordinals(graph.consulting[graph.target], SOLVED), -graph.gains))
    return np.asarray(graph.target[order])


def greedy_list(graph: TopicGraph) -> IntArray:
    """Return components in greedy order of expected new gain per effort.

    Components with a gain that are still not seen for certain come last. If components tie (within a part in 10^9), the
    first in the collection comes next.
    A page without gain may come first, if it links to pages with much gain. The order is good, but not always the best:
    a different order may reach some level of gain with less effort.
    """
    unseen, seen = np.ones(len(graph.gains)), np.zeros(len(graph.gains), dtype=bool)
    chosen: list[int] = []
    for _ in range(len(graph.gains)):
        worth = graph.reach @ (unseen * graph.gains)
        worth[chosen] = 0.0
        best = int(first_largest(worth / np.maximum(graph.consulting, CHEAPEST), SOLVED))
        if worth[best] <= ROUNDING * graph.total:
            break
        chosen.append(best)
        row = graph.reach[[best]]
        unseen[row.indices] *= 1 - row.data
        seen[row.indices] |= row.data == 1
    rest = gain_list(graph)
    rest = rest[np.isin(rest, graph.target[~seen])]
    return np.array(list(dict.fromkeys([*chosen, *rest.tolist()])), dtype=int)


def gain_levels(graph: TopicGraph, ways: list[Traversal], method: str) -> FloatArray:
    """Return the gain levels at which the curves of these lists may have steps: all possible sums of gains.

    With the normal approximation and gains without a common step, they are `GRID` evenly spaced levels instead.
    """
    if not len(graph.gains):
        return np.zeros(0)
    if graph.step:
        steps = np.arange(1.0, round(graph.total / graph.step) + 1)
        return np.asarray(steps * graph.step)
    if any(method_for(way, method) == "normal" for way in ways):
        return np.asarray(np.linspace(0, graph.total, GRID + 1)[1:])
    sums = distinct(np.sort(np.concatenate([distribution(way, method)[0] for way in ways])), ROUNDING, graph.total)
    return sums[sums > ROUNDING * graph.total]
