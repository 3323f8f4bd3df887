"""Pins: settings kept under a name, to compare what is on the screen with.

A pin is a named list of measures, `gentle = RBP(rho=0.8) | uRBP(rho=0.8)`; all pins are in the link. A page shows its
own measures against those of the pin chosen as baseline, place by place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore import DataError
from evalcore.data import Collection
from evalcore.errors import shorten
from evalcore.measures import Measure
from evalcore.meta import ranks
from ui.controls import LINK_ICON, choose
from ui.measures import scores
from ui.text import markdown

MOST = 12
NONE = "none"
_SEPARATOR = " | "


@dataclass(frozen=True)
class Pin:
    """Measures under a name."""

    name: str
    measures: tuple[Measure, ...]

    def __str__(self) -> str:
        return f"{self.name} = {_SEPARATOR.join(map(str, self.measures))}"


def read(text: str) -> Pin:
    """A pin from its text. Raises DataError for a missing name or a text that is no measure."""
    name, _, measures = text.partition("=")
    if not name.strip() or not measures.strip():
        raise DataError(f"expected a pin such as: gentle = RBP(rho=0.8) | uRBP(rho=0.8), found {shorten(text, 40)}")
    return Pin(name.strip(), tuple(ec.parse(one) for one in measures.split(_SEPARATOR)))


def pinned() -> list[Pin]:
    """All pins, read from the link's state; one that cannot be read is left out with a message."""
    found: dict[str, Pin] = {}
    for text in st.session_state.get("pins") or st.query_params.get_all("pins"):
        try:
            pin = read(text)
        except DataError as error:
            st.warning(f"A pin is left out: {markdown(error)}", icon=LINK_ICON)
        else:
            found[pin.name] = pin
    return list(found.values())


def bar(measures: Sequence[Measure]) -> Pin | None:
    """The pins in the sidebar, with a button that pins these measures; the pin chosen as baseline, or None."""
    with st.sidebar.expander("Pins", icon=":material/keep:", expanded=bool(st.query_params.get("baseline"))):
        name = st.text_input("Name", key="pin name", placeholder=f"pin {_count() + 1}")
        st.button(
            "Pin this setting",
            on_click=_add,
            args=(name, tuple(measures)),
            width="stretch",
            disabled=_count() >= MOST,
            help="Keep these measures; every page then shows the change against them. Pins are in the link.",
        )
        texts = [*st.session_state.get("pins", []), *st.query_params.get_all("pins")]
        st.multiselect(
            "Pinned",
            list(dict.fromkeys(texts)),
            key="pins",
            accept_new_options=True,
            max_selections=MOST,
            placeholder="nothing yet",
            help="Remove a pin with its cross",
            bind="query-params",
        )
        pins = pinned()
        chosen = choose("Compare with", "baseline", [NONE, *(pin.name for pin in pins)])
    return next((pin for pin in pins if pin.name == chosen), None)


def before(pin: Pin | None, collection: Collection, count: int) -> list[pd.Series] | None:
    """Mean scores under the first `count` measures of a pin; None where there is none or it does not fit."""
    if pin is None:
        return None
    if len(pin.measures) < count:
        held = len(pin.measures)
        st.caption(f"The pin {markdown(pin.name)} holds {held} measure(s); {count} are compared here: it is not shown.")
        return None
    try:
        return [scores(collection, measure).mean() for measure in pin.measures[:count]]
    except DataError as error:
        st.warning(f"The pin {markdown(pin.name)} does not fit this collection: {markdown(error)}", icon=LINK_ICON)
        return None


def rank_changes(now: pd.Series, then: pd.Series) -> pd.Series:
    """Places that each system won (+) or lost (-) since the baseline."""
    return (ranks(then)[now.index] - ranks(now)).astype(int)


def metric(place: DeltaGenerator, label: str, now: float, then: float | None, help: str) -> None:
    """A number to three decimals and, against a baseline, how much it changed."""
    change = None if then is None else f"{now - then:+.3f}"
    place.metric(label, f"{now:.3f}", change, delta_color="off", help=help)


def _count() -> int:
    return len(st.session_state.get("pins", []))


def _add(name: str, measures: tuple[Measure, ...]) -> None:
    kept = list(st.session_state.get("pins", []))
    taken = {text.partition("=")[0].strip() for text in kept}
    name = " ".join(name.replace("=", " ").split())[:30] or f"pin {len(kept) + 1}"
    while name in taken:
        name += "'"
    st.session_state["pins"] = [*kept, str(Pin(name, measures))]
    st.session_state["baseline"] = name
    st.session_state["pin name"] = ""
