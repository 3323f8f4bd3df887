"""Doubt over topics, said in one way on every page: who is first, and how sure a correlation is.

All pages share the choice whether that is shown, and the link carries it.
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
from ui.screen.elsewhere import elsewhere
from ui.screen.items import Calls, Text
from ui.screen.text import score_text
from ui.widgets.fields import Choice

FEW_TOPICS = 1000  # of which counts are kept: 16 MB
NAMED = 2  # tied systems that are named; more are counted
DRAWN = {"resamples": 2000, "seed": 0}  # of the topics, by `ec.rank_intervals`
COLUMNS = {"share_first": "share first", "rank_low": "rank from", "rank_high": "rank to"}
RESAMPLES = 1000  # of the topics, for a correlation
Pairs: TypeAlias = Mapping[str, tuple[str, Call[pd.DataFrame], Call[pd.DataFrame]]]
SHOWN = {"true": "ranks", "all": "ranks, τ", "false": "off"}
HELP = (
    "How far results depend on the topics. **ranks**: which systems may be the best (95 %), by how much the best "
    "leads, and in what share of 2,000 resamples of the topics (seed 0) each is first. **ranks, τ**: also 95% "
    "intervals of correlations over topics, from 1,000 resamples; in the matrix of measures, point at a cell. **off**: "
    "clean text and figures, for a slide. How often that is right was measured: docs/doubt.md."
)


@dataclass(frozen=True)
class Doubt(Settings, lasts=True):
    """Choice of the doubt that is shown."""

    doubt: str = setting(Choice("Doubt", list(SHOWN), reads=SHOWN.__getitem__, segmented=True, help=HELP))


def box(collection: Collection) -> None:
    """The switch."""
    Doubt.read(collection, address()).draw("doubt")


def shown() -> bool:
    """Return whether ranks are shown with their doubt."""
    return list(texts_of("doubt"))[-1:] != ["false"]


def of_correlations() -> bool:
    """Return whether correlations are shown with their intervals."""
    return list(texts_of("doubt"))[-1:] == ["all"]


# --- how sure a correlation is ----------------------------------------------------------------------------------------


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
    made = _intervals(pairs)
    rows: dict[str, Any] = {label: made[x, y].value.loc[name] for label, (name, x, y) in pairs.items()}
    parts = (f"{label} {bounds_text(row['low'], row['high'], row['why'])}" for label, row in rows.items())
    text = f"95% intervals over topics ({RESAMPLES:,} resamples, seed 0): {', '.join(parts)}."
    return [Text.note(text, tuple(made.values()))]


def _intervals(
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
    """Call `ec.bootstrap_interval`, kept for the next run."""
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
    """Call `ec.correlation_intervals`, each kept for the next run."""
    return pd.DataFrame({name: _bounds(name, tested, reference, n_resamples) for name in correlations}).T


# --- who is first -----------------------------------------------------------------------------------------------------


def firsts(scored: Mapping[str, pd.DataFrame | pd.Series]) -> list[str]:
    """Say who leads by each measure, by its name in Markdown: a line for each.

    >>> firsts({"RBP": pd.Series({"a": 0.25, "b": 0.5}), "AP": pd.Series({"a": 0.5, "b": 0.25})})
    ['By RBP: **b** (0.5000) leads', 'By AP: **a** (0.5000) leads']
    """
    return [f"By {name}: {leads(scores)}" for name, scores in scored.items()]


def leads(scores: pd.DataFrame | pd.Series) -> str:
    """Say who leads, in Markdown: the sentence of `ec.first_in_words`, or the score without doubt.

    A frame of topics x systems says how sure; of mean scores alone nothing does.

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
    """The sentence of `ec.first_in_words` in Markdown, with short names; who leads is bold, with its score."""
    first, means = intervals.first, intervals.table["mean"]

    def shown(name: str) -> str:
        return f"**{named(name)}** ({score_text(float(means[name]))})" if name in first else named(name)

    return ec.first_in_words(intervals, named=shown)


def together(names: Sequence[str]) -> str:
    """Systems that share a place, in bold Markdown: one or two by name, more by their number.

    >>> together(["a"]), together(["a", "b"]), together(["a", "b", "c"])
    ('**a**', '**a** and **b**', '**3 tied systems**')
    """
    few = " and ".join(f"**{named(name)}**" for name in names)
    return few if len(names) <= NAMED else f"**{len(names)} tied systems**"


