"""Whether ranks and correlations are shown with their doubt over topics, and the intervals of correlations.

All pages share the choice, and the link carries it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd

import evalcore as ec
from evalcore.data import Collection
from evalcore.figures.draw import score_text
from evalcore.meta.resampling import Interval
from ui.address.settings import Settings, address, setting, texts_of
from ui.computing.cached import cached
from ui.screen.calls import Call, call
from ui.screen.elsewhere import elsewhere
from ui.screen.items import Text
from ui.widgets.fields import Switch

HELP = (
    "How far do ranks depend on the topics? In which share of 2,000 resamples of the topics (seed 0) a system is "
    "first, which ranks are left to it at 95%, and who is not separable from the first, with all pairs of systems "
    "compared at once. How often that is right was measured: docs/doubt.md. Off: clean text and figures, for a slide."
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


RESAMPLES = 1000
Pairs: TypeAlias = Mapping[str, tuple[str, Call[pd.DataFrame], Call[pd.DataFrame]]]


def intervals_of_tau(pairs: Pairs) -> list[Text]:
    """The interval of each correlation in words, where that is asked for.

    By what each is called: "tau" or "tau_ap", the scores, topics x systems, and those of the reference, as calls.
    """
    if elsewhere() or not of_correlations():  # elsewhere it takes longer than a hand moves
        return []
    tested = [x.value for _, x, _ in pairs.values()]
    if any(len(frame.columns) < 2 for frame in tested):
        return []
    if any(len(frame) < 2 for frame in tested):
        return [Text.note("On one topic a correlation has no interval.")]
    made = _resampled(pairs)
    rows: dict[str, Any] = {label: made[x, y].value.loc[name] for label, (name, x, y) in pairs.items()}
    parts = (f"{label} {bounds_text(row['low'], row['high'], row['why'])}" for label, row in rows.items())
    text = f"95% intervals over topics ({RESAMPLES:,} resamples, seed 0): {', '.join(parts)}."
    return [Text.note(text, tuple(made.values()))]


def _resampled(
    pairs: Mapping[str, tuple[str, Call[pd.DataFrame], Call[pd.DataFrame]]],
) -> dict[Any, Call[pd.DataFrame]]:
    """The intervals of all correlations of each pair of scores."""
    asked: dict[tuple[Any, Any], list[str]] = {}
    for name, x, y in pairs.values():
        asked.setdefault((x, y), []).append(name)
    return {
        (x, y): call("tau_intervals", ec.correlation_intervals, x.it, y.it, tuple(names), n_resamples=RESAMPLES).by(
            _kept_intervals
        )
        for (x, y), names in asked.items()
    }


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
    return _bootstrapped(statistic.__name__, x, y, n_resamples)


@cached(1024, "Resampling topics")
def _bootstrapped(name: str, x: pd.DataFrame, y: pd.DataFrame, n_resamples: int) -> Interval:
    return ec.bootstrap_interval(getattr(ec, name), x, y, n_resamples)


@cached(256, "Resampling topics")
def _bounds(correlation: str, tested: pd.DataFrame, reference: pd.DataFrame, n_resamples: int) -> pd.Series:
    return ec.correlation_intervals(tested, reference, (correlation,), n_resamples=n_resamples).iloc[0]


def _kept_intervals(
    tested: pd.DataFrame, reference: pd.DataFrame, correlations: Sequence[str], n_resamples: int
) -> pd.DataFrame:
    """As `ec.correlation_intervals`, each kept for the next run."""
    return pd.DataFrame({name: _bounds(name, tested, reference, n_resamples) for name in correlations}).T
