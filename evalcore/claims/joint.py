"""Could the whole curve be chance? The joint test of a specification curve (Simonsohn, Simmons and Nelson 2020).

If two systems were equally good, each topic's difference could as well have had the other sign. Topics change sign with
the same signs in all specifications, so that what these have in common stays. Three statistics are compared with what
they are under such signs, each one-sided, in the direction of the claim:

- the median effect over the specifications,
- the share of specifications with a significant effect in that direction (paired t-test, two-sided alpha),
- the mean of the standardised effects, mean difference / root mean square, which grows with t and weighs measures on
  different scales alike. Its p is the joint p.

Signs leave squares as they are. So the threshold of t is one of the mean, and all means are one product of matrices.

An order is tested by its pairs: all must differ, so its p is the largest (intersection-union). A place among the first
k says that at least S - k of the S - 1 other systems are beaten: p is k times the (S - k)-th smallest of their p's
(partial conjunction, Benjamini & Heller 2008); for the first place, the largest. What is reported is the pair that this
p is of.

Shapes: N specifications, T topics, R sign vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from evalcore.arrays import BoolArray, FloatArray
from evalcore.claims.curve import leads
from evalcore.claims.scoring import Multiverse
from evalcore.claims.statement import Claim
from evalcore.errors import InputError
from evalcore.meta.resampling import MOST_COUNTS
from evalcore.rounding import TIE

PERMUTATIONS = 1000
ALPHA = 0.05
_ROWS_AT_ONCE = 1 << 22  # numbers of sign vectors x specifications


@dataclass(frozen=True)
class JointTest:
    """The joint test of a claim; each p is the chance of as much in the claim's direction if `pair` were alike.

    `p` is the claim's joint p; `exact`: all sign vectors were counted, and not a sample.
    """

    pair: tuple[str, str]
    median: float
    median_p: float
    significant: float  # share of the specifications
    significant_p: float
    p: float
    permutations: int
    exact: bool
    alpha: float = ALPHA


def joint_test(
    multiverse: Multiverse, claim: Claim, *, permutations: int = PERMUTATIONS, seed: int = 0, alpha: float = ALPHA
) -> JointTest:
    """Test a claim over all specifications at once; where 2^T is no more than `permutations`, by all sign vectors.

    Of a sample of them the observed one counts too, (count + 1) / (R + 1). Raises InputError for an unknown system, or
    fewer than one permutation.
    """
    claim.check(multiverse.systems)
    most = MOST_COUNTS // len(multiverse.topics)
    if not 1 <= permutations <= most or not 0 < alpha < 1:
        expected = (
            f"expected 1 to {most:,} permutations of {len(multiverse.topics)} topics and an alpha between 0 and 1"
        )
        raise InputError(f"{expected}, found {permutations:,} and {alpha:g}")
    signs, exact = _signs(len(multiverse.topics), permutations, seed)
    pairs, times = claim.pairs, 1
    if not pairs:
        own, times = claim.systems[0], claim.top or 1
        pairs = tuple((own, other) for other in multiverse.systems if other != own)
    tests = [_Pair.of(multiverse, pair) for pair in pairs]
    ps = [test.p(signs, exact) for test in tests]
    deciding = int(np.argsort(ps, kind="stable")[len(ps) - times])
    test = tests[deciding]
    median, median_p, share, share_p = test.over_specifications(signs, exact, alpha)
    p = min(times * ps[deciding], 1.0)
    return JointTest(pairs[deciding], median, median_p, share, share_p, p, len(signs), exact, alpha)


def _signs(n_topics: int, permutations: int, seed: int) -> tuple[FloatArray, bool]:
    """(R, T) signs, and whether they are all that there are."""
    if n_topics < 63 and 2**n_topics <= permutations:
        flipped = np.arange(2**n_topics)[:, None] >> np.arange(n_topics) & 1
        return 1.0 - 2.0 * flipped.astype(np.float64), True
    flipped = np.random.default_rng(seed).integers(0, 2, (permutations, n_topics))
    return 1.0 - 2.0 * flipped.astype(np.float64), False


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two systems: what each topic adds to their mean difference, in every specification."""

    parts: FloatArray  # (N, T)
    root: FloatArray  # (N,) root mean square of the differences
    n_topics: FloatArray  # (N,)
    weights: FloatArray  # (N,)

    @classmethod
    def of(cls, multiverse: Multiverse, pair: tuple[str, str]) -> _Pair:
        design = multiverse.design
        difference = leads(multiverse, *pair, np.arange(len(multiverse)))
        known = np.isfinite(difference) & design.topic_sets[design.topic_set]
        difference = np.where(known, difference, 0.0)
        count = np.maximum(known.sum(axis=1), 1)
        root = np.sqrt(np.square(difference).sum(axis=1) / count)
        return cls(difference / count[:, None], root, known.sum(axis=1).astype(float), design.weights)

    def p(self, signs: FloatArray, exact: bool) -> float:
        """P of the mean of the standardised effects."""
        differs = self.root > 0
        by_topic = (self.weights[differs] / self.root[differs]) @ self.parts[differs]
        return _share_reached(signs @ by_topic, by_topic.sum(), np.abs(by_topic).sum(), exact)

    def over_specifications(self, signs: FloatArray, exact: bool, alpha: float) -> tuple[float, float, float, float]:
        """The median effect and the share of significant ones, each with its p."""
        critical = self._critical(alpha)
        medians, reached = [], []
        step = max(1, _ROWS_AT_ONCE // len(self.parts))
        every = np.concatenate([np.ones((1, signs.shape[1])), signs])
        for start in range(0, len(every), step):
            means = every[start : start + step] @ self.parts.T
            reached.append((means >= critical) @ self.weights)
            medians.append(weighted_median(means, self.weights))
        median, share = np.concatenate(medians), np.concatenate(reached)
        p = [_share_reached(one[1:], one[0], max(np.abs(one).max(), TIE), exact) for one in (median, share)]
        return float(median[0]), p[0], float(share[0]), p[1]

    def _critical(self, alpha: float) -> FloatArray:
        """(N,) the least mean that is significant: r = t / sqrt(n - 1 + t^2) of the root mean square."""
        n = np.maximum(self.n_topics, 2.0)
        t = stdtrit(n - 1, 1 - alpha / 2)
        least = self.root * t / np.sqrt(n - 1 + t**2) * (1 - TIE)
        testable: BoolArray = (self.n_topics > 1) & (self.root > 0)
        return np.where(testable, least, np.inf)


def _share_reached(found: FloatArray, observed: float, size: float, exact: bool) -> float:
    """The share of the statistics that reach the observed one; which is one of them where all are counted."""
    count = int(np.count_nonzero(found >= observed - TIE * size))
    return count / len(found) if exact else (count + 1) / (len(found) + 1)


def weighted_median(values: FloatArray, weights: FloatArray) -> FloatArray:
    """(R,) the median of each row (R, N), by weight: the middle of the values at which half of the weight is reached.

    >>> weighted_median(np.array([[3.0, 1.0, 2.0, 4.0]]), np.full(4, 0.25)).tolist()
    [2.5]
    >>> weighted_median(np.array([[1.0, 2.0]]), np.array([0.25, 0.75])).tolist()
    [2.0]
    """
    if np.ptp(weights) <= TIE * weights.max():
        return np.asarray(np.median(values, axis=1))
    order = np.argsort(values, axis=1)
    reached = np.cumsum(weights[order], axis=1)
    ends = [(reached >= half).argmax(axis=1) for half in (0.5 - TIE, 0.5 + TIE)]
    ascending = np.take_along_axis(values, order, axis=1)
    return np.asarray(np.mean([ascending[np.arange(len(values)), end] for end in ends], axis=0))
