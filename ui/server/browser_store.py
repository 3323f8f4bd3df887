"""Uploads and results of browsers, kept on the server so that a reload, a new connection or a second tab finds them.

A browser is identified by the random number in Streamlit's cookie against forged requests. Only a digest of that number
is kept, and it appears in no address or text. Without the cookie, data are kept in the session only.

`once` makes the values that a server keeps for all visitors until it ends. Streamlit's caches are not used for them: a
message from any visitor can empty these caches for everybody, and they are meant for values that can be made again.
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
_LOCK = threading.RLock()  # making one value may require another
COOKIE = "_streamlit_xsrf"
_BROWSER = "browser"
SHORTEST = 16  # fewest bytes of a number that cannot be guessed
MB = 10**6


def once(make: Callable[[], Held]) -> Callable[[], Held]:
    """Return a function that makes a value on its first call and returns the same value on every call.

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
    """Forget everything that `once` has made, as after a restart of the server."""
    with _LOCK:
        _HELD.clear()


@dataclass(frozen=True)
class Bounds:
    """Bounds on the data kept for all browsers and for each browser, and the hours until unused data are dropped.

    Browsers that sent little share a separate `Room`. However many they are, and however large their data become when
    unpacked, they never displace the data of a browser that sent more. If a room is too full, the network with the most
    bytes in it loses data first.
    """

    total: int = 2000 * MB
    each: int = 500 * MB
    little: int = 1 * MB  # most bytes sent by a browser that counts as little, and...
    littles: int = 200 * MB  # ...total bytes for all such browsers
    hours: float = 24.0


BOUNDS = Bounds()
LEAST = 1000  # fewest bytes counted for one thing
OBJECT = 56  # bytes that Python adds to the content of a text or another object
# The files from which a collection was read, which the collection does not contain.
_FILES: WeakKeyDictionary[Collection, Sequence[object]] = WeakKeyDictionary()


class _Counter(pickle.Pickler):
    """A pickler that counts bytes and writes nothing. Shared objects are counted once; code is not counted."""

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
        if (reserved := getattr(thing, "reserved_bytes", None)) is not None:  # the size up to which it may grow
            self.size += reserved
            return str, ()
        if isinstance(thing, Collection):
            return tuple, ([*thing.__reduce_ex__(5)[1:], _FILES.get(thing)],)
        return NotImplemented


def bytes_of(thing: object) -> int:
    """Return the size of a thing in memory, in bytes; the estimate is correct to within about 25%.

    >>> bytes_of("x" * 1000) - bytes_of("x" * 400)
    600
    """
    counter = _Counter()
    counter.dump(thing)
    return counter.size + OBJECT * len(counter.memo.copy())


def with_files(collection: Collection, files: Sequence[object]) -> Collection:
    """Make the files of a collection count in its size (`bytes_of`) from now on; return the same collection."""
    _FILES[collection] = files
    return collection


@dataclass
class Shelf:
    """Named data of one browser: each item with its size in memory and the number of bytes sent for it."""

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
    """Shelves that share a bound (in bytes).

    If they exceed it, the network with the most bytes loses its least recently used shelf.
    """

    most: int
    shelves: OrderedDict[str, Shelf] = field(default_factory=OrderedDict)  # least recently used first
    size: int = 0

    def add(self, browser: str, shelf: Shelf) -> None:
        self.shelves[browser] = shelf
        self.size += shelf.size

    def take(self, browser: str) -> Shelf | None:
        shelf = self.shelves.pop(browser, None)
        self.size -= shelf.size if shelf else 0
        return shelf

    def forget(self, since: float) -> None:
        """Drop the shelves last used before `since`, then more shelves until the remaining ones fit the bound."""
        while self.shelves and self.shelves[oldest := next(iter(self.shelves))].used < since:
            self.take(oldest)
        while self.size > self.most:
            sizes = Counter[str]()
            for shelf in self.shelves.values():
                sizes[shelf.network] += shelf.size
            [(largest, _)] = sizes.most_common(1)
            self.take(next(browser for browser, shelf in self.shelves.items() if shelf.network == largest))


