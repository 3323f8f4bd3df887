"""Comparisons with the best: the systems that may be the best, and the lead of each over the best of the others.

If k is the best system, no other is better than k. A system may be the best unless another is significantly better
among the S - 1 comparisons of this system with the others (`each` of `evalcore.meta.comparisons`). The set contains the
best system with probability `level` over draws of topics, whichever system you look at: it can go wrong only in the
comparisons of the best system, which does not depend on the topics drawn (multiple comparisons with the best: Hsu 1981,
doi 10.1214/aos/1176345582; Edwards, Hsu 1983; Hsu 1996). It is no larger than the set of systems that are not separable
from the leader: a step-down test of one system's pairs finds every difference that a test of all pairs finds.

Squares and variances below are of differences minus their mean. Let c be the critical value: under a share 1 - level
of the signs, the largest v of k's pairs exceeds c. If a mean difference is y away from the true one, it has added T y^2
to the squares of its pair, and c would be larger in proportion. With s the sum of squares of the pair, m the mean
variance of the differences over all pairs of systems, and q^2 = c^2 (1 + T m / the mean s of k's pairs),

    y^2 <= c^2 (s + T m) / (T (T - q^2)).

There is no limit if q^2 reaches T, which is rare even with 6 topics. All true differences of k lie within y of those
observed. This gives, for each k that may be the best, limits of the lead of a system over the best of the others;
the widest of them are returned. Shapes: T topics, S systems, K systems that may be the best.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.errors import check_level
from evalcore.meta.align import as_numbers, refuse_no_frame, tested_frame
from evalcore.meta.comparisons import Own, compared


def may_be_best(scores: pd.DataFrame, level: float = 0.95, seed: int = 0) -> pd.DataFrame:
    """Return the systems that may have the best true mean, and limits of each lead over the best of the others.

    A row for each system: may_be_best, lead_low and lead_high. The set contains the best system, and all limits hold
    together, with probability `level` (Hsu 1981). The limits are nan if there are too few topics.

    scores : frame of topics x systems; nan if a system has no score on a topic.

    >>> table = may_be_best(pd.DataFrame({"a": np.arange(8.0) + [0, 1] * 4, "b": np.arange(8.0) - 2}))
    >>> table["may_be_best"].tolist(), table.loc["a", "lead_low"] > 0
    ([True, False], np.True_)
    """
    check_level(level)
    refuse_no_frame(scores)
    frame = tested_frame(as_numbers(scores))
    own = compared(frame.to_numpy(dtype=np.float64), round(1 - level, 12), seed).own
    return pd.DataFrame(best_of(own), index=frame.columns.rename("system"))


def best_of(own: Own) -> dict[str, FloatArray | BoolArray]:
    """Return a dict of the columns (S,) of `may_be_best`, from the comparisons of each system with the others."""
    best = np.isin(np.arange(own.lead.shape[1]), own.best)
    low, high = _leads(own.lead, own.margin, own.best)
    unknown = ~np.isfinite(low) | ~np.isfinite(high)
    return {
        "may_be_best": best,
        "lead_low": np.where(unknown, np.nan, low),
        "lead_high": np.where(unknown, np.nan, high),
    }


def _leads(lead: FloatArray, margin: FloatArray, best: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return two arrays (S,): the lower and the upper limit of each system's lead over the best of the others.

    `lead` (K, S) has the lead of each system that may be the best over every system, `margin` (K, S) the largest
    distance of the true lead from this lead. If k is the best, its lead over the best of the others is its smallest
    lead, and every other system trails k.
    """
    rows, count = np.arange(len(best)), lead.shape[1]
    if not len(best) or count < 2:
        return np.full(count, np.nan), np.full(count, np.nan)
    least, most = lead - margin, lead + margin
    low, high = -most, np.minimum(-least, 0.0)
    least[rows, best] = most[rows, best] = np.inf
    low[rows, best], high[rows, best] = np.maximum(least.min(axis=1), 0.0), np.maximum(most.min(axis=1), 0.0)
    return low.min(axis=0), high.max(axis=0)
