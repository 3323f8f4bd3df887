"""Comparison of every system with one or several baselines: its gain, topics won, and significance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.progress import Tell, tell_share
from evalcore.common.statements_of_doubt import states
from evalcore.direction import directed
from evalcore.errors import InputError
from evalcore.meta.align import tested_frame
from evalcore.meta.changes import best_first
from evalcore.meta.differences import Differences, Draws, half_interval, of_pairs, t_test
from evalcore.meta.order import TIE
from evalcore.meta.significance import corrected_where_tested, permutation_p
from evalcore.meta.steps import least_p
from evalcore.meta.wilcoxon import p_of_pairs

COLUMNS = (
    "baseline", "system", "mean", "baseline_mean", "gain", "low", "high", "gain_percent", "wins", "losses", "ties", "p",
    "p_corrected",
)  # fmt: skip
LEVEL = 0.95  # of the interval of a gain


@states("Systems against baselines: {test}, two-sided; p corrected over all rows: {correction}; 95% t intervals")
def against_baselines(
    scores: pd.DataFrame,
    baselines: Sequence[str],
    test: str = "Wilcoxon",
    correction: str = "Benjamini-Hochberg",
    n_resamples: int = 10_000,
    seed: int = 0,
    progress: Tell | None = None,
) -> pd.DataFrame:
    """Return a row for each baseline and each other system, compared on the topics that both have; best system first.

    Columns: baseline, system, mean and baseline_mean (on those topics, in the units of the scores), gain (the lead of
    the system over the baseline, above 0 if the system is better), low and high (the gain's 95% t interval, not
    corrected; nan if a score is infinite, the two share only one topic, or the gain is the same on all topics),
    gain_percent (of |baseline_mean|; nan if that is 0), wins, losses and ties (numbers of topics), p of `test` (one of
    BASELINE_TESTS, two-sided) and p_corrected, by `correction` (one of CORRECTIONS) over all rows, that is, all systems
    against all baselines; scores in steps are treated as in `corrected_pairs`. If a score is infinite, p is nan and the
    row does not count as a test. Raises InputError for a baseline that is not a system or is listed twice, and if no
    other system is left.

    >>> scores = pd.DataFrame({"base": [0.2, 0.3, 0.3], "new": [0.4, 0.6, 0.3]})
    >>> against_baselines(scores, ["base"])[["gain_percent", "wins", "losses", "ties", "p"]].round(4).values.tolist()
    [[62.5, 2.0, 0.0, 1.0, 0.5]]
    """
    frame = tested_frame(scores)
    _check(frame, baselines, test)
    best = [str(name) for name in best_first(directed(frame.mean(), "high")).index]
    named = [(base, name) for base in baselines for name in best if name not in baselines]
    place = {str(name): at for at, name in enumerate(frame.columns)}
    a, b = (np.array([place[pair[side]] for pair in named], dtype=np.intp) for side in (1, 0))
    values = np.ascontiguousarray(frame.to_numpy(dtype=np.float64).T)
    shown = np.ascontiguousarray(scores.loc[frame.index, frame.columns].to_numpy(dtype=np.float64).T)
    p = BASELINE_TESTS[test](values, a, b, n_resamples, seed, progress)
    rows = [_row(values, shown, *pair) for pair in zip(a.tolist(), b.tolist(), strict=True)]
    table = pd.DataFrame(rows, columns=list(COLUMNS[2:11]))
    table.insert(0, "baseline", [base for base, _ in named])
    table.insert(1, "system", [name for _, name in named])
    counted = n_resamples if test == "bootstrap" else None
    least = least_p(values, a, b) if test in ("t-test", "bootstrap") and correction != "none" else 0.0
    return table.assign(p=p, p_corrected=corrected_where_tested(p, correction, counted, least))


def _check(frame: pd.DataFrame, baselines: Sequence[str], test: str) -> None:
    if test not in BASELINE_TESTS:
        raise InputError(f"expected a test ({', '.join(BASELINE_TESTS)}), found {test!r}")
    if not baselines:
        raise InputError("expected at least 1 baseline, found none")
    for name in baselines:
        if name not in frame.columns:
            raise InputError(f"expected one of the systems as baseline, found {name!r}")
        if list(baselines).count(name) > 1:
            raise InputError(f"expected each baseline once, found {name!r} again")
    if len(baselines) == frame.shape[1]:
        raise InputError(f"expected systems other than the baselines, found only {', '.join(baselines)}")


def _row(values: FloatArray, shown: FloatArray, a: int, b: int) -> tuple[float, ...]:
    both = ~np.isnan(values[a]) & ~np.isnan(values[b])
    if not both.any():
        return (*[np.nan] * 6, 0, 0, 0)
    with np.errstate(invalid="ignore"):
        lead = np.nan_to_num(values[a][both] - values[b][both], nan=0.0, posinf=np.inf, neginf=-np.inf)
        gain = float(lead.mean())
    noise = TIE * np.maximum(np.abs(values[a][both]), np.abs(values[b][both]))
    noise[np.isinf(noise)] = 0.0
    wins, losses = int((lead > noise).sum()), int((lead < -noise).sum())
    mean, base = float(shown[a][both].mean()), float(shown[b][both].mean())
    percent = 100 * gain / abs(base) if base and np.isfinite(base) else np.nan
    half = float(half_interval(Differences.between(values[[a]][:, both], values[[b]][:, both]), LEVEL)[0])
    return mean, base, gain, gain - half, gain + half, percent, wins, losses, int(both.sum()) - wins - losses


Test = Callable[[FloatArray, IntArray, IntArray, int, int, Tell | None], FloatArray]


def _bootstrap(
    values: FloatArray, a: IntArray, b: IntArray, n_resamples: int, seed: int, progress: Tell | None
) -> FloatArray:
    draws = Draws.of(values.shape[1], n_resamples, seed)
    parts = [part.where_tested(part.as_extreme(draws.of_topics(part.n_topics))) for _, part in of_pairs(values, a, b)]
    return np.concatenate(parts) / n_resamples


def _permutation(
    values: FloatArray, a: IntArray, b: IntArray, n_resamples: int, seed: int, progress: Tell | None
) -> FloatArray:
    p = np.full(len(a), np.nan)
    for at, (one, other) in enumerate(zip(values[a], values[b], strict=True)):
        both = ~np.isnan(one) & ~np.isnan(other)
        if np.isfinite(one[both]).all() and np.isfinite(other[both]).all():
            p[at] = permutation_p(one[both] - other[both], n_resamples, seed)[0]
        tell_share(progress, (at + 1) / len(a))
    return p


BASELINE_TESTS: dict[str, Test] = {
    "Wilcoxon": lambda values, a, b, *_: p_of_pairs(values, a, b),
    "t-test": lambda values, a, b, *_: t_test(values, a, b),
    "permutation": _permutation,
    "bootstrap": _bootstrap,
}
"""The paired tests of two systems, by name."""
