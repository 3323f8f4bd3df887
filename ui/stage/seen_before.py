"""Screens that a session has seen: to come back to a view computes nothing anew.

A screen is kept by all that it depends on: the address, the data, which part of the page it is. It holds the calls that
made it, with their values, and through them the data: it is kept with the session, and goes with the data.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from ui.screen.items import Screen
from ui.server.limits import MB

MOST = 64  # parts of pages, of one session
ROOM = 16 * MB  # of numbers that they hold; the latest screen stays, however large it is


@dataclass
class Kept:
    """The screens of one session on the same data; those that were not seen for longest go."""

    data: str = ""  # the fingerprint of what is open
    _screens: OrderedDict[Hashable, tuple[Screen, int]] = field(default_factory=OrderedDict)
    _size: int = 0

    def get(
        self, known_by: Hashable, data: str, draw: Callable[[], Screen], complete: Callable[[], bool], size: int
    ) -> Screen:
        """The screen that is known by that: kept, or drawn now, and kept where nothing that it takes was held up.

        `size` is about how many bytes it holds.
        """
        if data != self.data:
            self.data, self._size = data, 0
            self._screens.clear()
        if known_by in self._screens:
            self._screens.move_to_end(known_by)
            return self._screens[known_by][0]
        screen = draw()
        if complete():
            self._screens[known_by] = screen, size
            self._size += size
            while len(self._screens) > MOST or (self._size > ROOM and len(self._screens) > 1):
                self._size -= self._screens.popitem(last=False)[1][1]
        return screen
