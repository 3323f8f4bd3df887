"""Intervals of the correlation of two true rankings, or the reason why there is none.

The target is the correlation of the *true* rankings, which order the same systems by their means over the whole
population of topics; the topics at hand are a sample. The sample adds noise to both rankings, and if two measures share
noise (a topic is hard under both), it pulls their correlation up or down. Resampling topics adds the noise once more,
so percentiles of resamples are biased, and may leave out the estimate itself. The interval is therefore the estimate
plus and minus a half-width measured with little added noise. It is widened on each side as far as noise may have moved
the estimate (`_noise`, `_near`), and to the percentiles of resamples, which with few systems include rare flips. If
most of the observed differences may be noise, there is no interval.

`python -m benchmarks coverage` measures how often the interval covers the true correlation. Shapes: T topics, S
systems, P pairs of systems, B resamples, M measures, K pairs of measures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtri, stdtrit

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.meta.align import Scores
from evalcore.meta.correlation import CORRELATIONS, Correlation, Value
from evalcore.meta.order import ahead, means
from evalcore.meta.resampling import weighted_means

FEWEST_TOPICS, FEWEST_SYSTEMS = 10, 5
WIDER = 20  # topics; with fewer, the half-width is enlarged, because the noise itself is not well known
SHARE = 0.75  # of the half-width is used if all pairs count alike, because the ends already allow for noise
LITTLE = 0.6  # the noise that half of the resamples add, in standard errors of the means
TAIL = 0.99  # quantile of the F distribution by which the noise is enlarged
LEAST_SIGNAL = 0.25  # share of the variance of the means that must remain after the enlarged noise
MOST_EQUAL = 0.5  # of the pairs of systems, or of those that move together
WIDEST = 0.5  # of the values that a correlation may have
FIRST = 10  # top systems, whose pairs count for top-heavy correlations
MOST_TIED = 0.25  # of these pairs
FEWEST_APART = 12  # systems that do not move together, if most do
ROUNDING = 1e-12
NORMAL = 0.6827 - 0.2718  # P(|z| < 1) - P(1 < |z| < 2) for a standard normal z

FEW_TOPICS = f"fewer than {FEWEST_TOPICS} topics"
FEW_SYSTEMS = f"fewer than {FEWEST_SYSTEMS} systems"
INFINITE = "a score is infinite"
UNDEFINED = "all systems are tied"
NOISE = "the systems' means differ little more than the choice of topics would explain"
NEARLY_EQUAL = "about half of the pairs of systems or more are nearly equal"
TIED = "many of the top systems are tied"
TOGETHER = "most systems are nearly equal variants of one another, with scores that vary together over topics"
WIDE = "the interval would be wider than half of the whole range"


@dataclass(frozen=True, eq=False)
class SampledMeans:
    """The systems' means under one measure, also in resamples, and the noise that topics add to the means."""

    scores: FloatArray  # (T, S), higher is better, nan if a system lacks the topic
    means: FloatArray  # (S,)
    whole: FloatArray  # (B, S) means of resamples
    little: FloatArray  # (B, S) `means` plus a part (`LITTLE`) of the noise of other resamples
    errors: FloatArray  # (T, S) share of each topic in the error of a mean: errors.T @ errors is their covariance
    order: FloatArray  # (P,) 1 if the first of two systems is better, -1 if the second is, 0 if they are tied
    near: BoolArray  # (P,) true if their difference is within one standard error
    equal: float  # share of the pairs that look like equal systems
    variants: float  # the same share among pairs that move together
    first: BoolArray  # (P,) true if both are among the `FIRST` best
    apart: float  # effective number of systems: systems that move together count as one

    @classmethod
    def of(cls, scores: FloatArray, counts: FloatArray) -> SampledMeans:
        """Compute all fields from (T, S) scores and (B, T) resamples; every second resample is for `little`."""
        centre, topics = means(scores), len(scores)
        known = ~np.isnan(scores)
        spread = np.sqrt(topics / max(topics - 1, 1))
        with np.errstate(invalid="ignore"):  # infinity minus infinity
            errors = np.where(known, (scores - centre) / known.sum(axis=0), 0.0) * spread
            noise = np.where(np.isinf(centre), 0.0, weighted_means(scores, counts[1::2]) - centre)
            order, z = _differences(centre, errors)
            together = _together(errors)
        first = _among_first(centre)
        return cls(
            scores,
            centre,
            weighted_means(scores, counts[::2]),
            centre + LITTLE * spread * noise,
            errors,
            order,
            z < 1,
            _equal_share(z, np.ones(len(z))),
            _equal_share(z, together[np.triu_indices(len(centre), 1)]),
            first,
            float((1 / (1 + together.sum(axis=0))).sum()),
        )


