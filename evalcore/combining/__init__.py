"""Few human labels, many of a model: what both together tell of the systems."""

from evalcore.combining.combined import COMBINED, HUMAN, LIKELIEST, LINES, MODEL, Combined, TwoSources, combine
from evalcore.combining.draws import hidden_draws
from evalcore.combining.human_labels import HumanLabels, KeptLabels, read_labels
from evalcore.combining.labels_filled_in import FilledLabels, filled_labels
from evalcore.combining.next_labels import AIMS, ORDERS, NextLabels, label_next, labelling_curve

__all__ = [
    "AIMS", "COMBINED", "HUMAN", "LIKELIEST", "LINES", "MODEL", "ORDERS", "Combined", "FilledLabels", "HumanLabels",
    "KeptLabels", "NextLabels", "TwoSources", "combine", "filled_labels", "hidden_draws", "label_next",
    "labelling_curve", "read_labels",
]  # fmt: skip
