"""Hits, ideal orders and condensed lists, for measures that look up the gains of ranked documents.

Shapes: P pool rows, S systems, T topics, N hits whose gain is above 0. A *line* is one ranking: row `s * T + t` of
`Rankings`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.structures.documents import Assessments, Rankings


@dataclass(frozen=True, eq=False)
class Hits:
    """Retrieved documents whose gain is above 0, line by line in ascending rank: all that most measures need."""

    shape: tuple[int, int]  # (S, T)
    line: IntArray  # (N,)
    at: IntArray  # (N,) positions among all hits of the rankings
    rank: IntArray  # (N,) from 1, unassessed and worthless documents counted
    row: IntArray  # (N,) pool rows
    gain: FloatArray  # (N,)

    @classmethod
    def of(cls, gains: FloatArray, rankings: Rankings, depth: int | None = None) -> Hits:
        """Return the hits down to a depth (None: all hits)."""
        wanted = (gains > 0)[rankings.row]
        if depth is not None:
            wanted &= rankings.rank <= depth
        at = np.flatnonzero(wanted)
        row = rankings.row[at]
        shape = (rankings.length.shape[0], rankings.length.shape[1])
        return cls(shape, rankings.hit_row[at], at, rankings.rank[at], row, gains[row])

    @property
    def first(self) -> BoolArray:
        """Mark the (N,) hits that are the first of their line."""
        return starts(self.line)

    @cached_property
    def nth(self) -> IntArray:
        """The (N,) ordinal of each hit within its line, from 1."""
        return places(self.line)

    @cached_property
    def topic(self) -> IntArray:
        """The (N,) topic of each hit."""
        return self.line % self.shape[1]

    @cached_property
    def start(self) -> IntArray:
        """The (S * T + 1,) positions at which the hits of each line begin; the last is the number of hits."""
        return np.append(0, np.cumsum(np.bincount(self.line, minlength=self.shape[0] * self.shape[1])))

    def total(self, values: Any) -> FloatArray:
        """Return the (S, T) sums of one value per hit over each ranking."""
        weights = np.broadcast_to(np.asarray(values, dtype=float), self.line.shape)
        sums: FloatArray = np.bincount(self.line, weights, minlength=self.shape[0] * self.shape[1]).astype(float)
        return sums.reshape(self.shape)

    def running(self, operation: np.ufunc, values: FloatArray) -> FloatArray:
        """Return the (N,) values accumulated down to each hit, over the hits of its line.

        `operation` must be associative, as addition is.
        """
        return running(operation, values, self.nth)


def running(operation: np.ufunc, values: FloatArray, nth: IntArray) -> FloatArray:
    """Return (N,) values accumulated down to each item within its group; `nth` numbers a group's items from 1.

    All groups advance at once, in log2(longest group) steps: after step i, each item has accumulated up to 2^i values.

    >>> running(np.add, np.array([1.0, 2.0, 4.0]), np.array([1, 2, 1])).tolist()
    [1.0, 3.0, 4.0]
    """
    result, reach, longest = values.copy(), 1, nth.max(initial=0)
    while reach < longest:
        joined = operation(result[reach:], result[:-reach])
        result[reach:] = np.where(nth[reach:] > reach, joined, result[reach:])
        reach *= 2
    return result


def places(group: IntArray) -> IntArray:
    """Return the position, from 1, of each item within its run of equal neighbours.

    >>> places(np.array([4, 4, 7, 4]))
    array([1, 2, 1, 1])
    """
    at = np.arange(len(group))
    return at - np.maximum.accumulate(np.where(starts(group), at, 0)) + 1


def starts(group: IntArray) -> BoolArray:
    """Mark each item that differs from the item before it.

    >>> starts(np.array([4, 4, 7, 4]))
    array([ True, False,  True,  True])
    """
    return np.append(True, group[1:] != group[:-1])[: len(group)]


def weighed(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the sums of values times weights over the last axis, added from first to last.

    A product of matrices adds in an order that depends on their shape. Here the sum of a row is the same to the last
    bit, whatever other rows there are and however many zeros fill it up.

    >>> weighed(np.array([[1.0, 2.0], [0.0, 4.0]]), np.array([1.0, 0.5])).tolist()
    [2.0, 2.0]
    """
    if not len(weights):
        return np.zeros(values.shape[:-1])
    sums: FloatArray = np.cumsum(values * weights, axis=-1)[..., -1]
    return sums


def relevant_count(gains: FloatArray, pool: Assessments) -> FloatArray:
    """Return the (T,) numbers of assessed documents with a gain above 0."""
    return np.bincount(pool.topic, gains > 0, minlength=len(pool.topics)).astype(float)


def ideal_gains(gains: FloatArray, pool: Assessments) -> FloatArray:
    """Return gains (..., P) by topic, best first, filled up with zeros: (..., T, most documents of a topic)."""
    start = pool.topic_start
    best = np.zeros((*gains.shape[:-1], len(pool.topics), max(int(np.diff(start).max(initial=0)), 1)))
    best[..., pool.topic, np.arange(len(pool)) - start[pool.topic]] = -gains
    best.sort(axis=-1)
    return -best


def better_count(gains: FloatArray, pool: Assessments) -> IntArray:
    """Return, for each document (P,), the number of documents of its topic with a higher gain."""
    order = np.lexsort((-gains, pool.topic))
    topic, ordered, at = pool.topic[order], gains[order], np.arange(len(pool))
    new = np.append(True, (topic[1:] != topic[:-1]) | (ordered[1:] != ordered[:-1]))[: len(pool)]
    better = np.empty(len(pool), dtype=int)
    better[order] = np.maximum.accumulate(np.where(new, at, 0)) - pool.topic_start[topic]
    return better


def assessed(pool: Assessments, aspect: str) -> BoolArray:
    """Mark the (P,) documents assessed on an aspect; if the pool lacks the aspect, on any aspect."""
    return ~np.isnan(pool.column(aspect)) if pool.find(aspect) else pool.judged


def condensed(rankings: Rankings, known: BoolArray) -> Rankings:
    """Return rankings with only the `known` documents, moved up to fill the gaps (condensed lists, Sakai 2007)."""
    keep = np.flatnonzero(known[rankings.row])
    line = rankings.hit_row[keep]
    length = np.bincount(line, minlength=len(rankings.indptr) - 1)
    start = np.append(0, np.cumsum(length))
    return replace(
        rankings,
        indptr=start,
        rank=np.arange(len(keep)) - start[line] + 1,
        row=rankings.row[keep],
        length=length.reshape(rankings.length.shape),
    )
