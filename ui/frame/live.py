"""Sliders that are followed while they move: figures and numbers answer in the browser, the server on release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any, TypeVar

import streamlit as st
from streamlit.components import v2

from ui.frame import paths, report
from ui.widgets import recording, score_tables
from ui.widgets.fields import Slider
from ui.widgets.settings import Settings, address

_SCRIPT = File(__file__).with_suffix(".js").read_text(encoding="utf-8")
_mount = v2.component("live", html="<div></div>", js=_SCRIPT, isolate_styles=False)
_FOLLOWED, _OFFERED = "what follows sliders", "paths offered"

Page = TypeVar("Page", bound=Settings)


@dataclass(frozen=True)
class Followed:
    """A part of a page that follows sliders: the settings it was drawn of, how, and the figures in it."""

    page: Settings
    draw: Callable[[Any], None]
    figures: list[str]
    names: tuple[str, ...]  # of the settings whose sliders it follows; all where none is named

    def sliders(self) -> dict[str, Slider]:
        """The sliders that it follows, by their keys."""
        return {one.key: one for name, one in self.page.sliders() if not self.names or name in self.names}


def follow(page: Page, draw: Callable[[Page], None], *names: str) -> None:
    """Draw a part of a page, and have it follow the sliders of the page's settings, or of those that are named.

    What another slider moves it shows on release. `draw` shows what its settings say by `ui.widgets.show` and reads no
    state: it is called again, off the screen, with the settings at other places of a slider. What it needs of others
    is its own from the start.
    """
    before, shown = dict(recording.places()), len(report.figures())
    draw(page)
    figures = report.figures()[shown:]

    def again(other: Page) -> None:
        if sheet := recording.sheet():
            sheet.places = dict(before)
        draw(other)

    st.session_state[_FOLLOWED].append(Followed(page, again, figures, names))


def begin() -> None:
    """A run of a page begins: nothing is followed yet."""
    st.session_state[_FOLLOWED] = []
    recording.begin()


def box() -> None:
    """After the page: tell the browser what to ask for when a hand comes near a slider."""
    followed: list[Followed] = st.session_state[_FOLLOWED]
    thumbs = {slider.key: (name, slider) for one in followed for name, slider in one.page.sliders()}
    offered = [_offer(name, slider, followed) for name, slider in thumbs.values()]
    st.session_state[_OFFERED] = [path for _, path in offered]  # which keeps them
    _mount(key="live", data=[said for said, _ in offered])


def _offer(name: str, slider: Slider, followed: list[Followed]) -> tuple[dict[str, Any], paths.Path]:
    """What the browser is told of a slider, and its path; where none follows, that is known to be too dear."""
    first = next(one.page for one in followed if any(slider.key == other.key for _, other in one.page.sliders()))
    moved = [one for one in followed if slider.key in one.sliders()]

    def draw(value: Any) -> None:
        pages = {id(one.page): one.page for one in moved}
        there = {at: page.with_(**{name: value}) for at, page in pages.items()}
        for one in moved:
            one.draw(there[id(one.page)])

    elsewhere = {**address(), **first.with_(**{name: slider.values[0]}).address()}
    known_by = (slider.key, sorted(elsewhere.items()), first.collection.fingerprint, score_tables.known_by())
    path = paths.Path(
        slider.places, slider.values, draw, address(), paths.nowhere(score_tables.state()), dear=not moved
    )
    word, path = paths.offer(path, known_by)
    figures = [key for one in moved or followed for key in one.figures]
    return {"key": slider.key, "word": word, "figures": figures}, path
