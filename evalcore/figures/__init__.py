"""Frames -> plotly figures. A figure function draws and never computes a measure."""

from evalcore.errors import not_installed

try:
    import plotly  # noqa: F401
except ImportError:
    raise not_installed("plotly", "figures") from None

from evalcore.figures.comparison import bump, scatter
from evalcore.figures.credits import rank_credits
from evalcore.figures.discrimination import asl_curves, needed_strips, pair_matrix, topic_differences
from evalcore.figures.doubt import ranks_over_topics
from evalcore.figures.exercises import guessed_curve, guessed_number, guessed_option
from evalcore.figures.focused import document_map, nearness, rank_curves, recall_curves, setting_curves
from evalcore.figures.gains_and_power import baseline_gains, power_curves, variance_shares
from evalcore.figures.intervals import importance_bars, rank_intervals
from evalcore.figures.judge_effects import favours, noise_levels
from evalcore.figures.judges import confusion_matrix, topic_agreement
from evalcore.figures.lessons import (
    against_ideal,
    border_and_ranks,
    by_place,
    effort_and_gain,
    reading_depth,
    two_rankings,
)
from evalcore.figures.maps_of_settings import setting_maps
from evalcore.figures.matrix import cell_notes, correlation_heatmap, topic_correlations
from evalcore.figures.moving import motion, standalone
from evalcore.figures.navigation import effort_precision, gain_by_rank, spread, trail_lengths, walk_down, walk_map
from evalcore.figures.parts import discount_bars, gain_bars
from evalcore.figures.pool import assessed_by_depth, distribution, gain_curves, joint_grades
from evalcore.figures.pools import answers_of_parts, changes_without, contribution_bars, places_off, tau_of_parts
from evalcore.figures.scores import as_widget, on_white, score_bars, score_lines
from evalcore.figures.specification import specification_curve
from evalcore.figures.style import plain, system_styles
from evalcore.figures.thumbnails import difference_bars, first_places, small_matrix
from evalcore.figures.toma import class_weights, hasse, label_plane
from evalcore.figures.top_documents import label_sum_lines, zero_aspect_bars
from evalcore.figures.topic import ranked_lists, running_sums, topic_map
from evalcore.figures.topics import contributions, influences, left_out, shifts
from evalcore.figures.trajectory import rank_trajectories, standing_at, tau_along
from evalcore.figures.tuples import tuple_diagram, tuple_plane
from evalcore.figures.weights import bound_boxes, only_weights, weight_map, weight_strip, weight_triangle

__all__ = [
    "against_ideal",
    "answers_of_parts",
    "as_widget",
    "asl_curves",
    "assessed_by_depth",
    "baseline_gains",
    "border_and_ranks",
    "bound_boxes",
    "bump",
    "by_place",
    "cell_notes",
    "changes_without",
    "class_weights",
    "confusion_matrix",
    "contribution_bars",
    "contributions",
    "correlation_heatmap",
    "difference_bars",
    "favours",
    "first_places",
    "discount_bars",
    "distribution",
    "document_map",
    "effort_and_gain",
    "effort_precision",
    "gain_bars",
    "gain_by_rank",
    "gain_curves",
    "guessed_curve",
    "guessed_number",
    "guessed_option",
    "hasse",
    "importance_bars",
    "influences",
    "joint_grades",
    "label_plane",
    "on_white",
    "only_weights",
    "label_sum_lines",
    "left_out",
    "motion",
    "nearness",
    "noise_levels",
    "needed_strips",
    "pair_matrix",
    "places_off",
    "plain",
    "power_curves",
    "rank_credits",
    "rank_curves",
    "rank_intervals",
    "rank_trajectories",
    "standing_at",
    "ranked_lists",
    "ranks_over_topics",
    "reading_depth",
    "recall_curves",
    "running_sums",
    "scatter",
    "shifts",
    "setting_curves",
    "score_bars",
    "score_lines",
    "setting_maps",
    "small_matrix",
    "specification_curve",
    "spread",
    "standalone",
    "system_styles",
    "tau_along",
    "topic_agreement",
    "tau_of_parts",
    "topic_correlations",
    "topic_differences",
    "topic_map",
    "trail_lengths",
    "tuple_diagram",
    "tuple_plane",
    "two_rankings",
    "variance_shares",
    "walk_down",
    "walk_map",
    "weight_map",
    "weight_strip",
    "weight_triangle",
    "zero_aspect_bars",
]
