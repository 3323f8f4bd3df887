"""Number of topics that a test needs, and its power with the topics at hand.

Topic set size design (Sakai 2016, "Topic set size design", Information Retrieval Journal 19, doi
10.1007/s10791-015-9273-z) asks for the smallest n for which a test at level alpha detects the smallest difference that
matters with a given power. Sakai uses approximations of Nagata (2003); here power is computed from the noncentral
distribution itself, so an n may differ from a printed one by a topic. `effect` is that difference, in standard
deviations:

- "paired t-test": of the differences of two systems on the same n topics;
- "two-sample t-test": of the scores of two systems on different topics, n for each system;
- "one-way ANOVA": of the scores; the difference between the best and the worst of m systems, with all others in the
  middle, which is the hardest case; n topics for each system.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import scipy
from scipy.special import gammaln, stdtrit

from evalcore.common import constants
from evalcore.common.arrays import FloatArray, divided
from evalcore.common.rounding import SOLVED
from evalcore.errors import InputError, check_level
from evalcore.meta.align import tested_frame

DESIGNS = PAIRED, TWO_SAMPLES, ONE_WAY = tuple(constants.DESIGNS.values())
MOST_TOPICS = 10_000_000


def power(
    n_topics: int, effect: float, alpha: float = 0.05, design: str = "paired t-test", n_systems: int = 2
) -> float:
    """Return the chance that the test detects a true difference of `effect` standard deviations, 0 to 1.

    P(F' >= F(alpha)) with F' noncentral F. Paired: 1 and n - 1 degrees of freedom and noncentrality n effect^2, where
    F' is the square of the noncentral t. Two samples: 1 and 2(n - 1), and n effect^2 / 2. ANOVA: m - 1 and m(n - 1),
    and n effect^2 / 2. Raises InputError for fewer than two topics or systems, an effect that is not above 0, or a
    level that is not between 0 and 1.

    >>> round(power(34, 0.5), 4)
    0.8078
    """
    _check(effect, alpha, design, n_systems)
    if not 2 <= n_topics < math.inf:
        raise InputError(f"expected at least 2 topics, found {n_topics}")
    systems = n_systems if design == "one-way ANOVA" else 2
    paired = design == "paired t-test"
    between, within = systems - 1, (1 if paired else systems) * (n_topics - 1)
    noncentrality = n_topics * effect**2 / (1 if paired else 2)
    return float(scipy.stats.ncf.sf(scipy.stats.f.isf(alpha, between, within), between, within, noncentrality))


def topics_needed(
    effect: float, alpha: float = 0.05, wanted: float = 0.8, design: str = "paired t-test", n_systems: int = 2
) -> int:
    """Return the smallest number of topics with which the test has at least the wanted power (1 - beta).

    Raises InputError as `power` does, and if more than 10,000,000 topics would be needed.

    >>> topics_needed(0.5), topics_needed(0.5, design="two-sample t-test")
    (34, 64)
    """
    _check(effect, alpha, design, n_systems)
    check_level(wanted, "a power")
    return _fewest(lambda n: power(n, effect, alpha, design, n_systems) >= wanted)


def needed_or_nan(
    effect: float, alpha: float = 0.05, wanted: float = 0.8, design: str = "paired t-test", n_systems: int = 2
) -> float:
    """Return `topics_needed`, or nan if it raises InputError.

    >>> needed_or_nan(0.5), needed_or_nan(math.nan)
    (34.0, nan)
    """
    return _or_nan(lambda: topics_needed(effect, alpha, wanted, design, n_systems))


def smallest_effect(
    n_topics: int, alpha: float = 0.05, wanted: float = 0.8, design: str = "paired t-test", n_systems: int = 2
) -> float:
    """Return the smallest true difference, in standard deviations, that n topics detect with the wanted power.

    0 if wanted <= alpha, because chance alone gives as many significant results. Raises InputError as `power` does.

    >>> round(smallest_effect(34), 4), round(power(34, smallest_effect(34)), 9)
    (0.495, 0.8)
    """
    check_level(wanted, "a power")
    high = 1.0
    while power(n_topics, high, alpha, design, n_systems) < wanted:
        high *= 2
    if wanted <= alpha:
        return 0.0
    least = np.finfo(float).eps  # where power is alpha
    return float(
        scipy.optimize.brentq(lambda effect: power(n_topics, effect, alpha, design, n_systems) - wanted, least, high)
    )


def topics_for_interval(width: float, level: float = 0.95, design: str = "paired t-test") -> int:
    """Return the smallest number of topics for which a difference's confidence interval has a mean width <= `width`.

    `width` is in the standard deviations of `design`. The expected width is 2 t(level, df) E(s) sqrt(1/n), with
    sqrt(2/n) for two samples, and E(s) = sqrt(2/df) G((df + 1)/2) / G(df/2), G the gamma function (Sakai 2016). Raises
    InputError for ANOVA, which has no single difference.

    >>> topics_for_interval(0.5)
    64
    """
    if design == "one-way ANOVA":
        raise InputError(f"expected {' or '.join(DESIGNS[:2])}, found {design!r}")
    _check(width, 0.5, design, 2)
    check_level(level, "a level")
    return _fewest(lambda n: _expected_width(n, level, design == "paired t-test") <= width)


def difference_sd(scores: pd.DataFrame) -> float:
    """Return the standard deviation of the differences between two systems over topics, pooled over all pairs.

    This is the square root of the mean variance of all pairs' differences; without missing scores it is sqrt(2 V), and
    V is the residual variance of a two-way analysis of topics and systems, Sakai's estimate from a pilot (2016). Each
    pair of systems is compared on the topics that both have; pairs with an infinite score or fewer than two topics are
    left out; nan if no pair is left.

    >>> difference_sd(pd.DataFrame({"a": [0.1, 0.5, 0.3], "b": [0.2, 0.3, 0.1]})).__round__(4)  # of -.1, .2, .2
    0.1732
    """
    frame = tested_frame(scores)
    values = frame.to_numpy(dtype=np.float64)[:, np.isfinite(frame.fillna(0.0)).all(axis=0)]
    variances = []
    for at in range(values.shape[1] - 1):
        rest = values[:, at + 1 :] - values[:, [at]]
        enough = (~np.isnan(rest)).sum(axis=0) > 1
        if enough.any():
            variances += np.nanvar(rest[:, enough], axis=0, ddof=1).tolist()
    return math.sqrt(math.fsum(variances) / len(variances)) if variances else math.nan


def difference_sd_interval(scores: pd.DataFrame, level: float = 0.95) -> tuple[float, float]:
    """Return the confidence limits of `difference_sd` in the population of topics.

    Each limit is the more extreme of two limits, computed for its square v: one from the delete-one jackknife of log v
    with Student's t, one from chi^2 with f degrees of freedom. f is 2 v^2 / the jackknife variance of v, but at most
    Box's (n - 1) (sum of l)^2 / sum of l^2 with n topics, where l are the variances along the principal axes. Both
    limits are nan with fewer than three topics, or if leaving out some topic leaves no variation.

    >>> scores = pd.DataFrame({"a": [0.1, 0.5, 0.3, 0.4], "b": [0.2, 0.3, 0.1, 0.3]})
    >>> [round(end, 2) for end in difference_sd_interval(scores)]  # of -0.1, 0.2, 0.2 and 0.1
    [0.01, 1.62]
    """
    check_level(level)
    frame = tested_frame(scores)
    frame = frame[frame.columns[~np.isinf(frame.to_numpy(dtype=np.float64)).any(axis=0)]]
    whole, left = difference_sd(frame) ** 2, _variances_left(frame)
    topics = len(left)
    if topics < 3 or not (left > 0).all() or not whole > 0:
        return math.nan, math.nan
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    errors = [math.sqrt((topics - 1) * float(np.var(values))) for values in (np.log(left), left)]
    by_t = whole * np.exp(stdtrit(topics - 1, tails) * errors[0])
    most = _box_freedom(frame)
    freedom = min(2 * whole**2 / errors[1] ** 2, most) if errors[1] else most
    by_chi2 = whole * freedom / scipy.special.chdtri(freedom, tails)
    low, high = np.sqrt([min(by_t[0], by_chi2[0]), max(by_t[1], by_chi2[1])])
    return float(low), float(high)


def _variances_left(frame: pd.DataFrame) -> FloatArray:
    """Return the (T,) squares of `difference_sd` with each topic in turn left out."""
    values = frame.to_numpy(dtype=np.float64)
    topics, systems = values.shape
    if topics < 3 or systems < 2:
        return np.zeros(0)
    if np.isnan(values).any():
        return _variances_left_of_pairs(values)
    squares = (_residuals(values) ** 2).sum(axis=1)
    return np.asarray(2 * (squares.sum() - topics / (topics - 1) * squares) / ((topics - 2) * (systems - 1)))


def _variances_left_of_pairs(values: FloatArray) -> FloatArray:
    """Return the result (T,) of `_variances_left` for scores with gaps; nan if no pair has two topics left."""
    total, count = np.zeros(len(values)), np.zeros(len(values))
    for at in range(values.shape[1] - 1):
        lead = values[:, at + 1 :] - values[:, [at]]
        known = ~np.isnan(lead)
        n = known.sum(axis=0)
        lead = np.where(known, lead, 0.0)
        squares = np.where(known, lead - lead.sum(axis=0) / np.maximum(n, 1), 0.0) ** 2
        whole, left = squares.sum(axis=0), n - known
        rest = whole - known * (n / np.maximum(n - 1, 1)) * squares
        rest[rest <= SOLVED * whole] = 0.0
        total += (rest / np.maximum(left - 1, 1)).sum(axis=1, where=left > 1)
        count += np.count_nonzero(left > 1, axis=1)
    return divided(total, count, np.nan)


def _residuals(values: FloatArray) -> FloatArray:
    """Return the (T, S) residuals of scores, without the effects of topics and of systems."""
    around = values - values.mean(axis=1, keepdims=True)
    return np.asarray(around - around.mean(axis=0))


def _box_freedom(frame: pd.DataFrame) -> float:
    """Return the degrees of freedom of the pooled variance, from topics that all systems have.

    They are n - 1 if all topics have gaps, or if nothing varies on the topics without gaps.
    """
    known = frame.dropna().to_numpy(dtype=np.float64)
    if not len(known):
        return len(frame) - 1.0
    residuals = _residuals(known)
    products = residuals @ residuals.T if len(residuals) < residuals.shape[1] else residuals.T @ residuals
    squares = float((products**2).sum())
    return (len(residuals) - 1) * float(np.trace(products)) ** 2 / squares if squares > 0 else len(frame) - 1.0


def topic_set_sizes(
    deviations: Mapping[str, float],
    n_topics: int,
    difference: float,
    alpha: float = 0.05,
    wanted: float = 0.8,
    design: str = PAIRED,
    n_systems: int = 2,
) -> pd.DataFrame:
    """Tabulate the topics that measures need to detect a difference in their own units: a row for each measure.

    `deviations` maps each measure to its `difference_sd`; a design with different topics for each system uses the
    standard deviation of the scores, which is `difference_sd` divided by √2. Columns: sd; topics_needed; power, with
    n_topics; smallest_difference, which n_topics detect with the wanted power; and, except for ANOVA,
    topics_for_interval, for an interval at level 1 - alpha no wider than the difference. nan if there is no answer, as
    for scores that do not vary. Raises InputError as `power` does, for a difference that is not above 0, and for a
    power not between 0 and 1.

    >>> sizes = topic_set_sizes({"AP": 0.2, "P@10": 0.0}, 34, 0.1)
    >>> sizes[["topics_needed", "topics_for_interval"]].to_numpy().tolist()
    [[34.0, 64.0], [nan, nan]]
    """
    _check(1.0, alpha, design, n_systems)
    check_level(wanted, "a power")
    if n_topics < 2 or not 0 < difference < math.inf:
        raise InputError(f"expected at least 2 topics and a difference above 0, found {n_topics} and {difference}")
    columns = ["sd", "topics_needed", "power", "smallest_difference", "topics_for_interval"]
    rows = {}
    for text, deviation in deviations.items():
        sd = deviation / (1.0 if design == PAIRED else math.sqrt(2))
        rows[text] = sd, *_answers(n_topics, difference, sd, (alpha, wanted), (design, n_systems))
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")
    return table.drop(columns=columns[-1]) if design == ONE_WAY else table


def _answers(
    n_topics: int, difference: float, sd: float, levels: tuple[float, float], how: tuple[str, int]
) -> tuple[float, ...]:
    """Return a row of `topic_set_sizes`, without its sd; `how` is the design and the number of systems."""
    if not (sd > 0 and math.isfinite(sd)):
        return (math.nan,) * 4
    (alpha, wanted), effect = levels, difference / sd
    return (
        needed_or_nan(effect, alpha, wanted, *how),
        _or_nan(lambda: power(n_topics, effect, alpha, *how)),
        _or_nan(lambda: sd * smallest_effect(n_topics, alpha, wanted, *how)),
        _or_nan(lambda: topics_for_interval(effect, 1 - alpha, how[0])),
    )


def _or_nan(number: Callable[[], float]) -> float:
    try:
        with np.errstate(all="ignore"):
            return float(number())
    except ValueError:
        return math.nan


def _expected_width(n_topics: int, level: float, paired: bool) -> float:
    freedom = n_topics - 1 if paired else 2 * (n_topics - 1)
    deviation = math.sqrt(2 / freedom) * math.exp(gammaln((freedom + 1) / 2) - gammaln(freedom / 2))
    return float(2 * stdtrit(freedom, (1 + level) / 2) * deviation * math.sqrt((1 if paired else 2) / n_topics))


def _fewest(enough: Callable[[int], bool]) -> int:
    """Return the smallest n of 2 or more that is enough; every larger n must be enough too."""
    low, high = 1, 2
    while not enough(high):
        low, high = high, 2 * high
        if low > MOST_TOPICS:
            raise InputError(f"expected an effect that {MOST_TOPICS:,} topics can detect, found a smaller one")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check(effect: float, alpha: float, design: str, n_systems: int) -> None:
    if design not in DESIGNS:
        raise InputError(f"expected a design ({', '.join(DESIGNS)}), found {design!r}")
    if not 0 < effect < math.inf:
        raise InputError(f"expected a number of standard deviations above 0, found {effect}")
    check_level(alpha, "alpha")
    if n_systems < 2:
        raise InputError(f"expected at least 2 systems, found {n_systems}")
