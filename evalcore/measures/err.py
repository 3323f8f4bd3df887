"""Expected reciprocal rank: a reader who goes down the ranking until satisfied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.discounts import Reciprocal
from evalcore.measures.parts.gains import Gain, Probability, highest_grade_parameter
from evalcore.measures.parts.hits import Hits, ideal_gains, weighed
from evalcore.measures.parts.reading import Ranks
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Rankings


@dataclass(frozen=True)
class ERR(GainMeasure):
    """Expected reciprocal rank of the document that satisfies the reader (Chapelle et al. 2009).

    sum over ranks k of (1 / k) * g(k) * product over ranks j above k of (1 - g(j)), where g = (2^grade - 1) / 2^max is
    the probability that a document satisfies the reader. Without `max_rel`, max is the highest grade of the scale.
    TREC's gdeval.pl, which ir_measures calls, always uses 4: `ERR(max_rel=4)@20` is their ERR@20.

    >>> ERR().of([1, 1])
    0.625
    """

    max_rel: float | None = highest_grade_parameter()
    aspect: str = parameter("relevance", "the aspect to read")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Chapelle, Metzler, Zhang & Grinspan 2009"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: Probability(max=self.max_rel)}

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self.cascade(gains, rankings)

    def cascade(self, gains: FloatArray, rankings: Rankings) -> FloatArray:
        """Return the (S, T) expected reciprocal rank. Raises InputError for gains that are not probabilities."""
        if gains.max(initial=0.0) > 1:
            problem = f"expected gains that are probabilities, found {gains.max():g}"
            raise InputError(problem, str(self))
        hits = Hits.of(gains, rankings, self.depth)
        unsatisfied = hits.running(np.multiply, 1 - hits.gain)
        still_reading = np.where(hits.first, 1.0, np.append(1.0, unsatisfied)[:-1])
        return hits.total(hits.gain * still_reading / hits.rank)

    def continuation(self, ranks: Ranks) -> FloatArray:
        """Return 1 - g(k), 0 at the cut-off: unsatisfied readers go on. Their expected utility is NERR8, not ERR."""
        return np.where(self.above_cutoff(ranks), 1 - ranks.gain, 0.0)

    def latex_of(self, gain: str) -> str:
        last = "K" if self.cutoff is None else self.cutoff
        return (
            rf"\sum_{{k=1}}^{{{last}}} {Reciprocal().latex()} \cdot g_k \prod_{{j=1}}^{{k-1}} \left(1 - g_j\right)"
            rf",\quad g_k = {gain}"
        )


@dataclass(frozen=True)
class nERR(ERR):
    """Normalised ERR: ERR / ERR of the topic's assessed documents in their best order.

    >>> nERR().of([0, 1])
    0.5
    """

    reference: ClassVar[str] = "Sakai & Song 2011"

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        found, best = self.cascade(gains, rankings), ideal_gains(gains, pool)[:, : self.depth]
        reached = np.cumprod(np.concatenate([np.ones((len(best), 1)), 1 - best[:, :-1]], axis=1), axis=1)
        return divided(found, weighed(best * reached, Reciprocal().of(best.shape[1])))

    def latex_of(self, gain: str) -> str:
        return rf"\frac{{1}}{{\mathrm{{ERR}}^{{*}}}} {super().latex_of(gain)}"
