"""Presentation mode: one figure fills the screen, keys lead to the next, controls are a key away."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components import v2

from ui.controls import switch

_KEY = "present"
_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_mount = v2.component("present", html="<div></div>", js=_SCRIPT, isolate_styles=False)


def box() -> None:
    """The switch in the sidebar, and what takes the screen when it is on. The link carries it: `present=true`."""
    with st.sidebar:
        on = switch("Present", _KEY, help="One figure fills the screen. ← →: other figures, C: controls, Esc: leave")

    def leave() -> None:
        st.session_state[_KEY] = False

    _mount(key="stage", data={"on": on}, on_left_change=leave)
