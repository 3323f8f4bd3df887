"""Rules that combine scores over topics into one score for each system: means, medians, ranks, pairwise wins.

Like a measure, each rule can be written as text, a call such as `Borda()`, in menus, links and on the command line.

Shapes: T topics (or tasks), S systems; scores are topics x systems, nan if a system has none. Rules with ranks or wins
negate scores if low is good; ties are those of `evalcore.common.rounding`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from scipy.special import ndtr

from evalcore.common.arrays import FloatArray
from evalcore.common.constants import LEAST_OF_LOGARITHMS
from evalcore.direction import Good, directed, good_of, upwards
from evalcore.errors import InputError, shorten
from evalcore.leaderboard.jackknife import Doubt, left_out, of_means, reach
from evalcore.leaderboard.pairwise import strengths, wins
from evalcore.meta.align import refuse_no_frame
from evalcore.meta.order import ahead
from evalcore.notation.values import Range, Value, parameter, parse_value

Groups = Mapping[str, str]
"""The group of each topic."""

MOST_LEFT_OUT = 500  # most systems whose strengths are estimated without each topic


@dataclass(frozen=True)
class OverTopics(Value, abstract=True):
    """A rule that combines the scores by topic into one score for each system."""

    good: ClassVar[Good | None] = None  # "high" or "low" of the results; None: as for the scores
    smooth: ClassVar[bool] = True  # whether leaving out a topic changes the result only a little
    averaged: ClassVar[bool] = True  # whether contributions of topics are averaged, not summed

    def of(self, scores: pd.DataFrame, groups: Groups | None = None) -> pd.Series:
        """Return a Series of results by system, nan if it has no scores; `attrs` say if "high" or "low" is good.

        `groups` of topics are for rules that need them. Raises InputError for scores that the rule cannot combine.
        """
        frame = _numbers(scores)
        frame = frame if self.good is None else upwards(frame)
        result = pd.Series(self._combined(frame, groups), index=scores.columns, name=str(self))
        result[frame.isna().all().to_numpy()] = np.nan
        return directed(result, self.good or good_of(scores))

    def without_each(self, scores: pd.DataFrame, groups: Groups | None = None) -> FloatArray:
        """Return the (T, S) results when each topic is left out in turn."""
        points = self._added(scores if self.good is None else upwards(scores))
        if points is None or np.isinf(points).any():
            return np.array([self.of(scores.drop(index=topic), groups) for topic in scores.index])
        there = ~np.isnan(points)
        known = np.where(there, points, 0.0)
        left, count = known.sum(axis=0) - known, there.sum(axis=0) - there
        return np.where(count > 0, left / (np.maximum(count, 1) if self.averaged else 1), np.nan)

    def doubt(self, scores: pd.DataFrame, groups: Groups | None = None) -> Doubt:
        """Return standard errors of the results over topics, and their degrees of freedom; nan if unknown."""
        turned = scores if self.good is None else upwards(scores)
        points, ends = self._added(turned), self._ends(scores.shape[1])
        if points is None or ends is None:
            whole = self.of(scores, groups).to_numpy(dtype=np.float64)
            there = scores.notna().to_numpy()
            return left_out(self.without_each(scores, groups), whole, there, self._drawn_in(scores, groups))
        if self.averaged:
            return of_means(points, ends)
        error, freedom = of_means(np.nan_to_num(points), ends)  # a gap adds 0 to a sum
        return error * len(points), freedom

    def limits(self, scores: pd.DataFrame, groups: Groups | None, level: float) -> tuple[FloatArray, ...]:
        """Return the (S,) lower and upper ends of each system's interval, and the (S,) standard errors."""
        estimate = self.of(scores, groups).to_numpy(dtype=np.float64)
        error, freedom = self.doubt(scores, groups)
        half, ends = reach(error, freedom, level), self._ends(scores.shape[1])
        least, most = ends or (-np.inf, np.inf)
        times = 1 if self.averaged else len(scores)
        return np.maximum(estimate - half, times * least), np.minimum(estimate + half, times * most), error

    def _added(self, scores: pd.DataFrame) -> FloatArray | None:
        """Return the (T, S) contributions of topics if the result is their mean or sum, else None."""
        return None

    def _ends(self, n_systems: int) -> tuple[float, float] | None:
        """Return the smallest and the largest possible contribution of a topic; None if unbounded."""
        return None

    def _drawn_in(self, scores: pd.DataFrame, groups: Groups | None) -> np.ndarray:
        """Return the (T,) groups of topics; topics are assumed to be drawn within each group."""
        return np.zeros(len(scores))

    def _combined(self, scores: pd.DataFrame, groups: Groups | None) -> FloatArray:
        """Return the (S,) combined scores of a numeric frame, in which higher is better if the rule sets `good`."""
        raise NotImplementedError


