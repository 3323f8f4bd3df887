"""Turns of page runs, and of the long computations of a server.

One page runs at a time, because Python's lock allows no more anyway. The network that used the least time recently goes
first, and within it the tab that used the least; past use is gradually forgotten. A run waits before it begins, and
pauses when it shows something or reports progress, for at most twice as long as it has worked. Others wait only a
moment for a run that does neither, so a run that is itself waiting cannot block them.

A few long computations run at once. Computations of the network that used the least time for them recently go first;
the others wait or pause. Pages have priority: a computation pauses until they are drawn, but for at most twice as long
as it has worked.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from streamlit import runtime
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from ui.server.browser_store import once
from ui.server.limits import LIMITS

PAUSE = 0.002  # seconds between checks if a page still waits
SHARE = 2.0  # longest pause for others, as a multiple of the working time
SWITCH = 0.0002  # seconds after which a computing thread is switched; Python's default is 0.005
MOMENT = 0.3  # most seconds that others wait for a run that shows nothing
LOOK = 0.03  # seconds between checks of the first waiting run; others check less often
HALF = 10.0  # half-life of recorded use in seconds
STEP = 0.25  # seconds of use counted at a time, so that two similar runs do not alternate
NEW = 10.0  # seconds of use assumed for a new tab, so that tabs known to need little go first


def _now() -> float:
    """Return the present time, by the clock that the module has when this is called: a test replaces it."""
    return time.monotonic()


@dataclass
class Used:
    """Processor time that a tab's or a network's runs used recently, in seconds."""

    seconds: float = 0.0
    at: float = field(default_factory=_now)

    def left(self, now: float) -> float:
        """Return the seconds that still count; half of them are forgotten after each `HALF` seconds."""
        return self.seconds * math.exp2((self.at - now) / HALF)

    def add(self, seconds: float, now: float) -> None:
        self.seconds, self.at = self.left(now) + seconds, now


@dataclass
class Network(Used):
    """Processor time of a network's page runs; `computing` is that of its long computations."""

    computing: Used = field(default_factory=Used)


@dataclass(eq=False)
class Computation:
    """A long computation, in the thread of its page run."""

    network: Used  # use of all long computations of the network
    came: float = field(default_factory=_now)
    counted: float = field(default_factory=time.thread_time)  # processor time of the thread that is recorded as use

    def place(self, now: float) -> tuple[float, float]:
        """Return the sort key of this computation; the one with the smallest key goes first."""
        return self.network.left(now), self.came

    def count(self, least: float = 0.0) -> None:
        """Add the newly used processor time to the total of the network, if it is at least `least` seconds."""
        used = time.thread_time()
        if (more := used - self.counted) >= least:
            self.counted = used
            self.network.add(more, time.monotonic())


@dataclass(eq=False)
class Run:
    """A run of a page, in its own thread."""

    network: Network
    tab: Used
    ended: Callable[[], bool]  # returns True if it must end: its tab is gone, or a newer run replaces it
    came: float = field(default_factory=_now)
    thread: int = field(default_factory=threading.get_ident)
    called: threading.Event = field(default_factory=threading.Event)
    waits: bool = True
    shown: float = 0.0  # when it last showed something
    began: float = 0.0
    paused: float = 0.0  # seconds since it began
    counted: float = 0.0  # processor time of the thread that is recorded as use

    def place(self, now: float) -> tuple[float, float, float]:
        """Return the sort key of this run; the run with the smallest key goes first."""
        return self.network.left(now), self.tab.left(now), self.came

    def worked(self, now: float) -> float:
        return now - self.began - self.paused

    def count(self, least: float = 0.0) -> None:
        """Add the newly used processor time to the totals of tab and network, if it is at least `least` seconds."""
        now, used = time.monotonic(), time.thread_time()
        if (more := used - self.counted) >= least:
            self.counted = used
            self.network.add(more, now)
            self.tab.add(more, now)


