"""Pins: settings kept under a name, to compare what is on the screen with.

A pin is a named list of measures, `gentle = RBP(rho=0.8) | uRBP(rho=0.8)`; all pins are in the link. A page shows its
own measures against those of the pin chosen as baseline, place by place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.errors import shorten
from evalcore.measures import Measure
from ui.address.settings import LINK_ICON, Settings, address, setting
from ui.computing.measures import scored, scores
from ui.screen.calls import Call, line, record
from ui.screen.items import Calls, Metric
from ui.screen.text import markdown, score_text
from ui.server.limits import LIMITS
from ui.widgets.callback import callback
from ui.widgets.fields import Choice, Measures, MisfitError

MOST = 12
NONE = "none"
_NAME, _PLACE = "pin name", "place of the pins"
_SEPARATOR = " | "


@dataclass(frozen=True)
class Pin:
    """Measures under a name."""

    name: str
    measures: tuple[Measure, ...]

    def __str__(self) -> str:
        return f"{self.name} = {_SEPARATOR.join(map(str, self.measures))}"


def read(text: str) -> Pin:
    """A pin from its text. Raises InputError for a missing name or a text that is no measure."""
    name, _, measures = text.partition("=")
    if not name.strip() or not measures.strip():
        raise InputError(f"expected a name and measures, such as gentle = RBP(rho=0.8) | AP, found {shorten(text, 40)}")
    pinned = tuple(ec.parse(part) for part in measures.split(_SEPARATOR))
    for measure in pinned:
        LIMITS.check_measure(measure)
    return Pin(name.strip(), pinned)


@dataclass(frozen=True)
class Texts(Measures):
    """Pins as a field: their texts, of which a person can remove some."""

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        kept, problems = dict[str, str](), dict[str, None]()
        for text in texts:
            try:
                pin = read(text)
                kept[pin.name] = str(pin)
            except InputError as error:
                problems[str(error).removeprefix("expected ")] = None
        if len(kept) > self.most:
            problems[f"{self.most} pins at most"] = None
        if problems:
            raise MisfitError("; ".join(problems), tuple(kept.values())[: self.most])
        return tuple(kept.values())


@dataclass(frozen=True)
class Pins(Settings, lasts=True):
    """All pins, and the one that pages compare with."""

    pins: tuple[str, ...] = setting(Texts("Pinned", (), (), most=MOST, help="Remove a pin with its cross"))
    baseline: str = setting(lambda pins: Choice("Compare with", [NONE, *(pin.name for pin in pins.pinned)]))

    @cached_property
    def pinned(self) -> list[Pin]:
        return [read(text) for text in self.pins]

    @property
    def chosen(self) -> Pin | None:
        """The pin to compare with."""
        return next((pin for pin in self.pinned if pin.name == self.baseline), None)


def place() -> None:
    """Here is the place of the pins, on a page that has some."""
    st.session_state[_PLACE] = st.container()


def bar(collection: Collection, measures: Sequence[Measure]) -> Pin | None:
    """The pins in the sidebar, with a button that pins these measures; the pin chosen as baseline, or None."""
    now = Pins.now(collection)
    with st.session_state[_PLACE].expander(
        "Pins", icon=":material/keep:", expanded=now.chosen is not None, key="pins box"
    ):
        st.text_input("Name", key=_NAME, placeholder=f"pin {len(now.pins) + 1}")
        st.button(
            "Pin this setting",
            on_click=_add,
            args=(now, tuple(measures)),
            width="stretch",
            disabled=len(now.pins) >= MOST,
            help="Keep these measures; every page then shows the change against them. Pins are in the link.",
        )
        now.draw("pins", "baseline")
    return now.chosen


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
    except InputError as error:
        st.warning(f"The pin {markdown(pin.name)} does not fit this collection: {markdown(error)}", icon=LINK_ICON)
        return None


def compared(then: list[pd.Series] | None, collection: Collection, *now: Call[pd.Series]) -> Calls:
    """The calls that compare these means with those of the pin; none where nothing is compared.

    The first is that of the pin's means.
    """
    pin = Pins.read(collection, address()).chosen
    if then is None or pin is None:
        return ()
    pinned = line("pinned", [scored("", measure, collection).it.mean() for measure in pin.measures[: len(then)]])
    both = [(one.it, pinned.it[at]) for at, one in enumerate(now[: len(then)])]
    places = [record(ec.ranks)(before)[one.index] - record(ec.ranks)(one) for one, before in both]
    taus = [record(ec.tau)(one, before) for one, before in both]
    return pinned, line("places_won", places), line("tau_pinned", taus)


def metric(label: str, now: Call[float], then: Call[float] | None, help: str) -> Metric:
    """A number to three decimals and, against a baseline, how much it changed."""
    text = score_text(now.value, 3)
    if then is None:
        return Metric(label, text, None, help, (now,))
    change = line(f"{now.name}_change", now.it - then.it)
    return Metric(label, text, score_text(change.value, 3, "+"), help, (now, change))


@callback
def pin_all(listed: Sequence[Pin]) -> None:
    """Keep these, and compare with the first."""
    Pins.read(None, address()).change(pins=tuple(map(str, listed)), baseline=listed[0].name)


@callback
def _add(now: Pins, measures: tuple[Measure, ...]) -> None:
    taken = {pin.name for pin in now.pinned}
    words = st.session_state[_NAME].replace("=", " ").split()
    name = " ".join(words)[:30] or f"pin {len(now.pins) + 1}"
    while name in taken:
        name += "'"
    now.change(pins=(*now.pins, str(Pin(name, measures))), baseline=name)
    st.session_state[_NAME] = ""
