"""Callbacks that run to their end."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, get_script_run_ctx

Given = ParamSpec("Given")
_RUN = "run of a callback"
own_of = attrgetter("parallel_coordinator")  # an object that belongs to one run, to its end


def callback(does: Callable[Given, None]) -> Callable[Given, None]:
    """Make a callback that the next click does not cut short.

    Streamlit ends a run for a newer one wherever the session's state is touched, also within a callback, and does not
    call the callback again: of two quick moves the first would be lost. So the callback is started again, and the newer
    run follows it. Such a function must therefore read first, and write last only what it can write twice.
    """

    @wraps(does)
    def to_its_end(*args: Given.args, **kwargs: Given.kwargs) -> None:
        newer: RerunException | None = None
        while True:
            try:
                if (run := get_script_run_ctx()) is not None:
                    st.session_state[_RUN] = own_of(run)
                does(*args, **kwargs)
            except RerunException as cut_short:
                newer = cut_short
            else:
                break
        if newer is not None:
            raise newer

    return to_its_end


def called() -> bool:
    """Return whether a control started this run; otherwise it was a link, Back, or opening the page."""
    run = get_script_run_ctx()
    return run is not None and st.session_state.get(_RUN) is own_of(run)
