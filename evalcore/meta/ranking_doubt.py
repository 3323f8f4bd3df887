"""Intervals of the correlation of two true rankings, or the reason for giving none.

The target is the correlation of the *true* rankings: those of the same systems by their means over the whole
population of topics, from which the topics at hand are a sample. The sample adds noise to both rankings, and where two
measures share it (a hard topic is hard by both) it pulls their correlation either way; resampling topics adds the noise
once more, so that percentiles of resamples lie off the truth, and may leave out the estimate itself. The interval is
therefore the estimate less and plus a half-width that takes little noise to measure, widened to each side as far as
noise may have moved the estimate (`_noise`, `_near`), and to the percentiles of resamples, which with few systems
know of flips that are rare. Where most of what is seen may be noise there is no interval.

`python -m benchmarks coverage` measures how often it covers the truth. Shapes: T topics, S systems, P pairs of systems,
B resamples, M measures, K pairs of measures.
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
WIDER = 20  # topics; on fewer the half-width grows as if there were yet fewer: noise on 10 is itself little known
SHARE = 0.75  # of the half-width, if all pairs count alike: the ends are moved by noise already
LITTLE = 0.6  # the noise that half of the resamples add, in standard errors of the means
TAIL = 0.99  # noise is taken as large as leaves the systems' spread this sure
LEAST_SIGNAL = 0.25  # of the variance of the means, after noise is taken so large
MOST_EQUAL = 0.5  # of the pairs of systems, or of those that move together
WIDEST = 0.5  # of the values that a correlation may have
FIRST = 10  # systems whose pairs count for correlations that are top-heavy
MOST_TIED = 0.25  # of these pairs
FEWEST_APART = 12  # systems that do not move together, where most do
ROUNDING = 1e-12
NORMAL = 0.6827 - 0.2718  # how much likelier a normal number lies within 1 of 0 than between 1 and 2

FEW_TOPICS = f"fewer than {FEWEST_TOPICS} topics"
FEW_SYSTEMS = f"fewer than {FEWEST_SYSTEMS} systems"
INFINITE = "a score is infinite"
UNDEFINED = "all systems are tied"
NOISE = "the systems' means differ hardly more than by the choice of topics"
NEARLY_EQUAL = "about half of the pairs of systems or more are nearly equal"
TIED = "many of the top systems are tied"
TOGETHER = "most systems are nearly equal variants of one another, with scores that vary together over topics"
WIDE = "the interval would be wider than half of the whole range"


@dataclass(frozen=True, eq=False)
class SampledMeans:
    """The systems' means by one measure, and how topics move them."""

    scores: FloatArray  # (T, S), higher is better, nan if a system lacks the topic
    means: FloatArray  # (S,)
    whole: FloatArray  # (B, S) means of resamples
    little: FloatArray  # (B, S) means of other resamples, of whose noise only a part is added to `means`
    errors: FloatArray  # (T, S) what each topic adds to the error of a mean: errors.T @ errors is their covariance
    order: FloatArray  # (P,) 1 if the first of two systems is the better one, -1 if the second is, 0 where tied
    near: BoolArray  # (P,) whether their difference is within its standard error
    equal: float  # the share of pairs that look like equal systems
    variants: float  # the same among pairs that move together
    first: BoolArray  # (P,) whether both are among the `FIRST` best
    apart: float  # for how many systems they count: those that move together for one

    @classmethod
    def of(cls, scores: FloatArray, counts: FloatArray) -> SampledMeans:
        """Make it from (T, S) scores and (B, T) resamples; every second resample is for `little`."""
        centre, topics = means(scores), len(scores)
        known = ~np.isnan(scores)
        spread = np.sqrt(topics / max(topics - 1, 1))
        with np.errstate(invalid="ignore"):  # infinite less infinite
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
    """(P,) the order of every two systems, and their difference in standard errors; nan if both score alike."""
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
    """Return the share, by weight, of pairs (P,) that look like equal systems.

    Differences of equal systems are normal, those of others about uniform near 0: the excess within 1 of 0, as Storey
    2002 takes the share of true null hypotheses from p-values that are large.
    """
    within = weights @ np.stack([z < 1, (z >= 1) & (z < 2)], axis=1)
    return float(np.clip(divided(within[0] - within[1], NORMAL * weights.sum()), 0.0, 1.0))


def _among_first(centre: FloatArray) -> BoolArray:
    """(P,) true if two systems are both among the first ones."""
    among = ahead(centre) < FIRST
    first, second = np.triu_indices(len(centre), 1)
    return np.asarray(among[first] & among[second])


def _together(errors: FloatArray) -> FloatArray:
    """(S, S) closeness with which two systems move together over topics: fourth power of a positive correlation.

    Less what chance makes of these, from so few topics: half of 3 / (T^2 - 1) each, as only positive ones count.
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
    """(K,) the ends of intervals, nan if there is none, and why there is none, "" where there is one."""

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
    """The intervals of the correlations of K pairs of measures, (K, 2) places in `sampled`.

    `estimates` (K,) are the correlations of the means, `whole` and `little` (B, K) those of the resampled ones, nan
    where undefined. A measure beside itself is certain.
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
        quantile = np.nanquantile if np.isnan(whole).any() else np.quantile  # the former goes pair by pair
        drawn = quantile(whole, tails, axis=0)
        low[doubtful] = np.minimum(np.maximum(ends[0], least), drawn[0])
        high[doubtful] = np.maximum(np.minimum(ends[1], most), drawn[1])
        wide = high - low > WIDEST * (most - least)
        why[wide], low[wide], high[wide] = WIDE, np.nan, np.nan
    return Ends(low, high, why)


def _distinct(scores: Sequence[FloatArray]) -> IntArray:
    """(M,) a number for each measure; those with the same scores share it."""
    numbers: dict[bytes, int] = {}
    kinds = (np.where(np.isnan(score), np.nan, score + 0.0).tobytes() for score in scores)  # -0.0 + 0.0 is 0.0
    return np.array([numbers.setdefault(kind, len(numbers)) for kind in kinds])


def _known(correlation: Callable[[Scores, Scores], Value]) -> Correlation | None:
    return next((known for known in CORRELATIONS.values() if correlation in (known, known.function)), None)


def _near(
    correlation: Callable[[Scores, Scores], Value], sampled: Sequence[SampledMeans], pairs: IntArray
) -> tuple[FloatArray, FloatArray]:
    """(K,) distances down and up that nearly equal systems leave to the correlation.

    If the share of pairs that look like equal systems is e, and pairs that are near by one of two measures agree by
    t, noise alone may have made that t: their true order may agree by chance alone, which is e t less, or wholly, which
    is e (1 - t) more. Of a correlation that is top-heavy the pairs among the first systems are looked at, and e is at
    least the share of these that are near: a single swap there moves it much.
    """
    known = _known(correlation)
    order, near = (
        np.stack([getattr(sample, name) for sample in sampled]).astype(np.float64) for name in ("order", "near")
    )
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
    """(K,) why there is no interval, "" where there may be, and the correlations without the noise of the means."""
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
    """(M, M) the covariances over systems of their means, and of the noise in them; (M, S) the means, standardised.

    The noise is that of differences between systems, and taken as large as the F distribution allows at `TAIL`: with
    few systems the spread of their means may be large by chance.
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
    """(K, 2, 2) matrices that take the noise out of the covariance over systems of the means by two measures."""
    return _root(spread - noise) @ np.linalg.pinv(_root(spread), hermitian=True)


def _root(covariance: FloatArray) -> FloatArray:
    """The square root of symmetric matrices, what is negative taken for 0."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :]) @ vectors.swapaxes(-1, -2))
