"""The guided path opens again at the step where one was; the browser remembers it, see reopened.js."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st
from streamlit.components import v2

from evalcore.figures.scripts import joined
from ui.widgets.callback import callback

_HERE = Path(__file__)
_KEY = "reopened"
_mount = v2.component(
    "reopened",
    html='<p class="reopened" hidden>Reopened at the step where you were. '
    '<button type="button">Back to the start</button></p>',
    css=_HERE.with_suffix(".css").read_text(encoding="utf-8"),
    js=joined(_HERE.with_suffix(".js")),
    isolate_styles=False,
)


def reopened(step: str, title: str, steps: Sequence[str], plain: bool, go: Callable[[str], None]) -> None:
    """Remember the step, under its title; where the address is `plain`, it names none, go to the one remembered."""

    @callback
    def asked() -> None:
        if (found := str(st.session_state[_KEY]["step"])) in steps:
            go(found)

    info = {"step": step, "title": title, "steps": list(steps), "plain": plain}
    _mount(key=_KEY, data=info, on_step_change=asked)
