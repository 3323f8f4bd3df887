"""Uncertainty over topics, in the same words on every page: the leader, and intervals of correlations.

One setting in the link, shared by all pages, switches each of these on or off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore.common.arrays import FloatArray
from evalcore.data import Collection
from evalcore.direction import has_own_weights
from evalcore.meta import (
    RankIntervals,
    best_first,
    quickly_resampled,
    rank_intervals,
    ranks,
    topic_resamples,
)
from evalcore.meta.resampling import Interval
from ui.address.families import named
from ui.address.settings import Settings, address, setting, texts_of
from ui.computing.cached import cached
from ui.screen.calls import Call, call, line, record
from ui.screen.drawing_ahead import elsewhere
from ui.screen.items import Calls, Text
from ui.screen.text import score_text
from ui.widgets.fields import Choice

FEW_TOPICS = 1000  # most topics for which resample counts are kept (16 MB)
NAMED = 2  # most tied systems that are named; more are counted
DRAWN = {"resamples": 2000, "seed": 0}  # arguments of `ec.rank_intervals`, which resamples topics
COLUMNS = {"share_first": "share first", "rank_low": "rank from", "rank_high": "rank to"}
RESAMPLES = 1000  # resamples of topics for a correlation
Pairs: TypeAlias = Mapping[str, tuple[str, Call[pd.DataFrame], Call[pd.DataFrame]]]
SHOWN = {"true": "ranks", "all": "ranks, τ", "false": "off"}
HELP = (
    "The uncertainty due to the choice of topics. **ranks**: the systems that may be the best (95 %), the size of the "
    "lead, and the share of 2,000 resamples of topics (seed 0) in which each system wins. **ranks, τ**: also 95% "
    "intervals of correlations from 1,000 resamples; point at a cell of the matrix of measures to see them there. "
    "**off**: text and figures without uncertainty, for a slide. docs/doubt.md reports how often the intervals contain "
    "the true value."
)


@dataclass(frozen=True)
class Doubt(Settings, lasts=True):
    """Setting: whether uncertainty is shown for ranks, for ranks and correlations, or not at all."""

    doubt: str = setting(Choice("Confidence", list(SHOWN), reads=SHOWN.__getitem__, segmented=True, help=HELP))


def box(collection: Collection) -> None:
    """Draw the control of the setting."""
    Doubt.read(collection, address()).draw("doubt")


def shown() -> bool:
    """Return True if ranks are shown with their uncertainty."""
    return list(texts_of("doubt"))[-1:] != ["false"]


def of_correlations() -> bool:
    """Return True if correlations are shown with intervals."""
    return list(texts_of("doubt"))[-1:] == ["all"]


# --- intervals of correlations ----------------------------------------------------------------------------------------


def intervals_of_tau(pairs: Pairs) -> list[Text]:
    """Return a note with the interval of each correlation; [] if there is none to show.

    `pairs` maps the label of each correlation to "tau" or "tau_ap", the scores (topics x systems), and the scores of
    the reference, both as calls.
    """
    if elsewhere() or not of_correlations():  # too slow for other slider positions
        return []
    tested = [x.value for _, x, _ in pairs.values()]
    if any(len(frame.columns) < 2 for frame in tested):
        return []
    if any(len(frame) < 2 for frame in tested):
        return [Text.note("With one topic a correlation has no interval.")]
    made = _intervals(pairs)
    rows: dict[str, Any] = {label: made[x, y].value.loc[name] for label, (name, x, y) in pairs.items()}
    parts = (f"{label} {bounds_text(row['low'], row['high'], row['why'])}" for label, row in rows.items())
    text = f"95% intervals over topics ({RESAMPLES:,} resamples, seed 0): {', '.join(parts)}."
    return [Text.note(text, tuple(made.values()))]


def _intervals(
    pairs: Mapping[str, tuple[str, Call[pd.DataFrame], Call[pd.DataFrame]]],
) -> dict[Any, Call[pd.DataFrame]]:
    """Map each pair of scores to the call that computes the intervals of all its correlations."""
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
    """Return an interval in words, or the reason why there is none.

    >>> bounds_text(0.8125, 1.0)
    '0.812 to 1.000'
    >>> bounds_text(float("nan"), float("nan"), "fewer than 10 topics")
    'unknown (fewer than 10 topics)'
    """
    return f"unknown ({why})" if why else f"{score_text(low, 3)} to {score_text(high, 3)}"


def bootstrap_interval(statistic: Callable[..., float], x: pd.DataFrame, y: pd.DataFrame, n_resamples: int) -> Interval:
    """Return the result of `ec.bootstrap_interval`, which is cached for later runs."""
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
    """Return the result of `ec.correlation_intervals`; each interval is cached for later runs."""
    return pd.DataFrame({name: _bounds(name, tested, reference, n_resamples) for name in correlations}).T


# --- the leader -------------------------------------------------------------------------------------------------------


def firsts(scored: Mapping[str, pd.DataFrame | pd.Series]) -> list[str]:
    """Return one line per measure, which gives the leader under the measure, in Markdown.

    >>> firsts({"RBP": pd.Series({"a": 0.25, "b": 0.5}), "AP": pd.Series({"a": 0.5, "b": 0.25})})
    ['Under RBP, **b** (0.5000) leads', 'Under AP, **a** (0.5000) leads']
    """
    return [f"Under {name}, {leads(scores)}" for name, scores in scored.items()]


def leads(scores: pd.DataFrame | pd.Series) -> str:
    """Return a sentence about the leader, in Markdown.

    For a frame (topics x systems), it is the sentence of `ec.first_in_words`, with uncertainty. For mean scores, or if
    uncertainty is not shown or unknown, it gives only the leader and its score.

    >>> leads(pd.Series({"a": 0.5, "b": 0.5, "c": 0.25}))
    '**a** and **b** lead, tied at 0.5000'
    """
    frame = scores if isinstance(scores, pd.DataFrame) else None
    if intervals := doubted(frame):
        return in_words(intervals)
    means = scores.mean() if isinstance(scores, pd.DataFrame) else scores
    best = best_first(means)
    names = [str(name) for name in best.index[(ranks(means)[best.index] == 1).to_numpy()]] or [str(best.index[0])]
    score = score_text(float(best.iloc[0]))
    tied = f"lead, tied at {score}"
    if len(names) > NAMED:
        return f"**{len(names)} of {len(means)} systems** {tied}"
    return f"{together(names)} {tied if len(names) > 1 else f'({score}) leads'}"


def in_words(intervals: RankIntervals) -> str:
    """Return the sentence of `ec.first_in_words` in Markdown, with short names, and leaders in bold with scores."""
    first, means = intervals.first, intervals.table["mean"]

    def shown(name: str) -> str:
        return f"**{named(name)}** ({score_text(float(means[name]))})" if name in first else named(name)

    return ec.first_in_words(intervals, named=shown)


def together(names: Sequence[str]) -> str:
    """Return tied systems in bold Markdown: one or two by name, more of them only as a number.

    >>> together(["a"]), together(["a", "b"]), together(["a", "b", "c"])
    ('**a**', '**a** and **b**', '**3 tied systems**')
    """
    few = " and ".join(f"**{named(name)}**" for name in names)
    return few if len(names) <= NAMED else f"**{len(names)} tied systems**"


def verb(names: Sequence[str], one: str, several: str) -> str:
    """Return the form of a verb that fits these names: `one` (singular) or `several` (plural)."""
    return one if len(names) == 1 else several


def doubted(frame: pd.DataFrame | None) -> RankIntervals | None:
    """Return rank intervals over topics, cached for later runs; None if they are switched off or unknown."""
    if frame is None or not _can_tell(frame):
        return None
    if there := elsewhere():  # another slider position; not kept
        there.lacks_doubt |= not there.doubt
        return _resampled(frame) if there.doubt else None
    return _kept(frame)


def _can_tell(*frames: pd.DataFrame) -> bool:
    """Return True if uncertainty is shown and quick to compute for all these scores, and none has topic weights."""
    return shown() and not has_own_weights(*frames) and all(map(quickly_resampled, frames))


def tables(*frames: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the table of rank intervals of each frame, for figures; [] if any frame has none."""
    if elsewhere():  # another slider position: intervals are only in hovers, and in bars hidden while a slider moves
        return [_unsaid(frame) for frame in frames] if _can_tell(*frames) else []
    answers = [answer.table for answer in map(doubted, frames) if answer is not None]
    return answers if len(answers) == len(frames) else []


