"""Screens that a session has seen: to come back to a view computes nothing anew.

A screen is kept by all that it depends on: the address, the data, which part of the page it is. It holds the calls that
made it, with their values, and through them the data: it is kept with the session, and goes with the data.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import pandas as pd

from ui.screen.items import Screen, flat
from ui.server.limits import MB

MOST = 64  # parts of pages, of one session
ROOM = 16 * MB  # of numbers that they hold; the latest screen stays, however large it is


@dataclass
class Kept:
    """The screens of one session on the same data; those that were not seen for longest go."""

    data: str = ""  # the fingerprint of what is open
    _screens: OrderedDict[Hashable, tuple[Screen, int]] = field(default_factory=OrderedDict)
    _size: int = 0

    def get(self, known_by: Hashable, data: str, draw: Callable[[], Screen], complete: Callable[[], bool]) -> Screen:
        """The screen that is known by that: kept, or drawn now, and kept where nothing that it takes was held up."""
        if data != self.data:
            self.data, self._size = data, 0
            self._screens.clear()
        if known_by in self._screens:
            self._screens.move_to_end(known_by)
            return self._screens[known_by][0]
        screen = draw()
        if complete():
            self._keep(known_by, screen)
        return screen

    def _keep(self, known_by: Hashable, screen: Screen) -> None:
        self._screens[known_by] = screen, bytes_of(screen)
        self._size += self._screens[known_by][1]
        while len(self._screens) > MOST or (self._size > ROOM and len(self._screens) > 1):
            self._size -= self._screens.popitem(last=False)[1][1]


def bytes_of(screen: Screen) -> int:
    """The bytes of the numbers that a screen holds: the tables that its calls made, each once."""
    left = [made for item in flat(screen.items) for made in getattr(item, "calls", ())]
    counted = dict[int, int]()
    while left:
        made = left.pop()
        if id(made) not in counted:
            value = vars(made).get("value")
            counted[id(made)] = 8 * value.size if isinstance(value, pd.DataFrame | pd.Series) else 0
            left += made.uses
    return sum(counted.values())
