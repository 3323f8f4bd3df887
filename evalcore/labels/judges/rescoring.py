"""A measure prepared for many labellings of one aspect: mean scores of all systems under all of them at once.

Shapes: P pool rows, G grades, R labellings, S systems, T topics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.cached import cached_property
from evalcore.common.progress import checkpoint, part
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.measures import Measure, P
from evalcore.measures.base import GainMeasure, as_measure, assessments_of
from evalcore.measures.dcg import CumulatedGain, DiscountedSum
from evalcore.measures.parts.discounts import Ideal, Mass, Unnormalised
from evalcore.measures.parts.hits import ideal_gains
from evalcore.structures.documents import Assessments, Collection

NONE = -1  # in place of a grade: no label
_GAINS_AT_ONCE = 1 << 20


def graded_aspect(measure: Measure | str, collection: Collection, aspect: str | None = None) -> str:
    """Return the aspect whose labels change: `aspect`, or by default the first graded aspect that the measure reads.

    Raises InputError if the measure does not read `aspect`, or if it is a signal.

    >>> import pandas as pd
    >>> from evalcore.data.small_collections import small_collection
    >>> graded_aspect("AP", small_collection(pd.DataFrame({"relevance": [1]}, index=["a"]), {"s": ["a"]}))
    'relevance'
    """
    known = as_measure(measure, collection)
    read = [name for name in map(assessments_of(collection).named, known.columns) if name in collection.aspects]
    if aspect is None and read:
        return read[0]
    if aspect not in read:
        asked = "none" if aspect is None else repr(aspect)
        raise InputError(f"expected an aspect that {known} reads ({', '.join(read) or 'none'}), found {asked}")
    return aspect


def grade_places(values: FloatArray, grades: FloatArray) -> IntArray:
    """Return the position of each label among ascending grades; NONE for a missing label.

    >>> grade_places(np.array([2.0, np.nan, 0.0]), np.array([0.0, 1.0, 2.0])).tolist()
    [2, -1, 0]
    """
    return np.where(np.isnan(values), NONE, np.searchsorted(grades, values))


def grades_with(pool: Assessments, aspect: str, *labels: FloatArray) -> FloatArray:
    """Return the (G,) grades of the scale and any other values in these labels, ascending."""
    known = [values[~np.isnan(values)] for values in labels]
    return np.unique(np.concatenate([np.asarray(pool.scale(aspect).grades, dtype=np.float64), *known]))


def known_grades(collection: Collection, aspect: str, *more: FloatArray) -> FloatArray:
    """Return the (G,) grades of the scale, of the aspect's labels and of `more`, ascending.

    Raises InputError for fewer than two grades.
    """
    pool = collection.assessments
    grades = grades_with(pool, aspect, pool.column(aspect), *more)
    if len(grades) < 2:
        raise InputError(f"expected at least two grades of {aspect}, found {len(grades)}")
    return grades


def with_labels(collection: Collection, aspect: str, labels: FloatArray) -> Collection:
    """Return the collection with these labels (P,) of one aspect."""
    pool = collection.assessments
    return replace(collection, assessments=replace(pool, columns={**pool.columns, aspect: labels}))


def scores_by(measure: Measure, collection: Collection, aspect: str, given: FloatArray) -> FloatArray:
    """Return the (T, S) scores with these labels (P,) of the aspect; 0 on topics without any."""
    scores = measure.scores_on(with_labels(collection, aspect, given))
    return np.nan_to_num(np.asarray(scores, dtype=np.float64).T, nan=0.0, posinf=np.inf, neginf=-np.inf)


@shown
@dataclass(frozen=True, eq=False)
class Rescorer:
    """A measure, a collection and the aspect whose labels change; "places" are indices into the ascending `grades`."""

    measure: Measure
    collection: Collection
    aspect: str
    grades: FloatArray  # (G,)

    def means(self, places: IntArray) -> FloatArray:
        """Return the (R, S) mean scores over topics for R labellings, given as places among the grades (P, R).

        Up to rounding, these are the means of the measure on the collection with each column of labels. A sum of
        discounted gains (RBP, DCG, nDCG, P, and measures that combine aspects into gains for one of these) needs one
        sparse product for all columns; any other measure scores the columns in turn.
        """
        if self._weights is None:
            return self._one_by_one(places)
        step = max(1, _GAINS_AT_ONCE // max(len(places), 1))
        parts = []
        for at in range(0, places.shape[1], step):
            parts.append(self._at_once(places[:, at : at + step]))
            checkpoint(min((at + step) / places.shape[1], 1.0))
        return np.concatenate(parts) if parts else np.empty((0, len(self.collection.systems)))

    def labels(self, places: IntArray) -> FloatArray:
        """Return the labels at these places among the grades; nan for NONE."""
        return np.append(self.grades, np.nan)[places]

    def _one_by_one(self, places: IntArray) -> FloatArray:
        means = np.empty((places.shape[1], len(self.collection.systems)))
        for at in range(len(means)):
            other = with_labels(self.collection, self.aspect, self.labels(places[:, at]))
            with part(at, len(means)):
                means[at] = other.rankings.topic_means(self.measure.scores_on(other))
        return means

    def _at_once(self, places: IntArray) -> FloatArray:
        assert self._weights is not None
        gains = self._gains(places)
        if self.divides_by_ideal:
            gains = divided(gains, self._ideal(gains)[self._pool.topic])
        means: FloatArray = divided(np.asarray(self._weights @ gains).T, self._counted(places), np.nan)
        return means

    def _counted(self, places: IntArray) -> IntArray:
        """Return the (R, S) numbers of topics in means: topics with labels in every column that the measure reads."""
        others = self._pool.covered(name for name in self.measure.columns if self._pool.named(name) != self.aspect)
        rows, labellings = np.nonzero(places != NONE)
        covered = np.zeros((places.shape[1], len(others)), dtype=bool)
        covered[labellings, self._pool.topic[rows]] = True
        return np.asarray(self.collection.rankings.counted(covered=(covered & others)[:, None]).sum(axis=-1))

    def _gains(self, places: IntArray) -> FloatArray:
        table = self.gain_table
        if len(table) and (table == table[0]).all():
            return np.asarray(table[0][places])
        return np.take_along_axis(table, places % table.shape[1], axis=1)

    @property
    def _pool(self) -> Assessments:
        return self.collection.assessments

    @property
    def divides_by_ideal(self) -> bool:
        """True if the measure divides its sums by the sums of the ideal order, as nDCG does."""
        return isinstance(self.discounted_sum.normaliser, Ideal)

    @property
    def discounted_sum(self) -> DiscountedSum:
        """The discounted sum that scores the gains; only for measures whose scores are sums of gains."""
        assert isinstance(self.measure, GainMeasure)
        scorer = self.measure.scorer
        assert isinstance(scorer, DiscountedSum)
        return scorer

    @cached_property
    def gain_table(self) -> FloatArray:
        """The (P, G + 1) gains of each document: a column for each grade, and the last one for no label."""
        assert isinstance(self.measure, GainMeasure)
        columns = []
        for grade in np.append(self.grades, np.nan):
            labels = np.full(len(self._pool), grade)
            pool = with_labels(self.collection, self.aspect, labels).assessments
            columns.append(self.measure.document_gains(pool))
        table = np.column_stack(columns)
        return (table > 0).astype(np.float64) if isinstance(self.measure.scorer, P) else table

    @cached_property
    def _weights(self) -> sparse.csr_array | None:
        """The (S, P) weights of the documents' gains in each system's sum over topics; None if scores are not sums."""
        if not sums_gains(self.measure, self._pool):
            return None
        matrix = self.collection.rankings.system_matrix(self.hit_weights).copy()
        matrix.eliminate_zeros()
        return matrix

    @cached_property
    def list_weights(self) -> sparse.csr_array:
        """The (S * T, P) weights of the documents' gains in the score of each ranking; for nDCG, in its DCG."""
        matrix = self.collection.rankings.matrix(self.hit_weights).copy()
        matrix.eliminate_zeros()
        return matrix

    @cached_property
    def hit_weights(self) -> FloatArray:
        """The (H,) discounts of hits, divided by the normaliser unless it is the sum of the ideal order."""
        scorer = self.discounted_sum
        weights = scorer.weights(self.collection.rankings)
        if isinstance(scorer.normaliser, Ideal):
            return weights
        by = scorer.normaliser.of(scorer.discount, scorer.depth, np.zeros(len(self._pool)), self._pool)
        return np.asarray(weights / by)

    def _ideal(self, gains: FloatArray) -> FloatArray:
        """Return the (T, R) sums of the ideal orders for gains (P, R), a column for each labelling."""
        best = ideal_gains(gains.T, self._pool)[..., : self.discounted_sum.depth]
        return np.asarray((best @ self.discounted_sum.discount.of(best.shape[-1])).T)


def sums_gains(measure: Measure | str, pool: Assessments) -> bool:
    """Return true if scores are sums of discounted gains, each of which depends only on its document's labels.

    Then many labellings can be scored with one sparse product.
    """
    known = as_measure(measure, pool)
    if not isinstance(known, GainMeasure):
        return False
    scorer = known.scorer
    if not isinstance(scorer, DiscountedSum) or known.needs_whole_pool(pool):
        return False
    plain = type(scorer).score_gains is DiscountedSum.score_gains
    whole_lists = isinstance(scorer, CumulatedGain | P) and not scorer.judged_only
    return (plain or whole_lists) and isinstance(scorer.normaliser, Unnormalised | Mass | Ideal)
