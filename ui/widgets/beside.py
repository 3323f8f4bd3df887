"""Controls and their figure side by side."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.widgets.component import component

_mount = component("beside", __file__)


def two_columns(share: float = 0.3, name: str = "") -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns: controls at the left, and their figure, which stays in view while the controls scroll.

    `share` is that of the controls; a page that has more than one such pair names the others.
    """
    controls, figure = st.columns([share, 1 - share], gap="medium")
    with figure:
        _mount(key=f"beside {name}".strip())
    return controls, figure
