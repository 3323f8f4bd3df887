"""Controls and their figure side by side."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components import v2
from streamlit.delta_generator import DeltaGenerator

from evalcore.figures.scripts import joined

_SCRIPT = joined(Path(__file__).with_suffix(".js"))
_mount = v2.component("beside", html="<i></i>", js=_SCRIPT, isolate_styles=False)


def two_columns(share: float = 0.3, name: str = "") -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns: controls at the left, and their figure, which stays in view while the controls scroll.

    `share` is that of the controls; a page that has more than one such pair names the others.
    """
    controls, figure = st.columns([share, 1 - share], gap="medium")
    with figure:
        _mount(key=f"beside {name}".strip())
    return controls, figure
