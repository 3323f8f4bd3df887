"""The normal approximation of section 5.3 beside exact probabilities.

There are n components, and each is seen by a share p of users. Each component has gain 1, so the total gain is
binomial. The paper treats it as normal for "values over 10", that is, if there are more than 10 components and each is
seen by only some users.
"""

from __future__ import annotations

import numpy as np

from evalcore.common.lazy_imports import pd, special

GOOD_ENOUGH = 0.01  # largest error of a probability
WAYS = ("exact", "normal", "corrected")


def chances_below(n: int, p: float) -> pd.DataFrame:
    """Return P(cg < g) for each gain g from 0 to n + 1: exact, normal, and normal with a continuity correction of 1/2.

    >>> chances_below(14, 0.5).loc[8].round(3).tolist()  # 14 fair coins, fewer than 8 heads
    [0.605, 0.704, 0.605]
    """
    gain = np.arange(n + 2)
    exact = np.where(gain > 0, special.bdtr(np.maximum(gain - 1, 0), n, p), 0.0)
    mean, deviation = n * p, np.sqrt(n * p * (1 - p))
    columns = (exact, special.ndtr((gain - mean) / deviation), special.ndtr((gain - 0.5 - mean) / deviation))
    return pd.DataFrame(dict(zip(WAYS, columns, strict=True)), index=pd.Index(gain, name="gain"))


def largest_errors(p: float, most: int = 60) -> pd.DataFrame:
    """Return the largest error of P(cg < g) for each n from 1 to `most`, without and with the correction.

    >>> largest_errors(0.5).loc[14].round(3).tolist()
    [0.105, 0.002]
    """
    tables = (chances_below(n, p) for n in range(1, most + 1))
    rows = [table[list(WAYS[1:])].sub(table["exact"], axis=0).abs().max() for table in tables]
    return pd.DataFrame(rows, index=pd.RangeIndex(1, most + 1, name="components")).astype(float)


def enough(errors: pd.DataFrame, way: str = "corrected") -> int | None:
    """Return the least n from which on all errors are at most GOOD_ENOUGH; None if even the last error is larger."""
    poor = errors.index[errors[way] > GOOD_ENOUGH]
    first = int(poor[-1]) + 1 if len(poor) else 1
    return first if first <= errors.index[-1] else None
