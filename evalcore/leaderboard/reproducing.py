"""Were results reproduced? The same systems scored twice: a paper's table and one's own, before and after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtr

from evalcore.arrays import FloatArray, divided
from evalcore.direction import directed, good_of, with_gaps
from evalcore.errors import InputError, check_level
from evalcore.leaderboard.jackknife import left_out, of_means, reach
from evalcore.meta.align import as_numbers, paired_frames, refuse_no_frame
from evalcore.meta.changes import ranks
from evalcore.meta.correlation import tau
from evalcore.rounding import difference

COLUMNS = ("rmse", "nrmse", "effect_ratio", "er_low", "er_high", "dri", "dri_low", "dri_high", "p")


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


@np.errstate(invalid="ignore", over="ignore")  # of infinite scores
def reproduction(
    original: pd.DataFrame, reproduced: pd.DataFrame, baseline: str = "", level: float = 0.95
) -> Reproduction:
    """Compare two frames of topics x systems, on the topics and systems that both have (Breuer et al. 2020).

    For each system, over n topics, x its scores and b those of the baseline (by default the last of the original):
    rmse = sqrt(mean (x - x')^2); nrmse, as a share of the largest that the original allows, sqrt(mean max(x, 1 - x)^2),
    for scores in [0, 1], else nan; effect_ratio = mean(x' - b') / mean(x - b), 1 where the improvement came back; dri =
    (mean x - mean b) / mean b - (mean x' - mean b') / mean b', 0 then. Intervals by leaving out a topic, with t(n - 1);
    nan for the baseline, a mean improvement or baseline of 0, and one topic; the ends also where no topic changes the
    number. p is that of the paired t-test of both improvements, x - b and x' - b', not corrected for the number of
    systems; nan where they differ alike on all topics. Where scores are missing, n is how many topics have one of the
    system, and of the baseline, in both tables.
    Raises InputError where fewer than two systems or no topic are in both, and for a level that is no share.

    >>> was = pd.DataFrame({"base": [0.2, 0.2], "new": [0.4, 0.6]})
    >>> now = pd.DataFrame({"base": [0.2, 0.2], "new": [0.3, 0.4]})
    >>> found = reproduction(was, now, "base").systems.loc["new"]
    >>> found[["rmse", "effect_ratio", "dri"]].round(4).tolist()
    [0.1581, 0.5, 0.75]
    """
    refuse_no_frame(original, "original")
    refuse_no_frame(reproduced, "reproduced")
    check_level(level)
    topics, systems = original.index.intersection(reproduced.index), original.columns.intersection(reproduced.columns)
    if len(systems) < 2 or not len(topics):
        raise InputError(
            f"expected two systems or more and a topic in both tables, found {len(systems)} and {len(topics)}"
        )
    original = as_numbers(original.loc[topics, systems], "original")
    reproduced = as_numbers(reproduced.loc[topics, systems], "reproduced")
    if not (original.notna() & reproduced.notna()).any(axis=None):
        raise InputError("expected scores of a system on a topic in both tables, found none")
    then, now = paired_frames(with_gaps(original), with_gaps(reproduced))
    if then.shape[1] < 2:
        raise InputError(f"expected two systems or more with scores in both tables, found {then.shape[1]}")
    if undefined := [name for name in then.columns if np.isnan([then[name].mean(), now[name].mean()]).any()]:
        raise InputError(f"expected means that are numbers, found infinite scores of both signs for {undefined[0]!r}")
    names = [str(name) for name in then.columns]
    base = baseline or names[int(np.argmin(then.mean().to_numpy()))]
    if base not in names:
        raise InputError(f"expected a system of both tables as the baseline, found {base!r}")
    x, y = then.to_numpy(dtype=np.float64), now.to_numpy(dtype=np.float64)
    at = names.index(base)
    table = {
        "original": original.mean().reindex(then.columns),
        "reproduced": reproduced.mean().reindex(then.columns),
        "original_rank": ranks(directed(then.mean(), "high")),
        "reproduced_rank": ranks(directed(now.mean(), "high")),
    }
    measured = dict(zip(COLUMNS, _measured(x, y, at, level), strict=True))
    frame = pd.DataFrame({**table, **{name: pd.Series(row, index=then.columns) for name, row in measured.items()}})
    frame = directed(frame, good_of(original))
    return Reproduction(frame, float(tau(np.nanmean(x, axis=0), np.nanmean(y, axis=0))), len(then), base)


def _measured(x: FloatArray, y: FloatArray, base: int, level: float) -> tuple[FloatArray, ...]:
    """The columns of COLUMNS, a value for each system; nan in x and y where a score is missing."""
    rmse = np.sqrt(np.nanmean(np.where(x == y, 0.0, (x - y) ** 2), axis=0))  # two infinities are as equal
    most = np.sqrt(np.nanmean(np.maximum(x, 1 - x) ** 2, axis=0))
    shares = np.nanmin(x) >= 0 and np.nanmax(x) <= 1
    nrmse = rmse / most if shares else np.full(len(rmse), np.nan)
    there = ~np.isnan(x) & ~np.isnan(x[:, [base]])
    tables = [np.where(there, scores, 0.0) for scores in (x, x[:, [base]], y, y[:, [base]])]
    sums, count = [table.sum(axis=0) for table in tables], there.sum(axis=0)
    whole = _effects([divided(total, count, np.nan) for total in sums], base)
    means = [divided(total - table, count - there, np.nan) for total, table in zip(sums, tables, strict=True)]
    columns = []
    for estimate, left in zip(whole, _effects(means, base), strict=True):
        error, freedom = left_out(left, estimate, there, np.zeros(len(x)))
        half = reach(error, freedom, level)
        columns += [estimate, estimate - half, estimate + half]
    return rmse, nrmse, *columns, _p_same(x, y, base)


def _p_same(x: FloatArray, y: FloatArray, base: int) -> FloatArray:
    """(S,) p of the paired t-test of the improvements over the baseline in two tables (T, S)."""
    changed = difference(x, x[:, [base]]) - difference(y, y[:, [base]])
    error, freedom = of_means(np.where(np.isfinite(changed), changed, np.nan))
    mean = divided(np.nansum(changed, axis=0), np.isfinite(changed).sum(axis=0), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(error > 0, 2 * stdtr(freedom, -np.abs(mean) / error), np.nan)
    p[np.isinf(changed).any(axis=0)] = np.nan
    p[base] = np.nan
    return np.asarray(p)


def _effects(means: list[FloatArray], base: int) -> tuple[FloatArray, FloatArray]:
    """Effect ratio and difference of relative improvements; nan where they divide by 0.

    Of mean scores (..., S) of systems and of the baseline, original and reproduced.
    """
    x, b, y, c = means
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = difference(x, b), difference(y, c)
        result = second / first, difference(first / b, second / c)
    for scores in result:
        scores[..., base] = np.nan
        scores[~np.isfinite(scores)] = np.nan
    return result
