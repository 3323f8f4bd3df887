"""Q-measure, average precision for graded relevance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.measures.base import GainMeasure
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.gains import Gain, GradeIfPositive
from evalcore.measures.parts.hits import Hits, ideal_gains, relevant_count
from evalcore.measures.precision import above_zero
from evalcore.notation.formula import Formula
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

BLENDED_RATIO = Formula("(n + beta * c) / (k + beta * best)")
_SUMS = {"n": rf"\sum_{{j \le k}} {above_zero('g_j')}", "c": r"\sum_{j \le k} g_j", "best": r"\sum_{j \le k} g^{*}_j"}


@dataclass(frozen=True)
class Q(GainMeasure):
    """Q-measure: (1 / R) * sum over ranks k of relevant documents of (n + beta c) / (k + beta c*) (Sakai 2004, 2007).

    Down to rank k there are n relevant documents with total gain c; the ideal ranking has total gain c* there.
    A document is relevant if its label is positive, as for AP, and gains its grade. beta = 0 gives AP; otherwise
    moving a document with a low grade above one with a high grade can lower Q. A cut-off K also bounds the divisor,
    min(R, K), as in NTCIREVAL.

    >>> Q().of([0, 1])  # (1 + 1) / (2 + 1)
    0.6666666666666666
    """

    beta: float = parameter(
        1.0,
        "weight of the cumulative gain relative to the count of relevant documents",
        within=Range(0, math.inf, open_high=True),
    )
    aspect: str = parameter("relevance", "the aspect to read")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Sakai 2004"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: GradeIfPositive()}

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        hits, ideal = Hits.of(gains, rankings, self.depth), np.cumsum(ideal_gains(gains, pool), axis=1)
        best = ideal[hits.topic, np.minimum(hits.rank, ideal.shape[1]) - 1]
        gained = hits.running(np.add, hits.gain)
        ratios = np.asarray(BLENDED_RATIO(n=hits.nth, beta=self.beta, c=gained, k=hits.rank, best=best))
        return divided(hits.total(ratios), np.minimum(relevant_count(gains, pool), self.depth or math.inf))

    def latex_of(self, gain: str) -> str:
        last, divisor = ("K", "R") if self.cutoff is None else (self.cutoff, rf"\min(R, {self.cutoff})")
        ratio = BLENDED_RATIO.latex(beta=self.beta, **_SUMS)
        return rf"\frac{{1}}{{{divisor}}} \sum_{{k=1}}^{{{last}}} {above_zero('g_k')} \cdot {ratio},\quad g_k = {gain}"
