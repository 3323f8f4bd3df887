"""Plotly figures of frames. A figure function draws and never computes a measure."""

from typing import TYPE_CHECKING

from evalcore.errors import not_installed

try:
    import plotly
except ImportError:
    raise not_installed("plotly", "figures") from None

from evalcore.common.lazy_imports import names_from
from evalcore.figures.comparison import bump, scatter
from evalcore.figures.discrimination import asl_curves, pair_matrix, topic_differences
from evalcore.figures.intervals import ranks_over_topics
from evalcore.figures.lessons import (
    against_ideal,
    border_and_ranks,
    by_place,
    effort_and_gain,
    reading_depth,
    two_rankings,
)
from evalcore.figures.maps_of_settings import WINNERS, setting_maps
from evalcore.figures.matrix import cell_notes, correlation_heatmap
from evalcore.figures.parts import discount_bars, gain_bars, gain_curves
from evalcore.figures.power import power_curves
from evalcore.figures.scores import on_white, score_bars, score_lines
from evalcore.figures.style import measure_title, plain, system_styles
from evalcore.figures.toma import label_plane
from evalcore.figures.top_documents import label_sum_lines, zero_aspect_bars
from evalcore.figures.topic import ranked_lists, running_sums, subtopics_met
from evalcore.figures.topics import shifts
from evalcore.figures.trajectory import rank_trajectories, standing_at
from evalcore.figures.tuples import tuple_plane
from evalcore.figures.weights import bound_boxes, only_weights, weight_map, weight_strip, weight_triangle
from evalcore.subjects import added, names_in

__all__ = [
    "WINNERS", "against_ideal", "asl_curves", "border_and_ranks", "bound_boxes",
    "bump", "by_place", "cell_notes", "correlation_heatmap",
    "discount_bars", "effort_and_gain", "gain_bars", "gain_curves",
    "label_plane", "label_sum_lines", "measure_title", "on_white",
    "only_weights", "pair_matrix", "plain", "power_curves", "rank_trajectories",
    "ranked_lists", "ranks_over_topics", "reading_depth", "running_sums", "scatter", "score_bars",
    "score_lines", "setting_maps", "shifts", "standing_at", "subtopics_met", "system_styles",
    "topic_differences", "tuple_plane",
    "two_rankings", "weight_map", "weight_strip", "weight_triangle", "zero_aspect_bars",
]  # fmt: skip

if TYPE_CHECKING:  # what subjects add, for type checkers
    from evalcore.claims.figures import option_shares, specification_curve
    from evalcore.focused.figures import document_map, nearness, rank_curves, recall_curves, setting_curves
    from evalcore.labels.figures.combined import combined_scores
    from evalcore.labels.figures.judge_effects import noise_levels
    from evalcore.labels.figures.judges import confusion_matrix, top_lines, topic_agreement
    from evalcore.labels.figures.pool import (
        assessed_by_depth,
        changes_without,
        distribution,
        joint_grades,
        tau_of_parts,
    )
    from evalcore.leaderboard.figures import standing_lines
    from evalcore.navigation.figures import (
        arrivals,
        effort_precision,
        gain_against_effort,
        normal_beside_exact,
        spread,
        trail_lengths,
        walk_down,
        walk_map,
    )
    from evalcore.teaching.figures import guessed_curve, guessed_number, guessed_option, leads_drawn

    __all__ += [
        "arrivals", "assessed_by_depth", "changes_without", "combined_scores", "confusion_matrix",
        "distribution", "document_map", "effort_precision", "gain_against_effort",
        "guessed_curve", "guessed_number", "guessed_option", "joint_grades", "leads_drawn",
        "nearness", "noise_levels", "normal_beside_exact", "option_shares", "rank_curves", "recall_curves",
        "setting_curves",
        "specification_curve", "spread", "standing_lines", "tau_of_parts", "top_lines", "topic_agreement",
        "trail_lengths", "walk_down", "walk_map",
    ]  # fmt: skip
else:
    __all__ += names_in(added("figures"))
    __getattr__ = names_from(added("figures"), globals())
