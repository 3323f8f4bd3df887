"""Gaps: rules for missing scores of a system on a topic. Each rule is a value, and each has a cost.

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
        """Return the table without gaps, with its good end in `attrs`. Raises InputError if nothing is left."""
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
    """Remove the gaps of a table of topics x systems, by a rule or its text, such as `Fixed()`."""
    return gap_rule_of(rule).of(scores)


def gap_rule_of(text: GapRule | str) -> GapRule:
    """Parse the rule from its text."""
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
    """Ranks of systems under each rule for gaps: systems x (missing, then the rules by their texts).

    `missing` counts the gaps of a system. nan if a rule leaves the system out; a rule under which nothing is
    left, or that does not fit the table, has no column.

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
    """The rank of each system under each rule for topics: systems x rules, by their texts.

    Without named `rules`, the mean of the means of `groups` is one more, if there are any. nan of a system without any
    score; a rule that does not fit the table has no column.

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
    """The ranks under an aggregate and each rule for gaps, by the names of both; without rules that do not apply."""
    table = {}
    for name, by, rule in asked:
        try:
            table[name] = ranks(aggregate(rule.of(scores), by, groups).dropna())
        except InputError:
            continue
    return table
