"""Where Streamlit's own markup keeps out who uses keys or a screen reader, mended in the browser; see mended.js."""

from __future__ import annotations

from pathlib import Path

from streamlit.components import v2

from evalcore.figures.scripts import joined

_SCRIPT = joined(Path(__file__).with_suffix(".js"))
_mount = v2.component("mended", html="<i hidden></i>", js=_SCRIPT, isolate_styles=False)


def box() -> None:
    """Mend this page, and what will come to it."""
    _mount(key="mended")
