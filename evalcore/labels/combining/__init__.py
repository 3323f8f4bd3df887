"""Few human labels, many of a model: what both together tell of the systems."""

from evalcore.labels.combining.combined import COMBINED, HUMAN, LINES, MODEL, Combined, TwoSources, combine
from evalcore.labels.combining.human_labels import HumanLabels, KeptLabels, read_labels

__all__ = [
    "COMBINED", "HUMAN", "LINES", "MODEL", "Combined", "HumanLabels", "KeptLabels", "TwoSources", "combine",
    "read_labels",
]  # fmt: skip
