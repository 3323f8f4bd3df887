"""Measures of the retrieved set, and counts, in agreement with trec_eval.

A document is relevant if its gain is above 0; an unassessed document is not. R(t) is the number of relevant
assessed documents of a topic, N(t) the number of documents that a system retrieved. Shapes: S systems, T topics.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, divided
from evalcore.measures.base import Measure
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.gains import rel_parameter, relevant
from evalcore.measures.parts.hits import Hits, assessed, relevant_count
from evalcore.measures.precision import Binary, Condensable
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Good, Rankings

FOUND = r"\left|\mathrm{relevant} \cap \mathrm{retrieved}\right|"


@dataclass(frozen=True)
class OfSet(Condensable, abstract=True):
    """A set measure: a function of the numbers of retrieved relevant, of retrieved, and of relevant documents."""

    reference: ClassVar[str] = "van Rijsbergen 1979"

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        rankings = self.listed(pool, rankings)
        found, retrieved = Hits.of(gains, rankings).total(1), rankings.length.astype(float)
        return self.share(found, retrieved, np.broadcast_to(relevant_count(gains, pool), found.shape))

    def share(self, found: FloatArray, retrieved: FloatArray, relevant: FloatArray) -> FloatArray:
        """Return (S, T) scores from the numbers of retrieved relevant, of retrieved, and of relevant documents."""
        raise NotImplementedError


@dataclass(frozen=True)
class SetP(OfSet):
    """Precision of the whole set: the share of the N retrieved documents that are relevant.

    With `relative`, the divisor is min(N, R): precision relative to the best possible set. trec_eval
    calls the two forms set_P and set_relative_P.

    >>> SetP().of([1, 0, 1, 0])
    0.5
    """

    relative: bool = parameter(False, "divide by the highest precision possible with so many retrieved documents")

    def share(self, found: FloatArray, retrieved: FloatArray, relevant: FloatArray) -> FloatArray:
        return divided(found, np.minimum(retrieved, relevant) if self.relative else retrieved)

    def latex_of(self, gain: str) -> str:
        most = r"\min(N, R)" if self.relative else "N"
        return rf"\frac{{1}}{{{most}}} \sum_{{k=1}}^{{N}} {gain}"


@dataclass(frozen=True)
class SetR(OfSet):
    """Recall of the whole set: the share of the R relevant documents that were retrieved (trec_eval's set_recall).

    >>> SetR().of([1, 0, 1, 0])
    1.0
    """

    def share(self, found: FloatArray, retrieved: FloatArray, relevant: FloatArray) -> FloatArray:
        return divided(found, relevant)

    def latex_of(self, gain: str) -> str:
        return rf"\frac{{1}}{{R}} \sum_{{k=1}}^{{N}} {gain}"


@dataclass(frozen=True)
class SetF(OfSet):
    """F of the whole set: (beta + 1) * P * R / (beta * P + R), with SetP and SetR as P and R (van Rijsbergen 1979).

    The weight of recall is `beta` itself, not its square, as in trec_eval's set_F and ir_measures.

    >>> SetF().of([1, 0, 1, 0])  # 2 * 0.5 * 1 / 1.5
    0.6666666666666666
    """

    beta: float = parameter(1.0, "weight of recall relative to precision", within=Range(0, math.inf, open_high=True))

    def share(self, found: FloatArray, retrieved: FloatArray, relevant: FloatArray) -> FloatArray:
        # P R / (beta P + R), each with its counts: found / (beta R + N).
        return divided((self.beta + 1) * found, np.where(found > 0, self.beta * relevant + retrieved, 0.0))

    def latex_of(self, gain: str) -> str:
        return rf"\frac{{{self.beta + 1:g}}}{{{self.beta:g} R + N}} \sum_{{k=1}}^{{N}} {gain}"


@dataclass(frozen=True)
class SetAP(OfSet):
    """Average precision of a set without order: precision times recall (SetP * SetR), trec_eval's set_map.

    >>> SetAP().of([1, 0, 1, 0])
    0.5
    """

    def share(self, found: FloatArray, retrieved: FloatArray, relevant: FloatArray) -> FloatArray:
        return divided(found**2, retrieved * relevant)

    def latex_of(self, gain: str) -> str:
        return rf"\frac{{1}}{{N R}} \left(\sum_{{k=1}}^{{N}} {gain}\right)^2"


@dataclass(frozen=True)
class RelP(Condensable, also=("relative_P",)):
    """Relative precision at a cut-off K: (relevant documents among the first K) / min(K, R), trec_eval's relative_P.

    >>> RelP(cutoff=4).of([1, 0, 0, 0, 1])  # one of the two relevant documents
    0.5
    """

    cutoff: int = parameter(10, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Buckley & Voorhees 2005"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return divided(hits.total(1), np.minimum(relevant, self.cutoff))

    def latex_of(self, gain: str) -> str:
        return rf"\frac{{1}}{{\min({self.cutoff}, R)}} \sum_{{k=1}}^{{{self.cutoff}}} {gain}"


@dataclass(frozen=True)
class Success(Condensable):
    """1 if a relevant document is among the first K, else 0 (trec_eval's success).

    >>> Success(cutoff=2).of([0, 1]), Success(cutoff=1).of([0, 1])
    (1.0, 0.0)
    """

    cutoff: int = parameter(10, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Buckley & Voorhees 2005"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return (hits.total(1) > 0).astype(float)

    def latex_of(self, gain: str) -> str:
        return rf"\max_{{k \le {self.cutoff}}}\ {gain}"


@dataclass(frozen=True)
class IPrec(Condensable):
    """Interpolated precision at a recall x: the best precision at any rank with a recall of at least x; 0 if none.

    A recall of x means floor(x * R + 0.9) relevant documents, as in iprec_at_recall of trec_eval up to version 9.

    >>> IPrec(recall=0.5).of([0, 1, 1, 0])  # two thirds at rank 3
    0.6666666666666666
    """

    recall: float = parameter(0.1, "the recall to reach", within=Range(0, 1))
    reference: ClassVar[str] = "Manning, Raghavan & Schütze 2008"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return interpolated(hits, relevant, self.recall)

    def latex_of(self, gain: str) -> str:
        reached = rf"\sum_{{j \le k}} r_j \ge {self.recall:g} R"
        return rf"\max_{{k:\, {reached}}}\ \frac{{1}}{{k}} \sum_{{j \le k}} r_j,\quad r_k = {gain}"


@dataclass(frozen=True)
class AvgIPrec(Condensable):
    """Interpolated precision averaged over recalls 0, 0.1, ..., 1: trec_eval's 11pt_avg.

    >>> AvgIPrec().of([1])
    1.0
    """

    points: int = parameter(11, "number of recall levels from 0 to 1", within=Range(2, 101, step=1))
    reference: ClassVar[str] = "Manning, Raghavan & Schütze 2008"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        recalls = [at / (self.points - 1) for at in range(self.points)]
        return np.asarray(sum(interpolated(hits, relevant, recall) for recall in recalls) / self.points)

    def latex_of(self, gain: str) -> str:
        last = self.points - 1
        best = rf"\max_{{k:\, \sum_{{j \le k}} r_j \ge i R / {last}}}\ \frac{{1}}{{k}} \sum_{{j \le k}} r_j"
        return rf"\frac{{1}}{{{self.points}}} \sum_{{i=0}}^{{{last}}} {best},\quad r_k = {gain}"


def interpolated(hits: Hits, relevant: FloatArray, recall: float) -> FloatArray:
    """Return the (S, T) best precision at any rank with at least this recall; 0 if the recall is not reached."""
    wanted = np.floor(recall * relevant + 0.9)[hits.topic]
    best = np.zeros(hits.shape[0] * hits.shape[1])
    some = np.flatnonzero(np.diff(hits.start))
    if len(some):
        found = np.where(hits.nth >= wanted, hits.nth / hits.rank, 0.0)
        best[some] = np.maximum.reduceat(found, hits.start[some])
    return best.reshape(hits.shape)


@dataclass(frozen=True)
class Accuracy(Binary):
    """The share of pairs of a relevant and a non-relevant retrieved document that are in the right order.

    1 - (mean number of non-relevant documents above a retrieved relevant one) / (non-relevant documents retrieved).
    ir_measures' Accuracy omits topics without relevant documents (here 0) and is 0 / 0 if all are relevant (here 1).

    >>> Accuracy().of([1, 0, 1, 0])  # 3 of 4 pairs
    0.75
    """

    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "MacAvaney, Macdonald & Ounis 2022"

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        hits = Hits.of(gains, rankings, self.depth)
        found, listed = hits.total(1), np.minimum(rankings.length, self.depth or np.inf)
        right = found * (listed - found) - hits.total(hits.rank - hits.nth)
        shares = divided(right, found * (listed - found), 1.0)
        return np.where(found > 0, shares, 0.0)

    def latex_of(self, gain: str) -> str:
        wrong = r"\frac{\sum_{k} r_k \sum_{j<k} (1 - r_j)}{\sum_k r_k \cdot \sum_k (1 - r_k)}"
        return rf"1 - {wrong},\quad r_k = {gain}"


@dataclass(frozen=True)
class Counted(Measure, abstract=True):
    """A count for a topic, or for a system's ranking on it; trec_eval reports its sum over topics, not its mean."""

    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    reference: ClassVar[str] = "Buckley & Voorhees 2005"
    symbol: ClassVar[str] = ""  # LaTeX
    aspect: str = parameter("relevance", "the aspect to read")

    def right_side(self) -> str:
        return self.symbol

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return np.array(np.broadcast_to(self.count(pool, rankings), rankings.length.shape), dtype=float)

    def count(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        """Return the counts: (S, T), or (T,) if they depend only on the topic."""
        raise NotImplementedError


@dataclass(frozen=True)
class CountedRelevant(Counted, abstract=True):
    """A count that depends on which documents are relevant."""

    rel: float | None = rel_parameter()

    def gains(self, pool: Assessments) -> FloatArray:
        """Return the (P,) gains: 1 for a relevant document, else 0."""
        return relevant(self.rel).of(pool.column(self.aspect), pool.scale(self.aspect))


@dataclass(frozen=True)
class NumRet(Counted):
    """Number of documents that a system retrieved (trec_eval's num_ret).

    >>> NumRet().of([1, 0, None])
    3.0
    """

    symbol: ClassVar[str] = "N"

    def count(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return rankings.length.astype(float)


@dataclass(frozen=True)
class NumRel(CountedRelevant):
    """Number of relevant documents of a topic (trec_eval's num_rel).

    >>> NumRel().of([1, 0, 2])
    2.0
    """

    symbol: ClassVar[str] = "R"

    def count(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return relevant_count(self.gains(pool), pool)


@dataclass(frozen=True)
class NumRelRet(CountedRelevant):
    """Number of relevant documents that a system retrieved (trec_eval's num_rel_ret).

    >>> NumRelRet().of([1, 0, 2])
    2.0
    """

    symbol: ClassVar[str] = FOUND

    def count(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return Hits.of(self.gains(pool), rankings).total(1)


@dataclass(frozen=True)
class NumNonRelJudgedRet(CountedRelevant):
    """Number of assessed non-relevant documents that a system retrieved (trec_eval's num_nonrel_judged_ret).

    >>> NumNonRelJudgedRet().of([1, 0, None])
    1.0
    """

    good: ClassVar[Good] = "low"
    symbol: ClassVar[str] = r"\left|\mathrm{judged} \cap \mathrm{retrieved}\right| - " + FOUND

    def count(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        others = assessed(pool, self.aspect) & (self.gains(pool) <= 0)
        return Hits.of(others.astype(float), rankings).total(1)


@dataclass(frozen=True)
class Utility(CountedRelevant):
    """Utility of a set: a * relevant documents retrieved + b * other documents retrieved + c * relevant ones missed.

    a, b and c are the parameters `found`, `others` and `missed`. trec_eval calls it utility.

    >>> Utility().of([1, 0, 0])
    -1.0
    """

    found: float = parameter(1.0, "value of a relevant document that is retrieved")
    others: float = parameter(-1.0, "value of any other document that is retrieved")
    missed: float = parameter(0.0, "value of a relevant document that is not retrieved")
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    def count(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        gains = self.gains(pool)
        found, relevant = Hits.of(gains, rankings).total(1), relevant_count(gains, pool)
        return self.found * found + self.others * (rankings.length - found) + self.missed * (relevant - found)

    def right_side(self) -> str:
        worths = (self.found, FOUND), (self.others, f"(N - {FOUND})"), (self.missed, f"(R - {FOUND})")
        return " + ".join(rf"{worth:g} \cdot {what}" for worth, what in worths)


@dataclass(frozen=True)
class Judged(Counted):
    """The share of the first K documents (or of a shorter ranking) that were assessed (ir_measures' Judged).

    >>> Judged(cutoff=4).of([1, None, 0, None])
    0.5
    """

    cutoff: int | None = parameter(10, "deepest rank that counts", within=CUTOFF)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reference: ClassVar[str] = "MacAvaney, Macdonald & Ounis 2022"

    def count(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        known = _known(assessed(pool, self.aspect), rankings, self.cutoff)
        return divided(known, np.minimum(rankings.length, self.cutoff or np.inf))

    def right_side(self) -> str:
        last = "N" if self.cutoff is None else rf"\min(N, {self.cutoff})"
        return rf"\frac{{1}}{{{last}}} \sum_{{k=1}}^{{{last}}} \left[\, k \mathrm{{\ judged}} \,\right]"


@dataclass(frozen=True)
class Unjudged(Counted):
    """The number of unassessed documents among the first K, divided by K (unj in trec_eval since version 10).

    >>> Unjudged(cutoff=4).of([1, None])
    0.25
    """

    cutoff: int = parameter(10, "deepest rank that counts", within=CUTOFF)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    good: ClassVar[Good] = "low"
    reference: ClassVar[str] = "trec_eval 10"

    def count(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        known = _known(assessed(pool, self.aspect), rankings, self.cutoff)
        return np.asarray((np.minimum(rankings.length, self.cutoff) - known) / self.cutoff)

    def right_side(self) -> str:
        return (
            rf"\frac{{1}}{{{self.cutoff}}} \sum_{{k=1}}^{{{self.cutoff}}} \left[\, k \mathrm{{\ not\ judged}} \,\right]"
        )


def _known(judged: BoolArray, rankings: Rankings, depth: int | None) -> FloatArray:
    """Return the (S, T) numbers of judged documents down to a depth."""
    return Hits.of(judged.astype(float), rankings, depth).total(1)
