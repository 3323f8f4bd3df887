"""Normalisers: what a discounted sum of gains is divided by, N in (1 / N) * sum of g(k) d(k) (Zuccon 2016, Eq. 1)."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.common.arrays import FloatArray
from evalcore.measures.parts.discounts import Discount
from evalcore.measures.parts.hits import ideal_gains, weighed
from evalcore.notation.values import Value, parameter
from evalcore.structures.documents import Assessments


@dataclass(frozen=True)
class Normaliser(Value, abstract=True):
    """What all normalisers share: N, one number or one per topic, and the factor 1 / N as LaTeX."""

    def of(self, discount: Discount, depth: int | None, gains: FloatArray, pool: Assessments) -> float | FloatArray:
        """N for ranks 1 to `depth` (None: all), given the (P,) gains of the pool: a number, or (T,)."""
        raise NotImplementedError

    def latex(self, discount: Discount, depth: int | None) -> str:
        """The factor before the sum."""
        raise NotImplementedError


@dataclass(frozen=True)
class Unnormalised(Normaliser):
    """N = 1: the sum as it is, without an upper bound (DCG)."""

    def of(self, discount: Discount, depth: int | None, gains: FloatArray, pool: Assessments) -> float | FloatArray:
        return 1.0

    def latex(self, discount: Discount, depth: int | None) -> str:
        return ""


@dataclass(frozen=True)
class Mass(Normaliser):
    """N = the sum of the discounts: what a list of nothing but gains of 1 would reach (P, RBP).

    Down to the cut-off, which an ideal list then fills: 1 / K for flat weights. Over all ranks where there is no
    cut-off, or by `all_ranks` in spite of one, as in RBP at depth K: (1 - rho).
    """

    all_ranks: bool = parameter(False, "sum over all ranks, below the cut-off too")

    def of(self, discount: Discount, depth: int | None, gains: FloatArray, pool: Assessments) -> float | FloatArray:
        return discount.mass(None if self.all_ranks else depth)

    def latex(self, discount: Discount, depth: int | None) -> str:
        if self.all_ranks or depth is None:
            return f"({discount.latex_per_mass()})"
        if discount.latex() == "1":
            return rf"\frac{{1}}{{{depth}}}"
        return rf"\frac{{1}}{{\sum_{{k=1}}^{{{depth}}} {discount.latex()}}}"


@dataclass(frozen=True)
class Ideal(Normaliser):
    """N = the same sum over the topic's assessed documents in their best order, g* (nDCG).

    The best order puts higher gains first, whether or not any system retrieved the documents.
    """

    def of(self, discount: Discount, depth: int | None, gains: FloatArray, pool: Assessments) -> float | FloatArray:
        ideal = ideal_gains(gains, pool)[:, :depth]
        return weighed(ideal, discount.of(ideal.shape[1]))

    def latex(self, discount: Discount, depth: int | None) -> str:
        last = "K" if depth is None else depth
        return rf"\frac{{1}}{{\sum_{{k=1}}^{{{last}}} {discount.latex()} \cdot g^{{*}}_k}}"
