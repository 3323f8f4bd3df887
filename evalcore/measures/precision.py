"""Measures of binary relevance: P, R, Rprec, AP, RR, Bpref, infAP. They agree with trec_eval.

A document is relevant if its gain is above 0; an unassessed document is not. R(t) is the number of relevant
assessed documents of a topic. Shapes: P pool rows, S systems, T topics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.measures.base import EARN_NOTHING, LEFT_OUT, GainMeasure
from evalcore.measures.dcg import CUTOFF, DiscountedSum
from evalcore.measures.parts.discounts import Flat, Mass
from evalcore.measures.parts.gains import Gain, rel_parameter, relevant
from evalcore.measures.parts.hits import Hits, assessed, condensed, relevant_count
from evalcore.measures.parts.reading import Ranks
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings


@dataclass(frozen=True)
class Binary(GainMeasure, abstract=True):
    """A measure of binary relevance: a document is relevant if its grade is at least `rel`; by default, above 0.

    A scale can change the default (see `Scale`).
    """

    rel: float | None = rel_parameter()
    aspect: str = parameter("relevance", "the aspect to read")

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: relevant(self.rel)}

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self.score_hits(Hits.of(gains, rankings, self.depth), relevant_count(gains, pool))

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        """Return (S, T) scores, from relevant hits down to the cut-off and (T,) numbers of relevant documents."""
        raise NotImplementedError


@dataclass(frozen=True)
class Condensable(Binary, abstract=True):
    """A binary measure that can skip unassessed documents."""

    judged_only: bool = parameter(False, "leave unassessed documents out of the rankings")

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        return super().score_gains(gains, pool, self.listed(pool, rankings))

    @property
    def unassessed(self) -> str:
        return LEFT_OUT if self.judged_only else EARN_NOTHING

    def listed(self, pool: Assessments, rankings: Rankings) -> Rankings:
        """Return the rankings to score; with `judged_only`, without their unassessed documents."""
        return condensed(rankings, assessed(pool, self.aspect)) if self.judged_only else rankings


@dataclass(frozen=True)
class P(Condensable, DiscountedSum, also=("Precision",)):
    """Precision at a cut-off K: (1 / K) * sum over ranks k = 1 ... K of r(k) (van Rijsbergen 1979).

    Missing ranks of a ranking shorter than K count as not relevant.

    >>> P(cutoff=4).of([1, 0, 1, 0])
    0.5
    """

    cutoff: int = parameter(10, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "van Rijsbergen 1979"
    discount = Flat()
    normaliser = Mass()

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        return DiscountedSum.score_gains(self, (gains > 0).astype(float), pool, self.listed(pool, rankings))


@dataclass(frozen=True)
class R(Condensable, also=("Recall",)):
    """Recall at a cut-off K: (1 / R) * sum over ranks k = 1 ... K of r(k) (van Rijsbergen 1979).

    R counts the relevant documents that were assessed, retrieved or not.

    >>> R(cutoff=2).of([1, 0, 1, 0])
    0.5
    """

    cutoff: int = parameter(100, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "van Rijsbergen 1979"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return divided(hits.total(1), relevant)

    def latex_of(self, gain: str) -> str:
        return rf"\frac{{1}}{{R}} \sum_{{k=1}}^{{{self.cutoff}}} {gain}"


@dataclass(frozen=True)
class Rprec(Condensable, also=("RPrec",)):
    """R-precision: precision at rank R, the number of relevant documents (Buckley & Voorhees 2005).

    With `multiple` m, it is precision at rank floor(m * R + 0.9), as in trec_eval's Rprec_mult.

    >>> Rprec().of([1, 0, 1, 0])
    0.5
    """

    multiple: float = parameter(1.0, "the rank, in multiples of R", within=Range(0, 100, open_low=True))
    reference: ClassVar[str] = "Buckley & Voorhees 2005"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        last = np.floor(self.multiple * relevant + 0.9)
        return divided(hits.total(hits.rank <= last[hits.topic]), last)

    def latex_of(self, gain: str) -> str:
        last = "R" if self.multiple == 1 else f"{self.multiple:g} R"
        return rf"\frac{{1}}{{{last}}} \sum_{{k=1}}^{{{last}}} {gain}"


@dataclass(frozen=True)
class AP(Condensable, also=("MAP",)):
    """Average precision: (1 / R) * sum over ranks k of r(k) * P@k (Harman 1992).

    R is the divisor even with a cut-off K, as in trec_eval; with `per="min(R, K)"` the divisor is the highest
    possible number of relevant documents down to the cut-off. The mean over topics is MAP.

    >>> AP().of([0, 1, 0, 1])
    0.5
    >>> AP(cutoff=1).of([1, 1]), AP(cutoff=1, per="min(R, K)").of([1, 1])
    (0.5, 1.0)
    """

    per: str = parameter("R", "divisor of the sum", choices=("R", "min(R, K)"))
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Harman 1992"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        most = relevant if self.per == "R" else np.minimum(relevant, self.cutoff or np.inf)
        return divided(hits.total(hits.nth / hits.rank), most)

    def continuation(self, ranks: Ranks) -> FloatArray:
        """Return the sum of r(j) / j over ranks j > k, divided by the same sum over j >= k (Moffat et al. 2017).

        Such readers know the documents further down; their expected utility is AP if R counts only retrieved documents.
        """
        shares = np.where(ranks.rank <= (self.depth or np.inf), (ranks.gain > 0) / ranks.rank, 0.0)
        rest = np.cumsum(shares[..., ::-1], axis=-1)[..., ::-1]
        return divided(np.concatenate([rest[..., 1:], np.zeros((*rest.shape[:-1], 1))], axis=-1), rest)

    def latex_of(self, gain: str) -> str:
        last = "K" if self.cutoff is None else self.cutoff
        most = "R" if self.per == "R" else rf"\min(R, {last})"
        return (
            rf"\frac{{1}}{{{most}}} \sum_{{k=1}}^{{{last}}} r_k \cdot \frac{{1}}{{k}} \sum_{{j=1}}^{{k}} r_j"
            rf",\quad r_k = {above_zero(gain)}"
        )


@dataclass(frozen=True)
class RR(Condensable, also=("MRR",)):
    """Reciprocal rank: 1 / the rank of the first relevant document (Kantor & Voorhees 2000).

    >>> RR().of([0, 1, 1])
    0.5
    """

    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Kantor & Voorhees 2000"

    def score_hits(self, hits: Hits, relevant: FloatArray) -> FloatArray:
        return hits.total(hits.first / hits.rank)

    def continuation(self, ranks: Ranks) -> FloatArray:
        """Return 1 before the first relevant document and before the cut-off, else 0."""
        return np.asarray((ranks.gained <= 0) & self.above_cutoff(ranks), dtype=float)

    def latex_of(self, gain: str) -> str:
        last = "" if self.cutoff is None else rf"\,\le\,{self.cutoff}"
        return rf"\max_{{k{last}}}\ \frac{{1}}{{k}} \cdot {above_zero(gain)}"


@dataclass(frozen=True)
class Bpref(Binary, also=("BPref",)):
    """Binary preference: 1 - the share of non-relevant documents above a relevant one, averaged over relevant ones.

    (1 / R) * sum over retrieved relevant documents of 1 - min(n, R) / min(N, R), where n of the topic's N assessed
    non-relevant documents are ranked above it (Buckley & Voorhees 2004, as trec_eval computes it since version 8).
    Unassessed documents are skipped, including those with a grade below 0.

    >>> Bpref().of([1, 0, 1, 0])
    0.75
    """

    reference: ClassVar[str] = "Buckley & Voorhees 2004"

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        hits, relevant = Hits.of(gains, rankings), relevant_count(gains, pool)
        worthless = self._worthless(gains, pool)
        known = np.bincount(pool.topic, worthless, minlength=len(relevant))
        above = np.minimum(_above(hits, worthless, rankings), relevant[hits.topic])
        # If min(N, R) is 0, so is `above`.
        share = above / np.maximum(np.minimum(known, relevant), 1)[hits.topic]
        return divided(hits.total(1 - share), relevant)

    @property
    def unassessed(self) -> str:
        return "are skipped"

    def _worthless(self, gains: FloatArray, pool: Assessments) -> BoolArray:
        return assessed(pool, self.aspect) & (gains <= 0)

    def latex_of(self, gain: str) -> str:
        return (
            r"\frac{1}{R} \sum_{k} r_k \cdot \left(1 - \frac{\min(n_k, R)}{\min(N, R)}\right)"
            rf",\quad r_k = {above_zero(gain)}"
        )


@dataclass(frozen=True)
class infAP(Condensable, also=("InfAP",)):
    """Inferred average precision: the expected AP if only a sample of the pool was judged.

    (1 / R) * sum over retrieved relevant documents of (1 / k) * (1 + p * (r + e) / (r + n + 2 e)), where p documents
    above rank k are in the pool, r of them are judged relevant and n not relevant, and e = 0.00001 (Yilmaz & Aslam
    2006, section 3.3, as trec_eval computes it). A grade below 0 marks a document in the pool that was not judged.

    >>> round(infAP().of([1, 0, 1]), 4), round(infAP().of([1, -1, 1]), 4)  # unjudged: expected gain
    (0.8333, 1.0)
    """

    reference: ClassVar[str] = "Yilmaz & Aslam 2006"
    smoothing: ClassVar[float] = 1e-5

    @property
    def unassessed(self) -> str:
        return LEFT_OUT if self.judged_only else "gain nothing outside the pool, and their expected gain inside it"

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        rankings, known = self.listed(pool, rankings), assessed(pool, self.aspect)
        hits = Hits.of(gains, rankings)
        found, others = hits.nth - 1, _above(hits, known & (gains <= 0), rankings)
        pooled = _above(hits, known | _unjudged(pool, self.aspect), rankings)
        share = (found + self.smoothing) / (found + others + 2 * self.smoothing)
        return divided(hits.total((1 + pooled * share) / hits.rank), relevant_count(gains, pool))

    def latex_of(self, gain: str) -> str:
        return (
            r"\frac{1}{R} \sum_{k} r_k \cdot \frac{1}{k} \left(1 + p_k \cdot "
            r"\frac{\sum_{j<k} r_j + \varepsilon}{\sum_{j<k} r_j + n_k + 2\varepsilon}\right)"
            rf",\quad r_k = {above_zero(gain)}"
        )


def _unjudged(pool: Assessments, aspect: str) -> BoolArray:
    """Mark the (P,) documents whose grade on an aspect means "in the pool, but not judged"."""
    own = pool.named(aspect)
    names = pool.aspects if pool.find(aspect) is None else (own,)
    labelled = [~np.isnan(pool.columns[name]) & np.isnan(pool.column(name)) for name in names if name in pool.columns]
    return np.asarray(np.any(labelled, axis=0)) if labelled else np.zeros(len(pool), dtype=bool)


def above_zero(gain: str) -> str:
    """Write [gain > 0] as LaTeX; a gain that already is a condition stays unchanged."""
    is_condition = gain.startswith(r"\left[") and r"\cdot" not in gain
    return gain if is_condition else rf"\left[\, {gain} > 0 \,\right]"


def _above(hits: Hits, counted: BoolArray, rankings: Rankings) -> IntArray:
    """Return the (N,) numbers of counted documents above each hit in its line."""
    so_far: IntArray = np.append(0, np.cumsum(counted[rankings.row]))
    return so_far[hits.at] - so_far[rankings.indptr[hits.line]]
