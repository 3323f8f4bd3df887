"""Whether ranks are shown with their doubt over topics; all pages share it, and the link carries it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from evalcore.data import Collection
from ui.widgets.fields import Switch
from ui.widgets.settings import Settings, address, setting

HELP = (
    "How sure is a rank? Chance of being first, 95 % rank intervals and who is not separable, from 2,000 resamples of "
    "the topics (seed 0). Off: clean text and figures, as for a slide."
)


@dataclass(frozen=True)
class Doubt(Settings):
    """Whether doubt is shown."""

    doubt: bool = setting(Switch("Show doubt", True, help=HELP))


def box(collection: Collection) -> None:
    """The switch in the sidebar."""
    with st.sidebar:
        Doubt.now(collection).draw("doubt")


def shown() -> bool:
    """Whether ranks are to be shown with their doubt."""
    return Doubt.read(None, address()).doubt
