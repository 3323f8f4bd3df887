"""Significant changes of the order: which system beats which at every setting, tested over topics.

A beats B at a setting if their mean difference over topics is significant, corrected for all pairs of systems at all
tested settings (the tests of `evalcore.meta.comparisons`, in one step): at most 5% of collections have any wrong
decision. So all conclusions from these decisions, such as a changed winner or a swap, hold together at that level.

Shapes: N settings, the default last, S systems, T topics, P pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.progress import Tell, checkpoint, tell_share
from evalcore.common.short_forms import shown
from evalcore.common.statements_of_doubt import states
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.meta.comparisons import Flipped, critical_value, how_many
from evalcore.meta.decided_swaps import LEVEL
from evalcore.meta.order import TIE
from evalcore.sensitivity.first_places import scorer
from evalcore.sensitivity.parameters import Parameter, written_out
from evalcore.sensitivity.trajectories import Trajectory
from evalcore.sensitivity.variants import Variants

QUICK = 100_000_000  # pairs of systems x settings x flips that a page tests without being asked: a second or two


@shown
@dataclass(frozen=True, eq=False)
class Orders:
    """The order of the systems at each value of a parameter, and at the default, with the significant pairs.

    `ranks` (N, S) are competition ranks, 0 if undefined; `beats` (N, S, S) is true if the first system is significantly
    better than the second. The last of the N settings is the measure as given.
    """

    values: FloatArray  # (N - 1,)
    systems: tuple[str, ...]
    ranks: IntArray
    beats: BoolArray
    n_topics: int
    level: float

    def changes(self, changes: pd.DataFrame) -> pd.DataFrame:
        """Return the changes of the winner (`Trajectory.changes`) with three more columns on their significance.

        `decided low` is the nearest value below the change at which the old winner beats the new one; `decided high` is
        the nearest value above it at which the new winner beats the old one; nan if there is none. `decided` is true if
        both exist.
        """
        rows = [self._around(*row) for row in changes[["low", "high", "before", "after"]].itertuples(index=False)]
        table = changes.copy()
        table["decided low"], table["decided high"] = (
            np.array([row[at] for row in rows], dtype=float) for at in (0, 1)
        )
        table["decided"] = np.isfinite(table["decided low"]) & np.isfinite(table["decided high"])
        return table

    def swap_in_words(self, value: float) -> str:
        """State whether a change of the winner between a value and the default is significant; "" if there is none."""
        at = int(np.abs(self.values - value).argmin())
        here, default = (np.flatnonzero(self.ranks[place] == 1).tolist() for place in (at, -1))
        if here == default or not here or not default:
            return ""
        new, old = (
            [system for system in here if system not in default] or here,
            [system for system in default if system not in here],
        )
        pairs = [(one, other) for one in new for other in old or default]
        after = all(self.beats[at, one, other] for one, other in pairs)
        before = all(self.beats[-1, other, one] for one, other in pairs)
        if after and before:
            return "The change of winner relative to the default is significant."
        return "The change of winner relative to the default is not significant."

    def _around(self, low: float, high: float, before: str, after: str) -> tuple[float, float]:
        first, then = (set(self._places(names)) for names in (before, after))
        old, new = sorted(first - then or first), sorted(then - first or then)
        if not old or not new:  # no winner on one side
            return np.nan, np.nan
        below = self.beats[:-1][:, old][:, :, new].all(axis=(1, 2)) & (self.values <= low + TIE)
        above = self.beats[:-1][:, new][:, :, old].all(axis=(1, 2)) & (self.values >= high - TIE)
        left, right = self.values[below], self.values[above]
        return float(left.max(initial=-np.inf)) if len(left) else np.nan, float(right[0]) if len(right) else np.nan

    def _places(self, names: str) -> list[int]:
        """Return the indices of the systems in a text: the name of one system, or tied systems separated by commas."""
        listed = names.split(", ")
        return [at for at, name in enumerate(self.systems) if name == names or name in listed]


def changes_in_words(changes: pd.DataFrame, parameter: Parameter) -> str:
    """State how many changes of the winner are significant, and between which values; "" without a change.

    `changes` is the result of `Orders.changes`.
    """
    if changes.empty:
        return ""
    count, decided = len(changes), changes[changes["decided"]]
    of = "The change of the winner" if count == 1 else f"Of {count} changes of the winner"
    if decided.empty:
        return f"{of} is not significant." if count == 1 else f"{of}, none is significant."
    parts = [
        f"from {row['before']}, ahead up to {parameter.name(row['decided low'])}, to {row['after']}, ahead from "
        f"{parameter.name(row['decided high'])} on"
        for _, row in decided.iterrows()
    ]
    if count == 1:
        return f"{of} is significant: {parts[0]}."
    return f"{of}, {len(decided)} {'is' if len(decided) == 1 else 'are'} significant: {'; '.join(parts)}."


@states(
    "Orders along a parameter: flipped signs of topics (max-T) and the paired bootstrap, at level {level} "
    "family-wise over all pairs and values"
)
def orders_along(
    trajectory: Trajectory,
    collection: HasPoolAndRankings,
    *,
    level: float = LEVEL,
    seed: int = 0,
    tell: Tell | None = None,
) -> Orders:
    """Return the `Orders` along a trajectory and at the default; tests are corrected for all pairs and settings.

    >>> from evalcore.data.small_collections import small_collection
    >>> from evalcore.sensitivity import trajectory
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"one": ["a"], "other": ["b", "a"]})
    >>> orders_along(trajectory("RBP(rho=0.5)", "rho", [0.2, 0.5], c), c).ranks.tolist()
    [[1, 2], [1, 2], [1, 2]]
    """
    full = written_out(trajectory.measure, collection)
    values = trajectory.means.index.to_numpy(dtype=float)
    measures = [*Variants(full, (trajectory.parameter,), values[:, None]), full]
    at = [collection.rankings.systems.index(name) for name in trajectory.outcomes.systems]
    scores = scores_at(measures, collection, tell)[:, at]
    ranks = np.concatenate([trajectory.outcomes.ranks, trajectory.outcomes.default_ranks[None]])
    beats = decided_pairs(scores, level, seed)
    return Orders(values, trajectory.outcomes.systems, ranks, beats, scores.shape[2], level)


def scores_at(measures: Sequence[Measure], collection: HasPoolAndRankings, tell: Tell | None = None) -> FloatArray:
    """Return (N, S, T) scores by measure, higher is better; nan for undefined measures and topics a system lacks."""
    rankings, score = collection.rankings, scorer(collection)
    scores = np.full((len(measures), *rankings.length.shape), np.nan)
    for at, measure in enumerate(measures):
        try:
            own = score(measure)
        except InputError:
            continue
        upwards = own if measure.good == "high" else -own
        scores[at] = upwards if rankings.average_over == "all" else np.where(rankings.counted(), upwards, np.nan)
        tell_share(tell, (at + 1) / len(measures))
    return scores


def quickly_ordered(systems: int, settings: int) -> bool:
    """Return whether there are several systems, and `orders_along` needs at most a second or two to compare them.

    >>> quickly_ordered(40, 100), quickly_ordered(400, 100)
    (True, False)
    """
    return systems > 1 and settings * systems**2 / 2 * how_many(systems) <= QUICK


def decided_pairs(scores: FloatArray, level: float = LEVEL, seed: int = 0) -> BoolArray:
    """Return (N, S, S) true if the first system significantly beats the second, corrected for all pairs and settings.

    Settings with the same scores are tested once.

    >>> scores = np.array([[[0.5, 0.6, 0.7, 0.64, 0.52, 0.61], [0.1, 0.2, 0.11, 0.3, 0.21, 0.22]]])
    >>> decided_pairs(scores).tolist()
    [[[False, True], [False, False]]]
    """
    own, alpha = _same(scores), round(1 - level, 12)
    flipped: dict[int, Flipped] = {}
    for at in np.unique(own).tolist():
        checkpoint()
        flipped[at] = Flipped.of(scores[at].T, alpha, seed)
    every = list(flipped.values())
    critical = critical_value(np.max([one.largest() for one in every], axis=0), alpha, every[0].exact)
    beats = {at: (one.apart_alone(one.v > critical)) & (one.ahead > 0) for at, one in flipped.items()}
    return np.stack([beats[at] for at in own.tolist()])


def _same(scores: FloatArray) -> IntArray:
    """Return, for each setting (N,), the index of the first setting with the same scores."""
    seen = dict[bytes, int]()
    return np.array([seen.setdefault(row.tobytes(), at) for at, row in enumerate(scores)], dtype=np.intp)
