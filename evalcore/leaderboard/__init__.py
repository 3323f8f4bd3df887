"""Tables of systems x topics (models x tasks): one number for each, gaps, who differs, what was reproduced."""

from evalcore.leaderboard.gaps import GAP_RULES, GapRule, gap_effects, gap_rule_of, without_gaps
from evalcore.leaderboard.mean_ranks import CriticalDifference, critical_difference
from evalcore.leaderboard.over_topics import OverTopics, aggregate, aggregate_intervals, aggregate_of
from evalcore.leaderboard.pairwise import strengths, wins
from evalcore.leaderboard.reproducing import Reproduction, reproduction
from evalcore.leaderboard.table import by_group, letters, standings, win_shares

__all__ = [
    "GAP_RULES", "CriticalDifference", "GapRule", "OverTopics", "Reproduction", "aggregate", "aggregate_intervals",
    "aggregate_of", "by_group", "critical_difference", "gap_effects", "gap_rule_of", "letters", "reproduction",
    "standings", "strengths", "win_shares", "wins", "without_gaps",
]  # fmt: skip
