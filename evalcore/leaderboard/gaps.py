"""Gaps: what to do where a system has no score on a topic. Each rule is a value, and none is without a price.

Shapes: scores are topics x systems, nan where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray
from evalcore.direction import directed, good_of, upwards
from evalcore.errors import InputError
from evalcore.leaderboard.over_topics import Groups, OverTopics, WinRate, aggregate
from evalcore.meta.align import refuse_no_frame
from evalcore.meta.changes import ranks
from evalcore.notation.values import Value, parameter, parse_value


@dataclass(frozen=True)
class GapRule(Value, abstract=True):
    """What becomes of a table with gaps."""

    invents: ClassVar[bool] = False  # whether it fills them with what other scores let expect, which nobody has seen

    def of(self, scores: pd.DataFrame) -> pd.DataFrame:
        """The table without gaps, saying which end of it is good. Raises InputError where nothing is left."""
        turned = upwards(scores)
        table = self._without_gaps(turned)
        if table.empty:
            raise InputError("expected scores that are left, found none: every topic or system has a gap", str(self))
        return directed(-table if turned is not scores else table, good_of(scores))

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Of scores of which the high ones are good."""
        raise NotImplementedError


@dataclass(frozen=True)
class KeepGaps(GapRule):
    """Each system over the topics that it has: two means are then over other topics."""

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
    """A number, by default 0: who has no score has failed.

    >>> Fixed().of(pd.DataFrame({"a": [0.5, np.nan]}))["a"].tolist()
    [0.5, 0.0]
    """

    score: float = parameter(0.0, "what a gap counts")

    def of(self, scores: pd.DataFrame) -> pd.DataFrame:
        return directed(scores.fillna(self.score), good_of(scores))


@dataclass(frozen=True)
class WorstSeen(GapRule):
    """The worst score that any system has on the topic.

    >>> WorstSeen().of(pd.DataFrame({"a": [0.5], "b": [np.nan], "c": [0.2]})).loc[0].tolist()
    [0.5, 0.2, 0.2]
    """

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        seen = scores.dropna(how="all")
        return seen.T.fillna(seen.min(axis=1)).T


@dataclass(frozen=True)
class OwnMean(GapRule):
    """The system's own mean over the topics that it has; a system without any is left out.

    Raises InputError where it is no number, as scores of a system are infinite at both ends.

    >>> OwnMean().of(pd.DataFrame({"a": [0.2, 0.4, np.nan]}))["a"].round(12).tolist()
    [0.2, 0.4, 0.3]
    """

    invents = True

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        seen = scores.dropna(axis="columns", how="all")
        with np.errstate(invalid="ignore"):
            filled = seen.fillna(seen.mean())
        if filled.isna().to_numpy().any():
            raise InputError("expected scores with a mean, found infinite ones at both ends", str(self))
        return filled


@dataclass(frozen=True)
class ByRank(GapRule):
    """The quantile of the topic's scores at which the system stands on the topics that it has.

    Its place is the mean share of the others that it beats, ties half; between two scores the quantile is linear.

    >>> scores = pd.DataFrame({"a": [1.0, np.nan], "b": [0.5, 0.2], "c": [0.0, 0.1]})
    >>> ByRank().of(scores)["a"].tolist()
    [1.0, 0.2]
    """

    invents = True

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        seen = scores.dropna(how="all").dropna(axis="columns", how="all")
        values = seen.to_numpy(dtype=np.float64)
        beaten = WinRate().points(values)
        beaten[np.isnan(beaten) & ~np.isnan(values)] = 0.5  # alone on a topic
        place = np.nanmean(beaten, axis=0)
        filled = values.copy()
        for row in filled:
            gaps = np.isnan(row)
            row[gaps] = _quantiles(row[~gaps], place[gaps])
        if np.isnan(filled).any():
            raise InputError(
                "expected scores between which there are others, found infinite ones at both ends", str(self)
            )
        return pd.DataFrame(filled, index=seen.index, columns=seen.columns)


