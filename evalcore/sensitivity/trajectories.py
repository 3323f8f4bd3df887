"""One varied parameter: the score and rank of every system along it, and the values at which the winner changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.progress import Tell, part_of, tell_share
from evalcore.common.short_forms import shown
from evalcore.direction import directed
from evalcore.drawing import figures, styles_of
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure, as_measure
from evalcore.sensitivity.choices import with_settings
from evalcore.sensitivity.first_places import Outcomes, outcomes
from evalcore.sensitivity.parameters import Parameter, written_out
from evalcore.sensitivity.variants import outcomes_at
from evalcore.sensitivity.varied import parameter_of

MOST_CHANGES = 20  # halvings between two neighbouring values

Winners = frozenset[int]


@shown
@dataclass(frozen=True, eq=False)
class Trajectory:
    """Scores and ranks of the systems at each value of one parameter of a measure.

    `means` and `ranks` (ties share the better rank) are frames of values x systems, `tau` is a series over the values:
    Kendall's tau_b between the ranking at the value and the ranking under the measure as given. `changes` has a row for
    each change of the winner: at `low` the systems in `before` are first, at `high` those in `after` (several if tied).
    high - low is at most the precision, unless the parameter has levels.
    """

    measure: Measure  # as it was given
    parameter: Parameter
    outcomes: Outcomes
    means: pd.DataFrame
    ranks: pd.DataFrame
    tau: pd.Series
    changes: pd.DataFrame

    def figure(self, **options: Any) -> Any:
        """Draw the ranks of the systems along the parameter."""
        about, styles = self.parameter, styles_of(self.means.columns, options)
        how = {"title": about.path, "default": about.value, "names": about.names, **options}
        return figures().rank_trajectories(self.ranks, self.means, self.tau, self.changes, styles, **how)


def trajectory(
    measure: Measure | str,
    path: str,
    values: Sequence[float],
    collection: HasPoolAndRankings,
    *,
    precision: float | None = None,
    tell: Tell | None = None,
) -> Trajectory:
    """Return the `Trajectory` of all systems over values, in ascending order, of the parameter at `path`.

    If two neighbouring values have different winners, the interval between them is halved until its length is at most
    `precision` (by default 1/1000 of the distance from the first value to the last), unless the parameter has levels. A
    system that wins only between two neighbouring values may be missed. Raises InputError for an unknown path, or
    without values.

    >>> from evalcore.data.small_collections import small_collection
    >>> labels = pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"])
    >>> c = small_collection(labels, {"one": ["a"], "other": ["b", "a"]})
    >>> trajectory("RBP(rho=0.5)", "rho", [0.2, 0.5], c).means.round(2).to_numpy().tolist()  # 1 - rho, (1 - rho) rho
    [[0.8, 0.16], [0.5, 0.25]]
    """
    measure = as_measure(measure, collection)
    full = written_out(measure, collection)
    parameter = parameter_of(measure, path, collection)
    wanted = sorted(set(map(float, values)))
    if not wanted:
        raise InputError("expected at least one value, found none", f"{measure} {path}")
    result = outcomes_at(full, (parameter,), np.array(wanted)[:, None], collection, part_of(tell, 0, 2))
    if precision is None:
        precision = (wanted[-1] - wanted[0]) / 1000
    search = _Search(full, parameter, collection, 0.0 if parameter.levels else max(precision, 1e-9))
    changes = search.changes(wanted, [_winners(row) for row in result.first], part_of(tell, 1, 2))
    index, systems = pd.Index(wanted, name=path), pd.Index(result.systems, name="system", dtype=object)
    return Trajectory(
        measure,
        parameter,
        result,
        directed(pd.DataFrame(result.means, index, systems), result.good),
        pd.DataFrame(result.ranks, index, systems),
        pd.Series(result.tau, index, name="tau"),
        _frame(changes, result.systems),
    )


@dataclass(frozen=True)
class _Search:
    """Search for changes of the winner by halving intervals; with a precision of 0, intervals are not halved."""

    measure: Measure
    parameter: Parameter
    collection: HasPoolAndRankings
    precision: float

    def changes(
        self, values: Sequence[float], winners: Sequence[Winners], tell: Tell | None
    ) -> list[tuple[float, float, Winners, Winners]]:
        result, stretches = [], max(len(values) - 1, 1)
        for at in range(len(values) - 1):
            low, high, before, after = values[at], values[at + 1], winners[at], winners[at + 1]
            telling = part_of(tell, at, stretches)
            for _ in range(MOST_CHANGES):
                if before == after:
                    break
                step = self._first_change(low, high, before, after, telling)
                result.append(step)
                _, low, _, before = step
        tell_share(tell, 1.0)
        return result

    def _first_change(
        self, low: float, high: float, before: Winners, after: Winners, tell: Tell | None
    ) -> tuple[float, float, Winners, Winners]:
        """Return the first change of the winner after `low`: its low and high values, the winners before and after."""
        while self.precision and high - low > self.precision:
            middle = (low + high) / 2
            tell_share(tell, 0.0)
            there = self._winners_at(middle)
            if there == before:
                low = middle
            else:
                high, after = middle, there
        return low, high, before, after

    def _winners_at(self, value: float) -> Winners:
        there = with_settings(self.measure, {self.parameter.path: self.parameter.setting(value)})
        try:
            return _winners(outcomes(self.measure, [there], self.collection).first[0])
        except InputError:  # undefined at this value: no winner
            return frozenset()


def _winners(first: np.ndarray) -> Winners:
    return frozenset(np.flatnonzero(first).tolist())


def _frame(changes: Sequence[tuple[float, float, Winners, Winners]], systems: Sequence[str]) -> pd.DataFrame:
    def named(winners: Winners) -> str:
        return ", ".join(systems[at] for at in sorted(winners)) or "nobody"

    rows = [(low, high, named(before), named(after)) for low, high, before, after in changes]
    return pd.DataFrame(rows, columns=["low", "high", "before", "after"])
