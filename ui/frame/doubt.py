"""Whether ranks and correlations are shown with their doubt over topics; all pages share it, the link carries it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from evalcore.data import Collection
from ui.widgets.fields import Switch
from ui.widgets.settings import Settings, address, setting

HELP = (
    "How far do ranks depend on the topics? From 2,000 resamples of the topics (seed 0): how often a system is first, "
    "95% rank intervals and who is not separable from the first. Off: clean text and figures, as for a slide."
)


TAU_HELP = (
    "95% intervals of each τ and τ_AP over topics, of 1,000 resamples (seed 0). Correlations has a switch of its own: "
    "its matrix takes longer."
)


@dataclass(frozen=True)
class Doubt(Settings):
    """Which doubt is shown."""

    doubt: bool = setting(Switch("Show doubt", True, help=HELP))
    tau: bool = setting(Switch("Intervals of τ", help=TAU_HELP))


def box(collection: Collection) -> None:
    """The switches in the sidebar."""
    with st.sidebar:
        Doubt.now(collection).draw("doubt", "tau")


def shown() -> bool:
    """Whether ranks are to be shown with their doubt."""
    return Doubt.read(None, address()).doubt


def of_correlations() -> bool:
    """Whether correlations are to be shown with their intervals."""
    return Doubt.read(None, address()).tau
