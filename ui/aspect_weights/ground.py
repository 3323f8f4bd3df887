"""Every weighting of the aspects and who wins there: the same wherever the weights stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import pandas as pd
import plotly.graph_objects as go

from evalcore import figures
from evalcore.common.arrays import FloatArray, IntArray
from evalcore.explain.weightings import means_by_weighting, weightings
from evalcore.figures.style import Styles
from evalcore.meta import winners
from ui.address import families
from ui.aspect_weights.weighting import Weighting
from ui.screen.calls import Call, call, call_of
from ui.widgets import handles


@dataclass(frozen=True, eq=False)
class Ground:
    """What the aspects score alone, and combined under each weighting; and the picture of it."""

    page: Weighting
    styles: Styles

    @cached_property
    def parts(self) -> Call[FloatArray]:
        """Scores by each aspect alone, aspects x systems x topics."""
        texts = list(map(str, self.page.parts))
        text = "np.array([ec.evaluate(text, {c}).T for text in {texts}])"
        return call("parts", text, c=self.page.collection, texts=texts)

    @cached_property
    def grid(self) -> Call[FloatArray]:
        """Weightings x aspects."""
        return call_of("grid", weightings, "{n}, {steps}", n=len(self.page.aspects), steps=self.page.steps)

    @cached_property
    def means(self) -> Call[pd.DataFrame]:
        """Weightings x systems."""
        text = "{means_by_weighting}({measure}, {c}.assessments, {c}.rankings, {grid})"
        kept = partial(means_by_weighting, scores=self.parts.value)
        parts = {"measure": self.page.parsed, "c": self.page.collection, "grid": self.grid}
        parts["means_by_weighting"] = means_by_weighting
        return Call("by_weights", text, parts, {"means_by_weighting": kept})

    @cached_property
    def firsts(self) -> Call[IntArray]:
        """Of each weighting, which system wins."""
        text = "{means}.columns.get_indexer(pd.Index({winners}({means})))"
        return call("firsts", text, means=self.means, winners=winners)

    def scored(self, page: Weighting, name: str) -> Call[pd.DataFrame]:
        """Topics x systems by one of the means, or by one aspect alone."""
        instead = {"ec.evaluate": lambda *_: page.combined(name, self.parts.value)}
        parts = {"measure": page.named(name), "c": page.collection}
        return Call("scores", "ec.evaluate({measure}, {c})", parts, instead)

    def picture(self, page: Weighting) -> Call[go.Figure]:
        """A strip for two aspects, a triangle for three."""
        parts = {"means": self.means, "measure": page.parsed}
        text = "{means}, at={measure}.shares"
        return families.plotted("", text, page.collection, {"styles": self.styles}, **parts)

    @cached_property
    def figure(self) -> go.Figure | None:
        """The picture, with what can be dragged; None of more aspects."""
        if len(self.page.aspects) > 3:
            return None
        return self.picture(self.page)().update_layout(handles.offered([self.page.handle()]))

    def figure_at(self, page: Weighting) -> go.Figure | None:
        """The picture with the weights of a page; for others than its own, only what moves with them."""
        if self.figure is None or page is self.page:
            return self.figure
        return figures.only_weights(self.figure, page.shares)
