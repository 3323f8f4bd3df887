"""A run that is stopped, by the *Stop* in Streamlit's header, leaves a page in pieces: it says so, and how to go on."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

KEY = "unfinished"
TEXT = "Stopped before this page was complete. Go on"
_PLACE = "where an unfinished page says so"


def begin(place: DeltaGenerator) -> None:
    """A run begins: the button that says so is there until its end, unseen while the script runs (library.py).

    Whoever is stopped can send nothing more.
    """
    st.session_state[_PLACE] = place
    place.button(TEXT, key=KEY, icon=":material/resume:", width="stretch")


def end() -> None:
    """The page is complete, or says itself what it waits for."""
    if place := st.session_state.pop(_PLACE, None):
        place.empty()
