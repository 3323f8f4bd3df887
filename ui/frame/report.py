"""The report of this browser: views kept as they were, then one HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore.data import Collection
from evalcore.figures.report import View, write_report
from evalcore.latex import caption
from ui.frame import kept
from ui.widgets import settings
from ui.widgets.callback import callback
from ui.widgets.text import counted, plain

MOST = 20
_SCREEN, _VIEWS, _TITLE = "on the screen", "views of the report", "title on the screen"
_SAID, _FIGURES = "said on the screen", "figures on the screen"


def begin(title: str) -> None:
    """A run of a page begins: nothing is on the screen yet."""
    st.session_state[_SCREEN], st.session_state[_SAID], st.session_state[_FIGURES] = [], [], []
    st.session_state[_TITLE] = title


def showing(said: str, item: go.Figure | pd.DataFrame, key: str = "") -> None:
    """A figure or table is on the screen now; a figure has a key."""
    st.session_state[_SCREEN].append((said, item))
    if key:
        st.session_state[_FIGURES].append(key)


def saying(*sentences: str) -> None:
    """The page says this now."""
    st.session_state[_SAID].extend(sentences)


def title() -> str:
    """The title of the page on the screen."""
    return str(st.session_state.get(_TITLE, ""))


def about(drawn: Mapping[str, float] | None = None) -> str:
    """Of what is on the screen, in words: the collection, the measures, what is set; what was drawn at random how."""
    here = settings.on_screen()
    pages = [one for one in here if one.PAGE and one.collection is not None]
    data = (pages or here)[-1].collection if here else None
    of = f"{data.title}, {counted(len(data.systems), 'system')}, {counted(len(data.topics), 'topic')}" if data else ""
    measures = dict.fromkeys(text for one in pages for text in one.measured())
    told = {plain(label): words for one in here for label, words in one.words_beside()}
    return caption("", of, list(measures), told.items(), drawn)


def figures() -> list[str]:
    """The keys of the figures on the screen, in the order in which the page made them."""
    return list(st.session_state.get(_FIGURES, []))


def box(collection: Collection) -> None:
    """Keep this view, download the report; drawn in the sidebar after the page."""
    views = _views()
    with st.sidebar.expander("Report", icon=":material/summarize:", key="report box"):
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
            on_click="ignore",
            icon=":material/download:",
            width="stretch",
            help="One HTML file; figures stay interactive, nothing is fetched",
        )
        for at, view in enumerate(views):
            _listed(at, view)


def _listed(at: int, view: View) -> None:
    """A view that was kept: take it out, or say something to it."""
    st.button(view.title, key=f"drop {at}", icon=":material/close:", on_click=_drop, args=(at,), help="Take out")
    key = f"note {at} of {len(_views())}"
    st.session_state.setdefault(key, view.note)
    st.text_area("Note", key=key, placeholder="a note of your own", height=68, on_change=_note, args=(at, key))


def _view() -> View:
    shown, said = (tuple(st.session_state.get(key, ())) for key in (_SCREEN, _SAID))
    return View(title(), _settings(), st.context.url or "", shown, said, about=about())


def _settings() -> dict[str, str]:
    """In words: all that the page is set to, and of what pages share that which is not at its default."""
    found: dict[str, str] = {}
    for one in settings.on_screen():
        told = one.words(all=bool(one.PAGE))
        found |= {plain(label): words for label, words in told}
    return found


def _views() -> list[View]:
    """What was kept, in whatever tab of this browser."""
    return cast(list[View], kept.latest(_VIEWS) or [])


@callback
def _keep() -> None:
    kept.put(_VIEWS, [*_views(), _view()])


@callback
def _note(at: int, key: str) -> None:
    views = _views()
    noted = replace(views[at], note=st.session_state[key])
    kept.put(_VIEWS, [*views[:at], noted, *views[at + 1 :]])


@callback
def _drop(at: int) -> None:
    views = _views()
    kept.put(_VIEWS, [*views[:at], *views[at + 1 :]])
