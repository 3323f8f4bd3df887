"""Effort-precision and gain-recall with a probabilistic navigation model, and the measures related to them."""

from evalcore.measures.navigation.measures import ECG, EffortTo, InverseEffort, MAep, ep, gr, methods
from evalcore.measures.navigation.models import Both, Browse, NavigationModel, ReadOn, Scroll, Stay, Walk
from evalcore.measures.navigation.related import EPRUM, PRUM, ExpectedRatio
from evalcore.measures.navigation.worth import Effort, GivenGain, Specificity

__all__ = [
    "ECG", "EPRUM", "PRUM", "Both", "Browse", "Effort", "EffortTo", "ExpectedRatio", "GivenGain", "InverseEffort",
    "MAep", "NavigationModel", "ReadOn", "Scroll", "Specificity", "Stay", "Walk", "ep", "gr", "methods",
]  # fmt: skip
