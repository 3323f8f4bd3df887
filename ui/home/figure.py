"""The figure of Home: systems under two measures, with sliders for the reader's persistence and threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import evalcore as ec
from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.figures.draw import score_text
from evalcore.measures import RBP, Measure, nDCG
from ui.address import families, site
from ui.address.settings import Settings, setting
from ui.computing.doubt import firsts, tables
from ui.computing.measures import scores
from ui.home import texts
from ui.screen.items import At, Figure, Headline, Item, Metric, in_row
from ui.understandability.reader import Reader, columns
from ui.widgets.fields import Field, of_parameter

HEIGHT = 400


def _threshold(card: Card) -> Field | None:
    return card.reader.field("threshold") if card.reader else None


@dataclass(frozen=True)
class Card(Settings, page="home"):
    """Settings of the figure: the persistence of the reader, and the threshold of understandability."""

    rho: float = setting(of_parameter(RBP, "rho", "Persistence ρ"))
    threshold: float | None = setting(_threshold)

    @property
    def reader(self) -> Reader | None:
        """The settings of the page Readability for a reader with a step at the threshold.

        None if the collection has only the leading aspect and no signal.
        """
        if not columns(self.collection):
            return None
        return Reader.read(self.collection, {}).with_(model="step", rho=self.rho)

    @property
    def measured_by(self) -> tuple[str, ...]:
        return tuple(map(str, self.pair))

    @cached_property
    def pair(self) -> tuple[Measure, Measure]:
        """RBP and uRBP; RBP and nDCG if the collection has only the leading aspect and no signal."""
        if reader := self.reader:
            return reader.baseline, reader.with_(threshold=self.threshold).variants[0]
        leading = self.collection.leading
        return RBP(rho=self.rho, aspect=leading), nDCG(aspect=leading)


def ranks_documents(collection: Collection) -> bool:
    """Return True if there are several systems to rank by document labels."""
    return site.works("understandability", collection) and bool(collection.aspects) and len(collection.systems) > 1


def two_rankings(card: Card) -> Iterator[Item]:
    """Yield τ and τ_AP of the two rankings, the winner of each, and the scatter of systems."""
    listed = card.pair
    frames = [scores(card.collection, measure) for measure in listed]
    (x, y), names = (frame.mean() for frame in frames), [type(measure).__name__ for measure in listed]
    alike, at_top = Metric("τ", score_text(ec.tau(x, y), 3)), Metric("τ_AP", score_text(ec.tau_ap(y, x), 3))
    yield At("numbers", (in_row(alike, at_top),))
    lines = firsts(dict(zip(names, frames, strict=True)))
    up = f"{names[1]} of {listed[1].columns[-1]}"
    doubt, styles = tables(*frames), families.styles(card.collection)
    y_title = figures.plain(up if card.threshold is None else f"{up}, th = {card.threshold:g}")
    make = partial(figures.scatter, x, {names[1]: y}, styles, doubt=doubt, x_title=names[0], y_title=y_title)
    figure = Figure(make, "home pair", texts.scatter(len(x), up, names[0]), layout={"height": HEIGHT})
    yield At("figure", (Headline("  \n".join(lines)), figure))
