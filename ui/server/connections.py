"""Bounds on connections and file descriptors: slow connections end, and some descriptors are reserved for visitors.

The process may open as many descriptors as the system allows, at most `MOST`. This is the only module that relies on
internals of uvicorn; `tests/app/test_connections.py` lists these internals.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import uvicorn

from ui.server.streamlit_inside import LONGEST_MESSAGE

HEAD = 20.0  # most seconds for the head of a request
UNREAD = 60.0  # most seconds in which a client reads nothing of an answer
LOOK = 1.0  # seconds between checks of all connections
MOST = 2**16  # most descriptors, even if the system allows more
AT_ONCE = 100  # most connections accepted before other work gets a turn
_PLACES = ("/proc/self/fd", "/dev/fd")
_startup = uvicorn.Server.startup


def raise_limit() -> int:
    """Let the process open as many descriptors as the system allows, at most `MOST`, and return that number."""
    try:
        import resource
    except ImportError:  # Windows does not bound descriptors in this way
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft == resource.RLIM_INFINITY:
        return MOST
    if soft < most:
        with suppress(ValueError, OSError):  # macOS allows fewer than it reports
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return soft


def opened() -> int:
    """Return the number of open descriptors of this process; 0 if unknown."""
    for place in _PLACES:
        with suppress(OSError):
            return len(os.listdir(place))
    return 0


@dataclass
class Room:
    """The descriptors that this process may open, and those in use."""

    most: int = field(default_factory=raise_limit)
    connections: Callable[[], int] = lambda: 0
    _others: int = 0  # descriptors other than connections, at the last count

    @property
    def kept_free(self) -> int:
        """The number of descriptors reserved for current visitors: the files they upload and the pages they open."""
        return max(self.most // 8, 16)

    def look(self) -> None:
        """Count again the open descriptors that are not connections."""
        self._others = max(opened() - self.connections(), 0)

    def left(self) -> int:
        """Return how many more descriptors may be opened."""
        return self.most - self._others - self.connections()


_ROOM: Room | None = None
_LINES: Lines | None = None
_SERVER: uvicorn.Server | None = None


def full() -> bool:
    """Return True if a new visitor would need descriptors that are reserved for current visitors.

    If descriptors are short, first close connections that serve no request.
    """
    if _ROOM is None or _ROOM.left() >= _ROOM.kept_free:
        return False
    _ROOM.look()  # some may have been closed since the last count
    lacking = _ROOM.kept_free - _ROOM.left()
    return lacking > 0 and (_LINES is None or _LINES.make_room(lacking) < lacking)


def ending() -> bool:
    """Return True if the server has been told to end but is still completing its answers."""
    return _SERVER is not None and _SERVER.should_exit


@dataclass
class Line:
    """Start time of a connection or its latest request, and the number of answer bytes that its client has not read."""

    since: float  # time when the connection was made, or the request began
    unread: int = 0  # unsent bytes of the answer
    unread_since: float = 0.0


class Lines:
    """The connections of a server; those that make it wait too long are ended."""

    def __init__(self, connections: set[Any], now: Callable[[], float] = time.monotonic) -> None:
        self._connections, self._now = connections, now
        self._lines: WeakKeyDictionary[Any, Line] = WeakKeyDictionary()

    def began(self, protocol: Any) -> None:
        """Register a new connection; if descriptors are short, close the oldest other one that serves no request."""
        self._lines[protocol] = Line(self._now())
        if _ROOM is not None and _ROOM.left() < 2 * _ROOM.kept_free:  # before new visitors are turned away
            self.make_room(1, protocol)

    def make_room(self, count: int, newest: Any = None) -> int:
        """Close at most `count` connections that serve no request; return how many were closed.

        The oldest are closed first, but never `newest`.
        """
        waiting = [one for one in self._connections if one in self._lines and one is not newest]
        waiting = [one for one in waiting if not under_way(one) and not one.transport.is_closing()]
        ended = sorted(waiting, key=lambda one: self._lines[one].since)[:count]
        for one in ended:
            one.transport.abort()
        return len(ended)

    def idle(self, protocol: Any) -> None:
        """Restart the clock of an idle connection, because its next request has begun to arrive."""
        self._lines[protocol] = Line(self._now())

    def end_slow(self) -> None:
        """End the connections that are slow (see `is_slow`)."""
        for protocol in list(self._connections):
            if protocol.transport is not None and self.is_slow(protocol):
                protocol.transport.abort()

    def is_slow(self, protocol: Any) -> bool:
        """Return True if the server has waited too long for the client of a connection."""
        line, now = self._lines.setdefault(protocol, Line(self._now())), self._now()
        unread = protocol.transport.get_write_buffer_size()
        if unread == 0 or unread != line.unread:
            line.unread, line.unread_since = unread, now
        if unread:
            return now - line.unread_since > UNREAD
        if not hasattr(protocol, "cycle"):  # a web socket, which has its own pings
            return False
        if under_way(protocol):  # door.py bounds the time for its body
            line.since = now
            return False
        return protocol.timeout_keep_alive_task is None and now - line.since > HEAD  # idle ones are closed anyway


def under_way(protocol: Any) -> bool:
    """Return True from the end of a request's head to the end of its answer; for a web socket, always."""
    cycle = getattr(protocol, "cycle", None)
    return not hasattr(protocol, "cycle") or (cycle is not None and not cycle.response_complete)


def timed(kind: type[Any], lines: Lines) -> type[Any]:
    """Return a subclass of an HTTP protocol class that reports new connections and requests to `lines`."""

    def connection_made(self: Any, transport: Any) -> None:
        kind.connection_made(self, transport)
        lines.began(self)

    def data_received(self: Any, data: bytes) -> None:
        if not under_way(self) and self.timeout_keep_alive_task is not None:
            lines.idle(self)
        kind.data_received(self, data)

    return type("Timed", (kind,), {"connection_made": connection_made, "data_received": data_received})


async def _watched(server: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
    """Start a server whose connections send without delay, are bounded in number, and end if they are slow."""
    global _ROOM, _LINES, _SERVER
    _SERVER = server
    # asyncio sends without delay only if the accepting socket is declared as TCP, which Streamlit's is
    # not: the body of each answer then waits 40 ms until its head is acknowledged. Connections inherit the option.
    for connection in sockets or ():
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    lines = _LINES = Lines(server.server_state.connections)
    _ROOM = Room(connections=lambda: len(server.server_state.connections))
    settings: Any = server.config
    settings.http_protocol_class = timed(settings.http_protocol_class, lines)
    settings.backlog = min(settings.backlog, AT_ONCE, _ROOM.kept_free)
    settings.ws_max_size = min(settings.ws_max_size, LONGEST_MESSAGE)
    await _startup(server, sockets)
    server.__dict__["looking"] = asyncio.create_task(_look(lines, _ROOM), name="connections")


async def _look(lines: Lines, room: Room) -> None:
    while True:
        with suppress(Exception):  # an error of one connection must not stop the check
            room.look()
            lines.end_slow()
        await asyncio.sleep(LOOK)


def install() -> None:
    """Make the servers of this process start with `_watched`."""
    uvicorn.Server.startup = _watched  # type: ignore[assignment]
