"""Every weighting of the aspects and who wins there: the same wherever the weights stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from evalcore.arrays import FloatArray, IntArray
from evalcore.explain.weightings import means_by_weighting, weightings
from evalcore.meta import best_first, winners
from ui.aspect_weights.controls import Weighting
from ui.widgets.measures import scores

NAMED, APART = 4, 20  # how many of the best have a line in the strip: those at every 20th weighting


@dataclass(frozen=True)
class Ground:
    """What the aspects score alone, and combined under each weighting."""

    part_scores: FloatArray  # aspects x systems x topics
    grid: FloatArray  # weightings x aspects
    means: pd.DataFrame  # weightings x systems
    firsts: IntArray  # of each weighting, which system wins

    @classmethod
    def of(cls, page: Weighting) -> Ground:
        collection = page.collection
        part_scores = np.array([scores(collection, part).to_numpy().T for part in page.parts])
        grid = weightings(len(page.aspects), page.steps)
        means = means_by_weighting(page.measure, collection.assessments, collection.rankings, grid, part_scores)
        return cls(part_scores, grid, means, means.columns.get_indexer(pd.Index(winners(means))))

    @property
    def in_front(self) -> list[str]:
        """The systems that win somewhere, then those that are among the best."""
        some = self.means.iloc[::APART]
        best = [name for at in range(len(some)) for name in best_first(some.iloc[at]).index[:NAMED]]
        return list(dict.fromkeys([*self.means.columns[np.unique(self.firsts)], *best]))
