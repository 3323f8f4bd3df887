"""Ways to remove some of the assessments: documents that only one team contributed, or documents at deep ranks.

Shapes: P pool rows, S systems, T topics, G groups, H hits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.labels.pools.reduced_pools import refuse_unlabelled
from evalcore.structures.documents import Collection, Rankings

NOBODY, SEVERAL = -1, -2


@shown
@dataclass(frozen=True, eq=False)
class Selections:
    """N selections of assessments, each a part of the pool.

    `index` has the name of each selection; `kept(at)` returns the mask (P,) of the pool rows in the selection at
    position `at`.
    """

    index: pd.Index
    kept: Callable[[int], BoolArray]

    def __len__(self) -> int:
        return len(self.index)


@shown
@dataclass(frozen=True, eq=False, kw_only=True)
class Without(Selections):
    """Selections that leave out one group of systems (a team, or a single system) at a time.

    `group` (S,) is the position in `index` of each system's group; `only` (P,) is the only group that contributed a
    pool row, or NOBODY or SEVERAL.
    """

    group: IntArray
    only: IntArray
    depth: int


def only_by(rankings: Rankings, judged: BoolArray, group: IntArray, depth: int) -> IntArray:
    """Return (P,) the only group whose systems ranked a judged document within the depth, or else NOBODY or SEVERAL.

    `group` (S,) is the group of each system, from 0.

    >>> from evalcore.data import collection
    >>> c = collection({"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"y": 1.0}}}, {"t": {"x": 1, "y": 0, "z": 0}})
    >>> only_by(c.rankings, c.assessments.judged, np.array([0, 1]), depth=10).tolist()  # x, y, z
    [0, -2, -1]
    """
    count = int(group.max(initial=0)) + 1
    wanted = (rankings.rank <= depth) & judged[rankings.row]
    system = rankings.hit_row[wanted] // rankings.n_topics
    row, by = np.divmod(np.unique(rankings.row[wanted] * count + group[system]), count)
    result = np.full(rankings.n_pool, NOBODY)
    result[row] = by
    result[np.bincount(row, minlength=rankings.n_pool) > 1] = SEVERAL
    return result


def without_groups(collection: Collection, groups: Mapping[str, str] | None, depth: int) -> Without:
    """Return selections that leave out one group of systems at a time, as if it had not contributed to the pool.

    A document loses its labels if only systems of the group ranked it within the depth: without them it would not have
    been assessed. A document that no system ranked within the depth was pooled in some other way and keeps its labels.

    `groups` maps each system to its group, such as `teams(...).of`; with None, each system is a group. Raises
    InputError for a depth below 1, and for a system without a group.
    """
    refuse_unlabelled(collection)
    if depth < 1:
        raise InputError(f"expected a depth of 1 or more, found {depth}")
    of = {name: name for name in collection.systems} if groups is None else groups
    if lacking := [name for name in collection.systems if name not in of]:
        raise InputError(f"expected a group for every system, found none for {lacking[0]!r}")
    names = list(dict.fromkeys(of[name] for name in collection.systems))
    at = {name: place for place, name in enumerate(names)}
    group = np.array([at[of[name]] for name in collection.systems], dtype=int)
    only = only_by(collection.rankings, collection.assessments.judged, group, depth)
    index = pd.Index(names, name="left out", dtype=object)
    return Without(index, lambda place: only != place, group=group, only=only, depth=depth)


def best_ranks(rankings: Rankings) -> IntArray:
    """Return the (P,) best rank that any system gives each document; a number beyond all depths if no system ranked it.

    >>> from evalcore.data import collection
    >>> c = collection({"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"y": 1.0}}}, {"t": {"x": 1, "y": 0, "z": 0}})
    >>> [rank if rank < 99 else "none" for rank in best_ranks(c.rankings).tolist()]
    [1, 1, 'none']
    """
    result = np.full(rankings.n_pool, np.iinfo(np.int64).max)
    np.minimum.at(result, rankings.row, rankings.rank)
    return result


def top_documents(collection: Collection, depths: Sequence[int]) -> Selections:
    """Return a selection for each depth: the documents that some system ranked within it, as in a pool of that depth.

    Raises InputError for a depth below 1, and for an empty list.
    """
    refuse_unlabelled(collection)
    if not depths or min(depths) < 1:
        raise InputError(f"expected depths of 1 or more, found {', '.join(map(str, depths)) or 'none'}")
    best = best_ranks(collection.rankings)
    return Selections(pd.Index(list(depths), name="depth"), lambda place: best <= depths[place])
