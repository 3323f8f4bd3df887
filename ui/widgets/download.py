"""A download button whose file may be made on request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_KINDS = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "tex": "text/x-tex",
    "toml": "application/toml",
    "txt": "text/plain",
    "zip": "application/zip",
}


def download(
    label: str, content: bytes | str | Callable[[], bytes | str], file: str, help: str | None = None, **look: Any
) -> None:
    """Draw a download button; `look` has further arguments of Streamlit's button.

    If `content` is a function, it is called on a click, outside the run that draws the button.
    """
    st.download_button(
        label,
        content,
        file_name=file,
        mime=_KINDS[file.rpartition(".")[2]],
        on_click="ignore",
        help=help,
        **{"icon": ":material/download:", **look},
    )
