"""Comparison of a list with the ideal list at every gain level: efforts, and the ranks at which users reach it.

Shapes: L gain levels, K ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.navigation.cumulated_gain import below
from evalcore.navigation.effort_precision import MAep, ep
from evalcore.navigation.ideals import gain_levels, gain_list, ideal_curve, inverse_effort
from evalcore.navigation.topic_graphs import traverse
from evalcore.navigation.walk_tables import list_of, need_navigation


def effort_curves(
    measure: ep | MAep, collection: Any, topic: str, system: str, recalls: Sequence[float] | None = None
) -> pd.DataFrame:
    """Return the effort to each gain level in the ideal list and a system's list: gain levels x (ideal, run, ep).

    A horizontal line at a level meets both curves of Figure 3 at these efforts: ep = ideal / run. In general, ideal is
    E[ce_ideal[gr]] and run is 1 / E[1 / ce[gr]], infinite if nobody reaches the level. Levels are all sums of gains
    that a user may have, or the shares `recalls` of all gain. Raises InputError for a collection without links or
    positions.
    """
    need_navigation(collection)
    graph, ranking = list_of(collection, measure.users, topic, system)
    way = traverse(graph, ranking)
    if recalls is None:
        levels = gain_levels(graph, [traverse(graph, gain_list(graph)), way], measure.method)
    else:
        levels = np.array(recalls, dtype=float) * graph.total
    ideal = ideal_curve(graph, measure.ideal, measure.method, measure.interpolation).at(levels)
    inverse = inverse_effort(way, levels, measure.method)
    with np.errstate(divide="ignore"):
        columns = {"ideal": ideal, "run": 1 / inverse, "ep": np.where(np.isfinite(ideal), ideal, 0.0) * inverse}
    return pd.DataFrame(columns, index=pd.Index(levels, name="gain"))


def arrival(
    measure: ep | MAep, collection: Any, topic: str, system: str, recall: float = 0.5, depth: int = 15
) -> pd.Series:
    """Return P(m[gr] = i): the share of users who first reach a share of all gain at each rank, later, or never.

    m[gr] is the least rank i with cg[i] >= gr (Eq. 4), so P(m[gr] = i) = P(cg[i - 1] < gr) - P(cg[i] < gr). The
    index has ranks 1 to `depth` of the list, "later", "never"; the sum is 1.
    """
    graph, ranking = list_of(collection, measure.users, topic, system)
    count = min(len(ranking), depth)
    at = [*range(1, count + 1), "later", "never"]
    way = traverse(graph, ranking)
    level = np.array([recall * graph.total])
    short = np.append(1.0, below(way, level, measure.method)[:, 0] if len(way.rank) else np.zeros(0))
    # Between the ranks of a traversal nothing changes.
    still = short[np.searchsorted(way.rank, np.arange(count + 1), side="right")]
    shares = [*(still[:-1] - still[1:]), still[-1] - short[-1], short[-1]]
    return pd.Series(shares, index=pd.Index(at, name="rank", dtype=object), name="users")
