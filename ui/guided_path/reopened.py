"""The guided path opens again at the step where one was; the browser remembers it, see reopened.js."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui.widgets.callback import callback
from ui.widgets.component import component

_KEY = "reopened"
_mount = component(
    "reopened",
    __file__,
    '<p class="reopened" hidden>Reopened at the step where you were. '
    '<button type="button">Back to the start</button></p>',
)


def reopened(step: str, title: str, steps: Sequence[str], plain: bool, go: Callable[[str], None]) -> None:
    """Remember the step, under its title; where the address is `plain`, it names none, go to the one remembered."""

    @callback
    def asked() -> None:
        if (step := str(st.session_state[_KEY]["step"])) in steps:
            go(step)

    info = {"step": step, "title": title, "steps": list(steps), "plain": plain}
    _mount(key=_KEY, data=info, on_step_change=asked)
