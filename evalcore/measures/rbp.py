"""Rank-biased precision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.measures.base import HasPoolAndRankings, where_covered
from evalcore.measures.dcg import CUTOFF, DiscountedSum
from evalcore.measures.parts.discounts import INSIDE_UNIT, Discount, Geometric, Mass
from evalcore.measures.parts.gains import Gain, Share, highest_grade_parameter, rel_parameter, relevant
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Rankings


def rho_parameter() -> Any:
    """Return the dataclass field `rho` of RBP and its variants."""
    help = "persistence: the probability that the reader goes on to the next rank"
    return parameter(0.8, help, within=INSIDE_UNIT, shown=True, alias="p")


@dataclass(frozen=True)
class RankBiased(DiscountedSum, abstract=True):
    """A measure with the score (1 - rho) * sum over ranks k of rho^(k - 1) * gain(k), for any gain in [0, 1]."""

    rho: float = rho_parameter()

    @property
    def discount(self) -> Discount:
        return Geometric(rho=self.rho)

    normaliser = Mass(all_ranks=True)

    def residual(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        """Return the (S, T) residual: how much the score would rise if every unassessed document had gain 1.

        (1 - rho) * sum of rho^(k - 1) over the ranks whose document is not assessed, including the ranks below the end
        of the ranking (Moffat & Zobel 2008, section 3.3).
        """
        assessed = np.all([~np.isnan(pool.column(name)) for name in self.columns], axis=0)
        seen = self.score_gains(assessed.astype(float), pool, rankings)
        return (1.0 if self.depth is None else 1.0 - self.rho**self.depth) - seen

    def residual_on(self, collection: HasPoolAndRankings) -> FloatArray:
        """Return the (S, T) residual on a collection, nan on a topic that is not covered."""
        pool = collection.assessments
        return where_covered(self.residual(pool, collection.rankings), self.covered(pool))


@dataclass(frozen=True)
class GradedRBP(RankBiased, also=("gRBP",)):
    """RBP of graded labels: (1 - rho) * sum over ranks k of rho^(k - 1) * g(k), where g is grade / highest grade.

    Moffat & Zobel 2008, section 3: a gain between 0 and 1 is the utility of a document. Some campaigns, such as
    TREC-COVID, publish it as RBP(p=0.5). With the two grades 0 and 1 it equals RBP.

    >>> GradedRBP(rho=0.5).of([2, 0, 1])  # (1 - 0.5) * (1 + 0.25 * 0.5)
    0.5625
    """

    max_rel: float | None = highest_grade_parameter()
    aspect: str = parameter("relevance", "the aspect to read")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Moffat & Zobel 2008"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: Share(max=self.max_rel)}


@dataclass(frozen=True)
class RBP(RankBiased):
    """Rank-biased precision: (1 - rho) * sum over ranks k of rho^(k - 1) * r(k) (Moffat & Zobel 2008).

    Zuccon 2016, Eq. 3. r(k) is 1 if the grade reaches `rel` (without `rel`: is above 0), else 0. `GradedRBP` is
    the form with graded gains.

    >>> RBP(rho=0.5).of([1, 0, 1])
    0.625
    """

    rel: float | None = rel_parameter()
    aspect: str = parameter("relevance", "the aspect to read")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Moffat & Zobel 2008"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: relevant(self.rel)}


def ranks_holding(share: float, rho: float) -> int:
    """Return the number of top ranks with this share of RBP's total weight: the least k with 1 - rho^k >= share.

    >>> ranks_holding(0.5, 0.8), ranks_holding(0.75, 0.5)
    (4, 2)
    """
    return max(int(np.ceil(np.log(1 - share) / np.log(rho) - 1e-9)), 1)
