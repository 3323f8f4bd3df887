"""Cached results of calls and of functions of a collection, identified by everything that they depend on."""

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

MOST = 512  # most values of calls
_KNOWN_BY: dict[str | type, Callable[[Any], Any]] = {
    Collection: attrgetter("fingerprint"),
    Call: attrgetter("key"),
    pd.DataFrame: digest,
}


def cached(most: int, label: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator that keeps a function's results for its latest `most` arguments, for all sessions.

    Collections are identified by fingerprint, calls by text, scores by their numbers. Results must not be changed in
    place. `label` is shown while a result is computed.
    """
    decorate = st.cache_resource(max_entries=most, show_spinner=label or False, hash_funcs=_KNOWN_BY)
    return cast(Callable[[Callable[P, T]], Callable[P, T]], decorate)


def cached_call(made: Call[T], collection: Collection, label: str = "") -> Call[T]:
    """Return the call with its value, which is cached for later runs and must not be changed in place."""
    return made.known(_value(label)(made, collection))


@cache
def _value(label: str) -> Callable[[Call[Any], Collection], Any]:
    @cached(MOST, label)
    def value(made: Call[Any], collection: Collection) -> Any:
        return made()

    return value
