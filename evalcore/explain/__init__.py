"""Explanations of a score: its arithmetic, rank by rank, upper bounds, weights of aspects, and what-if changes."""

from evalcore.explain.bounds import upper_bounds
from evalcore.explain.rank_by_rank import largest_gap, read_down
from evalcore.explain.top_documents import cut_rankings, label_sums_by_rank, zero_aspect_documents

__all__ = ["cut_rankings", "label_sums_by_rank", "largest_gap", "read_down", "upper_bounds", "zero_aspect_documents"]
