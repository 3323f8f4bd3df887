"""Scores as arrays, for what prints them as text: pandas takes longer to import than they take to compute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.later import pd

if TYPE_CHECKING:
    from evalcore.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Plain:
    """Scores of a measure: of each system, on each topic; nan is none."""

    topics: Sequence[str]
    systems: Sequence[str]
    scores: FloatArray  # (S, T)

    @staticmethod
    def of(frame: pd.DataFrame) -> Plain:
        """Those of a frame of topics x systems."""
        return Plain(list(map(str, frame.index)), list(frame.columns), frame.to_numpy().T)

    def mean(self, system: str) -> float:
        """The mean over the topics that have a score, summed as pandas does; nan where none has."""
        row = self.scores[self.systems.index(system)]
        known = row == row
        return float(row.sum(where=known) / known.sum()) if known.any() else float("nan")

    def by_topic(self, system: str) -> Iterator[tuple[str, float]]:
        """The score of each topic that has one."""
        row = self.scores[self.systems.index(system)].tolist()
        return ((topic, score) for topic, score in zip(self.topics, row, strict=True) if score == score)