@dataclass(frozen=True)
class _OfPoints(OverTopics, abstract=True):
    """A rule that gives points on each topic separately; the result is the mean of a system's points, or their sum."""

    good: ClassVar[Good | None] = "high"

    def points(self, scores: FloatArray) -> FloatArray:
        """Return the (T, S) points for each score on its topic; nan if a score is missing."""
        raise NotImplementedError

    def _combined(self, scores: pd.DataFrame, groups: Groups | None) -> FloatArray:
        points = self._added(scores)
        return _mean(points) if self.averaged else np.asarray(np.nansum(points, axis=0))

    def _added(self, scores: pd.DataFrame) -> FloatArray:
        return self.points(scores.to_numpy(dtype=np.float64))

    def _ends(self, n_systems: int) -> tuple[float, float]:
        return 0.0, 1.0


@dataclass(frozen=True)
class Mean(OverTopics):
    """The mean over topics, sum_t w_t x_t / sum_t w_t; topics without a given weight have weight 1.

    >>> scores = pd.DataFrame({"a": [0.2, 0.6], "b": [0.4, 0.4]}, index=["t1", "t2"])
    >>> Mean().of(scores).tolist(), Mean(weights={"t2": 3}).of(scores).round(12).tolist()
    ([0.4, 0.4], [0.5, 0.4])
    """

    weights: Mapping[str, float] = parameter((), "weights of topics; others have weight 1")

    def _added(self, scores: pd.DataFrame) -> FloatArray | None:
        return None if self.weights else scores.to_numpy(dtype=np.float64)

    def _combined(self, scores: pd.DataFrame, groups: Groups | None) -> FloatArray:
        return _mean(scores.to_numpy(dtype=np.float64), self._by_topic(scores))

    def without_each(self, scores: pd.DataFrame, groups: Groups | None = None) -> FloatArray:
        if not self.weights:
            return super().without_each(scores, groups)
        values, weights = scores.to_numpy(dtype=np.float64), self._by_topic(scores)
        every = (np.arange(len(values)) != t for t in range(len(values)))
        return np.array([_mean(values[others], weights[others]) for others in every])

    def _by_topic(self, scores: pd.DataFrame) -> FloatArray:
        """Return the (T,) weights. Raises InputError for unknown topics, and weights that are invalid or all 0."""
        given = dict(self.weights)
        if unknown := given.keys() - set(map(str, scores.index)):
            raise InputError(f"expected topics in `weights`, found {shorten(', '.join(sorted(unknown)))}", str(self))
        weights = np.array([given.get(str(topic), 1.0) for topic in scores.index])
        if (weights < 0).any() or not weights.any() or not np.isfinite(weights).all():
            raise InputError("expected finite weights of 0 or more, not all 0", str(self))
        return weights


@dataclass(frozen=True)
class Median(OverTopics):
    """The median over topics.

    >>> Median().of(pd.DataFrame({"a": [0.1, 0.2, 0.9]})).tolist()
    [0.2]
    """

    smooth = False

    def _combined(self, scores: pd.DataFrame, groups: Groups | None) -> FloatArray:
        with np.errstate(invalid="ignore"):  # the middle of two infinities
            return scores.median().to_numpy(dtype=np.float64)


