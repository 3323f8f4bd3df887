"""Topics that a ranking rests on, and topics that set two measures apart.

Scores are frames of topics x systems, which say whether high or low is good (`evalcore.direction`). Topics are left out
one at a time: the mean of a system without topic t is (sum - score on t) / (T - 1), infinite if another score is, where
T counts the topics that the system has: without one that it lacks, its mean is as before.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import falling
from evalcore.direction import directed, good_of, upwards
from evalcore.errors import InputError
from evalcore.meta.align import paired_frames, weighted_sums
from evalcore.meta.correlation import tau
from evalcore.meta.order import ahead, means


def means_without(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean scores of every system without each topic: topics left out x systems. Raises InputError for one topic.

    They say as the scores do which end is good.

    >>> means_without(pd.DataFrame({"a": [0.0, 1.0, 2.0]}, index=["t1", "t2", "t3"]))["a"].tolist()
    [1.5, 1.0, 0.5]
    """
    frame, _ = paired_frames(scores, scores)
    if len(frame) < 2:
        raise InputError(f"expected at least 2 topics to leave one out, found {len(frame)}")
    known, own = frame.notna(), frame.notna().sum()
    if (own < 2).any():
        raise InputError(f"expected at least 2 topics of every system to leave one out, found 1 of {own.idxmin()!r}")
    values = frame.fillna(0.0).to_numpy(dtype=np.float64)
    finite = bool(np.isfinite(values).all())
    sums = sums_of_others(values) if finite else weighted_sums(1 - np.eye(len(values)), values)
    good = good_of(scores)
    left = (sums if good == "high" else -sums) / (own.to_numpy() - known.to_numpy())
    return directed(pd.DataFrame(left, frame.index.rename("topic left out"), frame.columns), good)


def leave_one_out(scores: pd.DataFrame) -> pd.DataFrame:
    """Rank the systems by their means without each topic, in the order of the topics.

    Columns: tau (Kendall's tau_b with the ranking over all topics; nan where all systems are tied), moved (systems that
    change rank; ties share the better rank), largest (the most ranks that one system moves), first (who is first, of
    several tied all of them), same first (whether that is who is first over all topics).

    >>> frame = pd.DataFrame({"a": [1.0, 0.0, 0.0], "b": [0.0, 0.4, 0.4]}, index=["t1", "t2", "t3"])
    >>> leave_one_out(frame)[["tau", "first"]].values.tolist()
    [[-1.0, 'b'], [1.0, 'a'], [1.0, 'a']]
    """
    scores = upwards(scores)
    left, every = means_without(scores), means(scores)
    without, places = ahead(left.to_numpy()), ahead(every)
    moves = np.abs(without - places)
    columns = {
        "tau": tau(left.to_numpy(), every),
        "moved": (moves > 0).sum(axis=1),
        "largest": moves.max(axis=1),
        "first": [", ".join(map(str, left.columns[row == 0])) for row in without],
        "same first": ((without == 0) == (places == 0)).all(axis=1),
    }
    return pd.DataFrame(columns, index=left.index)


def driving_topics(x_scores: pd.DataFrame, y_scores: pd.DataFrame) -> pd.DataFrame:
    """Find the topics that set two measures apart, by Kendall's tau_b between them without each topic.

    influence = (T - 1) * (tau - tau without the topic), the jackknife's (Efron 1982, chapter 3): below 0 where the
    topic sets the measures apart (without it they agree better), above 0 where it holds them together. Columns: tau
    without, influence; the topic that sets them apart most comes first. nan where tau is undefined.

    >>> x = pd.DataFrame({"a": [1.0, 1.0, 1.0], "b": [0.9, 0.9, 0.9]}, index=["t1", "t2", "t3"])
    >>> y = pd.DataFrame({"a": [0.0, 1.0, 1.0], "b": [3.0, 0.9, 0.9]}, index=["t1", "t2", "t3"])
    >>> driving_topics(x, y)["influence"].to_dict()  # tau is -1, without t1 it is 1
    {'t1': -4.0, 't2': 0.0, 't3': 0.0}
    """
    x, y = paired_frames(x_scores, y_scores)
    without = tau(means_without(x).to_numpy(), means_without(y).to_numpy())
    influence = (len(x) - 1) * (tau(means(x), means(y)) - without)
    table = pd.DataFrame({"tau without": without, "influence": influence}, index=x.index.rename("topic"))
    return table.iloc[falling(-influence)]


def sums_of_others(values: FloatArray) -> FloatArray:
    """(T, ...) the sum over the other topics, for each of T: of those before and those after it.

    Not the whole sum less the topic's own score: that leaves the rounding of a large score in a small rest.
    """
    none = np.zeros_like(values[:1])
    before, after = np.cumsum(values[:-1], axis=0), np.cumsum(values[:0:-1], axis=0)[::-1]
    return np.asarray(np.concatenate([none, before]) + np.concatenate([after, none]))
