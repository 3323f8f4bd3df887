"""Ranks with their confidence: systems ranked by their means, with intervals over topics.

Two systems are separable if they differ significantly by `evalcore.meta.comparisons`. Everything else follows from
these pairs: the ranks that a system may have, the systems that may be the best (`evalcore.meta.best`), and the letters
of `groups`. The share of resamples in which a system is first (Efron 1979, doi 10.1214/aos/1176344552), with
multinomial weights of the topics, shows how often other topics would give a different leader. That share describes
these topics; it is not the chance that the system is the best.

Scores are frames of topics x systems; nan means that a system has no score on a topic. A resample in which some system
has none of the drawn topics gives no ranking, and is left out. Shapes: B resamples, T topics, S systems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from evalcore.common.arrays import BoolArray, FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.common.latex import DIGITS, caption, latex_table
from evalcore.common.short_forms import shown
from evalcore.common.statements_of_doubt import stated, states
from evalcore.drawing import figures, styles_of
from evalcore.errors import InputError, check_level
from evalcore.meta.align import as_numbers, refuse_no_frame, tested_frame
from evalcore.meta.best import best_of
from evalcore.meta.comparisons import compared, fewest_topics, rank_bounds
from evalcore.meta.letters import letters_of, sharing
from evalcore.meta.order import TIE, ahead, means
from evalcore.meta.resampling import drawn_topics, weighted_means

NAMED = 3  # systems that a sentence names
_QUICK = 150_000  # products for each resample; a pair of systems counts a quarter of one
_DRAWING = 20  # cost of drawing a topic, in products
_STEPS = 1 << 18  # of a product, up to which OpenBLAS starts no threads: these wait if other processes use the cores


@shown
@dataclass(frozen=True, eq=False)
class RankIntervals:
    """Ranks of systems with their confidence; `table` has a row for each system, best first.

    Columns: mean (in the units of the scores); rank (tied systems share the better one) and shared (number of
    systems with this rank); share_first (share of resamples in which it is first; ties split); rank_low and rank_high
    (confidence set of the true rank, valid for a system chosen before looking at the scores; for systems of rank 1,
    which only the scores reveal, equal to all_low and all_high); all_low and all_high (confidence sets of all systems,
    valid together); may_be_best, lead_low and lead_high (`evalcore.meta.may_be_best`); behind (lead of the first
    row over the system, on the topics that both have); separable (true if it differs significantly from the first row,
    among all pairs); groups (letters of the system).

    Systems that share a letter are not separable, and systems that share none are. The field `groups` lists the systems
    of each letter. `alike` maps systems with a constant score on nearly all topics to the number of these topics, if
    such systems leave open which system is the best.
    """

    table: pd.DataFrame
    groups: tuple[tuple[str, ...], ...]
    n_topics: int
    n_resamples: int
    level: float
    undefined: int  # resamples left out because a system has none of the topics drawn
    alike: Mapping[str, int]

    @property
    def first(self) -> tuple[str, ...]:
        """The systems with rank 1: one, or several that are tied."""
        return tuple(self.table.index[self.table["rank"] == 1])

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """The systems that may be the best, best mean first; with probability `level` they include the best system."""
        return tuple(self.table.index[self.table["may_be_best"]])

    @cached_property
    def too_few_topics(self) -> bool:
        """Return whether there are too few topics to separate any two systems, whatever their scores."""
        return self.n_topics < fewest_topics(_alpha(self.level))

    def figure(self, **options: Any) -> Any:
        """Draw the rank of each system with its confidence set."""
        return figures().ranks_over_topics(self.table, **{"styles": styles_of(self.table.index, options), **options})


@states(
    "Ranks: flipped signs of topics (step-down max-T) and the paired bootstrap, at level {level} family-wise: "
    "systems that may be the best by comparisons with the best (Hsu 1981), separable systems among all pairs"
)
def rank_intervals(
    scores: pd.DataFrame, n_resamples: int = 2000, level: float = 0.95, seed: int = 0, counts: ArrayLike | None = None
) -> RankIntervals:
    """Return the ranks of all systems, with confidence sets, the systems that may be the best, and separable pairs.

    `counts` from `topic_resamples` may be given instead of n_resamples and seed, to share them among measures. With one
    topic there is nothing to resample: shares and bounds are nan, and nothing is separable. Raises InputError for a
    level that is not between 0 and 1, or a system without any score.

    >>> scores = pd.DataFrame({"a": [0.3, 0.5, 0.9], "b": [0.2, 0.4, 0.8], "c": [0.9, 0.1, 0.6]})
    >>> rank_intervals(scores, n_resamples=200).table.loc["c", ["rank_low", "rank_high"]].tolist()
    [1.0, 3.0]
    """
    check_level(level)
    refuse_no_frame(scores)
    scores = as_numbers(scores)
    frame = tested_frame(scores)
    if not frame.size:
        raise InputError(f"expected at least 1 topic and 1 system, found {len(frame)} and {frame.shape[1]}")
    places = ahead(means(frame))
    order = np.argsort(places, kind="stable")
    frame = frame.iloc[:, order]
    rank, values = np.sort(places) + 1, np.ascontiguousarray(frame.to_numpy(dtype=np.float64))
    drawn = drawn_topics(len(frame), n_resamples, seed, counts)
    decided = compared(values, _alpha(level), seed)
    groups, together = sharing(decided.together == 0), _bounds("all", decided.together, len(frame))
    each = _bounds("rank", decided.each, len(frame))
    first, undefined = _share_first(values, drawn)
    table = pd.DataFrame(
        {
            "mean": scores.mean().to_numpy(dtype=np.float64)[order],
            "rank": rank,
            "shared": np.bincount(rank)[rank],
            "share_first": first,
            **{
                f"rank_{end}": np.where(rank == 1, together[f"all_{end}"], each[f"rank_{end}"])
                for end in ("low", "high")
            },
            **together,
            **best_of(decided.own),
            "behind": _behind_leader(values),
            "separable": decided.together[0] != 0,
            "groups": letters_of(groups, len(rank)),
        },
        index=frame.columns.rename("system"),
    )
    names = [str(name) for name in frame.columns]
    named = tuple([tuple(map(names.__getitem__, group)) for group in groups])
    alike = {name: int(topics) for name, topics in zip(names, decided.alike, strict=True) if topics}
    return RankIntervals(table, named, len(frame), len(drawn), level, undefined, alike)


def ranks_table(
    ranks: pd.DataFrame, measure: str, title: str, level: float, names: Mapping[str, str], digits: int = DIGITS
) -> str:
    """Return a LaTeX table of scores, ranks, intervals and letters of inseparable groups; its caption names the test.

    `ranks` is the table of `rank_intervals`, `title` the title of the collection, and `names` maps systems to the names
    to print.
    """
    columns = {
        "system": [names.get(system, system) for system in ranks.index],
        measure: ranks["mean"].to_numpy(),
        "rank": ranks["rank"].to_numpy(),
        f"{100 * level:g}% interval": list(map(_span, ranks["all_low"], ranks["all_high"])),
        "groups": ranks["groups"].to_numpy(),
    }
    what = (
        f"Mean scores and ranks. The {100 * level:g}% intervals hold for all systems together; systems that share a "
        f"letter are not separable. {stated(rank_intervals, {'level': level})}, here {math.comb(len(ranks), 2)}"
    )
    about = caption(what, title, [measure])
    return latex_table(pd.DataFrame(columns), about, label=f"ranks {measure}", decimals={measure: digits, "rank": 0})


def _span(low: float, high: float) -> str:
    """Write a range of ranks; "" if they are unknown (nan)."""
    return "" if low != low else f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"


def winners_of(doubts: Mapping[str, RankIntervals], name: str) -> pd.DataFrame:
    """Tabulate the winners of several rankings, one row per key; the index is called `name`.

    Columns: first (the winner; if several are tied, all, separated by commas), share_first (share of resamples in which
    one of them is first), may_be_best (number of systems that may be the best), topics (number of topics).
    """
    rows = {
        key: {
            "first": ", ".join(doubt.first),
            "share_first": float(doubt.table["share_first"].iloc[: len(doubt.first)].sum(skipna=False)),
            "may_be_best": len(doubt.may_be_best),
            "topics": doubt.n_topics,
        }
        for key, doubt in doubts.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(name)


def first_in_words(result: RankIntervals, measure: str = "", named: Callable[[str], str] = str) -> str:
    """State which system leads, which may be the best, and by how much the best leads: a sentence without a full stop.

    `named` returns the name to print for a system.
    >>> scores = pd.DataFrame({"a": np.arange(8.0) + [0, 1] * 4, "b": np.arange(8.0), "c": np.arange(8.0)[::-1]})
    >>> first_in_words(rank_intervals(scores, n_resamples=200), "AP")
    'Under AP, a leads; b or c may be the best too (95 %)'
    """
    by = f"Under {measure}, " if measure else ""
    table, first = result.table, result.first
    if len(table) == 1:
        return f"{by}{named(first[0])} is the only system"
    if len(first) == len(table):
        return f"{by}all {len(table)} systems are tied"
    leads = f"{_listed(first, 'and', named)} {'leads' if len(first) == 1 else 'lead, tied'}"
    if result.too_few_topics:
        return f"{by}{leads}; too few topics to show which system is the best"
    sure, others = f"({result.level * 100:g} %)", [name for name in result.may_be_best if name not in first]
    if others:
        return f"{by}{leads}; {_listed(others, 'or', named)} may be the best too {sure}{_alike(result, named)}"
    if len(first) > 1 or first != result.may_be_best:
        return f"{by}{leads}; no other system may be the best {sure}"
    low, high = table[["lead_low", "lead_high"]].iloc[0].tolist()
    return f"{by}{named(first[0])} is the best {sure}, ahead of the next, {named(table.index[1])}{_between(low, high)}"


def _alike(result: RankIntervals, named: Callable[[str], str]) -> str:
    """Name the systems that may be the best only because their score is constant on nearly all topics; "" if none."""
    if not result.alike:
        return ""
    counts, have = result.alike.values(), "has" if len(result.alike) == 1 else "each have"
    least = f"at least {min(counts)}" if max(counts) > min(counts) else f"{min(counts)}"
    names = _listed(list(result.alike), "and", named)
    return (
        f"; {names} {have} a constant score on {least} of {result.n_topics} topics, so only more topics can rule it out"
    )


def _between(low: float, high: float) -> str:
    """Write the limits of the best system's lead with three decimals, or two significant digits if both are below .01.

    >>> _between(0.0141, 0.062), _between(0.0, 0.5), _between(12.25, 30.5)
    (', by .014 to .062', ', by up to .500', ', by 12.250 to 30.500')
    """
    if not np.isfinite(high):
        return ""
    form = ".3f" if high >= 0.01 else ".2g"
    least, most = (format(value, form).removeprefix("0") or "0" for value in (low, high))
    return f", by {least} to {most}" if float(least) else f", by up to {most}"


def quickly_resampled(scores: pd.DataFrame) -> bool:
    """Return whether ranks can be resampled within about a second.

    False with fewer than two topics or systems, and if a system has no score.

    >>> quickly_resampled(pd.DataFrame({"a": [0.1, 0.2], "b": [0.3, 0.4]})), quickly_resampled(pd.DataFrame({"a": [1]}))
    (True, False)
    """
    topics, systems = scores.shape
    if min(topics, systems) < 2:
        return False
    values = scores.to_numpy(dtype=np.float64)
    finite = np.isfinite(values)
    if not finite.all() and bool(np.isnan(values).all(axis=0).any()):
        return False
    incomplete = int((~finite.all(axis=0)).sum())
    return topics * max(systems * (1 + incomplete / 4), _DRAWING) + systems**2 / 4 <= _QUICK


def _alpha(level: float) -> float:
    return round(1 - level, 12)


def _share_first(scores: FloatArray, drawn: FloatArray) -> tuple[FloatArray, int]:
    """Return the (S,) shares of resamples with each system first, ties split, and the number of resamples left out."""
    resampled = np.concatenate([weighted_means(scores, part).T for part in _parts(drawn, scores)], axis=1)
    whole = ~np.isnan(resampled).any(axis=0)
    ranked = resampled if whole.all() else resampled[:, whole]
    if len(scores) < 2 or not ranked.shape[1]:
        return np.full(scores.shape[1], np.nan), int(len(drawn) - ranked.shape[1])
    first = _are_largest(ranked)
    tied = first.sum(axis=0)
    shares = first if (tied == 1).all() else first / tied
    return np.asarray(shares.mean(axis=1)), int(len(drawn) - ranked.shape[1])


def _are_largest(values: FloatArray) -> BoolArray:
    """Mark the (S, B) values that are the largest of their column or tied with the largest."""
    largest = values.max(axis=0)
    with np.errstate(invalid="ignore"):  # infinity minus infinity
        return np.asarray((values == largest) | (largest - values <= TIE * np.abs(largest)))


def _parts(drawn: FloatArray, values: FloatArray) -> list[FloatArray]:
    """Split resamples into parts small enough that BLAS uses no threads for their product with values."""
    size = max(1, _STEPS // max(values.size, 1))
    return [drawn[start : start + size] for start in range(0, len(drawn), size)]


def _bounds(name: str, decided: IntArray, n_topics: int) -> dict[str, FloatArray]:
    low, high = (np.asarray(part, dtype=np.float64) for part in rank_bounds(decided))
    if n_topics < 2:
        low, high = np.full_like(low, np.nan), np.full_like(high, np.nan)
    return {f"{name}_low": low, f"{name}_high": high}


def _behind_leader(scores: FloatArray) -> FloatArray:
    """Return the (S,) mean leads of the first column's system, on the topics that both have; nan with fewer than 2."""
    lead = scores[:, [0]] - scores if np.isfinite(scores).all() else _finite_leads(scores)
    count = np.count_nonzero(~np.isnan(lead), axis=0)
    mean = np.divide(np.nansum(lead, axis=0), count, out=np.full(len(count), np.nan), where=count > 1)
    noise = TIE * np.fmax.reduce(np.abs(np.where(np.isnan(lead), 0.0, scores)), axis=0, initial=0.0)
    return np.where(np.abs(mean) <= np.maximum(noise, noise[0]), 0.0, mean)


def _finite_leads(scores: FloatArray) -> FloatArray:
    """Return the (T, S) leads of the first column's system over each system; all nan if either has infinite scores."""
    finite = ~(np.isinf(scores) & ~np.isnan(scores[:, [0]])).any(axis=0) & ~np.isinf(scores[:, 0]).any()
    known = np.where(finite, scores, np.nan)
    return np.asarray(known[:, [0]] - known)


def _listed(names: Sequence[str], word: str, named: Callable[[str], str] = str) -> str:
    """Return a list of systems in words; if there are many, the first few and the number of the others.

    >>> _listed(["a", "b", "c"], "or"), _listed("abcde", "or")
    ('a, b or c', 'a, b, c and 2 more')
    """
    if len(names) > NAMED:
        return f"{', '.join(map(named, names[:NAMED]))} and {len(names) - NAMED} more"
    *before, last = map(named, names)
    return f"{', '.join(before)} {word} {last}" if before else last