class Shelves:
    """Store of the data of all browsers, with limits on its size."""

    def __init__(self, bounds: Bounds = BOUNDS, now: Callable[[], float] = time.monotonic) -> None:
        self._bounds, self._now, self._lock = bounds, now, threading.Lock()
        self._rooms = Room(bounds.littles), Room(bounds.total - bounds.littles)

    def put(self, browser: str, name: str, thing: Any, sent: int | None = None, network: str = "") -> bool:
        """Store a thing under a name, in place of the previous one, and return True.

        If the new thing is too large, drop it and the previous one, and return False. `sent` is the number of bytes in
        the files from which the thing was made; the default is the size of the thing in memory.
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
        """Return the thing with this name, or None; in either case, the browser's data count as used now."""
        with self._lock, self._used(browser) as shelf:
            thing, *_ = shelf.things.get(name, (None,))
            return thing

    def drop(self, browser: str, name: str) -> None:
        with self._lock, self._used(browser) as shelf:
            shelf.things.pop(name, None)

    @contextmanager
    def _used(self, browser: str) -> Iterator[Shelf]:
        """Take the shelf of a browser out of its room and yield it; put it back afterwards unless it is empty."""
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
    """Return the digest that identifies the browser, the same throughout a session; None without a cookie."""
    if _BROWSER not in st.session_state:
        st.session_state[_BROWSER] = known_by(st.context.cookies.get(COOKIE, ""))
    known: str | None = st.session_state[_BROWSER]
    return known


def known_by(cookie: str) -> str | None:
    """Return the digest that identifies a browser with this cookie; None if the cookie contains no number."""
    number = _unmasked(cookie)
    return None if number is None else hashlib.sha256(number).hexdigest()


def put(name: str, thing: Any, files: Sequence[tuple[str, bytes]] | None = None) -> None:
    """Store a thing for this session and, within bounds, for this browser; `files` are its source files, if any."""
    st.session_state[_key(name)] = thing
    if known := browser():
        sent = None if files is None else sum(len(content) for _, content in files)
        _shelves().put(known, name, thing, sent, network_of(st.context.ip_address))


def network_of(address: str | None) -> str:
    """Return the network shared by all addresses of one household or attacker; "" for None, which is this machine.

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
    """Return the session's thing with this name, or else the browser's; None if there is neither.

    If a different tab of the same browser later stores something else under the name, nothing changes in this tab.
    """
    thing = latest(name)
    return None if thing is None else st.session_state.setdefault(_key(name), thing)


def latest(name: str) -> Any:
    """Return the thing that any tab of this browser last stored under this name, else the session's, else None."""
    known = browser()
    thing = _shelves().get(known, name) if known else None
    return st.session_state.get(_key(name)) if thing is None else thing


def drop(name: str) -> None:
    """Forget the thing with this name, in this session and for this browser."""
    st.session_state.pop(_key(name), None)
    if known := browser():
        _shelves().drop(known, name)


def lasts(name: str) -> bool:
    """Return True if the session's thing with this name would survive a reload."""
    known, thing = browser(), st.session_state.get(_key(name))
    return known is not None and thing is not None and _shelves().get(known, name) is thing


def promise() -> str:
    """Return a text that states how long the server keeps a browser's data."""
    if browser() is None:
        return "This browser sends no cookie, so your files are lost when you reload the page."
    return (
        f"The server keeps up to {BOUNDS.each // MB:,} MB for this browser until {BOUNDS.hours:g} hours after its last "
        f"use, or until the server restarts. If all browsers together exceed {BOUNDS.total // MB:,} MB, the least "
        "recently used files are dropped."
    )


def _unmasked(cookie: str) -> bytes | None:
    """Return the number in a cookie `2|mask|masked number|time`; None if the cookie has a different form.

    The mask changes at every visit, the number does not.
    """
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
