"""Leads of one system over another in random draws, for the first lesson on significance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evalcore.common.arrays import FloatArray
from evalcore.meta.comparisons import drawn_signs
from evalcore.meta.resampling import topic_resamples

OTHER_TOPICS, CHANCE = "other topics", "chance alone"


def drawn_leads(differences: ArrayLike, how: str, count: int, seed: int = 0) -> FloatArray:
    """Return (count,) mean differences of two systems in random draws of their topics.

    "other topics": the mean over the same number of topics, drawn with replacement (Efron 1979). "chance alone": the
    mean if each topic's difference keeps its sign or flips it with probability 1/2 (Fisher 1935).

    >>> drawn_leads([0.5, 0.5], "other topics", 3).tolist()
    [0.5, 0.5, 0.5]
    >>> sorted(set(np.abs(drawn_leads([0.5, 0.3], "chance alone", 50)).round(1).tolist()))
    [0.1, 0.4]
    """
    values = np.asarray(differences, dtype=np.float64)
    weights = (
        topic_resamples(len(values), count, seed)
        if how == OTHER_TOPICS
        else next(drawn_signs(len(values), count, seed, count))
    )
    return np.asarray(weights @ values / len(values), dtype=np.float64)
