"""Every weighting of the aspects and who wins there: the same wherever the weights stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore import figures
from evalcore.arrays import FloatArray, IntArray
from evalcore.explain.weightings import means_by_weighting, weightings
from evalcore.figures.style import Styles
from evalcore.meta import winners
from ui.aspect_weights.controls import Weighting
from ui.computing.measures import scores
from ui.widgets import handles


@dataclass(frozen=True)
class Ground:
    """What the aspects score alone, and combined under each weighting; and the picture of it."""

    page: Weighting
    part_scores: FloatArray  # aspects x systems x topics
    grid: FloatArray  # weightings x aspects
    means: pd.DataFrame  # weightings x systems
    firsts: IntArray  # of each weighting, which system wins
    figure: go.Figure | None  # a strip for two aspects, a triangle for three

    @classmethod
    def of(cls, page: Weighting, styles: Styles) -> Ground:
        collection = page.collection
        part_scores = np.array([scores(collection, part).to_numpy().T for part in page.parts])
        grid = weightings(len(page.aspects), page.steps)
        means = means_by_weighting(page.measure, collection.assessments, collection.rankings, grid, part_scores)
        firsts = means.columns.get_indexer(pd.Index(winners(means)))
        return cls(page, part_scores, grid, means, firsts, _drawn(page, means, styles))

    def figure_at(self, page: Weighting) -> go.Figure | None:
        """The picture with the weights of a page; for others than its own, only what moves with them."""
        if self.figure is None or page is self.page:
            return self.figure
        return figures.only_weights(self.figure, page.shares)


def _drawn(page: Weighting, means: pd.DataFrame, styles: Styles) -> go.Figure | None:
    if len(page.aspects) > 3:
        return None
    figure = figures.weight_map(means, page.shares, styles)
    return figure.update_layout(handles.offered([page.handle()]))
