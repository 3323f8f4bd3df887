"""What the browser does: an element of the page with the script, and the style, that stand beside a module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.components import v2

from evalcore.figures.scripts import joined


def component(name: str, at: str | Path, html: str = "<i></i>") -> Callable[..., Any]:
    """A component of Streamlit, from the .js, and the .css if there is one, of the module at a place (`__file__`)."""
    style = Path(at).with_suffix(".css")
    css = style.read_text(encoding="utf-8") if style.is_file() else None
    return v2.component(name, html=html, css=css, js=joined(Path(at).with_suffix(".js")), isolate_styles=False)
