"""How sure is tau between two measures, setting by setting? Its interval over topics, all on the same resamples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.arrays import IntArray
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.measures.evaluation import evaluate
from evalcore.meta import bootstrap_interval, tau, topic_resamples
from evalcore.progress import Tell, tell_share

NO_SCORES = "the measure has no scores here"


def tau_between(
    pairs: Sequence[tuple[Measure, Measure]],
    collection: HasPoolAndRankings,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    tell: Tell | None = None,
) -> pd.DataFrame:
    """Kendall's tau_b of the two measures of each pair, with `bootstrap_interval`'s bounds.

    Columns: tau, low, high, why. All pairs are resampled alike; a second measure that stays the same is scored once.
    nan where the first has no scores on the collection, or all systems are tied; low and high are nan, too, where it
    cannot be said how sure tau is, and why says why. Raises InputError where the second has none.

    >>> import evalcore as ec
    >>> from evalcore.data.small import small_collection
    >>> labels = pd.DataFrame({"relevance": [1, 1, 0]}, index=["a", "b", "c"])
    >>> c = small_collection(labels, {"s": ["a", "b"], "t": ["c", "a"]})
    >>> tau_between([(ec.parse("RBP"), ec.parse("AP"))], c, n_resamples=9).values.tolist()
    [[1.0, nan, nan, 'fewer than 10 topics']]
    """
    counts: IntArray | None = None
    scored: Measure | None = None
    base = pd.DataFrame()
    rows: list[tuple[float, float, float, str]] = []
    for tested, reference in pairs:
        if reference != scored:
            scored, base = reference, evaluate(reference, collection)
            counts = topic_resamples(len(base), n_resamples, seed) if counts is None else counts
        try:
            scores = evaluate(tested, collection)
        except InputError:
            rows.append((np.nan, np.nan, np.nan, NO_SCORES))
        else:
            interval = bootstrap_interval(tau, scores, base, level=level, counts=counts)
            rows.append((interval.estimate, interval.low, interval.high, interval.why))
        tell_share(tell, len(rows) / len(pairs))
    return pd.DataFrame(rows, columns=["tau", "low", "high", "why"])
