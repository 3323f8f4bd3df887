"""Rules for gaps, that is, missing scores of systems on topics; each rule has its own drawback.

Scores are topics x systems; a missing score is nan.
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
    """A rule for missing scores in a table of topics x systems."""

    def of(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Return the table that the rule makes of the scores; its `attrs` say whether high or low scores are good.

        Raises InputError if no scores are left.
        """
        table = self._without_gaps(scores)
        if table.empty:
            raise InputError("expected a topic or system without gaps, found none", str(self))
        return directed(table, good_of(scores))

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        raise NotImplementedError


@dataclass(frozen=True)
class KeepGaps(GapRule):
    """Keep the gaps: each system is scored on its own topics, so two means may be over different topics."""

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        return scores


@dataclass(frozen=True)
class LeaveTopicsOut(GapRule):
    """Keep only the topics on which all systems have scores."""

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        return scores.dropna(axis="index")


@dataclass(frozen=True)
class LeaveSystemsOut(GapRule):
    """Keep only the systems that have scores on all topics."""

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        return scores.dropna(axis="columns")


@dataclass(frozen=True)
class Fixed(GapRule):
    """Replace each missing score by a number; with 0, the default, it counts as a failure.

    >>> Fixed().of(pd.DataFrame({"a": [0.5, float("nan")]}))["a"].tolist()
    [0.5, 0.0]
    """

    score: float = parameter(0.0, "score that replaces a missing one")

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        return scores.fillna(self.score)


def without_gaps(scores: pd.DataFrame, rule: GapRule | str) -> pd.DataFrame:
    """Return a table of topics x systems after applying a rule for gaps: an object, or text such as "Fixed()"."""
    return gap_rule_of(rule).of(scores)


def gap_rule_of(text: GapRule | str) -> GapRule:
    """Parse a rule from text; a rule object is returned unchanged. Raises InputError for text that is not a rule."""
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
    """Return the ranks of systems under each rule for gaps: a row for each system, a column for each rule.

    The first column, `missing`, is the number of gaps of a system; each other column is named by the text of its rule.
    A rank is nan if the rule leaves the system out; a rule that leaves nothing, or that does not fit the table, has no
    column.

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
    """Return the rank of each system under each rule that combines topics: a frame of systems x rules (as text).

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
    """Map the name of each pair of rules (for topics, for gaps) to the ranks; pairs that do not fit are left out."""
    table = {}
    for name, by, rule in asked:
        try:
            table[name] = ranks(aggregate(rule.of(scores), by, groups).dropna())
        except InputError:
            continue
    return table
