"""How sure is a correlation? Bootstrap over topics, with resamples that every measure shares.

Shapes: scores are topics x systems; counts are resamples x topics and say how often a resample drew each
topic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from evalcore.arrays import FloatArray, divided
from evalcore.meta.align import Scores, paired_frames, weighted_sums
from evalcore.meta.correlation import Value
from evalcore.meta.order import means

MOST_COUNTS = 500_000_000  # of resamples x topics, 4 GB


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval; `undefined` counts the resamples left out because they have no value."""

    estimate: float
    low: float
    high: float
    undefined: int = 0


def topic_resamples(n_topics: int, n_resamples: int, seed: int) -> NDArray[np.int64]:
    """How often each topic is drawn, in `n_resamples` draws of n_topics topics with replacement.

    Multinomial counts with equal chances. The same arguments give the same counts, for every measure.
    Efron 1979, "Bootstrap methods".

    >>> topic_resamples(4, 2, seed=1).sum(axis=1).tolist()  # every resample holds four topics
    [4, 4]
    """
    if n_topics < 1 or n_resamples < 1:
        raise ValueError(f"expected at least 1 topic and 1 resample, found {n_topics} and {n_resamples}")
    if n_resamples > MOST_COUNTS // n_topics:
        raise ValueError(
            f"expected at most {MOST_COUNTS // n_topics:,} resamples of {n_topics} topics, found {n_resamples:,}"
        )
    chances = np.full(n_topics, 1 / n_topics)
    return np.random.default_rng(seed).multinomial(n_topics, chances, size=n_resamples)


def resampled_means(scores: pd.DataFrame, counts: ArrayLike) -> FloatArray:
    """Mean score of every system in every resample, resamples x systems: counts @ scores / number of topics.

    Of a system that lacks topics, over the drawn ones that it has; nan where it has none of them. Infinite where a
    topic with an infinite score is drawn; means are those of the scores as they are.

    >>> resampled_means(pd.DataFrame({"a": [1.0, 3.0], "b": [0.0, 4.0]}), [[1, 1], [0, 2]]).tolist()
    [[2.0, 2.0], [3.0, 4.0]]
    """
    drawn = np.asarray(counts, dtype=np.float64)
    if drawn.ndim != 2 or drawn.shape[1] != len(scores):
        raise ValueError(f"expected counts of resamples x {len(scores)} topics, found shape {drawn.shape}")
    return weighted_means(scores.to_numpy(dtype=np.float64), drawn)


def weighted_means(scores: FloatArray, drawn: FloatArray) -> FloatArray:
    """(B, K) means of (T, K) scores, topics as often as drawn (B, T); of those that have a score, nan where none has.

    >>> weighted_means(np.array([[1.0], [np.nan], [4.0]]), np.array([[2.0, 0, 1], [0, 3, 0]])).tolist()
    [[2.0], [nan]]
    """
    known = ~np.isnan(scores)
    if known.all():
        return np.asarray(weighted_sums(drawn, scores) / len(scores))
    total, count = weighted_sums(drawn, np.where(known, scores, 0.0)), drawn @ known.astype(np.float64)
    return divided(total, count, np.nan)


def bootstrap_interval(
    correlation: Callable[[Scores, Scores], Value],
    x_scores: pd.DataFrame,
    y_scores: pd.DataFrame,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    counts: ArrayLike | None = None,
) -> Interval:
    """Correlation of the mean scores under two measures, with a percentile interval over resampled topics.

    Low and high are the (1 - level)/2 and (1 + level)/2 quantiles over the resamples (Efron, Tibshirani 1993,
    chapter 13). Both measures see the same resamples; pass `counts` of `topic_resamples`, made for the topics
    in the order of x_scores, to share them among many intervals (n_resamples and seed are then not used).
    Ties: as the correlation treats them. A resample in which it is undefined (one side wholly tied, a system without
    any drawn topic) is left out and counted. With one topic there is nothing to resample: low and high are nan.

    >>> from evalcore.meta import tau
    >>> frame = pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.4]})  # b wins on every topic: in every resample
    >>> bootstrap_interval(tau, frame, frame, n_resamples=9)
    Interval(estimate=1.0, low=1.0, high=1.0, undefined=0)
    """
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, both excluded, found {level}")
    x, y = paired_frames(x_scores, y_scores)
    if counts is None:
        counts = topic_resamples(len(x), n_resamples, seed)
    resampled = [resampled_means(frame, counts) for frame in (x, y)]
    whole = np.asarray(~np.isnan(resampled).any(axis=(0, 2)))
    values = np.full(len(whole), np.nan)
    if whole.any():
        values[whole] = correlation(resampled[0][whole], resampled[1][whole])
    defined = values[np.isfinite(values)]
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(defined, tails) if defined.size and len(x) > 1 else (np.nan, np.nan)
    estimate = correlation(means(x.to_numpy()), means(y.to_numpy()))
    return Interval(float(estimate), float(low), float(high), int(values.size - defined.size))
