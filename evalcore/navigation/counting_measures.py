"""Related measures with the same user models (section 7): EPRUM, PRUM and the expected ratio of relevant units.

They count relevant units: every relevant component gains 1 and every rank costs 1. T2I, tolerance to irrelevance, is
a user model rather than a formula: use the navigation model `ReadOn` with any of these measures.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import IntArray
from evalcore.common.rounding import ceiling
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.gains import rel_parameter, relevant
from evalcore.navigation.cumulated_gain import below, chance_below
from evalcore.navigation.effort_precision import SHARE, Navigated, share_seen
from evalcore.navigation.ideals import expected_effort, ideal_curve, inverse_effort
from evalcore.navigation.topic_graphs import TopicGraph, Traversal, UserModel, traverse
from evalcore.navigation.worth import Effort
from evalcore.notation.formula import number
from evalcore.notation.values import Range, parameter

UNITS = Range(1, 1_000_000, step=1)


@dataclass(frozen=True)
class Counting(Navigated, abstract=True):
    """A measure that counts relevant units and ranks."""

    rel: float | None = rel_parameter()

    @property
    def users(self) -> UserModel:
        return UserModel(relevant(self.rel), self.navigation, Effort(), self.aspect)


@dataclass(frozen=True)
class ExpectedRatio(Counting, also=("ExpectedRatioOfRelevantUnits",)):
    """Expected ratio of relevant units at a rank k: E[N_R | N = k] / E[N_R | N = |E|] (Piwowarski & Gallinari 2004).

    The expected number of relevant components seen from the first k results, divided by the number of all relevant
    components. The paper calls it ERR, which stands for expected reciprocal rank here.

    >>> ExpectedRatio(cutoff=2).of([1, 0, 1])
    0.5
    """

    cutoff: int = parameter(10, "the rank k", within=CUTOFF)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reference: ClassVar[str] = "Piwowarski & Gallinari 2004"

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        return share_seen(traverse(graph, ranking, self.cutoff), graph)

    def _score_latex(self) -> str:
        return rf"\frac{{1}}{{\sum_c g[c]}} \sum_{{c}} g[c] \cdot P(c \in S_{{{self.cutoff}}})"

    def _where_latex(self) -> Iterator[str]:
        yield r"P(c \in S_k) = 1 - \prod_{j=1}^{k} \left(1 - P(j \leadsto c)\right)"


@dataclass(frozen=True)
class AtCount(Counting, abstract=True):
    """A measure at a number of relevant units that users want to see."""

    recall: float = parameter(
        0.5, "recall level: share of the relevant units to find (their number is rounded up)", within=SHARE
    )
    units: int | None = parameter(None, "number of relevant units to find, instead of a share", within=UNITS)

    def wanted(self, graph: TopicGraph) -> float:
        """Return l, the number of relevant units wanted."""
        return ceiling(self.recall * graph.total) if self.units is None else self.units

    def _where_latex(self) -> Iterator[str]:
        yield rf"l = \lceil {number(self.recall)} \cdot R \rceil" if self.units is None else f"l = {self.units}"


@dataclass(frozen=True)
class EPRUM(AtCount):
    """Expected precision at a recall level l: E[min_rank_ideal / min_rank] (Piwowarski & Dupret 2006).

    min_rank is the rank at which l relevant units are seen, in the ideal ranking and in this one. The ideal ranking is
    the better of two: the list of relevant units and a greedy list. The ratio is 0 for users who never see l units, and
    the score is 0 if the topic has fewer than l.

    >>> EPRUM(units=1).of([0, 1])
    0.5
    """

    reference: ClassVar[str] = "Piwowarski & Dupret 2006"

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        level = np.array([self.wanted(graph)])
        best = ideal_curve(graph, "effort").at(level)[0]
        return float(best * inverse_effort(traverse(graph, ranking), level)[0]) if best < math.inf else 0.0

    def _score_latex(self) -> str:
        return (
            r"\mathbb{E}\left[m_{ideal}[l]\right] \cdot "
            r"\sum_{k \ge 1} \frac{1}{k} \left(P(cg[k-1] < l) - P(cg[k] < l)\right)"
        )


@dataclass(frozen=True)
class PRUM(AtCount):
    """Precision-recall with user modelling: P(Lur | Retr, L = l) (Piwowarski, Gallinari & Dupret 2007).

    Users consult ranks until they have seen l relevant units: E[ranks with a new relevant unit] / E[ranks consulted].
    Without navigation, it is precision at that recall level. The score is 0 if some users never
    reach the level, because these users never stop consulting ranks.

    >>> PRUM(units=2).of([1, 0, 0, 1])
    0.5
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reference: ClassVar[str] = "Piwowarski, Gallinari & Dupret 2007"

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        level = float(self.wanted(graph))
        way = traverse(graph, ranking)
        consulted = expected_effort(way, np.array([level]))[0]
        return float(telling_ranks(way, level) / consulted) if consulted < math.inf else 0.0

    def _score_latex(self) -> str:
        return r"\frac{\sum_k P(cg[k-1] < l \wedge cg[k] > cg[k-1])}{\sum_k P(cg[k-1] < l)}"


def telling_ranks(way: Traversal, level: float) -> float:
    """Return the expected number of consulted ranks that show something new, until the level is reached.

    It is the sum over k of P(cg[k - 1] < level) - P(cg[k - 1] < level and nothing new at k), where nothing new means
    that each component either was seen before or is still unseen.
    """
    levels = np.array([level])
    short = np.append(1.0, below(way, levels)[:-1, 0])
    nothing_new = chance_below(way, levels, 1 - way.chance, way.earlier)[:, 0]
    return float((short - np.where(way.sure_news > 0, 0.0, nothing_new)).sum())
