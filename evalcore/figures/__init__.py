"""Frames -> plotly figures. A figure function draws and never computes a measure."""

from evalcore.figures.comparison import bump, scatter
from evalcore.figures.credits import rank_credits
from evalcore.figures.parts import discount_bars, gain_bars
from evalcore.figures.pool import assessed_by_depth, distribution, gain_curves, joint_grades
from evalcore.figures.style import plain, system_styles
from evalcore.figures.toma import class_weights, hasse, label_plane
from evalcore.figures.weights import bound_boxes, weight_strip, weight_triangle

__all__ = [
    "assessed_by_depth",
    "bound_boxes",
    "bump",
    "class_weights",
    "discount_bars",
    "distribution",
    "gain_bars",
    "gain_curves",
    "hasse",
    "joint_grades",
    "label_plane",
    "plain",
    "rank_credits",
    "scatter",
    "system_styles",
    "weight_strip",
    "weight_triangle",
]
