"""The view on the screen: the page at its defaults again, a paragraph that cites it, and on which data it was made."""

from __future__ import annotations

import streamlit as st

from evalcore.data import Collection
from ui.address.settings import LINK_ICON, MADE_ON, fingerprint, reset_page
from ui.data import open_collection
from ui.screen.text import markdown
from ui.stage import report

CITE_BOX = "cite box"


def box() -> None:
    """Reset the page, cite the view; drawn in the sidebar."""
    with st.sidebar:
        st.button(
            "Reset this page",
            icon=":material/restart_alt:",
            on_click=reset_page,
            key="reset page",
            width="stretch",
            help="Show the page as it opens on these data; the browser's Back undoes it",
        )
        if report.works_on() is not None:
            _cite()


def _cite() -> None:
    with st.expander("Cite this view", icon=":material/format_quote:", key=CITE_BOX, on_change="rerun") as box:
        if box.open:
            st.caption("For a methods section: versions, data, measures, settings and the link of this view.")
            st.code(report.methods(), language=None, wrap_lines=True)


def say_other_data(collection: Collection) -> None:
    """Warn while the address says that it was made on other data; the next change makes it true again."""
    made_on, now = "".join(st.query_params.get_all(MADE_ON)), fingerprint(collection)
    if made_on and made_on != now:
        own = open_collection.uploaded() is not None
        or_described = " or on another description of them" if own else ""
        st.warning(
            f"This link was made on other data than {markdown(collection.title)} as it is open here{or_described} "
            f"(fingerprint {markdown(made_on)}, here {now}): figures will differ from what its sender saw.",
            icon=LINK_ICON,
        )
