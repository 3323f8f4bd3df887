"""Scores of rankings, estimated from a sample of human labels; the missing labels are predicted from a model's labels.

A score that is a sum of the documents' gains, g_d times a weight w_d of its rank, is estimated by the difference
estimator of survey sampling (Cassel, Särndal, Wretman 1976, doi 10.1093/biomet/63.3.615), with the documents of the
sample s and the inclusion probability c_d of each:

    sum over all d of w_d m_d + sum over d in s of w_d (g_d - m_d) / c_d.

It is unbiased for any m_d that does not depend on the sample, and more precise if m_d is near g_d. m_d is the expected
gain of a document: the mean gain of documents at similar ranks that have human labels in *other* topics. Without the
model, all these documents count; with it, only documents with the same model label. These are fewer, so m_d is
worse if the model is worthless. The model's weight, from 0 to 1, is tuned on other topics to make the differences
g_d - m_d small (Angelopoulos, Duchi, Zrnic 2023, "PPI++", arXiv 2311.01453).

nDCG divides by the sum of the ideal order. To estimate it, the same estimator counts the documents of each grade; the
ratio of two estimates has a bias that shrinks with the size of the sample (Cochran 1977, chapter 6).

Shapes: P pool rows, G grades, T topics, S systems, C classes of documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.common.cached import cached_property
from evalcore.errors import InputError
from evalcore.labels.combining.human_labels import BANDS, HumanLabels
from evalcore.labels.judges.rescoring import NONE, Rescorer, grade_places, sums_gains

MOST_BENT = 1.0  # largest correction for an uncertain divisor: it halves a sum at most
DOCUMENTS_TO_BELIEVE = 1.0  # weight of the evidence from other classes, in documents of the class itself


@dataclass(frozen=True, eq=False)
class Estimates:
    """Scores on topics with human labels, (T, S) with nan on other topics, and their squared errors.

    `expected` are the squared errors to expect from samples of this kind; `seen` are estimated from this sample: they
    are unbiased, but vary widely if few of a ranking's first documents are in the sample.
    """

    scores: FloatArray
    expected: FloatArray
    seen: FloatArray


@dataclass(frozen=True, eq=False)
class Sampled:
    """A measure (its scores must be sums of gains), a sample of human labels, and all labels of a model.

    Raises InputError if the measure needs human labels of whole topics.
    """

    scorer: Rescorer
    labels: HumanLabels
    high: IntArray  # (P,) height band of each document within its topic

    def __post_init__(self) -> None:
        if why := why_not_in_part(self.scorer):
            raise InputError(why)

    def with_and_without(self) -> tuple[Estimates, Estimates]:
        """Return the estimates with both kinds of labels, and the estimates with only the human labels."""
        return self.estimates(self.weights), self.estimates(np.zeros(self.n_topics))

    def estimates(self, weight: FloatArray) -> Estimates:
        """Return the estimates; `weight` (T,) is the weight of the model's labels, 0 to ignore them."""
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
        """Return the (P, G) probabilities of the grades of each document, predicted from labels in other topics."""
        at = weight[self._topic][:, None]
        return np.asarray(at * self._by_class + (1 - at) * self._by_rank)

    @cached_property
    def weight(self) -> float:
        """The weight of the model's labels, tuned on all topics: from 0 (they do not predict human labels) to 1."""
        return float(_slope(self._products.sum(axis=0)))

    @cached_property
    def weights(self) -> FloatArray:
        """The (T,) weight of the model's labels on each topic, tuned on all other topics."""
        return _slope(self._products.sum(axis=0) - self._products)

    @cached_property
    def n_topics(self) -> int:
        return len(self.scorer.collection.topics)

    def ideals(self, chances: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return estimates (T,) of the sums of the ideal orders, by which scores are divided, and their squared errors.

        The sums follow from the number of documents of each grade; the sum is 1 for a topic without gains. The sample's
        deviations from the expected numbers are multiplied by the share of their variance over topics that is not
        sampling error (James, Stein 1961; Efron, Morris 1973). As 1 / x is convex, the mean of 1 / ideal exceeds
        1 / the mean; a second-order term corrects this.
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
        """Return the (T, G) sums of the ideal orders if `steps` (T, G) documents are added to one grade at a time."""
        units = np.eye(counts.shape[1])
        return np.stack([self._ideal_of(np.maximum(counts + unit * steps, 0.0)) for unit in units], axis=1)

    def _ideal_of(self, counts: FloatArray) -> FloatArray:
        """Return the (T,) sums of the ideal orders from the number of documents of each grade (T, G)."""
        gains = self.scorer.gain_table[0, :-1] if len(self._topic) else np.zeros(counts.shape[1])
        best = np.argsort(-gains, kind="stable")
        last = np.cumsum(counts[:, best], axis=1)
        reached = self._discounted(np.concatenate([np.zeros((len(last), 1)), last], axis=1))
        return np.asarray(np.diff(reached, axis=1) @ gains[best])

    def _discounted(self, documents: FloatArray) -> FloatArray:
        """Return the (...) sums of discounts of the first `documents` ranks, interpolated for fractional numbers."""
        measure_sum = self.scorer.discounted_sum
        most = int(np.ceil(documents.max(initial=0.0))) + 1
        return np.interp(documents, np.arange(most + 1), np.cumsum(measure_sum.discounts(most)))

    # --- the sample ---------------------------------------------------------------------------------------------------

    @cached_property
    def _products(self) -> FloatArray:
        """The (T, 2) sums from which the weight is tuned.

        The first column sums the products of the errors without the model and the model's corrections; the second sums
        the squares of these corrections.
        """
        alone = self._gains_of(self._by_rank)
        added = self._gains_of(self._by_class) - alone
        error = np.where(self._sampled, self._given - alone, 0.0)
        size = self._sizes * self._spread
        both = np.column_stack([size * error * added, size * np.where(self._sampled, added, 0.0) ** 2])
        return _sums_by(self._topic, both, self.n_topics)

    def _squares(self, chances: FloatArray) -> float:
        return float((self._sizes * self._spread * self._errors(chances) ** 2).sum())

    def _errors(self, chances: FloatArray) -> FloatArray:
        """Return the (P,) gains with the human label minus the expected gains; 0 without a human label."""
        return np.where(self._sampled, self._given - self._gains_of(chances), 0.0)

    def _errors_of_grades(self, chances: FloatArray) -> FloatArray:
        given = self._places[:, None] == np.arange(chances.shape[1])
        return np.where(self._sampled[:, None], given - chances, 0.0)

    def _gains_of(self, chances: FloatArray) -> FloatArray:
        """Return the (P,) expected gains from the probabilities (P, G) of grades; 0 for documents without any label."""
        return np.where(self._in_play, (chances * self.scorer.gain_table[:, :-1]).sum(axis=1), 0.0)

    @cached_property
    def _given(self) -> FloatArray:
        """The (P,) gains with the human labels; a document without one has the gain of an unlabelled document."""
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
        """The (P,) mask of documents with a human label or a model label."""
        return self._sampled | ~np.isnan(self.labels.model)

    @cached_property
    def _inverse(self) -> FloatArray:
        """The (P,) numbers of documents that sampled documents represent, 1 / c; 0 for documents not in the sample."""
        return np.where(self._sampled, divided(1.0, self.labels.chance), 0.0)

    @cached_property
    def _spread(self) -> FloatArray:
        """The (P,) factors (1 - c) / c^2 that turn a squared error into its part in the variance of a sum."""
        return np.where(self._sampled, (1 - self.labels.chance) * self._inverse**2, 0.0)

    @cached_property
    def _unread(self) -> FloatArray:
        """The (P,) factors (1 - c) / c that turn the variance of a gain into its part in the variance of a sum."""
        return np.where(self._in_play, divided(1 - self.labels.chance, self.labels.chance), 0.0)

    def _variances(self, chances: FloatArray) -> FloatArray:
        """Return the (P,) variances of gains from the probabilities (P, G) of grades."""
        of_grades = self.scorer.gain_table[:, :-1]
        variance = (chances * of_grades**2).sum(axis=1) - (chances * of_grades).sum(axis=1) ** 2
        return np.asarray(np.maximum(variance, 0.0))

    @property
    def _topic(self) -> IntArray:
        return self.scorer.collection.assessments.topic

    @cached_property
    def _sizes(self) -> FloatArray:
        """The (P,) sums, over systems, of the squared weights of each document in their scores."""
        squares = self._squares_of_weights
        return np.bincount(squares.indices, squares.data, len(self._topic)).astype(np.float64)

    @cached_property
    def _squares_of_weights(self) -> sparse.csr_array:
        return self.scorer.list_weights.power(2)

    def _by_topic(self, weights: sparse.csr_array, gains: FloatArray) -> FloatArray:
        """Return the (T, S) sums of gains (P,) with the weights (S * T, P) of each ranking."""
        return np.asarray(weights @ gains).reshape(-1, self.n_topics).T

    # --- expectations from other topics -------------------------------------------------------------------------------

    @cached_property
    def _by_rank(self) -> FloatArray:
        """The (P, G) probabilities of the grades given the band of the document's ranks, without the model's label."""
        of_all = self._shares_elsewhere(np.zeros(len(self._topic), dtype=int), None)
        return self._shares_elsewhere(self.high, of_all)

    @cached_property
    def _by_class(self) -> FloatArray:
        """The (P, G) probabilities of the grades given the band of the document's ranks and the model's label."""
        by_model = grade_places(self.labels.model, self.scorer.grades) + 1
        return self._shares_elsewhere(by_model * BANDS + self.high, self._by_rank)

    def _shares_elsewhere(self, kind: IntArray, otherwise: FloatArray | None) -> FloatArray:
        """Return the (P, G) shares of the grades among the sampled documents of the same class in other topics.

        `kind` (P,) is the class. A document counts as often as the number of documents that it represents; `otherwise`
        (P, G) are prior shares with the weight of one document.
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
    """Return why a measure needs human labels of whole topics; "" if a sample of a topic's documents is enough."""
    if not sums_gains(scorer.measure, scorer.collection.assessments):
        return (
            f"expected human labels of whole topics for {scorer.measure}, found some of their documents: its scores "
            "are not sums of the documents' gains, so some of the labels do not determine them"
        )
    table = scorer.gain_table
    if scorer.divides_by_ideal and len(table) and not (table == table[0]).all():
        return (
            f"expected human labels of whole topics for {scorer.measure}, found some of their documents: its ideal "
            "order depends on other labels of each document"
        )
    return ""


def _slope(products: FloatArray) -> FloatArray:
    """Return the (...) weight of the model's corrections that minimises errors, 0 to 1; 1 if all corrections are 0."""
    return np.clip(divided(products[..., 0], products[..., 1], 1.0), 0.0, 1.0)


def _sums_by(group: IntArray, values: FloatArray, count: int) -> FloatArray:
    """Return the (count, K) sums of values (P, K) by group (P,)."""
    return np.stack([np.bincount(group, column, count) for column in values.T], axis=1)
