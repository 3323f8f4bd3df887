"""How sure a correlation of two rankings is over topics: said where the sidebar asks for it, and as Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.figures.endless import score_text
from evalcore.meta.resampling import Interval
from ui.address import doubt
from ui.computing.work import digest
from ui.screen.calls import Call, call
from ui.screen.elsewhere import elsewhere
from ui.screen.items import Text

RESAMPLES = 1000


def intervals(pairs: Mapping[str, tuple[str, pd.DataFrame, pd.DataFrame]]) -> list[Text]:
    """The interval of each correlation in words, where that is asked for.

    By what each is called: "tau" or "tau_ap", the scores, topics x systems, and those of the reference.
    """
    if elsewhere():  # takes longer than a hand moves
        return []
    if not doubt.of_correlations() or any(len(tested.columns) < 2 for _, tested, _ in pairs.values()):
        return []
    if any(len(tested) < 2 for _, tested, _ in pairs.values()):
        return [Text("On one topic a correlation has no interval.", "note")]
    parts = (f"{label} {_interval(*pair)}" for label, pair in pairs.items())
    return [Text(f"95% intervals over topics ({RESAMPLES:,} resamples, seed 0): {', '.join(parts)}.", "note")]


def said_intervals(pairs: Mapping[str, tuple[str, Call[pd.DataFrame], Call[pd.DataFrame]]]) -> list[Text]:
    """As `intervals`, of calls that make the scores."""
    said = intervals({label: (name, x.value, y.value) for label, (name, x, y) in pairs.items()})
    both = dict.fromkeys((x, y) for _, x, y in pairs.values())
    text = "ec.correlation_intervals({tested}, {reference}, n_resamples={n})"
    made = [call("tau_intervals", text, tested=x, reference=y, n=RESAMPLES) for x, y in both]
    return [replace(one, calls=tuple(made)) for one in said]


def code(*pairs: tuple[str, str]) -> list[str]:
    """The lines that recompute the intervals; the pairs as Python calls their frames."""
    if not doubt.of_correlations():
        return []
    calls = (f"ec.correlation_intervals({tested}, {reference}, n_resamples={RESAMPLES})" for tested, reference in pairs)
    return [f"tau_intervals = [{', '.join(calls)}]"]


def _interval(correlation: str, tested: pd.DataFrame, reference: pd.DataFrame) -> str:
    low, high, why = _bounds(correlation, digest(tested), digest(reference), tested, reference)
    return bounds_text(low, high, why)


def bounds_text(low: float, high: float, why: str = "") -> str:
    """An interval, or why there is none.

    >>> bounds_text(0.8125, 1.0)
    '0.812 to 1.000'
    >>> bounds_text(float("nan"), float("nan"), "fewer than 10 topics")
    'cannot be said (fewer than 10 topics)'
    """
    return f"cannot be said ({why})" if why else f"{score_text(low, 3)} to {score_text(high, 3)}"


def bootstrap_interval(statistic: Callable[..., float], x: pd.DataFrame, y: pd.DataFrame, n_resamples: int) -> Interval:
    """As `ec.bootstrap_interval`, kept for the next run."""
    return _bootstrapped(statistic.__name__, digest(x), digest(y), n_resamples, x, y)


@st.cache_resource(max_entries=1024, show_spinner="Resampling topics")
def _bootstrapped(
    name: str, known_by: str, other: str, n_resamples: int, _x: pd.DataFrame, _y: pd.DataFrame
) -> Interval:
    return ec.bootstrap_interval(getattr(ec, name), _x, _y, n_resamples)


@st.cache_data(max_entries=256, show_spinner="Resampling topics")
def _bounds(
    correlation: str, known_by: str, other: str, _tested: pd.DataFrame, _reference: pd.DataFrame
) -> tuple[float, float, str]:
    row = ec.correlation_intervals(_tested, _reference, (correlation,), n_resamples=RESAMPLES).iloc[0]
    return float(row["low"]), float(row["high"]), str(row["why"])
