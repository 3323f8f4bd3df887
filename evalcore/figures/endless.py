"""Infinite scores in a figure: they stand beyond all others, on a line of their own that says ∞."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from evalcore.direction import Scored
from evalcore.figures import draw
from evalcore.figures.style import LINE

ROOM = 0.1  # from the last finite score to the infinite ones, as a share of the axis


def score_text(value: float, digits: int = 4, sign: str = "") -> str:
    """A score for reading; `sign` "+" shows the sign of a difference.

    >>> score_text(0.5), score_text(float("inf")), score_text(-1.0, 2, "+"), score_text(float("nan"))
    ('0.5000', '∞', '-1.00', 'none')
    """
    return "none" if np.isnan(value) else f"{value:{sign}.{digits}f}".replace("inf", "∞")


@dataclass(frozen=True)
class Ends:
    """An axis of scores: where it holds those that are infinite, and whether there are such."""

    low: float
    high: float
    below: bool
    above: bool

    @classmethod
    def of(cls, *scores: pd.Series | pd.DataFrame) -> Ends:
        """The axis that holds all of these."""
        values = np.concatenate([np.asarray(score, dtype=np.float64).ravel() for score in scores])
        low, high = draw.ends(values, room=ROOM)
        return cls(low, high, bool((values == -np.inf).any()), bool((values == np.inf).any()))

    @property
    def used(self) -> bool:
        return self.below or self.above

    def place(self, scores: Scored) -> Scored:
        """Scores as they are drawn, all finite.

        >>> Ends.of(pd.Series([0.0, 1.0, np.inf])).place(pd.Series([0.5, np.inf])).tolist()
        [0.5, 1.1]
        """
        if not self.used:
            return scores  # as nearly always, and the rest is felt at every move of a slider
        return scores.mask(scores == np.inf, self.high).mask(scores == -np.inf, self.low)

    def lines(self, side: Literal["x", "y"]) -> list[draw.Part]:
        """The lines on which infinite scores stand, across the figure."""
        line = {"x": draw.upright, "y": draw.level}[side]
        return [line(at, dash="dash") | {"layer": "below"} for at, _ in self._marks()]

    def names(self, side: Literal["x", "y"]) -> list[draw.Part]:
        """∞ at the end of each line."""
        font = {"size": 15, "color": LINE}
        if side == "x":
            return [draw.note(text, at, 1, "auto bottom", font=font) for at, text in self._marks()]
        return [draw.note(text, 1, at, "right bottom", "x", font=font) for at, text in self._marks()]

    def _marks(self) -> list[tuple[float, str]]:
        return [(self.low, "−∞")] * self.below + [(self.high, "∞")] * self.above
