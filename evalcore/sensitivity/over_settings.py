"""Tables of many settings of a measure: a row for each setting, or for each system over all settings.

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
    """Tabulate settings (N, D), a column for each parameter; the options of a choice are written as text."""
    pairs = zip(parameters, settings.T, strict=True)
    columns = {
        parameter.path: list(map(parameter.name, column)) if parameter.options else column
        for parameter, column in pairs
    }
    return pd.DataFrame(columns)


def ranks_over_settings(outcomes: Outcomes, top: int = 5, low: float = 0.05, high: float = 0.95) -> pd.DataFrame:
    """Tabulate each system's rank at the default setting, and its ranks over all defined settings.

    Columns: rank (at the default), share first and share top N (of the settings), rank low, rank median and rank high;
    the best median comes first. In the shares, tied systems divide their ranks: each of two tied winners counts half.
    `rank low`, `rank median` and `rank high` are quantiles of the ranks over the settings: at `low`, at one half and at
    `high`.
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
    """Return the (S,) mean, over settings, of the chance to be among the first `top` if ties are broken at random.

    With A systems ahead and G tied (including itself), the chance is (top - A) / G, clipped to between 0 and 1. `ranks`
    (N, S) are competition ranks.

    >>> share_in_top(np.array([[1, 1, 3], [1, 2, 3]]), 1).tolist()
    [0.75, 0.25, 0.0]
    """
    before = ranks - 1
    behind = ahead(before.astype(float))
    tied = ranks.shape[-1] - before - behind
    return np.asarray(np.clip((top - before) / tied, 0.0, 1.0).mean(axis=0))
