"""Effort-precision and gain-recall with a navigation model: ECG, gr, ep, MAep, and their efforts.

Users go down a list; from each result they may go on to other components, according to the navigation model. The gains
of everything they see add up to the cumulated gain cg[i], a random variable; the effort is ce[i]. Two definitions are
approximate: components are seen independently of each other (section 5.2), and ce[i] is the expected effort of the
ranks. Everything else is exact, except P(cg[i] < gr) if gains have no common step and more than 10 components are
uncertain (see `cumulated_gain`).

Levels gr are absolute gains. If a measure uses a share x of all gain instead, the level is x * the gain of all
assessed components of the topic, retrieved or not (erratum of Eqs. 4 to 7). In a collection without links, users see
only the results. Shapes: S systems, T topics.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.progress import of_each
from evalcore.common.rounding import JUST_BELOW_ONE
from evalcore.errors import InputError
from evalcore.measures.base import Measure, where_covered
from evalcore.measures.dcg import CUTOFF
from evalcore.measures.parts.gains import Gain, Grade
from evalcore.navigation.cumulated_gain import METHODS, method_for, news
from evalcore.navigation.ideals import CURVES, IDEALS, costs, expected_effort, ideal_curve, inverse_effort
from evalcore.navigation.models import NavigationModel, Walk
from evalcore.navigation.topic_graphs import TopicGraph, Traversal, UserModel, plain_scenes, topic_graphs, traverse
from evalcore.navigation.worth import Effort, GainModel, gain_latex
from evalcore.notation.formula import name_latex, number
from evalcore.notation.values import Range, parameter
from evalcore.structures.documents import Assessments, Good, Rankings, Scale

SOURCE = "Kazai & Lalmas 2006; Piwowarski, Gallinari & Dupret 2007"
SHARE = Range(0, 1, open_low=True, step=0.05)
LEVEL = Range(0, math.inf, open_low=True, open_high=True)
CHANCES = 1 << 20  # lists x ranks x components at once


@dataclass(frozen=True)
class Navigated(Measure, abstract=True):
    """A measure for users who go on from a result to other components."""

    navigation: NavigationModel = parameter(Walk(), "model of how users go on from a result")
    aspect: str = parameter("relevance", "the aspect to read")
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    reference: ClassVar[str] = SOURCE

    @property
    def users(self) -> UserModel:
        """The user model of the measure: gains, navigation and effort."""
        raise NotImplementedError

    def scores(self, pool: Assessments, rankings: Rankings) -> FloatArray:
        return self._scored(plain_scenes(pool, rankings, self.users), len(rankings.systems))

    def covered(self, pool: Assessments) -> BoolArray:
        """Return a (T,) mask of the covered topics: all topics if gains come from a table of components."""
        return pool.covered(self.columns if isinstance(self.users.gain, Gain) else ())

    def scores_on(self, collection: Any) -> FloatArray:
        scores = self._scored(topic_graphs(collection, self.users), len(collection.rankings.systems))
        return where_covered(scores, self.covered(collection.assessments))

    def _scored(self, topics: tuple[TopicGraph, ...], systems: int) -> FloatArray:
        def column(graph: TopicGraph) -> list[float]:
            return self.scored(graph, graph.lists) if len(graph.gains) else [0.0] * len(graph.lists)

        columns = of_each(topics, column)
        return np.array(columns, dtype=float).reshape(len(topics), systems).T

    def scored(self, graph: TopicGraph, lists: Sequence[IntArray]) -> list[float]:
        """Return the scores of lists of components for a topic with gains."""
        return [self.score(graph, ranking) for ranking in lists]

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        """Return the score of one list of components on a topic."""
        raise NotImplementedError

    def latex(self, scales: Mapping[str, Scale] | None = None) -> str:
        gain = gain_latex(self.users.gain, self.aspect, self._scale(self.aspect, scales))
        formula = f"{name_latex(type(self).__name__)} = {self._score_latex()}"
        return r",\quad ".join([formula, *self._where_latex(), rf"g[c] = {gain}"])

    def _score_latex(self) -> str:
        """Return the right side of the formula as LaTeX."""
        raise NotImplementedError

    def _where_latex(self) -> Iterator[str]:
        """Yield the definitions of the symbols as LaTeX."""
        raise NotImplementedError


@dataclass(frozen=True)
class EffortAndGain(Navigated, abstract=True):
    """A measure whose effort and gain are parameters."""

    effort: Effort = parameter(Effort(), "effort of consulting a rank")
    gain: Gain | GainModel = parameter(Grade(), "gain of a component, from its grade or from the table of components")

    @property
    def users(self) -> UserModel:
        return UserModel(self.gain, self.navigation, self.effort, self.aspect)

    def _where_latex(self) -> Iterator[str]:
        yield rf"ce[k] = \sum_{{j=1}}^{{k}} e[j],\quad {self.effort.latex()}"


_EXPECTED = r"\sum_{c} g[c] \cdot P(c \in S_i)"


@dataclass(frozen=True)
class ECG(EffortAndGain):
    """Expected cumulated gain at a rank i: E[cg[i]] = sum over c of g[c] * P(c in S_i) (Eq. 8).

    >>> ECG(cutoff=2).of([1, 0, 3])
    1.0
    """

    cutoff: int = parameter(10, "the rank i", within=CUTOFF)

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        way = traverse(graph, ranking, self.cutoff)
        return float(way.expected[-1]) if len(way.rank) else 0.0

    def _score_latex(self) -> str:
        return _EXPECTED.replace("_i)", f"_{{{self.cutoff}}})")

    def _where_latex(self) -> Iterator[str]:
        yield r"P(c \in S_i) = 1 - \prod_{j=1}^{i} \left(1 - P(j \leadsto c)\right)"


def share_seen(way: Traversal, graph: TopicGraph) -> float:
    """Return E[cg] at the end of a list as a share of all gain: exactly 1 only if everything is seen for certain."""
    if not len(way.rank):
        return 0.0
    certain = int(way.sure_news.sum()) + int((way.chance[-1] == 1).sum())
    return 1.0 if certain == len(graph.gains) else min(float(way.expected[-1] / graph.total), JUST_BELOW_ONE)


@dataclass(frozen=True)
class gr(ECG, also=("GainRecall",)):
    """Expected gain-recall at a rank i: E[cg[i]] / the gain of all assessed components (Eq. 7).

    The divisor includes gain missing from the list; otherwise a poor run could have recall 1 (erratum of Eqs. 4 to 7).

    >>> gr(cutoff=2).of([1, 0, 3])
    0.25
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        return share_seen(traverse(graph, ranking, self.cutoff), graph)

    def _score_latex(self) -> str:
        return rf"\frac{{1}}{{\sum_c g[c]}} {super()._score_latex()}"