def verb(names: Sequence[str], one: str, several: str) -> str:
    """The form of a verb that fits as many systems."""
    return one if len(names) == 1 else several


def doubted(frame: pd.DataFrame | None) -> RankIntervals | None:
    """Ranks with their doubt over topics; kept for the next run. None where nothing says how sure, or doubt is off."""
    if frame is None or not _can_tell(frame):
        return None
    if there := elsewhere():  # not kept
        there.lacks_doubt |= not there.doubt
        return _resampled(frame) if there.doubt else None
    return _kept(frame)


def _can_tell(*frames: pd.DataFrame) -> bool:
    """Return whether doubt is shown, and quickly found for all of these scores, with equal weights of topics."""
    return shown() and not has_own_weights(*frames) and all(map(quickly_resampled, frames))


def tables(*frames: pd.DataFrame) -> list[pd.DataFrame]:
    """The tables of rank intervals of some frames, for figures; none where one of the frames has none."""
    if elsewhere():  # hovers, and bars that are away while a slider moves
        return [_unsaid(frame) for frame in frames] if _can_tell(*frames) else []
    answers = [answer.table for answer in map(doubted, frames) if answer is not None]
    return answers if len(answers) == len(frames) else []


def doubt_of(*scored: Call[pd.DataFrame]) -> Call[list[pd.DataFrame]] | None:
    """The tables of rank intervals of some scores, as `tables` has them; None where it has none."""
    if not _can_tell(*(result.value for result in scored)):
        return None
    each = [call("", ec.rank_intervals, result.it).by(_in_figure).it.table for result in scored]
    return line("doubt", each)


def doubt_calls(*scored: Call[pd.DataFrame]) -> Calls:
    """The same as what made an item; nothing where there is none."""
    made = doubt_of(*scored)
    return (made,) if made else ()


def first_calls(*scored: Call[pd.DataFrame]) -> Calls:
    """Calls that say who is first by some scores, and how sure that is."""
    firsts = (line("first", record(ec.best_first)(scores.it.mean()).head(1)) for scores in scored)
    return (*firsts, *doubt_calls(*scored))


def intervals_of(scored: Call[pd.DataFrame]) -> Call[RankIntervals] | None:
    """The ranks with their doubt over topics, as `doubted` has them; None where it has none."""
    if doubted(scored.value) is None:
        return None
    return call("rank_intervals", ec.rank_intervals, scored.it).by(doubted)


@dataclass(frozen=True)
class _InFigure:
    table: pd.DataFrame


def _in_figure(frame: pd.DataFrame) -> Any:
    """Call `ec.rank_intervals`, of which a figure takes the table."""
    return _InFigure(*tables(frame))


def _unsaid(frame: pd.DataFrame) -> pd.DataFrame:
    """A table of rank intervals that says none."""
    names = ["rank_low", "rank_high", "all_low", "all_high"]
    unknown = np.full((frame.shape[1], len(names)), np.nan)
    return pd.DataFrame(unknown, columns=names, index=best_first(frame.mean()).index)


def with_doubt(table: pd.DataFrame, frame: pd.DataFrame | None, after: str, by: str = "") -> pd.DataFrame:
    """A table of systems with share of resamples first and rank interval after one of its columns, if doubt is shown.

    `by` ends the names of the new columns.
    """
    intervals = doubted(frame)
    if intervals is None:
        return table
    new = intervals.table.loc[table.index, list(COLUMNS)].rename(columns=lambda name: f"{COLUMNS[name]}{by}")
    at = list(table.columns).index(after) + 1
    return pd.concat([table.iloc[:, :at], new, table.iloc[:, at:]], axis=1)


def decimals(by: Sequence[str] = ("",)) -> dict[str, int]:
    """To how many decimals the columns of `with_doubt` are shown."""
    digits = {"share first": 3, "rank from": 0, "rank to": 0}
    return {f"{name}{end}": count for end in by for name, count in digits.items()}


def _resampled(frame: pd.DataFrame) -> RankIntervals:
    return rank_intervals(frame, counts=_counts(len(frame)) if len(frame) <= FEW_TOPICS else None)


_kept = cached(128)(_resampled)


@cached(8)
def _counts(topics: int) -> FloatArray:
    """Counts that `ec.rank_intervals` draws: of 66 topics a third of its time."""
    return topic_resamples(topics, DRAWN["resamples"], DRAWN["seed"]).astype(np.float64)
