"""Two measures at every depth of their readers: how alike the rankings are, once the readers are."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from evalcore.direction import directed
from evalcore.measures.base import HasPoolAndRankings, Measure, as_measure
from evalcore.measures.cwl.user_models import at_depth
from evalcore.measures.evaluation import mean_scores
from evalcore.meta.correlation import tau


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
        good = as_measure(compared).good
        sides.append([directed(pd.Series(row, collection.rankings.systems), good) for row in means])
    taus = [[tau(first, second) for second in sides[1]] for first in sides[0]]
    index, columns = (pd.Index(list(depths), name=str(side)) for side in (measure, other))
    return pd.DataFrame(taus, index, columns)
