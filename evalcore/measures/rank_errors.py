"""Measures that compare a ranking with its own documents in better order: NLRE, NGRE, nWCS (Lioma et al. 2017).

n is the cut-off or, where that is less, the length of the list. A document of the top n without a label has the worst
one. Since nothing but the top n is looked at, all three are blind to what was not retrieved: a list with nothing
relevant and nothing credible is in the best order it can have, and scores 1 (Maistro et al. 2021, section 2). Only nWCS
can also be compared with the best order of all assessed documents. An empty list scores 0. Shapes: A aspects, L lines
(one per system and topic), n the most documents of a line, P pool rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.errors import InputError
from evalcore.measures.base import Measure, OfAspects
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.discounts import Logarithmic
from evalcore.measures.parts.gains import Grade
from evalcore.measures.parts.hits import ideal_gains, weighed
from evalcore.measures.tuple_orders import label_places
from evalcore.notation.formula import name_latex, number
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings, Scale

WEIGHT = Range(0, 1000, step=0.1)
DISCOUNT = Logarithmic()


@dataclass(frozen=True)
class Reranked(OfAspects, Measure, abstract=True):
    """A measure of a reranked list: some aspects, a weight for each, and a depth."""

    without_collection: ClassVar[tuple[str, ...]] = ("relevance", "credibility")

    aspects: tuple[str, ...] = parameter((), "the aspects to combine; none named: all of the collection")
    weights: tuple[float, ...] = parameter(
        (), "weight of each aspect; none: 1 / their number", within=WEIGHT, role="weight"
    )
    cutoff: int = parameter(10, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Lioma, Simonsen & Larsen 2017"

    @property
    def unassessed(self) -> str:
        return "count as having the worst"

    @property
    def shares(self) -> FloatArray:
        """(A,) weights as given, or equal ones that sum to 1. Raises InputError for too few, too many, none above 0."""
        count = len(self.names)
        weights = np.asarray(self.weights or (1 / max(count, 1),) * count, dtype=float)
        if len(weights) != count:
            raise InputError(f"expected a weight for each of {count} aspects, found {len(weights)}", str(self))
        if not weights.any():
            raise InputError("expected at least one weight above 0, found none", str(self))
        return weights

    def written_out(self, pool: Assessments | None = None) -> dict[str, Any]:
        return {} if self.weights else {"weights": tuple(self.shares.tolist())}

    def lengths(self, rankings: Rankings) -> IntArray:
        """(S, T) n."""
        return np.minimum(rankings.length, self.cutoff)

    def _shares_latex(self, total: float = 1.0) -> list[str]:
        return [number(round(float(share), 4)) for share in self.shares / total]

    def _n_latex(self) -> str:
        return rf"n = \min\left({self.cutoff}, \text{{length}}\right)"


@dataclass(frozen=True)
class RankErrors(Reranked, abstract=True):
    """1 - the error of a ranking / the largest error of n documents.

    The ideal ranking of an aspect holds the top n by label, best first; equal ones stand as the ranking has them, so
    that a ranking in a best order has error 0. e_a(k) = max(0, p_a(k) - p_a(k + 1)), where p_a(k) is the place of the
    document at rank k in the ideal ranking of aspect a: how far a document should have stood below the next one.

    The error is largest where on every aspect the worst document stands first, the best second, then the second worst
    and the second best, and so on: e_a(k) = n - k at odd ranks k, 0 at even ones.
    """

    def error(self, steps: FloatArray) -> FloatArray:
        """(L,) errors of (A, L, n - 1) values of e."""
        raise NotImplementedError

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        length = self.lengths(rankings)
        deepest = int(length.max(initial=0))
        labels = [label_places(pool.column(name), pool.scale(name)) for name in self.names]
        steps = [_steps_down(_tops(label.astype(float), 0.0, -1.0, length, rankings)) for label in labels]
        errors = self.error(np.array(steps)).reshape(length.shape)
        worst = self.error(np.array([_largest_steps(deepest)] * len(self.names)))
        return np.where(length > 0, 1 - divided(errors, worst[length]), 0.0)

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        names = [name_latex(name) for name in self.names]
        error = self._error_latex("k=1", [rf"e^{{{name}}}_k" for name in names])
        largest = self._error_latex(r"k=1,3,\ldots", [r"\left(n - k\right)"] * len(names))
        return (
            rf"{name_latex(type(self).__name__)} = 1 - \frac{{1}}{{C_n}} \left[{error}\right],\quad "
            rf"e^a_k = \max\left(0, p^a_k - p^a_{{k+1}}\right),\quad C_n = {largest},\quad {self._n_latex()}"
        )

    def _error_latex(self, first: str, steps: Sequence[str]) -> str:
        """The error as LaTeX, from the e of each aspect, summed from `first` on."""
        raise NotImplementedError


@dataclass(frozen=True)
class NLRE(RankErrors):
    """Normalised local rank error (Lioma et al. 2017): 1 - LRE / C_n, where every pair of neighbours errs for itself.

    LRE = sum over ranks k = 1 ... n - 1 of (product of (w_a + e_a(k)) - product of w_a) / log2(1 + k). Weights are used
    as given: the lower they are, the more an error on several aspects at once counts against errors on one alone. With
    weight 0 an aspect still counts, and without an error on it no other error is seen.

    C_n is LRE with e_a(k) = n - k at k = 1, 3, 5, ... For two aspects that is the paper's, whose 1 + log2(1 + j) is
    log2(1 + k) at k = 2 j + 1. The authors' Python leaves out its last term, and the constant of trec_eval as extended
    for three aspects is too small as well: their scores may fall below 0.

    >>> NLRE(weights=[0.5, 0.5]).of([0, 1], [1, 1])  # 1 - (1.5 * 0.5 - 0.25) / (1.5 * 1.5 - 0.25)
    0.75
    """

    def error(self, steps: FloatArray) -> FloatArray:
        # product of (w + e) - product of w, aspect by aspect: exactly 0 if every e is.
        excess, base = np.zeros(steps.shape[1:]), 1.0
        for weight, step in zip(self.shares.tolist(), steps, strict=True):
            excess = excess * (weight + step) + base * step
            base *= weight
        return weighed(excess, DISCOUNT.of(steps.shape[-1]))

    def _error_latex(self, first: str, steps: Sequence[str]) -> str:
        shares = self._shares_latex()
        product = " ".join(rf"\left({share} + {step}\right)" for share, step in zip(shares, steps, strict=True))
        base = r" \cdot ".join(shares)
        return rf"\sum_{{{first}}}^{{n-1}} {DISCOUNT.latex()} \cdot \left({product} - {base}\right)"


@dataclass(frozen=True)
class NGRE(RankErrors):
    """Normalised global rank error (Lioma et al. 2017): 1 - GRE / C_n, where each aspect's errors are summed first.

    GRE = product over aspects of (1 + w_a * sum over ranks k = 1 ... n - 1 of e_a(k) / log2(1 + k)) - 1. Weights are
    used as given; weight 0 leaves an aspect out. C_n is GRE with e_a(k) = n - k at k = 1, 3, 5, ...

    >>> NGRE(weights=[0.5, 0.5]).of([0, 1], [1, 1])  # 1 - (1.5 * 1 - 1) / (1.5 * 1.5 - 1)
    0.6
    """

    def error(self, steps: FloatArray) -> FloatArray:
        sums = weighed(steps, DISCOUNT.of(steps.shape[-1]))
        product: FloatArray = np.prod(1 + self.shares[:, None] * sums, axis=0)
        return product - 1

    def _error_latex(self, first: str, steps: Sequence[str]) -> str:
        summed = rf"\sum_{{{first}}}^{{n-1}} {DISCOUNT.latex()} \cdot"
        parts = zip(self._shares_latex(), steps, strict=True)
        return " ".join(rf"\left(1 + {share} {summed} {step}\right)" for share, step in parts) + " - 1"


@dataclass(frozen=True)
class nWCS(Reranked, also=("NWCS",)):
    """Normalised weighted cumulative score (Lioma et al. 2017): WCS / WCS of the ideal ranking of n documents.

    WCS = sum over ranks k = 1 ... n of z(k) / log2(1 + k), where z is the sum over aspects of w_a * grade (where low is
    good, the highest grade less the grade). Only ratios of weights count.

    The ideal ranking holds the same documents in their best order. If z is 0 throughout, any order is the best and
    scores 1, as it does on a scale that begins at 1. With `ideal="assessed"` it holds the best n of all assessed
    documents, retrieved or not; where z is 0 throughout, the score is 0. That is what trec_eval as extended for two and
    three aspects computes, on scales that begin at 0 and without a cut-off.

    >>> nWCS(weights=[3, 1]).of([0, 0, 1], [0, 0, 1])
    0.5
    """

    ideal: str = parameter(
        "retrieved",
        "documents of the ideal ranking: the top n itself, or all assessed ones",
        choices=("retrieved", "assessed"),
    )

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        length = self.lengths(rankings)
        worths, unassessed = self.document_worths(pool)
        table = _tops(worths, unassessed, 0.0, length, rankings)
        discount = DISCOUNT.of(table.shape[1])
        same = self.ideal == "retrieved"
        best_first = -np.sort(-table, axis=1) if same else _best_of_all(worths, unassessed, length, pool)
        score, best = (weighed(errors, discount).reshape(length.shape) for errors in (table, best_first))
        return np.where(best > 0, divided(score, best), (length > 0) & same)

    def document_worths(self, pool: Assessments) -> tuple[FloatArray, float]:
        """(P,) z of every assessed document, and z of one that nobody assessed: of the worst grades."""
        worths, unassessed = np.zeros(len(pool)), 0.0
        for share, name in zip(self.shares.tolist(), self.names, strict=True):
            values, scale = pool.column(name), pool.scale(name)
            worst = scale.low if scale.good == "high" else scale.high
            gains = Grade().of(np.append(np.where(np.isnan(values), worst, values), worst), scale)
            worths, unassessed = worths + share * gains[:-1], unassessed + share * float(gains[-1])
        return worths, unassessed

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        parts = zip(self._shares_latex(float(self.shares.sum())), self.names, strict=True)
        grade = Grade()
        worth = " + ".join(
            rf"{share} \cdot {grade.latex(f'{name_latex(name)}_k', self._scale(name, scales))}" for share, name in parts
        )
        above, below = (rf"\sum_{{k=1}}^{{n}} {DISCOUNT.latex()} \cdot {z}" for z in ("z_k", r"z_{\left(k\right)}"))
        among = "" if self.ideal == "retrieved" else r"\text{ of all assessed documents}"
        return (
            rf"{name_latex(type(self).__name__)} = \frac{{{above}}}{{{below}}},\quad z_k = {worth},\quad "
            rf"z_{{\left(1\right)}} \ge z_{{\left(2\right)}} \ge \ldots{among},\quad {self._n_latex()}"
        )


def _best_of_all(worths: FloatArray, unassessed: float, length: IntArray, pool: Assessments) -> FloatArray:
    """(L, n) the worths of each topic's n best assessed documents; where there are fewer, then unassessed ones."""
    deepest = int(length.max(initial=0))
    best = np.full((len(pool.topics), deepest), unassessed)
    known = ideal_gains(worths, pool)[:, :deepest]
    best[:, : known.shape[1]] = np.maximum(known, unassessed)  # nothing is worth less than an unassessed document
    within = np.arange(1, deepest + 1) <= length[:, :, None]
    return np.where(within, best, 0.0).reshape(length.size, deepest)


