"""Discounts, the weights of gains at rank k, and normalisers, the divisors of discounted sums of gains.

(1 / N) * sum of g(k) d(k) (Zuccon 2016, Eq. 1)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.measures.parts.hits import ideal_gains, weighed
from evalcore.notation.formula import Formula
from evalcore.notation.values import Range, Value, parameter
from evalcore.structures.documents import Assessments

INSIDE_UNIT = Range(0, 1, open_low=True, open_high=True, step=0.01)


@dataclass(frozen=True)
class Discount(Value, abstract=True):
    """A discount: the weights of ranks 1 to `depth`, and the formula as LaTeX."""

    formula: ClassVar[Formula]
    per_mass: ClassVar[Formula | None] = None  # 1 / the sum over all ranks, if finite

    def of(self, depth: int) -> FloatArray:
        """Return the (depth,) weights of ranks 1, 2, ..."""
        ranks = np.arange(1, depth + 1, dtype=float)
        return np.broadcast_to(self.formula(k=ranks, **self.arguments()), ranks.shape)

    def mass(self, depth: int | None) -> float:
        """Return the sum of the weights down to `depth` (None: of all ranks). Raises InputError if it is infinite."""
        if depth is not None:
            return float(self.of(depth).sum())
        return 1 / float(self._per_mass()(**self.arguments()))

    def kept(self, rank: FloatArray) -> FloatArray:
        """Return, for each of n ranks, the weight of the next rank divided by the weight of this rank: (n,)."""
        constants = self.arguments()
        return np.asarray(self.formula(k=rank + 1, **constants) / self.formula(k=rank, **constants))

    def latex(self) -> str:
        return self.formula.latex(**self.arguments())

    def latex_per_mass(self) -> str:
        """Return 1 / the sum of the weights of all ranks, as LaTeX. Raises InputError if the sum is infinite."""
        return self._per_mass().latex(**self.arguments())

    def _per_mass(self) -> Formula:
        if self.per_mass is None:
            raise InputError("expected a cut-off, or a discount whose weights have a finite sum over ranks", str(self))
        return self.per_mass


@dataclass(frozen=True)
class Geometric(Discount):
    """rho^(k - 1): the reader goes on to the next rank with probability rho (Moffat & Zobel 2008).

    >>> Geometric(rho=0.5).of(3)
    array([1.  , 0.5 , 0.25])
    """

    rho: float = parameter(0.8, "persistence of the reader", within=INSIDE_UNIT, shown=True)
    formula: ClassVar[Formula] = Formula("rho ** (k - 1)")
    per_mass: ClassVar[Formula | None] = Formula("1 - rho")

    def kept(self, rank: FloatArray) -> FloatArray:
        return np.full(rank.shape, self.rho)  # correct even if the weights themselves underflow


@dataclass(frozen=True)
class Logarithmic(Discount):
    """1 / log2(1 + k), the discount of DCG (Järvelin & Kekäläinen 2002, as used since Burges et al. 2005).

    >>> Logarithmic().of(3)[[0, 2]]
    array([1. , 0.5])
    """

    formula: ClassVar[Formula] = Formula("1 / log2(1 + k)")


@dataclass(frozen=True)
class FromBase(Discount):
    """1 before rank b, then 1 / log_b(k): the discount of DCG as first defined (Järvelin & Kekäläinen 2002).

    >>> FromBase(b=2).of(4)[[0, 1, 3]]
    array([1. , 1. , 0.5])
    """

    b: float = parameter(2.0, "base of the logarithm", within=Range(2, math.inf, open_high=True), shown=True)
    formula: ClassVar[Formula] = Formula("minimum(1, log2(b) / log2(k + (k < 2)))")

    def latex(self) -> str:
        return rf"\frac{{1}}{{\max(1,\, \log_{{{self.b:g}}} k)}}"


@dataclass(frozen=True)
class Reciprocal(Discount):
    """1 / k (Zuccon 2016, section 3, for ERR).

    >>> Reciprocal().of(2)
    array([1. , 0.5])
    """

    formula: ClassVar[Formula] = Formula("1 / k")


@dataclass(frozen=True)
class Flat(Discount):
    """1 at every rank, as in precision at a cut-off.

    >>> Flat().of(2)
    array([1., 1.])
    """

    formula: ClassVar[Formula] = Formula("1 + 0 * k")

    def latex(self) -> str:
        return "1"


@dataclass(frozen=True)
class Normaliser(Value, abstract=True):
    """A normaliser: N, one number or one per topic, and the factor 1 / N as LaTeX."""

    def of(self, discount: Discount, depth: int | None, gains: FloatArray, pool: Assessments) -> float | FloatArray:
        """Return N for ranks 1 to `depth` (None: all) from the (P,) gains of the pool: a number, or (T,)."""
        raise NotImplementedError

    def latex(self, discount: Discount, depth: int | None) -> str:
        """Return the factor 1 / N before the sum, as LaTeX."""
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
    """N = the sum of the discounts, which a ranking with a gain of 1 at every rank would reach (P, RBP).

    The sum is over ranks down to the cut-off K, so N = K for flat weights. Without a cut-off, or with `all_ranks`, it
    is over all ranks, as in RBP at depth K: 1 / N = 1 - rho.
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
