"""NERR: four expected utilities for ERR's reader, who goes on until satisfied (Azzopardi et al. 2021).

ERR sums 1 / k times the probability of stopping at k, which is not a mean gain over the ranks read. These measures are
means over the ranks read, and nearly equal ERR. In each, readers go on with probability (1 - g(k)) * patience.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.measures.cwl.expected_utility import POSITIVE, ExpectedUtility, Unbounded, check_shares
from evalcore.measures.cwl.inst import INSQ
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.discounts import INSIDE_UNIT
from evalcore.measures.parts.hits import Hits
from evalcore.measures.parts.reading import Ranks, Reading, Stretches
from evalcore.notation.formula import Formula
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Rankings


@dataclass(frozen=True)
class Satisfied(ExpectedUtility, abstract=True):
    """A measure whose reader goes on unless satisfied: C(k) = (1 - g(k)) * patience(k)."""

    formula: ClassVar[Formula]
    reference: ClassVar[str] = "Azzopardi, Mackenzie & Moffat 2021"

    def continuation(self, ranks: Ranks) -> FloatArray:
        return np.asarray((1 - ranks.gain) * np.where(self.above_cutoff(ranks), self._patience(ranks.rank), 0.0))

    def totals(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
        """Return the expected total gain and the expected number of ranks read, each (S, T).

        Both are sums over stretches between hits, along which S falls as for a reader without gains.
        """
        check_shares(gains, self)
        between = Stretches(Hits.of(gains, rankings, self.last_rank), self.last_rank)
        nothing = Ranks.of(np.zeros(self.last_rank))
        patient = np.append(0.0, Reading(nothing, self.continuation(nothing)).survival)  # from rank 0
        read, begin, end, left = np.cumsum(patient), between.begin, between.end, 1 - between.gain
        staying = np.where(end > begin, left * divided(patient[end], patient[begin]), 1.0)
        return between.totals(staying, left * divided(read[end] - read[begin], patient[begin]))

    def continuation_latex(self) -> str:
        inside = rf"\left[\, k < {self.depth} \,\right] \cdot " if self.depth else ""
        return rf"{inside}\left(1 - g_k\right) \cdot {self.formula.latex(**self.arguments())}"

    def _patience(self, rank: FloatArray) -> FloatArray:
        return np.broadcast_to(self.formula(k=rank, **self.arguments()), rank.shape)


@dataclass(frozen=True)
class NERR8(Satisfied):
    """Nearly ERR, down to a cut-off: C(k) = 1 - g(k) (Azzopardi, Mackenzie & Moffat 2021, Eq. 8).

    >>> NERR8(cutoff=2).of([1, 1])  # satisfied at once
    1.0
    """

    cutoff: int = parameter(10, "deepest rank that is read", within=CUTOFF)
    formula: ClassVar[Formula] = Formula("1 + 0 * k")

    def continuation_latex(self) -> str:
        return rf"\left[\, k < {self.depth} \,\right] \cdot \left(1 - g_k\right)"


@dataclass(frozen=True)
class NERR9(Satisfied):
    """Nearly ERR, with the discount of ERR (1 / k): C(k) = (1 - g(k)) * k / (k + 1).

    Azzopardi, Mackenzie & Moffat 2021, Eq. 9.

    >>> round(NERR9(cutoff=2).of([0, 1]), 4)  # (1 / 2) / (1 + 1 / 2)
    0.3333
    """

    cutoff: int = parameter(10, "deepest rank that is read", within=CUTOFF)
    formula: ClassVar[Formula] = Formula("k / (k + 1)")


@dataclass(frozen=True)
class NERR10(Satisfied, Unbounded):
    """Nearly ERR with the patience of RBP: C(k) = (1 - g(k)) * p (Azzopardi, Mackenzie & Moffat 2021, Eq. 10).

    >>> round(NERR10(p=0.5, horizon=2).of([0, 1]), 4)  # 0.5 / 1.5
    0.3333
    """

    p: float = parameter(0.9, "persistence: share of unsatisfied readers who go on", within=INSIDE_UNIT)
    formula: ClassVar[Formula] = Formula("p + 0 * k")

    def continuation_latex(self) -> str:
        return rf"\left(1 - g_k\right) \cdot {self.p:g}"


@dataclass(frozen=True)
class NERR11(Satisfied, Unbounded):
    """Nearly ERR with the patience of INSQ: C(k) = (1 - g(k)) * ((k + 2T - 1) / (k + 2T))^2.

    Azzopardi, Mackenzie & Moffat 2021, Eq. 11.

    >>> round(NERR11(T=1, horizon=2).of([0, 1]), 4)  # (4 / 9) / (1 + 4 / 9)
    0.3077
    """

    T: float = parameter(1.0, "number of useful documents that the reader wants", within=POSITIVE)
    formula: ClassVar[Formula] = INSQ.formula
