"""Correlations of two measures: do they order the systems in the same way?

Every function takes the scores of the same systems under two measures:

- two pandas Series, matched by their labels; if low scores are good, they declare it (`evalcore.direction`);
- or two arrays, matched by position, systems on the last axis, higher is better; leading axes broadcast: (B, N) and
  (B, N) or (N,) give B correlations at once, and arrays with one axis give a float.

Two scores that differ by no more than the rounding of a sum (`order.TIE`) are tied. Infinite scores of the same sign
are tied, and rank first or last; only `pearson` needs finite scores. Raises InputError if systems differ or are fewer
than two, or a score is nan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.short_forms import shown
from evalcore.errors import InputError, check_level
from evalcore.meta.align import Scores, paired, paired_frames
from evalcore.meta.order import TIE, ahead, ahead_in_both, as_listed, reverse, shared_prefixes

Value: TypeAlias = Any  # a float, or an array of floats if there are leading axes


def tau(x: Scores, y: Scores) -> Value:
    """Kendall's tau_b: concordant minus discordant pairs, divided by the geometric mean of pairs untied in x and in y.

    (C - D) / sqrt((P - Tx) (P - Ty)); P = N(N-1)/2 pairs; Tx of them are tied in x, Ty in y.
    Kendall 1945, "The treatment of ties in ranking problems".
    Ties: a pair tied on either side is neither concordant nor discordant; nan if one side is wholly tied.

    >>> tau([3, 2, 1], [3, 1, 2])  # two pairs agree, one does not: (2 - 1) / 3
    0.3333333333333333
    """
    a, b = _orders(x, y)
    ordered = a.sum(axis=-1) * b.sum(axis=-1).astype(np.float64)
    return _value(divided(_balance(a, b), np.sqrt(ordered), np.nan))


def tau_a(x: Scores, y: Scores) -> Value:
    """Kendall's tau_a: concordant minus discordant pairs, divided by all pairs.

    (C - D) / P with P = N(N-1)/2. Kendall 1938, "A new measure of rank correlation".
    Ties: a tied pair counts in P only, so two equal lists with ties stay below 1.

    >>> tau_a([2, 1, 1], [2, 1, 1])  # two of three pairs agree, the third is tied
    0.6666666666666666
    """
    a, b = _orders(x, y)
    systems = a.shape[-1]
    return _value(_balance(a, b) / (systems * (systems - 1) / 2))


def tau_ap(test: Scores, reference: Scores) -> Value:
    """AP correlation: like tau, but a disagreement near the top of the list under `test` costs more.

    2/(N-1) * sum over i = 2 ... N of C(i)/(i-1), minus 1; C(i) counts the systems above rank i under `test`
    that are also ahead of the system at rank i under `reference`. Not symmetric.
    Yilmaz, Aslam, Robertson 2008, "A new rank correlation coefficient for information retrieval".
    Ties: a pair tied in the reference is not concordant; for ties in the test list the value is the mean over
    all ways of breaking them (tau_ap_a of Urbano, Marrero 2017), computed exactly and without listing them.

    >>> tau_ap([3, 2, 1], [2, 3, 1])  # rank 2: 0 of 1 agree, rank 3: 2 of 2
    0.0
    """
    walked, truth = _orders(test, reference)
    agreeing = ahead_in_both(walked, truth)
    credit = _expected_credit(walked, truth, agreeing) if _tied(walked) else agreeing / np.maximum(walked, 1)
    return _value(2 / (walked.shape[-1] - 1) * credit.sum(axis=-1) - 1)


def tau_ap_b(x: Scores, y: Scores) -> Value:
    """AP correlation for rankings with ties, symmetric: the mean of the values down x and down y.

    Down one list: 2/(N-t) * sum of C(i)/(p(i)-1), minus 1, over the systems outside the best tie group, which
    has t members; p(i)-1 systems are strictly better than i, C(i) of them on the other side too.
    Urbano, Marrero 2017, "The treatment of ties in AP correlation".
    Ties: a pair tied on either side is not concordant; a list with ties agrees fully with itself; nan if
    one side is wholly tied.

    >>> tau_ap_b([2, 1, 1], [3, 2, 1])  # down x: both agree, 1; down y: 1 of 1, then 1 of 2, so .5
    0.75
    """
    a, b = _orders(x, y)
    agreeing = ahead_in_both(a, b)
    return _value((_down(a, agreeing) + _down(b, agreeing)) / 2)


def spearman(x: Scores, y: Scores) -> Value:
    """Spearman's rho: Pearson's r of the ranks. Spearman 1904.

    Ties: tied systems share the mean of their ranks; nan if one side is wholly tied.

    >>> spearman([1, 2, 4], [1, 3, 2])  # 1 - 6 * (0 + 1 + 1) / (3 * 8)
    0.5
    """
    a, b = _orders(x, y)
    return _value(_product_moment(a - reverse(a), b - reverse(b)))


def pearson(x: Scores, y: Scores) -> Value:
    """Pearson's r: how close the scores themselves, not their order, are to a straight line. Pearson 1895.

    Covariance divided by the product of the standard deviations. Ties need no treatment; nan if one side is
    constant or has an infinite score.

    >>> pearson([1, 2, 3], [2, 4, 6])
    1.0
    """
    return _value(_product_moment(*paired(x, y)))


def rbo(x: Scores, y: Scores, p: float = 0.9) -> Value:
    """Rank-biased overlap: the agreement of the first d systems, averaged over depths d with weights p^(d-1).

    p^N + (1-p)/p * sum over d = 1 ... N of A(d) p^d; A(d) is the share of common systems among the first d of
    both lists. Both lists contain all N systems, so the agreement from N on is 1. From 0 to 1.
    Webber, Moffat, Zobel 2010, RBO_ext (Eq. 30, with overlap N at depth N).
    Ties, as in that paper: tied systems all enter at the best of their ranks, and A(d) is twice the number of
    common systems divided by the sum of the sizes of both prefixes.

    >>> rbo([2, 1], [1, 2], p=0.5)  # nothing in common at depth 1, everything from depth 2: 1 - (1 - p)
    0.5
    """
    check_level(p, "p")
    a, b = _orders(x, y)
    sizes = shared_prefixes(a, a) + shared_prefixes(b, b)
    agreement = 2 * shared_prefixes(a, b) / sizes
    systems = a.shape[-1]
    return _value(p**systems + agreement @ ((1 - p) * p ** np.arange(systems)))


def prefix_overlap(x: Scores, y: Scores) -> Value:
    """Mean overlap of the first i systems, scaled like a correlation; Zuccon 2016 prints it as tau_AP.

    2/(N-1) * sum over i = 1 ... N-1 of (common systems among the first i of both lists)/i, minus 1. At most 1;
    a reversed list stays above -1. It is not the AP correlation of Yilmaz et al.: that is `tau_ap`.
    Zuccon 2016, section 6, as its printed values show.
    Ties: broken by the order in which the systems are given (for Series, the order of x), so the value
    depends on that order, by up to 0.002 on the paper's 110 systems.

    >>> prefix_overlap([3, 2, 1], [2, 3, 1])  # first 1: 0 of 1, first 2: 2 of 2
    0.0
    """
    a, b = _orders(x, y)
    depths = np.arange(1, a.shape[-1])
    common = shared_prefixes(as_listed(a), as_listed(b))[..., :-1]
    return _value(2 / len(depths) * (common / depths).sum(axis=-1) - 1)


@shown
@dataclass(frozen=True)
class Correlation:
    """A correlation with its name and description for menus and tables; call it like the function itself."""

    name: str
    function: Callable[[Scores, Scores], Value]
    label: str
    symmetric: bool
    description: str
    source: str
    least: float = -1.0
    top_heavy: bool = False  # the first systems count most

    def __call__(self, x: Scores, y: Scores) -> Value:
        return self.function(x, y)


CORRELATIONS: dict[str, Correlation] = {
    entry.name: entry
    for entry in (
        Correlation(
            "tau", tau, "τ_b", True,
            "Pairs of systems in the same order minus pairs in different orders, with a correction for ties.",
            "Kendall 1945",
        ),
        Correlation(
            "tau_a", tau_a, "τ_a", True,
            "Pairs of systems in the same order minus pairs in different orders, divided by all pairs, tied or not.",
            "Kendall 1938",
        ),
        Correlation(
            "tau_ap", tau_ap, "τ_AP", False,
            "Like Kendall's tau, but swaps near the top of the test ranking cost more.",
            "Yilmaz, Aslam, Robertson 2008; ties: Urbano, Marrero 2017",
        ),
        Correlation(
            "tau_ap_b", tau_ap_b, "τ_AP,b", True,
            "AP correlation in both directions, averaged, with a correction for ties.",
            "Urbano, Marrero 2017",
        ),
        Correlation(
            "spearman", spearman, "Spearman ρ", True,
            "Linear correlation of the ranks of the systems.",
            "Spearman 1904",
        ),
        Correlation(
            "pearson", pearson, "Pearson r", True,
            "Linear correlation of the scores of the systems; needs finite scores.",
            "Pearson 1895",
        ),
        Correlation(
            "rbo", rbo, "RBO", True,
            "Share of common systems at the top of both rankings, with most weight on the first ranks (p = 0.9).",
            "Webber, Moffat, Zobel 2010", 0.0, top_heavy=True,
        ),
        Correlation(
            "prefix_overlap", prefix_overlap, "prefix overlap", True,
            "Mean share of common systems at the top of both rankings, over all depths, times 2, minus 1.",
            "Zuccon 2016, section 6 (printed there as tau_AP)",
        ),
    )
}  # fmt: skip


def by_topic(correlation: Callable[[Scores, Scores], Value], x: pd.DataFrame, y: pd.DataFrame) -> pd.Series:
    """Return the correlation on each topic of two frames, topics x systems, matched by label.

    Each correlation is over the systems that have a score on the topic; nan if there are fewer than two.

    >>> frame = pd.DataFrame({"a": [1, 2], "b": [2, 1]}, index=["t1", "t2"])
    >>> by_topic(tau, frame, frame).to_dict()
    {'t1': 1.0, 't2': 1.0}
    """
    x, y = paired_frames(x, y)
    a, b, has = x.to_numpy(), y.to_numpy(), x.notna().to_numpy()
    whole, values = has.all(axis=1), np.full(len(x), np.nan)
    if whole.any() or not len(x):
        values[whole] = correlation(a[whole], b[whole])
    for topic in np.flatnonzero(~whole & (has.sum(axis=1) > 1)).tolist():
        values[topic] = correlation(a[topic, has[topic]], b[topic, has[topic]])
    return pd.Series(values, index=x.index, dtype=float)


def _orders(x: Scores, y: Scores) -> tuple[IntArray, IntArray]:
    """Return, for both sides, the number of systems ahead of each system (`ahead`), broadcast to one shape."""
    a, b = np.broadcast_arrays(*map(ahead, paired(x, y)))
    return a, b


def _balance(a: IntArray, b: IntArray) -> IntArray:
    """Return the number of concordant minus discordant pairs, from the results of `ahead`."""
    return np.asarray((ahead_in_both(a, b) - ahead_in_both(a, reverse(b))).sum(axis=-1))


def _tied(places: IntArray) -> bool:
    systems = places.shape[-1]
    return bool((places.sum(axis=-1) < systems * (systems - 1) // 2).any())


def reciprocal_sums(above: IntArray, group: IntArray) -> FloatArray:
    """Return the sum of 1/(above + k) over k = 0 ... group-1; the term for above + k = 0 is left out."""
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, above.shape[-1] + 1))])
    return np.asarray(harmonic[above + group - 1] - harmonic[np.maximum(above - 1, 0)])


def _expected_credit(walked: IntArray, truth: IntArray, agreeing: IntArray) -> FloatArray:
    """Return the expectation of C(i)/(i-1) for every system if the tie groups of `walked` are ordered at random.

    If A systems are strictly above a system and t systems, including it, are tied, then k of the tied ones come above
    it with probability 1/t for each k = 0 ... t-1. Then C(i) is `agreeing`, from the A systems, plus k/(t-1) times the
    number of tied ones that agree.
    """
    behind = reverse(walked)
    above, group = walked, walked.shape[-1] - walked - behind
    within = truth - agreeing - ahead_in_both(behind, truth)
    reciprocals = reciprocal_sums(above, group)
    shares = group - (above == 0) - above * reciprocals
    return np.asarray((reciprocals * agreeing + shares * within / np.maximum(group - 1, 1)) / group)


def _down(walked: IntArray, agreeing: IntArray) -> FloatArray:
    """Return the value of `tau_ap_b` in one direction, down the order `walked`."""
    counted = (walked > 0).sum(axis=-1)
    credit = (agreeing / np.maximum(walked, 1)).sum(axis=-1)
    return divided(2 * credit, counted, np.nan) - 1


def _product_moment(x: FloatArray | IntArray, y: FloatArray | IntArray) -> FloatArray:
    dx, dy = deviations(np.asarray(x, dtype=np.float64)), deviations(np.asarray(y, dtype=np.float64))
    spread = np.sqrt((dx**2).sum(axis=-1) * (dy**2).sum(axis=-1))
    # rounding can raise a perfect correlation to 1.0000000000000002
    return np.asarray(np.clip(divided((dx * dy).sum(axis=-1), spread, np.nan), -1, 1))


def deviations(x: FloatArray) -> FloatArray:
    """Return deviations from the mean, scaled by a power of 2 to at most 1.

    They are exactly 0 for a constant side even if its mean is rounded, and nan if a score is infinite. With the
    scaling, every square is within the range of floats.
    """
    x = np.where(np.isinf(x).any(axis=-1, keepdims=True), np.nan, x)
    constant = np.ptp(x, axis=-1, keepdims=True) <= TIE * np.abs(x).max(axis=-1, keepdims=True)
    deviations = np.where(constant, 0.0, x - x.mean(axis=-1, keepdims=True))
    return np.asarray(np.ldexp(deviations, -np.frexp(np.abs(deviations).max(axis=-1, keepdims=True))[1]))


def _value(result: FloatArray) -> Value:
    return float(result) if np.ndim(result) == 0 else np.asarray(result)


def as_correlation(correlation: Correlation | str) -> Correlation:
    """Return the correlation with this name, or the given object. Raises InputError, with all names, for other text.

    >>> as_correlation("tau").label
    'τ_b'
    """
    if isinstance(correlation, Correlation):
        return correlation
    if correlation not in CORRELATIONS:
        raise InputError(f"expected a correlation ({', '.join(CORRELATIONS)}), found {correlation!r}")
    return CORRELATIONS[correlation]


TIE_AWARE = {"tau_a": "tau", "tau_ap": "tau_ap_b"}
"""Map each correlation that ties keep below 1 to the correlation to use instead.

