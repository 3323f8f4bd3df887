"""The measure at each of many settings, made one by one: thousands of them are never held at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalcore.arrays import FloatArray
from evalcore.measures.base import Measure
from evalcore.measures.paths import with_paths
from evalcore.shown import shown


@shown
@dataclass(frozen=True, eq=False)
class Variants:
    """A measure with the numbers at D paths set to each row of `settings`, (N, D)."""

    measure: Measure
    paths: Sequence[str]
    settings: FloatArray

    def __len__(self) -> int:
        return len(self.settings)

    def __iter__(self) -> Iterator[Measure]:
        """Make one after the other. Raises InputError for an unknown path or a number out of its range."""
        for row in self.settings:
            yield with_paths(self.measure, dict(zip(self.paths, row.tolist(), strict=True)))
