"""Screens that a session has seen: to come back to a view computes nothing anew.

A screen is kept by all that it depends on: the address, the data, which part of the page it is. It holds the calls that
made it, with their values, and through them the data: it is kept with the session, and goes with the data.
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

MOST = 64  # parts of pages, of one session
ROOM = 16 * MB  # that they take; the latest screen stays, however large it is
SCORE, MARKS = 8, 2000  # bytes of a score, and of what figures draw of a system
_SESSIONS: WeakSet[Kept] = WeakSet()
_LOCK = threading.Lock()


def bytes_of(collection: Collection, measures: int) -> int:
    """About how many bytes a part of a page takes that shows so many measures."""
    return len(collection.systems) * (SCORE * len(collection.topics) * (measures + 1) + MARKS)


@dataclass(eq=False)
class Kept:
    """The screens of one session on the same data; those that were not seen for longest go.

    Of all sessions together they take LIMITS.screens: those go first that were not asked for longest.
    """

    data: str = ""  # the fingerprint of what is open
    size: int = 0
    used: float = 0.0
    _screens: OrderedDict[Hashable, tuple[Screen, int]] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        with _LOCK:
            _SESSIONS.add(self)

    def get(
        self, known_by: Hashable, data: str, draw: Callable[[], Screen], complete: Callable[[], bool], size: int
    ) -> Screen:
        """The screen that is known by that: kept, or drawn now, and kept where nothing that it takes was held up.

        `size` is about how many bytes it takes.
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
        """Let go of the screen that was not seen for longest; its bytes."""
        _, (_, size) = self._screens.popitem(last=False)
        self.size -= size
        return size