@dataclass(frozen=True)
class GeometricMean(OverTopics):
    """exp(mean of log max(x, least)), which low scores pull down (Robertson 2006, GMAP).

    A score below `least` counts as `least`: trec_eval uses 0.00001. If `least` is 0, one score of 0 makes the result 0.
    Raises InputError for scores below 0.

    >>> GeometricMean().of(pd.DataFrame({"a": [0.2, 0.8]})).round(12).tolist()
    [0.4]
    """

    least: float = parameter(LEAST_OF_LOGARITHMS, "lowest score; lower scores are raised to it", within=Range(0, 1))

    def _combined(self, scores: pd.DataFrame, groups: Groups | None) -> FloatArray:
        return np.asarray(np.exp(_mean(self._logs(scores.to_numpy(dtype=np.float64)))))

    def limits(self, scores: pd.DataFrame, groups: Groups | None, level: float) -> tuple[FloatArray, ...]:
        """Return limits and errors as in `OverTopics`, from the mean of logarithms.

        If any score is as low as `least`, such a score is assumed to be possible for every system.
        """
        values = scores.to_numpy(dtype=np.float64)
        logs, lowest = self._logs(values), np.nanmin(values, initial=np.inf) <= self.least
        ends = (np.log(self.least), np.nanmax(logs)) if lowest and self.least > 0 else None
        with np.errstate(invalid="ignore", over="ignore"):  # scores of 0, if `least` is 0
            error, freedom = of_means(logs, ends)
            middle, half = _mean(logs), reach(error, freedom, level)
            return np.exp(middle - half), np.exp(middle + half), np.exp(middle) * error

    def _logs(self, values: FloatArray) -> FloatArray:
        if (values < 0).any():
            raise InputError(f"expected scores of 0 or more, found {np.nanmin(values):g}", str(self))
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(values, self.least)))


@dataclass(frozen=True)
class Standardised(_OfPoints):
    """The mean of Phi((x - mean_t) / sd_t), in (0, 1) on every topic (Webber, Moffat, Zobel 2008).

    Phi is the normal distribution function. Mean and standard deviation are over the systems in the table.

    >>> Standardised().of(pd.DataFrame({"a": [0.1], "b": [0.2], "c": [0.3]})).round(4).tolist()
    [0.1587, 0.5, 0.8413]
    """

    def points(self, scores: FloatArray) -> FloatArray:
        return np.asarray(ndtr(_standardised(scores)))


@dataclass(frozen=True)
class WinRate(_OfPoints):
    """The mean share of the other systems that a system beats on a topic; a tie counts half (Liang et al. 2023).

    Only systems with a score on the topic are compared; a topic on which only one system has a score does not count.

    >>> WinRate().of(pd.DataFrame({"a": [0.3, 0.1], "b": [0.2, 0.1], "c": [0.1, 0.0]})).tolist()
    [0.875, 0.625, 0.0]
    """

    def points(self, scores: FloatArray) -> FloatArray:
        others = (~np.isnan(scores)).sum(axis=1, keepdims=True) - 1
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(others > 0, 1 - (mean_places(scores) - 1) / others, np.nan)


@dataclass(frozen=True)
class Borda(_OfPoints):
    """The sum over topics of S - r_t, where r_t is the rank on the topic; tied systems share the mean of their ranks.

    A missing score adds nothing, and S is the number of all systems, as in MTEB (Colombo et al. 2022).

    >>> Borda().of(pd.DataFrame({"a": [0.3, 0.1], "b": [0.2, 0.1], "c": [0.1, np.nan]})).tolist()
    [3.5, 2.5, 0.0]
    """

    averaged = False

    def points(self, scores: FloatArray) -> FloatArray:
        return np.asarray(scores.shape[1] - mean_places(scores))

    def _ends(self, n_systems: int) -> tuple[float, float]:
        return 0.0, n_systems - 1.0


@dataclass(frozen=True)
class BradleyTerry(OverTopics):
    """Maximum-likelihood log strengths b, with mean 0, for P(i beats j) = 1 / (1 + exp(b_j - b_i)).

    Each topic that two systems share is one comparison; a tie is half a win for each (Bradley and Terry 1952). `prior`
    is the number of artificial ties added to each pair; with 0, a system that always wins has no finite strength.
    Raises InputError if a strength is not finite.

    >>> BradleyTerry(prior=0).of(pd.DataFrame({"a": [2, 2, 2, 1], "b": [1, 1, 1, 2]})).round(4).tolist()
    [0.5493, -0.5493]
    """

    prior: float = parameter(0.1, "ties added to each pair", within=Range(0), shown=True)
    good = "high"

    def _combined(self, scores: pd.DataFrame, groups: Groups | None) -> FloatArray:
        return strengths(wins(scores.to_numpy(dtype=np.float64)), self.prior)

    def without_each(self, scores: pd.DataFrame, groups: Groups | None = None) -> FloatArray:
        values = upwards(scores).to_numpy(dtype=np.float64)
        won = wins(values)
        whole = strengths(won, self.prior)
        left = np.array([strengths(won - wins(values[[t]]), self.prior, whole) for t in range(len(values))])
        there = ~np.isnan(values)
        return np.where(there.sum(axis=0) - there > 0, left, np.nan)

    def doubt(self, scores: pd.DataFrame, groups: Groups | None = None) -> Doubt:
        """Return errors and degrees of freedom; nan for a system whose comparisons are all one-sided.

        A comparison with another system is one-sided if the system wins it, or loses it, on all topics; then only the
        prior limits the difference of the two strengths. All errors are nan with more than MOST_LEFT_OUT systems,
        because all strengths would have to be estimated again without each topic.
        """
        if scores.shape[1] > MOST_LEFT_OUT:
            return np.full(scores.shape[1], np.nan), np.full(scores.shape[1], np.nan)
        won = wins(upwards(scores).to_numpy(dtype=np.float64))
        error, freedom = super().doubt(scores, groups)
        return np.where(np.minimum(won, won.T).sum(axis=1) > 0, error, np.nan), freedom


