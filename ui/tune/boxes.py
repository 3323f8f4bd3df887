"""What is folded below a figure: it is computed while its box is open."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

NUMBERS, WHY = "numbers box", "why box"


def numbers(show: Callable[[], None]) -> None:
    """What the figure shows, as a table."""
    _folded("The numbers as a table", NUMBERS, show)


def why(show: Callable[[], None]) -> None:
    """What stands behind the figure."""
    _folded("Why?", WHY, show)


def _folded(label: str, key: str, show: Callable[[], None]) -> None:
    with st.expander(label, key=key, on_change="rerun") as box:
        if box.open:
            show()
