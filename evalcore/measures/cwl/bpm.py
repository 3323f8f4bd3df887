"""BPM: readers who stop when they have what they came for, or have spent what they would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.arrays import FloatArray
from evalcore.measures.cwl.expected_utility import POSITIVE, Costly
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.reading import Ranks
from evalcore.notation.values import Range, parameter
from evalcore.rounding import less


@dataclass(frozen=True)
class BPM(Costly):
    """Bejeweled player model: read on until the gains reach T or the costs reach K, the cut-off (Zhang et al. 2017).

    C(k) = [G(k) < T(k)] * [E(k) < K(k)], G and E the gains and costs down to rank k. Static: T and K stay. Dynamic: a
    document at rank j changes what the reader expects of the next, by hb * (g(j) - median) for T and by
    hc * (g(j) - median) for K. Without `cost` a document costs 1, and K is a rank.

    cwl_eval's dynamic form adds the change of K to T, after T was used, so that K stays there; here K changes.

    >>> BPM(T=1, cutoff=10).of([0, 1, 0, 0])  # two ranks are read
    0.5
    """

    T: float = parameter(1.0, "the gain after which the reader has enough", within=POSITIVE)
    hb: float = parameter(0.0, "how much a document changes the gain that is enough", within=Range(0, 100))
    hc: float = parameter(0.0, "how much a document changes the cost that is too much", within=Range(0, 100))
    median: float = parameter(0.5, "the gain of a document that changes nothing", within=Range(0, 1))
    cutoff: int = parameter(10, "K, the cost at which the reader stops; without costs, a rank", within=CUTOFF)
    reference: ClassVar[str] = "Zhang, Liu, Li, Zhang, Xu & Ma 2017"

    def continuation(self, ranks: Ranks) -> FloatArray:
        # What the documents above a rank have changed: one at the rank itself changes what is expected of the next.
        change = (ranks.gained - ranks.gain) - self.median * (ranks.rank - 1)
        enough, too_much = self.T + self.hb * change, self.cutoff + self.hc * change
        return np.asarray(less(ranks.gained, enough) & less(ranks.spent, too_much), dtype=float)

    def continuation_latex(self) -> str:
        changes = (self.T, self.hb), (self.cutoff, self.hc)
        enough, too_much = (_border(start, by, self.median) for start, by in changes)
        return rf"\left[\, G_k < {enough} \,\right] \cdot \left[\, E_k < {too_much} \,\right]"


def _border(start: float, by: float, median: float) -> str:
    return f"{start:g}" + (rf" + {by:g} \sum_{{j<k}} (g_j - {median:g})" if by else "")
