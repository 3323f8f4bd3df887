"""Every weighting of the aspects and its winner; these do not depend on the chosen weights."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from evalcore import figures
from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.explain.weightings import means_by_weighting, weightings
from evalcore.figures.style import Styles
from evalcore.meta import winners
from ui.address import families
from ui.aspect_weights.weighting import Weighting
from ui.screen.calls import Call, call, line, record
from ui.widgets import handles


@dataclass(frozen=True, eq=False)
class Ground:
    """Scores of each aspect, their means under every weighting, and the figure of the winners."""

    page: Weighting
    styles: Styles

    @cached_property
    def grid(self) -> Call[FloatArray]:
        """Call of the array of all weightings, weightings x aspects."""
        return call("grid", weightings, len(self.page.aspects), self.page.steps)

    @cached_property
    def means(self) -> Call[pd.DataFrame]:
        """Call of the mean score of each system under every weighting, weightings x systems."""
        c, measure = record(self.page.collection), self.page.parsed.it
        made = call("by_weights", means_by_weighting, measure, c.assessments, c.rankings, self.grid.it)
        return made.here(scores=self.page.part_scores.value)

    @cached_property
    def firsts(self) -> Call[IntArray]:
        """Call of the index of the winning system under each weighting."""
        return line("firsts", self.means.it.columns.get_indexer(record(pd.Index)(record(winners)(self.means.it))))

    def picture(self, page: Weighting) -> Call[go.Figure]:
        """Return the call of the figure of winners: a strip for two aspects, a triangle for three."""
        at = page.parsed.it.shares
        return families.plotted("", page.collection, self.means.it, at=at).here(styles=self.styles)

    @cached_property
    def figure(self) -> go.Figure | None:
        """The figure of winners, with a mark that can be dragged; None for more than three aspects."""
        if len(self.page.aspects) > 3:
            return None
        return self.picture(self.page)().update_layout(handles.offered([self.page.handle()]))

    def figure_at(self, page: Weighting) -> go.Figure | None:
        """Return the figure of winners at the weights of `page`; None for more than three aspects.

        At other slider positions than the current one, it contains only the elements that move.
        """
        if self.figure is None or page is self.page:
            return self.figure
        return figures.only_weights(self.figure, page.shares)
