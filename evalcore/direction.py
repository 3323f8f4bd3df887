"""Direction of scores: whether high or low ones are good, and how frames carry it.

A frame or series of scores says it itself, as `attrs["good"]`, "high" or "low": `evaluate` and the reader of score
tables write it, means, selections and sorting keep it, and meta-evaluation reads it where scores come in
(`evalcore.meta.align`) and compares them turned upwards from there on. So a page or a statistic need not think of it.
What says nothing, an array or a frame made by hand, is read as higher is better.

Scores are turned to be compared, never to be shown.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError

Good = Literal["high", "low"]
GOOD = "good"
"""The name under which pandas' `attrs` hold it."""

GAPS = "gaps"
"""The name under which they hold that their gaps are known."""

OWN_WEIGHTS = "topics weigh by system"
"""The name under which they hold that topics weigh unlike for systems that lack different ones."""

BY_GROUP_INSTEAD = (
    "expected scores without gaps, as the weight of a topic depends on which topics a system has; on the leaderboard, "
    "compare systems with ByGroup and a rule for missing scores"
)

Scored = TypeVar("Scored", "pd.Series[Any]", "pd.DataFrame")


def good_of(scores: object) -> Good:
    """Return the good end of these scores; "high" if they do not say it.

    >>> good_of(directed(pd.Series({"a": 3.0, "b": 2.0}), "low")), good_of([3.0, 2.0])
    ('low', 'high')
    """
    good: Any = getattr(scores, "attrs", {}).get(GOOD, "high")
    if good not in ("high", "low"):
        raise InputError(f"expected attrs[{GOOD!r}] of scores to be high or low, found {good!r}")
    return "low" if good == "low" else "high"


def directed(scores: Scored, good: Good) -> Scored:
    """The same scores, saying which end is good.

    >>> directed(pd.Series({"a": 3.0, "b": 2.0}), "low").attrs
    {'good': 'low'}
    """
    result = scores.copy(deep=False)
    result.attrs = {**scores.attrs, GOOD: good}
    return result


def with_gaps(scores: pd.DataFrame) -> pd.DataFrame:
    """The same scores, with nan declared as a known gap: gaps of one frame are then left out of both."""
    result = scores.copy(deep=False)
    result.attrs = {**scores.attrs, GAPS: True}
    return result


def has_gaps(scores: object) -> bool:
    """Return whether the gaps of these scores are declared as known.

    >>> has_gaps(with_gaps(pd.DataFrame({"a": [0.5, np.nan]}))), has_gaps(pd.DataFrame({"a": [0.5, np.nan]}))
    (True, False)
    """
    return bool(getattr(scores, "attrs", {}).get(GAPS, False))


def with_own_weights(scores: pd.DataFrame) -> pd.DataFrame:
    """The same scores, marked: weights of topics depend on each system's topics, so no topic compares systems."""
    result = scores.copy(deep=False)
    result.attrs = {**scores.attrs, OWN_WEIGHTS: True}
    return result


def has_own_weights(*scores: object) -> bool:
    """Return whether weights of topics differ between systems of these scores."""
    return any(map(_says_own_weights, scores))


def _says_own_weights(scores: object) -> bool:
    return bool(getattr(scores, "attrs", {}).get(OWN_WEIGHTS, False))


def refuse_own_weights(*scores: object) -> None:
    """Raises InputError if they have: a test of two systems would treat their gaps as a difference."""
    if has_own_weights(*scores):
        raise InputError(BY_GROUP_INSTEAD)


def upwards(scores: Any) -> Any:
    """Return scores for comparison, higher is better: if low ones are good, their sign is changed.

    Arithmetic keeps what scores say, so `-scores` still says low; such, below 0 throughout, raise an InputError and are
    not turned twice.

    >>> upwards(directed(pd.Series({"a": 3.0, "b": 2.0}), "low")).to_dict()
    {'a': -3.0, 'b': -2.0}
    """
    if good_of(scores) == "high":
        return scores
    values = scores.to_numpy(dtype=np.float64)
    if values.size and not (values > 0).any() and (values < 0).any():
        raise InputError(
            "expected the measure's own scores, as low scores are good, found none above 0: if the signs are "
            'flipped already, use directed(scores, "high")'
        )
    return directed(-scores, "high")
