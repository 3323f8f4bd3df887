"""Correlations of two measures' rankings with their intervals over topics, as `ranking_doubt` makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from evalcore.common.arrays import FloatArray
from evalcore.common.statements_of_doubt import states
from evalcore.errors import check_level
from evalcore.meta.align import Scores, paired_frames
from evalcore.meta.correlation import Correlation, Value, as_correlation
from evalcore.meta.ranking_doubt import SampledMeans, interval_ends
from evalcore.meta.resampling import Interval, counted_topics, drawn_topics

ONE_PAIR = np.array([[0, 1]])


@states("Correlations: separate {level:.0%} intervals over resampled topics")
def bootstrap_interval(
    correlation: Callable[[Scores, Scores], Value],
    x_scores: pd.DataFrame,
    y_scores: pd.DataFrame,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    counts: ArrayLike | None = None,
) -> Interval:
    """Correlation of the mean scores under two measures, with an interval for that of the true rankings.

    The true rankings are those of these systems by their means over the whole population of topics. How the interval is
    made, and when there is none (low and high nan, `why` says why): `evalcore.meta.ranking_doubt`. It never leaves out
    the estimate. Both measures see the same resamples; pass `counts` of `topic_resamples`, made for the topics in the
    order of x_scores, to share them among many intervals (n_resamples and seed are then not used). Every second
    resample serves the half-width, the others the percentiles (Efron, Tibshirani 1993, chapter 13).
    Ties: as the correlation treats them. A resample in which it is undefined (one side wholly tied, a system without
    any drawn topic) is left out and counted.

    >>> from evalcore.meta import tau
    >>> better = pd.DataFrame({name: [at, at + 1.0] * 10 for at, name in enumerate("abcde")})
    >>> bootstrap_interval(tau, better, 2 * better, n_resamples=9)  # e wins on every topic: in every resample
    Interval(estimate=1.0, low=1.0, high=1.0, undefined=0)
    >>> bootstrap_interval(tau, better[:2], 2 * better[:2], n_resamples=9).why
    'fewer than 10 topics'
    """
    x, y = paired_frames(x_scores, y_scores)
    drawn = drawn_topics(len(x), n_resamples, seed, counts)
    return interval_of(correlation, sampled_means(x, drawn), sampled_means(y, drawn), level)


@states("Correlations: separate {level:.0%} intervals over resampled topics")
def correlation_intervals(
    x_scores: pd.DataFrame,
    y_scores: pd.DataFrame,
    correlations: Sequence[Correlation | str] = ("tau", "tau_ap"),
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    counts: ArrayLike | None = None,
) -> pd.DataFrame:
    """Several correlations of the mean scores under two measures, each with its interval over the same resamples.

    A row for each correlation by its name, with estimate, low, high, undefined and why as `bootstrap_interval` finds
    them; x is the test of those that are not symmetric.

    >>> frame = pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.4]})
    >>> correlation_intervals(frame, frame, ["tau"], n_resamples=9).loc["tau", ["low", "high"]].tolist()  # the same
    [1.0, 1.0]
    """
    x, y = paired_frames(x_scores, y_scores)
    drawn = drawn_topics(len(x), n_resamples, seed, counts)
    both = sampled_means(x, drawn), sampled_means(y, drawn)
    rows = {known.name: interval_of(known, *both, level) for known in map(as_correlation, correlations)}
    columns = ["estimate", "low", "high", "undefined", "why"]
    table = [[getattr(row, column) for column in columns] for row in rows.values()]
    return pd.DataFrame(table, pd.Index(rows, name="correlation"), columns)


def sampled_means(scores: pd.DataFrame, counts: ArrayLike) -> SampledMeans:
    """The means of a frame of topics x systems that is already the right way up, in (B, T) resamples."""
    return SampledMeans.of(scores.to_numpy(dtype=np.float64), counted_topics(len(scores), counts))


def interval_of(
    correlation: Callable[[Scores, Scores], Value], x: SampledMeans, y: SampledMeans, level: float = 0.95
) -> Interval:
    """The correlation of two measures whose means were resampled alike, with its interval."""
    check_level(level)
    estimate = np.array([float(correlation(x.means, y.means))])
    whole, little = (_correlated(correlation, getattr(x, part), getattr(y, part)) for part in ("whole", "little"))
    ends = interval_ends(correlation, (x, y), ONE_PAIR, estimate, whole, little, level)
    undefined = int(np.isnan(whole).sum() + np.isnan(little).sum())
    return Interval(float(estimate[0]), float(ends.low[0]), float(ends.high[0]), undefined, str(ends.why[0]))


def _correlated(correlation: Callable[[Scores, Scores], Value], x: FloatArray, y: FloatArray) -> FloatArray:
    """(B, 1) the correlation in each resample, nan if it is undefined."""
    defined = ~(np.isnan(x) | np.isnan(y)).any(axis=1)
    values = np.full((len(x), 1), np.nan)
    if defined.any():
        values[defined, 0] = correlation(x[defined], y[defined])
    return values
