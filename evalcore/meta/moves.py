"""Moves of systems between two measures: the systems passed, and the topics responsible.

Scores are frames of topics x systems. A move is a change of rank; the contribution of a topic is the amount that the
topic adds to the change in the moving system's lead over the systems that this system passed or that passed it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.rounding import falling
from evalcore.common.short_forms import shown
from evalcore.drawing import figures
from evalcore.errors import InputError
from evalcore.meta.align import known_in_both, paired_frames, refuse_repeated
from evalcore.meta.changes import ranks
from evalcore.meta.order import ahead, means


@shown
@dataclass(frozen=True, eq=False)
class Move:
    """The move of a system from its rank under x to its rank under y.

    `crossed` are the systems that it passed if it rises, or that passed it if it falls; best under y first. `topics`
    has the contributions x, y and shift = y - x of each topic to the moving system's mean lead over these systems; the
    largest shift in the direction of the move is first. Leads are in standard deviations of the systems' means under
    each measure, so measures with small and large scores count equally. The columns add up to the leads.
    """

    system: str
    rank_x: int
    rank_y: int
    crossed: tuple[str, ...]
    topics: pd.DataFrame

    @property
    def shift(self) -> float:
        """The change in the lead: the sum of the shifts of all topics."""
        return float(self.topics["shift"].sum())

    @property
    def shares(self) -> pd.Series:
        """The share of each topic in the total shift, below 0 for a topic against the move; all 0 if the total is 0.

        >>> x, y = pd.DataFrame({"a": [1.0, 0.5], "b": [0.5, 0.5]}), pd.DataFrame({"a": [0.0, 0.25], "b": [0.5, 0.5]})
        >>> move(x, y, "a").shares.round(3).tolist()  # shifts of -3.333 and -0.667
        [0.833, 0.167]
        """
        return self.topics["shift"] / self.shift if self.shift else self.topics["shift"] * 0.0

    def figure(self, **options: Any) -> Any:
        """Draw the contribution of each topic to the move."""
        return figures().shifts(self.topics, **{"title": f"contribution to the change of {self.system}", **options})


def move(x_scores: pd.DataFrame, y_scores: pd.DataFrame, system: str) -> Move:
    """Return the move of one system from x to y, with the topics that caused it.

    On topic t the shift is the mean, over the systems j that system s crosses, of (y_st - y_jt) / (T * sd_y), minus the
    same for x; T is the number of topics that both systems have, sd the standard deviation of the systems' means. If
    low scores are good, the sign is reversed. Raises InputError for an unknown system, and for infinite scores.

    >>> x = pd.DataFrame({"a": [1.0, 0.5], "b": [0.5, 0.5]}, index=["t1", "t2"])
    >>> y = pd.DataFrame({"a": [0.0, 0.5], "b": [0.5, 0.5]}, index=["t1", "t2"])
    >>> fallen = move(x, y, "a")
    >>> fallen.rank_x, fallen.rank_y, fallen.crossed, fallen.topics["shift"].to_dict()
    (1, 2, ('b',), {'t1': -4.0, 't2': 0.0})
    """
    x, y = paired_frames(x_scores, y_scores)
    if system not in x.columns:
        raise InputError(f"expected a system of these scores, found {system!r}")
    if np.isinf(x.to_numpy()).any() or np.isinf(y.to_numpy()).any():
        raise InputError("expected finite scores, found infinite ones: each topic's share is undefined")
    at = list(x.columns).index(system)
    places_x, places_y = (ahead(means(frame)) for frame in (x, y))
    up = places_y[at] < places_x[at]
    crossed = _crossed(places_x, places_y, at) if places_x[at] != places_y[at] else np.array([], dtype=np.intp)
    leads = {name: _leads(frame, at, crossed) for name, frame in (("x", x), ("y", y))}
    topics = pd.DataFrame(leads, index=x.index.rename("topic"))
    topics["shift"] = topics["y"] - topics["x"]
    order = falling((1 if up else -1) * topics["shift"].to_numpy())
    names = tuple(map(str, x.columns[crossed]))
    return Move(system, int(places_x[at]) + 1, int(places_y[at]) + 1, names, topics.iloc[order])


def movers(x_means: pd.Series, y_means: pd.Series) -> pd.DataFrame:
    """Tabulate ranks under both measures and their change (above 0: a rise), largest |change| first, then by rank_y.

    >>> movers(pd.Series({"a": 3.0, "b": 2.0, "c": 1.0}), pd.Series({"a": 1.0, "b": 2.0, "c": 3.0}))["change"].to_dict()
    {'c': 2, 'a': -2, 'b': 0}
    """
    x_means, y_means = known_in_both(x_means, y_means)
    refuse_repeated(y_means.index, "system")
    table = pd.DataFrame({"rank_x": ranks(x_means), "rank_y": ranks(y_means.reindex(x_means.index))})
    table["change"] = table["rank_x"] - table["rank_y"]
    table["moved"] = table["change"].abs()
    ordered = table.sort_values(["moved", "rank_y"], ascending=[False, True], kind="stable")
    return ordered.drop(columns="moved").rename_axis("system")


def _crossed(x: IntArray, y: IntArray, at: int) -> IntArray:
    """Return the indices of the systems that a rising system passes, or that pass a falling one; best under y first."""
    before, after = x < x[at], y < y[at]
    crossed = np.flatnonzero(before & ~after if y[at] < x[at] else after & ~before)
    return crossed[np.argsort(y[crossed], kind="stable")]


def _leads(frame: pd.DataFrame, at: int, crossed: IntArray) -> FloatArray:
    """Return (T,) contributions to a system's mean lead over crossed systems, in standard deviations of all means."""
    values = frame.to_numpy(dtype=np.float64)
    if not len(crossed):
        return np.zeros(len(values))
    gaps = values[:, [at]] - values[:, crossed]
    both = ~np.isnan(gaps)
    parts = divided(np.where(both, gaps, 0.0), both.sum(axis=0))
    return divided(parts.mean(axis=1), means(frame).std())
