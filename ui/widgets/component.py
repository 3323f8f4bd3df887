"""Components in the browser: elements of the page whose script and style are files beside a module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.components import v2

from evalcore.figures.scripts import joined


def component(name: str, at: str | Path, html: str = "<i></i>", styled_as: str = "") -> Callable[..., Any]:
    """Make a Streamlit component from the .js file, and the .css file if any, beside the module with `__file__` = `at`.

    `styled_as` is the `__file__` of a module whose .css file is included first.
    """
    styles = [Path(file).with_suffix(".css") for file in (styled_as, at) if file]
    css = "".join(style.read_text(encoding="utf-8") for style in styles if style.is_file())
    return v2.component(name, html=html, css=css or None, js=joined(Path(at).with_suffix(".js")), isolate_styles=False)
