"""The good end of scores, "high" or "low", and how frames carry it.

A frame or series of scores has its good end in `attrs["good"]`. `evaluate` and the reader of score tables set it;
means, selections and sorting keep it. Meta-evaluation reads it from its input (`evalcore.meta.align`), and from there
on compares scores whose high end is good, so pages and statistics need not know about it. In scores without it, such as
an array or a frame made by hand, higher is better.

Signs of scores are changed only for comparisons, never for display.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError

Good = Literal["high", "low"]
GOOD = "good"
"""Key of the good end in pandas' `attrs`."""

GAPS = "gaps"
"""Key in `attrs`; its value is true if missing scores (nan) are known gaps."""

OWN_WEIGHTS = "topics weigh by system"
"""Key in `attrs`; its value is true if the weight of a topic depends on which topics a system has scores for."""

BY_GROUP_INSTEAD = (
    "expected scores without gaps, as the weight of a topic depends on which topics a system has; on the leaderboard, "
    "compare systems with ByGroup and a rule for missing scores"
)

Scored = TypeVar("Scored", "pd.Series[Any]", "pd.DataFrame")


def good_of(scores: object) -> Good:
    """Return the good end of these scores; "high" if none is declared. Raises InputError if it is neither high nor low.

    >>> good_of(directed(pd.Series({"a": 3.0, "b": 2.0}), "low")), good_of([3.0, 2.0])
    ('low', 'high')
    """
    good: Any = getattr(scores, "attrs", {}).get(GOOD, "high")
    if good not in ("high", "low"):
        raise InputError(f"expected attrs[{GOOD!r}] of scores to be high or low, found {good!r}")
    return "low" if good == "low" else "high"


def directed(scores: Scored, good: Good) -> Scored:
    """Return the same scores with a good end in their `attrs`.

    >>> directed(pd.Series({"a": 3.0, "b": 2.0}), "low").attrs
    {'good': 'low'}
    """
    result = scores.copy(deep=False)
    result.attrs = {**scores.attrs, GOOD: good}
    return result


def with_gaps(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the same scores with nan declared as known gaps, which a comparison of two frames leaves out of both."""
    result = scores.copy(deep=False)
    result.attrs = {**scores.attrs, GAPS: True}
    return result


def has_gaps(scores: object) -> bool:
    """Return true if the gaps in these scores are declared as known.

    >>> has_gaps(with_gaps(pd.DataFrame({"a": [0.5, np.nan]}))), has_gaps(pd.DataFrame({"a": [0.5, np.nan]}))
    (True, False)
    """
    return bool(getattr(scores, "attrs", {}).get(GAPS, False))


def with_own_weights(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the same scores, marked to say that the weights of topics depend on the system.

    The scores of two systems on one topic then cannot be compared.
    """
    result = scores.copy(deep=False)
    result.attrs = {**scores.attrs, OWN_WEIGHTS: True}
    return result


def has_own_weights(*scores: object) -> bool:
    """Return true if any of these scores are marked by `with_own_weights`."""
    return any(map(_says_own_weights, scores))


def _says_own_weights(scores: object) -> bool:
    return bool(getattr(scores, "attrs", {}).get(OWN_WEIGHTS, False))


def refuse_own_weights(*scores: object) -> None:
    """Raise InputError if `has_own_weights`: a test of two systems would mistake different weights for differences."""
    if has_own_weights(*scores):
        raise InputError(BY_GROUP_INSTEAD)


def upwards(scores: Any) -> Any:
    """Return scores in which higher is better, for comparisons: if low scores are good, their sign is changed.

    Arithmetic keeps `attrs`, so `-scores` still has "low" as its good end. To prevent a second change of sign, scores
    whose good end is "low" raise InputError if some are below 0 and none above.

    >>> upwards(directed(pd.Series({"a": 3.0, "b": 2.0}), "low")).to_dict()
    {'a': -3.0, 'b': -2.0}
    """
    if good_of(scores) == "high":
        return scores
    values = scores.to_numpy(dtype=np.float64)
    if values.size and not (values > 0).any() and (values < 0).any():
        raise InputError(
            "all scores are 0 or below, but low scores are good for this measure, so their signs seem to be flipped "
            'already. Pass the measure\'s own scores, or use directed(scores, "high")'
        )
    return directed(-scores, "high")
