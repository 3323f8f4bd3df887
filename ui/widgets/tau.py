"""How sure a correlation of two rankings is over topics: the switch, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.figures.endless import score_text
from ui.frame.work import digest
from ui.widgets.fields import Switch

RESAMPLES = 1000
INTERVALS = Switch("Intervals of τ", help=f"95 % intervals over topics, of {RESAMPLES:,} resamples (seed 0)")


def intervals_said(pairs: Mapping[str, tuple[pd.DataFrame, pd.DataFrame, str]]) -> None:
    """Say the interval of each correlation, by what it is called: scores tested, those of the reference, its kind."""
    said = []
    for label, (tested, reference, correlation) in pairs.items():
        row = correlation_intervals(tested, reference, (correlation,)).iloc[0]
        said.append(f"{label} {score_text(row['low'], 3)} to {score_text(row['high'], 3)}")
    st.caption(f"95 % intervals over topics ({RESAMPLES:,} resamples, seed 0): {', '.join(said)}.")


def correlation_intervals(x: pd.DataFrame, y: pd.DataFrame, correlations: Sequence[str]) -> pd.DataFrame:
    """Correlations of two measures with their intervals; y is the reference. Kept for the next run."""
    return _correlation_intervals(digest(x), digest(y), tuple(correlations), x, y)


@st.cache_data(max_entries=64, show_spinner="Resampling topics")
def _correlation_intervals(
    known_by: str, other: str, correlations: tuple[str, ...], _x: pd.DataFrame, _y: pd.DataFrame
) -> pd.DataFrame:
    return ec.correlation_intervals(_x, _y, correlations, n_resamples=RESAMPLES)
