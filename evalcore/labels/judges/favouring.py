"""Does a judge favour systems? Differences of scores between two judges against what their confusion alone predicts.

Judge b may be stricter, or worse, than the reference a: then all scores change, and those of some systems more than
those of others, without any favour. What would be favour is that b's label hangs on who retrieved the document. So the
labels of b are permuted among documents that are alike but for that: of the same topic, with the same label by a, and
in the same band of documents by how high all systems together rank them. That keeps the confusion of both judges on
every topic, and breaks what ties b's errors to one system (a permutation test within strata: Good 2005,
"Permutation, parametric and bootstrap tests of hypotheses", doi 10.1007/b138696).

The reference makes errors too. A document that it wrongly calls not relevant is one that good systems rank high, and
any other judge is likely to say so: all good systems then seem favoured, by their quality alone. Where gains are two
numbers and each judge errs by the true label, the mean scores by a and b are both, but for noise, the same two sums
with other factors: of the gains of what is truly relevant, and of all that was labelled. So of the differences, the
observed and those under permutations, only that part counts as favour that is not a linear function, over systems, of
the score by a and of the score if all labelled documents had the best grade (`beside_quality`). A favour that grows
with quality cannot be told from errors of the reference, and is not found.

The errors of the reference have a spread of their own. So the true labels are drawn for each permutation, as they are
likely given the labels of both, how both err and how high systems rank the document (`true_labels`), and the labels of
both judges, each by itself, are permuted among the documents of one topic and one true label: judges whose errors hang
on the true label alone, with as many errors on every topic as these have. That is twice as many scorings as a reference
takes that is right.

Documents that one of the two judges did not label count as unassessed under both. Shapes: P pool rows, B permutations,
S systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.common.progress import Tell, tell_share
from evalcore.common.rounding import SOLVED, TIE, falling, floors
from evalcore.common.shown import shown
from evalcore.data.restricting import restrict
from evalcore.drawing import figures, styles_of
from evalcore.errors import InputError, check_level
from evalcore.labels.judges.agreement import source_labels, usual_pair
from evalcore.labels.judges.rescoring import NONE, Rescorer, grade_places, graded_aspect, known_grades, with_labels
from evalcore.labels.judges.true_labels import drawn_grades, fitted_confusions, likely_grades
from evalcore.measures import Measure
from evalcore.measures.base import as_measure
from evalcore.structures.documents import Collection, Rankings

BANDS = 4
"""Into how many bands the documents of one topic are put, by how high systems rank them."""

FINE_BANDS = 10
"""The same, of all topics together, where the errors of both judges are estimated."""

FEWEST = 5
"""Systems from which on what goes with quality can be left out: three numbers are fitted to them."""

_DRAWN_AT_ONCE, _DRAWN_ONE_BY_ONE = 100, 10  # permutations between two signs of life


@shown
@dataclass(frozen=True, eq=False)
class Favour:
    """What judge b does to each system beyond what its confusion with the reference a predicts.

    `table` has a row for each system, the most favoured first, and `groups` the same for each group, of the means of
    its members. Columns: mean_a and mean_b, the mean scores; difference, how much the score by b is better than that by
    a, less what is common to all systems (their mean, and what goes with quality); expected, low and high, the mean
    (the observed counts in it as one) and the interval at `level` of the same under permuted labels; favour =
    difference - expected; z, favour in standard deviations of the permutations; p, two-sided; p_corrected, for all rows
    (single-step max-T: Westfall, Young 1993, "Resampling-based multiple testing"). Where permuting changes nothing, z
    is 0 and p is 1.
    """

    judge: str
    reference: str
    aspect: str
    table: pd.DataFrame
    groups: pd.DataFrame | None
    n_topics: int
    n_documents: int  # that both labelled
    n_free: int  # of these: alike to one that b labelled otherwise
    n_permutations: int
    bands: int
    beside_quality: bool
    level: float
    seed: int

    @property
    def p(self) -> float:
        """Of there being no favour to any system: the least of the corrected."""
        return float(self.table["p_corrected"].min())

    def figure(self, **options: Any) -> Any:
        """Draw what the judge does to each system, beside what its confusion predicts."""
        how = {"styles": styles_of(self.table.index, options), "judge": self.judge, **options}
        return figures().favours(self.table, **how)


def favour(
    measure: Measure | str,
    collection: Collection,
    judge: str,
    reference: str | None = None,
    *,
    aspect: str | None = None,
    groups: Mapping[str, str] | None = None,
    bands: int = BANDS,
    beside_quality: bool = True,
    n_permutations: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    progress: Tell | None = None,
) -> Favour:
    """Which systems, and groups of them, a judge likes more or less than its confusion with a reference predicts.

    `reference`: another source of the aspect's labels; None: its default. `groups` names the group of each system. With
    B permutations, s the difference of a system, m and d mean and standard deviation of it over the B and the observed
    labelling, t = |s - m| / d:

        p = (1 + number of permutations with t* >= t) / (B + 1),
        p_corrected = (1 + number of permutations with max over systems of t* >= t) / (B + 1).

    `beside_quality`: the reference may err; what goes with quality is left out, and both judges' labels are permuted
    among documents whose true labels are drawn. Without it the reference is the truth: b's labels are permuted among
    documents of one topic, one label by a and one band, and only the mean over systems is left out. It takes five
    systems. `bands`: into how many the documents of one topic (without `beside_quality`: and one label) are put by how
    high systems rank them; with one, that is not asked.
    Raises InputError for an unknown source, two that are one, no topic on which both labelled a document, fewer than
    two systems, or infinite scores.
    """
    known = as_measure(measure)
    name = graded_aspect(known, collection, aspect)
    shared, a, b = _labelled_by_both(collection, name, judge, reference)
    _check(shared, FEWEST if beside_quality else 2, bands, n_permutations, level)
    grades = known_grades(shared, name, a, b)
    scorer = Rescorer(known, shared, name, grades)
    labels_a, labels_b = grade_places(a, grades), grade_places(b, grades)
    means_a, means_b = scorer.means(np.column_stack([labels_a, labels_b]))
    strata = alike(shared.rankings, shared.assessments.topic, labels_a, bands)
    if beside_quality:
        judges = _Judges.of(shared, labels_a, labels_b, bands)
        drawn_a, drawn_b = _of_both(scorer, judges, n_permutations, seed, progress)
    else:
        drawn_b = _under_permutations(scorer, labels_b, strata, n_permutations, seed, progress)
        drawn_a = np.broadcast_to(means_a, drawn_b.shape)
    _refuse_infinite(known, means_a, means_b, drawn_a, drawn_b)
    sign = 1.0 if known.good == "high" else -1.0
    by_a, by_b = np.vstack([means_a, drawn_a]), np.vstack([means_b, drawn_b])
    favours = _beside(sign * (by_b - by_a), by_a, _all_best(scorer, labels_a) if beside_quality else None)
    systems = pd.Index(collection.systems, name="system", dtype=object)
    size = float(np.abs([means_a, means_b]).max())
    table = _table(pd.DataFrame({"mean_a": means_a, "mean_b": means_b}, systems), favours, level, size)
    return Favour(
        judge=judge,
        reference=reference or collection.assessments.sources[name].default,
        aspect=name,
        table=table,
        groups=None if groups is None else _of_groups(groups, systems, means_a, means_b, favours, level, size),
        n_topics=len(shared.topics),
        n_documents=int((labels_a >= 0).sum()),
        n_free=int(_free(labels_b, strata).sum()),
        n_permutations=n_permutations,
        bands=bands,
        beside_quality=beside_quality,
        level=level,
        seed=seed,
    )


def _all_best(scorer: Rescorer, places: IntArray) -> FloatArray:
    """(S,) mean scores if all labelled documents had the best grade."""
    best = len(scorer.grades) - 1 if scorer.collection.assessments.scale(scorer.aspect).good == "high" else 0
    return np.asarray(scorer.means(np.where(places < 0, NONE, best)[:, None])[0])


def _beside(differences: FloatArray, means: FloatArray, full: FloatArray | None) -> FloatArray:
    """(R, S) what is left of each row without what is common to systems of the same quality, by least squares.

    Common are their mean and, with `full` (S,), what is linear in it and in the row of `means` (R, S).
    """
    left: FloatArray = differences - differences.mean(axis=1, keepdims=True)
    if full is None:
        return left
    centred = _direction(full[None] - full.mean(), full)
    quality = means - means.mean(axis=1, keepdims=True)
    quality = _direction(quality - _along(quality, centred), means)
    left = left - _along(left, centred)
    return np.asarray(left - _along(left, quality))


def _direction(rows: FloatArray, scores: FloatArray) -> FloatArray:
    """Rows of length 1, or of 0 where they are nothing but rounding of such scores."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return divided(np.where(length > SOLVED * np.abs(scores).max(initial=0.0), rows, 0.0), length)


