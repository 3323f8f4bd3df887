"""Drawing without a screen: what a page would show at other settings, kept instead of sent."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from zlib import crc32

import pandas as pd
import streamlit as st

_PLACES = "places of what is said"


@dataclass
class Sheet:
    """What would be shown: figures by their key as plain dicts, texts by their place on the page."""

    address: Mapping[str, Sequence[str]]  # of the page: the settings that are shown elsewhere
    doubt: bool = True  # whether how sure a rank is, which takes longest, is to be said
    lacks_doubt: bool = False  # whether it would have been said
    figures: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)  # by name; no browser is sent them
    places: dict[str, str] = field(default_factory=dict)  # taken already, and by what
    scored: dict[Hashable, Any] = field(default_factory=dict)  # by measures, for all that is drawn

    def seen(self) -> dict[str, Any]:
        """All of it that follows a hand, as one value."""
        return {"figures": self.figures, "texts": self.texts}


_SHEET: ContextVar[Sheet | None] = ContextVar("sheet", default=None)


def sheet() -> Sheet | None:
    """What is being recorded on; None where a page is drawn for a browser."""
    return _SHEET.get()


@contextmanager
def recording(
    address: Mapping[str, Sequence[str]], doubt: bool = True, figures: Mapping[str, Any] | None = None
) -> Iterator[Sheet]:
    """Have `ui.widgets.show` keep what it is given, with the settings of an address.

    `figures` are known already: what would only make them again is left out.
    """
    found = Sheet(address, doubt, figures=dict(figures or {}))
    token = _SHEET.set(found)
    try:
        yield found
    finally:
        _SHEET.reset(token)


def said(name: str, text: str) -> str:
    """The key of the place where a page says this, known by its name; empty where it is being recorded."""
    if found := sheet():
        found.texts[_place(name, found.places)] = text
        return ""
    return _place(name, places())


def begin() -> None:
    """A run of a page begins: nothing is said yet."""
    st.session_state[_PLACES] = {}


def places() -> dict[str, str]:
    """The places of what this run says, and by what each is known."""
    taken: dict[str, str] = st.session_state.setdefault(_PLACES, {})
    return taken


def _place(name: str, taken: dict[str, str]) -> str:
    """A place of its own for each, told apart by order where several are known by one name."""
    known = f"{crc32(name.encode()):08x}"  # of letters that a class in the page may have
    place = next(key for at in count(1) if (key := f"said {known} {at}") not in taken)
    taken[place] = name
    return place
