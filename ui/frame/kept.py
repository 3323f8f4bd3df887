"""What a browser brought or made, kept on the server: a reload, a lost connection or a second tab finds it again.

A browser is known by the random number in Streamlit's own cookie against forged requests. Only a digest of that is
held, it is in no address and no text, and without it things stay in their session.
"""

from __future__ import annotations

import dataclasses
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

COOKIE = "_streamlit_xsrf"
_BROWSER = "browser"
SHORTEST = 16  # bytes of a number that nobody guesses
MB = 10**6


@dataclass(frozen=True)
class Bounds:
    """How much is kept, of all browsers and of each, and for how long after its last use."""

    browsers: int = 50
    total: int = 2000 * MB
    each: int = 500 * MB
    hours: float = 24.0


BOUNDS = Bounds()


@dataclass
class Shelf:
    """The things of one browser by name, with the bytes that each takes."""

    used: float
    things: dict[str, tuple[Any, int]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(size for _, size in self.things.values())


class Shelves:
    """Things of many browsers within bounds; those of the browser that has been away longest go first."""

    def __init__(self, bounds: Bounds = BOUNDS, now: Callable[[], float] = time.monotonic) -> None:
        self._bounds, self._now, self._lock = bounds, now, threading.Lock()
        self._by_browser: OrderedDict[str, Shelf] = OrderedDict()

    def put(self, browser: str, name: str, thing: Any) -> bool:
        """Keep a thing in place of the one of that name; False, and neither is kept, where it is too large."""
        size = bytes_of(thing)
        with self._lock:
            shelf = self._used(browser, add=True)
            shelf.things.pop(name, None)
            fits = shelf.size + size <= self._bounds.each
            if fits:
                shelf.things[name] = thing, size
            self._forget()
            return fits

    def get(self, browser: str, name: str) -> Any:
        """The thing of that name, or None; either way the browser was here."""
        with self._lock:
            self._forget()
            thing, _ = self._used(browser).things.get(name, (None, 0))
            return thing

    def drop(self, browser: str, name: str) -> None:
        with self._lock:
            self._used(browser).things.pop(name, None)
            self._forget()

    def _used(self, browser: str, add: bool = False) -> Shelf:
        shelf = self._by_browser.get(browser, Shelf(self._now()))
        if add or browser in self._by_browser:
            shelf.used = self._now()
            self._by_browser[browser] = shelf
            self._by_browser.move_to_end(browser)
        return shelf

    def _forget(self) -> None:
        bounds, oldest = self._bounds, self._now() - self._bounds.hours * 3600
        total = sum(shelf.size for shelf in self._by_browser.values())
        for browser, shelf in list(self._by_browser.items()):
            too_much = len(self._by_browser) > bounds.browsers or total > bounds.total
            if too_much or shelf.used < oldest or not shelf.things:
                total -= shelf.size
                del self._by_browser[browser]


def browser() -> str | None:
    """What the browser is known by; None where it sends no cookie. A session has one browser: it is asked once."""
    if _BROWSER not in st.session_state:
        st.session_state[_BROWSER] = known_by(st.context.cookies.get(COOKIE, ""))
    known: str | None = st.session_state[_BROWSER]
    return known


def known_by(cookie: str) -> str | None:
    """What a browser that sends this cookie is known by; None where it says nothing."""
    number = _unmasked(cookie)
    return None if number is None else hashlib.sha256(number).hexdigest()


def put(name: str, thing: Any) -> None:
    """Keep a thing for this session and, within bounds, for this browser."""
    st.session_state[_key(name)] = thing
    if known := browser():
        _shelves().put(known, name, thing)


def get(name: str) -> Any:
    """The thing of that name that this session has, else the browser's; None if there is none.

    Nothing changes in a tab when another tab of the same browser puts something else there.
    """
    thing = latest(name)
    return None if thing is None else st.session_state.setdefault(_key(name), thing)


def latest(name: str) -> Any:
    """The thing of that name that any tab of this browser put last, else the session's; None if there is none."""
    known = browser()
    thing = _shelves().get(known, name) if known else None
    return st.session_state.get(_key(name)) if thing is None else thing


def drop(name: str) -> None:
    """Forget a thing."""
    st.session_state.pop(_key(name), None)
    if known := browser():
        _shelves().drop(known, name)


def lasts(name: str) -> bool:
    """Whether a reload would find the thing that this session has."""
    known, thing = browser(), st.session_state.get(_key(name))
    return known is not None and thing is not None and _shelves().get(known, name) is thing


def promise() -> str:
    """How long things are kept, in words."""
    if browser() is None:
        return "This browser sends no cookie by which to know it: they are gone after a reload."
    return (
        f"The server keeps up to {BOUNDS.each // MB:,} MB for this browser alone, for {BOUNDS.hours:g} hours after "
        f"their last use and until it is restarted; of all browsers the latest {BOUNDS.browsers}, "
        f"{BOUNDS.total // MB:,} MB together."
    )


def bytes_of(thing: Any) -> int:
    """About how much memory a thing takes: its arrays, frames and texts, and what says itself how much it will."""
    if isinstance(thing, np.ndarray):
        return int(thing.nbytes)
    if isinstance(thing, pd.DataFrame | pd.Series):
        return int(np.sum(thing.memory_usage(deep=True)))
    if isinstance(thing, go.Figure):
        return bytes_of(thing.to_dict())
    if dataclasses.is_dataclass(thing):
        return sum(bytes_of(getattr(thing, one.name)) for one in dataclasses.fields(thing))
    if isinstance(thing, Mapping):
        return sum(bytes_of(key) + bytes_of(value) for key, value in thing.items())
    if isinstance(thing, tuple | list):
        return sum(map(bytes_of, thing))
    return len(thing) if isinstance(thing, str | bytes) else int(getattr(thing, "nbytes", 8))


def _unmasked(cookie: str) -> bytes | None:
    """The number in a cookie `2|mask|masked number|time`, which is masked anew at every visit."""
    try:
        version, mask, masked, _ = cookie.strip("\"'").split("|")
        key, number = bytes.fromhex(mask), bytes.fromhex(masked)
    except ValueError:
        return None
    if version != "2" or len(key) != 4 or len(number) < SHORTEST:
        return None
    return bytes(byte ^ key[at % 4] for at, byte in enumerate(number))


def _key(name: str) -> str:
    return f"kept {name}"


@st.cache_resource(show_spinner=False)
def _shelves() -> Shelves:
    return Shelves()