def doubt_of(*scored: Call[pd.DataFrame]) -> Call[list[pd.DataFrame]] | None:
    """Return the call that lists a table of rank intervals for each of these scores; None without rank intervals."""
    if not _can_tell(*(result.value for result in scored)):
        return None
    each = [call("", ec.rank_intervals, result.it).by(_in_figure).it.table for result in scored]
    return line("doubt", each)


def doubt_calls(*scored: Call[pd.DataFrame]) -> Calls:
    """Return the call of `doubt_of` as a tuple, for an item; () if there are no rank intervals."""
    made = doubt_of(*scored)
    return (made,) if made else ()


def first_calls(*scored: Call[pd.DataFrame]) -> Calls:
    """Return the calls that compute the leader under each of these scores, and the rank intervals."""
    firsts = (line("first", record(ec.best_first)(scores.it.mean()).head(1)) for scores in scored)
    return (*firsts, *doubt_calls(*scored))


def intervals_of(scored: Call[pd.DataFrame]) -> Call[RankIntervals] | None:
    """Return the call that computes the rank intervals over topics; None if they are switched off or unknown."""
    if doubted(scored.value) is None:
        return None
    return call("rank_intervals", ec.rank_intervals, scored.it).by(doubted)


@dataclass(frozen=True)
class _InFigure:
    table: pd.DataFrame