@dataclass(frozen=True)
class ByGroup(OverTopics):
    """Combine topics in each group by `within`, and the groups by `across`; by default the mean of group means.

    Needs `groups`. Raises InputError without them, or if a topic has no group.

    >>> scores = pd.DataFrame({"a": [0.0, 0.0, 0.9], "b": [0.4, 0.4, 0.4]}, index=["t1", "t2", "t3"])
    >>> ByGroup().of(scores, {"t1": "web", "t2": "web", "t3": "news"}).tolist()
    [0.45, 0.4]
    """

    within: OverTopics = parameter(Mean(), "rule that combines the topics of a group", positional=True)
    across: OverTopics = parameter(Mean(), "rule that combines the groups")

    @property
    def smooth(self) -> bool:  # type: ignore[override]
        return self.within.smooth and self.across.smooth

    def of(self, scores: pd.DataFrame, groups: Groups | None = None) -> pd.Series:
        return self.across.of(self.by_group(scores, groups)).rename(str(self))

    def without_each(self, scores: pd.DataFrame, groups: Groups | None = None) -> FloatArray:
        whole, of = self.by_group(scores, groups), dict(groups or {})
        left: dict[str, list[pd.Series]] = {}
        for name in whole.index:
            own = scores.loc[[of[topic] == name for topic in scores.index]]
            rows = self.within.without_each(own) if len(own) > 1 else [None]
            left[name] = [self.across.of(_with_row(whole, name, row)) for row in rows]
        means = {name: iter(listed) for name, listed in left.items()}
        return np.array([next(means[of[topic]]) for topic in scores.index])

    def _drawn_in(self, scores: pd.DataFrame, groups: Groups | None) -> np.ndarray:
        return np.array([dict(groups or {})[topic] for topic in scores.index], dtype=object)

    def by_group(self, scores: pd.DataFrame, groups: Groups | None) -> pd.DataFrame:
        """Return the results of `within` as a frame of groups x systems.

        Raises InputError without groups, and if a topic has no group.
        """
        if not groups:
            raise InputError("expected groups of topics, found none", str(self))
        if lacking := [str(topic) for topic in scores.index if topic not in groups]:
            raise InputError(f"expected a group for each topic, found none for {shorten(', '.join(lacking))}")
        of = pd.Series({topic: groups[topic] for topic in scores.index})
        parts = {name: self.within.of(scores.loc[of == name]) for name in dict.fromkeys(of)}
        return directed(pd.DataFrame(parts).T, good_of(next(iter(parts.values()))))


def _with_row(table: pd.DataFrame, name: str, row: FloatArray | None) -> pd.DataFrame:
    """Return a copy of the table with `row` as the row of this name, or without that row if `row` is None."""
    if row is None:
        return table.drop(index=name)
    changed = table.copy()
    changed.loc[name] = row
    return changed


def aggregate(scores: pd.DataFrame, by: OverTopics | str = "Mean()", groups: Groups | None = None) -> pd.Series:
    """Return one score for each system, combined from a frame of topics x systems by a rule (an object or text).

    `groups` maps each topic to its group. Raises InputError for text that is not a rule, and for scores that the rule
    cannot combine.

    >>> aggregate(pd.DataFrame({"a": [0.3, 0.1], "b": [0.2, 0.2]}), "Borda()").to_dict()
    {'a': 1.0, 'b': 1.0}
    """
    return aggregate_of(by).of(scores, groups)


def aggregate_of(text: OverTopics | str) -> OverTopics:
    """Parse a rule from text; a rule object is returned unchanged. Raises InputError for text that is not a rule."""
    aggregate: OverTopics = text if isinstance(text, OverTopics) else parse_value(text, OverTopics)
    return aggregate


