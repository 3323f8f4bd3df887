"""What was measured of something that the product claims, and how that is written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scipy.stats import binomtest

Kind = Literal["covers", "errs", "finds"]


@dataclass(frozen=True)
class Subject:
    """One thing that the product says: what it claims, how it is computed, where it is shown."""

    name: str  # "Rank interval of one system"
    claim: str  # what is claimed, a sentence
    method: str  # how it is computed, with its source
    kind: Kind  # whether the share is one of intervals that cover the truth, of wrong decisions, or of right ones
    nominal: float  # .95 of intervals, .05 of wrong decisions; of right ones 1


@dataclass(frozen=True)
class Measured:
    """In how many of some trials an interval covered the truth, or a decision was wrong."""

    subject: Subject
    population: str
    systems: int
    topics: int
    what: str  # "the best", "the median", or ""
    times: int
    trials: int  # in which there was an answer
    refused: int = 0  # trials in which there was none, as the product says that it cannot be said
    width: float = float("nan")  # mean width of the intervals
    before: float = float("nan")  # the same share of what was there before, where that was measured
    width_before: float = float("nan")

    @property
    def share(self) -> float:
        return self.times / self.trials if self.trials else float("nan")

    @property
    def bounds(self) -> tuple[float, float]:
        """The exact binomial 99% interval of the share (Clopper, Pearson 1934)."""
        if not self.trials:
            return 0.0, 1.0
        interval = binomtest(self.times, self.trials).proportion_ci(0.99, method="exact")
        return float(interval.low), float(interval.high)
