"""Changes between two measures: ranks that change, pairs that swap, pairs that only one measure separates.

Each side is a Series of scores by system, or a frame of scores, topics x systems; higher is better unless the scores
declare otherwise (`evalcore.direction`). Ties are defined as in `correlation`, so ranks, swaps and tau are consistent.
Differences are leads: positive if system_a is better.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import falling
from evalcore.direction import directed, upwards
from evalcore.errors import InputError
from evalcore.meta.align import as_numbers, known_in_both, paired, paired_frames, refuse_no_frame
from evalcore.meta.differences import t_test
from evalcore.meta.order import TIE, ahead, means

_DIFFERENCES_AT_ONCE = 1_000_000


def ranks(scores: pd.Series) -> pd.Series:
    """Return competition ranks: 1 is best, and tied systems share the better rank ("1224").

    >>> ranks(pd.Series({"a": 0.2, "b": 0.5, "c": 0.2, "d": 0.1})).to_dict()
    {'a': 2, 'b': 1, 'c': 2, 'd': 4}
    """
    return pd.Series(ahead(_upwards(scores)) + 1, index=scores.index, name="rank")


def best_first(scores: pd.Series) -> pd.Series:
    """Return the scores from the best system to the worst; tied systems keep their order.

    >>> best_first(directed(pd.Series({"a": np.inf, "b": 2.0, "c": 1.0}), "low")).index.tolist()
    ['c', 'b', 'a']
    """
    return scores.iloc[np.argsort(ahead(_upwards(scores)), kind="stable")]


def winner(scores: pd.Series) -> str:
    """Return the best system; if several are tied, the one listed first.

    >>> winner(pd.Series({"a": 0.2, "b": 0.5, "c": 0.5}))
    'b'
    """
    if not len(scores):
        raise InputError("expected at least 1 system, found none")
    return str(best_first(scores).index[0])


def leaders(scores: pd.Series) -> list[str]:
    """Return all systems with rank 1, in the order given: one, or several that are tied.

    >>> leaders(pd.Series({"a": 0.2, "b": 0.5, "c": 0.5}))
    ['b', 'c']
    """
    places = ranks(scores)
    return list(map(str, places.index[places == 1]))


def winners(scores: pd.DataFrame) -> pd.Series:
    """Return the best system of each row (a topic, or a setting); if several are tied, the one listed first.

    >>> winners(pd.DataFrame({"a": [0.2, 0.5], "b": [0.5, 0.5]}, index=["t1", "t2"])).to_dict()
    {'t1': 'b', 't2': 'a'}
    """
    refuse_no_frame(scores)
    if not scores.shape[1]:
        raise InputError("expected at least 1 system, found none")
    ahead_of = ahead(upwards(as_numbers(scores)).to_numpy())
    return pd.Series(scores.columns[ahead_of.argmin(axis=1)], index=scores.index, name="winner")


def rank_changes(x: pd.Series, y: pd.Series) -> pd.DataFrame:
    """Tabulate scores and ranks of every system under two measures; `change` is positive if a system rises in y.

    change = rank_x - rank_y. Sorted by rank_x, then by rank_y; ties share the better rank. Scores are as given.

    >>> rank_changes(pd.Series({"a": 3, "b": 2}), pd.Series({"a": 0, "b": 1}))["change"].to_dict()
    {'a': -1, 'b': 1}
    """
    x, y = known_in_both(x, y)
    up_x, up_y = _sides(x, y)
    scores = {"score_x": x.astype(float), "score_y": y.reindex(x.index).astype(float)}
    table = pd.DataFrame(scores | {"rank_x": ranks(up_x), "rank_y": ranks(up_y)})
    table = table[["score_x", "rank_x", "score_y", "rank_y"]]
    table["change"] = table["rank_x"] - table["rank_y"]
    return table.rename_axis("system").sort_values(["rank_x", "rank_y"], kind="stable")


def swapped_pairs(x: pd.Series, y: pd.Series) -> pd.DataFrame:
    """Return the pairs of systems that two measures order differently: system_a is better under x, system_b under y.

    difference_x = x_a - x_b is positive, difference_y = y_a - y_b negative; if low is good they are x_b - x_a and
    y_b - y_a. The largest reversal under y is first. A pair that is tied under either measure is not swapped; the rows
    are the discordant pairs of tau.

    >>> x, y = pd.Series({"a": 3, "b": 2, "c": 1}), pd.Series({"a": 5, "b": 7, "c": 1})
    >>> swapped_pairs(x, y).values.tolist()
    [['a', 'b', 1.0, -2.0]]
    """
    x, y = _sides(*known_in_both(x, y))
    place_x, place_y = ahead(x.to_numpy()), ahead(y.to_numpy())
    a, b = np.nonzero((place_x[:, None] < place_x) & (place_y[:, None] > place_y))
    pairs = _pairs(x, y, a, b)
    return pairs.iloc[falling(-pairs["difference_y"].to_numpy())].reset_index(drop=True)


def distinguished_pairs(
    x_scores: pd.DataFrame,
    y_scores: pd.DataFrame,
    same: float = 0.01,
    apart: float = 0.03,
    most: int | None = None,
    tests: bool = True,
) -> pd.DataFrame:
    """Return the pairs of systems that are nearly equal under x and differ under y; system_a is better under y.

    |mean x_a - mean x_b| <= same and mean y_a - mean y_b >= apart: the systems that Zuccon 2016, Figure 2,
    marks in blue when x is RBP and y is uRBP, and in red with x and y exchanged. Columns system_a, system_b,
    difference_x, difference_y, and p_x, p_y of a two-sided paired t-test over topics (not corrected for the
    number of pairs); largest difference_y first. A difference that is constant over topics has p = 1 if it is
    0, else p = 0. If low is good, differences are b minus a; p is nan if a score of the pair is infinite.
    most : return and test only the first `most` rows; tests : if false, no pair is tested, and p_x and p_y are left
    out. Raises InputError if there are fewer than two topics to test on.

    >>> x = pd.DataFrame({"a": [0.2, 0.4], "b": [0.4, 0.2]})  # means .3 and .3
    >>> y = pd.DataFrame({"a": [0.2, 0.4], "b": [0.1, 0.3]})  # a is better by .1 on every topic
    >>> distinguished_pairs(x, y)[["system_a", "p_x", "p_y"]].values.tolist()
    [['a', 1.0, 0.0]]
    """
    x, y = paired_frames(x_scores, y_scores)
    if tests and len(x) < 2:
        raise InputError(f"expected at least 2 topics for a t-test, found {len(x)}")
    x_means, y_means = (pd.Series(means(frame.to_numpy()), frame.columns) for frame in (x, y))
    gap_x, gap_y = (_gaps(np.asarray(means, dtype=np.float64)) for means in (x_means, y_means))
    place_y = ahead(np.asarray(y_means, dtype=np.float64))
    # a difference of exactly `same` or `apart` counts, whichever way the subtraction is rounded
    near, far = np.abs(gap_x) <= same + TIE, gap_y >= apart - TIE
    a, b = np.nonzero(near & far & (place_y[:, None] < place_y))
    first = falling(gap_y[a, b])[:most]
    a, b = a[first], b[first]
    tested = (("p_x", x), ("p_y", y)) if tests else ()
    p = {name: t_test(np.ascontiguousarray(frame.to_numpy().T), a, b) for name, frame in tested}
    return _pairs(x_means, y_means, a, b, **p)


def _upwards(scores: pd.Series | pd.DataFrame) -> FloatArray:
    if not isinstance(scores, pd.Series):
        hint = ": use its mean()" if isinstance(scores, pd.DataFrame) else ""
        raise InputError(f"expected a Series of scores per system, found {type(scores).__name__}{hint}")
    values: FloatArray = upwards(as_numbers(scores)).to_numpy()
    if np.isnan(values).any():
        raise InputError(f"expected numbers as scores, found {scores[np.isnan(values)].to_dict()}")
    return values


def _gaps(means: FloatArray) -> FloatArray:
    """Return the (N, N) leads of the row's system over the column's; 0 between two equal infinite means."""
    with np.errstate(invalid="ignore"):
        gaps = np.subtract.outer(means, means)
    return np.where(np.isnan(gaps), 0.0, gaps)


def _sides(x: object, y: object) -> tuple[pd.Series, pd.Series]:
    """Return both sides as Series in which higher is better, in the order of x."""
    if not (isinstance(x, pd.Series) and isinstance(y, pd.Series)):
        kinds = f"{type(x).__name__} and {type(y).__name__}"
        raise InputError(f"expected two Series of scores per system, found {kinds}")
    first, second = paired(x, y)
    return directed(pd.Series(first, index=x.index), "high"), directed(pd.Series(second, index=x.index), "high")


def _pairs(x: pd.Series, y: pd.Series, a: NDArray[np.intp], b: NDArray[np.intp], **more: FloatArray) -> pd.DataFrame:
    columns = {"system_a": x.index[a], "system_b": x.index[b]}
    for name, side in (("difference_x", x), ("difference_y", y)):
        with np.errstate(invalid="ignore"):  # nan between two infinite scores
            columns[name] = side.to_numpy()[a] - side.to_numpy()[b]
    return pd.DataFrame(columns | more)
