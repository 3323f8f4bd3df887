"""At which settings is a change of the order decided? Who beats whom at every setting, tested over topics.

A beats B at a setting where their mean difference over topics is larger than chance gives, corrected for all pairs of
systems at all settings that are looked at (the tests of `evalcore.meta.comparisons`, in one step): in at most 5% of
collections is anything said to beat another that it does not. So whatever is read from these decisions holds at that
level, all of it together: that the winner changed, that two swapped, that the first k are in another order.

Shapes: N settings, the default last, S systems, T topics, P pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.progress import Tell, checkpoint, tell_share
from evalcore.common.shown import shown
from evalcore.common.stated import states
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.meta.comparisons import Flipped, critical_value, how_many
from evalcore.meta.decided_swaps import LEVEL
from evalcore.meta.order import TIE
from evalcore.sensitivity.first_places import scorer
from evalcore.sensitivity.parameters import Parameter, written_out
from evalcore.sensitivity.trajectories import Trajectory
from evalcore.sensitivity.variants import Variants

QUICK = 100_000_000  # pairs of systems x settings x flips, up to which a page tests unasked: a second or two
FEW = 2  # stretches that a sentence names
KEPT, OTHER, DECIDED = "kept", "other", "decided"
"""Of the order of the first k: that of the default, another one, or one that is decidedly another."""


@shown
@dataclass(frozen=True, eq=False)
class Orders:
    """The order of the systems at each value of a parameter, and at the default, with what is decided of it.

    `ranks` (N, S), ties share the better rank, 0 where undefined; `beats` (N, S, S): whether the first is better than
    the second, and decidedly so. The last of N is the measure as it was given.
    """

    values: FloatArray  # (N - 1,)
    systems: tuple[str, ...]
    ranks: IntArray
    beats: BoolArray
    n_topics: int
    level: float

    def changes(self, changes: pd.DataFrame) -> pd.DataFrame:
        """The changes of the winner (`Trajectory.changes`) with where they are decided.

        `decided low` is the nearest value below at which who is first before beats who is first after; `decided high`
        the nearest above at which it is the other way round; nan where there is none. `decided`: both are there.
        """
        rows = [self._around(*row) for row in changes[["low", "high", "before", "after"]].itertuples(index=False)]
        table = changes.copy()
        table["decided low"], table["decided high"] = (
            np.array([row[at] for row in rows], dtype=float) for at in (0, 1)
        )
        table["decided"] = np.isfinite(table["decided low"]) & np.isfinite(table["decided high"])
        return table

    def of_first(self, k: int) -> pd.DataFrame:
        """Follow the order of the first k, by value: columns order, swapped, decided and sure.

        `order` is "kept" where the systems that are among the first k there or at the default have the same ranks as
        at the default, "other" where they have not, "decided" where also some swap with one of the default's first k
        is decided: it beats the other at the default, and is beaten there. `swapped` and `decided` count those swaps.
        `sure`: whether it is decided that the order is kept, at every place.
        Raises InputError for a k below 1.
        """
        if k < 1:
            raise InputError(f"expected 1 system or more, found {k}")
        default, there = self.ranks[-1], self.ranks[:-1]
        looked_at = ((default <= k) & (default > 0)) | ((there <= k) & (there > 0))
        kept = ((there == default) | ~looked_at).all(axis=1) & (there > 0).any(axis=1)
        first = (default <= k) & (default > 0)
        involved = first[:, None] | first
        behind = (default[:, None] < default) & (there[:, :, None] > there[:, None, :]) & involved
        decided = self.beats[-1] & self.beats[:-1].swapaxes(1, 2) & involved
        n_decided = decided.sum(axis=(1, 2))
        order = np.where(kept, KEPT, np.where(n_decided > 0, DECIDED, OTHER))
        order[~(there > 0).any(axis=1)] = ""
        columns = {"order": order, "swapped": behind.sum(axis=(1, 2)), "decided": n_decided, "sure": self.holds(k)}
        return pd.DataFrame(columns, index=pd.Index(self.values, name="value"))

    def holds(self, k: int) -> BoolArray:
        """(N - 1,) where the order of the first k is decidedly that of the default: at both, each of them beats the
        next, and the last of them all others."""
        order = np.argsort(self.ranks[-1], kind="stable")
        k = min(k, len(order) - 1)
        neighbours, others = self.beats[:, order[: k - 1], order[1:k]], self.beats[:, order[k - 1], order[k:]]
        both: BoolArray = np.asarray(np.concatenate([neighbours, others], axis=1).all(axis=1))
        return np.asarray(both[-1] & both[:-1])

    def swap_in_words(self, value: float) -> str:
        """Say whether a swap of the winner between a value and the default is significant; "" if the winner is the
        same.
        """
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
            return "That another is first than at the default is decided."
        return "That another is first than at the default is not decided."

    def _around(self, low: float, high: float, before: str, after: str) -> tuple[float, float]:
        first, then = (set(self._places(names)) for names in (before, after))
        old, new = sorted(first - then or first), sorted(then - first or then)
        if not old or not new:  # nobody is first on one side
            return np.nan, np.nan
        below = self.beats[:-1][:, old][:, :, new].all(axis=(1, 2)) & (self.values <= low + TIE)
        above = self.beats[:-1][:, new][:, :, old].all(axis=(1, 2)) & (self.values >= high - TIE)
        left, right = self.values[below], self.values[above]
        return float(left.max(initial=-np.inf)) if len(left) else np.nan, float(right[0]) if len(right) else np.nan

    def _places(self, names: str) -> list[int]:
        """The systems of a text in which tied ones stand with commas between."""
        listed = names.split(", ")
        return [at for at, name in enumerate(self.systems) if name == names or name in listed]


def changes_in_words(changes: pd.DataFrame, parameter: Parameter) -> str:
    """Say how many changes of the winner are significant, and between which values; "" without a change.

    `changes` is what `Orders.changes` gives.
    """
    if changes.empty:
        return ""
    count, decided = len(changes), changes[changes["decided"]]
    of = "The change of the winner" if count == 1 else f"Of {count} changes of the winner"
    if decided.empty:
        return f"{of} is not decided." if count == 1 else f"{of} none is decided."
    parts = [
        f"from {row['before']}, ahead up to {parameter.name(row['decided low'])}, to {row['after']}, ahead from "
        f"{parameter.name(row['decided high'])} on"
        for _, row in decided.iterrows()
    ]
    if count == 1:
        return f"{of} is decided: {parts[0]}."
    return f"{of} {len(decided)} {'is' if len(decided) == 1 else 'are'} decided: {'; '.join(parts)}."


def order_in_words(order: pd.DataFrame, k: int, parameter: Parameter) -> str:
    """Say where the first k keep their order, and where they significantly do not, from `Orders.of_first`.

    >>> order = pd.DataFrame({"order": ["kept", "kept", "other"], "sure": False}, index=[0.5, 0.8, 0.9])
    >>> order_in_words(order, 5, Parameter("rho", 0.8, 0.0, 1.0))
    'The first 5 keep their order at 2 of 3 values, from 0.5 to 0.8 (decided at none); a change is decided at none.'
    """
    who, keep = ("The first", "keeps its place") if k == 1 else (f"The first {k}", "keep their order")
    values = order.index.to_numpy(dtype=float)
    kept, decided = (order["order"] == KEPT).to_numpy(), (order["order"] == DECIDED).to_numpy()
    things = "options" if parameter.options else "values"
    sure = f" (decided at {_at(order['sure'].to_numpy(dtype=bool), values, parameter)})" if kept.any() else ""
    if kept.all():
        return f"{who} {keep} at all {len(order)} {things}{sure}."
    start = f"{who} {keep} at {kept.sum()} of {len(order)} {things}{_stretches(kept, values, parameter)}{sure}"
    return f"{start}; a change is decided at {_at(decided, values, parameter)}."


def _at(which: BoolArray, values: FloatArray, parameter: Parameter) -> str:
    return f"{which.sum()} of them{_stretches(which, values, parameter)}" if which.any() else "none"


def _stretches(which: BoolArray, values: FloatArray, parameter: Parameter) -> str:
    """Name stretches in words: options by name, values by their ends."""
    if not which.any():
        return ""
    if parameter.options:
        return f": {', '.join(map(parameter.name, values[which]))}"
    edges = np.flatnonzero(np.diff(np.concatenate([[False], which, [False]]).astype(int)))
    ends = [(values[start], values[stop - 1]) for start, stop in zip(edges[::2], edges[1::2], strict=True)]
    texts = [f"at {low:.4g}" if low == high else f"from {low:.4g} to {high:.4g}" for low, high in ends]
    return f", {' and '.join(texts)}" if len(texts) <= FEW else f", in {len(texts)} stretches"


@states(
    "Orders along a parameter: flipped signs of topics (max-T) and the paired bootstrap, at level {level:.0%} "
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
    """Decide who beats whom at each value of a trajectory, and at its measure as given, corrected for all of it.

    >>> from evalcore.data.small_collections import small_collection
    >>> from evalcore.sensitivity import trajectory
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"one": ["a"], "other": ["b", "a"]})
    >>> orders_along(trajectory("RBP(rho=0.5)", "rho", [0.2, 0.5], c), c).of_first(1)["order"].tolist()
    ['kept', 'kept']
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
    """(N, S, T) scores, higher is better; nan at a setting that is no measure, or of a topic that a system lacks."""
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
    """Return whether `orders_along` needs a second or two at most.

    >>> quickly_ordered(40, 100), quickly_ordered(400, 100)
    (True, False)
    """
    return systems > 1 and settings * systems**2 / 2 * how_many(systems) <= QUICK


def decided_pairs(scores: FloatArray, level: float = LEVEL, seed: int = 0) -> BoolArray:
    """(N, S, S) whether the first is decidedly better than the second, corrected for all pairs at all N settings.

    Of settings with the same scores one is looked at.

    >>> scores = np.array([[[0.5, 0.6, 0.7, 0.6, 0.5, 0.6], [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]]])
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
    """(N,) the first setting that has the same scores."""
    seen = dict[bytes, int]()
    return np.array([seen.setdefault(row.tobytes(), at) for at, row in enumerate(scores)], dtype=np.intp)
