"""Which topics does a ranking rest on, and which ones set two measures apart?

Scores are frames of topics x systems, which say whether high or low is good (`evalcore.direction`). Topics are left out
one at a time: the mean of a system without topic t is (sum - score on t) / (T - 1), infinite if another score is, where
T counts the topics that the system has: without one that it lacks, its mean is as before.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.common.rounding import falling
from evalcore.direction import directed, good_of, upwards
from evalcore.errors import InputError
from evalcore.meta.align import paired_frames, weighted_sums
from evalcore.meta.correlation import tau
from evalcore.meta.order import ahead, means
from evalcore.meta.resampling import check_draws, weighted_means

LEFT_OUT = "half", "one"
"""What a jackknife of tau leaves out: half of the topics, or each once."""

MOST_HALVES = 500


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
    """What the ranking of systems by their means becomes without each topic, in the order of the topics.

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


def rank_ranges(scores: pd.DataFrame) -> pd.DataFrame:
    """How far the rank of every system moves when one topic is left out; best rank over all topics first.

    Columns: rank (over all topics), best, worst (over the topics left out), topics (how many of them move it).

    >>> frame = pd.DataFrame({"a": [1.0, 0.0, 0.0], "b": [0.0, 0.4, 0.4]}, index=["t1", "t2", "t3"])
    >>> rank_ranges(frame).loc["a"].tolist()
    [1, 1, 2, 1]
    """
    scores = upwards(scores)
    without = ahead(means_without(scores).to_numpy()) + 1
    ranks = ahead(means(scores)) + 1
    columns = {
        "rank": ranks,
        "best": without.min(axis=0),
        "worst": without.max(axis=0),
        "topics": (without != ranks).sum(axis=0),
    }
    return pd.DataFrame(columns, index=scores.columns.rename("system")).sort_values("rank", kind="stable")


def driving_topics(x_scores: pd.DataFrame, y_scores: pd.DataFrame) -> pd.DataFrame:
    """Which topics set two measures apart: Kendall's tau_b between them without each topic.

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


def jackknife_error(x_scores: pd.DataFrame, y_scores: pd.DataFrame, left_out: str = "half", seed: int = 0) -> float:
    """Standard error of tau_b between two measures over topics, by the jackknife.

    `left_out`: "half" of the T topics, h = T // 2 left in, sqrt(h / (T - h) * mean of (tau of them - tau)^2) over all
    such halves, or MOST_HALVES drawn ones (Shao, Wu 1989, doi 10.1214/aos/1176347263); or "one",
    sqrt((T - 1) / T * sum over topics of (tau without the topic - their mean)^2) (Efron 1982, Eq. 3.6). tau moves by
    steps: often no topic alone changes it, and "one" is 0, or two to three times what tau varies by. The error says
    how tau varies between samples of as many topics; the noise of these lowers it, so that tau over all such topics
    is another question (`bootstrap_interval`).

    >>> x = pd.DataFrame({"a": [1.0, 1.0], "b": [0.5, 0.5]})
    >>> jackknife_error(x, x)
    0.0
    """
    if left_out not in LEFT_OUT:
        raise InputError(f"expected {' or '.join(LEFT_OUT)} left out, found {left_out!r}")
    without = driving_topics(x_scores, y_scores)["tau without"].to_numpy()
    count = len(without)
    if left_out == "one":
        return float(np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum()))
    x, y = paired_frames(x_scores, y_scores)
    halves = _halves(count, seed)
    by_x, by_y = (weighted_means(frame.to_numpy(dtype=np.float64), halves) for frame in (x, y))
    known = ~np.isnan(by_x + by_y).any(axis=1)  # halves in which each system has a topic
    if not known.any():
        return math.nan
    taus, left_in = tau(by_x[known], by_y[known]), count // 2
    return float(np.sqrt(left_in / (count - left_in) * ((taus - tau(means(x), means(y))) ** 2).mean()))


def _halves(topics: int, seed: int) -> FloatArray:
    """(B, T) 1 for the topics that are left in: all halves where they are few, else as many as MOST_HALVES."""
    check_draws(MOST_HALVES, seed)
    left_in = topics // 2
    if math.comb(topics, left_in) <= MOST_HALVES:
        chosen = np.array(list(combinations(range(topics), left_in)), dtype=np.int64).reshape(-1, left_in)
    else:
        keys = np.random.default_rng(seed).random((MOST_HALVES, topics))
        chosen = np.argsort(keys, axis=1)[:, :left_in]
    halves = np.zeros((len(chosen), topics))
    np.put_along_axis(halves, chosen, 1.0, axis=1)
    return halves


def pair_contributions(x_scores: pd.DataFrame, y_scores: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """What each topic contributes to the difference of two systems under each of two measures.

    (score of a - score of b) / T, so that a column adds up to the difference of the means, on the T topics that both
    systems have; where low is good, with the other sign, as above 0 a is the better one. Columns: x, y, and shift =
    y - x, what the change of the measure adds on this topic; the largest |shift| first. nan where both scores are
    infinite. Raises InputError for an unknown system.

    >>> x = pd.DataFrame({"a": [1.0, 0.0], "b": [0.0, 0.0]}, index=["t1", "t2"])
    >>> y = pd.DataFrame({"a": [1.0, 0.0], "b": [0.0, 1.0]}, index=["t1", "t2"])
    >>> pair_contributions(x, y, "a", "b").values.tolist()
    [[0.0, -0.5, -0.5], [0.5, 0.5, 0.0]]
    """
    x, y = paired_frames(x_scores, y_scores)
    for name in (a, b):
        if name not in x.columns:
            raise InputError(f"expected a system of these scores, found {name!r}")
    both = x[[a, b]].notna().all(axis=1)
    parts = {name: (frame[a] - frame[b])[both] / both.sum() for name, frame in (("x", x), ("y", y))}
    table = pd.DataFrame(parts).rename_axis("topic")
    table["shift"] = table["y"] - table["x"]
    return table.iloc[falling(table["shift"].abs().to_numpy())]


def sums_of_others(values: FloatArray) -> FloatArray:
    """(T, ...) the sum over the other topics, for each of T: of those before and those after it.

    Not the whole sum less the topic's own score: that leaves the rounding of a large score in a small rest.
    """
    none = np.zeros_like(values[:1])
    before, after = np.cumsum(values[:-1], axis=0), np.cumsum(values[:0:-1], axis=0)[::-1]
    return np.asarray(np.concatenate([none, before]) + np.concatenate([after, none]))
