"""IFT: readers who forage, and go on while they lack what they came for, and while the going is good.

Azzopardi, Thomas & Craswell 2018. G(k) and E(k) are the gains and the costs down to rank k.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.arrays import FloatArray, divided
from evalcore.measures.cwl.expected_utility import AT_LEAST_0, POSITIVE, Costly, check_shares
from evalcore.measures.parts.hits import Hits
from evalcore.measures.parts.reading import Ranks, Stretches
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

STEEP = Range(0, 1000)
FAR = 700.0  # exp(x) is a float up to some way above


@dataclass(frozen=True)
class Foraging(Costly, abstract=True):
    """What they share: the two reasons to go on."""

    reference: ClassVar[str] = "Azzopardi, Thomas & Craswell 2018"


@dataclass(frozen=True)
class IFTGoal(Foraging):
    """Foraging for a goal: C(k) = 1 - 1 / (1 + b1 * e^((T - G(k)) * R1)).

    >>> IFTGoal(T=1, b1=1, R1=1, horizon=2).of([1, 0])  # C(1) = 1/2: 1 / 1.5
    0.6666666666666666
    """

    T: float = parameter(2.0, "the gain that the reader came for", within=POSITIVE)
    b1: float = parameter(0.9, "how likely a reader with that gain is to go on, as odds", within=AT_LEAST_0)
    R1: float = parameter(10.0, "how strictly the reader keeps to the goal", within=STEEP)
    patience: ClassVar[str] = "T"

    def continuation(self, ranks: Ranks) -> FloatArray:
        return np.asarray(1 - 1 / (1 + self.b1 * _exp((self.T - ranks.gained) * self.R1)))

    def continuation_latex(self) -> str:
        return rf"1 - \frac{{1}}{{1 + {self.b1:g} e^{{({self.T:g} - G_k) {self.R1:g}}}}}"

    def totals(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
        """In closed form, as C is the same wherever nothing is found."""
        check_shares(gains, self)
        between = Stretches(Hits.of(gains, rankings, self.last_rank), self.last_rank)
        odds = self.b1 * _exp((self.T - between.gained) * self.R1)  # of going on
        count = between.end - between.begin
        log = count * np.where(count > 0, -np.log1p(divided(1, odds, math.inf)), 0.0)
        return between.totals(np.exp(log), -odds * np.expm1(log))


@dataclass(frozen=True)
class IFTRate(Foraging):
    """Foraging by rate: C(k) = 1 / (1 + b2 * e^((A - G(k) / E(k)) * R2)).

    >>> IFTRate(A=1, b2=1, R2=1, horizon=2).of([1, 0])  # C(1) = 1/2: 1 / 1.5
    0.6666666666666666
    """

    A: float = parameter(0.2, "the gain for each unit of cost at which a reader begins to leave", within=AT_LEAST_0)
    b2: float = parameter(0.9, "how likely a reader at that rate is to leave, as odds", within=AT_LEAST_0)
    R2: float = parameter(10.0, "how strictly the reader keeps to the rate", within=STEEP)
    patience: ClassVar[str] = "A"

    def continuation(self, ranks: Ranks) -> FloatArray:
        rate = np.where(ranks.spent > 0, divided(ranks.gained, ranks.spent), math.inf)  # where nothing was spent
        with np.errstate(invalid="ignore"):
            steep = np.where(np.isinf(rate), -FAR if self.R2 else 0.0, (self.A - rate) * self.R2)
        return np.asarray(1 / (1 + self.b2 * _exp(steep)))

    def continuation_latex(self) -> str:
        return rf"\frac{{1}}{{1 + {self.b2:g} e^{{({self.A:g} - G_k / E_k) {self.R2:g}}}}}"


@dataclass(frozen=True)
class IFT(IFTRate, IFTGoal):
    """Foraging for a goal and by rate: C(k) is the product of those of IFTGoal and IFTRate.

    >>> IFT(T=1, b1=1, R1=1, A=1, b2=1, R2=1, horizon=2).of([1, 0])  # C(1) = 1/4: 1 / 1.25
    0.8
    """

    patience: ClassVar[str] = "T"

    def continuation(self, ranks: Ranks) -> FloatArray:
        return IFTGoal.continuation(self, ranks) * IFTRate.continuation(self, ranks)

    def continuation_latex(self) -> str:
        goal, rate = IFTGoal.continuation_latex(self), IFTRate.continuation_latex(self)
        return rf"\left({goal}\right) \cdot {rate}"

    def totals(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
        return Costly.totals(self, gains, pool, rankings)


def _exp(power: FloatArray) -> FloatArray:
    return np.asarray(np.exp(np.clip(power, -FAR, FAR)))
