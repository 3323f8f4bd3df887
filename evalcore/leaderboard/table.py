"""The leaderboard: one score for each system, its interval, and the number of missing scores."""

from __future__ import annotations

import pandas as pd

from evalcore.direction import directed, good_of
from evalcore.leaderboard.gaps import GapRule, gap_rule_of
from evalcore.leaderboard.over_topics import ByGroup, Groups, OverTopics, aggregate_intervals, aggregate_of
from evalcore.meta.align import refuse_no_frame
from evalcore.meta.changes import best_first, ranks


def standings(
    scores: pd.DataFrame,
    by: OverTopics | str = "Mean()",
    gaps: GapRule | str = "KeepGaps()",
    groups: Groups | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Tabulate systems, best first: estimate, low, high, error (`aggregate_intervals`), rank, number of missing scores.

    A system without any score has neither an estimate nor a rank, and comes last. Raises InputError as the rules for
    topics and for gaps do.

    >>> scores = pd.DataFrame({"a": [0.2, 0.4], "b": [0.5, float("nan")]})
    >>> standings(scores, gaps="Fixed()")[["estimate", "rank", "missing"]].round(6).values.tolist()
    [[0.3, 1.0, 0.0], [0.25, 2.0, 1.0]]
    """
    refuse_no_frame(scores)
    table = aggregate_intervals(gap_rule_of(gaps).of(scores), by, groups, level)
    estimate = directed(table["estimate"].dropna(), good_of(table))
    table = table.assign(rank=ranks(estimate), missing=scores.isna().sum().reindex(table.index))
    order = [*best_first(estimate).index, *table.index[table["estimate"].isna()]]
    return directed(table.loc[order].rename_axis("system"), good_of(estimate))


def by_group(
    scores: pd.DataFrame, groups: Groups, by: OverTopics | str = "Mean()", gaps: GapRule | str = "KeepGaps()"
) -> pd.DataFrame:
    """Return the results of `by` in each group of topics, as systems x groups, after applying the rule for gaps.

    If `by` is ByGroup, its rule `within` is used. Raises InputError as `ByGroup` does.

    >>> scores = pd.DataFrame({"a": [0.0, 0.2, 0.9]}, index=["t1", "t2", "t3"])
    >>> by_group(scores, {"t1": "web", "t2": "web", "t3": "news"}).round(3).loc["a"].to_dict()
    {'web': 0.1, 'news': 0.9}
    """
    rule = aggregate_of(by)
    inside = rule.within if isinstance(rule, ByGroup) else rule
    table = ByGroup(inside).by_group(gap_rule_of(gaps).of(scores), groups)
    return directed(table.T.rename_axis("system"), good_of(table))
