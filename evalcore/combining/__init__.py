"""Few human labels, many of a model: what both together tell of the systems."""

from evalcore.combining.combined import COMBINED, HUMAN, LINES, MODEL, Combined, TwoSources, combine
from evalcore.combining.draws import hidden_draws
from evalcore.combining.human_labels import HumanLabels, hidden_but, read_labels

__all__ = [
    "COMBINED",
    "HUMAN",
    "LINES",
    "MODEL",
    "Combined",
    "HumanLabels",
    "TwoSources",
    "combine",
    "hidden_but",
    "hidden_draws",
    "read_labels",
]
