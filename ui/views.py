"""A view as a small file: which page, which settings, on which data; saved and opened again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

import evalcore as ec
from evalcore import DataError
from evalcore.data import Collection
from ui.settings import MADE_ON, address, reset_page
from ui.show import show_error
from ui.text import markdown

LARGEST = 100_000
LINK_ICON = ":material/link_off:"


def fingerprint(collection: Collection) -> str:
    """Enough of a fingerprint to tell collections apart in a link."""
    return collection.fingerprint[:8]


def say_other_data(collection: Collection) -> None:
    """Warn while the address says that it was made on other data; the next change makes it true again."""
    made_on = "".join(st.query_params.get_all(MADE_ON))
    if made_on and made_on != fingerprint(collection):
        st.warning(
            f"This link was made on other data than {markdown(collection.title)} as it is open here: "
            "figures will differ from what its sender saw.",
            icon=LINK_ICON,
        )


def box(page: str, pages: Mapping[str, Any], collection: Collection) -> None:
    """Save this view, open a saved one; drawn in the sidebar. `pages` are the app's, by their place in a link."""
    settings = {key: texts for key, texts in address().items() if key != MADE_ON}
    with st.sidebar.expander("Views", icon=":material/bookmark:", key="views box"):
        help = "This page as it opens on what is open; the browser's Back undoes it"
        st.button("Reset this page", icon=":material/restart_alt:", on_click=reset_page, width="stretch", help=help)
        st.download_button(
            "Save this view",
            lambda: write(page, settings, collection),
            file_name="view.json",
            mime="application/json",
            icon=":material/download:",
            width="stretch",
            help="A small file with the page and its settings, not the data; the address bar holds the same as a link",
        )
        file = st.file_uploader("Open a saved view", type="json", key="view file")
        if file is not None and st.button("Open this view", width="stretch", type="primary"):
            _open(file.getvalue(), file.name, pages)


def write(page: str, settings: Mapping[str, list[str]], collection: Collection) -> str:
    """The text of a saved view."""
    made_on = {"collection": collection.title, "fingerprint": fingerprint(collection), "evalcore": ec.__version__}
    return json.dumps({"page": page, "settings": dict(settings), **made_on}, indent=2, ensure_ascii=False)


def read(content: bytes, where: str, pages: Mapping[str, Any]) -> tuple[str, dict[str, list[str]]]:
    """Page and settings of a saved view. Raises DataError saying what was expected and found."""
    if len(content) > LARGEST:
        raise DataError(f"expected a saved view of at most {LARGEST:,} bytes, found {len(content):,}", where)
    try:
        view = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DataError(f"expected a saved view (JSON), found a mistake: {error}", where) from None
    page, settings = (view.get("page"), view.get("settings")) if isinstance(view, dict) else (None, None)
    if not isinstance(page, str) or page not in pages:
        raise DataError(f"expected page to be one of {', '.join(filter(None, pages))}, found {str(page)[:40]!r}", where)
    if not isinstance(settings, dict) or not all(map(_is_texts, settings.values())):
        raise DataError("expected settings to be lists of texts by name", where)
    return page, {**settings, MADE_ON: [str(view.get("fingerprint", ""))]}


def _is_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _open(content: bytes, where: str, pages: Mapping[str, Any]) -> None:
    try:
        page, settings = read(content, where, pages)
    except DataError as error:
        show_error(error)
        return
    st.switch_page(pages[page], query_params=settings)
