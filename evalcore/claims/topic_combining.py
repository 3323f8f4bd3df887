"""From scores by topic to what is compared: what a missing score counts, then what makes one number of all topics.

A claim is judged by what each topic adds to the difference of two systems: signs of that are flipped, and topics drawn
again. So an aggregate can be carried that is a mean of what topics add (`OverTopics.on_topics`): a mean with weights,
of groups, of ranks, of wins, of standardised scores. A median, a trimmed mean, Copeland's wins and Bradley and Terry's
strengths are none, and a rule for gaps that makes scores up from others adds topics that nobody has seen: both are
refused, rather than given a p that does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.arrays import BoolArray, FloatArray
from evalcore.direction import directed
from evalcore.errors import InputError
from evalcore.leaderboard import OverTopics, aggregate_of
from evalcore.leaderboard.gaps import GapRule, gap_rule_of

PLAIN_GAPS, PLAIN = "KeepGaps", "Mean"


@dataclass(frozen=True)
class TopicCombining:
    """A rule for gaps and an aggregate, by their texts; `grouping` names the groups that it reads ("": the first)."""

    gaps: str = PLAIN_GAPS
    by: str = PLAIN
    grouping: str = ""

    def __str__(self) -> str:
        return ", ".join(name for name in (self.gaps, self.by) if name not in (PLAIN_GAPS, PLAIN))

    @property
    def is_plain(self) -> bool:
        """Whether it is the mean over the topics that two systems have."""
        return (self.gaps, self.by) == (PLAIN_GAPS, PLAIN)

    def of(
        self, scores: FloatArray, topics: Sequence[str], asked: BoolArray, groupings: Mapping[str, Sequence[str]]
    ) -> FloatArray:
        """(S, T) what each topic adds, of scores (S, T) of which the high ones are good, over the topics asked (T,).

        nan on other topics, and where there is none. Raises InputError where the rule or the aggregate does not fit.
        """
        grouping = self.grouping or next(iter(groupings), "")
        groups = dict(zip(topics, groupings[grouping], strict=True)) if grouping else None
        frame = pd.DataFrame(scores.T, pd.Index(range(len(topics))), range(len(scores)))
        table = gap_rule_of(self.gaps).of(directed(frame.loc[asked].dropna(how="all"), "high"))
        named = table.set_axis([topics[at] for at in table.index], axis="index")
        added = np.full(scores.shape, np.nan)
        systems, places = (axis.to_numpy(dtype=int) for axis in (table.columns, table.index))
        added[np.ix_(systems, places)] = aggregate_of(self.by).on_topics(directed(named, "high"), groups).T
        return added


def checked_aggregate(text: object) -> OverTopics:
    """The aggregate that a text says. Raises InputError for one that a claim cannot carry."""
    mean = aggregate_of(str(text))
    if not mean.additive:
        raise InputError(
            f"expected an aggregate that is a mean of what each topic adds (Mean, WinRate, Borda, ...), found {mean}: "
            "a test that flips topics says nothing of it"
        )
    return mean


def checked_gaps(text: object) -> GapRule:
    """The rule that a text says. Raises InputError for one that a claim cannot carry."""
    rule = gap_rule_of(str(text))
    if rule.invents:
        raise InputError(
            f"expected a rule that adds no scores of its own (LeaveTopicsOut, WorstSeen, Fixed, ...), found {rule}: a "
            "test would count what it makes up as seen"
        )
    return rule
