"""Joint test of a specification curve: could all of it be chance? (Simonsohn, Simmons and Nelson 2020)

If two systems were equally good, each topic's difference could just as well have the opposite sign. The sign of a topic
is flipped in all specifications at once, so their dependence is kept. Three statistics are compared with their
distributions under such signs, each one-sided, in the direction of the claim:

- the median effect over the specifications,
- the share of specifications with a significant effect in that direction (paired t-test, two-sided alpha),
- the mean of the standardised effects, mean difference / root mean square, which grows with t and weighs measures on
  different scales equally. Its p is the joint p.

Sign flips assume differences that are symmetric about their mean. If they are not, each p is at least the share
of resamples of topics in which the mean of the standardised effects, minus its observed value, has as large a t (the
paired bootstrap, which decisions must also pass: `evalcore.claims.leads`). No test can account for kinds of topics that
have not been seen: p is 1 if in most specifications a system nearly always has the same score, so that unseen topics
may reverse the order (`evalcore.meta.comparisons.HardlySeen`).

Signs do not change squares, so the threshold of t becomes one of the mean, and all means are one matrix product.

An order is tested by its pairs: all must differ, so each p is the largest of its pairs (intersection-union). Being
among the first k means that at least S - k of the S - 1 other systems are beaten: each p is k times the (S - k)-th
smallest of their p's (partial conjunction, Benjamini & Heller 2008); for the first place, the largest. So the
median, the share of significant effects and the joint p each describe the least certain pair that the claim needs.

Shapes: N specifications, T topics, B sign vectors, each of which also represents its opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from evalcore.claims.leads import leads, resampled
from evalcore.claims.scoring import Multiverse
from evalcore.claims.statement import Claim
from evalcore.common.arrays import BoolArray, FloatArray
from evalcore.common.rounding import TIE
from evalcore.errors import InputError
from evalcore.meta.comparisons import MOST, HardlySeen, all_flips, sign_flips
from evalcore.meta.differences import Draws, draws_of
from evalcore.meta.resampling import MOST_COUNTS

PERMUTATIONS = 2 * MOST
ALPHA = 0.05
_NUMBERS_AT_ONCE = 1 << 18  # means of specifications under signs, as many as fit in the CPU's cache


@dataclass(frozen=True)
class JointTest:
    """The joint test of a claim; each p is the chance of a statistic at least as large if two systems were equal.

    `p` is the claim's joint p, from the two systems in `pair`. The median effect and the share of significant
    specifications may come from different pairs: each statistic belongs to the pair that decides its p. All three p
    are corrected in the same way. `exact` is true if all sign vectors were used, not a sample.
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
    """Test a claim over all specifications at once, with all 2^T sign vectors if there are at most `permutations`.

    Otherwise it uses a sample: each drawn vector and its opposite, and the observed signs and their opposite. Raises
    InputError for an unknown system, fewer than two or too many permutations, and an alpha not between 0 and 1.
    """
    claim.check(multiverse.systems)
    n_topics = len(multiverse.topics)
    most = MOST_COUNTS // n_topics
    if not 2 <= permutations <= most or not 0 < alpha < 1:
        expected = f"expected 2 to {most:,} permutations of {n_topics} topics and an alpha between 0 and 1"
        raise InputError(f"{expected}, found {permutations:,} and {alpha:g}")
    signs, exact = _signs(n_topics, permutations // 2, seed)
    draws = draws_of(n_topics, permutations // 2, seed) if n_topics > 1 else None
    pairs, times = claim.pairs, 1
    if not pairs:
        own, times = claim.systems[0], claim.top or 1
        pairs = tuple((own, other) for other in multiverse.systems if other != own)
    hardly = HardlySeen.of(multiverse.scores, alpha)[multiverse.scored]
    tests = [_Pair.of(multiverse, pair, hardly).tested(signs, draws, alpha) for pair in pairs]
    median, share, mean = (_deciding([test[at] for test in tests], times) for at in range(3))
    return JointTest(
        pairs[mean.at],
        median.value,
        median.p,
        share.value,
        share.p,
        mean.p,
        2 * (signs.shape[1] - (not exact)),
        exact,
        alpha,
    )


def _signs(n_topics: int, count: int, seed: int) -> tuple[FloatArray, bool]:
    """Return signs (T, B), the observed ones first; and true if no signs exist other than these and their opposites."""
    signs, exact = sign_flips(n_topics, count, seed), all_flips(n_topics, count)
    return (signs if exact else np.concatenate([np.ones((1, n_topics)), signs])).T, exact


class _Tested(NamedTuple):
    """A statistic of the pair at index `at`, with its p."""

    value: float
    p: float
    at: int = 0

    def at_least(self, p: float) -> _Tested:
        return self._replace(p=max(self.p, p))


def _deciding(tested: Sequence[_Tested], times: int) -> _Tested:
    """Return the statistic with the (n - times + 1)-th smallest of n p's; this p is then multiplied by `times`."""
    order = sorted(range(len(tested)), key=lambda at: (tested[at].p, -tested[at].value))
    at = order[len(order) - times]
    return _Tested(tested[at].value, min(times * tested[at].p, 1.0), at)


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two systems with the contribution of each topic to their mean difference, in every specification."""

    parts: FloatArray  # (N, T)
    root: FloatArray  # (N,) root mean square of the differences
    n_topics: FloatArray  # (N,)
    asked: BoolArray  # (T,) whether any specification has a lead on the topic
    weights: FloatArray  # (N,)
    hidden: float  # share of the specifications that unseen topics may reverse

    @classmethod
    def of(cls, multiverse: Multiverse, pair: tuple[str, str], hardly: HardlySeen) -> _Pair:
        """Compute the pair from a multiverse; `hardly` (N, S) limits how much unseen topics may reduce leads."""
        design, (a, b) = multiverse.design, (np.array(multiverse.systems.index(name)) for name in pair)
        difference = leads(multiverse, *pair, np.arange(len(multiverse)))
        known = np.isfinite(difference) & design.topic_sets[design.topic_set]
        difference = np.where(known, difference, 0.0)
        count = np.maximum(known.sum(axis=1), 1)
        root = np.sqrt(np.square(difference).sum(axis=1) / count)
        return cls(
            difference / count[:, None],
            root,
            known.sum(axis=1).astype(float),
            np.asarray(known.any(axis=0)),
            design.weights,
            float(design.weights[hardly.may_reverse(difference.sum(axis=1), a, b)].sum()),
        )

    def tested(self, signs: FloatArray, draws: Draws | None, alpha: float) -> tuple[_Tested, _Tested, _Tested]:
        """Return the median effect, share of significant effects and mean standardised effect, each with its p."""
        differs = self.root > 0
        by_topic = (self.weights[differs] / self.root[differs]) @ self.parts[differs]
        mean = by_topic @ signs
        reached = _reach(mean, mean[0], np.abs(by_topic).sum())
        least = 1.0 if self.hidden > 0.5 else _by_resamples(by_topic[self.asked], draws) if draws else 0.0
        median, share = self._over_specifications(signs, alpha)
        joint = _Tested(float(mean[0]), reached / (2 * signs.shape[1]))
        return median.at_least(least), share.at_least(least), joint.at_least(least)

    def _over_specifications(self, signs: FloatArray, alpha: float) -> tuple[_Tested, _Tested]:
        critical = self._critical(alpha)[:, None]
        observed = self.parts.sum(axis=1)
        median = float(weighted_median(observed[None], self.weights)[0])
        share = float(self._weight(observed[:, None] >= critical)[0])
        counts = np.zeros(2)
        step = max(1, _NUMBERS_AT_ONCE // len(self.parts))
        for start in range(0, signs.shape[1], step):
            means = self.parts @ signs[:, start : start + step]
            for way in (1.0, -1.0):
                counts[0] += np.count_nonzero(self._medians_reach(means, way, median))
                shares = self._weight(means >= critical if way > 0 else means <= -critical)
                counts[1] += np.count_nonzero(shares >= share - TIE)
        of_median, of_share = (counts / (2 * signs.shape[1])).tolist()
        return _Tested(median, of_median), _Tested(share, of_share)

    def _medians_reach(self, means: FloatArray, way: float, median: float) -> BoolArray:
        """Return (B,) true if the median of `way` times each column (N, B) is at least `median`.

        True if more than half of the weight is at or above `median`, false if less than half is; if it is exactly half,
        the median is computed.
        """
        least = median - TIE * max(abs(median), TIE)
        above = self._weight(means >= least if way > 0 else means <= -least)
        reached: BoolArray = above > 0.5 + TIE
        even = np.flatnonzero(np.abs(above - 0.5) <= TIE)
        reached[even] = weighted_median(way * means[:, even].T, self.weights) >= least
        return reached

    def _weight(self, which: BoolArray) -> FloatArray:
        """Return the (B,) weight of the specifications marked in each column (N, B)."""
        if np.ptp(self.weights) <= TIE * self.weights.max():
            return np.asarray(which.view(np.uint8).sum(axis=0, dtype=np.uint32) / len(self.weights))
        return np.asarray(self.weights @ which)

    def _critical(self, alpha: float) -> FloatArray:
        """Return the (N,) smallest means that are significant: root mean square times r = t / sqrt(n - 1 + t^2)."""
        n = np.maximum(self.n_topics, 2.0)
        t = stdtrit(n - 1, 1 - alpha / 2)
        least = self.root * t / np.sqrt(n - 1 + t**2) * (1 - TIE)
        testable: BoolArray = (self.n_topics > 1) & (self.root > 0)
        return np.where(testable, least, np.inf)


def _by_resamples(lead: FloatArray, draws: Draws) -> float:
    """Return the share of resamples in which a lead (T,), minus its mean, has at least the observed v.

    Returns 1 for a lead that is 0 on all topics, or that has fewer than two topics.
    """
    if len(lead) < 2 or not lead.any():
        return 1.0
    v = lead.sum() / np.sqrt(np.square(lead).sum())
    return float((resampled(lead[None], draws.of_topics(len(lead))) >= v - TIE).mean())


def _reach(effects: FloatArray, observed: float, size: float) -> int:
    """Return the number of statistics, and of their opposites, that are at least as large as the observed statistic."""
    least = observed - TIE * size
    return int(np.count_nonzero(effects >= least) + np.count_nonzero(-effects >= least))


def weighted_median(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the (R,) weighted medians of rows (R, N): the middle of the values at which half the weight is reached.

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