@dataclass(frozen=True)
class AtLevel(EffortAndGain, abstract=True):
    """A measure at one gain level, absolute or as a share of all gain."""

    recall: float = parameter(0.5, "gain-recall level: the share x of all gain to reach", within=SHARE)
    level: float | None = parameter(None, "gain to reach, instead of a share", within=LEVEL)
    method: str = parameter("auto", "method to compute P(cg < gr)", choices=METHODS)

    def level_of(self, graph: TopicGraph) -> FloatArray:
        """Return the (1,) absolute gain to reach."""
        return np.array([self.recall * graph.total if self.level is None else self.level])

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.level is not None and self.recall != type(self).recall:
            raise InputError("expected `level` or `recall`, found both", type(self).__name__)

    def _level_latex(self) -> str:
        return rf"gr = {number(self.recall)} \cdot \sum_c g[c]" if self.level is None else f"gr = {number(self.level)}"

    def _where_latex(self) -> Iterator[str]:
        yield self._level_latex()
        yield from super()._where_latex()


_INVERSE = r"\sum_{k \ge 1} \frac{1}{ce[k]} \left(P(cg[k-1] < gr) - P(cg[k] < gr)\right)"


@dataclass(frozen=True)
class InverseEffort(AtLevel):
    """E[1 / ce[gr]], the expected inverse of the effort to a gain level: 0 for users who never reach it.

    sum over k >= 1 of 1 / ce[k] * (P(cg[k - 1] < gr) - P(cg[k] < gr)), as corrected (erratum of E[1/ce]).

    >>> InverseEffort(level=1).of([0, 1])
    0.5
    """

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        return float(inverse_effort(traverse(graph, ranking), self.level_of(graph), self.method)[0])

    def _score_latex(self) -> str:
        return _INVERSE


