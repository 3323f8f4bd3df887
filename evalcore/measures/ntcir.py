"""Graded measures of NTCIR: O-, P- and P+-measure, NCU; and GAP, the graded form of AP.

They share the blended ratio of Q, (n + beta c) / (k + beta c*): down to rank k there are n relevant documents with
gains of c in all, and gains of c* in the ideal ranking. Shapes: P pool rows, S systems, T topics, N hits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, divided
from evalcore.measures.base import GainMeasure
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.gains import Gain, GradeIfPositive
from evalcore.measures.parts.hits import Hits, relevant_count
from evalcore.measures.precision import above_zero
from evalcore.measures.q_measure import RATIO, Blended
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

STOPPING = ("uniform", "rank-biased", "graded")


@dataclass(frozen=True)
class Omeasure(Blended, also=("O",)):
    """O-measure: the blended ratio at the first relevant document (Sakai 2006).

    >>> Omeasure().of([0, 1])  # (1 + 1) / (2 + 1)
    0.6666666666666666
    """

    reference: ClassVar[str] = "Sakai 2006"

    def score_ratios(self, hits: Hits, ratios: FloatArray, gains: FloatArray, pool: Assessments) -> FloatArray:
        return hits.total(hits.first * ratios)

    def latex_of(self, gain: str) -> str:
        return (
            rf"\mathrm{{BR}}\left(\min \{{k: g_k > 0\}}\right),\quad {RATIO},\quad \beta = {self.beta:g},\ g_k = {gain}"
        )


@dataclass(frozen=True)
class Pmeasure(Blended):
    """P-measure: the blended ratio at the preferred rank, the first of the best documents retrieved (Sakai 2006).

    A reader of known items looks for one document, as relevant as any in the list.

    >>> Pmeasure().of([1, 0, 3])  # (2 + 4) / (3 + 4)
    0.8571428571428571
    """

    reference: ClassVar[str] = "Sakai 2006"

    def score_ratios(self, hits: Hits, ratios: FloatArray, gains: FloatArray, pool: Assessments) -> FloatArray:
        return hits.total(preferred(hits) * ratios)

    def latex_of(self, gain: str) -> str:
        return rf"\mathrm{{BR}}(k_p),\quad {RATIO},\quad \beta = {self.beta:g},\ g_k = {gain}"


@dataclass(frozen=True)
class Pplus(Blended, also=("PPlus",)):
    """P+-measure: the blended ratio averaged over the relevant documents down to the preferred rank (Sakai 2006).

    >>> Pplus().of([1, 0, 3])  # ((1 + 1) / (1 + 3) + (2 + 4) / (3 + 4)) / 2
    0.6785714285714286
    """

    reference: ClassVar[str] = "Sakai 2006"

    def score_ratios(self, hits: Hits, ratios: FloatArray, gains: FloatArray, pool: Assessments) -> FloatArray:
        last = hits.total(preferred(hits) * hits.rank).ravel()
        counted = hits.rank <= last[hits.line]
        return divided(hits.total(counted * ratios), hits.total(counted))

    def latex_of(self, gain: str) -> str:
        hits = rf"\sum_{{k \le k_p}} {above_zero('g_k')}"
        return rf"\frac{{{hits}\ \mathrm{{BR}}(k)}}{{{hits}}},\quad {RATIO},\quad \beta = {self.beta:g},\ g_k = {gain}"


def preferred(hits: Hits) -> BoolArray:
    """(N,) whether a hit is the first of the highest gain of its line."""
    highest = np.zeros(hits.shape[0] * hits.shape[1])
    np.maximum.at(highest, hits.line, hits.gain)
    best = np.flatnonzero(hits.gain == highest[hits.line])
    first = np.zeros(len(hits.gain), dtype=bool)
    first[best[np.unique(hits.line[best], return_index=True)[1]]] = True
    return first


@dataclass(frozen=True)
class NCU(Blended):
    """Normalised cumulative utility: sum over ranks k of p(k) * BR(k), p the probability of stopping at k.

    Readers stop at relevant documents only (Sakai & Robertson 2008): "uniform", each of the R alike, which with
    beta = 0 is AP and else Q; "rank-biased", as gamma^(n - 1) at the n-th relevant document found; "graded", in
    proportion to its gain.

    >>> NCU(stopping="rank-biased", gamma=0.5).of([1, 1])
    1.0
    >>> NCU(beta=0, stopping="graded").of([0, 1, 3])  # (1 * 1 / 2 + 3 * 2 / 3) / 4
    0.625
    """

    stopping: str = parameter("rank-biased", "model of where readers stop", choices=STOPPING, shown=True)
    gamma: float = parameter(0.95, "rank-biased readers: the share not satisfied", within=Range(0, 1, open_low=True))
    reference: ClassVar[str] = "Sakai & Robertson 2008"

    def score_ratios(self, hits: Hits, ratios: FloatArray, gains: FloatArray, pool: Assessments) -> FloatArray:
        relevant = relevant_count(gains, pool)
        if self.stopping == "uniform":
            return divided(hits.total(ratios), relevant)
        if self.stopping == "graded":
            return divided(hits.total(hits.gain * ratios), np.bincount(pool.topic, gains, minlength=len(pool.topics)))
        powers = self.gamma ** np.arange(max(int(relevant.max(initial=0)), 1))
        most = np.append(0.0, powers.cumsum())[relevant.astype(int)]
        return divided(hits.total(powers[hits.nth - 1] * ratios), most)

    def latex_of(self, gain: str) -> str:
        stops = {
            "uniform": r"\frac{1}{R}",
            "rank-biased": rf"\frac{{{self.gamma:g}^{{n_k - 1}}}}{{\sum_{{i \le R}} {self.gamma:g}^{{i - 1}}}}",
            "graded": r"\frac{g_k}{\sum_i g^{*}_i}",
        }
        return (
            rf"\sum_{{k:\, g_k > 0}} {stops[self.stopping]} \cdot \mathrm{{BR}}(k),\quad {RATIO},\quad "
            rf"\beta = {self.beta:g},\ g_k = {gain}"
        )


@dataclass(frozen=True)
class GAP(GainMeasure):
    """Graded average precision (Robertson, Kanoulas & Yilmaz 2010): AP of each border of relevance, weighed.

    sum over grades j of w_j R_j AP_j / sum over j of w_j R_j, where AP_j counts as relevant what has grade j or more,
    R_j are as many, and w_j is the step from the grade below: a reader takes each unit of grade as the border alike.

    >>> GAP().of([1, 2])  # (2 * 1 + 1 * (1 / 2)) / 3
    0.8333333333333334
    """

    aspect: str = parameter("relevance", "the aspect it reads")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Robertson, Kanoulas & Yilmaz 2010"

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: GradeIfPositive()}

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        hits, levels = Hits.of(gains, rankings, self.depth), np.unique(gains[gains > 0])
        total = np.zeros(hits.shape)
        for step, level in zip(np.diff(levels, prepend=0.0).tolist(), levels.tolist(), strict=True):
            one = Hits.of(gains * (gains >= level), rankings, self.depth)
            total += step * one.total(one.nth / one.rank)
        return divided(total, np.bincount(pool.topic, gains, minlength=len(pool.topics)))

    def latex_of(self, gain: str) -> str:
        return (
            r"\frac{1}{\sum_i g^{*}_i} \sum_{k} \frac{1}{k} \sum_{j \le k} \min(g_j, g_k)"
            rf",\quad g_k = {gain}"
        )