Kendall's tau_a and the AP correlation of Yilmaz et al. count a tied pair among all pairs but not as agreeing (a pair
tied only in the test ranking counts half, the mean over all ways of breaking the tie), so a ranking with ties does not
fully agree with itself. It fully agrees under tau_b and tau_AP,b, which leave out tied pairs (Kendall 1945,
doi 10.1093/biomet/33.3.239; Urbano, Marrero 2017, doi 10.1145/3121050.3121106).
"""


def ties_in_words(correlation: Correlation | str, x: Scores, y: Scores) -> str:
    """Return a text on why ties keep a correlation of two rankings below 1; "" if the correlation can be 1.

    The text names a correlation that can be 1.

    >>> ties_in_words("tau_ap", [2, 1, 1], [3, 2, 2])
    '2 of 3 systems are tied: such a ranking has τ_AP 0.500 even with itself; τ_AP,b leaves ties out and is 1'
    """
    known = as_correlation(correlation)
    if known.name not in TIE_AWARE:
        return ""
    for side in paired(x, y):
        places = ahead(side)
        tied = int(((places[:, None] == places).sum(axis=1) > 1).sum())
        if tied == len(places):
            return f"all {tied} systems are tied, so there is no order to compare"
        if tied:
            itself, other = float(known(side, side)), CORRELATIONS[TIE_AWARE[known.name]].label
            below = f"such a ranking has {known.label} {itself:.3f} even with itself"
            return f"{tied} of {len(places)} systems are tied: {below}; {other} leaves ties out and is 1"
    return ""
