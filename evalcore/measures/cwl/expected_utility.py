"""Measures of expected utility: the expected gain per rank that a reader reads."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure
from evalcore.measures.parts.gains import Gain, Share, highest_grade_parameter
from evalcore.measures.parts.reading import HORIZON, Ranks, Reading, Worth, read_totals, weighed_mean
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Rankings

AT_LEAST_0 = Range(0, math.inf, open_high=True)
POSITIVE = Range(0, math.inf, open_low=True, open_high=True)
RANKS = Range(1, 1_000_000, step=1)
READ = Range(1, 100_000, step=1)  # of readers who are followed from rank to rank


@dataclass(frozen=True)
class ExpectedUtility(GainMeasure, abstract=True):
    """Sum over ranks k of W(k) * g(k): the expected gain per rank read (Moffat et al. 2017).

    A subclass defines how likely a reader is to go on from a rank. The gain is the grade as a share of the highest.
    """

    max_rel: float | None = highest_grade_parameter()
    min_rel: float = parameter(0.0, "the highest grade with no gain")
    aspect: str = parameter("relevance", "the aspect to read")
    adapts: ClassVar[bool] = True  # whether the documents seen change what a reader does

    def gain_functions(self) -> Mapping[str, Gain]:
        return {self.aspect: Share(max=self.max_rel, min=self.min_rel)}

    @property
    def last_rank(self) -> int:
        """The rank at which every reader stops."""
        return self.depth or HORIZON

    def score_gains(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> FloatArray:
        return weighed_mean(self.totals(gains, pool, rankings))

    def totals(self, gains: FloatArray, pool: Assessments, rankings: Rankings) -> tuple[FloatArray, FloatArray]:
        """Return the expected total gain of a whole reading and the expected number of ranks read, each (S, T)."""
        check_shares(gains, self)
        worth = self.worth(gains, pool)
        if self.adapts or worth.costs is not None:
            return read_totals(self.continuation, worth, rankings, self.last_rank)
        ranks = Ranks.of(np.zeros(self.last_rank), worth.other_cost)
        survival = Reading(ranks, self.continuation(ranks)).survival
        beyond = np.zeros(max(rankings.depth - self.last_rank, 0))
        weights = np.concatenate([[0.0], survival, beyond])[rankings.rank]
        gained = (rankings.matrix(weights) @ gains).reshape(rankings.length.shape)
        return gained, np.full(rankings.length.shape, survival.sum())

    def worth(self, gains: FloatArray, pool: Assessments) -> Worth:
        """Return the gains (P,) of the documents, with their costs if the measure reads costs."""
        return Worth(gains)

    def latex_of(self, gain: str) -> str:
        return (
            rf"\sum_{{k=1}}^{{{self.last_rank}}} W(k) \cdot g_k,\quad W(k) = \frac{{\prod_{{j<k}} C(j)}}"
            rf"{{\sum_{{i}} \prod_{{j<i}} C(j)}},\quad C(k) = {self.continuation_latex()},\quad g_k = {gain}"
        )

    def continuation_latex(self) -> str:
        """Return C(k) as LaTeX, in terms of the gain g_k and of G_k, the sum of gains down to k."""
        raise NotImplementedError


@dataclass(frozen=True)
class Unbounded(ExpectedUtility, abstract=True):
    """A measure whose readers stop at a last rank, the horizon, if they have not stopped before."""

    horizon: int = parameter(HORIZON, "the last rank that any reader sees; the weights up to it sum to 1", within=RANKS)

    @property
    def last_rank(self) -> int:
        return self.horizon


@dataclass(frozen=True)
class Costly(Unbounded, abstract=True):
    """A measure whose readers react to the costs of documents: their time, or their length.

    `cost` names the aspect or signal with the cost; without it each document costs `other_cost`, as do
    documents whose cost is unknown.
    """

    horizon: int = parameter(HORIZON, "the last rank that any reader sees; the weights up to it sum to 1", within=READ)
    cost: str = parameter("", "the signal with the cost of reading a document; without it all documents cost the same")
    other_cost: float = parameter(1.0, "cost of a document whose cost is unknown", within=POSITIVE)

    def worth(self, gains: FloatArray, pool: Assessments) -> Worth:
        costs = costs_of(pool, self.cost, self.other_cost) if self.cost else None
        return Worth(gains, costs, self.other_cost)


def costs_of(pool: Assessments, column: str, other_cost: float) -> FloatArray:
    """Return the (P,) costs of documents in a column, `other_cost` if unknown. Raises InputError for a cost below 0."""
    costs = pool.column(column)
    if (least := np.nanmin(costs, initial=0.0)) < 0:
        raise InputError(f"expected costs of 0 or more, found {least:g}", column)
    return np.where(np.isnan(costs), other_cost, costs)


def check_shares(gains: FloatArray, measure: object) -> None:
    """Raise InputError for a gain above 1."""
    if (most := gains.max(initial=0.0)) > 1:
        raise InputError(f"expected gains of at most 1, found {most:g}", str(measure))
