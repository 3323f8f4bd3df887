"""Tables of systems x topics (models x tasks): one score for each system, missing scores, pairwise wins.

A module is imported when one of its names is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.leaderboard.gaps import GAP_RULES, GapRule, aggregate_effects, gap_effects, gap_rule_of, without_gaps
    from evalcore.leaderboard.over_topics import OverTopics, aggregate, aggregate_intervals, aggregate_of
    from evalcore.leaderboard.pairwise import strengths, wins
    from evalcore.leaderboard.table import by_group, standings

__all__ = [
    "GAP_RULES", "GapRule", "OverTopics", "aggregate", "aggregate_effects", "aggregate_intervals", "aggregate_of",
    "by_group", "gap_effects", "gap_rule_of", "standings", "strengths", "wins", "without_gaps",
]  # fmt: skip

_NAMES = {
    "evalcore.leaderboard.gaps": "GAP_RULES GapRule aggregate_effects gap_effects gap_rule_of without_gaps",
    "evalcore.leaderboard.over_topics": "OverTopics aggregate aggregate_intervals aggregate_of",
    "evalcore.leaderboard.pairwise": "strengths wins",
    "evalcore.leaderboard.table": "by_group standings",
}

if not TYPE_CHECKING:
    from evalcore.common.lazy_imports import names_from

    __getattr__ = names_from(_NAMES, globals())

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
