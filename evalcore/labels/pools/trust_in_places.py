"""Trust in a rank: the changes of rank when a group of systems is left out of the pool.

Shapes: N selections, S systems.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore.common.rounding import ceiling
from evalcore.labels.pools.depth_of_pool import relevant_rows
from evalcore.labels.pools.rescoring import Rescored
from evalcore.labels.pools.selections import Without
from evalcore.measures.base import Measure, as_measure
from evalcore.structures.documents import Collection


def without_table(without: Without, changed: Rescored, collection: Collection, measure: Measure | str) -> pd.DataFrame:
    """Return a row for each group left out: the removed documents, and the effect on its systems and on all others.

    Columns: systems (number of systems in the group); own and own relevant (numbers of documents, and of relevant
    documents, that only this group contributed); tau and tau_ap (with the ranking from the full pool); own largest and
    others largest (the largest change of rank of systems in the group, and of all other systems, above 0 for a rise);
    own mean (the mean change of rank in the group); first (the winner) and same first (true if it is unchanged).
    """
    good = relevant_rows(collection, as_measure(measure, collection))
    table, rows = changed.table(), []
    for at in range(len(without)):
        own, change = without.group == at, changed.changes[at]
        lost = without.only == at
        parts = [_largest(change[own]), float(change[own].mean()), _largest(change[~own])]
        rows.append((int(own.sum()), int(lost.sum()), int((lost & good).sum()), *parts))
    names = ["systems", "own", "own relevant", "own largest", "own mean", "others largest"]
    new = pd.DataFrame(rows, index=table.index, columns=names)
    order = ["systems", "own", "own relevant", "tau", "tau_ap", "own largest", "own mean", "others largest"]
    return pd.concat([new, table], axis=1)[[*order, "first", "same first"]]


def _largest(changes: np.ndarray) -> int:
    """Return the largest change in either direction; if a rise and a fall are equally large, the fall."""
    return int(min(changes.tolist(), key=lambda change: (-abs(change), change), default=0))


def own_moves(without: Without, changed: Rescored) -> pd.Series:
    """Return the ranks that each system gains (above 0) or loses without its group in the pool: a Series by system."""
    changes = changed.changes[without.group, np.arange(len(changed.systems))]
    return pd.Series(changes, index=pd.Index(changed.systems, name="system", dtype=object), name="change")


def off_by(moves: pd.Series, share: float = 0.95) -> int:
    """Return the largest change of rank, in either direction, among the share `share` of systems that move least.

    >>> off_by(pd.Series([0, -1, 3, 0]), 0.75), off_by(pd.Series([0, -1, 3, 0]))
    (1, 3)
    """
    sizes = np.sort(np.abs(moves.to_numpy()))
    return int(sizes[max(ceiling(share * len(sizes)), 1) - 1]) if len(sizes) else 0


def trust_in_words(moves: pd.Series, share: float = 0.95) -> str:
    """Return a sentence on the reliability of the rank of a system outside the pool.

    >>> trust_in_words(pd.Series([0, -1, 3, 0]), 0.75)
    "a system's rank is off by at most 1 in 75% of cases, and by 3 at worst; 2 of 4 systems keep their rank"
    """
    k, worst, still = off_by(moves, share), off_by(moves, 1.0), int((moves == 0).sum())
    return (
        f"a system's rank is off by at most {k} in {100 * share:.0f}% of cases, and by "
        f"{worst} at worst; {still} of {len(moves)} systems keep their rank"
    )
