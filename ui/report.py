"""The report of this browser: views kept as they were, then one HTML file."""

from __future__ import annotations

from typing import cast

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore.data import Collection
from evalcore.report import View, write_report
from ui import kept

MOST = 20
_SCREEN, _VIEWS, _TITLE = "on the screen", "views of the report", "title on the screen"
_SAID, _FIGURES = "said on the screen", "figures on the screen"


def begin(title: str) -> None:
    """A run of a page begins: nothing is on the screen yet."""
    st.session_state[_SCREEN], st.session_state[_SAID], st.session_state[_FIGURES] = [], [], []
    st.session_state[_TITLE] = title


def showing(caption: str, item: go.Figure | pd.DataFrame, key: str = "") -> None:
    """A figure or table is on the screen now; a figure has a key."""
    st.session_state.setdefault(_FIGURES, []).extend([key] if key else [])
    st.session_state.setdefault(_SCREEN, []).append((caption, item))


def saying(*sentences: str) -> None:
    """The page says this now."""
    st.session_state.setdefault(_SAID, []).extend(sentences)


def figures() -> list[str]:
    """The keys of the figures on the screen, in the order in which the page made them."""
    return list(st.session_state.get(_FIGURES, []))


def box(collection: Collection) -> None:
    """Keep this view, download the report; drawn in the sidebar after the page."""
    views = _views()
    with st.sidebar.expander("Report", icon=":material/summarize:"):
        st.button(
            "Add this view",
            on_click=_keep,
            disabled=not st.session_state.get(_SCREEN) or len(views) >= MOST,
            width="stretch",
            help="Keeps the figures and tables on the screen, with their settings and link",
        )
        # The content is made when asked for, outside of this run, where there is no session state.
        written = views or [_view()]
        st.download_button(
            f"Download {len(views)} view{'s'[: len(views) > 1]}" if views else "Download this view",
            lambda: write_report(written, collection, "How we measured").encode(),
            file_name="report.html",
            mime="text/html",
            icon=":material/download:",
            width="stretch",
            help="One HTML file; figures stay interactive, nothing is fetched",
        )
        for at, view in enumerate(views):
            st.button(
                view.title, key=f"drop {at}", icon=":material/close:", on_click=_drop, args=(at,), help="Take out"
            )


def _view() -> View:
    settings = {key: ", ".join(st.query_params.get_all(key)) for key in st.query_params}
    shown = tuple(st.session_state.get(_SCREEN, ()))
    return View(st.session_state.get(_TITLE, ""), settings, st.context.url or "", shown)


def _views() -> list[View]:
    """What was kept, in whatever tab of this browser."""
    return cast(list[View], kept.latest(_VIEWS) or [])


def _keep() -> None:
    kept.put(_VIEWS, [*_views(), _view()])


def _drop(at: int) -> None:
    views = _views()
    kept.put(_VIEWS, [*views[:at], *views[at + 1 :]])
