"""Links to a browser's own files that this server lacks: the names of the files, and an upload to open them again."""

from __future__ import annotations

import streamlit as st

from ui.address import site
from ui.address.page import Page
from ui.address.settings import MADE_ON, fingerprint
from ui.data import open_collection
from ui.data.browser_files import Files
from ui.shell import texts
from ui.stage import show
from ui.widgets.component import component

LISTED = 20
_mount = component("names-of-files", __file__, "<p></p>")


def remember(files: Files) -> None:
    """Make the browser remember the names of the open files, because the server may forget the files."""
    listed = ", ".join(name for name, _ in files[:LISTED])
    more = f" and {len(files) - LISTED} more" if len(files) > LISTED else ""
    _mount(key="names kept", data={"on": fingerprint(open_collection.whole()), "names": f"{listed}{more}"})


def nothing_to_show(page: Page) -> None:
    """Show a page whose data are missing: its title and what is missing, with no other data in their place."""
    site.title(page.stem, "", open_collection.current())
    st.info(texts.needs_files(page.name), icon=":material/upload_file:")


def box() -> None:
    """State that the link's files are missing, with their names if the browser knows them, and offer to open them."""
    on = st.query_params.get(MADE_ON, "")
    with st.container(border=True):
        st.warning(texts.files_missing(on), icon=":material/upload_file:")
        _mount(key="names gone", data={"on": on, "names": ""})
        files = st.file_uploader("The same files", accept_multiple_files=True, key="same files")
        if st.button("Open them again", disabled=not files, type="primary"):
            with show.errors():
                open_collection.open_files([(file.name, file.getvalue()) for file in files])
                st.rerun()  # the address already names the view
