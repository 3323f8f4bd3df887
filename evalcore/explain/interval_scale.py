"""Scores on an interval scale: each as its place among all values that lists of a length can have.

A mean, and a t-test, take equal differences of scores for equal steps. Of P they are: ten documents give eleven values
that stand equally far apart. Of most measures they are not, and a score says less than it seems. Ferrante, Ferro and
Fuhr (2021, "Towards meaningful statements in IR evaluation: mapping evaluation measures to interval scales", IEEE
Access 9, doi 10.1109/ACCESS.2021.3116857) put in place of a score its rank among the distinct values that the measure
can take: equal steps by construction. Here the lowest is 0 and the highest 1: (rank - 1) / (values - 1).

Every list of `depth` documents is scored, so it is exact, for measures of gains (AP, nDCG, RBP, uRBP, ...). A document
is what it gains: one that gains nothing counts as unassessed. Where the values do not depend on how many documents of
each gain there are, one scale serves all topics (P, RBP, DCG). Where they do (AP, nDCG, recall), each topic has the
scale of the lists that its own pool allows, and places on two topics are steps of different size.

Shapes: L lists, D documents of each, K gains above none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial
from typing import cast

import numpy as np

from evalcore.arrays import FloatArray, IntArray
from evalcore.errors import InputError
from evalcore.explain.top_documents import cut_rankings
from evalcore.later import pd
from evalcore.measures.base import GainMeasure, HasPoolAndRankings, Measure, as_measure, unwrapped
from evalcore.measures.evaluation import evaluate
from evalcore.progress import part
from evalcore.rounding import SOLVED, TIE, distinct, merged
from evalcore.structures.documents import Assessments, Collection, Rankings

MOST_LISTS = 1 << 18
_AT_ONCE = 1 << 14  # lists scored at once


def interval_scores(measure: Measure | str, collection: HasPoolAndRankings, depth: int = 10) -> pd.DataFrame:
    """Scores of the first `depth` documents, each as its place among the values that lists of so many can have.

    A frame of topics x systems from 0 to 1, like that of `evaluate`. Raises InputError for a measure that does not
    score gains, for more than 262,144 lists (two gains at depth 18, three at 11), or where a score is none of the
    values, as of a measure that tells documents without gain apart.

    >>> from evalcore.data.small import small_collection
    >>> c = small_collection(pd.DataFrame({"relevance": [1]}, index=["a"]), {"s": ["x", "a"]})
    >>> interval_scores("RBP(rho=0.8)", c, depth=2)["s"].tolist()  # of 0, .16, .2 and .36 the second
    [0.3333333333333333]
    """
    known = as_measure(measure)
    with part(0, 1, size=0):  # little beside the lists
        scores = evaluate(known, _cut(collection, depth))
    result = scores.copy()
    for topic, values in zip(scores.index, attainable_values(known, collection, depth), strict=True):
        try:
            result.loc[topic] = places_among(scores.loc[topic].to_numpy(dtype=np.float64), values)
        except InputError as error:
            raise InputError(f"{error.problem}, on topic {topic}", str(known)) from None
    result.attrs = dict(scores.attrs)
    return result


def attainable_values(measure: Measure | str, collection: HasPoolAndRankings, depth: int = 10) -> list[FloatArray]:
    """The distinct values that lists of `depth` documents can have, ascending, for each topic of a collection."""
    with part(0, 1, size=0):
        plan = _planned(measure, collection, depth)
    values, done, total = list[FloatArray](), 0, sum(plan.counts)
    for stock, count in zip(plan.stocks, plan.counts, strict=True):
        with part(done, total, count):
            values.append(_distinct(_values(plan.measure, _of_at_most(plan.lists, stock.counts), stock)))
        done += count
    return [values[at] for at in plan.of_topics]


def lists_to_score(measure: Measure | str, collection: HasPoolAndRankings, depth: int = 10) -> int:
    """How many lists `attainable_values` scores: what its time depends on. Raises InputError as it does.

    >>> from evalcore.data.small import small_collection
    >>> c = small_collection(pd.DataFrame({"relevance": [1]}, index=["a"]), {"s": ["x", "a"]})
    >>> lists_to_score("P@2", c, 2), lists_to_score("AP", c, 2)  # of AP those that have the document once at most
    (4, 3)
    """
    return sum(_planned(measure, collection, depth).counts)


def places_among(scores: FloatArray, values: FloatArray) -> FloatArray:
    """(N,) the place of each score among ascending distinct values, from 0 to 1; nan stays nan.

    Raises InputError for a score that is none of them.

    >>> places_among(np.array([0.5, 0.0]), np.array([0.0, 0.5, 0.75, 1.0])).tolist()
    [0.3333333333333333, 0.0]
    """
    middles = (values[1:] + values[:-1]) / 2
    place = np.searchsorted(middles, scores)
    near = np.abs(values[place] - scores) <= SOLVED * np.maximum(np.abs(scores), np.abs(values).max(initial=0.0))
    unknown = ~(near | (values[place] == scores) | np.isnan(scores))
    if unknown.any():
        problem = f"expected a score among the {len(values):,} values that lists can have"
        raise InputError(f"{problem}, found {scores[unknown][0]:.6g}")
    return np.where(np.isnan(scores), np.nan, place / max(len(values) - 1, 1))


@dataclass(frozen=True, eq=False)
class _Stock:
    """A pool of one topic: its documents, their gains, and where those of each of K gains stand."""

    pool: Assessments
    gains: FloatArray  # (P,)
    places: Sequence[IntArray]  # (K,) rows of the pool, of each gain

    @property
    def counts(self) -> list[int]:
        """(K,) documents of each gain."""
        return list(map(len, self.places))


@dataclass(frozen=True, eq=False)
class _Plan:
    """What is to be scored: every list that a stock allows, of each different stock."""

    measure: GainMeasure
    lists: IntArray  # (L, D)
    stocks: Sequence[_Stock]
    counts: Sequence[int]  # lists of each stock
    of_topics: Sequence[int]  # (T,) the stock of each topic


def _planned(measure: Measure | str, collection: HasPoolAndRankings, depth: int) -> _Plan:
    known, source = unwrapped(as_measure(measure))
    if not isinstance(known, GainMeasure):
        raise InputError("expected a measure of gains for an interval scale, found another", str(known))
    _cut(collection, depth)
    pool = collection.assessments.judged_by(source) if source else collection.assessments
    of_documents = known.document_gains(pool)
    gains = np.unique(merged(of_documents[of_documents != 0]))
    lists = _lists(len(gains), depth)
    one, many = (_plenty(gains, of_documents, pool, copies) for copies in (1, 2 * depth))
    lone = _of_at_most(lists, one.counts)
    # a measure that reads what else could have been found scores these otherwise where there is more
    if np.isclose(_values(known, lone, one), _values(known, lone, many), rtol=TIE, atol=0).all():
        stocks, of_topics = [many], [0] * len(pool.topics)
    else:
        stocks, of_topics = _of_each_topic(gains, of_documents, pool)
    return _Plan(known, lists, stocks, [_n_lists(stock.counts, depth) for stock in stocks], of_topics)


def _cut(collection: HasPoolAndRankings, depth: int) -> Collection:
    return cut_rankings(cast(Collection, collection), depth)


def _lists(kinds: int, depth: int) -> IntArray:
    """(L, D) every list of K gains and none (0)."""
    count = (kinds + 1) ** depth
    if count > MOST_LISTS:
        found = f"{count:,} of {kinds + 1} gains at depth {depth}"
        raise InputError(f"expected at most {MOST_LISTS:,} lists for an interval scale, found {found}")
    return np.stack(np.unravel_index(np.arange(count), (kinds + 1,) * depth), axis=1)


def _of_at_most(lists: IntArray, counts: Sequence[int]) -> IntArray:
    """The lists with at most so many documents of each gain."""
    allowed = np.ones(len(lists), dtype=bool)
    for kind, count in enumerate(counts, start=1):
        allowed &= (lists == kind).sum(axis=1) <= count
    return np.asarray(lists[allowed])


def _plenty(gains: FloatArray, of_documents: FloatArray, pool: Assessments, copies: int) -> _Stock:
    """A pool with so many documents of each gain."""
    first = np.array([int(np.argmin(np.abs(of_documents - gain))) for gain in gains], dtype=np.intp)
    rows = np.repeat(first, copies)
    places = [np.arange(at * copies, (at + 1) * copies) for at in range(len(gains))]
    return _Stock(_of_rows(pool, rows), np.repeat(gains, copies), places)


def _of_rows(pool: Assessments, rows: IntArray) -> Assessments:
    documents = np.array([f"d{at}" for at in range(len(rows))], dtype=object)
    columns = {name: values[rows] for name, values in pool.columns.items()}
    return Assessments(("topic",), np.zeros(len(rows), dtype=int), documents, columns, pool.scales)


def _of_each_topic(gains: FloatArray, of_documents: FloatArray, pool: Assessments) -> tuple[list[_Stock], list[int]]:
    """The different pools of topics, and which of them each topic has."""
    known, stocks, of_topics = dict[tuple[bytes, ...], int](), list[_Stock](), list[int]()
    for topic in range(len(pool.topics)):
        rows = np.arange(pool.topic_start[topic], pool.topic_start[topic + 1])
        key = tuple(np.sort(values[rows]).tobytes() for values in (of_documents, *pool.columns.values()))
        if key not in known:
            known[key] = len(stocks)
            same = np.abs(of_documents[rows, None] - gains) <= TIE * np.abs(gains)
            stocks.append(_Stock(_of_rows(pool, rows), of_documents[rows], [np.flatnonzero(row) for row in same.T]))
        of_topics.append(known[key])
    return stocks, of_topics


def _n_lists(counts: Sequence[int], depth: int) -> int:
    """How many lists have at most so many documents of each gain.

    >>> _n_lists([1, 2], 2) == len(_of_at_most(_lists(2, 2), [1, 2]))
    True
    """
    ways = np.ones(1)  # of each length, over its factorial
    for most in (*counts, depth):
        ways = np.convolve(ways, [1 / factorial(at) for at in range(min(most, depth) + 1)])[: depth + 1]
    return round(float(ways[depth]) * factorial(depth))


def _values(measure: GainMeasure, lists: IntArray, stock: _Stock) -> FloatArray:
    """(L,) the score of each list."""
    scores, starts = np.empty(len(lists)), range(0, len(lists), _AT_ONCE)
    for at, start in enumerate(starts):
        with part(at, len(starts)):
            scores[start : start + _AT_ONCE] = _scores(measure, lists[start : start + _AT_ONCE], stock)
    return scores


def _scores(measure: GainMeasure, lists: IntArray, stock: _Stock) -> FloatArray:
    row = np.full(lists.shape, -1)
    for kind, places in enumerate(stock.places, start=1):
        chosen = lists == kind
        if chosen.any():
            row[chosen] = places[(np.cumsum(chosen, axis=1) - 1)[chosen]]
    held = row >= 0
    rank = np.broadcast_to(np.arange(1, lists.shape[1] + 1), lists.shape)[held]
    names = tuple(map(str, range(len(lists))))
    indptr = np.concatenate([[0], np.cumsum(held.sum(axis=1))])
    length = np.full((len(lists), 1), lists.shape[1])
    rankings = Rankings(names, 1, len(stock.pool), indptr, rank, row[held], length)
    return np.asarray(measure.score_gains(stock.gains, stock.pool, rankings)[:, 0])


def _distinct(values: FloatArray) -> FloatArray:
    whole = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    return distinct(np.sort(values), SOLVED, whole or 1.0)
