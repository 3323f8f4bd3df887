"""Effort-precision and gain-recall with a probabilistic navigation model, and the measures related to them.

A module is imported when a name of it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.navigation.effort_precision import ECG, EffortTo, InverseEffort, MAep, ep, gr, methods
    from evalcore.navigation.models import Both, Browse, NavigationModel, ReadOn, Scroll, Stay, Walk
    from evalcore.navigation.related import EPRUM, PRUM, ExpectedRatio
    from evalcore.navigation.worth import Effort, GivenGain, Specificity

__all__ = [
    "ECG", "EPRUM", "PRUM", "Both", "Browse", "Effort", "EffortTo", "ExpectedRatio", "GivenGain", "InverseEffort",
    "MAep", "NavigationModel", "ReadOn", "Scroll", "Specificity", "Stay", "Walk", "ep", "gr", "methods",
]  # fmt: skip

_NAMES = {
    "evalcore.navigation.effort_precision": "ECG EffortTo InverseEffort MAep ep gr methods",
    "evalcore.navigation.models": "Both Browse NavigationModel ReadOn Scroll Stay Walk",
    "evalcore.navigation.related": "EPRUM PRUM ExpectedRatio",
    "evalcore.navigation.worth": "Effort GivenGain Specificity",
}

if not TYPE_CHECKING:
    from evalcore.common.later import names_from

    __getattr__ = names_from(_NAMES, globals())

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
