"""Any number of parameters: a random sample of settings, and where every system ends up.

Shapes: N settings, D parameters, S systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.progress import Tell
from evalcore.common.rounding import ceiling
from evalcore.common.shown import shown
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.meta.order import ahead
from evalcore.sensitivity.first_places import Outcomes
from evalcore.sensitivity.parameters import Parameter
from evalcore.sensitivity.variants import outcomes_at


@shown
@dataclass(frozen=True, eq=False)
class Sample:
    """N settings of some parameters, as a table (of a choice the names of its options), and the systems there."""

    parameters: tuple[Parameter, ...]
    settings: pd.DataFrame
    outcomes: Outcomes

    @property
    def values(self) -> FloatArray:
        """(N, D) the settings as numbers: of a choice the place of the option."""
        columns = [
            self.settings[parameter.path].map({name: value for value, name in (parameter.names or {}).items()} or float)
            for parameter in self.parameters
        ]
        return np.column_stack(columns).astype(float)

    def keeps(self, top: int = 5) -> float:
        """The share of settings at which the first `top` keep the order that they have at the default."""
        return float(self.outcomes.keeps(top)[self.outcomes.defined].mean())

    def table(self, top: int = 5, low: float = 0.05, high: float = 0.95) -> pd.DataFrame:
        """Per system: its default rank, the shares of settings in which it is first and in the top, its rank interval.

        Tied systems share what is left: of two tied for the first place each has half of it. `rank low` and `rank high`
        are the ranks that `low` and `high` of the settings do not exceed, `rank median` the one that half do not.
        Columns: rank, share first, share top N, rank low, rank median, rank high; best median first.
        """
        drawn = self.outcomes
        ranks = drawn.ranks[drawn.defined]
        intervals = np.sort(ranks, axis=0)[[max(ceiling(share * len(ranks)), 1) - 1 for share in (low, 0.5, high)]]
        columns = {
            "rank": drawn.default_ranks,
            "share first": share_in_top(ranks, 1),
            f"share top {top}": share_in_top(ranks, top),
            **dict(zip(("rank low", "rank median", "rank high"), intervals, strict=True)),
        }
        table = pd.DataFrame(columns, index=pd.Index(drawn.systems, name="system", dtype=object))
        return table.sort_values(["rank median", "rank"], kind="stable")


def sample(
    measure: Measure | str,
    parameters: Sequence[Parameter],
    collection: HasPoolAndRankings,
    *,
    count: int = 1000,
    seed: int = 0,
    tell: Tell | None = None,
) -> Sample:
    """Score all systems at `count` settings drawn uniformly, each parameter between its ends for itself.

    The same arguments give the same settings. Raises InputError for no parameter, or one that the measure lacks.
    """
    if not parameters or count < 1:
        raise InputError(f"expected at least one parameter and one setting, found {len(parameters)} and {count}")
    shares = np.random.default_rng(seed).random((count, len(parameters)))
    settings = values_at(parameters, shares)
    result = outcomes_at(measure, parameters, settings, collection, tell)
    return Sample(tuple(parameters), settings_table(parameters, settings), result)


def values_at(parameters: Sequence[Parameter], shares: FloatArray) -> FloatArray:
    """(N, D) values of D parameters at shares (N, D) of the way between their ends."""
    return np.column_stack([parameter.at(column) for parameter, column in zip(parameters, shares.T, strict=True)])


def settings_table(parameters: Sequence[Parameter], settings: FloatArray) -> pd.DataFrame:
    """Settings (N, D) as a table, a column for each parameter; of a choice the texts of its options."""
    pairs = zip(parameters, settings.T, strict=True)
    columns = {
        parameter.path: list(map(parameter.name, column)) if parameter.options else column
        for parameter, column in pairs
    }
    return pd.DataFrame(columns, index=range(len(settings)))  # a row for each, where no parameter varies too


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
