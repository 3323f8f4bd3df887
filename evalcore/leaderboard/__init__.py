"""Tables of systems x topics (models x tasks): one number for each system, gaps, pairwise wins."""

from evalcore.leaderboard.gaps import GAP_RULES, GapRule, gap_effects, gap_rule_of, without_gaps
from evalcore.leaderboard.over_topics import OverTopics, aggregate, aggregate_intervals, aggregate_of
from evalcore.leaderboard.pairwise import strengths, wins
from evalcore.leaderboard.table import by_group, standings, win_shares

__all__ = [
    "GAP_RULES", "GapRule", "OverTopics", "aggregate", "aggregate_intervals", "aggregate_of", "by_group",
    "gap_effects", "gap_rule_of", "standings", "strengths", "win_shares", "wins", "without_gaps",
]  # fmt: skip
