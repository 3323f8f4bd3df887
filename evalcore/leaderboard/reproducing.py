"""Were results reproduced? The same systems scored twice: a paper's table and one's own, before and after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray
from evalcore.direction import directed, good_of
from evalcore.errors import InputError
from evalcore.leaderboard.jackknife import reach, standard_error
from evalcore.meta.align import paired_frames
from evalcore.meta.changes import ranks
from evalcore.meta.correlation import tau

COLUMNS = ("rmse", "nrmse", "effect_ratio", "er_low", "er_high", "dri", "dri_low", "dri_high")


@dataclass(frozen=True)
class Reproduction:
    """What of an original table a second one gives again.

    `systems`: original and reproduced mean, their ranks, the columns of COLUMNS. `tau` of the two rankings; `n_topics`
    that both have; `baseline`, whose improvements are compared.
    """

    systems: pd.DataFrame
    tau: float
    n_topics: int
    baseline: str


def reproduction(
    original: pd.DataFrame, reproduced: pd.DataFrame, baseline: str = "", level: float = 0.95
) -> Reproduction:
    """Compare two frames of topics x systems, on the topics and systems that both have (Breuer et al. 2020).

    For each system, over n topics, x its scores and b those of the baseline (by default the last of the original):
    rmse = sqrt(mean (x - x')^2); nrmse, as a share of the largest that the original allows, sqrt(mean max(x, 1 - x)^2),
    for scores in [0, 1], else nan; effect_ratio = mean(x' - b') / mean(x - b), 1 where the improvement came back; dri =
    (mean x - mean b) / mean b - (mean x' - mean b') / mean b', 0 then. Intervals by leaving out a topic, with t(n - 1);
    nan for the baseline, a mean improvement or baseline of 0, and one topic. Raises InputError where fewer than two
    systems or no topic are in both.

    >>> was = pd.DataFrame({"base": [0.2, 0.2], "new": [0.4, 0.6]})
    >>> now = pd.DataFrame({"base": [0.2, 0.2], "new": [0.3, 0.4]})
    >>> found = reproduction(was, now, "base").systems.loc["new"]
    >>> found[["rmse", "effect_ratio", "dri"]].round(4).tolist()
    [0.1581, 0.5, 0.75]
    """
    topics, systems = original.index.intersection(reproduced.index), original.columns.intersection(reproduced.columns)
    if len(systems) < 2 or not len(topics):
        raise InputError(
            f"expected two systems or more and a topic in both tables, found {len(systems)} and {len(topics)}"
        )
    then, now = paired_frames(original.loc[topics, systems], reproduced.loc[topics, systems])
    names = [str(name) for name in then.columns]
    base = baseline or names[int(np.argmin(then.mean().to_numpy()))]
    if base not in names:
        raise InputError(f"expected a system of both tables as the baseline, found {base!r}")
    x, y = then.to_numpy(dtype=np.float64), now.to_numpy(dtype=np.float64)
    at = names.index(base)
    table = {
        "original": original.loc[topics, systems].mean().reindex(then.columns),
        "reproduced": reproduced.loc[topics, systems].mean().reindex(then.columns),
        "original_rank": ranks(directed(then.mean(), "high")),
        "reproduced_rank": ranks(directed(now.mean(), "high")),
    }
    measured = dict(zip(COLUMNS, _measured(x, y, at, level), strict=True))
    frame = pd.DataFrame({**table, **{name: pd.Series(row, index=then.columns) for name, row in measured.items()}})
    frame = directed(frame, good_of(original))
    return Reproduction(frame, float(tau(x.mean(axis=0), y.mean(axis=0))), len(topics), base)


def _measured(x: FloatArray, y: FloatArray, base: int, level: float) -> tuple[FloatArray, ...]:
    """The columns of COLUMNS, a value for each system."""
    rmse = np.sqrt(((x - y) ** 2).mean(axis=0))
    most = np.sqrt((np.maximum(x, 1 - x) ** 2).mean(axis=0))
    nrmse = rmse / most if x.min() >= 0 and x.max() <= 1 else np.full(len(rmse), np.nan)
    n = len(x)
    whole = _effects(x.mean(axis=0), y.mean(axis=0), base)
    left = [
        _effects((x.sum(axis=0) - x[t]) / (n - 1), (y.sum(axis=0) - y[t]) / (n - 1), base) for t in range(n * (n > 1))
    ]
    columns = []
    for at, estimate in enumerate(whole):
        error = standard_error(np.array([one[at] for one in left])) if left else np.full(len(rmse), np.nan)
        half = reach(error, max(n - 1, 1), level)
        columns += [estimate, estimate - half, estimate + half]
    return rmse, nrmse, *columns


def _effects(x: FloatArray, y: FloatArray, base: int) -> tuple[FloatArray, FloatArray]:
    """Effect ratio and difference of relative improvements, of mean scores; nan where they divide by 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = x - x[base], y - y[base]
        ratio, change = second / first, first / x[base] - second / y[base]
    result = (ratio, change)
    for one in result:
        one[base] = np.nan
        one[~np.isfinite(one)] = np.nan
    return result
