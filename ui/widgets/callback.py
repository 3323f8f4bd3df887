"""Callbacks that always run to their end."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, get_script_run_ctx

Given = ParamSpec("Given")
_RUN = "run of a callback"
own_of = attrgetter("parallel_coordinator")  # an object that belongs to exactly one run


def callback(does: Callable[Given, None]) -> Callable[Given, None]:
    """Make a callback that the next click does not interrupt.

    Streamlit ends a run for a newer one whenever the session's state is accessed, even within a callback, and does not
    call the callback again: of two quick moves, the first would be lost. The wrapped callback is therefore started
    again, and the newer run follows it. So the function must read everything before it writes anything, and may write
    only what can safely be written twice.
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
    """Return True if this run was started by a control, not by a link, the Back button, or opening the page."""
    run = get_script_run_ctx()
    return run is not None and st.session_state.get(_RUN) is own_of(run)
