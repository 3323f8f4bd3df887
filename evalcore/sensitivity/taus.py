"""How alike do two measures rank? Setting by setting, with intervals over topics, and at every depth of readers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.common.arrays import IntArray
from evalcore.common.progress import Tell, tell_share
from evalcore.direction import directed
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure, as_measure
from evalcore.measures.cwl.user_models import at_depth
from evalcore.measures.evaluation import evaluate, mean_scores
from evalcore.meta import bootstrap_interval, tau, topic_resamples

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
    >>> from evalcore.data.small_collections import small_collection
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


def depth_taus(
    measure: Measure | str, other: Measure | str, depths: Sequence[float], collection: HasPoolAndRankings
) -> pd.DataFrame:
    """Kendall's tau_b between the systems by one measure and by the other, at every pair of expected depths.

    Depths of `measure` x depths of `other`, each set by `at_depth` for a ranking of no use, nan where nothing leads
    there or a ranking is all ties. Raises InputError as `at_depth` does for the first depth.

    >>> from evalcore.data import collection
    >>> runs = {"s": {"t": {"a": 2.0, "b": 1.0}}, "r": {"t": {"b": 2.0, "a": 1.0}}}
    >>> c = collection(runs, {"t": {"a": 1, "b": 0}})
    >>> depth_taus("RBP", "P", [1, 5], c).to_numpy().tolist()  # the two hold the same down to rank 5
    [[1.0, nan], [1.0, nan]]
    """
    sides = []
    for compared in (measure, other):
        variants = [at_depth(compared, depth) for depth in depths]
        means = mean_scores(variants, collection)
        good = as_measure(compared, collection).good
        sides.append([directed(pd.Series(row, collection.rankings.systems), good) for row in means])
    taus = [[tau(first, second) for second in sides[1]] for first in sides[0]]
    index, columns = (pd.Index(list(depths), name=str(side)) for side in (measure, other))
    return pd.DataFrame(taus, index, columns)
