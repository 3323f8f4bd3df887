"""Frames -> plotly figures. A figure function draws and never computes a measure."""

from evalcore.figures.comparison import bump, scatter
from evalcore.figures.credits import rank_credits
from evalcore.figures.focused import document_map, nearness, rank_curves, recall_curves, setting_curves
from evalcore.figures.parts import discount_bars, gain_bars
from evalcore.figures.pool import assessed_by_depth, distribution, gain_curves, joint_grades
from evalcore.figures.style import plain, system_styles
from evalcore.figures.thumbnails import difference_bars, small_matrix
from evalcore.figures.toma import class_weights, hasse, label_plane
from evalcore.figures.weights import bound_boxes, weight_strip, weight_triangle

__all__ = [
    "assessed_by_depth",
    "bound_boxes",
    "bump",
    "class_weights",
    "difference_bars",
    "discount_bars",
    "distribution",
    "document_map",
    "gain_bars",
    "gain_curves",
    "hasse",
    "joint_grades",
    "label_plane",
    "nearness",
    "plain",
    "rank_credits",
    "rank_curves",
    "recall_curves",
    "scatter",
    "small_matrix",
    "setting_curves",
    "system_styles",
    "weight_strip",
    "weight_triangle",
]
