"""Several sources of labels for the same documents: how far they agree, and what that does to scores and rankings."""

from evalcore.judges.agreement import COEFFICIENTS, Agreement, agreement
from evalcore.judges.disagreements import disagreements, swapped_cell

__all__ = ["COEFFICIENTS", "Agreement", "agreement", "disagreements", "swapped_cell"]
