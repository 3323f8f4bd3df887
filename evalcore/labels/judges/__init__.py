"""Several sources of labels for the same documents: their agreement, and its effect on scores and rankings."""

from evalcore.common.constants import COEFFICIENTS, WAYS
from evalcore.labels.judges.agreement import Agreement, disagreements, source_agreement
from evalcore.labels.judges.noise import Noise, NoiseCurve, Way, noise_curve
from evalcore.labels.judges.ranking import SourceRankings, given_sources, read_sources, source_rankings
from evalcore.labels.judges.top_systems import top_agreement

__all__ = [
    "COEFFICIENTS", "WAYS", "Agreement", "Noise", "NoiseCurve", "SourceRankings", "Way", "disagreements",
    "given_sources", "noise_curve", "read_sources", "source_agreement", "source_rankings",
    "top_agreement",
]  # fmt: skip
