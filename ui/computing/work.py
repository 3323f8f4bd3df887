"""Long work on a page: a progress bar with a Stop button, and results kept for the next run.

Work reports its progress between small steps. If a control moves meanwhile, Streamlit ends the run at the next report.
This is safe: finished results are kept, and the remaining work starts again with the new settings. A run also ends when
its tab is closed. Long work waits for its turn. If it would take more than LIMITS.ask seconds, it first asks for
consent, so that opening a link never starts it; it ends after LIMITS.seconds.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import InputError
from evalcore.common.progress import Progress, Tell, part_of, telling
from evalcore.data import Collection
from evalcore.direction import good_of
from ui.screen.calls import Call
from ui.screen.text import counted, markdown
from ui.server.browser_store import once
from ui.server.limits import LIMITS
from ui.server.turns import SHARE, end_if_left, turns
from ui.widgets.callback import callback

Result = TypeVar("Result")
Job = Callable[[Tell], Result]
"""Function that does the work; its argument is a function that reports the completed share."""

MOST_KEPT = 224
PATIENCE = 0.3  # seconds before a bar is drawn, ...
BETWEEN = 0.1  # ...and between two updates
LONG = 2.0  # seconds after which work takes turns with other long work
STEP = 0.01  # seconds between checks whether others wait
TIMED = 1.0  # seconds of work needed for an estimate, after the first step, which prepares the others...
FIRST = 3.0  # ...and last second at which consent may be asked for
CHANGED = "To change this limit, set EVALCORE_LIMITS on the server."
_ABOVE = "place of work above the page"


class _HeldError(Exception):
    """Signal that work is on hold, with the reason in Markdown."""


class ResultCache:
    """The latest results, for all sessions of this server; the oldest are dropped.

    At most `most` results with a total size of at most `room` are kept; the latest one is always kept.
    """

    def __init__(self, most: int = MOST_KEPT, size: Callable[[Any], int] = lambda _: 0, room: float = math.inf) -> None:
        self._most, self._size, self._room = most, size, room
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()  # results and sizes
        self._held = 0  # the sum of the sizes
        self._lock = threading.Lock()

    def find(self, names: Mapping[Hashable, Any]) -> dict[Hashable, Any]:
        """Return the cached results by name, without the names that are not cached, and mark them as recently used."""
        with self._lock:
            there = [name for name in names if name in self._results]
            for name in there:
                self._results.move_to_end(name)
            return {name: self._results[name][0] for name in there}

    def add(self, name: Hashable, result: Any) -> None:
        size = self._size(result)
        with self._lock:
            self._held += size - self._results.pop(name, (None, 0))[1]
            self._results[name] = result, size
            while len(self._results) > self._most or (self._held > self._room and len(self._results) > 1):
                self._held -= self._results.popitem(last=False)[1][1]


def results(
    key: str,
    label: str,
    jobs: Mapping[Hashable, Job[Result]],
    asked: Mapping[str, float] | None = None,
    above: bool = False,
    cache: ResultCache | None = None,
    sizes: Mapping[Any, float] | None = None,
) -> dict[Hashable, Result]:
    """Map the names of jobs to results, cached or computed now; some names are missing if the work is on hold.

    A name contains everything that a result depends on, because all sessions share it. `key` names the work. Its bar,
    its question for consent and the reason for a hold appear at this place of the page, or `above` the page. `asked`
    gives the amounts that LIMITS bounds. `cache` is a separate cache for large results. `sizes` are the relative
    durations of the jobs; by default all are equal.
    """
    kept, place = cache or _kept(), None if above else st.empty()
    known = kept.find(cast(Mapping[Hashable, Any], jobs))
    missing = [name for name in jobs if name not in known]
    if not missing:
        return {name: known[name] for name in jobs}
    if place is None:
        key = f"{key} {hashlib.blake2b(repr(list(jobs)).encode(), digest_size=8).hexdigest()}"
        where, taken = st.session_state.get(_ABOVE, (st, set()))
        if key in taken:
            return known
        place = where.empty()
    if st.session_state.get(f"{key} stopped") == list(jobs):
        _say_held(key, f"Stopped with {len(known)} of {len(jobs)} parts done.", list(jobs), place)
        return known
    try:
        if asked:
            LIMITS.check(**asked)
    except InputError as error:
        place.error(f"{markdown(error)}. {CHANGED}", icon=":material/error:")
        return known
    size_of = sizes or dict.fromkeys(missing, 1)
    total, done = sum(size_of[name] for name in missing) or 1, 0.0
    try:
        with _Work(key, label, place, list(jobs)) as work:
            for name in missing:
                with telling(work.check):
                    known[name] = jobs[name](part_of(work.tell, done, total, size_of[name]))
                kept.add(name, known[name])
                done += size_of[name]
    except _HeldError as why:
        st.session_state[f"{key} stopped"], st.session_state[f"{key} why"] = list(jobs), str(why)
        _say_held(key, str(why), list(jobs), place)
        return known
    place.empty()
    return {name: known[name] for name in jobs}


def result(
    key: str,
    label: str,
    name: Hashable,
    job: Job[Result],
    cache: ResultCache | None = None,
    asked: Mapping[str, float] | None = None,
) -> Result | None:
    """Return the result of one job, as `results` computes it; None if the work is on hold.

    If the job raised InputError, so does this function; the error is cached like a result, and the job does not run
    again.
    """
    jobs = {name: lambda tell: found_or_why(lambda: job(tell))}
    found = results(key, label, jobs, asked, cache=cache).get(name)
    if isinstance(found, InputError):
        raise found
    return found


def worked(
    made: Call[Result],
    collection: Collection,
    label: str,
    tells: str = "",
    cache: ResultCache | None = None,
    asked: Mapping[str, float] | None = None,
) -> Call[Result] | None:
    """Return a long call with its computed value; None if the work is on hold. Raises errors as `result` does.

    `tells` names the argument through which the function reports its progress; by default, checkpoints inside the
    function report it.
    """
    value = result(made.name, label, (collection.fingerprint, made.key), computing(made, tells), cache, asked)
    return None if value is None else made.known(value)


def computing(made: Call[Result], tells: str = "") -> Job[Result]:
    """Return the job that computes a call.

    `tells` names the argument through which the function reports its progress; if "", its checkpoints report it.
    """

    def job(tell: Tell) -> Result:
        if tells:
            return made.here(**{tells: tell})()
        with telling(tell):
            return made()

    return job


def found_or_why(find: Callable[[], Result]) -> Result | InputError:
    """Return the result of `find`; if it raises InputError, return that error without its traceback, to be cached."""
    try:
        return find()
    except InputError as error:
        return error.with_traceback(None)


def kept(name: Hashable) -> Any:
    """Return the cached result with this name; None if there is none in the cache."""
    return _kept().find({name: None}).get(name)


def _say_held(key: str, why: str, names: list[Hashable], place: Any) -> None:
    """Show why the work is on hold, with a button to continue."""
    st.session_state.get(_ABOVE, (st, set()))[1].add(key)
    with place.container(horizontal=True, vertical_alignment="center"):
        st.info(st.session_state.get(f"{key} why", why), icon=":material/pause_circle:")
        st.button("Continue", key=f"{key} go on", on_click=_go_on, args=(key, names))


@callback
def _go_on(key: str, names: list[Hashable]) -> None:
    for what in ("stopped", "why"):
        st.session_state.pop(f"{key} {what}", None)
    st.session_state[f"{key} agreed"] = names


def unheld() -> bool:
    """Return True if no work of this run is on hold."""
    return not st.session_state.get(_ABOVE, (st, set()))[1]


def above(place: Any) -> None:
    """Set the container, above the page, for the work of a run; each piece of work appears there only once."""
    st.session_state[_ABOVE] = (place, set[str]())


def digest(scores: pd.DataFrame) -> str:
    """Return a digest of everything in a frame that results depend on: scores, good end, topics and systems."""
    named = "\n".join([good_of(scores), *map(str, scores.index), "", *map(str, scores.columns)])
    values = np.ascontiguousarray(scores.to_numpy(dtype=np.float64))
    return hashlib.blake2b(values.tobytes() + named.encode(), digest_size=16).hexdigest()


def opening(label: str, read: Callable[[Progress], Result]) -> Result:
    """Return the result of `read`, which runs as long work.

    The work waits for its turn, pauses while pages are drawn, and ends when the browser tab is closed. It cannot be put
    on hold, because nothing would be open meanwhile. Raises InputError if the work takes too long.
    """
    place = st.empty()
    try:
        with _Work("opening", label, place, asks=False) as work, telling(work.check):
            return read(work.tell_text)
    except _HeldError as why:
        raise InputError(str(why)) from None
    finally:
        place.empty()


class _Work:
    """Work in progress. Quick work has no overhead; long work is monitored."""

    def __init__(self, key: str, label: str, place: Any, names: Sequence[Hashable] = (), asks: bool = True) -> None:
        self._key, self._label, self._place, self._names = key, label, place, names
        self._asks = asks  # ask for consent before long work, and offer a Stop button
        self._agreed = not asks or st.session_state.get(f"{key} agreed") == names
        self._begun = time.monotonic()
        self._idle = self._given = 0.0  # seconds spent waiting for a turn, and seconds given to others
        self._next, self._drawn = self._begun + STEP, self._begun + PATIENCE
        self._share = self._told = 0.0  # completed share of the work, and the working time when it was reported
        self._marks: list[tuple[float, float]] = []  # working time and share, at the first step and at intervals
        self._bar: Any = None
        self._long, self._turn = False, ExitStack()

    def __enter__(self) -> _Work:
        return self

    def __exit__(self, *error: object) -> None:
        self._turn.close()

    def tell(self, share: float) -> None:
        """Report a finished step; drawing the bar also lets Streamlit end a run that a newer one replaces."""
        if 0 < share < self._share:  # another part has begun, so the earlier marks are useless for estimates
            self._marks.clear()
        worked = self._worked
        if share != self._share:
            self._share, self._told = share, worked
        if share and (not self._marks or BETWEEN <= worked - self._marks[-1][0] < FIRST):
            self._marks.append((worked, share))
        self.check()

    def tell_text(self, share: float, text: str) -> None:
        """Report a finished step, with the label of the next one."""
        self._label = markdown(text)
        self.tell(share)

    def check(self, share: float = 0.0) -> None:
        """Draw the bar, and end, hold or pause the work if necessary.

        `share` is ignored, because it refers to only a part of the work.
        """
        now = time.monotonic()
        if now < self._next:
            return
        if not self._long:
            self._given += turns().pauses()
        if now >= self._drawn:
            end_if_left()
            self._refuse_long(self._worked)
            if not self._long and self._worked >= LONG:
                self._long = True
                self._turn.enter_context(turns().taken())
            self._draw(f"{self._label} ({self._share:.0%})")
            self._drawn = time.monotonic() + BETWEEN
        if self._long:
            self._wait()
            self._given += turns().give_way(SHARE * self._worked - self._given)
        self._next = time.monotonic() + STEP

    @property
    def _worked(self) -> float:
        return time.monotonic() - self._begun - self._idle - self._given

    def _refuse_long(self, worked: float) -> None:
        """Put work on hold if it exceeds its time.

        Also put it on hold if its first steps show that it is long, and the user has not agreed.
        """
        if worked > LIMITS.seconds:
            raise _HeldError(f"{markdown(LIMITS.overdue(self._share))}. {CHANGED}")
        overdue = worked > LIMITS.ask
        if self._agreed or not (overdue or worked <= self._first_mark(worked)[0] + FIRST):
            return
        estimate = self._estimate(worked)
        if overdue or estimate > LIMITS.ask:
            long = f"about {in_words(estimate)}" if estimate else f"more than {in_words(worked)}"
            raise _HeldError(f"{self._label} takes {long}. Continue?")

    def _first_mark(self, worked: float) -> tuple[float, float]:
        return self._marks[0] if self._marks else (worked, self._share)

    def _estimate(self, worked: float) -> float:
        """Estimate the seconds of the whole work from the steps after the first; 0 if there are too few.

        If the work gets faster, the estimate uses its latest half, to avoid an unnecessary question.
        """
        first = self._first_mark(worked)
        if worked - first[0] < TIMED or self._share <= first[1]:
            return 0.0
        told = self._told  # since then an unknown part of the next step was done
        halfway = (first[0] + told) / 2
        late = [mark for mark in self._marks if mark[0] >= halfway and mark[1] < self._share]
        pace = min((told - begun) / (self._share - share) for begun, share in (first, *late[:1]))
        return max(worked, told + pace * (1 - self._share))

    def _wait(self) -> None:
        """Wait until it is the turn of this long work; meanwhile show how many computations are ahead."""
        begun = time.monotonic()
        while ahead := turns().ahead():
            end_if_left()
            self._draw(f"{self._label}: waiting for {counted(ahead, 'other computation')}")
            time.sleep(BETWEEN)
        self._idle += time.monotonic() - begun

    def _draw(self, text: str) -> None:
        if self._bar is None:
            with self._place.container():
                self._bar = st.progress(0.0, self._label)
                if self._asks:
                    st.button("Stop", key=f"{self._key} stop", icon=":material/stop:", on_click=self._stop)
        self._bar.progress(min(self._share, 1.0), text)

    @callback
    def _stop(self) -> None:
        st.session_state[f"{self._key} stopped"] = self._names
        st.session_state.pop(f"{self._key} why", None)


def in_words(seconds: float) -> str:
    """Return a duration in words, rounded.

    >>> in_words(2.6), in_words(38.2), in_words(500), in_words(120_000)
    ('3 s', '40 s', '8 min', '33 h')
    """
    if seconds < 100:
        return f"{max(round(seconds, -1 if seconds >= 20 else 0), 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"


@once
def _kept() -> ResultCache:
    return ResultCache()