@dataclass(frozen=True)
class EffortTo(AtLevel):
    """E[ce[gr]], the expected effort to a gain level; low is good.

    e[1] + sum over i >= 1 of e[i + 1] * P(cg[i] < gr) (section 6). Infinite if the level may never be reached; then
    the mean over topics is infinite too (erratum of E[ce]).

    >>> EffortTo(level=1).of([0, 1])
    2.0
    """

    good: ClassVar[Good] = "low"

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        return float(expected_effort(traverse(graph, ranking), self.level_of(graph), self.method)[0])

    def _score_latex(self) -> str:
        return r"e[1] + \sum_{i \ge 1} e[i+1] \cdot P(cg[i] < gr)"


@dataclass(frozen=True)
class ep(AtLevel, also=("EffortPrecision",)):
    """Effort-precision at a gain level: E[ce_ideal[gr]] * E[1 / ce[gr]] (Eq. 9).

    If nothing is random, it is ce_ideal / ce (Eq. 6). The score is 0 if the ideal list may miss the level, or if the
    scored list never reaches it. It can exceed 1: a product of expectations is not the expectation of a ratio, and an
    ideal list in order of gain may cost more than a different list (erratum of Eqs. 6, 9). `ideal` orders the ideal
    list by "gain", as printed, or by least expected "effort".

    >>> ep(level=1).of([0, 0, 1])  # section 6.1 without navigation: 1/3, printed as 0.3
    0.3333333333333333
    """

    ideal: str = parameter("gain", "order of the ideal list", choices=IDEALS)
    interpolation: str = parameter("step", "interpolation of the ideal curve between its points", choices=CURVES)

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        level = self.level_of(graph)
        best = ideal_curve(graph, self.ideal, self.method, self.interpolation).at(level)[0]
        return float(best * inverse_effort(traverse(graph, ranking), level, self.method)[0]) if best < math.inf else 0.0

    def _score_latex(self) -> str:
        return rf"\mathbb{{E}}\left[ce_{{ideal}}[gr]\right] \cdot {_INVERSE}"


@dataclass(frozen=True)
class MAep(EffortAndGain):
    """Mean average effort-precision of one topic: ep at every point where the gain rises, averaged over components.

    (1 / n) * E[sum over components c newly seen at rank i of E[ce_ideal[cg[i]]] / ce[i]] over the n components with
    a gain; unseen components count 0. If nothing is random, this is the definition of section 4.2; with equal gains
    and one unit of effort per rank it is AP. Levels are the gains that users reach, on the step curve of the ideal
    list; `interpolation="linear"` joins the points of that curve (erratum of note 2).

    >>> MAep().of([3, 6, 2]), round(MAep(interpolation="linear").of([3, 6, 2]), 3)
    (1.0, 0.833)
    """

    ideal: str = parameter("gain", "order of the ideal list", choices=IDEALS)
    interpolation: str = parameter("step", "interpolation of the ideal curve between its points", choices=CURVES)
    method: str = parameter("auto", "method to compute the distribution of cg", choices=METHODS)

    def score(self, graph: TopicGraph, ranking: IntArray) -> float:
        return self.scored(graph, [ranking])[0]

    def scored(self, graph: TopicGraph, lists: Sequence[IntArray]) -> list[float]:
        longest = max(map(len, lists), default=0)
        at_once = max(1, CHANCES // max(longest * len(graph.gains), 1))
        parts = (lists[begin : begin + at_once] for begin in range(0, len(lists), at_once))
        return [score for part in parts for score in self._at_once(graph, [traverse(graph, pages) for pages in part])]

    def _at_once(self, graph: TopicGraph, ways: Sequence[Traversal]) -> Iterator[float]:
        if not any(len(way.rank) for way in ways):
            yield from [0.0] * len(ways)
            return
        best = ideal_curve(graph, self.ideal, self.method, self.interpolation)
        for way, new in zip(ways, news(ways, best, self.method), strict=True):
            yield float((new / costs(way)).sum() / len(graph.gains))

    def _score_latex(self) -> str:
        return (
            r"\frac{1}{n} \sum_{i} \frac{1}{ce[i]} \cdot \mathbb{E}\left[\sum_{c \in S_i \setminus S_{i-1}} "
            r"\mathbb{E}\left[ce_{ideal}[cg[i]]\right]\right]"
        )


def methods(measure: AtLevel | MAep, collection: Any) -> list[list[str]]:
    """Return, by system and topic, the method that computes cg: certain, lattice, enumeration (all exact) or normal."""
    topics = topic_graphs(collection, measure.users)
    systems = range(len(collection.rankings.systems))
    return [[method_for(traverse(graph, graph.lists[s]), measure.method) for graph in topics] for s in systems]
