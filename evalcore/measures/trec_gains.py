"""Further measures of gains in trec_eval: binG, G, ndcg_rel and Rndcg, experiments between AP and nDCG.

R(t) is the number of a topic's documents with a gain. Shapes: P pool rows, S systems, T topics, N hits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.measures.base import GainMeasure
from evalcore.measures.parts.discounts import Logarithmic
from evalcore.measures.parts.gains import Gain, Grade
from evalcore.measures.parts.hits import Hits, ideal_gains, relevant_count
from evalcore.measures.precision import Binary
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Rankings


@dataclass(frozen=True)
class BinG(Binary, also=("binG",)):
    """Binary G: (1 / R) * sum over relevant retrieved documents of 1 / log2(2 + non-relevant above), trec_eval's binG.

    >>> BinG().of([0, 0, 1])  # 1 / log2(4)
    0.5
    """

    reference: ClassVar[str] = "trec_eval 9 (Buckley 2008)"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return divided(hits.total(1 / np.log2(2 + hits.rank - hits.nth)), relevant)

    def latex_of(self, gain: str) -> str:
        return (
            rf"\frac{{1}}{{R}} \sum_k \frac{{r_k}}{{\log_2\left(2 + \sum_{{j<k}} (1 - r_j)\right)}},\quad r_k = {gain}"
        )


@dataclass(frozen=True)
class OfGrades(GainMeasure, abstract=True):
    """A measure whose gains are the grades."""

    aspect: str = parameter("relevance", "the aspect to read")
    reference: ClassVar[str] = "trec_eval 9 (Buckley 2008)"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: Grade()}


@dataclass(frozen=True)
class G(OfGrades):
    """Normalised gain: (1 / all gains) * sum over ranks k of g(k) / log2(2 + I(k) - G(k)), trec_eval's G.

    G(k) is the sum of gains down to rank k, I(k) the same sum in the ideal order, with each gain at least 1.

    >>> G().of([0, 1])  # 1 / log2(2 + 2 - 1)
    0.6309297535714575
    """

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        hits, ideal = Hits.of(gains, rankings), ideal_gains(gains, pool)
        most = np.maximum(ideal, 1.0).cumsum(axis=1)
        width = ideal.shape[1]
        inside = np.minimum(hits.rank, width)
        missed = most[hits.topic, inside - 1] + (hits.rank - inside) - hits.running(np.add, hits.gain)
        return divided(hits.total(hits.gain / np.log2(2 + np.maximum(missed, 0.0))), ideal.sum(axis=1))

    def latex_of(self, gain: str) -> str:
        return (
            r"\frac{1}{\sum_k g^{*}_k} \sum_k \frac{g_k}{\log_2\left(2 + \sum_{j \le k} \max(1, g^{*}_j) - "
            rf"\sum_{{j \le k}} g_j\right)}},\quad g_k = {gain}"
        )


@dataclass(frozen=True)
class nDCGrel(OfGrades, also=("ndcg_rel",)):
    """nDCG averaged over the ranks of the relevant documents (trec_eval's ndcg_rel).

    For a relevant document that was not retrieved, nDCG of the whole ranking counts.

    >>> round(nDCGrel().of([1, 0, 1]), 4)  # (1 + 1.5 / (1 + 1 / log2(3))) / 2
    0.9599
    """

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        hits, best = Hits.of(gains, rankings), _ideal_dcg(gains, pool)
        added = hits.gain * Logarithmic().of(rankings.depth)[hits.rank - 1]
        there = hits.running(np.add, added) / best[hits.topic, np.minimum(hits.rank, best.shape[1]) - 1]
        relevant, final = relevant_count(gains, pool), divided(hits.total(added), best[:, -1])
        return divided(hits.total(there) + (relevant - hits.total(1)) * final, relevant)

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        return (0.0, 1.0)

    def latex_of(self, gain: str) -> str:
        return rf"\frac{{1}}{{R}} \sum_{{d:\, g_d > 0}} \mathrm{{nDCG}}@k_d,\quad g_k = {gain}"


@dataclass(frozen=True)
class Rndcg(OfGrades):
    """nDCG averaged over the ranks at which a grade ends in the ideal order (trec_eval's Rndcg).

    For a ranking with at least R + 2 documents, its end counts as one more rank.

    >>> round(Rndcg().of([1, 2]), 4)  # (0.5 + (1 + 2 / log2(3)) / (2 + 1 / log2(3))) / 2
    0.6799
    """

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        hits, best = Hits.of(gains, rankings), _ideal_dcg(gains, pool)
        added = hits.gain * Logarithmic().of(rankings.depth)[hits.rank - 1]
        final, relevant = divided(hits.total(added), best[:, -1]), relevant_count(gains, pool)
        longer = rankings.length >= relevant + 2
        total, levels = np.where(longer, final, 0.0), longer.astype(float)
        for ends in _level_ends(gains, pool):  # (T,) 0 if a topic has fewer levels
            dcg = hits.total(np.where(hits.rank <= ends[hits.topic], added, 0.0))
            total = total + divided(dcg, np.where(ends > 0, best[np.arange(len(ends)), np.maximum(ends, 1) - 1], 0.0))
            levels = levels + (ends > 0)
        return np.where(relevant > 0, divided(total, levels), 0.0)

    def latex_of(self, gain: str) -> str:
        levels = r"L = \{k: g^{*}_{k+1} < g^{*}_k\}"
        return rf"\frac{{1}}{{|L|}} \sum_{{k \in L}} \mathrm{{nDCG}}@k,\ {levels},\quad g_k = {gain}"


def _ideal_dcg(gains: FloatArray, pool: Assessments) -> FloatArray:
    """Return the DCG of the ideal order at each rank: (T, most documents of a topic)."""
    ideal = ideal_gains(gains, pool)
    return np.asarray((ideal * Logarithmic().of(ideal.shape[1])).cumsum(axis=1))


def _level_ends(gains: FloatArray, pool: Assessments) -> list[FloatArray]:
    """Return a list of (T,) arrays: the last rank of the topic's highest gain in the ideal order, of the second, ...

    The rank is 0 for topics with fewer distinct gains.
    """
    ideal = ideal_gains(gains, pool)
    after = np.concatenate([ideal[:, 1:], np.zeros((len(ideal), 1))], axis=1)
    last = (ideal > 0) & (after < ideal)
    nth = last.cumsum(axis=1)
    most = int(nth.max(initial=0))
    ranks = np.arange(1, ideal.shape[1] + 1)
    return [(ranks * (last & (nth == level))).sum(axis=1) for level in range(1, most + 1)]
