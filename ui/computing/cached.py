"""What is kept for the next run by what it depends on: the value of a call, what a function makes of a collection."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, ParamSpec, TypeVar, cast

import pandas as pd
import streamlit as st

from evalcore.data import Collection
from ui.computing.work import digest
from ui.screen.calls import Call

P = ParamSpec("P")
T = TypeVar("T")

MOST = 512  # values of calls
_KNOWN_BY: dict[str | type, Callable[[Any], Any]] = {
    Collection: attrgetter("fingerprint"),
    Call: attrgetter("key"),
    pd.DataFrame: digest,
}


def cached(most: int, label: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """What a function gave the last `most` times, for all sessions; collections are known by their fingerprint,
    calls by their text, scores by their numbers.

    Not to be written to. `label` is shown while it is found.
    """
    decorate = st.cache_resource(max_entries=most, show_spinner=label or False, hash_funcs=_KNOWN_BY)
    return cast(Callable[[Callable[P, T]], Callable[P, T]], decorate)


def cached_call(made: Call[T], collection: Collection, label: str = "") -> Call[T]:
    """A call of one collection with its value, kept for the next run. Not to be written to."""
    return made.known(_value(label)(made, collection))


@cache
def _value(label: str) -> Callable[[Call[Any], Collection], Any]:
    @cached(MOST, label)
    def value(made: Call[Any], collection: Collection) -> Any:
        return made()

    return value
