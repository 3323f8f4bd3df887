"""Paired tests of two systems, and corrections for testing many pairs.

A test uses the differences of two systems, topic by topic. p is the chance of a difference at least as large, in
either direction, if the systems were equally good. Differences are leads: positive if the first system is better,
whether high or low scores are good. If a score is infinite, t, p and effect sizes are nan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike
from scipy.special import gammaln

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.progress import Tell, part_of, tell_share
from evalcore.common.short_forms import shown
from evalcore.common.statements_of_doubt import states
from evalcore.drawing import figures
from evalcore.errors import InputError, check_level
from evalcore.meta.align import tested_frame
from evalcore.meta.comparisons import drawn_signs, p_among_pairs
from evalcore.meta.differences import Differences, Draws, half_interval, signed_ratio, two_sided
from evalcore.meta.discrimination import PairedBootstrap
from evalcore.meta.order import TIE
from evalcore.meta.resampling import check_draws
from evalcore.meta.wilcoxon import wilcoxon_p

TESTS = {"bootstrap": "asl", "t-test": "p_t", "Wilcoxon": "p_wilcoxon"}
"""The columns of `PairedBootstrap.pairs` that contain the p-values of a test, by its name."""

_CELLS = 200_000  # signs, or shuffled scores, drawn at once: 2 MB, and a few ms of work


@shown
@dataclass(frozen=True, eq=False)
class PairComparison:
    """Two systems compared on the same topics; differences are positive if the first system is better."""

    differences: pd.Series  # by topic
    mean: float
    low: float  # confidence interval of the mean
    high: float
    level: float
    t: float
    p_t: float
    asl: float  # paired bootstrap
    p_permutation: float
    p_wilcoxon: float
    exact: bool  # whether all sign flips were counted
    d_z: float
    g_z: float

    def figure(self, **options: Any) -> Any:
        """Draw the difference of the two systems on each topic."""
        names = options.pop("names", ("first", "second"))
        return figures().topic_differences(self.differences, (self.low, self.high), names, **options)


@states("One pair of systems: paired tests, not corrected for other pairs; {level} t interval")
def compare_systems(
    scores: pd.DataFrame,
    system_a: str,
    system_b: str,
    n_resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    counts: ArrayLike | Draws | None = None,
    progress: Tell | None = None,
) -> PairComparison:
    """Return every paired test of two systems, on the topics that both have; no p is corrected for other pairs.

    - t = mean / (sd / sqrt(n)), p_t of the paired t-test, and mean -+ t(level, n - 1) sd / sqrt(n) as the
      confidence interval, nan if the difference is the same on every topic, because then its variation is unknown;
    - asl: the paired bootstrap of `paired_bootstrap`, with the same resamples for the same seed;
    - p_permutation: `permutation_p`; p_wilcoxon: `wilcoxon_p`; the effect sizes d_z and g_z: `effect_sizes`.

    Raises InputError for an unknown system, and for fewer than two topics.

    >>> scores = pd.DataFrame({"a": [0.3, 0.5, 0.4], "b": [0.2, 0.2, 0.2]})  # differences .1, .3, .2
    >>> pair = compare_systems(scores, "a", "b", n_resamples=100)
    >>> round(pair.mean, 9), round(pair.t, 4), round(pair.p_t, 4), round(pair.d_z, 9), pair.p_permutation
    (0.2, 3.4641, 0.0742, 2.0, 0.25)
    """
    check_level(level)
    frame = tested_frame(scores)
    for name in (system_a, system_b):
        if name not in frame.columns:
            raise InputError(f"expected a system of the frame, found {name!r}")
    draws = Draws.of(len(frame), n_resamples, seed, counts)
    frame = frame[frame[[system_a, system_b]].notna().all(axis=1)]
    draws = draws.of_topics(len(frame))
    x, y = (frame[name].to_numpy()[None] for name in (system_a, system_b))
    pair = Differences.between(x, y)
    tested = bool(pair.tested[0])
    p, exact = permutation_p(x[0] - y[0], n_resamples, seed, progress) if tested else (np.nan, False)
    d_z, g_z = effect_sizes(pair)
    half = float(half_interval(pair, level)[0])
    mean, t = float(pair.mean[0]), float(pair.t[0])
    return PairComparison(
        differences=frame[system_a] - frame[system_b],
        mean=mean,
        low=mean - half,
        high=mean + half,
        level=level,
        t=t,
        p_t=float(two_sided(pair.t, len(frame))[0]),
        asl=float(pair.where_tested(pair.as_extreme(draws))[0]) / draws.n_resamples,
        p_permutation=p,
        p_wilcoxon=float(wilcoxon_p(x, y)[0]),
        exact=exact,
        d_z=d_z,
        g_z=g_z,
    )


def permutation_p(
    differences: ArrayLike, n_resamples: int = 10_000, seed: int = 0, progress: Tell | None = None
) -> tuple[float, bool]:
    """Return p of the paired permutation (randomisation) test, and true if it is exact.

    If the systems were equally good, each topic's difference could as well have had the opposite sign. p is the share
    of sign flips whose |mean| is at least the observed one: of all 2^n flips if these are at most n_resamples; else
    of n_resamples random ones with the observed one included, (count + 1) / (n_resamples + 1). Fisher 1935; Smucker,
    Allan, Carterette 2007.

    >>> permutation_p([0.1, 0.3, 0.2])  # only the two flips that give all one sign reach .6 in sum: 2 of 8
    (0.25, True)
    """
    check_draws(n_resamples, seed)
    values = np.asarray(differences, dtype=np.float64)
    topics = len(values)
    wanted = abs(values.sum()) - TIE * np.abs(values).sum()
    if topics < 63 and 2**topics <= n_resamples:
        flips = 1 - 2.0 * (np.arange(2**topics)[:, None] >> np.arange(topics) & 1)
        return float((np.abs(flips @ values) >= wanted).mean()), True
    count = drawn = 0
    for flips in drawn_signs(topics, n_resamples, seed, max(1, _CELLS // topics)):
        count, drawn = count + int(np.count_nonzero(np.abs(flips @ values) >= wanted)), drawn + len(flips)
        tell_share(progress, drawn / n_resamples)
    return (count + 1) / (n_resamples + 1), False


def effect_sizes(pair: Differences) -> tuple[float, float]:
    """Return Cohen's d_z, the standardised mean difference of one pair, and Hedges' g_z, corrected for small samples.

    d_z = mean / sd of the differences; g_z = J d_z with J = G(m/2) / (sqrt(m/2) G((m-1)/2)), m = n - 1 and G the
    gamma function, about 1 - 3/(4m - 1). Cohen 1988, section 2.3.5; Hedges 1981, Eq. 6e. Both are 0 for equal systems,
    and infinite for any other constant difference. With two topics J is 0, and g_z is nan.
    """
    d_z, m = float(pair.where_tested(signed_ratio(pair.mean, pair.sd))[0]), pair.n_topics - 1
    if m < 2:
        return d_z, np.nan
    shrink = np.exp(gammaln(m / 2) - gammaln((m - 1) / 2)) / np.sqrt(m / 2)
    return d_z, float(shrink * d_z)


def bonferroni(p: FloatArray) -> FloatArray:
    """Multiply p by the number of tests, so that the chance of any false positive is at most alpha. Dunn 1961.

    >>> bonferroni(np.array([0.01, 0.4])).tolist()
    [0.02, 0.8]
    """
    return np.minimum(len(p) * p, 1.0)


def holm(p: FloatArray, times: IntArray | None = None) -> FloatArray:
    """Multiply the i-th smallest p by (tests - i + 1), and raise each result to at least the one before. Holm 1979.

    The error rate is the same as with Bonferroni's correction, and the power is higher. `times` is the number of tests
    that share each p; None means one test each.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist(), holm(np.array([0.04, 0.01]), np.array([2, 1])).tolist()
    ([0.03, 0.06, 0.06], [0.08, 0.03])
    """
    order, often = np.argsort(p, kind="stable"), np.ones(len(p), dtype=int) if times is None else times
    raised = np.empty_like(p)
    raised[order] = np.maximum.accumulate(p[order] * np.cumsum(often[order][::-1])[::-1])
    return np.minimum(raised, 1.0)


def benjamini_hochberg(p: FloatArray) -> FloatArray:
    """Multiply the i-th smallest p by tests/i, and lower each result to at most the result of the next larger p.

    On average, at most a share alpha of the significant results is wrong (false discovery rate). Benjamini, Hochberg
    1995.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.04, 0.04]
    """
    return np.asarray(scipy.stats.false_discovery_control(p))


CORRECTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "none": np.copy,
    "Bonferroni": bonferroni,
    "Holm": holm,
    "Benjamini-Hochberg": benjamini_hochberg,
}
"""Corrections that make p values of many tests comparable with alpha, by their names in menus."""


def corrected(p: ArrayLike, correction: str) -> FloatArray:
    """Return p values corrected for their number, with one of CORRECTIONS.

    Raises InputError for any other correction, and for p outside [0, 1].

    >>> corrected([0.01, 0.4], "Bonferroni").tolist()
    [0.02, 0.8]
    """
    values = np.asarray(p, dtype=np.float64)
    if correction not in CORRECTIONS:
        raise InputError(f"expected one of {', '.join(CORRECTIONS)}, found {correction!r}")
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise InputError("expected a list of p values from 0 to 1, found something else")
    return CORRECTIONS[correction](values)


def with_the_observed(p: FloatArray, n_resamples: int) -> FloatArray:
    """Return p recomputed with the observed scores as one more resample, so that it is never 0; nan stays nan.

    >>> with_the_observed(np.array([0.0, 0.5]), 9).tolist()
    [0.1, 0.55]
    """
    return np.asarray((n_resamples * p + 1) / (n_resamples + 1))


def corrected_where_tested(
    p: FloatArray, correction: str, n_resamples: int | None = None, least: FloatArray | float = 0.0
) -> FloatArray:
    """Return corrected p values (see `corrected`); values that are nan stay nan and do not count as tests.

    Before a correction, p from `n_resamples` resamples includes the observed scores (`with_the_observed`), and every p
    is raised to at least `least` (`evalcore.meta.steps.least_p`); "none" leaves p as given.
    """
    if correction != "none":
        p = np.maximum(p if n_resamples is None else with_the_observed(p, n_resamples), least)
    result, tested = np.full(len(p), np.nan), ~np.isnan(p)
    result[tested] = corrected(p[tested], correction)
    return result


@states("Pairs of systems: {test}, two-sided; p corrected over all pairs of a measure: {correction}")
def corrected_pairs(
    tests: PairedBootstrap, test: str = "bootstrap", correction: str = "none", margin: float | None = None
) -> pd.DataFrame:
    """Return all pairs of a measure with p corrected over them: columns system_a, system_b, difference, p.

    With a `margin` also p_equivalent, corrected in the same way: two systems are equivalent if their true difference is
    smaller than the margin, according to two one-sided paired t-tests (Schuirmann 1987). A pair that is neither
    significant nor equivalent is undecided: "not significant" does not mean that two systems are equal.

    p of a pair that cannot be tested is nan, and the pair does not count as a test. Before a correction, an ASL counts
    the observed scores as one more resample, (count + 1) / (n_resamples + 1): otherwise a p of 0, which only means less
    than one in n_resamples, would stay 0 under any correction (Phipson, Smyth 2010).

    Scores that come in steps, as with P@5, may differ by the same amount on a few topics by chance, and then t is much
    too large. Corrected p of the t-test and the bootstrap therefore have a lower limit from flipped signs of the topics
    (`evalcore.meta.steps`). `corrected(tests.pairs["p_t"], correction)` is the textbook version without that limit.
    """
    if test not in TESTS:
        raise InputError(f"expected one of {', '.join(TESTS)}, found {test!r}")
    pairs = tests.pairs[["system_a", "system_b", "difference"]].copy()
    p = tests.pairs[TESTS[test]].to_numpy(dtype=np.float64)
    by_signs = test == "Wilcoxon" or correction == "none"
    least = 0.0 if by_signs else tests.least_p
    pairs["p"] = corrected_where_tested(p, correction, tests.n_resamples if test == "bootstrap" else None, least)
    if margin is not None:
        pairs["p_equivalent"] = corrected_where_tested(tests.equivalence_p(margin), correction)
    return pairs


@states("Pairs of systems: randomised Tukey HSD and flipped signs of topics, family-wise over all pairs of a measure")
def tukey_p(
    scores: pd.DataFrame, n_resamples: int = 10_000, seed: int = 0, progress: Tell | None = None
) -> pd.DataFrame:
    """Randomised Tukey HSD: compare every pair with the largest difference that chance gives among all systems.

    In each trial every topic's scores are shuffled among the systems; `p_shuffled` = (count + 1) / (n_resamples + 1),
    where count is the number of trials in which the range of the systems' means is at least the pair's |difference|;
    the 1 stands for the observed scores. Carterette 2012, "Multiple testing in statistical analysis of systems-based
    information retrieval experiments", Algorithm 1 (there without the + 1).

    Shuffling assumes that all systems vary alike. If some systems vary more than others, or if there are many variants
    of one system, shuffling finds a difference among equal systems in up to 33% of cases at 5%. So `p`, which decides,
    is at least the pair's p among all pairs under flipped signs of the topics, with each difference in units of its
    size (`evalcore.meta.comparisons.p_among_pairs`; above .05 with fewer than 6 topics). `p` needs no further
    correction.

    Columns system_a, system_b, difference, p, p_shuffled. All systems are compared at once, so topics that one of them
    lacks are left out; raises InputError if no topic is left. Systems with an infinite score do not take part: p of
    their pairs is nan.

    >>> scores = pd.DataFrame({"a": [0.5, 0.5], "b": [0.5, 0.5]})
    >>> tukey_p(scores, n_resamples=9).to_numpy().tolist()
    [['a', 'b', 0.0, 1.0, 1.0]]
    """
    frame = tested_frame(scores).dropna()
    if not len(frame):
        raise InputError("expected a topic with scores of all systems, found none")
    values, systems = frame.to_numpy(), frame.columns
    finite = np.isfinite(values).all(axis=0)
    known = values[:, finite]
    ranges = np.sort(_ranges_of_shuffled(known, n_resamples, seed, part_of(progress, 0, 2)))
    a, b = np.triu_indices(values.shape[1], 1)
    with np.errstate(invalid="ignore"):
        means = values.mean(axis=0)
        difference = means[a] - means[b]
    wanted = np.abs(difference) - TIE * np.abs(known).max(initial=0.0)
    reached = n_resamples - np.searchsorted(ranges, wanted)
    tested = finite[a] & finite[b]
    shuffled = np.where(tested, (reached + 1) / (n_resamples + 1), np.nan)
    p = shuffled.copy()
    p[tested] = np.maximum(p[tested], p_among_pairs(known, n_resamples, seed, part_of(progress, 1, 2)))
    pairs = {"system_a": systems[a], "system_b": systems[b], "difference": difference}
    return pd.DataFrame({**pairs, "p": p, "p_shuffled": shuffled})


def _ranges_of_shuffled(values: FloatArray, n_resamples: int, seed: int, progress: Tell | None) -> FloatArray:
    """Return the (B,) ranges of the systems' means in trials with shuffled scores, as in `tukey_p`."""
    check_draws(n_resamples, seed)
    random, ranges = np.random.default_rng(seed), np.zeros(n_resamples)
    if not values.size:
        return ranges
    step = max(1, _CELLS // values.size)
    for start in range(0, n_resamples, step):
        stop = min(start + step, n_resamples)
        shuffled = random.permuted(np.broadcast_to(values, (stop - start, *values.shape)), axis=2)
        ranges[start:stop] = np.ptp(shuffled.mean(axis=1), axis=1)
        tell_share(progress, stop / n_resamples)
    return ranges
