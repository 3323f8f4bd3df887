"""Sliders of the screens kept in a report. Their positions are drawn in the background after a screen was kept.

So keeping a screen takes no longer than without sliders: one thread of the server draws the positions of all kept
screens, one after the other, and pages have priority. A download waits for unfinished positions. The sliders of one
screen get `SECONDS` of work.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any
from weakref import ref

from evalcore.figures.document import Section
from evalcore.figures.path import MOST_BYTES, Path, within
from ui.server.browser_store import once
from ui.server.turns import SHARE, turns

SECONDS = 10.0  # seconds of work for all sliders of a screen
FIRST = 3.0  # most seconds to wait for the next page after a screen was kept


class Paths(list[Path]):
    """The paths of a kept screen, drawn position by position by any thread.

    Together they are cut to the number of bytes that a section may have.
    """

    def __init__(self, paths: Iterable[Path] = ()) -> None:
        super().__init__(paths)
        for path in self:
            path.seconds = SECONDS / len(self)
        self.of = sum(len(path.left) for path in self)
        self._lock, self._waited = threading.Lock(), 0.0

    @property
    def done(self) -> int:
        """The number of positions that are drawn or given up."""
        return self.of - sum(len(path.left) for path in list(self))

    @property
    def reserved_bytes(self) -> int:
        """The most bytes that these paths can have when they are drawn."""
        return MOST_BYTES if self.of else 0

    def step(self) -> bool:
        """Draw one more position; return True if there are more to draw."""
        with self._lock:
            if (path := next((path for path in self if path.left), None)) is None:
                return False
            try:
                path.step()
            except Exception:  # an error in one slider must not break the others or the report
                path.give_up("its positions could not be drawn")
            if more := self.done < self.of:
                return more
            self[:] = within(self, MOST_BYTES)
            return False

    def give_way(self) -> None:
        """Pause while pages are drawn; all pauses together are at most `SHARE` of the time spent drawing."""
        self._waited += turns().give_way(SHARE * sum(path.spent for path in list(self)) - self._waited)

    def finish(self) -> None:
        """Draw all remaining positions of these paths."""
        while self.step():
            self.give_way()


def begin(paths: Sequence[Path]) -> None:
    """Begin to draw the paths of a kept screen in the background."""
    if isinstance(paths, Paths):
        _queue().put(ref(paths))


def finish(sections: Iterable[Section]) -> None:
    """Draw all remaining positions of the paths of these sections."""
    for section in sections:
        if isinstance(section.paths, Paths):
            section.paths.finish()


def progress(sections: Iterable[Section]) -> tuple[int, int]:
    """Return the number of positions that are drawn or given up, and of all positions, in these sections' paths."""
    paths = [section.paths for section in sections if isinstance(section.paths, Paths)]
    return sum(each.done for each in paths), sum(each.of for each in paths)


@once
def _queue() -> SimpleQueue[Any]:
    """Return the server's queue of paths to draw.

    One thread works on the queue. When the server ends, it does not wait for this thread.
    """
    waiting: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_draw_all, args=(waiting,), name="report", daemon=True).start()
    return waiting


def _draw_all(waiting: SimpleQueue[Any]) -> None:
    while True:
        with suppress(Exception):  # an error in one screen must not stop the others
            _go_on(waiting.get())


def _go_on(paths_of: ref[Paths]) -> None:
    """Draw the positions of a kept screen as long as it is still in a report."""
    turns().give_way(FIRST)
    while (paths := paths_of()) is not None and paths.step():
        paths.give_way()
        del paths  # freed as soon as nobody keeps the screen
