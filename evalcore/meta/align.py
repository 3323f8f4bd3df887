"""Bring two sides of a comparison into the same order, by label and never by position.

Shapes: one side of a correlation is (..., systems); a frame of scores is topics x systems.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Scores: TypeAlias = pd.Series | ArrayLike


def same_labels(x: pd.Index, y: pd.Index, kind: str) -> None:
    """Raise a ValueError naming the labels in which two indexes differ; `kind` is what they are labels of."""
    for index in (x, y):
        if index.has_duplicates:
            repeated = sorted(map(str, index[index.duplicated()].unique()))
            raise ValueError(f"expected every {kind} once, found more than once: {_some(repeated)}")
    only_x, only_y = (sorted(map(str, a.difference(b, sort=False))) for a, b in ((x, y), (y, x)))
    if only_x or only_y:
        raise ValueError(
            f"expected the same {kind}s on both sides, found only in x: {_some(only_x)}; only in y: {_some(only_y)}"
        )


def paired(x: Scores, y: Scores) -> tuple[Floats, Floats]:
    """Two sides as float arrays, matching systems on the last axis; a ValueError says what does not match.

    Two Series are matched by label, two arrays by position. A Series beside an array, or a frame, is refused:
    its labels would be ignored.
    """
    if isinstance(x, pd.Series) and isinstance(y, pd.Series):
        same_labels(x.index, y.index, "system")
        y = y.reindex(x.index)
    elif isinstance(x, pd.Series | pd.DataFrame) or isinstance(y, pd.Series | pd.DataFrame):
        raise ValueError(
            f"expected two Series or two arrays, found {type(x).__name__} and {type(y).__name__} "
            "(two frames of topics x systems: by_topic)"
        )
    first, second = _finite(x, "x"), _finite(y, "y")
    _same_shape(first.shape, second.shape)
    return first, second


def paired_frames(x: pd.DataFrame, y: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two frames, topics x systems, with y in the order of x; a ValueError names what is only on one side.

    A system may lack a topic (nan), then in both frames, and not all topics.
    """
    for name, frame in (("x", x), ("y", y)):
        if not isinstance(frame, pd.DataFrame):
            raise ValueError(f"expected a frame of topics x systems, found {type(frame).__name__} for {name}")
    same_labels(x.columns, y.columns, "system")
    same_labels(x.index, y.index, "topic")
    x, y = x.astype(float), y.astype(float).reindex(index=x.index, columns=x.columns)
    lacking = x.isna() & y.isna()
    for name, frame in (("x", x), ("y", y)):
        _finite_frame(frame.mask(lacking, 0.0), name)
    if len(x) and lacking.all().any():
        raise ValueError(f"expected a score of every system, found none of {lacking.columns[lacking.all()][0]!r}")
    return x, y


def _finite(values: Scores, name: str) -> Floats:
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim == 0:
        raise ValueError(f"expected scores of at least 2 systems, found one number {scores} for {name}")
    bad = np.argwhere(~np.isfinite(scores))
    if len(bad):
        label = values.index[bad[0][-1]] if isinstance(values, pd.Series) else tuple(bad[0].tolist())
        raise ValueError(f"expected finite scores, found {scores[tuple(bad[0])]} in {name} at {label!r}")
    return scores


def _finite_frame(frame: pd.DataFrame, name: str) -> None:
    scores = frame.to_numpy(dtype=np.float64)
    bad = np.argwhere(~np.isfinite(scores))
    if len(bad):
        row, column = bad[0]
        raise ValueError(
            f"expected finite scores, found {scores[row, column]} in {name} "
            f"at topic {frame.index[row]!r}, system {frame.columns[column]!r}"
        )


def _same_shape(x: tuple[int, ...], y: tuple[int, ...]) -> None:
    if x[-1] != y[-1]:
        raise ValueError(f"expected as many systems in y as in x, found {x[-1]} in x and {y[-1]} in y")
    if x[-1] < 2:
        raise ValueError(f"expected at least 2 systems, found {x[-1]}")
    try:
        np.broadcast_shapes(x, y)
    except ValueError:
        raise ValueError(f"expected shapes that broadcast, found {x} for x and {y} for y") from None


def _some(labels: list[str], limit: int = 10) -> str:
    rest = len(labels) - limit
    return (", ".join(labels[:limit]) or "none") + (f" and {rest} more" if rest > 0 else "")
