"""What is the true label of a document that two judges labelled? How each of them errs, and how likely each grade is.

Each judge is taken to err by the true label alone, and independently of the other. The documents are in groups in which
the grades are not equally frequent, such as those that systems rank high and low; then how often both labels occur
together in each group tells the confusion of both judges, and neither needs to be right (Hui & Walter 1980, "Estimating
the error rates of diagnostic tests", doi 10.2307/2530508). Estimates are of largest likelihood, by EM (Dawid & Skene
1979, doi 10.2307/2346806). Which true grade is which is told by the start: both judges are more often right than wrong.

Shapes: P documents, G grades, C combinations of a group and two labels that occur, N groups.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.progress import checkpoint

ROUNDS, STILL = 400, 1e-6  # at most so many, until no probability moves by more
RIGHT = 0.8  # of each judge's labels, to begin with
PRIOR = 5.0  # documents with the shares of all, added to each group: a small group tells little of its own


@dataclass(frozen=True, eq=False)
class Confusions:
    """(G, G) each: the probability of every label (columns) by the true grade (rows), of both judges."""

    first: FloatArray
    second: FloatArray


@dataclass(frozen=True, eq=False)
class _Combinations:
    """Groups and labels of both judges that occur together, (C,) each; how often; and that of each document, (P,)."""

    group: IntArray
    first: IntArray
    second: IntArray
    count: FloatArray
    of: IntArray

    @classmethod
    def among(cls, first: IntArray, second: IntArray, group: IntArray) -> _Combinations:
        rows = np.column_stack([group, first, second])
        unique, of, count = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        return cls(unique[:, 0], unique[:, 1], unique[:, 2], count.astype(np.float64), of.ravel())

    def likely(self, shares: FloatArray, confusions: Confusions) -> FloatArray:
        """(C, G) the probability of each true grade, given the shares of the grades in each group, (N, G)."""
        joint = shares[self.group] * confusions.first.T[self.first] * confusions.second.T[self.second]
        return divided(joint, joint.sum(axis=1, keepdims=True))

    def shares(self, likely: FloatArray) -> FloatArray:
        """(N, G) of the true grades in each group."""
        counts = self.count[:, None] * likely
        total, every = self._sums(self.group, counts), counts.sum(axis=0) / self.count.sum()
        return np.asarray((total + PRIOR * every) / (total.sum(axis=1, keepdims=True) + PRIOR))

    def confusion(self, labels: IntArray, likely: FloatArray) -> FloatArray:
        """(G, G) of a judge with these labels, (C,)."""
        counts = self._sums(labels, self.count[:, None] * likely, likely.shape[1]).T
        total = counts.sum(axis=1, keepdims=True)
        return np.where(total > 0, divided(counts, total), np.eye(len(counts)))

    @staticmethod
    def _sums(place: IntArray, values: FloatArray, length: int = 0) -> FloatArray:
        columns = [np.bincount(place, column, minlength=length) for column in values.T]
        return np.stack(columns, axis=1)


def fitted_confusions(first: IntArray, second: IntArray, group: IntArray, n_grades: int) -> Confusions:
    """How two judges err, from the places of their labels among the grades and the group of each document, (P,) each.

    >>> labels, group = np.array([0, 0, 0, 1, 0, 1, 1, 1]), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> fitted_confusions(labels, labels, group, 2).first.round(3).tolist()  # who always agree are taken to be right
    [[1.0, 0.0], [0.0, 1.0]]
    """
    combinations = _Combinations.among(first, second, group)
    start = np.full((n_grades, n_grades), (1 - RIGHT) / max(n_grades - 1, 1))
    np.fill_diagonal(start, RIGHT)
    confusions = Confusions(start, start)
    shares = combinations.shares((np.eye(n_grades)[combinations.first] + np.eye(n_grades)[combinations.second]) / 2)
    for _ in range(ROUNDS):
        likely = combinations.likely(shares, confusions)
        shares, before = combinations.shares(likely), confusions
        confusions = Confusions(
            combinations.confusion(combinations.first, likely), combinations.confusion(combinations.second, likely)
        )
        checkpoint()
        if max(np.abs(confusions.first - before.first).max(), np.abs(confusions.second - before.second).max()) < STILL:
            break
    return confusions


def likely_grades(first: IntArray, second: IntArray, group: IntArray, confusions: Confusions) -> FloatArray:
    """(P, G) how likely each true grade of each document is, given both labels, its group, and how both judges err."""
    combinations = _Combinations.among(first, second, group)
    n_grades = len(confusions.first)
    shares = np.full((int(group.max(initial=0)) + 1, n_grades), 1 / n_grades)
    for _ in range(ROUNDS):
        before, shares = shares, combinations.shares(combinations.likely(shares, confusions))
        if np.abs(shares - before).max() < STILL:
            break
    return combinations.likely(shares, confusions)[combinations.of]


def drawn_grades(likely: FloatArray, count: int, random: np.random.Generator) -> IntArray:
    """(P, count) true grades, drawn as they are likely."""
    steps = np.cumsum(likely, axis=1)[:, None, :-1]
    return np.asarray((random.random((len(likely), count))[:, :, None] > steps).sum(axis=2))
