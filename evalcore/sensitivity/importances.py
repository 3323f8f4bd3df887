"""Which parameter moves the ranking most? Variance-based sensitivity indices (Sobol 2001; Saltelli et al. 2010).

The output is Kendall's tau_b with the default setting; where that is undefined (all systems tied) it counts as 0: no
order in common. Shapes: D parameters, N base points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy
from scipy.special import stdtrit

from evalcore.common.arrays import FloatArray
from evalcore.common.progress import Tell
from evalcore.common.rounding import TIE
from evalcore.common.shown import shown
from evalcore.drawing import figures
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.sensitivity.parameters import Parameter
from evalcore.sensitivity.sampling import values_at
from evalcore.sensitivity.variants import outcomes_at

RESAMPLES = 200
POINTS = 128
FEWEST_POINTS = 64
"""Base points from which on indices have intervals: on 32 those of functions with peaks cover 80 to 90%."""


@shown
@dataclass(frozen=True, eq=False)
class Importance:
    """Sobol indices of each parameter, largest total first.

    `table`, by path: `first`, the share of the variance of tau that the parameter explains alone; `total`, the share
    that it has a part in; each with the ends of its 95% interval, nan where there are too few points for one.
    `settings` were scored. `note` says what one has to know to read the numbers; empty where nothing is special.
    """

    table: pd.DataFrame
    settings: int
    note: str = ""

    def figure(self, **options: Any) -> Any:
        """Draw how much each parameter matters."""
        return figures().importance_bars(self.table, **options)


def importance(
    measure: Measure | str,
    parameters: Sequence[Parameter],
    collection: HasPoolAndRankings,
    *,
    points: int = POINTS,
    seed: int = 0,
    tell: Tell | None = None,
) -> Importance:
    """First-order and total Sobol indices by `scipy.stats.sobol_indices`, from points * (D + 2) settings.

    Every parameter is uniform between its ends, a level as likely as the next. `points` is a power of 2. A ranking that
    never changes has indices of 0, and a note. Estimates can fall a little below 0 or above 1. Raises InputError for
    another number of points, or no parameter.
    """
    if not parameters or points < 2 or points & (points - 1):
        raise InputError(f"expected at least one parameter and a power of 2, found {len(parameters)} and {points}")
    a, b, mixed = sobol_points(len(parameters), points, seed)
    settings = values_at(parameters, np.concatenate([a, b, *mixed]))
    taus = outcomes_at(measure, parameters, settings, collection, tell).tau
    output = np.nan_to_num(taus, nan=0.0).reshape(-1, points)
    note = _note(int(np.isnan(taus).sum()), len(taus), float(np.ptp(output)), points)
    columns = indices_of(output, seed) if np.ptp(output) > TIE else np.zeros((6, len(parameters)))
    names = ["first", "total", "first low", "total low", "first high", "total high"]
    table = pd.DataFrame(
        dict(zip(names, columns, strict=True)), index=pd.Index([parameter.path for parameter in parameters])
    )
    ordered = table[["first", "first low", "first high", "total", "total low", "total high"]].rename_axis("parameter")
    return Importance(ordered.sort_values("total", ascending=False, kind="stable"), len(taus), note)


def sobol_points(count: int, points: int, seed: int) -> tuple[FloatArray, FloatArray, list[FloatArray]]:
    """A and B, (N, D), and for each parameter A with its column from B (Saltelli et al. 2010)."""
    both = scipy.stats.qmc.Sobol(2 * count, bits=64, rng=np.random.default_rng(seed)).random(points)
    a, b = both[:, :count], both[:, count:]
    mixed = []
    for column in range(count):
        one = a.copy()
        one[:, column] = b[:, column]
        mixed.append(one)
    return a, b, mixed


def indices_of(output: FloatArray, seed: int) -> FloatArray:
    """(6, D) first order, total, and both at the ends of the interval, from outputs (2 + D, N).

    The interval is the estimate -+ (1 + D / 8) t standard deviations of resampled base points, N - 1 degrees of
    freedom, and their percentiles. Points of a Sobol sequence are not drawn one by one as resampling takes them to be:
    along many dimensions they may vary more, which the factor allows for.
    """
    points = output.shape[1]
    estimate = _sobol(output)
    if points < FEWEST_POINTS:
        return np.concatenate([estimate, np.full((4, output.shape[0] - 2), np.nan)])
    drawn = np.random.default_rng(seed).integers(points, size=(RESAMPLES, points))
    spread = np.array([_sobol(output[:, picked]) for picked in drawn])
    low, high = np.quantile(spread, [0.025, 0.975], axis=0)
    half = (1 + (output.shape[0] - 2) / 8) * stdtrit(points - 1, 0.975) * spread.std(axis=0)
    return np.concatenate([estimate, np.minimum(low, estimate - half), np.maximum(high, estimate + half)])


def _sobol(output: FloatArray) -> FloatArray:
    """(2, D) first order and total."""
    mixed = output[2:]
    # scipy 1.17 fails on a single parameter, so that one is given twice.
    parts: Any = {"f_A": output[:1], "f_B": output[1:2], "f_AB": np.concatenate([mixed, mixed[:1]])[:, None, :]}
    indices = scipy.stats.sobol_indices(func=parts, n=output.shape[1])
    return np.array([indices.first_order[:-1], indices.total_order[:-1]])


def _note(undefined: int, count: int, spread: float, points: int) -> str:
    if spread <= TIE:
        return "The order of the systems is the same at every setting: no parameter moves it."
    notes = []
    if undefined:
        notes.append(
            f"At {undefined} of {count} settings all systems are tied, or nothing can be scored: tau counts as 0 there."
        )
    if points < FEWEST_POINTS:
        notes.append(f"{count} settings are too few for intervals of the indices.")
    return " ".join(notes)
