"""Whose labels? What another judge's labels do to scores and to the ranking of systems."""

from evalcore.judges.favour import Favour, favour
from evalcore.judges.noise import WAYS, Noise, NoiseCurve, Way, noise_curve
from evalcore.judges.ranking import SourceRankings, given_sources, read_sources, source_rankings

__all__ = [
    "WAYS",
    "Favour",
    "Noise",
    "NoiseCurve",
    "SourceRankings",
    "Way",
    "favour",
    "given_sources",
    "noise_curve",
    "read_sources",
    "source_rankings",
]