def _along(rows: FloatArray, directions: FloatArray) -> FloatArray:
    return np.asarray((rows * directions).sum(axis=1, keepdims=True) * directions)


def alike(rankings: Rankings, topic: IntArray, places: IntArray, bands: int = 1) -> IntArray:
    """(P,) the stratum of each document: of one topic, one label and one band by `standing`; -1 for one without label.

    Of n documents of a topic and label, one with the midrank m of n by its standing is in band floor(bands * m / n);
    those that stand alike are in one band.
    """
    labelled = topic * (int(places.max(initial=0)) + 2) + places + 1  # those without a label are a group of their own
    numbers = labelled * bands + bands_within(standing(rankings), labelled, bands)
    known, strata = places >= 0, np.full(len(places), -1)
    strata[known] = np.unique(numbers[known], return_inverse=True)[1]
    return strata


def standing(rankings: Rankings) -> FloatArray:
    """(P,) how high all systems together rank each document: the mean over systems of 1 / log2(1 + rank), 0 for none.

    >>> rank, row = np.array([1, 3, 1]), np.array([0, 1, 0])
    >>> standing(Rankings(("a", "b"), 1, 2, np.array([0, 2, 3]), rank, row, np.array([[3], [1]]))).tolist()
    [1.0, 0.25]
    """
    return np.bincount(rankings.row, 1 / np.log2(1.0 + rankings.rank), rankings.n_pool) / len(rankings.systems)


