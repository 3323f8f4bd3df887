"""Graphs of topics: the components that users of a model reach from each component, their gains, and the costs.

In a collection without links, users see only the results. Shapes: C components, S systems,
n targets of a topic (the components with a gain, the paper's ideal elements), R ranks of a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.lazy_imports import sparse
from evalcore.common.rounding import JUST_BELOW_ONE, SOLVED
from evalcore.errors import InputError
from evalcore.measures.parts.gains import Gain
from evalcore.navigation.links import Navigation
from evalcore.navigation.models import NavigationModel, Reach
from evalcore.navigation.worth import Effort, GainModel, graded, worthwhile
from evalcore.structures.documents import Assessments, Rankings


@dataclass(frozen=True)
class UserModel:
    """A model of users: gains of components, next steps, and costs."""

    gain: Gain | GainModel
    navigation: NavigationModel
    effort: Effort
    aspect: str


@dataclass(frozen=True, eq=False)
class TopicGraph:
    """The graph of one topic, with the lists of systems.

    -1 stands for a repeated or unknown component: it costs a rank and leads nowhere.
    """

    gains: FloatArray  # (n,)
    target: IntArray  # (n,) component codes of the targets
    reach: sparse.csr_array  # (C + 1, n) P(j ~> c); the last row, for -1, is empty
    consulting: FloatArray  # (C + 1,) expected effort of consulting each component as a result
    lists: tuple[IntArray, ...]  # by system: the components from rank 1 on

    @property
    def total(self) -> float:
        """The gain of a user who sees everything."""
        return float(self.gains.sum())

    @cached_property
    def step(self) -> float | None:
        """The largest common step of all gains; None if it is too small (see `lattice_step`)."""
        return lattice_step(self.gains)


@dataclass(frozen=True, eq=False)
class Traversal:
    """Users' way down one list: probabilities and costs at the K ranks where they may see something new.

    A target that is either certain or unseen at every rank counts in `sure`; the n' other targets are independent. A
    probability is exactly 1 only from the first rank that shows the target for certain.
    """

    rank: IntArray  # (K,) ascending
    cost: FloatArray  # (K,) ce, the effort down to that rank
    every: FloatArray  # (K, n) P(c in S_i), never falling
    graph: TopicGraph

    @cached_property
    def drawn(self) -> BoolArray:
        """The (n,) mask of uncertain targets: at some rank, only some users have seen them."""
        return np.asarray(((self.every > 0) & (self.every < 1)).any(axis=0))

    @cached_property
    def gains(self) -> FloatArray:
        """The (n',) gains of uncertain targets."""
        return self.graph.gains[self.drawn]

    @cached_property
    def chance(self) -> FloatArray:
        """The (K, n') probabilities P(c in S_i) of uncertain targets."""
        return self.every[:, self.drawn]

    @cached_property
    def sure(self) -> FloatArray:
        """The (K,) certain gain down to each rank."""
        return np.asarray((self.every[:, ~self.drawn] > 0).astype(float) @ self.graph.gains[~self.drawn])

    @property
    def sure_news(self) -> IntArray:
        """The (K,) numbers of certain targets that are new at each rank."""
        return np.asarray(np.diff((self.every[:, ~self.drawn] > 0).sum(axis=1), prepend=0))

    @property
    def step(self) -> float | None:
        """The largest common step of all gains of the topic; None if it is too small."""
        return self.graph.step

    @property
    def total(self) -> float:
        """The largest gain that a user can have by the end of the list."""
        return float(self.sure[-1] + self.gains.sum()) if len(self.rank) else 0.0

    @property
    def earlier(self) -> FloatArray:
        """The (K, n') probabilities P(c in S_i) of uncertain targets at the previous of the K ranks; 0 at the first."""
        return before(self.chance)

    @property
    def expected(self) -> FloatArray:
        """The (K,) expected gains E[cg[i]] (Eq. 8)."""
        return np.asarray(self.sure + self.chance @ self.gains)

    @property
    def least(self) -> FloatArray:
        """The (K,) least gain of any user down to each rank."""
        return np.asarray(self.sure + (self.chance == 1) @ self.gains)

    @property
    def most(self) -> FloatArray:
        """The (K,) largest gain of any user down to each rank."""
        return np.asarray(self.sure + (self.chance > 0) @ self.gains)


def before(chance: FloatArray) -> FloatArray:
    """Return the probabilities (K, n) before each rank: shifted by one rank, and 0 before the first."""
    return np.vstack([np.zeros((1, chance.shape[1])), chance[:-1]])[: len(chance)]


def traverse(graph: TopicGraph, ranking: IntArray, depth: int | None = None) -> Traversal:
    """Return the traversal of a list of components, down to a depth.

    P(c in S_i) = 1 - product over ranks j <= i of (1 - P(j ~> c)) (section 5.2).
    """
    ranking, begins = ranking[:depth], graph.reach.indptr
    counts = (begins[1:] - begins[:-1])[ranking]
    at = np.flatnonzero(counts)
    counts = counts[at]
    entry = np.arange(counts.sum()) + np.repeat(begins[ranking[at]] - np.cumsum(counts) + counts, counts)
    places = np.repeat(np.arange(len(at)), counts), graph.reach.indices[entry]
    missed = np.zeros((len(at), len(graph.gains)))
    with np.errstate(divide="ignore"):
        missed[places] = np.log1p(-graph.reach.data[entry])
    np.cumsum(missed, axis=0, out=missed)
    every = np.where(np.isinf(missed), 1.0, np.minimum(-np.expm1(missed), JUST_BELOW_ONE))
    return Traversal(at + 1, np.cumsum(graph.consulting[ranking])[at], every, graph)


LARGEST_LATTICE = 4096  # most steps of a lattice


def lattice_step(gains: FloatArray) -> float | None:
    """Return the largest common step of all gains, if their sum is at most 4,096 steps; else None.

    >>> lattice_step(np.array([0.5, 0.75, 2.0])), lattice_step(np.array([1.0, np.pi]))
    (0.25, None)
    """
    if not len(gains):
        return 1.0
    largest = float(gains.sum())
    step = 0.0
    for gain in np.unique(gains).tolist():
        step = _common_step(gain, step, SOLVED * largest)
        if largest > LARGEST_LATTICE * step:
            return None
    return step


def in_steps(gains: FloatArray) -> FloatArray:
    """Return gains as multiples of one step, if rounding would otherwise make equal sums differ.

    For example, if thirds are written with seven digits, a user's final gain could otherwise miss every gain level.

    >>> thirds = in_steps(np.repeat([0.3333333, 0.6666667], 100))
    >>> bool(thirds[-1] == 2 * thirds[0]), in_steps(np.array([0.1, 0.2])).tolist()
    (True, [0.1, 0.2])
    """
    step = lattice_step(gains)
    if not step or not len(gains):
        return gains
    steps, total = np.round(gains / step), gains.sum()
    multiples = steps * (total / steps.sum())
    return gains if np.abs(gains - steps * step).sum() <= SOLVED / 2 * total else np.asarray(multiples)


def _common_step(a: float, b: float, rounding: float) -> float:
    """Return the greatest common divisor of two floats (Euclid's algorithm); remainders below `rounding` count as 0."""
    while b > rounding:
        rest = a % b
        a, b = b, 0.0 if b - rest < rounding else rest
    return a


def topic_graphs(collection: Any, users: UserModel) -> tuple[TopicGraph, ...]:
    """Return a graph per topic of a collection, with or without a `navigation`; the last few results are cached."""
    if getattr(collection, "navigation", None) is None:
        return plain_scenes(collection.assessments, collection.rankings, users)
    return _browsed(collection, users)


def plain_scenes(pool: Assessments, rankings: Rankings, users: UserModel) -> tuple[TopicGraph, ...]:
    """Return a graph per topic of a collection without links; the components are the rows of the pool.

    Raises InputError for a gain that is read from a table of components.
    """
    gains, count = graded(users.gain, users.aspect, pool) if isinstance(users.gain, Gain) else None, len(pool)
    if gains is None:
        raise InputError("expected a collection with a table of components, found one without", str(users.gain))
    consulting = np.full(count + 1, users.effort.of_plain_rank())
    scenes = []
    for topic in range(len(pool.topics)):
        begin, end = pool.topic_start[topic : topic + 2]
        target = begin + np.flatnonzero(gains[begin:end] > 0)
        lists = tuple(_ranking(rankings, s, topic) for s in range(len(rankings.systems)))
        scenes.append(TopicGraph(in_steps(gains[target]), target, _own(target, count), consulting, lists))
    return tuple(scenes)


@lru_cache(maxsize=4)
def _browsed(collection: Any, users: UserModel) -> tuple[TopicGraph, ...]:
    navigation: Navigation = collection.navigation
    topics, components, gains = worthwhile(users.gain, users.aspect, collection.assessments, navigation)
    reading = users.effort.of_reading(navigation.components)
    targets = np.unique(components)
    whole = None if users.navigation.topical else users.navigation.reach(navigation, targets, reading)
    edges = np.searchsorted(topics, np.arange(len(collection.topics) + 1))
    scenes = []
    for topic in range(len(collection.topics)):
        own = slice(edges[topic], edges[topic + 1])
        scenes.append(_scene(navigation, users, topic, components[own], gains[own], whole, targets, reading))
    return tuple(scenes)


def _scene(
    navigation: Navigation,
    users: UserModel,
    topic: int,
    target: IntArray,
    gains: FloatArray,
    whole: Reach | None,
    targets: IntArray,
    reading: FloatArray,
) -> TopicGraph:
    reach = users.navigation.reach(navigation, target, reading) if whole is None else whole
    chance = reach.chance if whole is None else reach.chance.tocsc()[:, np.searchsorted(targets, target)]
    consulting = users.effort.rank + reach.reading + users.effort.click * reach.clicks
    lists = tuple(navigation.runs.ranking(s, topic) for s in range(len(navigation.runs.systems)))
    costs = np.append(consulting, users.effort.rank)
    return TopicGraph(in_steps(gains), target, _with_nothing(chance.tocsr()), costs, lists)


def _with_nothing(chance: sparse.csr_array) -> sparse.csr_array:
    """Return a matrix with an empty row at its end, for index -1."""
    chance.eliminate_zeros()
    indptr = np.append(chance.indptr, chance.indptr[-1])
    return sparse.csr_array((chance.data, chance.indices, indptr), shape=(chance.shape[0] + 1, chance.shape[1]))


def _own(target: IntArray, count: int) -> sparse.csr_array:
    entries = (np.ones(len(target)), (target, np.arange(len(target))))
    return sparse.csr_array(entries, shape=(count + 1, len(target)))


def _ranking(rankings: Rankings, system: int, topic: int) -> IntArray:
    """Return the pool row of the document at each rank, -1 if it is repeated or not in the pool."""
    row = system * rankings.n_topics + topic
    hits = slice(rankings.indptr[row], rankings.indptr[row + 1])
    listed = np.full(max(int(rankings.length[system, topic]), int(rankings.rank[hits].max(initial=0))), -1)
    listed[rankings.rank[hits] - 1] = rankings.row[hits]
    return listed
