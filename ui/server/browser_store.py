"""Keep a browser's uploads and results on the server: a reload, a lost connection or a second tab finds them again.

A browser is known by the random number in Streamlit's own cookie against forged requests. Only a digest of that number
is kept, and no address or text contains it. Without the cookie, data stay in their session.

What a server holds for all its visitors until it ends is made by `once`, and not in a cache of Streamlit: a message
from any one visitor can empty those for everybody, and they are for things that can be made again.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from ipaddress import ip_network
from types import FunctionType, MethodType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, ref

import streamlit as st

from evalcore.structures.documents import Collection

Held = TypeVar("Held")
_HELD: dict[Callable[[], Any], Any] = {}
_LOCK = threading.RLock()  # to make one value may need another one
COOKIE = "_streamlit_xsrf"
_BROWSER = "browser"
SHORTEST = 16  # bytes of a number that nobody guesses
MB = 10**6


def once(make: Callable[[], Held]) -> Callable[[], Held]:
    """Return a function whose first call makes the value that all calls return.

    >>> @once
    ... def things() -> list[int]:
    ...     return []
    >>> things().append(1)
    >>> things()
    [1]
    """

    @wraps(make)
    def held() -> Held:
        with _LOCK:
            if make not in _HELD:
                _HELD[make] = make()
            value: Held = _HELD[make]
            return value

    return held


def forget() -> None:
    """Forget everything, as after a restart of the server."""
    with _LOCK:
        _HELD.clear()


@dataclass(frozen=True)
class Bounds:
    """Bounds of the data kept for all browsers and for each, and the time to keep them after their last use.

    Browsers that sent little have room of their own: however many there are, and however large their things are once
    unpacked, they displace nobody who sent more. If there is too much, the network that needs most room loses first.
    """

    total: int = 2000 * MB
    each: int = 500 * MB
    little: int = 1 * MB  # bytes sent by one browser, and...
    littles: int = 200 * MB  # ...total bytes for all browsers that sent no more
    hours: float = 24.0


BOUNDS = Bounds()
LEAST = 1000  # fewest bytes counted for a thing
OBJECT = 56  # bytes that Python adds to the content of a text or another object
# Objects that hold the files a collection was read from, as the collection itself does not.
_FILES: WeakKeyDictionary[Collection, Sequence[object]] = WeakKeyDictionary()


class _Counter(pickle.Pickler):
    """A pickler that counts bytes and writes nothing: an object that is shared counts once, code not at all."""

    def __init__(self) -> None:
        super().__init__(self, 5, buffer_callback=self._count_buffer)
        self.size = 0

    def write(self, data: Any) -> int:
        self.size += len(data)
        return len(data)

    def _count_buffer(self, buffer: pickle.PickleBuffer) -> None:
        self.size += buffer.raw().nbytes

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, FunctionType | MethodType | ref):
            return str, ()
        if (reserved := getattr(thing, "reserved_bytes", None)) is not None:  # it grows up to this size
            self.size += reserved
            return str, ()
        if isinstance(thing, Collection):
            return tuple, ([*thing.__reduce_ex__(5)[1:], _FILES.get(thing)],)
        return NotImplemented


def bytes_of(thing: object) -> int:
    """Return the size of a thing in memory, in bytes, within about a quarter.

    >>> bytes_of("x" * 1000) - bytes_of("x" * 400)
    600
    """
    counter = _Counter()
    counter.dump(thing)
    return counter.size + OBJECT * len(counter.memo.copy())


def with_files(collection: Collection, files: Sequence[object]) -> Collection:
    """Return the same collection, which from now on counts together with its files."""
    _FILES[collection] = files
    return collection


@dataclass
class Shelf:
    """The things of one browser by name, each with its bytes in memory and the bytes that were sent for it."""

    network: str = ""
    used: float = 0.0
    things: dict[str, tuple[Any, int, int]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(size for _, size, _ in self.things.values())

    @property
    def sent(self) -> int:
        return sum(sent for *_, sent in self.things.values())


@dataclass
class Room:
    """Shelves that share a bound; beyond it, the browser away longest in the network with most bytes loses its own."""

    most: int
    shelves: OrderedDict[str, Shelf] = field(default_factory=OrderedDict)  # the longest away first
    size: int = 0

    def add(self, browser: str, shelf: Shelf) -> None:
        self.shelves[browser] = shelf
        self.size += shelf.size

    def take(self, browser: str) -> Shelf | None:
        shelf = self.shelves.pop(browser, None)
        self.size -= shelf.size if shelf else 0
        return shelf

    def forget(self, since: float) -> None:
        """Drop the shelves that were last used before `since`, then as many as the bound requires."""
        while self.shelves and self.shelves[oldest := next(iter(self.shelves))].used < since:
            self.take(oldest)
        while self.size > self.most:
            sizes = Counter[str]()
            for shelf in self.shelves.values():
                sizes[shelf.network] += shelf.size
            [(largest, _)] = sizes.most_common(1)
            self.take(next(browser for browser, shelf in self.shelves.items() if shelf.network == largest))


class Shelves:
    """Things of many browsers within bounds."""

    def __init__(self, bounds: Bounds = BOUNDS, now: Callable[[], float] = time.monotonic) -> None:
        self._bounds, self._now, self._lock = bounds, now, threading.Lock()
        self._rooms = Room(bounds.littles), Room(bounds.total - bounds.littles)

    def put(self, browser: str, name: str, thing: Any, sent: int | None = None, network: str = "") -> bool:
        """Keep a thing in place of one with the same name; if it is too large, keep neither and return False.

        `sent` are the bytes of the files that it was made of; without them, its bytes in memory count.
        """
        size = max(bytes_of(thing), LEAST)
        with self._lock, self._used(browser) as shelf:
            shelf.network = network
            shelf.things.pop(name, None)
            fits = shelf.size + size <= self._bounds.each
            if fits:
                shelf.things[name] = thing, size, size if sent is None else sent
            return fits

    def get(self, browser: str, name: str) -> Any:
        """Return the thing of that name, or None; either way, it counts as a use by the browser."""
        with self._lock, self._used(browser) as shelf:
            thing, *_ = shelf.things.get(name, (None,))
            return thing

    def drop(self, browser: str, name: str) -> None:
        with self._lock, self._used(browser) as shelf:
            shelf.things.pop(name, None)

    @contextmanager
    def _used(self, browser: str) -> Iterator[Shelf]:
        """Take the shelf of a browser out of its room, and put it back afterwards if anything is on it."""
        self._forget()
        shelf = next(filter(None, [room.take(browser) for room in self._rooms]), Shelf())
        yield shelf
        shelf.used = self._now()
        if shelf.things:
            self._rooms[shelf.sent > self._bounds.little].add(browser, shelf)
        self._forget()

    def _forget(self) -> None:
        for room in self._rooms:
            room.forget(self._now() - self._bounds.hours * 3600)


def browser() -> str | None:
    """Return the digest by which the browser is known; None without a cookie. It is the same throughout a session."""
    if _BROWSER not in st.session_state:
        st.session_state[_BROWSER] = known_by(st.context.cookies.get(COOKIE, ""))
    known: str | None = st.session_state[_BROWSER]
    return known


def known_by(cookie: str) -> str | None:
    """Return the digest by which a browser that sends this cookie is known; None if the cookie has no number."""
    number = _unmasked(cookie)
    return None if number is None else hashlib.sha256(number).hexdigest()


def put(name: str, thing: Any, files: Sequence[tuple[str, bytes]] | None = None) -> None:
    """Keep a thing for this session and, within bounds, for this browser; `files` are those that it was made of."""
    st.session_state[_key(name)] = thing
    if known := browser():
        sent = None if files is None else sum(len(content) for _, content in files)
        _shelves().put(known, name, thing, sent, network_of(st.context.ip_address))


def network_of(address: str | None) -> str:
    """Return the network that the addresses of one household or attacker share; "" for this machine.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1"), network_of(None)
    ('192.0.2.7', '2001:db8::/64', '')
    >>> network_of("unknown:80"), network_of("fe80::1%eth0")
    ('unknown:80', 'fe80::/64')
    """
    try:
        return str(ip_network(f"{address}/64", strict=False)) if ":" in (address or "") else address or ""
    except ValueError:  # a proxy may send something other than an address
        return address or ""


def get(name: str) -> Any:
    """Return the thing of that name in this session, else that of the browser; None if there is none.

    Nothing changes in a tab when another tab of the same browser puts something else there.
    """
    thing = latest(name)
    return None if thing is None else st.session_state.setdefault(_key(name), thing)


def latest(name: str) -> Any:
    """Return the thing of that name that any tab of this browser put last, else that of the session; None if none."""
    known = browser()
    thing = _shelves().get(known, name) if known else None
    return st.session_state.get(_key(name)) if thing is None else thing


def drop(name: str) -> None:
    """Forget a thing."""
    st.session_state.pop(_key(name), None)
    if known := browser():
        _shelves().drop(known, name)


def lasts(name: str) -> bool:
    """Return True if a reload would find this session's thing again."""
    known, thing = browser(), st.session_state.get(_key(name))
    return known is not None and thing is not None and _shelves().get(known, name) is thing


def promise() -> str:
    """State how long data are kept."""
    if browser() is None:
        return "This browser sends no cookie, so a reload forgets your files."
    return (
        f"The server keeps up to {BOUNDS.each // MB:,} MB for this browser until {BOUNDS.hours:g} hours after its last "
        f"use, or until the server restarts. If all browsers together exceed {BOUNDS.total // MB:,} MB, the least "
        "recently used files are dropped."
    )


def _unmasked(cookie: str) -> bytes | None:
    """Return the number in a cookie `2|mask|masked number|time`, masked anew at every visit; None if there is none."""
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


@once
def _shelves() -> Shelves:
    return Shelves()