def bands_within(values: FloatArray, group: IntArray, bands: int) -> IntArray:
    """(P,) the band of each value within its group, from 0: by midranks, so that equal ones are together."""
    order = np.lexsort((values, group))
    ordered, within = values[order], group[order]
    new = np.append(True, (within[1:] != within[:-1]) | (ordered[1:] > ordered[:-1] + TIE))[: len(order)]
    start = np.flatnonzero(np.append(True, within[1:] != within[:-1])[: len(order)])
    first, run = np.flatnonzero(new), np.cumsum(new) - 1
    in_run = np.diff(np.append(first, len(order)))
    sizes = np.diff(np.append(start, len(order)))
    of_group = np.repeat(np.arange(len(start)), sizes)
    midrank = (first + in_run / 2)[run] - start[of_group]
    band = np.empty(len(order), dtype=np.int64)
    band[order] = np.minimum(floors(bands * midrank / sizes[of_group]), bands - 1)
    return band


def permuted(places: IntArray, strata: IntArray, count: int, random: np.random.Generator) -> IntArray:
    """(P, count) the labels permuted among the documents of each stratum; those of stratum -1 stay."""
    free = np.flatnonzero(_free(places, strata))
    drawn = np.repeat(places[:, None], count, axis=1)
    free = free[np.argsort(strata[free], kind="stable")]
    keys = strata[free] + random.random((count, len(free)))
    drawn[free] = places[free][np.argsort(keys, axis=1)].T
    return drawn


