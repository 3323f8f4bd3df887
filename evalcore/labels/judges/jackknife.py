"""Intervals of coefficients from few units: each unit is left out in turn (a delete-one jackknife).

The coefficients without each unit give the standard error (Miller 1974, "The jackknife: a review", doi
10.1093/biomet/61.1.1). The interval is symmetric on Fisher's z, so that it stays within the range of the coefficient,
extends further towards the middle of the range, and always contains the estimate:

    z +- t * error / (1 - estimate^2), z = artanh(estimate); for a share p, z = artanh(2 p - 1), half its log odds.

The jackknife error is multiplied by sqrt(U / (U - 2)): if only a few units deviate, most samples lack them and
underestimate the error (without the factor, 95% intervals over 5 to 25 topics cover .91 to .94).

t is Student's, with the least of three numbers of degrees of freedom, but at least 1: U - 1 for U units;
(sum of w)^2 / sum of w^2 minus 1, where w is the weight of each unit, as a few large units dominate (Kish 1965, "Survey
sampling"; Carter, Schnepel, Steigerwald 2017, doi 10.1162/REST_a_00639); 2 U / (k - 1), where k is the kurtosis of the
values without each unit, as a few deviating units give a poor estimate of the error (Satterthwaite 1946, doi
10.2307/3002019).

There is no interval (both ends are nan) with fewer than FEWEST_UNITS units; with fewer than FEWEST_DOCUMENTS documents
in total, or fewer than FEWEST_AGREED on which the sources agree, because the error is then unknown; if the coefficient
is undefined without some unit; and if no unit changes the coefficient, because its variance is then unknown.

Shapes: U units, ... any number of coefficients.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from evalcore.common.arrays import FloatArray, divided
from evalcore.common.rounding import SOLVED

FEWEST_UNITS = 5
FEWEST_DOCUMENTS, FEWEST_AGREED = 20, 5


def jackknife_interval(
    estimate: ArrayLike,
    without: ArrayLike,
    rests: ArrayLike,
    agreed: ArrayLike,
    level: float = 0.95,
    *,
    times: ArrayLike | None = None,
    share: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Return the (...) low and high ends of intervals of coefficients in [-1, 1], or in [0, 1] with `share`.

    `estimate` (...) is the coefficient of all units; in `without` (U, ...) each unit in turn is left out. `rests`
    (U, ...) is the number of documents of each unit that are evidence for the coefficient, `agreed` (...) the number of
    documents on which the sources agree. `times` (U,) is the number of equal units that each unit represents, by
    default 1.

    >>> low, high = jackknife_interval(0.5, [0.45, 0.5, 0.5, 0.5, 0.55], [10] * 5, 25)
    >>> [round(float(end), 2) for end in (low, high)]  # z = 0.549, error 0.082 / 0.75, t with 4 degrees of freedom 2.78
    [0.24, 0.69]
    """
    value, left = np.asarray(estimate, np.float64), np.asarray(without, np.float64)
    weights = np.broadcast_to(np.asarray(rests, np.float64), left.shape)
    often = np.ones(len(left)) if times is None else np.asarray(times, np.float64)
    units, held = float(often.sum()), _sums(often, weights)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        apart = left - _sums(often, left) / max(units, 1.0)
        squares = _sums(often, apart**2)
        error = np.sqrt(max(units - 1, 0.0) / max(units - 2, 1.0) * squares)
        kurtosis = units * divided(_sums(often, apart**4), squares**2, np.nan)
        alike = divided(held**2, _sums(often, weights**2))
        freedom = np.minimum(np.minimum(units - 1, alike - 1), 2 * units / np.maximum(kurtosis - 1, SOLVED))
        middle, scale = (2 * value - 1, 2.0) if share else (value, 1.0)
        reach = stdtrit(np.maximum(freedom, 1), (1 + level) / 2) * scale * error / (1 - middle**2)
        ends = np.tanh(np.arctanh(middle) - reach), np.tanh(np.arctanh(middle) + reach)
    enough = (held >= FEWEST_DOCUMENTS) & (np.asarray(agreed) >= FEWEST_AGREED)
    given = (units >= FEWEST_UNITS) & enough & (error > SOLVED)
    low, high = ((end + 1) / 2 if share else end for end in ends)
    return np.where(given, np.minimum(low, value), np.nan), np.where(given, np.maximum(high, value), np.nan)


def _sums(often: FloatArray, values: FloatArray) -> FloatArray:
    """Return the (...) sums of values (U, ...) over units, each counted `often` times."""
    return np.asarray(np.tensordot(often, values, axes=1))