def _tops(values: FloatArray, unassessed: float, beyond: float, length: IntArray, rankings: Rankings) -> FloatArray:
    """(L, n) the value at each rank, from one per pool row; `beyond` the n of a line."""
    ranks = np.arange(1, int(length.max(initial=0)) + 1)
    table = np.where(ranks <= length.reshape(-1, 1), unassessed, beyond)
    hits = rankings.rank <= len(ranks)
    table[rankings.hit_row[hits], rankings.rank[hits] - 1] = values[rankings.row[hits]]
    return table


def _steps_down(labels: FloatArray) -> FloatArray:
    """(L, n - 1) e of each rank but the last, from labels (L, n).

    >>> _steps_down(np.array([[0.0, 0.0, 2.0, 1.0]]))  # in the ideal ranking at 3, 4, 1, 2
    array([[0., 3., 0.]])
    """
    order = np.argsort(-labels, axis=1, kind="stable")
    ideal = np.empty(labels.shape)
    np.put_along_axis(ideal, order, np.broadcast_to(np.arange(labels.shape[1], dtype=float), labels.shape), axis=1)
    return np.maximum(ideal[:, :-1] - ideal[:, 1:], 0.0)


def _largest_steps(deepest: int) -> FloatArray:
    """(deepest + 1, deepest - 1) e of each rank of the worst ranking of n = 0, 1, 2, ... documents.

    >>> _largest_steps(4)[4]
    array([3., 0., 1.])
    """
    n, k = np.arange(deepest + 1)[:, None], np.arange(1, max(deepest, 1))
    return np.where(k % 2 == 1, np.maximum(n - k, 0), 0).astype(float)