def _in_figure(frame: pd.DataFrame) -> Any:
    """Return an object with only the `table` of the result of `ec.rank_intervals`; figures use nothing else of it."""
    return _InFigure(*tables(frame))


def _unsaid(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table of rank intervals in which all bounds are unknown."""
    names = ["rank_low", "rank_high", "all_low", "all_high"]
    unknown = np.full((frame.shape[1], len(names)), np.nan)
    return pd.DataFrame(unknown, columns=names, index=best_first(frame.mean()).index)


def with_doubt(table: pd.DataFrame, frame: pd.DataFrame | None, after: str, by: str = "") -> pd.DataFrame:
    """Return a table of systems with the share of resamples won and the rank interval after the column `after`.

    If there are no rank intervals, return the table unchanged. `by` is appended to the names of the new columns.
    """
    intervals = doubted(frame)
    if intervals is None:
        return table
    new = intervals.table.loc[table.index, list(COLUMNS)].rename(columns=lambda name: f"{COLUMNS[name]}{by}")
    at = list(table.columns).index(after) + 1
    return pd.concat([table.iloc[:, :at], new, table.iloc[:, at:]], axis=1)


def decimals(by: Sequence[str] = ("",)) -> dict[str, int]:
    """Return the number of decimals of each column that `with_doubt` adds."""
    digits = {"share first": 3, "rank from": 0, "rank to": 0}
    return {f"{name}{end}": count for end in by for name, count in digits.items()}


def _resampled(frame: pd.DataFrame) -> RankIntervals:
    return rank_intervals(frame, counts=_counts(len(frame)) if len(frame) <= FEW_TOPICS else None)


_kept = cached(128)(_resampled)


@cached(8)
def _counts(topics: int) -> FloatArray:
    """Return the number of times that each resample draws each topic, resamples x topics, for `ec.rank_intervals`.

    The numbers are cached, because drawing takes a third of the time of `ec.rank_intervals`.
    """
    return topic_resamples(topics, DRAWN["resamples"], DRAWN["seed"]).astype(np.float64)
