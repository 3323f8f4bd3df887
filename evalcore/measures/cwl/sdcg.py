"""SDCG: DCG as a reader's expected gain per document read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.measures.cwl.expected_utility import ExpectedUtility
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.discounts import Logarithmic
from evalcore.measures.parts.reading import Ranks
from evalcore.notation.values import parameter


@dataclass(frozen=True)
class SDCG(ExpectedUtility):
    """Scaled DCG: sum over k = 1 ... K of g(k) / log2(1 + k), divided by that sum with gains of 1 (Moffat et al. 2017).

    This is DCG at K divided by the DCG of K documents of the highest grade, even if the topic has fewer: nDCG
    without the ideal ranking. cwl_eval calls it NDCG-k, ir_measures SDCG.

    >>> round(SDCG(cutoff=3).of([1, 0, 1]), 4)  # (1 + 1 / 2) / (1 + 1 / log2(3) + 1 / 2)
    0.7039
    """

    cutoff: int = parameter(10, "deepest rank that is read", within=CUTOFF)
    adapts: ClassVar[bool] = False
    reference: ClassVar[str] = "Moffat, Bailey, Scholer & Thomas 2017"

    def continuation(self, ranks: Ranks) -> FloatArray:
        return np.where(self.above_cutoff(ranks), Logarithmic().kept(ranks.rank), 0.0)

    def continuation_latex(self) -> str:
        return rf"\left[\, k < {self.cutoff} \,\right] \cdot \frac{{\log_2(1 + k)}}{{\log_2(2 + k)}}"