def _free(places: IntArray, strata: IntArray) -> BoolArray:
    """(P,) whether a document is in a stratum of several labels: others have one order."""
    if not (strata >= 0).any():
        return np.zeros(len(strata), dtype=bool)
    count = int(strata.max()) + 1
    low, high = np.full(count, np.iinfo(np.int64).max), np.full(count, -1)
    inside = strata >= 0
    np.minimum.at(low, strata[inside], places[inside])
    np.maximum.at(high, strata[inside], places[inside])
    return np.asarray(inside & (low < high)[strata])


def _in_steps(scorer: Rescorer, count: int, progress: Tell | None) -> Iterator[int]:
    """How many permutations to score next, until there are so many."""
    step = _DRAWN_AT_ONCE if scorer.at_once else _DRAWN_ONE_BY_ONE
    for start in range(0, count, step):
        yield min(step, count - start)
        tell_share(progress, min(start + step, count) / count)


def _under_permutations(
    scorer: Rescorer, places: IntArray, strata: IntArray, count: int, seed: int, progress: Tell | None
) -> FloatArray:
    """(B, S) mean scores."""
    random, steps = np.random.default_rng(seed), _in_steps(scorer, count, progress)
    return np.concatenate([scorer.means(permuted(places, strata, size, random)) for size in steps])


@dataclass(frozen=True, eq=False)
class _Judges:
    """The places of both judges' labels and what is known of the true ones; P documents that both labelled."""

    places: tuple[IntArray, IntArray]  # (pool rows,) each; -1: none
    rows: IntArray  # (P,) pool rows
    topic: IntArray  # (P,)
    likely: FloatArray  # (P, G) of each true grade

    @classmethod
    def of(cls, collection: Collection, first: IntArray, second: IntArray, bands: int) -> _Judges:
        rows = np.flatnonzero(first >= 0)
        topic, high = collection.assessments.topic[rows], standing(collection.rankings)[rows]
        labels = first[rows], second[rows]
        confusions = fitted_confusions(
            *labels, bands_within(high, topic, FINE_BANDS), int(max(first.max(), second.max())) + 1
        )
        group = np.unique(topic * bands + bands_within(high, topic, bands), return_inverse=True)[1]
        return cls((first, second), rows, topic, likely_grades(*labels, group, confusions))

    def drawn(self, count: int, random: np.random.Generator) -> tuple[IntArray, IntArray]:
        """(pool rows, count) the labels of both, permuted among documents of one topic and one drawn true label."""
        grades = drawn_grades(self.likely, count, random)
        strata = self.topic[:, None] * self.likely.shape[1] + grades
        rows = np.ascontiguousarray(strata.T, dtype=np.min_scalar_type(strata.max(initial=0)))
        by_stratum = np.argsort(rows, axis=1, kind="stable")
        first, second = (self._permuted(places, rows, by_stratum, random) for places in self.places)
        return first, second

    def _permuted(
        self, places: IntArray, strata: IntArray, by_stratum: IntArray, random: np.random.Generator
    ) -> IntArray:
        """(pool rows, count) labels permuted within strata (count, P), whose documents stand together `by_stratum`."""
        order = np.argsort(strata + random.random(strata.shape), axis=1)
        shuffled = np.empty(strata.shape, dtype=places.dtype)
        np.put_along_axis(shuffled, by_stratum, places[self.rows][order], axis=1)
        drawn = np.repeat(places[:, None], len(strata), axis=1)
        drawn[self.rows] = shuffled.T
        return drawn


def _of_both(
    scorer: Rescorer, judges: _Judges, count: int, seed: int, progress: Tell | None
) -> tuple[FloatArray, FloatArray]:
    """(B, S) mean scores by both judges' permuted labels."""
    random, steps = np.random.default_rng(seed), _in_steps(scorer, count, progress)
    parts = [[scorer.means(sample) for sample in judges.drawn(size, random)] for size in steps]
    by_first, by_second = (np.concatenate(part) for part in zip(*parts, strict=True))
    return by_first, by_second


