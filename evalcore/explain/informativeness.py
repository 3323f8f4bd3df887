"""How much of a ranking a score tells: the maximum entropy method of Aslam, Yilmaz & Pavlu (2005).

Of all that the first N ranks may hold, given how many relevant documents are among them and what a measure scores, the
least presuming is the distribution of maximum entropy: independent chances p(k) of being relevant, with sum over k of
p(k) = r and E[score] = score. The nearer the curve of precision by recall that they lead to is to that of the ranking,
the more the measure tells. Shapes: L lists, N ranks.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from evalcore.arrays import BoolArray, FloatArray, IntArray
from evalcore.errors import InputError
from evalcore.later import pd, special
from evalcore.measures.base import GainMeasure, HasPoolAndRankings, Measure, as_measure, unwrapped
from evalcore.measures.dcg import DiscountedSum
from evalcore.measures.parts.hits import Hits, relevant_count
from evalcore.measures.precision import AP, R, Rprec
from evalcore.progress import checkpoint
from evalcore.rounding import SOLVED

NEWTON, ROUNDS = 60, 60  # steps within a linear problem; linear problems in a row for AP
NEAR = 1e-6  # of a chance: what AP's rounds may still move
INSIDE = 1e-4  # of the range of a weighted sum: as near to its ends as a target comes, where chances are 0 or 1


def informativeness(
    measures: Iterable[Measure | str], collection: HasPoolAndRankings, depth: int = 100
) -> pd.DataFrame:
    """How far the precision at each relevant document is off, if a score is all one knows: measures x (lists, rms).

    `rms` is the root of the mean square of the error over the relevant documents of a list within `depth` ranks,
    averaged over `lists`, those that have some; 0 is best. Measures are AP, R-precision, recall, and sums of gains with
    a fixed discount (P, RBP, nDCG, ...), all read as relevant or not; of others, as of measures of several aspects,
    which have no curve of precision by recall, lists is 0 and rms nan. Raises InputError for a depth below 2.

    >>> from evalcore.data.small import small_collection
    >>> c = small_collection(pd.DataFrame({"relevance": [1, 1, 0, 0]}, index=list("abcd")), {"s": list("acbd")})
    >>> informativeness(["P@4", "AP"], c, depth=4).round(2)["rms"].tolist()
    [0.37, 0.3]
    """
    if depth < 2:
        raise InputError(f"expected a depth of 2 ranks or more, found {depth}")
    rows = {}
    for known in map(as_measure, measures):
        measure, source = unwrapped(known)
        pool = collection.assessments.judged_by(source) if source else collection.assessments
        if not isinstance(measure, GainMeasure) or not can_tell(measure):
            rows[str(known)] = (0, np.nan)
            continue
        gains = measure.document_gains(pool)
        hits = Hits.of(gains, collection.rankings, depth)
        lists = np.zeros((len(collection.rankings.indptr) - 1, depth), dtype=bool)
        lists[hits.line, hits.rank - 1] = True
        relevant = np.tile(relevant_count(gains, pool), len(collection.rankings.systems))
        retrieving = lists.any(axis=1)
        chances = likeliest(measure, lists[retrieving], relevant[retrieving])
        errors = [precision_error(*pair) for pair in zip(lists[retrieving], chances, strict=True)]
        rows[str(known)] = (len(errors), float(np.mean(errors)) if errors else np.nan)
    return pd.DataFrame.from_dict(rows, orient="index", columns=["lists", "rms"]).rename_axis("measure")


def can_tell(measure: Measure) -> bool:
    """Whether it is a measure whose expectation can be held to its score."""
    return isinstance(measure, DiscountedSum | AP | R | Rprec) and not getattr(measure, "judged_only", False)


def likeliest(measure: Measure, lists: BoolArray, relevant: FloatArray) -> FloatArray:
    """(L, N) chances of maximum entropy that give each list's score by a measure, and its number of relevant documents.

    `relevant` (L,) counts the relevant documents of each list's topic.

    >>> likeliest(AP(), np.array([[True, False, True, False]]), np.array([2.0])).round(2).tolist()
    [[0.67, 0.52, 0.43, 0.38]]
    """
    count = lists.sum(axis=1).astype(float)
    if not isinstance(measure, AP):
        weights = _weights(measure, lists.shape[1], relevant)
        return _linear(weights, (weights * lists).sum(axis=1), count)[0]
    score = _precisions(lists.astype(float))
    chances = np.repeat(count[:, None] / lists.shape[1], lists.shape[1], axis=1)
    open_ones, factors = np.arange(len(lists)), np.zeros(len(lists))
    for _ in range(ROUNDS):
        checkpoint()
        # The sum of precisions near these chances is linear in them.
        now = chances[open_ones]
        slope = _slope(now)
        target = score[open_ones] - _precisions(now) + (slope * now).sum(axis=1)
        solved, factors = _linear(slope, target, count[open_ones], factors)
        chances[open_ones] = solved
        moving = np.abs(solved - now).max(axis=1) > NEAR
        open_ones, factors = open_ones[moving], factors[moving]
        if not len(open_ones):
            break
    return chances


def _weights(measure: Measure, depth: int, relevant: FloatArray) -> FloatArray:
    """(L, N) what a relevant document at each rank adds to a score, up to a factor."""
    rank = np.arange(1, depth + 1)
    if isinstance(measure, Rprec):
        return (rank <= np.floor(measure.multiple * relevant + 0.9)[:, None]).astype(float)
    own = measure.discount.of(depth) if isinstance(measure, DiscountedSum) else np.ones(depth)
    within = rank <= (getattr(measure, "cutoff", None) or depth)
    return np.repeat((own * within)[None], len(relevant), axis=0)


def _precisions(chances: FloatArray) -> FloatArray:
    """(L,) the expected sum of precisions at relevant documents: sum over k of p(k) / k * (1 + sum over j < k of p(j)).

    Of a list of yes and no it is R * AP.
    """
    before = np.cumsum(chances, axis=1) - chances
    return np.asarray((chances / _ranks(chances) * (1 + before)).sum(axis=1))


def _slope(chances: FloatArray) -> FloatArray:
    """(L, N) by how much that sum rises with each chance."""
    per_rank = chances / _ranks(chances)
    before, up_to = np.cumsum(chances, axis=1) - chances, np.cumsum(per_rank, axis=1)
    return np.asarray((1 + before) / _ranks(chances) + up_to[:, -1:] - up_to)


def _ranks(chances: FloatArray) -> FloatArray:
    return np.arange(1.0, chances.shape[1] + 1)


def _linear(
    weights: FloatArray, target: FloatArray, count: FloatArray, start: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """(L, N) chances of maximum entropy with sum w p = target and sum p = count: 1 / (1 + exp(-(a w + b))).

    By Newton's method on the dual, which is convex. Also a (L,), of weights of mean 0 and deviation 1, from which
    another solution may `start`.
    """
    ordered = np.sort(weights, axis=1)
    sums = np.cumsum(ordered, axis=1)
    at = count.astype(int)[:, None]
    padded = np.hstack([np.zeros((len(sums), 1)), sums])
    low = np.take_along_axis(padded, at, axis=1)[:, 0]
    high = padded[:, -1] - np.take_along_axis(padded, weights.shape[1] - at, axis=1)[:, 0]
    room = INSIDE * (high - low)
    target = np.clip(target, low + room, high - room)
    count = np.clip(count, INSIDE, weights.shape[1] - INSIDE)
    middle = weights.mean(axis=1, keepdims=True)
    scale = np.maximum(weights.std(axis=1, keepdims=True), 1e-12)
    w, goal = (weights - middle) / scale, (target - count * middle[:, 0]) / scale[:, 0]
    a, b = np.zeros(len(w)) if start is None else start.copy(), special.logit(count / w.shape[1])
    value, left = _dual(w, a, b, goal, count), np.arange(len(w))
    for _ in range(NEWTON):
        w_left, p = w[left], special.expit(a[left, None] * w[left] + b[left, None])
        off_goal, off_count = (p * w_left).sum(axis=1) - goal[left], p.sum(axis=1) - count[left]
        spread = p * (1 - p)
        ww, wb = (spread * w_left * w_left).sum(axis=1) + 1e-12, (spread * w_left).sum(axis=1)
        bb = spread.sum(axis=1) + 1e-12
        det = np.maximum(ww * bb - wb**2, 1e-18)
        step_a, step_b = (bb * off_goal - wb * off_count) / det, (ww * off_count - wb * off_goal) / det
        _step_down((w, a, b, goal, count), value, left, step_a, step_b)
        left = left[np.maximum(np.abs(off_goal), np.abs(off_count)) >= SOLVED]
        if not len(left):
            break
    return np.asarray(special.expit(a[:, None] * w + b[:, None])), a


def _step_down(
    problem: tuple[FloatArray, ...], value: FloatArray, left: IntArray, step_a: FloatArray, step_b: FloatArray
) -> None:
    """Take a step from a and b of the problems that are left, and halve those that do not lead down, 30 times."""
    w, a, b, goal, count = problem
    for halved in range(31):
        tried_a, tried_b = a[left] - step_a, b[left] - step_b
        tried = _dual(w[left], tried_a, tried_b, goal[left], count[left])
        down = (tried <= value[left] + 1e-12) | (halved == 30)
        a[left[down]], b[left[down]], value[left[down]] = tried_a[down], tried_b[down], tried[down]
        left, step_a, step_b = left[~down], step_a[~down] / 2, step_b[~down] / 2
        if not len(left):
            break


def _dual(w: FloatArray, a: FloatArray, b: FloatArray, goal: FloatArray, count: FloatArray) -> FloatArray:
    """(L,) what is least where chances have maximum entropy."""
    return np.asarray(np.logaddexp(0, a[:, None] * w + b[:, None]).sum(axis=1) - a * goal - b * count)


def precision_error(relevant: BoolArray, chances: FloatArray) -> float:
    """The root mean square difference of precision at each relevant document, where it is and where it is expected.

    The j-th is expected where the sum of the chances reaches j, between two ranks in proportion. As the chances were
    solved for, a part in 10^9 less will do: the last may be reached where they are as good as 1, and all else as good
    as 0.

    >>> round(precision_error(np.array([True, False]), np.array([0.5, 0.5])), 6)  # precision 1, expected 1/2
    0.5
    """
    ranks = np.flatnonzero(relevant) + 1
    nth = np.arange(1, len(ranks) + 1)
    reached = np.append(0.0, np.cumsum(chances))
    expected = np.interp(nth * (1 - SOLVED), reached, np.arange(len(reached)))
    return float(np.sqrt(np.mean((nth / ranks - nth / np.maximum(expected, nth)) ** 2)))
