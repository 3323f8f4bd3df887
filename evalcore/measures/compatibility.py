"""Compatibility: the similarity of a ranking to the nearest ideal ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.rounding import less
from evalcore.measures.base import GainMeasure
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.discounts import INSIDE_UNIT, Geometric
from evalcore.measures.parts.gains import Gain, Grade
from evalcore.measures.parts.hits import Hits, better_count, places, relevant_count
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Rankings


@dataclass(frozen=True)
class Compat(GainMeasure):
    """Compatibility: normalised rank-biased overlap with the ideal ranking (Clarke, Vtyurina & Smucker 2020).

    The ideal ranking contains the documents with a gain, higher gains first; ties keep the order of the ranking,
    unretrieved documents last. The overlap is the sum over depths k = 1 ... K of
    p^(k - 1) * (documents in both top k) / k,
    divided by the overlap of the ideal ranking with itself or, with normalize=False, by the sum of p^(k - 1).
    K is the length of the longer ranking, as in ir_measures, or the cut-off.

    `Compat@1000` equals the output of the authors' compatibility.py, with three differences: that tool orders equal
    scores by ascending document id (here descending, as in trec_eval and every run); it averages only over topics that
    are in the run and have relevant documents (here other topics score 0); and if a document is listed twice, it uses
    the last score. ir_measures also orders equal scores by ascending id, and scores unretrieved documents 0.

    >>> Compat(p=0.5).of([0, 1])  # (0 + 0.5 * 1/2) / (1 + 0.5 * 1/2)
    0.2
    """

    p: float = parameter(0.95, "persistence: weight of a depth relative to the previous depth", within=INSIDE_UNIT)
    normalize: bool = parameter(True, "divide by the highest possible overlap")
    aspect: str = parameter("relevance", "the aspect to read; only the order of its grades counts")
    cutoff: int | None = parameter(None, "deepest rank compared", within=CUTOFF)
    reference: ClassVar[str] = "Clarke, Vtyurina & Smucker 2020"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: Grade()}

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        hits, ideal_length = Hits.of(gains, rankings), relevant_count(gains, pool).astype(int)
        depth = np.maximum(rankings.length, ideal_length) if self.cutoff is None else np.full(hits.shape, self.cutoff)
        weights = Geometric(rho=self.p).of(max(int(depth.max(initial=0)), 1))
        # A document that both rankings contain from depth m on adds 1 / k at every depth k >= m.
        reached = np.append(0.0, np.cumsum(weights / np.arange(1, len(weights) + 1)))
        both = np.maximum(hits.rank, _ideal_rank(hits, better_count(gains, pool)))
        until = depth[np.divmod(hits.line, hits.shape[1])]
        overlap = hits.total(reached[until] - reached[np.minimum(both - 1, until)])
        if self.normalize:
            within = np.minimum(ideal_length, depth)
            best = within * reached[depth] - np.append(0.0, np.cumsum(reached))[within]
        else:
            best = np.append(0.0, np.cumsum(weights))[depth]
        scores = divided(overlap, best)
        return np.where(less(scores, 1.0), scores, 1.0)  # equal for an ideal ranking, but summed in another order

    def latex_of(self, gain: str) -> str:
        weight = Geometric(rho=self.p).latex()
        last = "K" if self.cutoff is None else self.cutoff
        above = rf"\sum_{{k=1}}^{{{last}}} {weight} \cdot \frac{{\left|A_k \cap I_k\right|}}{{k}}"
        below = weight + (r" \cdot \frac{\left|I_k\right|}{k}" if self.normalize else "")
        return (
            rf"\frac{{{above}}}{{\sum_{{k=1}}^{{{last}}} {below}}},\quad A_k = \text{{top }} k,\ "
            rf"I_k = \text{{top }} k \text{{ by }} {gain}"
        )


def _ideal_rank(hits: Hits, better: IntArray) -> IntArray:
    """Return the (N,) rank of each hit in the ideal ranking that is nearest to the ranking with this hit."""
    level = better[hits.row]
    group = hits.line * np.int64(len(better) + 1) + level  # hits in the same line with the same gain
    order = np.argsort(group, kind="stable")
    equals = np.empty(len(order), dtype=int)
    equals[order] = places(group[order])
    return level + equals
