"""Presentation mode: one figure fills the screen, keys lead to the next, controls are a key away."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.components import v2

from evalcore.data import Collection
from ui.frame import report
from ui.widgets.fields import Switch
from ui.widgets.settings import Settings, setting

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_mount = v2.component("present", html="<div></div>", js=_SCRIPT, isolate_styles=False)


@dataclass(frozen=True)
class Stage(Settings):
    """Whether a figure is presented; the address carries it."""

    present: bool = setting(
        Switch("Present", help="One figure fills the screen. ← →: other figures, C: controls, Esc: leave")
    )


def box(collection: Collection) -> None:
    """The switch in the sidebar, and what takes the screen when it is on."""
    stage = Stage.now(collection)
    with st.sidebar:
        stage.draw("present")
    _mount(
        key="stage",
        data={"on": stage.present, "figures": report.figures()},
        on_left_change=lambda: stage.change(present=False),
    )
