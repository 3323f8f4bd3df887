"""Readers who react to the gains and costs of documents: BPM, IFT, TBG and U.

BPM's readers stop when they have gained enough or spent their budget. IFT's readers forage: they go on while they
have not reached their goal, and while the rate of gain is good (Azzopardi, Thomas & Craswell 2018). In TBG and U, the
weight of a document's gain depends on the time or text read before it; both measures are scaled to the expected gain
per document read, with weights that sum to 1, as in cwl_eval. Without `cost` all documents cost the same, and TBG's
reader is RBP's. G(k) and E(k) are the gains and the costs down to rank k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.common.rounding import less
from evalcore.measures.cwl.expected_utility import AT_LEAST_0, POSITIVE, Costly, check_shares
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.hits import Hits
from evalcore.measures.parts.reading import Ranks, Stretches
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

STEEP = Range(0, 1000)
FAR = 650.0  # exp(x) overflows only well above, also times a parameter of up to 1e15


@dataclass(frozen=True)
class BPM(Costly):
    """Bejeweled player model: read on until the gains reach T or the costs reach K, the cut-off (Zhang et al. 2017).

    C(k) = [G(k) < T(k)] * [E(k) < K(k)], where G and E are the gains and costs down to rank k. Static: T and K are
    constant. Dynamic: a document at rank j changes both limits for the next rank, T by hb * (g(j) - median) and K by
    hc * (g(j) - median). Without `cost` a document costs 1, and K is a rank.

    In the dynamic form of cwl_eval, K never changes: the change of K is added to T, after T was used. Here K changes.

    >>> BPM(T=1, cutoff=10).of([0, 1, 0, 0])  # two ranks are read
    0.5
    """

    T: float = parameter(1.0, "the gain that satisfies the reader", within=POSITIVE)
    hb: float = parameter(0.0, "how strongly the gain of each document changes T", within=Range(0, 100))
    hc: float = parameter(0.0, "how strongly the gain of each document changes K", within=Range(0, 100))
    median: float = parameter(0.5, "the gain of a document that changes neither limit", within=Range(0, 1))
    cutoff: int = parameter(10, "K, the cost at which the reader stops; without costs, a rank", within=CUTOFF)
    reference: ClassVar[str] = "Zhang, Liu, Li, Zhang, Xu & Ma 2017"

    def continuation(self, ranks: Ranks) -> FloatArray:
        # Only documents above a rank count: the one at the rank changes what is expected of the next.
        change = (ranks.gained - ranks.gain) - self.median * (ranks.rank - 1)
        enough, too_much = self.T + self.hb * change, self.cutoff + self.hc * change
        return np.asarray(less(ranks.gained, enough) & less(ranks.spent, too_much), dtype=float)

    def continuation_latex(self) -> str:
        changes = (self.T, self.hb), (self.cutoff, self.hc)
        enough, too_much = (_border(start, by, self.median) for start, by in changes)
        return rf"\left[\, G_k < {enough} \,\right] \cdot \left[\, E_k < {too_much} \,\right]"


@dataclass(frozen=True)
class Foraging(Costly, abstract=True):
    """Information foraging: readers go on to reach a goal, or while the rate of gain is good."""

    reference: ClassVar[str] = "Azzopardi, Thomas & Craswell 2018"


@dataclass(frozen=True)
class IFTGoal(Foraging):
    """Foraging for a goal: C(k) = 1 - 1 / (1 + b1 * e^((T - G(k)) * R1)).

    >>> IFTGoal(T=1, b1=1, R1=1, horizon=2).of([1, 0])  # C(1) = 1/2: 1 / 1.5
    0.6666666666666666
    """

    T: float = parameter(2.0, "the gain that the reader wants", within=POSITIVE)
    b1: float = parameter(0.9, "odds that a reader with the gain T goes on", within=AT_LEAST_0)
    R1: float = parameter(10.0, "how strictly the reader keeps to the goal", within=STEEP)

    def continuation(self, ranks: Ranks) -> FloatArray:
        return np.asarray(1 - 1 / (1 + self.b1 * _exp((self.T - ranks.gained) * self.R1)))

    def continuation_latex(self) -> str:
        return rf"1 - \frac{{1}}{{1 + {self.b1:g} e^{{({self.T:g} - G_k) {self.R1:g}}}}}"

    def totals(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
        """Return the expected total gain and the expected number of ranks read, each (S, T).

        Both are in closed form, as C is constant between hits.
        """
        check_shares(gains, self)
        between = Stretches(Hits.of(gains, rankings, self.last_rank), self.last_rank)
        odds = self.b1 * _exp((self.T - between.gained) * self.R1)  # probability of going on
        count = between.end - between.begin
        log = count * np.where(count > 0, -np.log1p(divided(1, odds, math.inf)), 0.0)
        return between.totals(np.exp(log), -odds * np.expm1(log))


@dataclass(frozen=True)
class IFTRate(Foraging):
    """Foraging by rate: C(k) = 1 / (1 + b2 * e^((A - G(k) / E(k)) * R2)).

    >>> IFTRate(A=1, b2=1, R2=1, horizon=2).of([1, 0])  # C(1) = 1/2: 1 / 1.5
    0.6666666666666666
    """

    A: float = parameter(0.2, "the gain per unit of cost below which a reader tends to stop", within=AT_LEAST_0)
    b2: float = parameter(0.9, "odds that a reader at the rate A stops", within=AT_LEAST_0)
    R2: float = parameter(10.0, "how strictly the reader keeps to the rate", within=STEEP)

    def continuation(self, ranks: Ranks) -> FloatArray:
        rate = np.where(ranks.spent > 0, divided(ranks.gained, ranks.spent), math.inf)  # if nothing was spent
        with np.errstate(invalid="ignore"):
            steep = np.where(np.isinf(rate), -FAR if self.R2 else 0.0, (self.A - rate) * self.R2)
        return np.asarray(1 / (1 + self.b2 * _exp(steep)))

    def continuation_latex(self) -> str:
        return rf"\frac{{1}}{{1 + {self.b2:g} e^{{({self.A:g} - G_k / E_k) {self.R2:g}}}}}"


@dataclass(frozen=True)
class IFT(IFTRate, IFTGoal):
    """Foraging for a goal and by rate: C(k) is the product of C(k) of IFTGoal and of IFTRate.

    >>> IFT(T=1, b1=1, R1=1, A=1, b2=1, R2=1, horizon=2).of([1, 0])  # C(1) = 1/4: 1 / 1.25
    0.8
    """

    def continuation(self, ranks: Ranks) -> FloatArray:
        return IFTGoal.continuation(self, ranks) * IFTRate.continuation(self, ranks)

    def continuation_latex(self) -> str:
        goal, rate = IFTGoal.continuation_latex(self), IFTRate.continuation_latex(self)
        return rf"\left({goal}\right) \cdot {rate}"

    def totals(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
        return Costly.totals(self, gains, pool, rankings)


@dataclass(frozen=True)
class TBG(Costly):
    """Time-biased gain: half of the readers remain after each `halflife` of time (Smucker & Clarke 2012).

    C(k) = 2^(-e(k) / halflife), where e(k) is the time that the document at rank k takes; W(k) falls as 2^(-E(k - 1) /
    halflife). The paper's 224 seconds are the default; the paper's unscaled sum is this score times the expected depth.

    >>> TBG(halflife=1, horizon=2).of([1, 0])  # 1 / (1 + 1 / 2)
    0.6666666666666666
    """

    halflife: float = parameter(224.0, "the time after which half of the readers have stopped", within=POSITIVE)
    adapts: ClassVar[bool] = False
    reference: ClassVar[str] = "Smucker & Clarke 2012"

    def continuation(self, ranks: Ranks) -> FloatArray:
        return np.asarray(2.0 ** (-ranks.cost / self.halflife))

    def continuation_latex(self) -> str:
        return rf"2^{{-e_k / {self.halflife:g}}}"


@dataclass(frozen=True)
class U(Costly, also=("UMeasure",)):
    """U-measure: a gain counts less the more text was read before it, and nothing after length L (Sakai & Dou 2013).

    C(k) = max(0, 1 - E(k) / L) / max(0, 1 - E(k - 1) / L), where E(k) is the length of the documents down to rank k:
    W(k) falls in a straight line. As in cwl_eval, a gain counts at the beginning of its document.

    >>> round(U(L=2).of([0, 1, 1]), 4)  # (1 - 1 / 2) / (1 + 1 / 2)
    0.3333
    """

    L: float = parameter(132_000.0, "the length of text after which nothing counts", within=POSITIVE)
    adapts: ClassVar[bool] = False
    reference: ClassVar[str] = "Sakai & Dou 2013"

    def continuation(self, ranks: Ranks) -> FloatArray:
        left, before = (np.maximum(0.0, 1 - spent / self.L) for spent in (ranks.spent, ranks.spent - ranks.cost))
        return divided(left, before)

    def continuation_latex(self) -> str:
        return rf"\frac{{\max(0,\, 1 - E_k / {self.L:g})}}{{\max(0,\, 1 - E_{{k-1}} / {self.L:g})}}"


def _border(start: float, by: float, median: float) -> str:
    return f"{start:g}" + (rf" + {by:g} \sum_{{j<k}} (g_j - {median:g})" if by else "")


def _exp(power: FloatArray) -> FloatArray:
    return np.asarray(np.exp(np.clip(power, -FAR, FAR)))
