"""A reader who goes down a ranking: quantities derived from the probability of going on at each rank (C/W/L).

C(k), the continuation, is the probability of going on from rank k to the next. Derived from it, with S(k) the
product of C(j) over the ranks j above k (Moffat, Bailey, Scholer & Thomas 2017):

    W(k) = S(k) / sum of S        the share of all attention that rank k gets
    L(k) = S(k) * (1 - C(k))      the probability that rank k is the last one
    expected depth = 1 / W(1) = sum of S

Shapes: P pool rows, S systems, T topics, n ranks. A *line* is one ranking: row `s * T + t` of `Rankings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.cached import cached_property
from evalcore.measures.parts.hits import Hits, places, running, starts
from evalcore.structures.documents import Rankings

HORIZON = 1000
"""Default of the last rank that a reader can see, as in cwl_eval; ranks below the end of a ranking have no gain."""

_FIRST, _WIDEST = 16, 256  # ranks read at once: few at first, where most readers stop
_LINES = 2048  # lines read at once
_GONE = 1e-17  # a reader who is less likely to be left counts as stopped


@dataclass(frozen=True, eq=False)
class Ranks:
    """Gains and costs at consecutive ranks, and their totals so far: arrays of shape (..., n)."""

    rank: FloatArray  # (n,)
    gain: FloatArray  # gain of the document at the rank
    cost: FloatArray  # cost of reading it
    gained: FloatArray  # gains down to the rank, inclusive
    spent: FloatArray

    @classmethod
    def of(cls, gain: FloatArray, cost: FloatArray | float = 1.0) -> Ranks:
        """Return the ranks from 1 on, given the gain and the cost at each rank."""
        costs = np.broadcast_to(np.asarray(cost, dtype=float), gain.shape)
        rank = np.arange(1, gain.shape[-1] + 1, dtype=float)
        return cls(rank, gain, costs, np.cumsum(gain, axis=-1), np.cumsum(costs, axis=-1))


@dataclass(frozen=True, eq=False)
class Reading:
    """A reader's way down one or several rankings, (..., n), with the probabilities `continuation` of going on.

    >>> ranks = Ranks.of(np.array([1.0, 0.0, 1.0]))
    >>> half = Reading(ranks, np.array([0.5, 0.5, 0.0]))
    >>> half.survival.tolist(), half.last.tolist(), float(half.depth)
    ([1.0, 0.5, 0.25], [0.5, 0.25, 0.25], 1.75)
    >>> round(float(half.utility), 4), float(half.total_utility)  # 1.25 / 1.75; 0.5 * 1 + 0.25 * 1 + 0.25 * 2
    (0.7143, 1.25)
    """

    ranks: Ranks
    continuation: FloatArray  # C

    @cached_property
    def survival(self) -> FloatArray:
        """S: the probability that a rank is read."""
        return _survival(self.continuation)

    @property
    def weight(self) -> FloatArray:
        """W: the share of all attention that a rank gets; the shares sum to 1."""
        return self.survival / self.depth[..., None]

    @property
    def last(self) -> FloatArray:
        """L: the probability that a rank is the last one read."""
        return self.survival * (1 - self.continuation)

    @property
    def depth(self) -> FloatArray:
        """The (...) expected number of ranks read: 1 / W(1)."""
        return np.asarray(self.survival.sum(axis=-1))

    @property
    def utility(self) -> FloatArray:
        """The (...) expected gain per rank read: the sum of W(k) g(k)."""
        return _sum(self.weight, self.ranks.gain)

    @property
    def total_utility(self) -> FloatArray:
        """The (...) expected gain of the whole reading: the sum of L(k) times the gains down to k."""
        return _sum(self.last, self.ranks.gained)

    @property
    def cost(self) -> FloatArray:
        """The (...) expected cost per rank read."""
        return _sum(self.weight, self.ranks.cost)

    @property
    def total_cost(self) -> FloatArray:
        """The (...) expected cost of the whole reading."""
        return _sum(self.last, self.ranks.spent)


def _survival(continuation: FloatArray) -> FloatArray:
    first = np.ones((*continuation.shape[:-1], 1))
    return np.concatenate([first, np.cumprod(continuation[..., :-1], axis=-1)], axis=-1)


def _sum(weights: FloatArray, values: FloatArray) -> FloatArray:
    return np.asarray((weights * values).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class Worth:
    """Gains and costs of the documents of a pool for a reader; documents outside the pool gain 0."""

    gains: FloatArray  # (P,)
    costs: FloatArray | None = None  # (P,), None: `other_cost` for all
    other_cost: float = 1.0  # of a document that is not in the pool


def read_totals(
    continuation: Callable[[Ranks], FloatArray], worth: Worth, rankings: Rankings, horizon: int = HORIZON
) -> tuple[FloatArray, FloatArray]:
    """Return the (S, T) sums of S(k) g(k) and of S(k) over ranks 1 to `horizon`.

    `continuation` gets a few ranks at a time; its value at a rank may depend only on the ranks down to it.
    """
    shape, count = rankings.length.shape, rankings.length.size
    gained, read = np.zeros(count), np.zeros(count)
    for begin in range(0, count, _LINES):
        lines = np.arange(begin, min(begin + _LINES, count))
        for alive, survival, gain in _blocks(continuation, worth, rankings, lines, horizon):
            gained[alive] += _sum(survival, gain)
            read[alive] += survival.sum(axis=-1)
    return gained.reshape(shape), read.reshape(shape)


def _blocks(
    continuation: Callable[[Ranks], FloatArray], worth: Worth, rankings: Rankings, lines: IntArray, horizon: int
) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
    """Yield, for each block of ranks, the lines that reach it, and their survival and gains (lines, ranks)."""
    hits = _Hits.of(worth, rankings, lines, horizon)
    survival, gained, spent = np.ones(len(lines)), np.zeros(len(lines)), np.zeros(len(lines))
    alive, begin, width = np.arange(len(lines)), 0, _FIRST
    while begin < horizon and len(alive):
        end = min(begin + width, horizon)
        gain, cost = hits.between(begin, end, alive)
        total_gain, total_cost = np.cumsum(gain, axis=1), np.cumsum(cost, axis=1)
        rank = np.arange(begin + 1, end + 1, dtype=float)
        ranks = Ranks(rank, gain, cost, gained[alive, None] + total_gain, spent[alive, None] + total_cost)
        goes_on = np.broadcast_to(continuation(ranks), gain.shape)
        reached = survival[alive, None] * _survival(goes_on)
        yield lines[alive], reached, gain
        survival[alive] = reached[:, -1] * goes_on[:, -1]
        gained[alive], spent[alive] = ranks.gained[:, -1], ranks.spent[:, -1]
        alive = alive[survival[alive] > _GONE]
        begin, width = end, min(2 * width, _WIDEST)


@dataclass(frozen=True, eq=False)
class _Hits:
    """Documents of the pool in some rankings, with their ranks, gains and costs."""

    line: IntArray
    rank: IntArray
    gain: FloatArray
    cost: FloatArray | None
    other_cost: float
    lines: int

    @classmethod
    def of(cls, worth: Worth, rankings: Rankings, lines: IntArray, horizon: int) -> _Hits:
        """Return the documents with a gain or, if costs are given, all documents down to the horizon."""
        own = slice(rankings.indptr[lines[0]], rankings.indptr[lines[-1] + 1])
        row, costs = rankings.row[own], worth.costs
        at = np.flatnonzero(worth.gains[row] > 0 if costs is None else rankings.rank[own] <= horizon)
        row, line, rank = row[at], rankings.hit_row[own][at] - lines[0], rankings.rank[own][at]
        return cls(line, rank, worth.gains[row], None if costs is None else costs[row], worth.other_cost, len(lines))

    def between(self, begin: int, end: int, alive: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the (lines, ranks) gains and costs at ranks `begin` + 1 to `end` of the lines that are still read."""
        place = np.full(self.lines, -1)
        place[alive] = np.arange(len(alive))
        here = np.flatnonzero((self.rank > begin) & (self.rank <= end))
        here = here[place[self.line[here]] >= 0]
        at = place[self.line[here]], self.rank[here] - begin - 1
        gain = np.zeros((len(alive), end - begin))
        gain[at] = self.gain[here]
        cost = np.full(gain.shape, self.other_cost)
        if self.cost is not None:
            cost[at] = self.cost[here]
        return gain, cost


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of ranks between documents with a gain, and after the last of them: arrays (M,).

    Each stretch begins below rank 1 or below such a document, and ends at the next such document or at the last rank.
    """

    hits: Hits
    last_rank: int

    @cached_property
    def line(self) -> IntArray:
        """The line of each stretch, ascending."""
        return self._at_begin(np.arange(self._lines), self.hits.line)

    @property
    def topic(self) -> IntArray:
        return self.line % self.hits.shape[1]

    @cached_property
    def begin(self) -> IntArray:
        """The rank just above each stretch."""
        return self._at_begin(np.ones(self._lines, dtype=int), self.hits.rank)

    @cached_property
    def end(self) -> IntArray:
        """The last rank of each stretch."""
        inside = np.append(self.line[1:] == self.line[:-1], False)
        return np.where(inside, np.append(self.begin[1:], 0), self.last_rank)

    @property
    def gain(self) -> FloatArray:
        """The gain of the document at `begin`; 0 for the first stretch of a line."""
        return self._at_begin(np.zeros(self._lines), self.hits.gain)

    @property
    def gained(self) -> FloatArray:
        """The gain of all documents down to `begin`, inclusive; 0 for the first stretch of a line."""
        return self._at_begin(np.zeros(self._lines), self.hits.running(np.add, self.hits.gain))

    def totals(self, staying: FloatArray, read: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the (S, T) sums of `read_totals`.

        `staying` is S at the end of each stretch and `read` the sum of S over it, both relative to S at its beginning.
        """
        at_end = running(np.multiply, staying, places(self.line))
        first = starts(self.line)
        at_begin = np.where(first, 1.0, np.append(1.0, at_end)[:-1])
        summed = np.bincount(self.line, at_begin * read, minlength=self._lines).reshape(self.hits.shape)
        return self.hits.total(at_begin[~first] * self.hits.gain), 1.0 + summed.astype(float)

    @property
    def _lines(self) -> int:
        return self.hits.shape[0] * self.hits.shape[1]

    def _at_begin(self, of_lines: NDArray[Any], of_hits: NDArray[Any]) -> NDArray[Any]:
        """Return a value (M,) for each stretch: from `of_lines` for the first of a line, else from `of_hits`."""
        values = np.empty(len(of_lines) + len(of_hits), dtype=of_lines.dtype)
        values[self._behind_hits] = of_hits
        values[self._at_top] = of_lines
        return values

    @cached_property
    def _behind_hits(self) -> IntArray:
        return np.arange(len(self.hits.line)) + self.hits.line + 1

    @cached_property
    def _at_top(self) -> IntArray:
        return self.hits.start[:-1] + np.arange(self._lines)


def weighed_mean(totals: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Return the (S, T) expected utility from `read_totals`: the sum of W(k) g(k)."""
    return divided(*totals)
