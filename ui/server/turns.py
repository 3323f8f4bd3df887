"""Long computations of a server take turns: a few at once, the others wait in the order in which they came.

While one works, runs of pages that answer within a moment go first: it pauses until they are done, though not for more
than twice as long as it has worked.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from streamlit import runtime
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from ui.server.browser_store import once
from ui.server.limits import LIMITS

RUN = "ScriptRunner.scriptThread"  # what Streamlit calls the thread of a run
PAUSE = 0.002  # seconds between two checks if somebody still waits
SHARE = 2.0  # the longest pause for others, as a multiple of the time worked
SWITCH = 0.001  # seconds after which a computing thread lets another one run; Python's default is 0.005


class Turns:
    """The long computations of a server, in the order in which they came."""

    def __init__(self, at_once: float) -> None:
        self._at_once = at_once
        self._lock = threading.Lock()
        self._threads: list[int] = []

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Take a place among the computations, and give it back at the end, also after an error."""
        mine = threading.get_ident()
        with self._lock:
            self._threads.append(mine)
        try:
            yield
        finally:
            with self._lock:
                self._threads.remove(mine)

    def ahead(self) -> int:
        """Count the computations that must end before this thread's may work; 0 when it is its turn."""
        with self._lock:
            return max(self._threads.index(threading.get_ident()) + 1 - int(min(self._at_once, 1e9)), 0)

    def give_way(self, most: float) -> float:
        """Pause while pages are drawn elsewhere, at most for some seconds; return how long it was."""
        begun = time.monotonic()
        while time.monotonic() < begun + most and self._others():
            time.sleep(PAUSE)
        return time.monotonic() - begun

    def _others(self) -> bool:
        """Return True while a run is under way that is no long computation."""
        return any(thread.name == RUN and thread.ident not in self._threads for thread in threading.enumerate())


@once
def turns() -> Turns:
    """Return the turns of this server."""
    sys.setswitchinterval(SWITCH)
    return Turns(LIMITS.computations)


def end_if_left() -> None:
    """End this run if its tab is gone; Streamlit itself would go on to the last line."""
    context = get_script_run_ctx()
    if context is not None and not is_open(context.session_id):
        raise StopException


def is_open(session: str) -> bool:
    """Return True while the browser of a session is there; always if there is no server."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
