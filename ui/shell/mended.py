"""Where Streamlit's own markup keeps out who uses keys or a screen reader, mended in the browser; see mended.js."""

from __future__ import annotations

from ui.widgets.component import component

_mount = component("mended", __file__, "<i hidden></i>")


def box() -> None:
    """Mend this page, and what will come to it."""
    _mount(key="mended")
