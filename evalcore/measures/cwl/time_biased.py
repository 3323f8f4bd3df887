"""TBG and U: what a document gives counts by what was read before it, in time or in text.

Both are scaled to what each document read is expected to give, with weights that sum to 1, as in cwl_eval. Without
`cost` every document takes as long, and TBG's reader is that of RBP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.arrays import FloatArray, divided
from evalcore.measures.cwl.expected_utility import POSITIVE, Costly
from evalcore.measures.parts.reading import Ranks
from evalcore.notation.values import parameter


@dataclass(frozen=True)
class TBG(Costly):
    """Time-biased gain: half of the readers are left after each `halflife` of time (Smucker & Clarke 2012).

    C(k) = 2^(-e(k) / halflife), e(k) the time that the document at rank k takes; W(k) falls as 2^(-E(k - 1) /
    halflife). The paper's 224 seconds are the default; its sum of gains is this times the expected depth.

    >>> TBG(halflife=1, horizon=2).of([1, 0])  # 1 / (1 + 1 / 2)
    0.6666666666666666
    """

    halflife: float = parameter(224.0, "the time after which half of the readers are left", within=POSITIVE)
    adapts: ClassVar[bool] = False
    patience: ClassVar[str] = "halflife"
    reference: ClassVar[str] = "Smucker & Clarke 2012"

    def continuation(self, ranks: Ranks) -> FloatArray:
        return np.asarray(2.0 ** (-ranks.cost / self.halflife))

    def continuation_latex(self) -> str:
        return rf"2^{{-e_k / {self.halflife:g}}}"


@dataclass(frozen=True)
class U(Costly, also=("UMeasure",)):
    """U-measure: a gain counts the less the more text was read before it, and nothing after L (Sakai & Dou 2013).

    C(k) = max(0, 1 - E(k) / L) / max(0, 1 - E(k - 1) / L), E(k) the length of the documents down to rank k: W(k) falls
    in a straight line. As in cwl_eval, a gain stands where its document begins.

    >>> round(U(L=2).of([0, 1, 1]), 4)  # (1 - 1 / 2) / (1 + 1 / 2)
    0.3333
    """

    L: float = parameter(132_000.0, "the length of text after which nothing counts", within=POSITIVE)
    adapts: ClassVar[bool] = False
    patience: ClassVar[str] = "L"
    reference: ClassVar[str] = "Sakai & Dou 2013"

    def continuation(self, ranks: Ranks) -> FloatArray:
        left, before = (np.maximum(0.0, 1 - spent / self.L) for spent in (ranks.spent, ranks.spent - ranks.cost))
        return divided(left, before)

    def continuation_latex(self) -> str:
        return rf"\frac{{\max(0,\, 1 - E_k / {self.L:g})}}{{\max(0,\, 1 - E_{{k-1}} / {self.L:g})}}"
