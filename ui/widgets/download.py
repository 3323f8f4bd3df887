"""A button for a file that is made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_KINDS = {"csv": "text/csv", "html": "text/html", "json": "application/json", "tex": "text/x-tex", "txt": "text/plain"}


def download(label: str, make: Callable[[], bytes | str], file: str, help: str, **look: Any) -> None:
    """Offer a file, made outside of the run that shows the button; `look` is what else Streamlit's button takes."""
    st.download_button(
        label,
        make,
        file_name=file,
        mime=_KINDS[file.rpartition(".")[2]],
        on_click="ignore",
        icon=":material/download:",
        help=help,
        **look,
    )
