"""Topics drawn with replacement, in resamples that all measures share, and the systems' means in them.

Shapes: scores are topics x systems; counts, of resamples x topics, are the numbers of times that a resample drew each
topic.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalcore.common.arrays import FloatArray, divided
from evalcore.errors import InputError
from evalcore.meta.align import weighted_sums

MOST_COUNTS = 500_000_000  # of resamples x topics, 4 GB
KEPT_COUNTS = 500_000  # 4 MB


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval; `undefined` is the number of resamples without a value, which are left out.

    If there is no valid interval, low and high are nan, and `why` gives the reason.
    """

    estimate: float
    low: float
    high: float
    undefined: int = 0
    why: str = field(default="", repr=False)


def topic_resamples(n_topics: int, n_resamples: int, seed: int) -> NDArray[np.int64]:
    """Draw n_topics topics with replacement `n_resamples` times, and count how often each topic is drawn.

    Multinomial counts with equal chances. The same arguments give the same counts, for every measure.
    Efron 1979, "Bootstrap methods".

    >>> topic_resamples(4, 2, seed=1).sum(axis=1).tolist()  # every resample holds four topics
    [4, 4]
    """
    if n_topics < 1 or n_resamples < 1:
        raise InputError(f"expected at least 1 topic and 1 resample, found {n_topics} and {n_resamples}")
    check_draws(n_resamples, seed)
    if n_resamples > MOST_COUNTS // n_topics:
        raise InputError(
            f"expected at most {MOST_COUNTS // n_topics:,} resamples of {n_topics} topics, found {n_resamples:,}"
        )
    asked = n_topics, n_resamples, seed
    return _kept(*asked).copy() if n_topics * n_resamples <= KEPT_COUNTS else _drawn(*asked)


def check_draws(n_resamples: int, seed: int) -> None:
    """Raise InputError unless the number of resamples and the seed are whole numbers of at least 0."""
    asked: dict[str, Any] = {"number of resamples": n_resamples, "seed": seed}
    for what, number in asked.items():
        if not isinstance(number, Integral):
            raise InputError(f"expected a whole number as {what}, found {number!r}")
        if number < 0:
            raise InputError(f"expected a {what} of at least 0, found {number}")


def _drawn(n_topics: int, n_resamples: int, seed: int) -> NDArray[np.int64]:
    chances = np.full(n_topics, 1 / n_topics)
    return np.random.default_rng(seed).multinomial(n_topics, chances, size=n_resamples)


_kept = lru_cache(maxsize=8)(_drawn)  # every position of a slider needs the same draws


def drawn_topics(n_topics: int, n_resamples: int, seed: int, counts: ArrayLike | None) -> FloatArray:
    """Return (B, T) counts of topics in resamples: the given counts, or drawn with the seed if `counts` is None."""
    return counted_topics(n_topics, topic_resamples(n_topics, n_resamples, seed) if counts is None else counts)


def counted_topics(n_topics: int, counts: ArrayLike) -> FloatArray:
    """Return given counts of topics as floats (B, T). Raises InputError for a different shape."""
    drawn = np.asarray(counts, dtype=np.float64)
    if drawn.ndim != 2 or drawn.shape[1] != n_topics:
        raise InputError(f"expected counts of resamples x {n_topics} topics, found shape {drawn.shape}")
    return drawn


def weighted_means(scores: FloatArray, drawn: FloatArray) -> FloatArray:
    """Return (B, K) means of scores (T, K) over topics drawn (B, T) times, leaving out nan; nan if no score is left.

    >>> weighted_means(np.array([[1.0], [np.nan], [4.0]]), np.array([[2.0, 0, 1], [0, 3, 0]])).tolist()
    [[2.0], [nan]]
    """
    known = ~np.isnan(scores)
    if known.all():
        return np.asarray(weighted_sums(drawn, scores) / len(scores))
    total, count = weighted_sums(drawn, np.where(known, scores, 0.0)), drawn @ known.astype(np.float64)
    return divided(total, count, np.nan)
