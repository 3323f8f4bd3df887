"""Which measures a page compares: chosen from sets that fit the collection, or typed; and their scores."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import DataError
from evalcore.data import Collection
from evalcore.measures import Measure, suggestions
from ui import parts
from ui.controls import LINK_ICON
from ui.text import markdown

MOST = 24
NOTATION = (
    "Choose, or type any measure in the notation of ir_measures and press Enter: AP, nDCG@10, RBP(rho=0.5), "
    'uRBP1(aspect="fog", threshold=15), CAM(nDCG), TOMA(AP, aspects=["relevance", "credibility"]), ...'
)
_FITS = "measures chosen for"


@st.cache_resource(max_entries=16, show_spinner=False)
def _suggested(fingerprint: str, _collection: Collection) -> dict[str, list[Measure]]:
    return suggestions(_collection)


def suggested(collection: Collection) -> dict[str, list[Measure]]:
    """Sets of measures that fit the collection, by name; kept for the next run. Not to be written to."""
    return _suggested(collection.fingerprint, collection)


def choose_measures(collection: Collection, key: str = "measures") -> list[Measure]:
    """Any number of measures, bound to the link; a text that is no measure is left out with a message."""
    sets = suggested(collection)
    default = [str(one) for one in next(iter(sets.values()))]
    _renew(collection, key, default)
    offered = list(dict.fromkeys(str(one) for listed in sets.values() for one in listed))
    added = [text for text in st.session_state.get(key, []) if text not in offered]
    with st.popover("Measures", icon=":material/straighten:", width="stretch"):
        st.caption("Start from a set")
        with st.container(horizontal=True):
            for name, listed in sets.items():
                texts = [str(one) for one in listed][:MOST]
                st.button(name, key=f"{key} {name}", on_click=_take, args=(key, texts))
        picked = st.multiselect(
            "Measures to compare",
            [*offered, *added],
            default=default,
            key=key,
            help=NOTATION,
            accept_new_options=True,
            max_selections=MOST,
            placeholder="type a measure",
            bind="query-params",
        )
        st.caption(markdown(NOTATION))
    return _parsed(picked or default)


def chosen_scores(collection: Collection, key: str = "measures") -> dict[str, pd.DataFrame]:
    """Topics x systems under each chosen measure, by its text; what the collection cannot answer is left out."""
    frames: dict[str, pd.DataFrame] = {}
    for measure in choose_measures(collection, key):
        try:
            frames[str(measure)] = scores(collection, measure)
        except DataError as error:
            _left_out(str(measure), error)
    return frames


def choose_measure(collection: Collection, key: str = "measure", default: str = "", label: str = "Measure") -> Measure:
    """One measure out of those that fit the collection, or typed; bound to the link."""
    sets = suggested(collection)
    offered = list(dict.fromkeys(str(one) for listed in sets.values() for one in listed))
    first = default or offered[0]
    kept = st.session_state.get(key) or st.query_params.get(key)
    options = list(dict.fromkeys([first, *offered, *([kept] if kept else [])]))
    picked = st.selectbox(label, options, key=key, help=NOTATION, accept_new_options=True, bind="query-params")
    chosen = _parsed([picked or first])
    return chosen[0] if chosen else ec.parse(first)


def scores(collection: Collection, measure: Measure | str) -> pd.DataFrame:
    """Topics x systems; kept for the next run. Not to be written to."""
    if whole := parts.in_parts(collection):
        return parts.scores(whole, str(measure))
    return _scores(collection.fingerprint, str(measure), collection)


@st.cache_resource(max_entries=128, show_spinner=False)
def _scores(fingerprint: str, text: str, _collection: Collection) -> pd.DataFrame:
    return ec.evaluate(text, _collection)


def _renew(collection: Collection, key: str, default: Sequence[str]) -> None:
    """Measures that were the first look at another collection give way to the first look at this one."""
    fits = st.session_state.get(_FITS)
    if fits and fits[0] != collection.fingerprint and st.session_state.get(key) == fits[1]:
        del st.session_state[key]
    st.session_state[_FITS] = (collection.fingerprint, list(default))


def _take(key: str, texts: list[str]) -> None:
    st.session_state[key] = texts


def _parsed(texts: Sequence[str]) -> list[Measure]:
    found: dict[str, Measure] = {}
    for text in texts:
        try:
            measure = ec.parse(text)
        except DataError as error:
            _left_out(text, error)
        else:
            found[str(measure)] = measure
    return list(found.values())


def _left_out(text: str, error: DataError) -> None:
    st.warning(f"{markdown(text)} is left out: {markdown(error)}", icon=LINK_ICON)
