"""Label noise: labels get random errors, and the ranking of systems is compared with the original one.

At level e a label of grade g is wrong with probability e * rate(g). The mean of these probabilities over all labels is
e, so the level is the expected share of wrong labels. For a wrong label, a new grade is drawn with the probabilities in
the row of grade g. A `Way` holds both the rates and these probabilities.

Every draw has two uniform numbers for each document: one sets the level above which its label is wrong, the other sets
the wrong label. They are the same at all levels, so a higher level keeps all errors of a lower one, and curves are
smooth.

Shapes: P pool rows, G grades, R draws, S systems, L levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.cached import cached_property
from evalcore.common.constants import WAYS
from evalcore.common.progress import Tell, tell_share
from evalcore.common.rounding import TIE
from evalcore.common.short_forms import shown
from evalcore.drawing import figures
from evalcore.errors import InputError, check_level
from evalcore.labels.judges.agreement import kappa, pair_counts, source_labels, usual_pair
from evalcore.labels.judges.rescoring import Rescorer, grade_places, graded_aspect, known_grades
from evalcore.measures import Measure
from evalcore.measures.base import as_measure
from evalcore.meta import EQUIVALENT, tau
from evalcore.meta.order import ahead
from evalcore.structures.documents import Collection

LEVELS = tuple(round(0.02 * step, 2) for step in range(26))
"""Shares of wrong labels from 0 to 0.5."""

MOST_DRAWN = 200_000_000  # labels in all draws, 1.2 GB


@shown
@dataclass(frozen=True, eq=False)
class Way:
    """A kind of label noise: the chance of an error in each grade is `rate` (G,) times the level.

    `into` (G, G) has the probability of each wrong grade (columns) that replaces each grade (rows).
    """

    rate: FloatArray
    into: FloatArray  # rows sum to 1, with 0 on the diagonal
    measured: float = np.nan  # the share of wrong labels in the labels that it imitates

    @property
    def most(self) -> float:
        """The highest possible level, at which the labels of some grade are always wrong."""
        return float(min(1.0, 1.0 / self.rate.max()))

    def confusion(self, level: float) -> FloatArray:
        """Return the (G, G) probability of each label (columns) for each original label (rows)."""
        wrong = level * self.rate[:, None]
        return np.asarray((1 - wrong) * np.eye(len(self.rate)) + wrong * self.into)

    def kappa(self, level: float, shares: FloatArray) -> float:
        """Return the expected Cohen's kappa at a level, for these (G,) shares of grades; nan if all labels are equal.

        (p_o - p_e) / (1 - p_e) with p_o, the share of unchanged labels, and p_e, the chance agreement (Cohen 1960).

        >>> round(neighbour(2).kappa(0.1, np.array([0.5, 0.5])), 3)
        0.8
        """
        joint = shares[:, None] * self.confusion(level)
        return float(kappa(joint, np.eye(len(joint))))


def neighbour(count: int) -> Way:
    """Return the noise that changes labels of all grades with equal probability, to a neighbouring grade.

    >>> neighbour(3).into.tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    """
    beside = np.eye(count, k=1) + np.eye(count, k=-1)
    return Way(np.ones(count), beside / beside.sum(axis=1, keepdims=True))


def any_other(count: int) -> Way:
    """Return the noise that changes labels of all grades with equal probability, to any other grade.

    >>> any_other(3).into[1].tolist()
    [0.5, 0.0, 0.5]
    """
    return Way(np.ones(count), (1 - np.eye(count)) / (count - 1))


def as_measured(counts: FloatArray, shares: FloatArray) -> Way:
    """Return noise that imitates two sources, from counts (G, G) of labels by the first source (rows) and the second.

    rate(g) = c(g) / sum over grades h of shares(h) * c(h), where c(g) is the share of the first source's labels g to
    which the second gave another grade; `shares` (G,) are the shares of grades among the labels to be changed. Raises
    InputError if the two sources never differ.

    >>> as_measured(np.array([[90.0, 10], [20, 80]]), np.array([0.5, 0.5])).rate.round(3).tolist()
    [0.667, 1.333]
    """
    off = counts * (1 - np.eye(len(counts)))
    wrong = divided(off.sum(axis=1), counts.sum(axis=1))
    overall = float(shares @ wrong)
    if overall <= 0:
        raise InputError("expected two sources that differ in some label, found the same labels")
    other = any_other(len(counts)).into
    into = np.where(off.sum(axis=1, keepdims=True) > 0, divided(off, off.sum(axis=1, keepdims=True)), other)
    return Way(wrong / overall, into, overall)


@shown
@dataclass(frozen=True, eq=False)
class Noise:
    """A measure and a collection, with seeded draws of random errors in the labels of one aspect."""

    scorer: Rescorer
    way: Way
    own: IntArray  # (P,) places of the original labels
    when: NDArray[np.float32]  # (P, R) the label is wrong if level * rate exceeds this
    then: IntArray  # (P, R) place of the wrong label
    seed: int

    @classmethod
    def of(
        cls,
        measure: Measure | str,
        collection: Collection,
        way: str | Way = "neighbour",
        *,
        aspect: str | None = None,
        sources: tuple[str, str] | None = None,
        n_draws: int = 50,
        seed: int = 0,
    ) -> Noise:
        """Return noise for a measure; `way` is a key of WAYS, or a Way. "as measured" imitates the two `sources`.

        `aspect` names the aspect whose labels get errors, by default the first graded aspect that the measure reads.
        Missing labels stay missing. Raises InputError for an aspect without labels or with only one grade, for unknown
        sources, and for too many draws.
        """
        known = as_measure(measure, collection)
        name = graded_aspect(known, collection, aspect)
        if n_draws < 1:
            raise InputError(f"expected at least 1 draw, found {n_draws}")
        grades, own, chosen = _grades_and_way(collection, name, way, sources)
        if n_draws * len(own) > MOST_DRAWN:
            raise InputError(
                f"expected at most {MOST_DRAWN // len(own):,} draws of {len(own):,} labels, found {n_draws:,}"
            )
        random, borders = np.random.default_rng(seed), np.cumsum(chosen.into, axis=1)[:, :-1]
        when, then = np.empty((len(own), n_draws), np.float32), np.empty((len(own), n_draws), own.dtype)
        for draw in range(n_draws):
            when[:, draw], what = random.random((2, len(own)), np.float32)
            then[:, draw] = (what[:, None] >= borders[own]).sum(axis=1)
        return cls(Rescorer(known, collection, name, grades), chosen, own, when, then, seed)

    @property
    def n_draws(self) -> int:
        return int(self.when.shape[1])

    @cached_property
    def shares(self) -> FloatArray:
        """The (G,) share of each grade among the original labels."""
        return _shares(self.own, len(self.scorer.grades))

    def places(self, level: float) -> IntArray:
        """Return the (P, R) labels of each draw at a level, as indices of the grades.

        Raises InputError for a level below 0 or above `way.most`.
        """
        if not 0 <= level <= self.way.most + TIE:
            raise InputError(f"expected a level from 0 to {self.way.most:.3g}, found {level:g}")
        wrong = (self.when < level * self.way.rate[self.own][:, None]) & (self.own >= 0)[:, None]
        return np.where(wrong, self.then, self.own[:, None])

    def means(self, level: float) -> FloatArray:
        """Return the (R, S) mean scores in each draw at a level."""
        return self.scorer.means(self.places(level))

    @cached_property
    def original(self) -> FloatArray:
        """The (S,) mean scores under the original labels."""
        return np.asarray(self.scorer.means(self.own[:, None])[0])

    def at(self, level: float, band: float = 0.95) -> dict[str, float]:
        """Return the effects of one level: a dict from each column of `NoiseCurve.table` to its value."""
        return self._row(level, self.means(level), band)

    def _row(self, level: float, means: FloatArray, band: float) -> dict[str, float]:
        own, drawn = self._upwards(self.original), self._upwards(means)
        correlations = np.asarray(tau(drawn, own)) if len(own) > 1 else np.full(len(drawn), np.nan)
        defined = correlations[~np.isnan(correlations)]
        # so that another draw would lie in the interval with probability `band`, if there are enough draws
        low, high = np.quantile(defined, _tails(band), method="weibull") if len(defined) else (np.nan, np.nan)
        best, first = ahead(own) == 0, ahead(drawn) == 0
        return {
            "kappa": self.way.kappa(level, self.shares),
            "tau": float(defined.mean()) if len(defined) else np.nan,
            "tau_low": float(low),
            "tau_high": float(high),
            "winner_stays": float(((first & best).sum(axis=1) / first.sum(axis=1)).mean()),
            "undefined": len(correlations) - len(defined),
        }

    def _upwards(self, means: FloatArray) -> FloatArray:
        return means if self.scorer.measure.good == "high" else -means


@shown
@dataclass(frozen=True, eq=False)
class NoiseCurve:
    """Effects of label noise by its level.

    `table` is indexed by the level, the expected share of wrong labels. Columns: kappa, the expected Cohen's kappa of
    the original labels and the labels with noise; tau, the mean over draws of Kendall's tau_b between the systems'
    means with noise and with the original labels; tau_low and tau_high, the interval of the draws; winner_stays, the
    share of draws whose winner is also a winner with the original labels (ties are split); undefined, the number of
    draws without a tau because all systems are tied, which are left out. `first` are the winners with original labels.
    """

    measure: str
    aspect: str
    table: pd.DataFrame
    first: tuple[str, ...]
    n_draws: int
    seed: int
    way: Way

    def at(self, level: float) -> pd.Series:
        """Return the row of the table whose level is nearest to the given one."""
        return self.table.iloc[int(np.argmin(np.abs(self.table.index.to_numpy() - level)))]

    def level_where(self, value: float = EQUIVALENT, column: str = "tau") -> float:
        """Return the lowest level at which a column falls to a value, interpolated linearly; nan if it never does.

        At higher levels the values of the column may rise again.
        """
        levels, values = self.table.index.to_numpy(dtype=np.float64), self.table[column].to_numpy(dtype=np.float64)
        below = np.flatnonzero(values < value)
        if not len(below):
            return float("nan")
        at = int(below[0])
        if at == 0 or np.isnan(values[at - 1]):
            return float(levels[at])
        step = (values[at - 1] - value) / (values[at - 1] - values[at])
        return float(levels[at - 1] + step * (levels[at] - levels[at - 1]))

    def kappa_at(self, level: float) -> float:
        """Return the expected kappa at a level, interpolated linearly; nan above the last level."""
        return float(np.interp(level, self.table.index.to_numpy(dtype=np.float64), self.table["kappa"], right=np.nan))

    def figure(self, **options: Any) -> Any:
        """Draw tau with the original ranking against the share of wrong labels."""
        level = options.pop("level", self.level_where())
        level = self.table.index[-1] if np.isnan(level) else level
        return figures().noise_levels(self.table, level, **{"measured": self.way.measured, **options})


def noise_curve(
    measure: Measure | str,
    collection: Collection,
    way: str | Way = "neighbour",
    *,
    levels: Sequence[float] = LEVELS,
    aspect: str | None = None,
    sources: tuple[str, str] | None = None,
    n_draws: int = 50,
    band: float = 0.95,
    seed: int = 0,
    progress: Tell | None = None,
) -> NoiseCurve:
    """Return the effects of label noise on the ranking of systems, by the share of wrong labels (see `NoiseCurve`).

    `way` is a key of WAYS, or a custom Way; levels above its `most` are left out. `band` is the share of the draws
    in the interval. Raises InputError as `Noise.of` does, for a level below 0, and if no level is left.

    >>> from evalcore.data.small_collections import small_collection
    >>> labels = pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"])
    >>> two = small_collection(labels, {"s": ["a", "b"], "r": ["b", "a"]})
    >>> noise_curve("P@1", two, levels=[0, 1], n_draws=3).table["tau"].tolist()  # r wins if all labels are wrong
    [1.0, -1.0]
    """
    noise = Noise.of(measure, collection, way, aspect=aspect, sources=sources, n_draws=n_draws, seed=seed)
    return curve_of(noise, levels, band, progress)


def curve_of(
    noise: Noise, levels: Sequence[float] = LEVELS, band: float = 0.95, progress: Tell | None = None
) -> NoiseCurve:
    """Return the curve for a `Noise`, whose errors are already drawn."""
    check_level(band, "a band")
    reached = sorted(level for level in set(levels) if level <= noise.way.most + TIE)
    if not reached or reached[0] < 0:
        raise InputError(f"expected levels of 0 to {noise.way.most:.3g}, found {', '.join(map(str, levels)) or 'none'}")
    rows = []
    for at, level in enumerate(reached):
        rows.append(noise.at(level, band))
        tell_share(progress, (at + 1) / len(reached))
    table = pd.DataFrame(rows, index=pd.Index(reached, name="level", dtype=float))
    best = ahead(noise._upwards(noise.original)) == 0
    first = tuple(name for name, is_first in zip(noise.scorer.collection.systems, best, strict=True) if is_first)
    scorer = noise.scorer
    return NoiseCurve(str(scorer.measure), scorer.aspect, table, first, noise.n_draws, noise.seed, noise.way)


def way_of(collection: Collection, aspect: str, name: str = "neighbour", sources: tuple[str, str] | None = None) -> Way:
    """Return the `Way` with this name in WAYS, for the labels of an aspect. Raises InputError as `Noise.of` does."""
    return _grades_and_way(collection, aspect, name, sources)[2]


def _grades_and_way(
    collection: Collection, aspect: str, way: str | Way, sources: tuple[str, str] | None
) -> tuple[FloatArray, IntArray, Way]:
    """Return the grades of an aspect (G,), the indices of its labels (P,) among them, and the `Way`."""
    pair = _two_sources(collection, aspect, sources) if way == "as measured" else ()
    grades = known_grades(collection, aspect, *pair)
    own = grade_places(collection.assessments.column(aspect), grades).astype(np.int16)
    if not (own >= 0).any():
        raise InputError(f"expected labels of {aspect}, found none")
    count = len(grades)
    if pair:
        first, second = (grade_places(labels, grades) for labels in pair)
        counts = pair_counts(first, second, np.zeros(len(first), dtype=int), (1, count))[0]
        chosen = as_measured(counts, _shares(own, count))
    elif isinstance(way, str):
        if way not in WAYS:
            raise InputError(f"expected a kind of label noise ({', '.join(WAYS)}), found {way!r}")
        chosen = neighbour(count) if way == "neighbour" else any_other(count)
    else:
        chosen = way
    if len(chosen.rate) != count:
        raise InputError(f"expected noise for {count} grades of {aspect}, found noise for {len(chosen.rate)}")
    return grades, own, chosen


def _two_sources(collection: Collection, aspect: str, sources: tuple[str, str] | None) -> tuple[FloatArray, FloatArray]:
    """Return the labels (P,) of both sources, by default of the usual pair."""
    pool = collection.assessments
    first, second = (source_labels(pool, aspect, name) for name in sources or usual_pair(pool, aspect))
    return first, second


def _shares(places: IntArray, count: int) -> FloatArray:
    counts = np.bincount(places[places >= 0], minlength=count).astype(np.float64)
    return np.asarray(counts / max(counts.sum(), 1.0))


def _tails(band: float) -> list[float]:
    return [(1 - band) / 2, (1 + band) / 2]
