"""Rules for gaps, the missing scores of systems on topics; each rule is a value, and each has its price.

Shapes: scores are topics x systems, nan if there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from evalcore.direction import directed, good_of
from evalcore.errors import InputError
from evalcore.leaderboard.over_topics import (
    Borda,
    BradleyTerry,
    ByGroup,
    GeometricMean,
    Groups,
    Mean,
    Median,
    OverTopics,
    Standardised,
    WinRate,
    aggregate,
    aggregate_of,
)
from evalcore.meta.align import refuse_no_frame
from evalcore.meta.changes import ranks
from evalcore.notation.values import Value, parameter, parse_value


@dataclass(frozen=True)
class GapRule(Value, abstract=True):
    """A rule for tables with gaps."""

    def of(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Return the table without gaps, and which end of the scores is good in `attrs`.

        Raises InputError if nothing is left.
        """
        table = self._without_gaps(scores)
        if table.empty:
            raise InputError("expected a topic or system without gaps, found that all have gaps", str(self))
        return directed(table, good_of(scores))

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        raise NotImplementedError


@dataclass(frozen=True)
class KeepGaps(GapRule):
    """Each system over the topics that it has: means of two systems may be over different topics."""

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        return scores


@dataclass(frozen=True)
class LeaveTopicsOut(GapRule):
    """Only the topics that all systems have."""

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        return scores.dropna(axis="index")


@dataclass(frozen=True)
class LeaveSystemsOut(GapRule):
    """Only the systems that have all topics."""

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        return scores.dropna(axis="columns")


@dataclass(frozen=True)
class Fixed(GapRule):
    """A number, by default 0: a missing score counts as a failure.

    >>> Fixed().of(pd.DataFrame({"a": [0.5, float("nan")]}))["a"].tolist()
    [0.5, 0.0]
    """

    score: float = parameter(0.0, "score that replaces a missing one")

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        return scores.fillna(self.score)


def without_gaps(scores: pd.DataFrame, rule: GapRule | str) -> pd.DataFrame:
    """Remove the gaps of a table of topics x systems, by a rule or its text, such as "Fixed()"."""
    return gap_rule_of(rule).of(scores)


def gap_rule_of(text: GapRule | str) -> GapRule:
    """Parse a rule from its text; a rule is returned as it is. Raises InputError for a text that is not a rule."""
    rule: GapRule = text if isinstance(text, GapRule) else parse_value(text, GapRule)
    return rule


AGGREGATES: tuple[OverTopics, ...] = tuple(
    kind() for kind in (Mean, Median, GeometricMean, Standardised, WinRate, Borda, BradleyTerry)
)
GAP_RULES: tuple[GapRule, ...] = (KeepGaps(), LeaveTopicsOut(), LeaveSystemsOut(), Fixed())


def gap_effects(
    scores: pd.DataFrame,
    by: OverTopics | str = "Mean()",
    rules: Sequence[GapRule | str] = GAP_RULES,
    groups: Groups | None = None,
) -> pd.DataFrame:
    """Return the ranks of systems under each rule for gaps: systems x (missing, then the rules by their texts).

    `missing` is the number of gaps of a system. A rank is nan if the rule leaves the system out; a rule that leaves
    nothing, or that does not fit the table, has no column.

    >>> scores = pd.DataFrame({"a": [0.9, float("nan")], "b": [0.5, 0.5]})
    >>> gap_effects(scores, rules=["KeepGaps()", "Fixed()"]).values.tolist()
    [[1, 1, 2], [0, 2, 1]]
    """
    refuse_no_frame(scores)
    missing, asked = {"missing": scores.isna().sum()}, ((str(rule), by, rule) for rule in map(gap_rule_of, rules))
    return pd.DataFrame(missing | _ranks_under(scores, asked, groups), index=scores.columns)


def aggregate_effects(
    scores: pd.DataFrame,
    rules: Sequence[OverTopics | str] = AGGREGATES,
    gaps: GapRule | str = "KeepGaps()",
    groups: Groups | None = None,
) -> pd.DataFrame:
    """Return the rank of each system under each rule for topics: systems x rules, by their texts.

    If `rules` are not given and there are `groups`, the mean of group means is included. A rank is nan if a system has
    no score; a rule that does not fit the table has no column.

    >>> scores = pd.DataFrame({"a": [0.9, 0.1, 0.1], "b": [0.2, 0.2, 0.2], "c": [0.1, 0.1, 0.1]})
    >>> aggregate_effects(scores, ["Mean()", "Median()"]).loc[["a", "b"]].values.tolist()
    [[1, 2], [2, 1]]
    """
    refuse_no_frame(scores)
    listed = (*rules, ByGroup()) if groups and rules is AGGREGATES else rules
    asked = ((str(by), by, gap_rule_of(gaps)) for by in map(aggregate_of, listed))
    return pd.DataFrame(_ranks_under(scores, asked, groups), index=scores.columns)


def _ranks_under(
    scores: pd.DataFrame, asked: Iterable[tuple[str, OverTopics | str, GapRule]], groups: Groups | None
) -> dict[str, pd.Series]:
    """Return, by name, the ranks under each pair of rules (topics, gaps), without pairs that do not apply."""
    table = {}
    for name, by, rule in asked:
        try:
            table[name] = ranks(aggregate(rule.of(scores), by, groups).dropna())
        except InputError:
            continue
    return table
