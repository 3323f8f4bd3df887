"""Topics of a specification: all, random halves, or named sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from evalcore.claims.choices import HALF, OptionValue, Specifications
from evalcore.common.arrays import BoolArray
from evalcore.errors import InputError, place_of

ALL = "all"


def sets_of(
    specifications: Specifications, known: Sequence[str]
) -> tuple[Callable[[tuple[int, ...]], int], BoolArray, tuple[str, ...]]:
    """Return a function from a row of options to the index of its topic set; the sets (K, T); and their names (K).

    Raises InputError for an unknown topic.
    """
    for at, choice in enumerate(specifications.choices):
        if choice.kind == "topics":
            values = {option.name: option.value for option in choice.options}
            if choice.only:  # other measures use all topics
                values[""] = ALL
            sets = np.array([_topic_set(value, known, choice.name) for value in values.values()])
            return partial(_own_set, at=at), sets, tuple(name or ALL for name in values)
    return partial(_own_set, at=None), np.ones((1, len(known)), dtype=bool), (ALL,)


def _own_set(made: tuple[int, ...], at: int | None) -> int:
    return 0 if at is None else made[at]  # the last set if the choice does not apply


def _topic_set(value: OptionValue, known: Sequence[str], name: str) -> BoolArray:
    """Mark the (T,) topics of a set. Raises InputError for an unknown topic, and for a half of a single topic."""
    if value == ALL:
        return np.ones(len(known), dtype=bool)
    if isinstance(value, tuple):
        for topic in value:
            place_of(topic, known, "topics", f"choice {name!r}")
        return np.isin(np.array(known, dtype=object), list(value))
    match = HALF.fullmatch(value)
    if match is None or len(known) < 2:
        raise InputError(f"expected at least two topics to halve, found {len(known)}", f"choice {name!r}")
    half = np.zeros(len(known), dtype=bool)
    half[np.random.default_rng(int(match[2])).permutation(len(known))[: (len(known) + 1) // 2]] = True
    return ~half if match[1] else half
