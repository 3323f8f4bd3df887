"""Scores of rankings from a sample of human labels, and from the expectation of all others given a model's labels.

A score that is a sum of the documents' gains, g_d times a weight w_d of its rank, is estimated by the difference
estimator of survey sampling (Cassel, Särndal, Wretman 1976, doi 10.1093/biomet/63.3.615), with the documents of the
sample s and the chance c_d of each to be in it:

    sum over all d of w_d m_d + sum over d in s of w_d (g_d - m_d) / c_d.

It is right on average whatever m_d is, as long as the sample has no part in it, and the more exact the nearer m_d is to
g_d. m_d is the gain that is expected of a document, by the labels that people gave in *other* topics to documents that
systems rank about as high. With human labels alone, all these documents count. With the model's labels, only those with
the same label of the model do; if the model is worthless, these fewer documents tell less. Between the two stands a
weight, 0 to 1, tuned so that the differences g_d - m_d are small (Angelopoulos, Duchi, Zrnic 2023, "PPI++", arXiv
2311.01453), on other topics as well.

nDCG divides by the sum of the ideal order, for which the documents of each grade are counted by the same estimator; the
ratio of two such estimates is right but for a part that shrinks with the sample (Cochran 1977, chapter 6).

Shapes: P pool rows, G grades, T topics, S systems, C classes of documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.errors import InputError
from evalcore.labels.combining.human_labels import BANDS, HumanLabels
from evalcore.labels.judges.rescoring import NONE, Rescorer, grade_places, sums_gains

MOST_BENT = 1.0  # largest correction for a divisor that is poorly known: it halves a sum at most
DOCUMENTS_TO_BELIEVE = 1.0  # weight of the evidence from other classes, in documents of the own class


@dataclass(frozen=True, eq=False)
class Estimates:
    """Scores on the topics with human labels, (T, S), nan elsewhere, and their squared errors.

    `expected` are those that a sample is expected to leave, `seen` those that this one shows. The latter are right on
    average, and vary much where few of a ranking's first documents are in the sample.
    """

    scores: FloatArray
    expected: FloatArray
    seen: FloatArray


@dataclass(frozen=True, eq=False)
class Sampled:
    """A measure whose scores are sums of gains, with a sample of human labels and all labels of a model."""

    scorer: Rescorer
    labels: HumanLabels
    high: IntArray  # (P,) the part of its topic in which a document is, by how high systems rank it

    def __post_init__(self) -> None:
        if why := why_not_in_part(self.scorer):
            raise InputError(why)

    def with_and_without(self) -> tuple[Estimates, Estimates]:
        """The scores with both together, and with human labels alone."""
        return self.estimates(self.weights), self.estimates(np.zeros(self.n_topics))

    def estimates(self, weight: FloatArray) -> Estimates:
        """The scores, with weights (T,) of the expectation from the model's labels; 0 is human labels alone."""
        chances = self.expected(weight)
        predicted, errors = self._gains_of(chances), self._errors(chances)
        sums = self._by_topic(self.scorer.list_weights, predicted + self._inverse * errors)
        squares = self._squares_of_weights
        seen = self._by_topic(squares, self._spread * errors**2)
        expected = self._by_topic(squares, self._unread * self._variances(chances))
        if self.scorer.divides_by_ideal:
            ideal, variance = (ideal[:, None] for ideal in self.ideals(chances))
            sums = sums / ideal
            seen, expected = ((share + sums**2 * variance) / ideal**2 for share in (seen, expected))
        on = self.labels.topics[:, None]
        return Estimates(*(np.where(on, values, np.nan) for values in (sums, expected, seen)))

    def expected(self, weight: FloatArray) -> FloatArray:
        """(P, G) the probability of each grade of each document, from human labels in other topics."""
        at = weight[self._topic][:, None]
        return np.asarray(at * self._by_class + (1 - at) * self._by_rank)

    @cached_property
    def weight(self) -> float:
        """The weight from all topics: 0 if the model's labels let expect nothing of people's, 1 if they do."""
        return float(_slope(self._products.sum(axis=0)))

    @cached_property
    def weights(self) -> FloatArray:
        """(T,) the weight of each topic, from all others."""
        return _slope(self._products.sum(axis=0) - self._products)

    @cached_property
    def n_topics(self) -> int:
        return len(self.scorer.collection.topics)

    def ideals(self, chances: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(T,) what to divide by, from how many documents have each grade, 1 if none gains anything; and the squares
        of the errors of the sums of the ideal orders.

        What a sample says of these numbers beyond what is expected is taken in part, as its error is known: the share
        of its variance over topics that is no error (James, Stein 1961; Efron, Morris 1973). The mean of 1 / ideal over
        what that leaves open is more than 1 / the mean, by the curvature of both (second-order Taylor).
        """
        errors = self._errors_of_grades(chances)
        expected = _sums_by(self._topic, chances * self._in_play[:, None], self.n_topics)
        beyond = _sums_by(self._topic, self._inverse[:, None] * errors, self.n_topics)
        variance = _sums_by(self._topic, self._spread[:, None] * errors**2, self.n_topics)
        on = self.labels.topics
        share = np.maximum(0.0, 1 - divided(variance[on].mean(axis=0), (beyond[on] ** 2).mean(axis=0)))
        counts = np.maximum(expected + share * beyond, 0.0)
        counts *= divided(expected.sum(axis=1), counts.sum(axis=1))[:, None]
        ideal = self._ideal_of(counts)
        known = np.where(ideal > 0, ideal, 1.0)
        more, less = (self._ideals_beside(counts, side * np.sqrt(share * variance)) for side in (1, -1))
        squares = (((more - less) / 2) ** 2).sum(axis=1)
        bent = (more + less - 2 * ideal[:, None]).sum(axis=1) / 2
        return known / (1 + np.clip(squares / known**2 - bent / known, 0.0, MOST_BENT)), squares

    def _ideals_beside(self, counts: FloatArray, steps: FloatArray) -> FloatArray:
        """(T, G) the sums of the ideal orders with as many documents more of one grade, after the other."""
        units = np.eye(counts.shape[1])
        return np.stack([self._ideal_of(np.maximum(counts + unit * steps, 0.0)) for unit in units], axis=1)

    def _ideal_of(self, counts: FloatArray) -> FloatArray:
        """(T,) the sums of the ideal orders, for counts (T, G) of documents of each grade."""
        gains = self.scorer.gain_table[0, :-1] if len(self._topic) else np.zeros(counts.shape[1])
        best = np.argsort(-gains, kind="stable")
        last = np.cumsum(counts[:, best], axis=1)
        reached = self._discounted(np.concatenate([np.zeros((len(last), 1)), last], axis=1))
        return np.asarray(np.diff(reached, axis=1) @ gains[best])

    def _discounted(self, documents: FloatArray) -> FloatArray:
        """(...) the discounts of the first so many ranks, which need not be whole."""
        measure_sum = self.scorer.discounted_sum
        most = int(np.ceil(documents.max(initial=0.0))) + 1
        return np.interp(documents, np.arange(most + 1), np.cumsum(measure_sum.discounts(most)))

    # --- what a sample tells ------------------------------------------------------------------------------------------

    @cached_property
    def _products(self) -> FloatArray:
        """(T, 2) of each topic: how the errors of people alone go with what the model adds; and how large that is."""
        alone = self._gains_of(self._by_rank)
        added = self._gains_of(self._by_class) - alone
        error = np.where(self._sampled, self._given - alone, 0.0)
        size = self._sizes * self._spread
        both = np.column_stack([size * error * added, size * np.where(self._sampled, added, 0.0) ** 2])
        return _sums_by(self._topic, both, self.n_topics)

    def _squares(self, chances: FloatArray) -> float:
        return float((self._sizes * self._spread * self._errors(chances) ** 2).sum())

    def _errors(self, chances: FloatArray) -> FloatArray:
        """(P,) the gain by people's label less the expected one; 0 without such a label."""
        return np.where(self._sampled, self._given - self._gains_of(chances), 0.0)

    def _errors_of_grades(self, chances: FloatArray) -> FloatArray:
        given = self._places[:, None] == np.arange(chances.shape[1])
        return np.where(self._sampled[:, None], given - chances, 0.0)

    def _gains_of(self, chances: FloatArray) -> FloatArray:
        """(P,) the mean gain of documents with these chances (P, G) of each grade; 0 of those that nobody labelled."""
        return np.where(self._in_play, (chances * self.scorer.gain_table[:, :-1]).sum(axis=1), 0.0)

    @cached_property
    def _given(self) -> FloatArray:
        """(P,) the gain by people's label."""
        table = self.scorer.gain_table
        return np.asarray(np.take_along_axis(table, (self._places % table.shape[1])[:, None], axis=1)[:, 0])

    @cached_property
    def _places(self) -> IntArray:
        return grade_places(self.labels.human, self.scorer.grades)

    @property
    def _sampled(self) -> BoolArray:
        return np.asarray(self._places != NONE)

    @cached_property
    def _in_play(self) -> BoolArray:
        """(P,) whether a document has a label of anyone."""
        return self._sampled | ~np.isnan(self.labels.model)

    @cached_property
    def _inverse(self) -> FloatArray:
        """(P,) the number of documents that each one of the sample represents."""
        return np.where(self._sampled, divided(1.0, self.labels.chance), 0.0)

    @cached_property
    def _spread(self) -> FloatArray:
        """(P,) times the square of an error, what it adds to the variance of a sum: (1 - c) / c^2."""
        return np.where(self._sampled, (1 - self.labels.chance) * self._inverse**2, 0.0)

    @cached_property
    def _unread(self) -> FloatArray:
        """(P,) times the variance of a gain, what the chance of a label leaves of a sum's: (1 - c) / c."""
        return np.where(self._in_play, divided(1 - self.labels.chance, self.labels.chance), 0.0)

    def _variances(self, chances: FloatArray) -> FloatArray:
        """(P,) the variance of the gain of documents with these chances (P, G) of each grade."""
        of_grades = self.scorer.gain_table[:, :-1]
        variance = (chances * of_grades**2).sum(axis=1) - (chances * of_grades).sum(axis=1) ** 2
        return np.asarray(np.maximum(variance, 0.0))

    @property
    def _topic(self) -> IntArray:
        return self.scorer.collection.assessments.topic

    @cached_property
    def _sizes(self) -> FloatArray:
        """(P,) the weight of each document in the scores of all systems: the sum of the squares of its weights."""
        squares = self._squares_of_weights
        return np.bincount(squares.indices, squares.data, len(self._topic)).astype(np.float64)

    @cached_property
    def _squares_of_weights(self) -> sparse.csr_array:
        return self.scorer.list_weights.power(2)

    def _by_topic(self, weights: sparse.csr_array, gains: FloatArray) -> FloatArray:
        """(T, S) the sums of gains (P,) with the weights (S * T, P) of each ranking."""
        return np.asarray(weights @ gains).reshape(-1, self.n_topics).T

    # --- what other topics let expect ---------------------------------------------------------------------------------

    @cached_property
    def _by_rank(self) -> FloatArray:
        """(P, G) the chance of each grade for a document that systems rank as high, from human labels alone."""
        of_all = self._shares_elsewhere(np.zeros(len(self._topic), dtype=int), None)
        return self._shares_elsewhere(self.high, of_all)

    @cached_property
    def _by_class(self) -> FloatArray:
        """(P, G) how likely each grade is of a document that systems rank so high and with this label of the model."""
        by_model = grade_places(self.labels.model, self.scorer.grades) + 1
        return self._shares_elsewhere(by_model * BANDS + self.high, self._by_rank)

    def _shares_elsewhere(self, kind: IntArray, otherwise: FloatArray | None) -> FloatArray:
        """(P, G) the shares of the grades among documents of a class (P,) in other topics.

        Each counts for as many as it stands for; `otherwise` (P, G) what counts as a few documents more.
        """
        n_kinds, n_grades = int(kind.max(initial=0)) + 1, len(self.scorer.grades)
        given = (self._places[:, None] == np.arange(n_grades)) * self._inverse[:, None]
        cell = self._topic * n_kinds + kind
        counts = _sums_by(cell, given, self.n_topics * n_kinds).reshape(self.n_topics, n_kinds, n_grades)
        sizes = np.bincount(cell, self._sampled, self.n_topics * n_kinds).reshape(self.n_topics, n_kinds)
        elsewhere, size = (counts.sum(axis=0) - counts)[self._topic, kind], (sizes.sum(axis=0) - sizes)
        shares = divided(elsewhere, elsewhere.sum(axis=1, keepdims=True), 1 / n_grades)
        if otherwise is None:
            return shares
        trust = size[self._topic, kind][:, None]
        return np.asarray((trust * shares + DOCUMENTS_TO_BELIEVE * otherwise) / (trust + DOCUMENTS_TO_BELIEVE))


def why_not_in_part(scorer: Rescorer) -> str:
    """Say why a measure needs whole topics of human labels; "" if a sample of a topic's documents is enough."""
    if not sums_gains(scorer.measure, scorer.collection.assessments):
        return (
            f"expected human labels of whole topics for {scorer.measure}, found some of their documents: its scores "
            "are no sums of the documents' gains, so some of the labels do not determine them"
        )
    table = scorer.gain_table
    if scorer.divides_by_ideal and len(table) and not (table == table[0]).all():
        return (
            f"expected human labels of whole topics for {scorer.measure}, found some of their documents: its ideal "
            "order depends on other labels of each document"
        )
    return ""


def _slope(products: FloatArray) -> FloatArray:
    """(...) how much of what the model adds leaves the smallest errors, within 0 and 1; 1 if it does not matter."""
    return np.clip(divided(products[..., 0], products[..., 1], 1.0), 0.0, 1.0)


def _sums_by(group: IntArray, values: FloatArray, count: int) -> FloatArray:
    """(count, K) sums of values (P, K) by group (P,)."""
    return np.stack([np.bincount(group, column, count) for column in values.T], axis=1)
