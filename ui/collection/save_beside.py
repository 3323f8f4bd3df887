"""A description put beside the files of a folder that --data names, once a person has said so twice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from evalcore.cli.app import THIS_MACHINE
from evalcore.data.collection_files import BACKUP
from evalcore.data.manifest import FILE_NAME
from evalcore.data.packing import save_manifest
from ui.data import open_collection
from ui.screen.text import markdown
from ui.stage import show
from ui.widgets.callback import callback

PASSED_ON = {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"}  # headers that a proxy adds
_ASKED, _SAVED = "asked to save a description", "saved a description"


def offer() -> None:
    """A button, a question, what came of it; for a correction, or where the folder has no description yet."""
    if text := st.session_state.pop(_SAVED, None):
        st.success(text, icon=":material/save:")
    folder, manifest = open_collection.folder(), open_collection.whole().manifest
    if folder is None or not _may_be_written(folder) or (open_collection.correction() is None and _described(folder)):
        return
    st.button("Save beside the files", icon=":material/save:", on_click=_ask, args=(manifest,))
    if st.session_state.get(_ASKED) == manifest:
        _question(folder, manifest)


def _question(folder: Path, manifest: str) -> None:
    replaced = f" The one that is there is kept as {BACKUP}." if _described(folder) else ""
    st.warning(
        f"Write {FILE_NAME}, as the files were read last, into {markdown(folder)}?{markdown(replaced)} Whoever opens "
        "the folder then reads its files by it.",
        icon=":material/save:",
    )
    yes, no, _ = st.columns([1, 1, 4])
    no.button("Leave it", width="stretch", on_click=_ask, args=(None,))
    if yes.button("Save it", type="primary", width="stretch"):
        with show.errors():
            copy = save_manifest(folder, manifest)
            _ask(None)
            earlier = f"; the earlier one is {copy.name}" if copy else ""
            st.session_state[_SAVED] = f"{FILE_NAME} is in {markdown(folder)}{markdown(earlier)}."
            open_collection.saved(folder)
            st.rerun()


def _may_be_written(folder: Path) -> bool:
    """A folder named at the start, from a browser on the machine that runs the server."""
    named = folder.is_dir() and open_collection.named_at_the_start(folder)
    return named and _on_this_machine()


def _on_this_machine() -> bool:
    return is_on_this_machine(st.context.ip_address, st.context.headers)


def is_on_this_machine(address: str | None, headers: Mapping[str, str]) -> bool:
    """Whether a browser is: what a proxy passes on has no other address either, but other names and more headers."""
    sent = {name.lower(): value for name, value in headers.items()}
    name = urlsplit(f"//{sent.get('host', '')}").hostname
    return address is None and name in THIS_MACHINE and not PASSED_ON & set(sent)


def _described(folder: Path) -> bool:
    return next(folder.rglob(FILE_NAME), None) is not None


@callback
def _ask(manifest: str | None) -> None:
    st.session_state[_ASKED] = manifest
