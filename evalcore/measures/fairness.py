"""Fairness of exposure: the shares of a reader's attention that groups of documents get, against a target.

Groups come from a table of documents with a column of words (`Scale.of_groups`), such as the publisher, or are the
grades of an aspect. A document of unknown group, or outside the pool, counts towards neither of the
shares. Shapes: P pool rows, S systems, T topics, G groups, N hits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.errors import InputError
from evalcore.measures.base import Measure
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.discounts import Discount, FromBase
from evalcore.measures.parts.gains import UNIT, relevant
from evalcore.notation.formula import name_latex
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Rankings, Scale

RELEVANT, ASSESSED, EVEN = TARGETS = ("relevant", "assessed", "even")
JENSEN_SHANNON, VARIATION = DISTANCES = ("Jensen-Shannon", "total variation")


@dataclass(frozen=True)
class AWRF(Measure):
    """Attention-weighted rank fairness: 1 - distance of the groups' shares of attention from target shares.

    A group's attention is the sum over its documents of a(k), k their rank, divided by that of all groups (Sapiezynski
    et al. 2019). The targets are the groups' shares of the topic's relevant or assessed documents, equal shares,
    or `shares`. As in TREC Fair Ranking (Ekstrand et al. 2021) a(k) = 1 / log2(max(k, 2)), and the distance is the
    Jensen-Shannon divergence in nats: a ranking of a group outside the target scores 1 - ln 2. Total
    variation is half the sum of absolute differences. A ranking or a target without any known group scores 0.

    >>> AWRF(target="even").of([0, 1, 0, 1]), round(AWRF().of([0, 0, 1], [0, 1, 1]), 3)
    (0.9997812934974755, 0.963)
    """

    aspect: str = parameter("group", "the groups of documents: a column of words, or an aspect")
    target: str = parameter(RELEVANT, "target shares of attention for the groups", choices=TARGETS)
    relevance: str = parameter("relevance", "the aspect that says which documents are relevant")
    shares: tuple[float, ...] = parameter((), "target shares of the groups, in the order of their names", within=UNIT)
    distance: str = parameter(JENSEN_SHANNON, "distance between shares", choices=DISTANCES)
    discount: Discount = parameter(FromBase(), "attention a(k) to rank k")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Sapiezynski et al. 2019"

    @property
    def columns(self) -> tuple[str, ...]:
        needed = self.target == RELEVANT and not self.shares
        return (self.aspect, self.relevance) if needed else (self.aspect,)

    def covered(self, pool: Assessments) -> BoolArray:
        if pool.named(self.aspect) not in pool.scales:
            known = f"; groups here are called {', '.join(pool.groupings)}" * bool(pool.groupings)
            raise InputError(
                f"expected groups of documents called {self.aspect}, found none: give a table with a document and "
                f"a word in each line, such as group.csv{known}",
                str(self),
            )
        return super().covered(pool)

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        group, count = self.groups(pool)
        wanted = self.target_shares(pool, group, count)
        given = self.attention(rankings, group, count)
        far = {JENSEN_SHANNON: _jensen_shannon, VARIATION: _variation}[self.distance](given, wanted)
        there = (given.sum(axis=-1) > 0) & (wanted.sum(axis=-1) > 0)
        return np.where(there, 1 - far, 0.0)

    def groups(self, pool: Assessments) -> tuple[IntArray, int]:
        """Return the (P,) group of each document, -1 if unknown, and the number of groups.

        Raises InputError if the column holds neither groups nor grades.
        """
        scale, values = pool.scale(self.aspect), pool.column(self.aspect)
        if not scale.grades and not scale.of_groups:
            raise InputError(
                f"expected groups of documents, such as a table with a document and a word in each line; {self.aspect} "
                "is a signal, whose numbers are no groups",
                str(self),
            )
        names = np.arange(len(scale.names), dtype=float) if scale.of_groups else np.array(scale.grades, dtype=float)
        place = np.searchsorted(names, values)
        known = ~np.isnan(values) & (names[np.minimum(place, len(names) - 1)] == values)
        return np.where(known, place, -1), len(names)

    def target_shares(self, pool: Assessments, group: IntArray, count: int) -> FloatArray:
        """Return the (T, G) target shares of the groups. Raises InputError if `shares` do not fit the groups."""
        if self.shares:
            if len(self.shares) != count or not sum(self.shares) > 0:
                raise InputError(f"expected a share for each of {count} groups, found {list(self.shares)}", str(self))
            return np.tile(np.array(self.shares) / sum(self.shares), (len(pool.topics), 1))
        if self.target == EVEN:
            return np.full((len(pool.topics), count), 1 / count)
        counted = group >= 0
        if self.target == RELEVANT:
            counted &= relevant(None).of(pool.column(self.relevance), pool.scale(self.relevance)) > 0
        place = pool.topic[counted] * count + group[counted]
        sizes = np.bincount(place, np.ones(len(place)), len(pool.topics) * count)
        return _as_shares(sizes.reshape(-1, count))

    def attention(self, rankings: Rankings, group: IntArray, count: int) -> FloatArray:
        """Return the (S, T, G) shares of attention that the groups get."""
        of = group[rankings.row]
        hits = np.flatnonzero((of >= 0) & (rankings.rank <= (self.cutoff or np.inf)))
        weight = self.discount.of(rankings.depth)[rankings.rank[hits] - 1]
        place = rankings.hit_row[hits] * count + of[hits]
        sums = np.bincount(place, weight, minlength=rankings.length.size * count)
        return _as_shares(sums.reshape(*rankings.length.shape, count))

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        name = name_latex(self.aspect)
        far = r"\mathrm{JSD}" if self.distance == JENSEN_SHANNON else r"\tfrac{1}{2}\lVert \cdot \rVert_1"
        wanted = r"\mathrm{shares\ given}" if self.shares else rf"\mathrm{{{self.target}}}"
        last = self.cutoff or r"\infty"
        return (
            rf"AWRF = 1 - {far}(\epsilon, \epsilon^*),\quad \epsilon_g \propto \sum_{{k=1}}^{{{last}}} a(k) \cdot "
            rf"[{name}_k = g],\quad a(k) = {self.discount.latex()},\quad \epsilon^* = {wanted}"
        )


def _as_shares(sums: ArrayLike) -> FloatArray:
    """Return shares along the last axis, 0 if the sum is 0."""
    parts = np.asarray(sums, dtype=float)
    return divided(parts, np.broadcast_to(parts.sum(axis=-1, keepdims=True), parts.shape))


def _variation(given: FloatArray, wanted: FloatArray) -> FloatArray:
    return np.asarray(np.abs(given - wanted).sum(axis=-1) / 2)


def _jensen_shannon(given: FloatArray, wanted: FloatArray) -> FloatArray:
    """Return the divergence of two distributions in nats, 0 to ln 2."""
    middle = (given + wanted) / 2

    def off(shares: FloatArray) -> FloatArray:
        ratio = divided(shares, middle)
        return np.asarray((shares * np.log(np.where(ratio > 0, ratio, 1.0))).sum(axis=-1))

    return np.clip((off(given) + off(np.broadcast_to(wanted, given.shape))) / 2, 0.0, np.log(2))
