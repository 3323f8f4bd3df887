"""Ways to remove some of the assessments: the unique documents of a team, deep documents, or a random share.

Shapes: P pool rows, S systems, T topics, G groups, H hits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, IntArray
from evalcore.common.rounding import floors
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.labels.pools.reduced_pools import refuse_unlabelled
from evalcore.measures.parts.hits import places
from evalcore.structures.documents import Assessments, Collection, Rankings

NOBODY, SEVERAL = -1, -2
LEVELS = 1_000_000  # distinct random numbers of a draw: what is drawn is decided by whole numbers


@shown
@dataclass(frozen=True, eq=False)
class Selections:
    """N ways to keep a part of the assessments.

    `index` names them, and `kept` gives the mask (P,) of each, by its place. `sampled`: what loses its label is still
    known to be in the pool.
    """

    index: pd.Index
    kept: Callable[[int], BoolArray]
    sampled: bool = False

    def __len__(self) -> int:
        return len(self.index)


@shown
@dataclass(frozen=True, eq=False, kw_only=True)
class Without(Selections):
    """Leaving out one group of systems (a team, or a single system) after the other.

    `group` is the group of each system, (S,), by its place in `index`; `only` the one group that brought each pool row,
    (P,), or NOBODY or SEVERAL.
    """

    group: IntArray
    only: IntArray
    depth: int


def only_by(rankings: Rankings, judged: BoolArray, group: IntArray, depth: int) -> IntArray:
    """(P,) the only group with a system that ranked each judged document within the depth; NOBODY, or SEVERAL.

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
    """Leave out one group of systems after the other, as if it had not contributed to the pool.

    A document loses its labels where systems of the group, and of no other, ranked it within the depth: without them
    nobody would have assessed it. One that no system ranked so high came into the pool some other way, and stays.
    `groups` maps each system to its group, such as `teams(...).of`; None: each system by itself.
    """
    refuse_unlabelled(collection)
    if depth < 1:
        raise InputError(f"expected a depth from 1 on, found {depth}")
    of = {name: name for name in collection.systems} if groups is None else groups
    if lacking := [name for name in collection.systems if name not in of]:
        raise InputError(f"expected a group of every system, found none of {lacking[0]!r}")
    names = list(dict.fromkeys(of[name] for name in collection.systems))
    at = {name: place for place, name in enumerate(names)}
    group = np.array([at[of[name]] for name in collection.systems], dtype=int)
    only = only_by(collection.rankings, collection.assessments.judged, group, depth)
    index = pd.Index(names, name="left out", dtype=object)
    return Without(index, lambda place: only != place, group=group, only=only, depth=depth)


def best_ranks(rankings: Rankings) -> IntArray:
    """(P,) the best rank that any system gave each document; one more than the deepest where none ranked it.

    >>> from evalcore.data import collection
    >>> c = collection({"a": {"t": {"x": 2.0, "y": 1.0}}, "b": {"t": {"y": 1.0}}}, {"t": {"x": 1, "y": 0, "z": 0}})
    >>> best_ranks(c.rankings).tolist()
    [1, 1, 3]
    """
    result = np.full(rankings.n_pool, rankings.depth + 1)
    np.minimum.at(result, rankings.row, rankings.rank)
    return result


def top_documents(collection: Collection, depths: Sequence[int]) -> Selections:
    """Keep what some system ranked within each depth, as if the pool had been that shallow.

    Raises InputError for a depth below 1, or none.
    """
    refuse_unlabelled(collection)
    if not depths or min(depths) < 1:
        raise InputError(f"expected depths from 1 on, found {', '.join(map(str, depths)) or 'none'}")
    best = best_ranks(collection.rankings)
    return Selections(pd.Index(list(depths), name="depth"), lambda place: best <= depths[place])


def sampled_shares(
    collection: Collection,
    shares: Sequence[float],
    draws: int = 20,
    seed: int = 0,
    *,
    stratified: bool = True,
    aspect: str | None = None,
) -> Selections:
    """Keep a random share of the assessments, drawn several times; named by share and draw.

    Of n documents share * n are kept, rounded up or down by the draw. `stratified`: of the documents of each topic and
    grade of an aspect (the first one, if none is named), else of all. Within a draw a larger share keeps all that a
    smaller one keeps. Raises InputError for shares outside of (0, 1] or fewer than one draw.
    """
    refuse_unlabelled(collection)
    if not shares or not all(0 < share <= 1 for share in shares):
        raise InputError(f"expected shares above 0 and up to 1, found {', '.join(map(str, shares)) or 'none'}")
    if draws < 1:
        raise InputError(f"expected at least 1 draw, found {draws}")
    pool = collection.assessments
    strata = _strata(pool, aspect or pool.aspects[0]) if stratified else np.zeros(len(pool), dtype=int)
    strata = np.where(pool.judged, strata, -1)
    index = pd.MultiIndex.from_product([list(shares), range(draws)], names=["share", "draw"])

    def kept(place: int) -> BoolArray:
        at, draw = divmod(place, draws)
        return _drawn(strata, shares[at], np.random.default_rng((seed, draw)))

    return Selections(index, kept, sampled=True)


def _strata(pool: Assessments, aspect: str) -> IntArray:
    """(P,) a number for each topic and grade; documents without a grade are together."""
    grades, grade = np.unique(pool.column(aspect), return_inverse=True)
    return np.asarray(pool.topic * (len(grades) + 1) + grade)


def _drawn(strata: IntArray, share: float, rng: np.random.Generator) -> BoolArray:
    """(P,) which rows are kept of each stratum; those of stratum -1, which have no label, are."""
    place = rng.permutation(len(strata))
    order = np.lexsort((place, strata))
    ordered = strata[order]
    count = np.unique(ordered, return_counts=True)[1]
    most = floors(share * count + rng.integers(LEVELS, size=len(count)) / LEVELS)
    kept = np.empty(len(strata), dtype=bool)
    kept[order] = places(ordered) <= np.repeat(most, count)
    return kept | (strata < 0)
