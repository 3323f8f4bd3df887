"""Which swaps of two systems between two measures, or two settings, are decided?

Two statements, the second the weaker one:

- a *swap is decided*: A beats B under x and B beats A under y, each by a test over topics that is corrected for all
  pairs of systems under both. In at most 5% of collections is any swap called decided that is none.
- a *change is decided*: the lead of one over the other is another under y than under x, whoever is ahead. A lead is
  counted in root mean square differences of two systems on a topic, of each measure its own, so that a measure of small
  scores counts as one of large ones. Corrected for all pairs.

The tests are as in `evalcore.meta.comparisons`, but with differences in units of their own size alone: joint flips of
the signs of topics, the largest of all comparisons, step-down (Romano, Wolf 2005), and for each comparison also the
paired bootstrap by itself. With fewer than 6 topics nothing can be decided at 5%.

Scores are frames of topics x systems. Two systems are tested on the topics that both have; an infinite score is not
tested. Shapes: T topics, S systems, P pairs, M comparisons, B flips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.common.progress import checkpoint
from evalcore.common.shown import shown
from evalcore.direction import refuse_own_weights
from evalcore.errors import check_level
from evalcore.meta.align import paired_frames
from evalcore.meta.changes import swapped_pairs
from evalcore.meta.comparisons import MOST, all_flips, apart_alone, fewest_topics, how_many, sign_flips
from evalcore.meta.moves import movers
from evalcore.meta.order import TIE

LEVEL = 0.95
NAMED = 3  # systems that a sentence names
QUICK = 1_000_000_000  # products, up to which a page tests without being asked: about a second
_AT_ONCE = 4_000_000  # numbers of comparisons x flips


@shown
@dataclass(frozen=True, eq=False)
class Swaps:
    """The pairs of systems that two measures order differently, and which of these swaps are decided.

    `table` has a row for each swapped pair: system_a is ahead under x, system_b under y; difference_x > 0 and
    difference_y < 0 are leads of a (where low is good, b less a); p of the swap, the larger of both corrected p, and
    `decided`; p_change and `change decided` of the change of the lead. Largest reversal under y first.
    """

    table: pd.DataFrame
    movers: pd.DataFrame
    n_pairs: int
    n_topics: int
    level: float

    @property
    def n_decided(self) -> int:
        """How many swaps are decided."""
        return int(self.table["decided"].sum())

    @property
    def n_changes(self) -> int:
        """Of how many swapped pairs the change of the lead is decided."""
        return int(self.table["change decided"].sum())

    def of(self, system: str) -> pd.DataFrame:
        """The swaps in which a system takes part."""
        part = (self.table["system_a"] == system) | (self.table["system_b"] == system)
        return self.table[part]


def swaps(x_scores: pd.DataFrame, y_scores: pd.DataFrame, level: float = LEVEL, seed: int = 0) -> Swaps:
    """Which pairs of systems swap between x and y, and which of the swaps are decided.

    `movers` is the table of `ec.movers`, with columns `crossed` (how many systems it swaps with), `decided` (how many
    of these swaps are) and `changes decided`. Raises InputError for a level that is no share.

    >>> x = pd.DataFrame({"a": [0.5, 0.6, 0.7, 0.6, 0.5, 0.6], "b": [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]})
    >>> found = swaps(x, x.rename(columns={"a": "b", "b": "a"}))  # y: a and b exchanged
    >>> found.table[["system_a", "system_b", "p", "decided"]].values.tolist()  # 1 of 32 flips of the other topics
    [['a', 'b', 0.03125, True]]
    """
    check_level(level)
    refuse_own_weights(x_scores, y_scores)
    x, y = paired_frames(x_scores, y_scores)
    table = swapped_pairs(x.mean(), y.mean())
    flips = Flips.of(len(x), how_many(x.shape[1]), seed)
    a, b = np.triu_indices(x.shape[1], 1)
    values = [frame.to_numpy(dtype=np.float64) for frame in (x, y)]
    both = flips.corrected(np.concatenate([pair_differences(scores, a, b) for scores in values], axis=1))
    change = flips.corrected(_scaled_pairs(values[1], a, b) - _scaled_pairs(values[0], a, b))
    places = pd.Series(np.arange(x.shape[1]), index=x.columns)
    first, second = (places[table[name]].to_numpy(dtype=np.intp) for name in ("system_a", "system_b"))
    at = _pair_number(np.minimum(first, second), np.maximum(first, second), x.shape[1])
    table["p"] = np.maximum(both[: len(a)], both[len(a) :])[at]
    table["decided"] = _decided(table["p"], level, [(value.T, first, second) for value in values], seed)
    table["p_change"] = change[at]
    shifts = _scaled_pairs(values[1], first, second) - _scaled_pairs(values[0], first, second)
    ends = np.arange(len(first)), np.full(len(first), len(first))
    against_0 = np.concatenate([shifts.T, np.zeros((1, len(x)))])
    table["change decided"] = _decided(table["p_change"], level, [(against_0, *ends)], seed)
    return Swaps(table, _counted(movers(x.mean(), y.mean()), table), len(a), len(x), level)


def swaps_in_words(swaps: Swaps) -> str:
    """How many of the swaps are decided, as sentences.

    >>> x = pd.DataFrame({"a": [0.5, 0.6, 0.7, 0.6, 0.5, 0.6], "b": [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]})
    >>> swaps_in_words(swaps(x, x.rename(columns={"a": "b", "b": "a"})))
    'Of 1 pair of systems 1 swaps; 1 of the swaps is decided.'
    """
    swapped, pairs = len(swaps.table), f"{swaps.n_pairs:,} pair{'s' * (swaps.n_pairs != 1)}"
    if not swapped:
        return f"Of {pairs} of systems none swaps."
    start = f"Of {pairs} of systems {swapped:,} swap{'s' * (swapped == 1)}"
    if swaps.n_topics < fewest_topics(1 - swaps.level):
        return f"{start}; {_topics(swaps.n_topics)} too few to decide any of them."
    if not swaps.n_decided:
        changed = (
            f", though in {swaps.n_changes:,} of them it is decided that the lead changed" if swaps.n_changes else ""
        )
        return f"{start}; none of the swaps is decided{changed}."
    return f"{start}; {swaps.n_decided:,} of the swaps {'is' if swaps.n_decided == 1 else 'are'} decided."


def swaps_of_in_words(swaps: Swaps, system: str) -> str:
    """How many of the swaps of one system are decided; "" where it swaps with none.

    >>> x = pd.DataFrame({"a": [0.5, 0.6, 0.7, 0.6, 0.5, 0.6], "b": [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]})
    >>> swaps_of_in_words(swaps(x, x.rename(columns={"a": "b", "b": "a"})), "a")
    'It swaps with 1 system; decided: with b.'
    """
    own = swaps.of(system)
    if own.empty:
        return ""
    start = f"It swaps with {len(own)} system{'s' * (len(own) > 1)}"
    others = own["system_a"].where(own["system_a"] != system, own["system_b"])
    decided = [str(name) for name in others[own["decided"]]]
    if decided:
        more = f" and {len(decided) - NAMED} more" if len(decided) > NAMED else ""
        return f"{start}; decided: with {', '.join(decided[:NAMED])}{more}."
    changed = int(own["change decided"].sum())
    less = f", though in {changed} of them it is decided that the lead changed" if changed else ""
    return f"{start}; none of these swaps is decided{less}."


def quickly_decided(topics: int, systems: int) -> bool:
    """Whether all pairs of systems are tested under two measures in about a second at most.

    >>> quickly_decided(40, 32), quickly_decided(66, 400)
    (True, False)
    """
    return topics > 1 and systems > 1 and 3 * topics * systems**2 / 2 * how_many(systems) <= QUICK


def _topics(count: int) -> str:
    return "1 topic is" if count == 1 else f"{count} topics are"


def _counted(table: pd.DataFrame, swapped: pd.DataFrame) -> pd.DataFrame:
    """The movers with how many systems each swaps with, and how many of these swaps are decided."""
    both = pd.concat([swapped.assign(system=swapped[name]) for name in ("system_a", "system_b")])
    flags = both.assign(crossed=1).rename(columns={"change decided": "changes decided"})
    counts = flags.groupby("system")[["crossed", "decided", "changes decided"]].sum()
    return table.join(counts.reindex(table.index).fillna(0).astype(int))


def _decided(
    p: pd.Series, level: float, compared: Sequence[tuple[FloatArray, IntArray, IntArray]], seed: int
) -> BoolArray:
    """Which pairs have a p small enough, and are told apart by themselves in each comparison of rows (S, T)."""
    decided = (p <= 1 - level + TIE).to_numpy(copy=True)
    for scores, a, b in compared:
        decided[decided] = apart_alone(scores, a[decided], b[decided], 1 - level, seed)
    return decided


def _pair_number(first: IntArray, second: IntArray, systems: int) -> IntArray:
    """Where a pair first < second stands among those of `np.triu_indices`."""
    return np.asarray(first * (2 * systems - first - 1) // 2 + second - first - 1)


def pair_differences(scores: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """(T, P) differences; 0 on a topic that one of the two lacks, and nan of a pair with an infinite score."""
    with np.errstate(invalid="ignore"):
        differences = scores[:, a] - scores[:, b]
    noise = TIE * np.maximum(np.abs(scores[:, a]), np.abs(scores[:, b]))
    lacking = np.isnan(scores)
    differences[(np.abs(differences) <= noise) | lacking[:, a] | lacking[:, b]] = 0.0
    infinite: BoolArray = np.asarray(np.isinf(scores).any(axis=0))
    differences[:, infinite[a] | infinite[b]] = np.nan
    return differences


def _scaled_pairs(scores: FloatArray, a: IntArray, b: IntArray) -> FloatArray:
    """(T, P) differences in the unit u, the root mean square difference of two systems on a topic, with its own doubt.

    d_t / u - (d / u) (u_t / u), with u_t = (q_t - u^2) / 2u the influence of topic t on u, q_t its mean square: by the
    delta method the mean over topics is d / u, and the spread is that of it.
    """
    differences = pair_differences(scores, a, b)
    squares = np.nan_to_num(differences) ** 2
    by_topic = squares.mean(axis=1) if squares.size else np.zeros(len(scores))
    square = float(by_topic.mean()) if len(by_topic) else 0.0
    if not square > 0:
        return np.zeros_like(differences)
    influence = (by_topic - square) / (2 * square)  # over u
    return np.asarray((differences - np.outer(influence, differences.mean(axis=0))) / np.sqrt(square))


@dataclass(frozen=True, eq=False)
class Flips:
    """Signs of topics, flipped for all comparisons at once: (T, B), each 1 or -1; `exact` where these are all."""

    signs: FloatArray
    exact: bool

    @classmethod
    def of(cls, n_topics: int, most: int = MOST, seed: int = 0) -> Flips:
        """All of few topics, else a sample."""
        return cls(sign_flips(n_topics, most, seed).T, all_flips(n_topics, most))

    def largest_pair(self, scores: FloatArray) -> FloatArray:
        """(B,) the largest v* of all pairs of systems for each flip, from scores (T, S).

        The sum of a pair's differences is the difference of two sums, so that no product is needed for each pair.
        """
        if not np.isfinite(scores).all():
            unit, _ = _unit(pair_differences(scores, *np.triu_indices(scores.shape[1], 1)))
            return np.asarray(np.abs(unit.T @ self.signs).max(axis=0, initial=0.0))
        values = np.ascontiguousarray((scores - scores.mean(axis=1, keepdims=True)).T)
        sums, result = values @ self.signs, np.zeros(self.signs.shape[1])
        noise = TIE * np.abs(scores).max(initial=0.0)
        for at in range(len(values) - 1):
            own = values[at + 1 :] - values[at]
            own[np.abs(own) <= noise] = 0.0
            root = np.sqrt((own**2).sum(axis=1))
            reached = np.abs(sums[at + 1 :] - sums[at])
            reached *= divided(1.0, root)[:, None]
            np.maximum(result, reached.max(axis=0), out=result)
        return result

    def corrected(self, differences: FloatArray) -> FloatArray:
        """(M,) p of each comparison (T, M), corrected for all of them; 1 where nothing differs or can be tested."""
        unit, size = _unit(differences)
        order = np.argsort(size, kind="stable")
        count, flips = np.zeros(len(size)), self.signs.shape[1]
        step = max(1, _AT_ONCE // max(len(size), 1))
        for start in range(0, flips, step):
            checkpoint()
            reached = np.abs(unit[:, order].T @ self.signs[:, start : start + step])
            np.maximum.accumulate(reached, axis=0, out=reached)  # of those no larger: what step-down looks at
            count += (reached >= size[order][:, None] * (1 - TIE)).sum(axis=1)
        p = count / flips if self.exact else (count + 1) / (flips + 1)
        p = np.where(size[order] > 0, p, 1.0)
        result = np.empty(len(size))
        result[order] = np.maximum.accumulate(p[::-1])[::-1]
        return result


def sizes(differences: FloatArray) -> FloatArray:
    """(M,) v, the |sum| over the root of the sum of squares, which grows with |t|; 0 where nothing differs."""
    return _unit(differences)[1]


def _unit(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(T, M) differences over the root of their sum of squares, and |their sums|; 0 of what is not tested."""
    tested: BoolArray = np.asarray(np.isfinite(differences).all(axis=0))
    known = np.where(tested, differences, 0.0)
    unit = divided(known, np.sqrt((known**2).sum(axis=0)))
    return unit, np.asarray(np.abs(unit.sum(axis=0)))
