"""How measures are compared: which correlation, over what, and the matrix that comes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.data import Collection
from evalcore.measures import short_names
from evalcore.meta import CORRELATIONS, EQUIVALENT, Correlation, CorrelationMatrix, correlation_matrix
from ui import score_tables
from ui.controls import choose, slider, switch

OVER = {"system means": "means", "topic by topic": "topics"}
OVER_HELP = (
    "system means: each system's score is averaged over topics, then the systems are compared. topic by topic: the "
    "systems are compared on each topic, then the correlations are averaged, as Maistro et al. 2021 do."
)
CORRELATION_HELP = "  \n".join(f"**{one.label}**: {one.description}" for one in CORRELATIONS.values())
RESAMPLES = 1000
DRAWN = {"resamples": RESAMPLES, "seed": 0}


@dataclass(frozen=True)
class Setting:
    """What the controls say."""

    correlation: Correlation
    over: str
    threshold: float
    intervals: bool


def controls() -> Setting:
    name = choose(
        "Correlation", "corr", list(CORRELATIONS), names=lambda one: CORRELATIONS[one].label, help=CORRELATION_HELP
    )
    over = choose("Taken over", "over", list(OVER), segmented=True, help=OVER_HELP)
    threshold = slider(
        "Equivalent above",
        "equivalent",
        0.5,
        1.0,
        EQUIVALENT,
        0.01,
        help="Rankings with a tau above 0.9 are usually read as equivalent (Voorhees 2001; Maistro et al. 2021)",
    )
    intervals = switch(
        "Bootstrap intervals",
        "intervals",
        help=f"95 % intervals of {RESAMPLES:,} resamples of the topics (seed 0), the same for every pair: point at a "
        "cell. A resample repeats topics and so blurs both rankings: over system means the interval lies a "
        "little lower than the value itself.",
    )
    return Setting(CORRELATIONS[name], OVER[over], threshold, intervals)


def pair(scores: dict[str, pd.DataFrame], correlation: Correlation) -> tuple[str, str]:
    """The two measures looked at closely: chosen here, or by a click on their cell."""
    listed = list(scores)
    names = short_names(listed)
    first, second = ("Look at", "Against") if correlation.symmetric else ("Test", "Reference")
    test = choose(first, "test", listed, listed[1], names=names.__getitem__, help="Or click a cell")
    reference = choose(second, "reference", listed, listed[0], names=names.__getitem__)
    return test, reference


def computed(collection: Collection, scores: dict[str, pd.DataFrame], setting: Setting) -> CorrelationMatrix:
    key = (collection.fingerprint, score_tables.digest(), tuple(scores))
    return _computed(key, setting.correlation.name, setting.over, setting.intervals, scores)


@st.cache_resource(max_entries=32, show_spinner="Comparing every two measures")
def _computed(
    key: tuple[object, ...], correlation: str, over: str, intervals: bool, _scores: dict[str, pd.DataFrame]
) -> CorrelationMatrix:
    resamples = RESAMPLES if intervals else 0
    return correlation_matrix(_scores, correlation, "means" if over == "means" else "topics", n_resamples=resamples)


def cell(frame: pd.DataFrame, test: str, reference: str) -> float:
    return float(frame.to_numpy()[frame.index.get_loc(test), frame.columns.get_loc(reference)])


def number(value: float) -> str:
    return "none" if np.isnan(value) else f"{value:.3f}".replace("-", "−")