def _labelled_by_both(
    collection: Collection, aspect: str, judge: str, reference: str | None
) -> tuple[Collection, FloatArray, FloatArray]:
    """The collection with the reference's labels of documents that both labelled, and the labels of both, (P,) each."""
    pool = collection.assessments
    first = reference or usual_pair(pool, aspect)[0]
    a, b = (source_labels(pool, aspect, name) for name in (first, judge))
    if first == judge:
        raise InputError(f"expected two different sources of labels of {aspect}, found {judge!r} twice")
    both = ~(np.isnan(a) | np.isnan(b))
    topics = np.unique(pool.topic[both])
    if not len(topics):
        raise InputError(f"expected documents that {first!r} and {judge!r} both labelled, found none")
    a, b = (np.where(both, labels, np.nan) for labels in (a, b))
    kept = np.isin(pool.topic, topics)
    shared = restrict(with_labels(collection, aspect, a), topics=[pool.topics[at] for at in topics])
    return shared, a[kept], b[kept]


def _check(collection: Collection, fewest: int, bands: int, n_permutations: int, level: float) -> None:
    if len(collection.systems) < fewest:
        beside = " to tell favour from quality" if fewest == FEWEST else ""
        raise InputError(f"expected at least {fewest} systems{beside}, found {len(collection.systems)}")
    if bands < 1 or n_permutations < 1:
        raise InputError(f"expected at least 1 band and 1 permutation, found {bands} and {n_permutations}")
    check_level(level)


def _refuse_infinite(measure: Measure, *scores: FloatArray) -> None:
    if not all(np.isfinite(score).all() for score in scores):
        raise InputError(f"expected finite scores by {measure}, found infinite ones, which have no differences")


def _of_groups(
    groups: Mapping[str, str],
    systems: pd.Index,
    means_a: FloatArray,
    means_b: FloatArray,
    favours: FloatArray,
    level: float,
    size: float,
) -> pd.DataFrame:
    """The table of the groups; each counts as the mean of its members."""
    of_system = pd.Series([groups.get(name, "") for name in systems], index=systems, dtype=object)
    names = pd.Index(list(dict.fromkeys(of_system)), name="group", dtype=object)
    member = (of_system.to_numpy()[:, None] == names.to_numpy()).astype(np.float64)
    member /= member.sum(axis=0)
    means = {
        "systems": of_system.value_counts()[names].to_numpy(),
        "mean_a": means_a @ member,
        "mean_b": means_b @ member,
    }
    return _table(pd.DataFrame(means, names), favours @ member, level, size)


def _table(means: pd.DataFrame, favours: FloatArray, level: float, size: float) -> pd.DataFrame:
    """Rows of `means` with what was found, (1 + B, rows), the observed first; `size` is that of the scores."""
    permutations = favours[1:]
    expected, spread = favours.mean(axis=0), favours.std(axis=0)
    fixed = spread <= TIE * size  # no permutation changes anything
    spread = np.where(fixed, 1.0, spread)
    t = np.where(fixed, 0.0, np.abs(favours - expected) / spread)
    reached = t[1:] >= t[0] * (1 - TIE)
    most = t[1:].max(axis=1)[:, None] >= t[0] * (1 - TIE)
    low, high = np.quantile(permutations, [(1 - level) / 2, (1 + level) / 2], axis=0)
    table = means.assign(
        difference=favours[0],
        expected=expected,
        low=low,
        high=high,
        favour=favours[0] - expected,
        z=np.where(fixed, 0.0, (favours[0] - expected) / spread),
        p=(1 + reached.sum(axis=0)) / len(favours),
        p_corrected=(1 + most.sum(axis=0)) / len(favours),
    )
    return table.iloc[falling(table["favour"].to_numpy())]