def _quantiles(scores: FloatArray, shares: FloatArray) -> FloatArray:
    """Linear quantiles; between two infinite scores of one sign theirs, between both infinities nan."""
    with np.errstate(invalid="ignore"):
        between = np.quantile(scores, shares)
    low = np.quantile(scores, shares, method="lower")
    return np.where(low == np.quantile(scores, shares, method="higher"), low, between)


@dataclass(frozen=True)
class TwoWay(GapRule):
    """m + a_s + b_t, the sum of an effect of the system and one of the topic that fits the known scores best.

    By least squares, as in the two-way analysis of variance (Tague-Sutcliffe and Blustein 1995). Of systems that share
    no topic, not even by way of others, the effects cannot be compared: InputError.

    >>> scores = pd.DataFrame({"a": [0.5, np.nan], "b": [0.3, 0.1]})
    >>> TwoWay().of(scores)["a"].round(12).tolist()
    [0.5, 0.3]
    """

    invents = True

    def _without_gaps(self, scores: pd.DataFrame) -> pd.DataFrame:
        seen = scores.dropna(how="all").dropna(axis="columns", how="all")
        values = seen.to_numpy(dtype=np.float64)
        if np.isinf(values).any():
            raise InputError("expected finite scores, found an infinite one", str(self))
        if seen.empty:
            return seen
        return seen.fillna(pd.DataFrame(additive_fit(values), index=seen.index, columns=seen.columns))


def additive_fit(scores: FloatArray) -> FloatArray:
    """(T, S) the least-squares fit of an effect of the topic plus one of the system to the scores that are there.

    The effects of the longer side are solved for those of the shorter one, so that a small system of equations is left.
    """
    if scores.shape[0] > scores.shape[1]:
        return additive_fit(scores.T).T
    there = ~np.isnan(scores)
    known, of_column = np.where(there, scores, 0.0), there.sum(axis=0)
    share = there / of_column
    left = np.diag(there.sum(axis=1).astype(float)) - share @ there.T
    if np.linalg.matrix_rank(left) < len(left) - 1:
        raise InputError("expected systems that share topics, found some that share none with the others", "TwoWay()")
    rows = np.linalg.lstsq(left, known.sum(axis=1) - share @ known.sum(axis=0), rcond=None)[0]
    columns = (known.sum(axis=0) - there.T @ rows) / of_column
    return np.asarray(rows[:, None] + columns)


def without_gaps(scores: pd.DataFrame, rule: GapRule | str) -> pd.DataFrame:
    """A table of topics x systems without gaps, by a rule or its text, such as `WorstSeen()`."""
    return gap_rule_of(rule).of(scores)


def gap_rule_of(text: GapRule | str) -> GapRule:
    """The rule that a text says."""
    rule: GapRule = text if isinstance(text, GapRule) else parse_value(text, GapRule)
    return rule


GAP_RULES: tuple[GapRule, ...] = (
    KeepGaps(), LeaveTopicsOut(), LeaveSystemsOut(), OwnMean(), Fixed(), WorstSeen(), ByRank(), TwoWay(),
)  # fmt: skip


def gap_effects(
    scores: pd.DataFrame,
    by: OverTopics | str = "Mean()",
    rules: Sequence[GapRule | str] = GAP_RULES,
    groups: Groups | None = None,
) -> pd.DataFrame:
    """The rank of each system under each rule for gaps: systems x (missing, then the rules by their texts).

    `missing` is how many of its cells are gaps. nan where a rule leaves the system out; a rule under which nothing is
    left, or that does not fit the table, has no column.

    >>> scores = pd.DataFrame({"a": [0.9, np.nan], "b": [0.5, 0.5]})
    >>> gap_effects(scores, rules=["KeepGaps()", "Fixed()"]).values.tolist()
    [[1, 1, 2], [0, 2, 1]]
    """
    refuse_no_frame(scores)
    table = {"missing": scores.isna().sum()}
    for rule in map(gap_rule_of, rules):
        try:
            means = aggregate(rule.of(scores), by, groups)
        except InputError:
            continue
        table[str(rule)] = ranks(means.dropna())
    return pd.DataFrame(table, index=scores.columns)
