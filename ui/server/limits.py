"""Limits on costly requests of one visitor, which protect the other visitors; $EVALCORE_LIMITS changes them."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from evalcore.limits import Limits, limit

MB = 10**6


def half_of_memory() -> float:
    """Return half of this machine's memory in MB; inf if unknown."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2 // MB)
    except (AttributeError, OSError, ValueError):
        return math.inf


@dataclass(frozen=True)
class AppLimits(Limits):
    """Limits of the app on measures, computations, memory and tables, with their defaults."""

    values: float = limit(250, "numbers and names in a measure", "numbers and names in the text of a measure")
    parts: float = limit(40, "measures in a measure", "measures that a measure such as CAM combines")
    parameters: float = limit(20, "parameters varied at once", "parameters varied at once")
    tests: float = limit(1e10, "tests of a pair in a resample", "resamples x pairs of systems x measures")
    memory: float = limit(1000, "MB for the results", "estimated MB of results and resamples")
    opening: float = limit(half_of_memory(), "MB to open files", "MB for a separate process that reads a large upload")
    seconds: float = limit(600, "seconds of work", "seconds after which a computation is stopped")
    ask: float = limit(30, "seconds unasked", "seconds of work that may start without the visitor's consent")
    path: float = limit(
        0.25,
        "seconds for a slider",
        "seconds at a time to draw positions of a slider in advance; 0: draw only on release",
        zero=True,
    )
    rows: float = limit(20_000, "rows of a table", "rows shown of a table; downloads have all rows")
    screens: float = limit(500, "MB of views seen before", "MB of views kept so that they reopen immediately")
    computations: float = limit(
        max((os.cpu_count() or 2) - 1, 1), "long computations at once", "long computations at once; others wait"
    )


LIMITS = AppLimits().changed(os.environ.get("EVALCORE_LIMITS", ""), "EVALCORE_LIMITS")
