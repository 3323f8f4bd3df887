"""Combine labels, then score: the product of one gain per aspect, read by any measure (Zuccon 2016, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import merged
from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure, Joined
from evalcore.measures.dcg import nDCG
from evalcore.measures.parts.gains import Gain, Grade, Share
from evalcore.notation.formula import name_latex, number
from evalcore.notation.values import parameter
from evalcore.structures.documents import Assessments, Scale

PRODUCT = Scale("product", grades=(0.0, 1.0))
DEFAULT_GAINS = (("relevance", Share()), ("understandability", Share()))


@dataclass(frozen=True)
class Product(Joined):
    """A measure (`base`) of the gains f(product over aspects of g_a(label)^w_a) (Zuccon 2016, Eq. 2).

    `gains` names a gain function for each aspect; `exponents` set the weight of each aspect (1 if not named; 0 leaves
    it out); `f` is applied to the product: `Exponential` gives the paper's 2^P - 1, which is not the product of the
    aspects' own 2^P - 1 (erratum of section 4.1). For measures of binary relevance a document is relevant if the
    product is above 0. Products that differ only by rounding, such as 0.5 * 0.4 and 0.2 * 1, are made equal, so
    that a measure that orders documents by them sees a tie.

    >>> Product(nDCG()).of([1, 1], [0, 1]) == nDCG().of([0, 1])
    True
    """

    base: GainMeasure = parameter(nDCG(), "the measure that reads the product", positional=True)
    gains: Mapping[str, Gain] = parameter(DEFAULT_GAINS, "the gain function of each aspect", shown=True)
    exponents: Mapping[str, float] = parameter((), "exponent of each aspect", role="weight")
    f: Gain = parameter(Grade(), "function applied to the product")
    reference: ClassVar[str] = "Zuccon 2016"
    # The base gets its gains as an argument.
    unread: ClassVar[Mapping[str, tuple[str, ...]]] = {"base": ("max", "max_rel", "rel", "gains")}

    def gain_functions(self) -> Mapping[str, Gain]:
        powers = dict(self.exponents)
        for name, power in powers.items():
            if name not in dict(self.gains) or power < 0:
                raise InputError(
                    f"expected exponents of 0 or more for {', '.join(dict(self.gains))}, found {name!r}: {power:g}"
                )
        chosen = {name: gain for name, gain in dict(self.gains).items() if powers.get(name, 1.0) > 0}
        if not chosen:
            raise InputError("expected at least one aspect with an exponent above 0, found none", str(self))
        return chosen

    def document_gains(self, pool: Assessments) -> FloatArray:
        powers, product = dict(self.exponents), np.ones(len(pool))
        for name, gain in self.gain_functions().items():
            product *= gain.of(pool.column(name), pool.scale(name)) ** powers.get(name, 1.0)
        return self.f.of(merged(product), PRODUCT)

    def written_out(self, pool: Assessments | None = None) -> dict[str, Any]:
        return {"exponents": {**dict.fromkeys(dict(self.gains), 1.0), **dict(self.exponents)}}

    def scales_of(self, part: str, pool: Assessments) -> tuple[Scale, ...]:
        return (PRODUCT,) if part == "f" else ()

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        powers = dict(self.exponents)
        factors = []
        for name, gain in self.gain_functions().items():
            factor = gain.latex(f"{name_latex(name)}_k", self._scale(name, scales))
            power = powers.get(name, 1.0)
            factors.append(factor if power == 1 else rf"\left({factor}\right)^{{{number(power)}}}")
        product = r" \cdot ".join(factors)
        inner = self.f.latex(product, PRODUCT)
        return f"{name_latex('Product')} = {self.base.latex_of(inner)}"