class Turns:
    """The page runs and the long computations of a server, which take turns."""

    def __init__(self, at_once: float) -> None:
        self._at_once = at_once
        self._lock = threading.Lock()
        self._computing: dict[int, Computation] = {}  # by thread
        self._runs: list[Run] = []
        self._networks: WeakValueDictionary[str, Network] = WeakValueDictionary()

    def network(self, name: str) -> Network:
        """Return the `Network` with this name; the object is kept as long as something refers to it."""
        with self._lock:
            return self._networks.setdefault(name, Network())

    @contextmanager
    def drawing(self, network: Network, tab: Used, ended: Callable[[], bool]) -> Iterator[Run]:
        """Wait for the turn of this thread's page run, and yield the run.

        The turn ends with the context, also after an error.
        """
        run = Run(network, tab, ended)
        with self._lock:
            self._runs.append(run)
        try:
            self._wait(run, math.inf)
            run.began, run.counted = run.shown, time.thread_time()
            yield run
        finally:
            with self._lock:
                self._runs.remove(run)
                if run.began:
                    run.count()
            self._call()

    def pauses(self) -> float:
        """Pause this thread's page run while others go first; return the seconds paused, 0 without a run."""
        run = self._mine()
        before = run.paused if run else 0.0
        if run:
            self.shows(run)
        return run.paused - before if run else 0.0

    def _mine(self) -> Run | None:
        with self._lock:
            return next((run for run in self._runs if run.thread == threading.get_ident()), None)

    def shows(self, run: Run) -> None:
        """Record that this thread's run shows or does something, and pause the run while others go first."""
        now = time.monotonic()
        if now < run.shown + PAUSE or run.thread in self._computing:
            return
        with self._lock:
            run.shown = now
            run.count(STEP)
        run.paused += self._wait(run, SHARE * run.worked(now) - run.paused)

    def _wait(self, run: Run, most: float) -> float:
        """Wait for at most `most` seconds while others go first; return the seconds waited."""
        begun = now = time.monotonic()
        while (others := self._before(run)) and now < begun + most and not run.ended():
            if not run.waits:
                run.waits = True
                self._call()
            run.called.wait(min(LOOK * others, begun + most - now))
            run.called.clear()
            now = time.monotonic()
        run.waits, run.shown = False, now
        return now - begun

    def _before(self, run: Run) -> int:
        """Return how many runs go before this one: waiting runs, and working runs that showed something recently."""
        with self._lock:
            now = time.monotonic()
            place, least = run.place(now), now - MOMENT
            return sum(
                (one.waits or (one.shown > least and one.thread not in self._computing))
                and one.place(now) < place
                and not one.ended()
                for one in self._runs
            )

    def _call(self) -> None:
        """Wake the waiting run that goes first."""
        with self._lock:
            now = time.monotonic()
            if waiting := [run for run in self._runs if run.waits]:
                min(waiting, key=lambda run: run.place(now)).called.set()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold a place in the queue of computations while the context is open, and release it also after an error.

        Meanwhile, this thread's run does not count as a run of a page.
        """
        run, begun = self._mine(), time.monotonic()
        mine = Computation(run.network.computing if run else Used())
        with self._lock:
            self._computing[threading.get_ident()] = mine
        self._call()
        try:
            yield
        finally:
            with self._lock:
                mine.count()
                del self._computing[threading.get_ident()]
                if run:
                    run.began += time.monotonic() - begun
                    run.counted = time.thread_time()

    def ahead(self) -> int:
        """Return how many computations must end or pause before this thread's one may work; 0 if it is its turn."""
        with self._lock:
            mine = self._computing[threading.get_ident()]
            mine.count(STEP)
            now = time.monotonic()
            first = sum(one.place(now) < mine.place(now) for one in self._computing.values())
            return max(first + 1 - int(min(self._at_once, 1e9)), 0)

    def give_way(self, most: float) -> float:
        """Pause for at most `most` seconds while pages are drawn elsewhere; return the seconds paused."""
        begun = time.monotonic()
        while time.monotonic() < begun + most and self._others():
            time.sleep(PAUSE)
        return time.monotonic() - begun

    def _others(self) -> bool:
        """Return True if any page run that is not a long computation is working."""
        with self._lock:
            return any(not run.waits and run.thread not in self._computing for run in self._runs)


@once
def turns() -> Turns:
    """Return the turns of this server, made on the first call."""
    sys.setswitchinterval(SWITCH)
    return Turns(LIMITS.computations)


def end_if_left() -> None:
    """End this run if its tab is gone; Streamlit itself would run it to the end."""
    context = get_script_run_ctx()
    if context is not None and not is_open(context.session_id):
        raise StopException


def is_open(session: str) -> bool:
    """Return True if the browser of a session is connected; always if there is no server."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
