"""The arithmetic of one score: the contribution of each rank, and the divisor of the sum.

    score = (sum over ranks k of gain(k) * discount(k)) / normaliser

holds for every discounted sum (nDCG, DCG, RBP, P and similar measures), for AP with precision at k as the
discount, and for ERR with 1 / k times the probability that the reader reaches rank k. The numbers come from the
measure's own parts, so they add up to its score. Shapes: P pool rows, A aspects.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import FloatArray, divided
from evalcore.common.lazy_imports import pd
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.measures.base import GainMeasure, Measure, unwrapped
from evalcore.measures.dcg import DiscountedSum
from evalcore.measures.err import ERR
from evalcore.measures.labels import labels_upwards
from evalcore.measures.parts.discounts import Ideal
from evalcore.measures.parts.hits import assessed, condensed, relevant_count
from evalcore.measures.precision import AP, Condensable
from evalcore.measures.toma import TOMA
from evalcore.measures.tuple_orders import pool_tuples
from evalcore.structures.documents import Assessments, Rankings


@shown
@dataclass(frozen=True, eq=False)
class Arithmetic:
    """The arithmetic of one score.

    `terms` has a row per rank: document, gain, discount, contribution (gain * discount), running sum. `ideal` is the
    same table for the best order of the topic's assessed documents, if the normaliser is its sum.
    """

    terms: pd.DataFrame
    normaliser: float
    ideal: pd.DataFrame | None = None

    @property
    def total(self) -> float:
        """The sum of the contributions."""
        return float(self.terms["running sum"].iloc[-1]) if len(self.terms) else 0.0

    @property
    def score(self) -> float:
        """total / normaliser; 0 if the normaliser is 0."""
        return float(divided(np.array([self.total]), self.normaliser)[0])


def arithmetic(measure: Measure, pool: Assessments, rankings: Rankings, system: int = 0, topic: int = 0) -> Arithmetic:
    """Return the arithmetic of the score of one system on one topic.

    Ranks go down to the cut-off; an unassessed document has no name and gains nothing. Raises InputError for a measure
    whose score is not a sum over ranks divided by a normaliser.

    >>> from evalcore.data.small_collections import small_collection
    >>> from evalcore.measures import RBP
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 1]}, index=["a", "b"]), {"s": ["a", "x", "b"]})
    >>> parts = arithmetic(RBP(rho=0.5), c.assessments, c.rankings)
    >>> parts.terms["contribution"].tolist(), parts.normaliser, parts.score
    ([1.0, 0.0, 0.25], 2.0, 0.625)
    """
    measure, source = unwrapped(measure.meant_of(pool))
    pool = pool.judged_by(source) if source else pool
    scorer = measure.scorer if isinstance(measure, GainMeasure) else None
    if not (isinstance(measure, GainMeasure) and isinstance(scorer, AP | ERR | DiscountedSum)):
        raise InputError("expected AP, ERR or a discounted sum of gains (nDCG, RBP, P, ...)", str(measure))
    gains = measure.document_gains(pool)
    if getattr(scorer, "judged_only", False):
        rankings = condensed(rankings, assessed(pool, scorer.columns[0]))
    if isinstance(scorer, Condensable):
        gains = (gains > 0).astype(float)
    documents, line = _line(gains, pool, rankings, system, topic, scorer.depth)
    terms = _terms(documents, line, _discounts(scorer, line))
    if isinstance(scorer, AP):
        return Arithmetic(terms, float(relevant_count(gains, pool)[topic]))
    if not isinstance(scorer, DiscountedSum):
        return Arithmetic(terms, 1.0)
    by_topic = np.broadcast_to(scorer.normaliser.of(scorer.discount, scorer.depth, gains, pool), len(pool.topics))
    ideal = _ideal(scorer, gains, pool, topic) if isinstance(scorer.normaliser, Ideal) else None
    return Arithmetic(terms, float(by_topic[topic]), ideal)


def how_judged(part: Arithmetic, pool: Assessments, topic: int = 0, aspect: str = "relevance") -> list[str]:
    """Return the judgement at each rank: "relevant" (a document with a gain), "not relevant" or "not assessed".

    >>> from evalcore.data.small_collections import small_collection
    >>> from evalcore.measures import RBP
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["b", "x", "a"]})
    >>> how_judged(arithmetic(RBP(), c.assessments, c.rankings), c.assessments)
    ['not relevant', 'not assessed', 'relevant']
    """
    labelled = pool.documents[(pool.topic == topic) & assessed(pool, aspect)]
    words = np.where(part.terms["gain"] > 0, "relevant", "not relevant")
    result: list[str] = np.where(part.terms["document"].isin(labelled), words, "not assessed").tolist()
    return result


def _line(
    gains: FloatArray, pool: Assessments, rankings: Rankings, system: int, topic: int, cutoff: int | None
) -> tuple[list[str], FloatArray]:
    """Return the documents of one ranking down to the cut-off, and their gains."""
    count = min(int(rankings.length[system, topic]), cutoff or np.iinfo(int).max)
    documents, line = np.full(count, "", dtype=object), np.zeros(count)
    places, rows = rankings.hits(system, topic, count)
    documents[places], line[places] = pool.documents[rows], gains[rows]
    return documents.tolist(), line


def _discounts(scorer: GainMeasure, gains: FloatArray) -> FloatArray:
    """Return the discount of each rank; for AP and ERR it depends on the documents above."""
    ranks = np.arange(1, len(gains) + 1)
    if isinstance(scorer, DiscountedSum):
        return scorer.discount.of(len(gains))
    if isinstance(scorer, AP):
        return np.asarray(np.cumsum(gains) / ranks)
    return np.append(1.0, np.cumprod(1 - gains))[: len(gains)] / ranks


def _terms(documents: list[str], gains: FloatArray, discounts: FloatArray) -> pd.DataFrame:
    contributions = gains * discounts
    columns = {
        "document": documents,
        "gain": gains,
        "discount": discounts,
        "contribution": contributions,
        "running sum": np.cumsum(contributions),
    }
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(documents) + 1, name="rank"))


def _ideal(scorer: DiscountedSum, gains: FloatArray, pool: Assessments, topic: int) -> pd.DataFrame:
    """Return the terms of the ideal order: the topic's assessed documents by descending gain, ties in pool order."""
    rows = np.arange(pool.topic_start[topic], pool.topic_start[topic + 1])
    best = rows[np.argsort(-gains[rows], kind="stable")][: scorer.depth]
    return _terms(pool.documents[best].tolist(), gains[best], scorer.discount.of(len(best)))


def label_steps(measure: TOMA, pool: Assessments) -> pd.DataFrame:
    """Return a table of how TOMA weights each document (row): labels, positions, distance, class and weight.

    There is a position for every aspect. The distance is to the best tuple of labels; classes count from 1, the worst.
    """
    measure = measure.meant_of(pool)
    tuples = pool_tuples(pool, measure.names)
    aspects = measure.names
    order, scales = measure.order(pool), [pool.scale(name) for name in aspects]
    classes = order.class_of(tuples)
    names = [labels_upwards(scale) for scale in scales]
    labels = [", ".join(of[at] for of, at in zip(names, row, strict=True)) for row in tuples.tolist()]
    places = measure.positions(pool)
    positions = {name: np.array(places[name])[column] for name, column in zip(aspects, tuples.T, strict=True)}
    worth = {"distance": order.distances[classes], "class": classes + 1, "weight": measure.weights.of(order)[classes]}
    index = pd.Index(pool.documents, name="document", dtype=object)
    return pd.DataFrame({"labels": labels, **positions, **worth}, index)
