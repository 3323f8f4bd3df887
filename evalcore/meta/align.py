"""Preparation of scores for a comparison: the two sides are matched by label, and higher is better on both.

Scores are negated here if low is good (`evalcore.direction`), so in all later code higher is better, and
differences are leads: positive if the first system is better. A score may be infinite: it ranks first or last, and a
mean that contains it is infinite.

Shapes: one side of a correlation is (..., systems); a frame of scores is topics x systems.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from evalcore.common.arrays import FloatArray
from evalcore.direction import has_gaps, refuse_own_weights, upwards
from evalcore.errors import InputError

Scores: TypeAlias = pd.Series | ArrayLike
Table = TypeVar("Table", pd.DataFrame, pd.Series)


def refuse_repeated(labels: pd.Index, kind: str) -> None:
    """Raise InputError, with the repeated labels, if labels occur more than once; `kind` is the kind of label."""
    if labels.has_duplicates:
        repeated = sorted(map(str, labels[labels.duplicated()].unique()))
        raise InputError(f"expected every {kind} once, found more than once: {_some(repeated)}")


def same_labels(x: pd.Index, y: pd.Index, kind: str) -> None:
    """Raise InputError, with the labels, if some labels are in only one of two indexes, or repeated in either."""
    for labels in (x, y):
        refuse_repeated(labels, kind)
    if x.equals(y):
        return
    only_x, only_y = (sorted(map(str, a.difference(b, sort=False))) for a, b in ((x, y), (y, x)))
    if only_x or only_y:
        raise InputError(
            f"expected the same {kind}s on both sides, found only in x: {_some(only_x)}; only in y: {_some(only_y)}"
        )


def paired(x: Scores, y: Scores) -> tuple[FloatArray, FloatArray]:
    """Return the two sides as float arrays in which higher is better, with systems matched on the last axis.

    Two Series are matched by label, two arrays by position. Raises InputError for labels or shapes that do
    not match, for a frame, and for a Series with an array, because the labels of the Series would be ignored.
    """
    if isinstance(x, pd.Series) and isinstance(y, pd.Series):
        x, y = known_in_both(x, y)
        same_labels(x.index, y.index, "system")
        y = y.reindex(x.index)
    elif isinstance(x, pd.Series | pd.DataFrame) or isinstance(y, pd.Series | pd.DataFrame):
        raise InputError(
            f"expected two Series or two arrays, found {type(x).__name__} and {type(y).__name__} "
            "(two frames of topics x systems: by_topic)"
        )
    first, second = _known(upwards(x), "x"), _known(upwards(y), "y")
    _same_shape(first.shape, second.shape)
    return first, second


def known_in_both(x: pd.Series, y: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Return both sides with only the systems scored on both, if both declare their gaps as known; else as given."""
    if not (has_gaps(x) and has_gaps(y)) or not x.index.is_unique or not y.index.is_unique:
        return x, y
    known = x.index[x.notna()].intersection(y.index[y.notna()], sort=False)
    return x.loc[known], y.loc[known]


def refuse_no_frame(scores: object, name: str = "scores") -> None:
    """Raise InputError for a value that is not a frame (such as a frame's means), or has several levels of columns."""
    if not isinstance(scores, pd.DataFrame):
        raise InputError(f"expected a frame of topics x systems, found {type(scores).__name__} for {name}")
    if scores.columns.nlevels > 1:
        raise InputError(f"expected one name for each system, found {scores.columns.nlevels} for {name}")


def refuse_no_frames(scores: object) -> None:
    """Raise InputError unless the value is a non-empty mapping (of names of measures to frames), not a frame."""
    if not isinstance(scores, Mapping):
        raise InputError(f"expected a mapping from names of measures to frames, found {type(scores).__name__}")
    if not scores:
        raise InputError("expected the scores of at least one measure, found none")


