"""Many settings of a measure as tables: a row for each setting, or for each system over all of them.

Shapes: N settings, D parameters, S systems.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.rounding import ceiling
from evalcore.meta.order import ahead
from evalcore.sensitivity.first_places import Outcomes
from evalcore.sensitivity.parameters import Parameter


def settings_table(parameters: Sequence[Parameter], settings: FloatArray) -> pd.DataFrame:
    """Settings (N, D) as a table, a column for each parameter; of a choice the texts of its options."""
    pairs = zip(parameters, settings.T, strict=True)
    columns = {
        parameter.path: list(map(parameter.name, column)) if parameter.options else column
        for parameter, column in pairs
    }
    return pd.DataFrame(columns)


def ranks_over_settings(outcomes: Outcomes, top: int = 5, low: float = 0.05, high: float = 0.95) -> pd.DataFrame:
    """Ranks of each system over all settings: at the default, how often it is first and in the top, an interval.

    Tied systems share places: each of two tied winners has half of the first place. `rank low`, `rank median` and
    `rank high` are the ranks that the shares `low`, a half and `high` of the settings do not exceed.
    Columns: rank, share first, share top N, rank low, rank median, rank high; best median first.
    """
    ranks = outcomes.ranks[outcomes.defined]
    intervals = np.sort(ranks, axis=0)[[max(ceiling(share * len(ranks)), 1) - 1 for share in (low, 0.5, high)]]
    columns = {
        "rank": outcomes.default_ranks,
        "share first": share_in_top(ranks, 1),
        f"share top {top}": share_in_top(ranks, top),
        **dict(zip(("rank low", "rank median", "rank high"), intervals, strict=True)),
    }
    table = pd.DataFrame(columns, index=pd.Index(outcomes.systems, name="system", dtype=object))
    return table.sort_values(["rank median", "rank"], kind="stable")


def share_in_top(ranks: IntArray, top: int) -> FloatArray:
    """(S,) mean over settings of the chance to be among the first `top` when ties are broken at random.

    With a systems ahead and g tied (itself with them): (top - a) / g, between 0 and 1; from competition ranks (N, S).

    >>> share_in_top(np.array([[1, 1, 3], [1, 2, 3]]), 1).tolist()
    [0.75, 0.25, 0.0]
    """
    before = ranks - 1
    behind = ahead(before.astype(float))
    tied = ranks.shape[-1] - before - behind
    return np.asarray(np.clip((top - before) / tied, 0.0, 1.0).mean(axis=0))
