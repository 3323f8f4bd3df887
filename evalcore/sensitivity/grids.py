"""Two parameters varied together: the winner, and tau with the default order, at every pair of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.progress import Tell
from evalcore.common.rounding import falling
from evalcore.common.short_forms import shown
from evalcore.drawing import figures, styles_of
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.sensitivity.first_places import Outcomes
from evalcore.sensitivity.parameters import Parameter
from evalcore.sensitivity.variants import outcomes_at
from evalcore.sensitivity.varied import parameter_of


@shown
@dataclass(frozen=True, eq=False)
class Grid:
    """Results of all systems at every pair of values of two parameters: X values across, Y values upwards.

    `tau` (Y, X) is Kendall's tau_b with the measure as given; `winner` (Y, X) the index of the winner (if several are
    tied, the one listed first; -1 if the setting is undefined); `tied` (Y, X) the number of tied winners.
    """

    across: Parameter
    up: Parameter
    xs: FloatArray  # (X,)
    ys: FloatArray  # (Y,)
    outcomes: Outcomes  # settings row by row: y by y, x within y

    @property
    def systems(self) -> tuple[str, ...]:
        return self.outcomes.systems

    @property
    def tau(self) -> FloatArray:
        return self._square(self.outcomes.tau)

    @property
    def winner(self) -> IntArray:
        return self._square(self.outcomes.winner)

    @property
    def tied(self) -> IntArray:
        return self._square(self.outcomes.tied)

    @property
    def means(self) -> FloatArray:
        """(Y, X, S) mean scores."""
        return self.outcomes.means.reshape(len(self.ys), len(self.xs), -1)

    def frame(self) -> pd.DataFrame:
        """Tabulate the settings: both values (by path), tau, winner, tied (number of winners), score (the winner's)."""
        y, x = np.meshgrid(self.ys, self.xs, indexing="ij")
        winner = self.outcomes.winner
        names = np.array([*self.systems, ""], dtype=object)
        return pd.DataFrame(
            {
                self.across.path: x.ravel(),
                self.up.path: y.ravel(),
                "tau": self.outcomes.tau,
                "winner": names[winner],
                "tied": self.outcomes.tied,
                "score": self.outcomes.means[np.arange(len(winner)), winner],
            }
        )

    def keeps(self, top: int = 5) -> float:
        """Return the share of defined settings at which ranks 1 to `top` are as at the default setting."""
        return float(self.outcomes.keeps(top)[self.outcomes.defined].mean())

    def shares(self) -> pd.Series:
        """Return the share of defined settings that each system wins, largest first; tied winners share a setting."""
        first = self.outcomes.first[self.outcomes.defined]
        share = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
        index = pd.Index(self.systems, name="system", dtype=object)
        return pd.Series(share, index, name="share first").iloc[falling(share)]

    def _square(self, values: np.ndarray) -> np.ndarray:
        return values.reshape(len(self.ys), len(self.xs))

    def figure(self, **options: Any) -> Any:
        """Draw two maps of the settings: tau with the default ranking, and the winner."""
        ends, styles = (self.across, self.up), styles_of(self.systems, options)
        about = {"titles": tuple(end.path for end in ends), "default": tuple(end.value for end in ends)}
        how = {**about, "names": tuple(end.names for end in ends), **options}
        return figures().setting_maps(self.xs, self.ys, self.tau, self.winner, self.tied, self.systems, styles, **how)


def grid(
    measure: Measure | str,
    path_x: str,
    xs: Sequence[float],
    path_y: str,
    ys: Sequence[float],
    collection: HasPoolAndRankings,
    *,
    tell: Tell | None = None,
) -> Grid:
    """Return the results of all systems at every pair of values of two parameters, given by their paths.

    Rank-biased measures are scored as matrix products (see `evalcore.measures.evaluation.mean_scores`). Raises
    InputError for unknown or equal paths, and for invalid or no values.

    >>> from evalcore.data.small_collections import small_collection
    >>> labels = pd.DataFrame({"relevance": [1, 2]}, index=["a", "b"])
    >>> c = small_collection(labels, {"one": ["a", "b"], "other": ["b"]})
    >>> found = grid("RBP(rho=0.5)", "rho", [0.2, 0.9], "rel", [1, 2], c)
    >>> found.winner.tolist()  # with rel=2 only document b is relevant
    [[0, 0], [1, 1]]
    """
    across, up = (parameter_of(measure, path, collection) for path in (path_x, path_y))
    if path_x == path_y or not len(xs) or not len(ys):
        raise InputError(f"expected two parameters with values, found {path_x} ({len(xs)}) and {path_y} ({len(ys)})")
    settings = np.array([(x, y) for y in ys for x in xs], dtype=float)
    result = outcomes_at(measure, (across, up), settings, collection, tell)
    return Grid(across, up, np.array(xs, dtype=float), np.array(ys, dtype=float), result)
