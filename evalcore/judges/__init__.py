"""Several sources of labels for the same documents: how far they agree, and what that does to scores and rankings."""

from evalcore.judges.agreement import COEFFICIENTS, Agreement, source_agreement
from evalcore.judges.effects import disagreements, swapped_cell

__all__ = ["COEFFICIENTS", "Agreement", "disagreements", "source_agreement", "swapped_cell"]
