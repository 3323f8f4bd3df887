"""Coefficients of agreement between sources of labels, with their intervals.

Everything is computed from counts of pairs of labels: the documents of a topic with grade k from one source and
grade l from the other. Counts add up over topics, so the table without one topic is a difference of two tables.
Intervals are over topics and not over documents, as the labels of a topic's documents depend on each other.

Shapes: P pool rows, J sources, T topics, G grades; (..., G, G) is any number of tables of counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.constants import COEFFICIENTS
from evalcore.common.short_forms import shown
from evalcore.drawing import figures
from evalcore.errors import InputError, check_level
from evalcore.labels.judges.jackknife import FEWEST_AGREED, FEWEST_DOCUMENTS, FEWEST_UNITS, jackknife_interval
from evalcore.labels.judges.rescoring import grade_places, grades_with
from evalcore.measures.base import assessments_of
from evalcore.meta.resampling import Interval
from evalcore.structures.documents import Assessments, Collection
from evalcore.structures.sources import Sources

ABOUT: Mapping[str, str] = {
    "agreement": "the share of documents with the same label from both sources, including agreement by chance",
    "kappa": "1 - observed / expected disagreement, with the disagreement expected if each source gave each grade as "
    "often as it does, but at random (Cohen 1960; weighted 1968)",
    "alpha": "1 - observed / expected disagreement, with the disagreement expected if the labels of all sources were "
    "mixed; works for any number of sources, even if some labels are missing (Krippendorff 2011)",
    "AC": "(agreement - agreement by chance) / (1 - agreement by chance); chance is small if almost all "
    "labels have one grade, and AC is then higher than kappa (Gwet 2008: AC1; weighted: AC2)",
}
MOST_GRADES = 50
_WHOLE = ("agreement", "AC")  # coefficients that use all documents


# --- coefficients -----------------------------------------------------------------------------------------------------


def kappa(counts: ArrayLike, weights: ArrayLike) -> FloatArray:
    """Return the (...) Cohen's kappa of counts (..., G, G), with agreement weights (G, G) that are 1 on the diagonal.

    1 - sum of (1 - w_kl) p_kl / sum of (1 - w_kl) p_k. p_.l (Cohen 1960; 1968, Eq. 4). At most 1, and 0 for the
    agreement expected by chance; nan without labels, or if no disagreement is expected, as all labels are equal.

    >>> round(float(kappa([[88, 14, 18], [10, 40, 10], [2, 6, 12]], np.eye(3))), 3)  # Cohen 1960, Table 2
    0.492
    """
    counted, apart = np.asarray(counts, dtype=np.float64), 1 - np.asarray(weights, dtype=np.float64)
    total = counted.sum(axis=(-2, -1))
    chance = counted.sum(axis=-1)[..., :, None] * counted.sum(axis=-2)[..., None, :]
    observed, expected = (counted * apart).sum(axis=(-2, -1)) * total, (chance * apart).sum(axis=(-2, -1))
    return 1 - divided(observed, expected, np.nan)


def alpha(coincidences: ArrayLike, distances: Distances) -> FloatArray:
    """Return the (...) Krippendorff's alpha of coincidences (..., G, G), with the squared distances of grades.

    1 - (n - 1) * sum of o_kl d_kl / sum of n_k n_l d_kl, where o_kl counts the pairs of labels within documents, each
    pair in both orders and weighted by 1 / (labels of the document - 1), and n_k = sum over l of o_kl (Krippendorff
    2011, "Computing Krippendorff's alpha-reliability"). nan if all labels have the same grade, or none are paired.

    >>> round(float(alpha([[8, 2], [2, 8]], lambda margins: 1 - np.eye(2))), 4)  # 1 - 19 * 4 / 200
    0.62
    """
    counted = np.asarray(coincidences, dtype=np.float64)
    margins = counted.sum(axis=-1)
    apart = distances(margins)
    chance = margins[..., :, None] * margins[..., None, :]
    observed = (counted * apart).sum(axis=(-2, -1)) * np.maximum(margins.sum(axis=-1) - 1, 0)
    return 1 - divided(observed, (chance * apart).sum(axis=(-2, -1)), np.nan)


def gwet(shares: ArrayLike, weights: ArrayLike) -> FloatArray:
    """Return the (...) Gwet's AC1 or AC2 of pairs of labels (..., G, G), to which each document adds the same total.

    (pa - pe) / (1 - pe) with pa = sum of w_kl p_kl and pe = sum of w_kl / (G (G - 1)) * sum of pi_k (1 - pi_k), where
    pi_k is the share of grade k among the labels and G the number of possible grades (Gwet 2008, Eq. 5;
    2014, chapter 5). With unit weights it is AC1. nan for a scale of one grade, and without documents.

    >>> round(float(gwet([[118, 5], [2, 0]], np.eye(2))), 4)  # where kappa is below 0
    0.9408
    """
    shared, alike = np.asarray(shares, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    grades, total = len(alike), shared.sum(axis=(-2, -1))
    if grades < 2:
        return np.full(total.shape, np.nan)
    observed = divided((shared * alike).sum(axis=(-2, -1)), total, np.nan)
    given = divided((shared.sum(axis=-1) + shared.sum(axis=-2)) / 2, total[..., None], np.nan)
    expected = alike.sum() / (grades * (grades - 1)) * (given * (1 - given)).sum(axis=-1)
    return np.asarray((observed - expected) / (1 - expected))


def specific_agreement(counts: ArrayLike) -> FloatArray:
    """Return the (..., G) specific agreement on each grade: 2 n_kk / (n_k. + n_.k), the share of its labels that agree.

    With two grades these are positive and negative agreement (Cicchetti & Feinstein 1990). nan for unused grades.

    >>> specific_agreement([[40, 5], [5, 0]]).round(3).tolist()
    [0.889, 0.0]
    """
    counted = np.asarray(counts, dtype=np.float64)
    both = np.diagonal(counted, axis1=-2, axis2=-1)
    return divided(2 * both, counted.sum(axis=-1) + counted.sum(axis=-2), np.nan)


def agreement_weights(grades: Sequence[float], kind: str) -> FloatArray:
    """Return the (G, G) agreement weights of pairs of grades: 1 if equal, 0 for the two ends of the scale.

    "none": 1 if equal, else 0; "linear": 1 - |k - l| / range; "quadratic": 1 - (k - l)^2 / range^2 (Cohen 1968), with
    grades as numbers. Raises InputError for any other kind.

    >>> agreement_weights((0, 1, 3), "linear").round(2).tolist()
    [[1.0, 0.67, 0.0], [0.67, 1.0, 0.33], [0.0, 0.33, 1.0]]
    """
    values = np.asarray(grades, dtype=np.float64)
    if kind == "none":
        return np.eye(len(values))
    if kind not in COEFFICIENTS["kappa"]:
        raise InputError(f"expected weights {', '.join(COEFFICIENTS['kappa'])}, found {kind!r}")
    gaps = np.abs(values[:, None] - values[None]) / max(float(np.ptp(values)), 1e-300)
    return np.asarray(1 - (gaps if kind == "linear" else gaps**2))


Distances = Callable[[FloatArray], FloatArray]
"""A function from the number of labels of each grade (..., G) to the squared distances of grades (..., G, G)."""


def alpha_distances(grades: Sequence[float], kind: str) -> Distances:
    """Return a function from the numbers of labels by grade to Krippendorff's squared distances between grades.

    "nominal": 0 for equal grades, else 1; "ordinal": (n_k / 2 + number of labels between + n_l / 2)^2; "interval":
    (k - l)^2, divided by the squared range. Raises InputError for any other kind.
    """
    values = np.asarray(grades, dtype=np.float64)
    if kind == "ordinal":
        return _ordinal_distances
    if kind not in COEFFICIENTS["alpha"]:
        raise InputError(f"expected one of the metrics {', '.join(COEFFICIENTS['alpha'])}, found {kind!r}")
    same = 1 - np.eye(len(values))
    scaled = (values[:, None] - values[None]) / max(float(np.ptp(values)), 1e-300)
    fixed = same if kind == "nominal" else scaled**2
    return lambda margins: fixed


def _ordinal_distances(margins: FloatArray) -> FloatArray:
    middle = np.cumsum(margins, axis=-1) - margins / 2  # midrank of each grade among all labels
    return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)


# --- pairs of labels --------------------------------------------------------------------------------------------------


def paired_labels(
    places: IntArray, topic: IntArray, shape: tuple[int, int], each: Literal["label", "document"]
) -> FloatArray:
    """Return the (T, G, G) numbers of pairs of labels within documents, by topic.

    `places` (J, P) are indices of the labels among G grades, -1 for no label; `topic` (P,) is the topic of each
    document, `shape` is (T, G). Both orders of a pair count. A document with m > 1 labels adds m in total ("label", as
    in alpha) or 1 ("document", as in AC); other documents add nothing.
    """
    n_topics, n_grades = shape
    given = np.stack([(places == grade).sum(axis=0) for grade in range(n_grades)], axis=1).astype(np.float64)  # (P, G)
    count = given.sum(axis=1)
    paired = count > 1
    given, count, at = given[paired], count[paired], topic[paired]
    share = 1 / (count - 1) / (1.0 if each == "label" else count)
    counts = np.zeros((n_topics, n_grades, n_grades))
    for grade in range(n_grades):
        others = given.copy()
        others[:, grade] -= 1  # a label does not pair with itself
        weight = given[:, grade] * share
        for other in range(n_grades):
            counts[:, grade, other] = np.bincount(at, weight * others[:, other], minlength=n_topics)
    return counts


def pair_counts(first: IntArray, second: IntArray, topic: IntArray, shape: tuple[int, int]) -> FloatArray:
    """Return the (T, G, G) numbers of documents by topic, grade of the first source and grade of the second source.

    `first` and `second` (P,) are indices of grades, -1 for no label; `topic` (P,) is the topic of each document,
    `shape` is (T, G). Only documents that both sources labelled count.

    >>> pair_counts(np.array([0, 1, 1]), np.array([0, 0, -1]), np.zeros(3, dtype=int), (1, 2)).tolist()
    [[[1.0, 0.0], [1.0, 0.0]]]
    """
    both = (first >= 0) & (second >= 0)
    counts = np.zeros((*shape, shape[1]))
    np.add.at(counts, (topic[both], first[both], second[both]), 1.0)
    return counts


# --- the sources of a collection --------------------------------------------------------------------------------------


@shown
@dataclass(frozen=True, eq=False)
class Agreement:
    """Labels of two or more sources for the same documents of a collection, and their agreement.

    `topics` are the topics with documents that at least two sources labelled, `documents` the numbers of these
    documents. `counts` (T, G, G) are for the first two sources, with the first source's grades in rows. `labels` and
    `shares` count the pairs of labels of all sources (`paired_labels`).
    """

    aspect: str
    sources: tuple[str, ...]
    grades: tuple[float, ...]  # ascending
    names: tuple[str, ...]  # names of the grades
    topics: tuple[str, ...]
    documents: IntArray  # (T,)
    counts: FloatArray  # (T, G, G)
    labels: FloatArray  # (T, G, G)
    shares: FloatArray  # (T, G, G)
    level: float = 0.95
    labelled: int = 0  # documents that any source labelled

    @property
    def n_documents(self) -> int:
        return int(self.documents.sum())

    def coefficient(self, name: str = "kappa", weights: str = "") -> Interval:
        """Return a coefficient over all topics, with its interval from `jackknife_interval`.

        `weights` is one of the weights that COEFFICIENTS lists for the coefficient, by default the first. If there is
        no interval, both ends are nan, and `why_no_interval` gives the reason. Raises InputError for unknown
        coefficients and weights.
        """
        pairs, of = self._way(name, weights)
        total = pairs.sum(axis=0)
        estimate = float(of(total))
        holds = self._rests(name, weights), self._agreed(name)
        low, high = jackknife_interval(estimate, of(total - pairs), *holds, self.level, share=name == "agreement")
        return Interval(estimate, float(low), float(high))

    def coefficients(self) -> pd.DataFrame:
        """Return a row for every coefficient and kind of weights: coefficient, weights, value, low, high, documents.

        For more than two sources there are only alpha and AC, which use all sources.
        """
        asked = [(name, way) for name, ways in COEFFICIENTS.items() for way in ways if self._applies(name)]
        rows = []
        for name, way in asked:
            value = self.coefficient(name, way)
            rows.append((name, way, value.estimate, value.low, value.high, self.n_documents))
        return pd.DataFrame(rows, columns=["coefficient", "weights", "value", "low", "high", "documents"])

    def by_topic(self, name: str = "kappa", weights: str = "") -> pd.DataFrame:
        """Return a coefficient on each topic: topics x (documents, agreement, value, low, high).

        Only the first two sources are compared. Intervals leave out the topic's documents one by one. Undefined values
        and intervals are nan.
        """
        pairs, of = self._way(name, weights)

        def value(counts: FloatArray) -> FloatArray:
            return of(counts if pairs is self.counts else counts + np.swapaxes(counts, -1, -2))

        count = self.counts.sum(axis=(1, 2))
        table = pd.DataFrame(
            {
                "documents": count.astype(int),
                "agreement": divided(_diagonal(self.counts), count, np.nan),
                "value": value(self.counts),
            },
            index=pd.Index(self.topics, name="topic", dtype=object),
        )
        ends = np.array([self._within(name, weights, counts, value) for counts in self.counts]).reshape(-1, 2)
        return table.assign(low=ends[:, 0], high=ends[:, 1])

    def by_grade(self) -> pd.DataFrame:
        """Return specific agreement on each grade: a table with a row for each grade.

        Columns: name; the numbers of labels by each of the first two sources, and by both; value, low and high. Values
        are those of `specific_agreement` for these sources, with intervals over topics. Grades ascend.
        """
        table, values = self.counts.sum(axis=0), specific_agreement(self.counts.sum(axis=0))
        rests = (self.counts.sum(axis=1) + self.counts.sum(axis=2)) / 2
        without = specific_agreement(table - self.counts)
        low, high = jackknife_interval(values, without, rests, np.diagonal(table), self.level, share=True)
        a, b = (f"by {name}" for name in self.sources[:2])
        columns = {
            "name": list(self.names),
            a: table.sum(axis=1).astype(int),
            b: table.sum(axis=0).astype(int),
            "by both": np.diagonal(table).astype(int),
            "value": values,
            "low": low,
            "high": high,
        }
        return pd.DataFrame(columns, index=pd.Index(self.grades, name="grade"))

    def confusion(self) -> pd.DataFrame:
        """Return counts of documents by the grades from the first source (rows) and the second (columns)."""
        index = pd.Index(self.grades, name=self.sources[0])
        columns = pd.Index(self.grades, name=self.sources[1])
        return pd.DataFrame(self.counts.sum(axis=0).astype(int), index=index, columns=columns)

    def by_chance(self) -> float:
        """Return the share of equal labels to expect if the first two sources assigned their labels at random.

        Sum over grades k of p_k. p_.k, from the margins of the confusion matrix (Cohen 1960); nan without documents.
        """
        table = divided(self.counts.sum(axis=0), float(self.n_documents), np.nan)
        return float(table.sum(axis=1) @ table.sum(axis=0))

    def higher(self) -> tuple[int, int]:
        """Return how many documents the first source graded higher, and how many the second source graded higher."""
        table = self.counts.sum(axis=0)
        return int(np.tril(table, -1).sum()), int(np.triu(table, 1).sum())

    def cells(self) -> pd.DataFrame:
        """Return the confusion matrix as rows, with each cell's share of its row and the share's interval over topics.

        Columns: the two grades, documents, share (of the documents to which the first source gave this grade; nan if
        there are none), low, high.
        """
        table = self.counts.sum(axis=0)
        shares, without = (
            divided(counts, counts.sum(axis=-1, keepdims=True), np.nan) for counts in (table, table - self.counts)
        )
        rests = self.counts.sum(axis=2, keepdims=True)
        low, high = jackknife_interval(shares, without, rests, table, self.level, share=True)
        first, second = np.meshgrid(self.grades, self.grades, indexing="ij")
        a, b = (f"label of {name}" for name in self.sources[:2])
        columns = {a: first, b: second, "documents": table.astype(int), "share": shares, "low": low, "high": high}
        return pd.DataFrame({name: values.ravel() for name, values in columns.items()})

    def why_undefined(self, name: str) -> str:
        """Return why a coefficient has no value over all topics; "" if it has one."""
        if not self.n_documents:
            return "no document has labels from both sources" if len(self.sources) == 2 else "no document has 2 labels"
        if name == "AC" and len(self.grades) < 2:
            return "the scale has one grade"
        used = np.flatnonzero(self.labels.sum(axis=(0, 1)))
        if len(used) == 1 and name in ("kappa", "alpha"):
            return f"all labels are {self.names[used[0]]}, so no disagreement is expected by chance"
        return ""

    def why_no_interval(self, name: str = "kappa", weights: str = "") -> str:
        """Return why a coefficient over all topics has a value but no interval; "" if it has both or neither."""
        value = self.coefficient(name, weights)
        if np.isnan(value.estimate) or not np.isnan(value.low):
            return ""
        if len(self.topics) < FEWEST_UNITS:
            return f"there are fewer than {FEWEST_UNITS} topics"
        beyond_chance = name not in _WHOLE
        if self._rests(name, weights).sum() < FEWEST_DOCUMENTS:
            which = " whose labels would be expected to differ by chance" if beyond_chance else ""
            return f"there are fewer than {FEWEST_DOCUMENTS} documents{which}"
        if self._agreed(name) < FEWEST_AGREED:
            which = "a less frequent grade" if beyond_chance else "the same grade"
            return f"fewer than {FEWEST_AGREED} documents have {which} from both"
        pairs, of = self._way(name, weights)
        if np.isnan(of(pairs.sum(axis=0) - pairs)).any():
            return "it is undefined if one of the topics is left out"
        return "it is the same whichever topic is left out, so topics show no variation"

    def _rests(self, name: str, weights: str) -> FloatArray:
        """Return the (T,) numbers of documents that are evidence for a coefficient, by topic.

        For agreement and AC, these are all documents; for kappa and alpha, the documents whose two labels would differ
        by chance, because a grade that nearly all documents have is no evidence.
        """
        whole = self.documents.astype(np.float64)
        if name in _WHOLE:
            return whole
        return whole * _by_chance(self.labels, whole, self._distances(name, weights))

    def _distances(self, name: str, weights: str) -> Distances:
        """Return a function from the numbers of labels by grade to the distances between grades, for kappa or alpha."""
        kind = weights or COEFFICIENTS[name][0]
        if name == "alpha":
            return alpha_distances(self.grades, kind)
        apart = 1 - agreement_weights(self.grades, kind)
        return lambda margins: apart

    def _agreed(self, name: str) -> float:
        return _agreed(name, self.shares.sum(axis=0))

    def _way(self, name: str, weights: str) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        """Return the (T, G, G) counts that a coefficient uses, and the function from counts to the coefficient.

        Raises InputError for unknown coefficients and weights.
        """
        if name not in COEFFICIENTS or not self._applies(name):
            known = ", ".join(coefficient for coefficient in COEFFICIENTS if self._applies(coefficient))
            raise InputError(f"expected one of the coefficients {known}, found {name!r}")
        kind = weights or COEFFICIENTS[name][0]
        if kind not in COEFFICIENTS[name]:
            raise InputError(f"expected {name} with weights {', '.join(COEFFICIENTS[name])}, found {kind!r}")
        if name == "alpha":
            distances = alpha_distances(self.grades, kind)
            return self.labels, lambda pairs: alpha(pairs, distances)
        if name == "agreement":
            return self.counts, lambda pairs: divided(_diagonal(pairs), pairs.sum(axis=(-2, -1)), np.nan)
        alike = agreement_weights(self.grades, kind)
        if name == "kappa":
            return self.counts, lambda pairs: kappa(pairs, alike)
        return self.shares, lambda pairs: gwet(pairs, alike)

    def _applies(self, name: str) -> bool:
        return len(self.sources) == 2 or name in ("alpha", "AC")

    def _within(
        self, name: str, weights: str, counts: FloatArray, value: Callable[[FloatArray], FloatArray]
    ) -> tuple[float, float]:
        """Return the interval (low, high) of a coefficient over the documents of one topic, from its counts (G, G)."""
        first, second = np.nonzero(counts)
        one_of_each = np.zeros((len(first), *counts.shape))
        one_of_each[np.arange(len(first)), first, second] = 1.0
        both = counts + counts.T
        rests = np.ones(len(first))
        if name not in _WHOLE:
            pairs = one_of_each + np.swapaxes(one_of_each, 1, 2)
            rests = _by_chance(pairs, counts[first, second], self._distances(name, weights))
        low, high = jackknife_interval(
            value(counts),
            value(counts - one_of_each),
            rests,
            _agreed(name, both / 2),
            self.level,
            times=counts[first, second],
            share=name == "agreement",
        )
        return float(low), float(high)

    def figure(self, **options: Any) -> Any:
        """Draw the confusion matrix of the first two sources, the highest grade first."""
        order = list(reversed(self.grades))
        names = [name for _, name in sorted(zip(self.grades, self.names, strict=True), reverse=True)]
        return figures().confusion_matrix(self.confusion().loc[order, order], names, **options)


def _by_chance(pairs: FloatArray, documents: FloatArray, distances: Distances) -> FloatArray:
    """Return, for each unit (U,) with pairs (U, G, G), the share of its documents whose labels would differ by chance.

    The mean share over all documents is the chance that a label differs from a randomly drawn one. Units whose grades
    are far from the other grades have a larger share.
    """
    given = pairs.sum(axis=-1)
    given = divided(given, given.sum(axis=-1, keepdims=True))
    shares = divided(documents @ given, documents.sum())
    far = given @ (distances(shares) @ shares)
    return np.asarray(far * divided(documents @ (given @ (1 - shares)), documents @ far))


def _agreed(name: str, shares: FloatArray) -> float:
    """Return how many documents have equal labels that count as agreement, from the pairs (G, G) of all documents.

    For kappa and alpha, the most frequent grade does not count, as sources agree on it by chance.
    """
    same = np.diagonal(shares)
    commonest = shares.sum(axis=0).argmax()
    return float(same.sum() if name in _WHOLE else np.delete(same, commonest).sum())


def _diagonal(counts: FloatArray) -> FloatArray:
    return np.asarray(np.diagonal(counts, axis1=-2, axis2=-1).sum(axis=-1))


def aspect_with_sources(pool: Assessments, aspect: str | None = None) -> str:
    """Return `aspect`, by default the first aspect with several sources. Raises InputError without several sources."""
    having = [name for name, sources in pool.sources.items() if len(sources.names) > 1]
    if aspect is not None and aspect in having:
        return aspect
    if aspect is None and having:
        return having[0]
    asked = "an aspect with several sources of labels" if aspect is None else f"several sources of {aspect!r}"
    aspects = f"them only for {', '.join(having)}" if having else "none"
    raise InputError(f"expected {asked}, found {aspects}")


def source_agreement(
    collection: Collection, sources: Sequence[str] = (), aspect: str | None = None, *, level: float = 0.95
) -> Agreement:
    """Return the agreement of sources of an aspect's labels, on the documents that at least two of them labelled.

    `sources` names two or more sources, by default the aspect's default source and the next one; `aspect` is by default
    the first with several sources. Labels below the scale, which mean "not judged", are ignored. Distances treat grades
    as numbers. Raises InputError for unknown or repeated sources, fewer than two sources, and more than 50 grades.
    """
    check_level(level)
    pool = assessments_of(collection)
    name = aspect_with_sources(pool, aspect)
    chosen = tuple(sources) or usual_pair(pool, name)
    if len(chosen) < 2 or len(set(chosen)) < len(chosen):
        raise InputError(f"expected two or more different sources, found {', '.join(chosen)}")
    labels = np.array([source_labels(pool, name, judge) for judge in chosen])
    return agreement_of_labels(pool, name, chosen, labels, level)


def disagreements(
    collection: Collection,
    sources: Sequence[str] = (),
    aspect: str | None = None,
    cell: tuple[float, float] | None = None,
) -> pd.DataFrame:
    """Return the documents on which two sources disagree: topic, document and both labels, most different first.

    `cell` selects documents with these two labels, which may be equal. `sources` and `aspect` are as in
    `source_agreement`, with the same errors, but there must be exactly two sources.
    """
    found = source_agreement(collection, sources, aspect)
    if len(found.sources) != 2:
        raise InputError(f"expected two sources, found {', '.join(found.sources)}")
    pool = collection.assessments
    first, second = (source_labels(pool, found.aspect, source) for source in found.sources)
    if cell is None:
        rows = np.flatnonzero((first != second) & ~np.isnan(first) & ~np.isnan(second))
    else:
        rows = np.flatnonzero((first == cell[0]) & (second == cell[1]))
    rows = rows[np.argsort(-np.abs(first - second)[rows], kind="stable")]
    a, b = (f"label of {source}" for source in found.sources)
    return pd.DataFrame({**pool.ids(rows), a: first[rows], b: second[rows]})


def agreement_of_labels(
    pool: Assessments, aspect: str, sources: tuple[str, ...], labels: FloatArray, level: float = 0.95
) -> Agreement:
    """Return the agreement of sources from labels (J, P), nan if missing. Raises InputError for more than 50 grades."""
    grades = grades_with(pool, aspect, labels)
    if len(grades) > MOST_GRADES:
        raise InputError(f"expected an aspect of at most {MOST_GRADES} grades, found {len(grades)}", aspect)
    places = grade_places(labels, grades)
    paired, labelled = (places >= 0).sum(axis=0) > 1, int((places >= 0).any(axis=0).sum())
    topics, topic = np.unique(pool.topic[paired], return_inverse=True)
    places, shape = places[:, paired], (len(topics), len(grades))
    return Agreement(
        aspect,
        sources,
        tuple(grades.tolist()),
        _names(pool, aspect, grades),
        tuple(pool.topics[at] for at in topics),
        np.bincount(topic, minlength=len(topics)),
        pair_counts(places[0], places[1], topic, shape),
        paired_labels(places, topic, shape, "label"),
        paired_labels(places, topic, shape, "document"),
        level,
        labelled,
    )


def usual_pair(pool: Assessments, aspect: str) -> tuple[str, ...]:
    """Return the default source of labels and the next one. Raises InputError if there is only one."""
    sources = _sources(pool, aspect)
    return (sources.default, next(name for name in sources.names if name != sources.default))


def source_labels(pool: Assessments, aspect: str, source: str) -> FloatArray:
    """Return the (P,) labels of one source of an aspect, nan if not judged. Raises InputError for an unknown source."""
    known = _sources(pool, aspect).names
    if source not in known:
        raise InputError(f"expected a source of {aspect} labels ({', '.join(known)}), found {source!r}")
    return pool.judged_by(source).column(aspect)


def _sources(pool: Assessments, aspect: str) -> Sources:
    if aspect not in pool.sources:
        raise InputError(f"expected several sources of {aspect} labels, found one")
    return pool.sources[aspect]


def _names(pool: Assessments, aspect: str, grades: FloatArray) -> tuple[str, ...]:
    scale = pool.scale(aspect)
    named = dict(zip(scale.grades, scale.names, strict=False))
    return tuple(f"{grade:g} {named[grade]}" if named.get(grade) else f"{grade:g}" for grade in grades.tolist())
