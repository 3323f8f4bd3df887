"""Correlations of two measures' rankings, with intervals over topics as computed in `ranking_doubt`."""

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


@states("Correlations: separate {level} intervals over resampled topics")
def bootstrap_interval(
    correlation: Callable[[Scores, Scores], Value],
    x_scores: pd.DataFrame,
    y_scores: pd.DataFrame,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    counts: ArrayLike | None = None,
) -> Interval:
    """Return the correlation of the mean scores under two measures, with an interval for the true correlation.

    The true correlation is that of the rankings by means over the whole population of topics.
    `evalcore.meta.ranking_doubt` describes how the interval is computed, and when there is none (low and high are nan,
    and `why` gives the reason). The interval always contains the estimate. Both measures use the same resamples; pass
    `counts` from `topic_resamples`, made for the topics in the order of x_scores, to share them among many intervals
    (n_resamples and seed are then not used). Every second resample is for the half-width, the others are for the
    percentiles (Efron, Tibshirani 1993, chapter 13).
    Ties: as the correlation treats them. A resample in which the correlation is undefined (one side wholly tied, or a
    system without any of the drawn topics) is left out, and counted in `undefined`.

    >>> from evalcore.meta import tau
    >>> better = pd.DataFrame({name: [at, at + 1.0] * 10 for at, name in enumerate("abcde")})
    >>> bootstrap_interval(tau, better, 2 * better, n_resamples=9)  # the same order on every topic, so in all resamples
    Interval(estimate=1.0, low=1.0, high=1.0, undefined=0)
    >>> bootstrap_interval(tau, better[:2], 2 * better[:2], n_resamples=9).why
    'fewer than 10 topics'
    """
    x, y = paired_frames(x_scores, y_scores)
    drawn = drawn_topics(len(x), n_resamples, seed, counts)
    return interval_of(correlation, sampled_means(x, drawn), sampled_means(y, drawn), level)


@states("Correlations: separate {level} intervals over resampled topics")
def correlation_intervals(
    x_scores: pd.DataFrame,
    y_scores: pd.DataFrame,
    correlations: Sequence[Correlation | str] = ("tau", "tau_ap"),
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    counts: ArrayLike | None = None,
) -> pd.DataFrame:
    """Return several correlations of the mean scores under two measures, with intervals over the same resamples.

    There is one row per correlation, by name, with estimate, low, high, undefined and why as in `bootstrap_interval`;
    x is the test side if a correlation is not symmetric.

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
    """Return the `SampledMeans` of a frame of topics x systems, higher is better, in resamples with counts (B, T)."""
    return SampledMeans.of(scores.to_numpy(dtype=np.float64), counted_topics(len(scores), counts))


def interval_of(
    correlation: Callable[[Scores, Scores], Value], x: SampledMeans, y: SampledMeans, level: float = 0.95
) -> Interval:
    """Return the correlation of two measures with its interval; `x` and `y` must be from the same resamples."""
    check_level(level)
    estimate = np.array([float(correlation(x.means, y.means))])
    whole, little = (_correlated(correlation, getattr(x, part), getattr(y, part)) for part in ("whole", "little"))
    ends = interval_ends(correlation, (x, y), ONE_PAIR, estimate, whole, little, level)
    undefined = int(np.isnan(whole).sum() + np.isnan(little).sum())
    return Interval(float(estimate[0]), float(ends.low[0]), float(ends.high[0]), undefined, str(ends.why[0]))


def _correlated(correlation: Callable[[Scores, Scores], Value], x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the (B, 1) correlations in the resamples, nan if undefined."""
    defined = ~(np.isnan(x) | np.isnan(y)).any(axis=1)
    values = np.full((len(x), 1), np.nan)
    if defined.any():
        values[defined, 0] = correlation(x[defined], y[defined])
    return values