def _differences(centre: FloatArray, errors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two arrays (P,): the order of each pair of systems (1, 0 or -1), and the |difference| in standard errors.

    If the difference is the same on every topic, the second array has nan for tied systems, else infinite.
    """
    first, second = np.triu_indices(len(centre), 1)
    places, covariance = ahead(centre), errors.T @ errors
    variance = np.diag(covariance)
    total = variance[first] + variance[second]
    difference = total - 2 * covariance[first, second]
    varies = difference > ROUNDING * total
    gap = np.abs(centre[first] - centre[second])
    alike = np.where(places[first] == places[second], np.nan, np.inf)
    z = np.where(varies, gap / np.sqrt(np.where(varies, difference, 1.0)), alike)
    return np.sign(places[second] - places[first]).astype(np.float64), z


def _equal_share(z: FloatArray, weights: FloatArray) -> float:
    """Estimate the weighted share of pairs (P,) of systems that are equal.

    Differences z of equal systems are normal, and z of other systems are about uniform near 0. The excess of |z| < 1
    over 1 <= |z| < 2 shows the share, as Storey 2002 estimates the share of true null hypotheses from large p.
    """
    within = weights @ np.stack([z < 1, (z >= 1) & (z < 2)], axis=1)
    return float(np.clip(divided(within[0] - within[1], NORMAL * weights.sum()), 0.0, 1.0))


def _among_first(centre: FloatArray) -> BoolArray:
    """Mark the (P,) pairs with both systems among the `FIRST` best."""
    among = ahead(centre) < FIRST
    first, second = np.triu_indices(len(centre), 1)
    return np.asarray(among[first] & among[second])


def _together(errors: FloatArray) -> FloatArray:
    """Return the (S, S) degree to which two systems vary together over topics: a positive correlation to the power 4.

    Each system's values are scaled down by the amount that chance adds with T topics: half of 3 / (T^2 - 1) for each
    pair, because only positive correlations count.
    """
    topics = len(errors)
    around = errors - errors.mean(axis=1, keepdims=True)
    around = divided(around, np.sqrt((around**2).sum(axis=0)))
    fourth = np.maximum(around.T @ around, 0.0) ** 4
    np.fill_diagonal(fourth, 0.0)
    total = fourth.sum(axis=0)
    by_chance = 1.5 * (errors.shape[1] - 1) / (topics**2 - 1) if topics > 1 else 0.0
    return np.asarray(fourth * divided(np.maximum(total - by_chance, 0.0), total))


@dataclass(frozen=True, eq=False)
class Ends:
    """Ends of intervals (K,): nan if there is no interval, and `why` is the reason; else `why` is ""."""

    low: FloatArray
    high: FloatArray
    why: NDArray[np.object_]


def interval_ends(
    correlation: Callable[[Scores, Scores], Value],
    sampled: Sequence[SampledMeans],
    pairs: IntArray,
    estimates: FloatArray,
    whole: FloatArray,
    little: FloatArray,
    level: float,
) -> Ends:
    """Return the intervals of the correlations of K pairs of measures; `pairs` (K, 2) are positions in `sampled`.

    `estimates` (K,) are the correlations of the means; `whole` and `little` (B, K) are the correlations of the
    resampled means of the same names, nan if undefined. For two measures with the same scores, both ends are the
    estimate.
    """
    scores, tails = [sample.scores for sample in sampled], [(1 - level) / 2, (1 + level) / 2]
    why, centres = _noise(correlation, sampled, pairs)
    same = np.equal(*_distinct(scores)[pairs.T])
    why[same] = ""
    why[np.isnan(estimates) | np.isnan(whole).all(axis=0) | np.isnan(little).all(axis=0)] = UNDEFINED
    low, high = (np.where(same & (why == ""), estimates, np.nan) for _ in tails)
    doubtful = ~same & (why == "")
    if doubtful.any():
        estimates, centres, pairs = estimates[doubtful], centres[doubtful], pairs[doubtful]
        half = stdtrit(len(scores[0]) - 1, tails[1]) * np.nanstd(little[:, doubtful], axis=0) / LITTLE
        known = _known(correlation)
        share = 1.0 if known is None or known.top_heavy else SHARE
        half *= share * np.sqrt(max(1.0, WIDER / len(scores[0])))
        down, up = (np.minimum(2 * half, part) for part in _near(correlation, sampled, pairs))
        ends = np.fmin(estimates - down, centres) - half, np.fmax(estimates + up, centres) + half
        least, most = (-np.inf, np.inf) if known is None else (known.least, 1.0)
        whole = whole[:, doubtful]
        quantile = np.nanquantile if np.isnan(whole).any() else np.quantile  # the former is slow: pair by pair
        drawn = quantile(whole, tails, axis=0)
        low[doubtful] = np.minimum(np.maximum(ends[0], least), drawn[0])
        high[doubtful] = np.maximum(np.minimum(ends[1], most), drawn[1])
        wide = high - low > WIDEST * (most - least)
        why[wide], low[wide], high[wide] = WIDE, np.nan, np.nan
    return Ends(low, high, why)


def _distinct(scores: Sequence[FloatArray]) -> IntArray:
    """Return a number (M,) for each measure; measures with the same scores share it."""
    numbers: dict[bytes, int] = {}
    kinds = (np.where(np.isnan(score), np.nan, score + 0.0).tobytes() for score in scores)  # -0.0 + 0.0 is 0.0
    return np.array([numbers.setdefault(kind, len(numbers)) for kind in kinds])


def _known(correlation: Callable[[Scores, Scores], Value]) -> Correlation | None:
    return next((known for known in CORRELATIONS.values() if correlation in (known, known.function)), None)


def _near(
    correlation: Callable[[Scores, Scores], Value], sampled: Sequence[SampledMeans], pairs: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return two arrays (K,): how much lower and higher the true correlation may be due to nearly equal systems.

    Let `e` be the share of pairs that look like equal systems, and `t` the agreement on pairs that are near under
    either measure. Noise alone may have produced `t`. In truth, the orders of these pairs may agree only by chance: the
    correlation is then lower by e * t. Or they may agree fully: it is then higher by e * (1 - t). For a top-heavy
    correlation only pairs of top systems count, and `e` is at least the share of these that are near, because a single
    swap there changes the correlation a lot.
    """
    known = _known(correlation)
    order, near = (np.stack([getattr(draw, name) for draw in sampled]).astype(np.float64) for name in ("order", "near"))
    equal = np.array([sample.equal for sample in sampled])
    if known is not None and known.top_heavy:
        near *= np.stack([sample.first for sample in sampled])
        equal = np.maximum(equal, [sample.near[sample.first].mean() for sample in sampled])
    (a, b), close = pairs.T, order * near
    ahead_by, both_close, both_near = (left @ right.T for left, right in ((close, order), (close, close), (near, near)))
    agreeing = ahead_by[a, b] + ahead_by[b, a] - both_close[a, b]
    count = near.sum(axis=1)
    either = count[a] + count[b] - both_near[a, b]
    agreement = np.clip(divided(agreeing, either), 0.0, 1.0)
    share = np.maximum(equal[a], equal[b])
    return share * agreement, share * (1 - agreement)


def _noise(
    correlation: Callable[[Scores, Scores], Value], sampled: Sequence[SampledMeans], pairs: IntArray
) -> tuple[NDArray[np.object_], FloatArray]:
    """Return two arrays (K,): a reason to give no interval, or ""; and the correlation of the means without noise."""
    topics, systems = sampled[0].scores.shape
    few = FEW_TOPICS if topics < FEWEST_TOPICS else FEW_SYSTEMS if systems < FEWEST_SYSTEMS else ""
    if few:
        return np.full(len(pairs), few, dtype=object), np.full(len(pairs), np.nan)
    spread, noise, placed = _variances(sampled)
    signal = 1 - np.diag(noise)
    of_measure = np.select(
        [
            [not np.isfinite(sample.means).all() for sample in sampled],
            ~(signal > LEAST_SIGNAL),
            [sample.equal >= MOST_EQUAL for sample in sampled],
            [sample.apart < min(FEWEST_APART, systems / 2) and sample.variants >= MOST_EQUAL for sample in sampled],
        ],
        np.array([INFINITE, NOISE, NEARLY_EQUAL, TOGETHER], dtype=object)[:, None],
        "",
    ).astype(object)
    known = _known(correlation)
    if known is not None and known.top_heavy:
        tied = [np.mean(sample.order[sample.first] == 0) >= MOST_TIED for sample in sampled]
        of_measure[np.array(tied) & (of_measure == "")] = TIED
    whys = of_measure[pairs]
    why = np.where(whys[:, 0] == "", whys[:, 1], whys[:, 0])
    centres, given = np.full(len(pairs), np.nan), why == ""
    if given.any():
        both = pairs[given]
        at = both[:, :, None], both[:, None, :]
        moved = _without_noise(spread[at], noise[at]) @ placed[both]
        centres[given] = correlation(moved[:, 0], moved[:, 1])
    return why, centres


def _variances(sampled: Sequence[SampledMeans]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return (M, M) covariances of the standardised means and of their noise, over systems, and the (M, S) means.

    The noise is that of differences between systems, enlarged to the `TAIL` quantile of the F distribution, because
    with few systems the spread of their means may be large by chance.
    """
    topics, systems = sampled[0].scores.shape
    centres = np.stack([sample.means for sample in sampled])
    errors = np.stack([sample.errors for sample in sampled])
    with np.errstate(invalid="ignore", divide="ignore"):
        placed = centres - centres.mean(axis=1, keepdims=True)
        deviation = placed.std(axis=1, ddof=1)
        placed = placed / deviation[:, None]
        errors = (errors - errors.mean(axis=2, keepdims=True)) / deviation[:, None, None]
        flat = errors.reshape(len(errors), -1)
        noise = flat @ flat.T / (systems - 1)
    taken = float(fdtri(systems - 1, (systems - 1) * (topics - 1), TAIL))
    return np.asarray(placed @ placed.T / (systems - 1)), taken * noise, placed


def _without_noise(spread: FloatArray, noise: FloatArray) -> FloatArray:
    """Return (K, 2, 2) matrices that remove the noise from means under two measures, from covariances over systems."""
    return _root(spread - noise) @ np.linalg.pinv(_root(spread), hermitian=True)


def _root(covariance: FloatArray) -> FloatArray:
    """Return the square roots of symmetric matrices, with negative eigenvalues set to 0."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :]) @ vectors.swapaxes(-1, -2))
