"""Pools: the systems that contributed each assessed document, and the ranking without some of the assessments."""

from evalcore.explain.unassessed import Place, place, unassessed_table
from evalcore.labels.pools.depth_of_pool import PoolDepth, pool_depth
from evalcore.labels.pools.reduced_pools import with_assessed
from evalcore.labels.pools.rescoring import Rescored, rescored
from evalcore.labels.pools.selections import Selections, Without, only_by, top_documents, without_groups
from evalcore.labels.pools.team_names import Teams, team_columns, teams
from evalcore.labels.pools.trust_in_places import off_by, own_moves, trust_in_words, without_table

__all__ = [
    "Place", "PoolDepth", "Rescored", "Selections", "Teams", "Without",
    "off_by", "only_by", "own_moves", "place", "pool_depth", "rescored",
    "team_columns", "teams", "top_documents", "trust_in_words", "unassessed_table",
    "with_assessed", "without_groups", "without_table",
]  # fmt: skip