def aggregate_intervals(
    scores: pd.DataFrame, by: OverTopics | str = "Mean()", groups: Groups | None = None, level: float = 0.95
) -> pd.DataFrame:
    """Return each system's score with its interval: estimate +- t times its error, for topics from a population.

    Columns: estimate, low, high, error. Rules that add a number for each topic have the error of a mean; other rules
    have the error of the delete-one jackknife (ByGroup: within each group); a geometric mean has the error of the mean
    logarithm. docs/doubt.md reports the measured coverage; with five topics and many zeros it is too low.

    Low, high and error are nan for a system with fewer than two topics. Low and high are also nan if it has equal
    scores on all topics, because their variation is unknown. All three are nan for a median, whose error the jackknife
    does not estimate, and for BradleyTerry if only the prior limits a strength, or with more than 500 systems.

    >>> aggregate_intervals(pd.DataFrame({"a": [0.2, 0.4, 0.6]})).round(3).values.tolist()
    [[0.4, -0.097, 0.897, 0.115]]
    """
    aggregate = aggregate_of(by)
    estimate = aggregate.of(scores, groups)
    low = high = error = np.full(scores.shape[1], np.nan)
    if len(scores) > 1 and aggregate.smooth:
        low, high, error = aggregate.limits(scores, groups, level)
    table = pd.DataFrame({"estimate": estimate, "low": low, "high": high, "error": error})
    return directed(table, good_of(estimate))


def mean_places(scores: FloatArray) -> FloatArray:
    """Return the (T, S) ranks on each topic, 1 for the best; nan for a missing score.

    Tied systems share the mean of their ranks.

    >>> mean_places(np.array([[0.3, 0.3, np.nan, 0.1]])).tolist()
    [[1.5, 1.5, nan, 3.0]]
    """
    places, there = np.full(scores.shape, np.nan), ~np.isnan(scores)
    whole = there.all(axis=1)
    places[whole] = _mean_places(scores[whole])
    for topic in np.flatnonzero(~whole):
        places[topic, there[topic]] = _mean_places(scores[topic, there[topic]][None])[0]
    return places


def _mean_places(scores: FloatArray) -> FloatArray:
    """Return the (T, S) ranks of scores without gaps; tied systems share the mean of their ranks."""
    better = ahead(scores)
    cells = better + np.arange(len(better))[:, None] * better.shape[1]
    counts = np.bincount(cells.ravel(), minlength=better.size)
    return np.asarray(better + (counts[cells] + 1) / 2)


def _mean(values: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return (S,) weighted means of scores (T, S) over the topics on which a system has a score; nan if it has none."""
    there = ~np.isnan(values)
    of = there * (np.ones(len(values)) if weights is None else weights)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(of > 0, values * np.where(there, of, 0), 0.0).sum(axis=0) / of.sum(axis=0))


def _standardised(scores: FloatArray) -> FloatArray:
    """Return (T, S) standardised scores: standard deviations above the topic's mean; 0 if all its scores are equal."""
    _refuse_infinite(scores, "Standardised()")
    size = np.frexp(_per_topic(np.nanmax, np.abs(scores)))[1]
    scores = np.ldexp(scores, -size)  # so that squares are neither too large nor too small for a float
    with np.errstate(invalid="ignore", divide="ignore"):
        off = scores - _per_topic(np.nanmean, scores)
        spread = np.sqrt((np.nan_to_num(off) ** 2).sum(axis=1) / ((~np.isnan(scores)).sum(axis=1) - 1))[:, None]
        points = off / spread
    flat = ~(spread > 1e-12 * np.nanmax(np.abs(scores), initial=0.0))
    return np.where(flat & ~np.isnan(scores), 0.0, points)


def _per_topic(function: object, scores: FloatArray) -> FloatArray:
    """Return the (T, 1) results of a function on the scores of each topic; nan on a topic without scores."""
    some = ~np.isnan(scores).all(axis=1)
    values = np.full((len(scores), 1), np.nan)
    if some.any():
        values[some, 0] = function(scores[some], axis=1)  # type: ignore[operator]
    return values


def _refuse_infinite(scores: FloatArray, by: str) -> None:
    if np.isinf(scores).any():
        raise InputError("expected finite scores, found an infinite one", by)


def _numbers(scores: pd.DataFrame) -> pd.DataFrame:
    refuse_no_frame(scores)
    if scores.empty or not all(map(pd.api.types.is_numeric_dtype, scores.dtypes)):
        raise InputError("expected scores, a column of numbers for each system and a row for each topic")
    return scores
