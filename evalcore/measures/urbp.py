"""Understandability-biased RBP (Zuccon 2016): combine labels, then score.

Each variant multiplies the gain of relevance by a gain of understandability, u(k), and scores the product as RBP does,
(1 - rho) * sum over ranks k of rho^(k - 1) r(k) u(k), down to the cut-off if there is one (K of Eqs. 4 and 6).
The column of u may be any aspect or signal: grades by an assessor, or a readability score such as FOG.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.measures.aggregates import MM
from evalcore.measures.base import Measure
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.gains import UNIT, Arctan, Gain, Step, Table, rel_parameter, relevant
from evalcore.measures.rbp import RBP, RankBiased, rho_parameter
from evalcore.notation.formula import name_latex
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Rankings, Scale

UNDERSTANDABILITY = "understandability"


@dataclass(frozen=True)
class UnderstandabilityBiased(RankBiased, abstract=True):
    """RBP whose gain is r(k) * u(k)."""

    aspect: str = parameter(UNDERSTANDABILITY, "the aspect or signal of understandability u")
    relevance: str = parameter("relevance", "the aspect of topical relevance")
    rel: float | None = rel_parameter()
    reference: ClassVar[str] = "Zuccon 2016"

    def gain_functions(self) -> Mapping[str, Gain]:
        if self.aspect == self.relevance:
            raise InputError(f"expected two different columns, found {self.aspect!r} twice", str(self))
        return {self.relevance: relevant(self.rel), self.aspect: self.understandability()}

    def meant_of(self, pool: Assessments) -> Measure:
        """Return the measure, on another aspect if the pool lacks its default aspect, understandability.

        The other aspect is the only one besides relevance. Raises InputError if there are several.
        """
        others = [name for name in pool.aspects if name not in (pool.leading, self.relevance)]
        if self.aspect != UNDERSTANDABILITY or self.aspect in pool.scales or not others:
            return self
        if len(others) > 1:
            listed = " or ".join(f'aspect="{name}"' for name in others)
            raise InputError(f"choose the aspect to read besides relevance: {listed}", str(self))
        return self.with_(aspect=others[0])

    def understandability(self) -> Gain:
        """Return u, the gain function of understandability."""
        raise NotImplementedError

    def of_one_aspect(self) -> Measure:
        return RBP(rho=self.rho, rel=self.rel, aspect=self.relevance, cutoff=self.depth)


@dataclass(frozen=True)
class uRBP(UnderstandabilityBiased):
    """Binary uRBP: u(k) is 1 on the good side of `threshold`, else 0 (Zuccon 2016, Eq. 4).

    The default threshold is the declared one; without it, the upper half of the grades is good (2 and 3 of 0 to 3).

    >>> uRBP(rho=0.5).of([1, 1, 1], [3, 1, 2])
    0.625
    """

    threshold: float | None = parameter(None, "threshold between bad and good values", role="border")
    cutoff: int | None = parameter(None, "deepest rank that counts (K of Eq. 4)", within=CUTOFF)

    def understandability(self) -> Gain:
        return Step(at=self.threshold)


@dataclass(frozen=True)
class uRBPgr(UnderstandabilityBiased):
    """Graded uRBP: u(k) is a gain for each grade, worst to best (Zuccon 2016, section 4.1).

    >>> uRBPgr(rho=0.5).of([1, 0, 1], [1, 3, 3])
    0.325
    """

    gains: tuple[float, ...] = parameter((0.0, 0.4, 0.8, 1.0), "one gain per grade, worst to best", within=UNIT)
    cutoff: int | None = parameter(None, "deepest rank that counts (K of Eq. 4)", within=CUTOFF)

    def understandability(self) -> Gain:
        return Table(gains=self.gains)

    def assumed_scale(self, name: str, values: FloatArray) -> Scale:
        if name != self.aspect:
            return super().assumed_scale(name, values)
        return Scale(name, grades=tuple(np.arange(len(self.gains), dtype=float).tolist()))


@dataclass(frozen=True)
class _Readability(UnderstandabilityBiased, abstract=True):
    """uRBP with a readability signal as u; without a collection, low values are easy to read."""

    aspect: str = parameter("fog", "the readability signal (or aspect) of understandability u")
    threshold: float = parameter(
        15.0,
        "threshold of readability; a page is understood below it (if high values are good: at or above it)",
        shown=True,
        role="border",
    )
    cutoff: int | None = parameter(None, "deepest rank that counts (K of Eq. 6)", within=CUTOFF)

    def assumed_scale(self, name: str, values: FloatArray) -> Scale:
        return Scale(name, kind="signal", good="low") if name == self.aspect else super().assumed_scale(name, values)


@dataclass(frozen=True)
class uRBP1(_Readability):
    """uRBP with a step: u(k) is 1 if the readability is below the threshold, else 0 (Zuccon 2016, Eq. 6).

    Values equal to the threshold get 0 (erratum of Zuccon 2016, section 5.2). If high values are good, u(k) is 1 at
    the threshold and above it.

    >>> uRBP1(rho=0.5, threshold=10).of([1, 1], [9.9, 10])
    0.5
    """

    def understandability(self) -> Gain:
        return Step(at=self.threshold)


@dataclass(frozen=True)
class uRBP2(_Readability):
    """uRBP with a smooth step: u(k) = 1/2 - arctan(readability - threshold) / pi (Zuccon 2016, Eq. 7).

    If high values are good, the sign is reversed.

    >>> uRBP2(rho=0.5, threshold=10).of([1], [10])
    0.25
    """

    def understandability(self) -> Gain:
        return Arctan(at=self.threshold)


@dataclass(frozen=True)
class HRBP(Measure, also=("H_RBP",)):
    """The harmonic mean of RBP of relevance and of RBP of understandability (Palotti, Zuccon & Hanbury 2018, H_RBP).

    2 / (1 / RBP_r + 1 / RBP_u), and 0 if either is 0. Each RBP reads only its own labels: unlike in uRBP, an easy
    document that is not relevant counts for RBP_u. u(k) is 1 on the good side of `threshold` (U in the paper), as in
    uRBP.

    >>> HRBP(rho=0.5, threshold=2).of([1, 0, 1], [0, 2, 3])  # RBP_r 0.625, RBP_u 0.375
    0.46875
    """

    rho: float = rho_parameter()
    threshold: float | None = parameter(None, "threshold between bad and good values (U)", role="border")
    aspect: str = parameter(UNDERSTANDABILITY, "the aspect or signal of understandability u")
    relevance: str = parameter("relevance", "the aspect of topical relevance")
    rel: float | None = rel_parameter()
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    reference: ClassVar[str] = "Palotti, Zuccon & Hanbury 2018"

    def gain_functions(self) -> Mapping[str, Gain]:
        """Map each column to its gain function; each column is scored separately."""
        return {self.relevance: relevant(self.rel), self.aspect: Step(at=self.threshold)}

    @property
    def columns(self) -> tuple[str, ...]:
        return self.relevance, self.aspect

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        gains = [gain.of(pool.column(name), pool.scale(name)) for name, gain in self.gain_functions().items()]
        rbp = self.of_one_aspect()
        return MM.combine(np.array([rbp.score_gains(gain, pool, rankings) for gain in gains]), np.array([0.5, 0.5]))

    def of_one_aspect(self) -> RBP:
        return RBP(rho=self.rho, rel=self.rel, aspect=self.relevance, cutoff=self.cutoff)

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        both = [
            self.of_one_aspect().latex_of(gain.latex(f"{name_latex(name)}_k", self._scale(name, scales)))
            for name, gain in self.gain_functions().items()
        ]
        below = " + ".join(rf"\left({text}\right)^{{-1}}" for text in both)
        return rf"{name_latex('HRBP')} = 2 \Big/ \left[{below}\right]"
