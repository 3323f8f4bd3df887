"""Combined estimates of the systems' scores from few human labels and many model labels."""

from evalcore.labels.combining.combined import COMBINED, HUMAN, LINES, MODEL, Combined, TwoSources, combine
from evalcore.labels.combining.human_labels import HumanLabels, KeptLabels, read_labels

__all__ = [
    "COMBINED", "HUMAN", "LINES", "MODEL", "Combined", "HumanLabels", "KeptLabels", "TwoSources", "combine",
    "read_labels",
]  # fmt: skip
