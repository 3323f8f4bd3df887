"""Decided swaps: pairs of systems that two measures order differently, both orders tested over topics.

A swap is decided if A beats B under x and B beats A under y, both significantly. Its p is the larger of the p of the
two paired t-tests (intersection-union), so both orders must be significant. The p values are corrected over all
observed swaps: on average, at most a share 1 - level of the swaps called decided is wrong. This false discovery rate
(Benjamini, Hochberg 1995) suits readers of a list of swaps. Testing only observed swaps is valid, because for two
equal systems the sign of a difference is independent of its size. Each order must also be significant by itself in the
paired bootstrap (`evalcore.meta.comparisons`), which keeps the shape of the differences. On fewer than 6 topics nothing
is decided at 5 %. A pair with an infinite score is never decided.

Scores are frames of topics x systems; two systems are tested on the topics that both have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.common.short_forms import shown
from evalcore.common.statements_of_doubt import states
from evalcore.direction import refuse_own_weights
from evalcore.errors import check_level
from evalcore.meta.align import paired_frames
from evalcore.meta.changes import swapped_pairs
from evalcore.meta.comparisons import apart_alone, fewest_topics
from evalcore.meta.differences import shared_topics, t_test
from evalcore.meta.moves import movers
from evalcore.meta.order import TIE
from evalcore.meta.significance import benjamini_hochberg

LEVEL = 0.95
NAMED = 3  # systems that a sentence names


@shown
@dataclass(frozen=True, eq=False)
class Swaps:
    """The pairs of systems that two measures order differently, each with its p and whether it is decided.

    `table` has a row for each swapped pair: system_a is ahead under x, system_b under y; difference_x > 0 and
    difference_y < 0 are leads of a (if low is good, b minus a); `p` is the p of the swap, corrected over all swaps;
    `decided` is true if the swap is significant. The largest reversal under y is first.
    """

    table: pd.DataFrame
    movers: pd.DataFrame
    n_pairs: int
    n_topics: int
    level: float

    @property
    def n_decided(self) -> int:
        """The number of decided swaps."""
        return int(self.table["decided"].sum())

    def of(self, system: str) -> pd.DataFrame:
        """Return the rows of the table for the swaps of one system."""
        part = (self.table["system_a"] == system) | (self.table["system_b"] == system)
        return self.table[part]


@states(
    "Swaps: paired t-tests under both measures and the paired bootstrap, false discovery rate over all swaps at level "
    "{level} (Benjamini and Hochberg 1995)"
)
def swaps(x_scores: pd.DataFrame, y_scores: pd.DataFrame, level: float = LEVEL, seed: int = 0) -> Swaps:
    """Return the pairs of systems that swap between x and y, with tests of these swaps.

    `movers` in the result is the table of `ec.movers`, with `crossed` (number of systems that a system swaps with) and
    `decided` (number of these swaps that are decided). Raises InputError for a level that is not between 0 and 1.

    >>> x = pd.DataFrame({"a": [0.5, 0.6, 0.7, 0.6, 0.5, 0.6], "b": [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]})
    >>> found = swaps(x, x.rename(columns={"a": "b", "b": "a"}))  # y: a and b exchanged
    >>> found.table[["system_a", "system_b", "p", "decided"]].round(4).values.tolist()  # one swap: nothing to correct
    [['a', 'b', 0.0003, True]]
    """
    check_level(level)
    refuse_own_weights(x_scores, y_scores)
    x, y = paired_frames(x_scores, y_scores)
    table = swapped_pairs(x.mean(), y.mean())
    a, b = (x.columns.get_indexer(pd.Index(table[name])) for name in ("system_a", "system_b"))
    both = [np.ascontiguousarray(frame.to_numpy(dtype=np.float64).T) for frame in (x, y)]
    alpha = round(1 - level, 12)
    p = np.max([t_test(scores, a, b) for scores in both], axis=0)
    p[np.isnan(p) | (shared_topics(both[0], a, b) < fewest_topics(alpha))] = 1.0
    table["p"] = benjamini_hochberg(p) if len(p) else p
    decided = (table["p"] <= alpha + TIE).to_numpy(copy=True)
    for scores in both:
        decided[decided] = apart_alone(scores, a[decided], b[decided], alpha, seed)
    table["decided"] = decided
    return Swaps(table, _counted(movers(x.mean(), y.mean()), table), x.shape[1] * (x.shape[1] - 1) // 2, len(x), level)


def swaps_in_words(swaps: Swaps) -> str:
    """Return a sentence that says how many of the swaps are significant.

    >>> x = pd.DataFrame({"a": [0.5, 0.6, 0.7, 0.6, 0.5, 0.6], "b": [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]})
    >>> swaps_in_words(swaps(x, x.rename(columns={"a": "b", "b": "a"})))
    'Of 1 pair of systems, 1 swaps; 1 of the swaps is significant (false discovery rate 5 %).'
    """
    swapped, pairs = len(swaps.table), f"{swaps.n_pairs:,} pair{'s' * (swaps.n_pairs != 1)}"
    if not swapped:
        return f"Of {pairs} of systems, none swaps."
    start = f"Of {pairs} of systems, {swapped:,} swap{'s' * (swapped == 1)}"
    if swaps.n_topics < fewest_topics(round(1 - swaps.level, 12)):
        topics = "1 topic is" if swaps.n_topics == 1 else f"{swaps.n_topics} topics are"
        return f"{start}; {topics} too few to show that any is significant."
    rate = f"(false discovery rate {100 * (1 - swaps.level):g} %)"
    if not swaps.n_decided:
        return f"{start}; none of the swaps is significant {rate}."
    return f"{start}; {swaps.n_decided:,} of the swaps {'is' if swaps.n_decided == 1 else 'are'} significant {rate}."


def swaps_of_in_words(swaps: Swaps, system: str) -> str:
    """Return a sentence that says which of the swaps of one system are significant; "" if it swaps with none.

    >>> x = pd.DataFrame({"a": [0.5, 0.6, 0.7, 0.6, 0.5, 0.6], "b": [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]})
    >>> swaps_of_in_words(swaps(x, x.rename(columns={"a": "b", "b": "a"})), "a")
    'It swaps with 1 system, significantly with b.'
    """
    own = swaps.of(system)
    if own.empty:
        return ""
    start = f"It swaps with {len(own)} system{'s' * (len(own) > 1)}"
    others = own["system_a"].where(own["system_a"] != system, own["system_b"])
    decided = [str(name) for name in others[own["decided"]]]
    if not decided:
        return f"{start}; none of these swaps is significant."
    more = f" and {len(decided) - NAMED} more" if len(decided) > NAMED else ""
    return f"{start}, significantly with {', '.join(decided[:NAMED])}{more}."


def _counted(table: pd.DataFrame, swapped: pd.DataFrame) -> pd.DataFrame:
    """Return the movers with the number of systems that each swaps with, and how many of these swaps are decided."""
    both = pd.concat([swapped.assign(system=swapped[name]) for name in ("system_a", "system_b")])
    counts = both.assign(crossed=1).groupby("system")[["crossed", "decided"]].sum()
    return table.join(counts.reindex(table.index).fillna(0).astype(int))
