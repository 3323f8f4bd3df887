"""Several sources of labels for the same documents: how far they agree, and what that does to scores and rankings."""

from evalcore.constants import COEFFICIENTS, WAYS
from evalcore.judges.agreement import Agreement, source_agreement
from evalcore.judges.effects import disagreements, swapped_cell
from evalcore.judges.error_parts import judge_errors
from evalcore.judges.favouring import Favour, favour
from evalcore.judges.noise import Noise, NoiseCurve, Way, noise_curve
from evalcore.judges.ranking import SourceRankings, given_sources, read_sources, source_rankings
from evalcore.judges.reranking import circularity, reranked
from evalcore.judges.top import top_agreement

__all__ = [
    "COEFFICIENTS", "WAYS", "Agreement", "Favour", "Noise", "NoiseCurve", "SourceRankings", "Way",
    "circularity", "disagreements", "favour", "given_sources", "judge_errors", "noise_curve",
    "read_sources", "reranked", "source_agreement", "source_rankings", "swapped_cell",
    "top_agreement",
]  # fmt: skip