def paired_frames(
    x: pd.DataFrame, y: pd.DataFrame, names: tuple[str, str] = ("x", "y")
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return two frames, topics x systems, in which higher is better, with y in the order of x.

    A system may lack a topic (nan) if it lacks it in both frames, but it may not lack all topics. A topic for which
    either frame has no score at all, because its measure does not cover it, is left out of both: two measures are
    compared on the topics that both cover. If both frames declare their gaps as known (`evalcore.direction.with_gaps`),
    a system may also lack a topic in one frame: its score is then left out of both, and so is a system that has no
    topic left. Raises InputError, which names the topics or systems that only one side has.
    """
    for frame, name in zip((x, y), names, strict=True):
        refuse_no_frame(frame, name)
    same_labels(x.columns, y.columns, "system")
    same_labels(x.index, y.index, "topic")
    x, y = (upwards(as_numbers(frame, name)) for frame, name in zip((x, y), names, strict=True))
    if not (y.index.equals(x.index) and y.columns.equals(x.columns)):
        y = y.reindex(index=x.index, columns=x.columns)
    if len(x) and not (np.isnan(x.to_numpy()).any() or np.isnan(y.to_numpy()).any()):
        return x, y
    covered = x.notna().any(axis=1) & y.notna().any(axis=1)
    if len(x) and not covered.any():
        raise InputError("expected a topic with scores on both sides, found none")
    x, y = x[covered], y[covered]
    if has_gaps(x) and has_gaps(y):
        x, y = x.mask(y.isna()), y.mask(x.isna())
        x, y = x.loc[:, x.notna().any()], y.loc[:, x.notna().any()]
    lacking = x.isna() & y.isna()
    for frame, name in zip((x, y), names, strict=True):
        _known_frame(frame.mask(lacking, 0.0), name)
    if len(x) and lacking.all().any():
        raise InputError(f"expected a score of every system, found none of {lacking.columns[lacking.all()][0]!r}")
    return x, y


def tested_frame(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the frame as `paired_frames` prepares it, for comparing its systems topic by topic.

    Raises InputError if the weights of topics differ by system (`evalcore.direction.with_own_weights`).
    """
    refuse_own_weights(scores)
    return paired_frames(scores, scores, ("scores", "scores"))[0]


def weighted_sums(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Return (B, K) sums of values (T, K) with weights (B, T); infinite if an infinite value has a weight above 0.

    >>> weighted_sums(np.array([[1.0, 1.0], [2.0, 0.0]]), np.array([[3.0], [-np.inf]])).tolist()
    [[-inf], [6.0]]
    """
    infinite = np.isinf(values)
    if not infinite.any():
        return np.asarray(weights @ values)
    sums = weights @ np.where(infinite, 0.0, values)
    for end in (np.inf, -np.inf):  # with both in a sum, it is -inf, the worse end
        sums[weights @ (values == end) > 0] = end
    return np.asarray(sums)


def as_numbers(scores: Table, name: str = "scores") -> Table:
    """Return scores as floats. Raises InputError for values that are not numbers."""
    try:
        return scores.astype(float)
    except (TypeError, ValueError) as error:
        raise InputError(f"expected numbers as scores, found other values in {name}: {error}") from None


def _known(values: Scores, name: str) -> FloatArray:
    values = as_numbers(values, name) if isinstance(values, pd.Series) else values
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim == 0:
        raise InputError(f"expected scores of at least 2 systems, found only the number {scores} for {name}")
    bad = np.argwhere(np.isnan(scores))
    if len(bad):
        label = values.index[bad[0][-1]] if isinstance(values, pd.Series) else tuple(bad[0].tolist())
        raise InputError(f"expected numbers as scores, found nan in {name} at {label!r}")
    return scores


def _known_frame(frame: pd.DataFrame, name: str) -> None:
    scores = frame.to_numpy(dtype=np.float64)
    bad = np.argwhere(np.isnan(scores))
    if len(bad):
        row, column = bad[0]
        raise InputError(
            f"expected numbers, found nan in {name} at topic {frame.index[row]!r}, system {frame.columns[column]!r}"
        )


def _same_shape(x: tuple[int, ...], y: tuple[int, ...]) -> None:
    if x[-1] != y[-1]:
        raise InputError(f"expected as many systems in y as in x, found {x[-1]} in x and {y[-1]} in y")
    if x[-1] < 2:
        raise InputError(f"expected at least 2 systems, found {x[-1]}")
    try:
        np.broadcast_shapes(x, y)
    except ValueError:
        raise InputError(f"expected shapes that broadcast, found {x} for x and {y} for y") from None


def _some(labels: list[str], limit: int = 10) -> str:
    rest = len(labels) - limit
    return (", ".join(labels[:limit]) or "none") + (f" and {rest} more" if rest > 0 else "")
