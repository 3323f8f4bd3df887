"""Long work in place: a bar that a person may stop, and results that are kept for the next run.

Work tells its progress between small steps. After any control was moved, Streamlit ends a run at its next sign of life,
so moving one while work is under way is safe: what is done by then is kept, the rest begins anew for the new settings.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.direction import good_of

Result = TypeVar("Result")
Tell = Callable[[float], object]
Job = Callable[[Tell], Result]
"""Work that is given a function to tell the share that is done."""

MOST_KEPT = 96
PATIENCE = 0.3  # seconds before a bar is drawn, and...
BETWEEN = 0.1  # ...between two signs of life


class Kept:
    """The latest results, for all sessions of this server; the oldest go."""

    def __init__(self) -> None:
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, names: Mapping[Hashable, Any]) -> dict[Hashable, Any]:
        """Those of the results that are there."""
        with self._lock:
            found = [name for name in names if name in self._results]
            for name in found:
                self._results.move_to_end(name)
            return {name: self._results[name] for name in found}

    def add(self, name: Hashable, result: Any) -> None:
        with self._lock:
            self._results[name] = result
            while len(self._results) > MOST_KEPT:
                self._results.popitem(last=False)


def results(key: str, label: str, jobs: Mapping[Hashable, Job[Result]]) -> dict[Hashable, Result]:
    """The results of jobs by their names, kept or computed now; fewer than asked for where a person stopped the work.

    A name says all that a result depends on, as it is shared by all sessions. `key` names the place on the page.
    """
    kept = _kept()
    found = kept.find(cast(Mapping[Hashable, Any], jobs))
    missing = [name for name in jobs if name not in found]
    stopped, place = f"{key} stopped", st.empty()
    if missing and st.session_state.get(stopped) == list(jobs):
        with place.container(horizontal=True, vertical_alignment="center"):
            st.info(f"Stopped: {len(found)} of {len(jobs)} done.", icon=":material/pause_circle:")
            st.button("Go on", key=f"{key} go on", on_click=st.session_state.pop, args=(stopped, None))
        return found
    bar = _Bar(key, label, place, list(jobs))
    for at, name in enumerate(missing):
        found[name] = jobs[name](lambda share, at=at: bar.tell((at + share) / len(missing)))  # type: ignore[misc]
        kept.add(name, found[name])
    place.empty()
    return {name: found[name] for name in jobs}


def digest(scores: pd.DataFrame) -> str:
    """What a result depends on of a frame: its numbers, which of them are good, topics and systems."""
    named = "\n".join([good_of(scores), *map(str, scores.index), "", *map(str, scores.columns)])
    values = np.ascontiguousarray(scores.to_numpy(dtype=np.float64))
    return hashlib.blake2b(values.tobytes() + named.encode(), digest_size=16).hexdigest()


class _Bar:
    """A bar and a button, drawn when the work turns out to take a while."""

    def __init__(self, key: str, label: str, place: Any, names: list[Hashable]) -> None:
        self._key, self._label, self._place, self._names = key, label, place, names
        self._bar: Any = None
        self._next = time.monotonic() + PATIENCE

    def tell(self, share: float) -> None:
        """A step is done. In Streamlit, whatever draws also ends a run that a newer one is to replace."""
        if time.monotonic() < self._next:
            return
        if self._bar is None:
            with self._place.container():
                self._bar = st.progress(0.0, self._label)
                st.button("Stop", key=f"{self._key} stop", icon=":material/stop:", on_click=self._stop)
        self._bar.progress(min(share, 1.0), f"{self._label} ({share:.0%})")
        self._next = time.monotonic() + BETWEEN

    def _stop(self) -> None:
        st.session_state[f"{self._key} stopped"] = self._names


@st.cache_resource(show_spinner=False)
def _kept() -> Kept:
    return Kept()
