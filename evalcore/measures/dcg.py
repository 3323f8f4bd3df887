"""The gain-discount framework (Carterette 2011; Zuccon 2016, Eq. 1): any gain, any discount, any normaliser.

    M = (1 / N) * sum over ranks k = 1 ... K of g(k) * d(k)

Shapes: P pool rows, S systems, T topics, H hits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.errors import InputError
from evalcore.measures.base import EARN_NOTHING, LEFT_OUT, GainMeasure
from evalcore.measures.parts.discounts import (
    Discount,
    FromBase,
    Ideal,
    Logarithmic,
    Normaliser,
    Reciprocal,
    Unnormalised,
)
from evalcore.measures.parts.gains import Exponential, Gain, Grade, Mapped, Probability, highest_grade_parameter
from evalcore.measures.parts.hits import assessed, condensed
from evalcore.measures.parts.reading import Ranks
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

CUTOFF = Range(1, 1_000_000, step=1)
BASE = Range(2, math.inf, open_high=True)
DCG_FORMS = ("log2", "exp-log2")


@dataclass(frozen=True)
class DiscountedSum(GainMeasure, abstract=True):
    """A normalised sum of discounted gains; subclasses define the discount and the normaliser."""

    @property
    def discount(self) -> Discount:
        """The discount d: the weight of each rank."""
        raise NotImplementedError

    @property
    def normaliser(self) -> Normaliser:
        """The normaliser N: the divisor of the sum."""
        raise NotImplementedError

    def weights(self, rankings: Rankings) -> FloatArray:
        """Return the (H,) discounts at the ranks of the hits; 0 below the cut-off."""
        return self.discounts(rankings.depth)[rankings.rank]

    def discounts(self, deepest: int) -> FloatArray:
        """Return the (deepest + 1,) discounts by rank, with 0 for rank 0; 0 below the cut-off."""
        depth = min(self.depth or deepest, deepest)
        by_rank = np.zeros(deepest + 1)
        by_rank[1 : depth + 1] = self.discount.of(depth)
        return by_rank

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        sums = (rankings.matrix(self.weights(rankings)) @ gains).reshape(rankings.length.shape)
        return divided(sums, self.normaliser.of(self.discount, self.depth, gains, pool))

    def continuation(self, ranks: Ranks) -> FloatArray:
        """Return d(k + 1) / d(k), and 0 at the cut-off: the reader's attention falls with the discount."""
        return np.where(self.above_cutoff(ranks), self.discount.kept(ranks.rank), 0.0)

    def latex_of(self, gain: str) -> str:
        last = "K" if self.depth is None else self.depth
        weight = "" if self.discount.latex() == "1" else rf"{self.discount.latex()} \cdot "
        front = self.normaliser.latex(self.discount, self.depth)
        return rf"{front} \sum_{{k=1}}^{{{last}}} {weight}{gain}".lstrip()


@dataclass(frozen=True)
class GainDiscount(DiscountedSum):
    """A measure assembled from its parts: (1 / N) * sum over ranks k of g(k) * d(k) (Zuccon 2016, Eq. 1).

    >>> from evalcore.measures.base import parse
    >>> parse("GainDiscount(gain=Step(at=1), discount=Flat, normaliser=Mass)@2").of([0, 1, 1])  # P@2
    0.5
    """

    gain: Gain = parameter(Grade(), "gain of a document", shown=True)
    discount: Discount = parameter(Logarithmic(), "weight of a gain at rank k", shown=True)
    normaliser: Normaliser = parameter(Unnormalised(), "divisor of the sum", shown=True)
    aspect: str = parameter("relevance", "the aspect or signal to read")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    reference: ClassVar[str] = "Carterette 2011; Zuccon 2016"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: self.gain}


@dataclass(frozen=True)
class CumulatedGain(DiscountedSum, abstract=True):
    """Cumulated gain, as in DCG and nDCG: gains by grade, discounted by 1 / log2(1 + k)."""

    dcg: str = parameter("log2", "the gain: log2 is the grade, exp-log2 is 2^grade - 1", choices=DCG_FORMS)
    gains: Mapping[float, float] | None = parameter(None, "gains of grades, if they are not the grades themselves")
    aspect: str = parameter("relevance", "the aspect to read")
    judged_only: bool = parameter(False, "leave unassessed documents out of the rankings")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)

    def gain_functions(self) -> Mapping[str, Gain]:
        if self.gains is None:
            return {self.aspect: Grade() if self.dcg == "log2" else Exponential()}
        if self.dcg != "log2":
            raise InputError(f"expected `gains` or dcg={self.dcg}, found both", str(self))
        return {self.aspect: Mapped(gains=self.gains)}

    @property
    def discount(self) -> Discount:
        return Logarithmic()

    @property
    def unassessed(self) -> str:
        return LEFT_OUT if self.judged_only else EARN_NOTHING

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        if self.judged_only:
            rankings = condensed(rankings, assessed(pool, self.aspect))
        return super().score_gains(gains, pool, rankings)


@dataclass(frozen=True)
class DCG(CumulatedGain):
    """Discounted cumulated gain: sum over ranks k of g(k) / log2(1 + k) (Järvelin & Kekäläinen 2002).

    The discount begins at rank 2, as is usual since Burges et al. (2005). g is the grade, 2^grade - 1 with
    `dcg="exp-log2"`, or taken from `gains`.

    >>> DCG(cutoff=3).of([2, 0, 1])
    2.5
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    normaliser = Unnormalised()


@dataclass(frozen=True)
class nDCG(CumulatedGain, also=("NDCG",)):
    """Normalised DCG: DCG / DCG of the topic's assessed documents in their best order (Järvelin & Kekäläinen 2002).

    Gains are defined as in DCG; a topic without gain scores 0. Agrees with trec_eval's ndcg and ndcg_cut.

    >>> nDCG().of([0, 0, 1])
    0.5
    """

    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    normaliser = Ideal()


@dataclass(frozen=True)
class nDCGb(nDCG):
    """nDCG as first defined: no discount before rank b, then 1 / log_b(k) (Järvelin & Kekäläinen 2002).

    A patient reader has a large base b; with b = 2 the first two ranks count the same. NTCIREVAL calls it nDCG.

    >>> nDCGb(b=2).of([0, 1]), nDCGb(b=2).of([0, 0, 0, 1])
    (1.0, 0.5)
    """

    b: float = parameter(2.0, "base of the logarithm: only ranks greater than this value are discounted", within=BASE)

    @property
    def discount(self) -> Discount:
        return FromBase(b=self.b)


@dataclass(frozen=True)
class ERRlike(DiscountedSum):
    """ERR without its cascade: sum over ranks k of (1 / k) * (2^grade - 1) / 2^max (Zuccon 2016, section 3).

    The paper calls this form ERR, but here a satisfied reader goes on as if nothing had been found, so the score is
    never below ERR and has no upper bound (erratum of Zuccon 2016, section 3).

    >>> ERRlike().of([1, 1])  # ERR: 0.625
    0.75
    """

    max_rel: float | None = highest_grade_parameter()
    aspect: str = parameter("relevance", "the aspect to read")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    reference: ClassVar[str] = "Zuccon 2016"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: Probability(max=self.max_rel)}

    discount = Reciprocal()
    normaliser = Unnormalised()
