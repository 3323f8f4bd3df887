"""Logarithms of scores, whose mean orders systems as the geometric mean does. Shapes: S systems, T topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.common.constants import LEAST_OF_LOGARITHMS
from evalcore.measures.base import Around, HasPoolAndRankings, Measure
from evalcore.measures.precision import AP
from evalcore.notation.formula import name_latex, number
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings, Scale


@dataclass(frozen=True)
class Log(Around, also=("GMAP",)):
    """The natural logarithm of a measure's score, ln max(M, least): low scores weigh most (Robertson 2006).

    exp of the mean logarithm over topics is the geometric mean of the scores, so both means order systems equally.
    Log(AP) is trec_eval's gm_map of a topic, Log(Bpref) its gm_bpref. `least` keeps a single 0 from deciding the mean.

    >>> from math import exp
    >>> scores = [Log(AP()).of([0, 1]), Log(AP()).of([0, 0])]  # AP is 0.5 and 0
    >>> round(exp(sum(scores) / 2), 6) == round((0.5 * 0.00001) ** 0.5, 6)
    True
    """

    measure: Measure = parameter(AP(), "the measure", positional=True)
    least: float = parameter(LEAST_OF_LOGARITHMS, "lower scores count as this value", within=Range(0, 1, open_low=True))
    reference: ClassVar[str] = "Robertson 2006"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        low, high = (log(max(end, self.least)) for end in self.measure.bounds)
        return low, high

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self._logarithms(self.measure.scores(pool, rankings))

    def scores_on(self, collection: HasPoolAndRankings) -> FloatArray:
        return self._logarithms(self.measure.scores_on(collection))

    def _logarithms(self, scores: FloatArray) -> FloatArray:
        return np.asarray(np.log(np.maximum(scores, self.least)))  # nan stays

    def of_one_aspect(self) -> Measure | None:
        alone = self.measure.of_one_aspect()
        return alone and self.with_(measure=alone)

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        inside = name_latex(str(self.measure))
        return rf"{name_latex('Log')} = \ln \max({inside}, {number(self.least)})"
