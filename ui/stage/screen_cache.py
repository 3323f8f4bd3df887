"""Screens that a session has seen, so that returning to a view computes nothing again.

The key of a screen contains everything on which it depends: the address, the data, the part of the page. A screen
refers to its calls with their values, and thus to the data, so it is kept with the session and dropped with the data.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from operator import attrgetter
from weakref import WeakSet

from evalcore.data import Collection
from ui.screen.items import Screen
from ui.server.limits import LIMITS, MB

MOST = 64  # most parts of pages kept in one session
ROOM = 16 * MB  # most bytes for them; the latest screen always stays
SCORE, MARKS = 8, 2000  # bytes of a score, and of a system in figures
_SESSIONS: WeakSet[Kept] = WeakSet()
_LOCK = threading.Lock()


def bytes_of(collection: Collection, measures: int) -> int:
    """Return the estimated size, in bytes, of a part of a page that shows this many measures on the collection."""
    return len(collection.systems) * (SCORE * len(collection.topics) * (measures + 1) + MARKS)


@dataclass(eq=False)
class Kept:
    """The screens that one session has seen on the same data; the least recently seen ones are dropped.

    All sessions together may use LIMITS.screens MB; the least recently used sessions lose their screens first.
    """

    data: str = ""  # fingerprint of the open collection
    size: int = 0
    used: float = 0.0
    _screens: OrderedDict[Hashable, tuple[Screen, int]] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        with _LOCK:
            _SESSIONS.add(self)

    def get(
        self, known_by: Hashable, data: str, draw: Callable[[], Screen], complete: Callable[[], bool], size: int
    ) -> Screen:
        """Return the screen with this key, from the cache, or drawn now by `draw`.

        A drawn screen is kept if `complete` returns True; `size` is its approximate size in bytes.
        """
        with _LOCK:
            self.used = time.monotonic()
            if data != self.data:
                self.data, self.size = data, 0
                self._screens.clear()
            if known_by in self._screens:
                self._screens.move_to_end(known_by)
                return self._screens[known_by][0]
        screen = draw()
        if complete():
            with _LOCK:
                self._keep(known_by, screen, size)
        return screen

    def _keep(self, known_by: Hashable, screen: Screen, size: int) -> None:
        self.size += size - self._screens.pop(known_by, (screen, 0))[1]
        self._screens[known_by] = screen, size
        while len(self._screens) > MOST or (self.size > ROOM and len(self._screens) > 1):
            self._forget()
        too_much = sum(map(attrgetter("size"), _SESSIONS)) - LIMITS.screens * MB
        for other in sorted(_SESSIONS - {self}, key=attrgetter("used")) if too_much > 0 else ():
            while too_much > 0 and other._screens:
                too_much -= other._forget()

    def _forget(self) -> int:
        """Drop the least recently seen screen; return its size in bytes."""
        _, (_, size) = self._screens.popitem(last=False)
        self.size -= size
        return size
