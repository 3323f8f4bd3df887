"""Whether ranks and correlations are shown with their doubt over topics; all pages share it, the link carries it."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.data import Collection
from ui.address.settings import Settings, address, setting, texts_of
from ui.widgets.fields import Switch

HELP = (
    "How far do ranks depend on the topics? Who may be the best (95 %, each system compared with the others), by how "
    "much the best leads, and which ranks are left to each system. Tables also have the share of 2,000 resamples of "
    "the topics (seed 0) in which it is first. How often that is right was measured: docs/doubt.md. Off: clean text "
    "and figures, for a slide."
)


TAU_HELP = (
    "Where τ and other correlations of the true rankings of these systems may lie: 95% intervals over topics, from "
    "1,000 resamples of the topics (seed 0), the same for every pair. On Correlations point at a cell. Where systems "
    "are nearly equal or move together, or topics or systems are few, there is none, and the page says why."
)


@dataclass(frozen=True)
class Doubt(Settings, lasts=True):
    """Which doubt is shown."""

    doubt: bool = setting(Switch("Show doubt", True, help=HELP))
    tau: bool = setting(Switch("Intervals of τ", help=TAU_HELP))


def box(collection: Collection) -> None:
    """The switches."""
    Doubt.read(collection, address()).draw("doubt", "tau")


def shown() -> bool:
    """Whether ranks are to be shown with their doubt."""
    return list(texts_of("doubt"))[-1:] != ["false"]


def of_correlations() -> bool:
    """Whether correlations are to be shown with their intervals."""
    return list(texts_of("tau"))[-1:] == ["true"]
