"""Rank-biased precision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.data.structures import Assessments, Floats, Rankings
from evalcore.measures.base import GainMeasure
from evalcore.measures.discounts import INSIDE_UNIT, Geometric
from evalcore.measures.formula import Formula
from evalcore.measures.gains import Gain, Step
from evalcore.measures.values import Range, parameter

CUTOFF = Range(1, 1_000_000, step=1)


@dataclass(frozen=True)
class RankBiased(GainMeasure, abstract=True):
    """The score (1 - rho) * sum over ranks k of rho^(k - 1) * gain(k), for any gain in [0, 1]."""

    rho: float = parameter(
        0.8, "persistence: the probability that the reader goes on to the next rank", within=INSIDE_UNIT, shown=True, alias="p"
    )
    normaliser: ClassVar[Formula] = Formula("1 - rho")

    def weights(self, rankings: Rankings) -> Floats:
        """(H,) what each hit's gain counts: normaliser times discount at its rank."""
        depth = max(rankings.depth, 1)
        table = np.zeros(depth + 1)
        table[1:] = self.normaliser(rho=self.rho) * Geometric(rho=self.rho).of(depth)
        if self.depth is not None:
            table[self.depth + 1 :] = 0.0
        return table[rankings.rank]

    @property
    def depth(self) -> int | None:
        """The cut-off, if there is one."""
        return None

    def score_gains(self, gains: Floats, pool: Assessments, rankings: Rankings) -> Floats:
        return (rankings.matrix(self.weights(rankings)) @ gains).reshape(-1, rankings.n_topics)

    def residual(self, pool: Assessments, rankings: Rankings) -> Floats:
        """(S, T) how much the score could rise if every unassessed document gained 1, the tail below the ranking included.

        (1 - rho) * sum of rho^(k - 1) over the ranks whose document is not assessed (Moffat & Zobel 2008, section 3.3).
        """
        assessed = np.all([~np.isnan(pool.column(name)) for name in self.columns], axis=0)
        seen = (rankings.matrix(self.weights(rankings)) @ assessed.astype(float)).reshape(-1, rankings.n_topics)
        return (1.0 if self.depth is None else 1.0 - self.rho**self.depth) - seen

    def latex_of(self, gain: str) -> str:
        last = r"K" if self.depth is None else str(self.depth)
        front = self.normaliser.latex(rho=self.rho)
        return rf"({front}) \sum_{{k=1}}^{{{last}}} {Geometric(rho=self.rho).latex()} \cdot {gain}"


@dataclass(frozen=True)
class RBP(RankBiased):
    """Rank-biased precision: (1 - rho) * sum over ranks k of rho^(k - 1) * r(k) (Moffat & Zobel 2008; Zuccon 2016, Eq. 3).

    r(k) is 1 where the grade reaches `rel`, else 0.

    >>> RBP(rho=0.5).of([1, 0, 1])
    0.625
    """

    rel: float = parameter(1.0, "lowest grade that counts as relevant")
    aspect: str = parameter("relevance", "the aspect it reads")
    cutoff: int | None = parameter(None, "deepest rank that counts", within=CUTOFF)
    source: ClassVar[str] = "Moffat & Zobel 2008"

    @property
    def depth(self) -> int | None:
        return self.cutoff

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: Step(at=self.rel)}
