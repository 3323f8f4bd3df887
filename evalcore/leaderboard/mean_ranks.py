"""The critical-difference picture: mean ranks over topics, and by how much two of them must differ.

Its groups are runs of systems along the ranks (Demsar 2006), other than the letters of `rank_intervals`, which come
from the scores themselves.

The tests of the textbook take the ranks of all systems to vary alike, and independently. Variants of one system move
together, and some systems vary more than others: of equal ones Friedman's test then finds that some differ in up to 19%
of cases at 5%, Nemenyi's in up to 12%. Those p are given; what is said is decided by more:

- that some systems differ by `p_corrected`, at least Friedman's p and that of F on the degrees of freedom of Greenhouse
  and Geisser, of ranks instead of scores (see `evalcore.meta.anova`);
- that two do, where the p of the pair says so, and flipped signs of the topics, as ranks with their doubt take it of
  scores (`evalcore.meta.comparisons`; there is none on fewer than 6 topics at .05).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import scipy  # whose statistics take 35 MB: from their first use on
from scipy.special import chdtrc, fdtrc, ndtr

from evalcore.arrays import BoolArray, FloatArray
from evalcore.constants import RANK_TESTS
from evalcore.direction import directed, upwards
from evalcore.errors import InputError, check_level
from evalcore.leaderboard.over_topics import mean_places
from evalcore.meta.align import as_numbers, refuse_no_frame
from evalcore.meta.anova import p_over_topics
from evalcore.meta.comparisons import apart_together
from evalcore.meta.significance import holm

NODES, FARTHEST = 512, 18.0  # where P(range > q) is computed for many q, and beyond which it is 0


@dataclass(frozen=True)
class CriticalDifference:
    """Mean ranks of systems, the best first, and which of them a test tells apart.

    `statistic` and `p` are Friedman's; `f` and `p_f` the less careful form of Iman and Davenport (1980). `difference`
    is that of two mean ranks from which Nemenyi's test tells them apart; nan by Holm's, which has none. `pairs` has p
    of each pair, corrected, systems x systems; `apart` which are told apart, by p and by flipped signs of the topics.
    `groups` are the longest runs of two systems or more in which none are. `p_corrected` holds where ranks do not vary
    alike, too.
    """

    ranks: pd.Series
    n_topics: int
    by: str
    alpha: float
    statistic: float
    p: float
    f: float
    p_f: float
    difference: float
    pairs: pd.DataFrame
    groups: tuple[tuple[str, ...], ...]
    p_corrected: float
    apart: pd.DataFrame


def critical_difference(scores: pd.DataFrame, alpha: float = 0.05, by: str = "Nemenyi") -> CriticalDifference:
    """Friedman's test of all systems, and Nemenyi's or Holm's of each pair, on mean ranks over topics.

    chi2 = 12 n / (k (k + 1)) sum_j (R_j - (k + 1) / 2)^2 / c for k systems on n topics, with c for ties, on k - 1
    degrees; F = (n - 1) chi2 / (n (k - 1) - chi2). A pair differs by (R_i - R_j) / sqrt(k (k + 1) / (6 n)): p by the
    studentised range of k (Nemenyi 1963), or by the normal distribution with Holm's correction (Demsar 2006, 3.2.2).
    Raises InputError for gaps (see `without_gaps`), fewer than two topics or three systems, and alpha that is no share.

    >>> scores = pd.DataFrame({"a": [3] * 6, "b": [2] * 6, "c": [1] * 6})
    >>> found = critical_difference(scores)
    >>> found.ranks.tolist(), found.statistic, round(found.difference, 3), found.groups
    ([1.0, 2.0, 3.0], 12.0, 1.353, (('a', 'b'), ('b', 'c')))
    """
    refuse_no_frame(scores)
    check_level(alpha, "alpha")
    if by not in RANK_TESTS:
        raise InputError(f"expected {' or '.join(RANK_TESTS)}, found {by}")
    if gaps := int(scores.isna().to_numpy().sum()):
        raise InputError(f"expected a score in every cell, found {gaps} gaps: choose a rule for them")
    n, k = scores.shape
    if n < 2 or k < 3:
        raise InputError(f"expected two topics or more and three systems or more, found {n} and {k}")
    places = mean_places(upwards(as_numbers(scores)).to_numpy())
    ranks = directed(pd.Series(places.mean(axis=0), index=scores.columns, name="mean rank"), "low")
    ranks = ranks.sort_values(kind="stable")
    statistic = _friedman(places)
    whole = n * (k - 1) - statistic
    f = (n - 1) * statistic / whole if whole > 1e-12 * n * k else np.inf
    pairs, p = _pairs(ranks, n, by), float(chdtrc(k - 1, statistic))
    apart = _apart(pairs, pd.DataFrame(-places, columns=scores.columns)[ranks.index].to_numpy(), alpha)
    return CriticalDifference(
        ranks, n, by, alpha, statistic, p, float(f), float(fdtrc(k - 1, (k - 1) * (n - 1), f)),
        _difference(n, k, alpha) if by == "Nemenyi" else np.nan, pairs,
        _runs(~apart.to_numpy(), [str(name) for name in ranks.index]),
        max(p, p_over_topics((places - (k + 1) / 2).T, k - 1)), apart,
    )  # fmt: skip


def _apart(pairs: pd.DataFrame, scores: FloatArray, alpha: float) -> pd.DataFrame:
    """Which pairs are told apart, by their p and by flipped signs of the topics, of scores (n, k)."""
    apart = pairs <= alpha
    return apart & apart_together(scores, alpha) if apart.to_numpy().any() else apart


def _difference(n: int, k: int, alpha: float) -> float:
    return _range_quantile(alpha, k) * float(np.sqrt(k * (k + 1) / (12 * n)))


@lru_cache(maxsize=64)
def _range_quantile(alpha: float, k: int) -> float:
    """What the range of k standard normal values exceeds with the chance alpha; kept, as it takes a while."""
    return float(scipy.stats.studentized_range.ppf(1 - alpha, k, np.inf))


def _friedman(places: FloatArray) -> float:
    """The statistic, 0 where all are tied on all topics."""
    n, k = places.shape
    spread = (places - (k + 1) / 2) ** 2  # of each topic k (k^2 - 1) / 12, less for ties
    total = spread.sum()
    return float((k - 1) * n**2 * ((places.mean(axis=0) - (k + 1) / 2) ** 2).sum() / total) if total else 0.0


def _pairs(ranks: pd.Series, n: int, by: str) -> pd.DataFrame:
    k, mean = len(ranks), ranks.to_numpy()
    sums = np.rint(2 * n * mean).astype(np.intp)  # ranks are whole or halves
    steps = np.abs(sums[:, None] - sums)
    unit = 1 / (2 * n * np.sqrt(k * (k + 1) / (6 * n)))
    times = np.bincount(steps.ravel())
    times[0] -= k
    taken = np.flatnonzero(times)
    by_steps = np.zeros(len(times))
    if by == "Nemenyi":
        by_steps[taken] = np.clip(_range_above(taken * unit * np.sqrt(2), k), 0, 1)
    else:
        by_steps[taken] = holm(2 * ndtr(-taken * unit), times[taken] // 2)
    p = by_steps[steps]
    np.fill_diagonal(p, 1.0)
    return pd.DataFrame(p, index=ranks.index, columns=ranks.index)


def _range_above(q: FloatArray, k: int) -> FloatArray:
    """P(range of k standard normal values > q) = 1 - k int phi(z) (Phi(z) - Phi(z - q))^(k - 1) dz.

    By the trapezium rule, whose error is below 1e-12 for so smooth a function; of many q between some.
    """
    if len(q) > NODES:
        return _between(q, k)
    z = np.linspace(-9, 9, 361)
    weight = k * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    return np.asarray(1 - (ndtr(z) - ndtr(z - q[:, None])) ** (k - 1) @ weight)


def _between(q: FloatArray, k: int) -> FloatArray:
    """The same from 0 to 18 by the polynomial through 512 of Chebyshev's points, by the barycentric formula; 0 beyond.

    Within 1e-12 of it for up to 20,000 systems (Berrut, Trefethen 2004, doi 10.1137/S0036144502417715).
    """
    angle = np.pi * (np.arange(NODES) + 0.5) / NODES
    nodes, weights = FARTHEST / 2 * (1 - np.cos(angle)), np.sin(angle) * (-1.0) ** np.arange(NODES)
    values, result = _range_above(nodes, k), []
    for part in np.array_split(np.minimum(q, FARTHEST), len(q) // NODES):
        away = part[:, None] - nodes
        shares = weights / np.where(away == 0, 1e-300, away)
        result.append(shares @ values / shares.sum(axis=1))
    return np.where(q > 0, np.concatenate(result), 1.0)


def _runs(alike: BoolArray, names: list[str]) -> tuple[tuple[str, ...], ...]:
    """The longest runs along the ranks in which no pair is told apart."""
    runs, last, end = [], 0, 0
    for start in range(len(names)):
        end = max(end, start + 1)  # what is left of a run without its first system is one
        while end < len(names) and alike[start:end, end].all():
            end += 1
        if end > last and end - start > 1:
            runs.append(tuple(names[start:end]))
        last = max(last, end)
    return tuple(runs)
