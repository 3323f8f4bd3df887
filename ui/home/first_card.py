"""The first card of Home: who wins, for a reader as patient as a slider says, by RBP and by a second measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.data.names import readability_first
from evalcore.figures.draw import score_text
from evalcore.figures.style import Styles
from evalcore.measures import RBP, GainMeasure, Measure, nDCG
from ui.address import families, site
from ui.address.settings import Settings, setting
from ui.computing.doubt import firsts, tables
from ui.computing.measures import scores, suggested
from ui.home.gallery import lead, small
from ui.screen.items import Headline, Item
from ui.shell import live
from ui.understandability.reader import question
from ui.widgets.fields import of_parameter

HEIGHT = 330


@dataclass(frozen=True)
class Card(Settings, page="home"):
    """How patient the reader of the first card is."""

    rho: float = setting(of_parameter(RBP, "rho", "Persistence ρ"))

    @property
    def all_measures(self) -> tuple[str, ...]:
        return tuple(map(str, self.pair))

    @property
    def pair(self) -> tuple[RBP, Measure]:
        """RBP, and uRBP by what Tune > Readability begins with; nDCG where documents have one aspect alone."""
        biased = _biased(self.collection)
        other = biased.with_(rho=self.rho) if biased else nDCG(aspect=self.collection.leading)
        return RBP(rho=self.rho, aspect=self.collection.leading), other


def fits(collection: Collection) -> bool:
    """Whether there are systems to rank by the labels of their documents."""
    return site.works("understandability", collection) and bool(collection.aspects) and len(collection.systems) > 1


def first_card(collection: Collection) -> None:
    """The question, a slider, and the scatter that follows it."""
    card, styles = Card.now(collection), families.styles(collection)
    if biased := _biased(collection):
        lead("understandability", question(biased.columns[1]), {"rho": f"{card.rho:g}"})
    else:
        lead(
            "sensitivity",
            "Does the winner depend on how far people read?",
            {"measure": str(card.pair[0]), "other": str(card.pair[1])},
        )
    card.draw("rho")
    live.follow(card, lambda card: answer(card, styles))


def answer(card: Card, styles: Styles) -> Iterator[Item]:
    """Who is first by each, how alike the rankings are, and the scatter of systems."""
    listed = card.pair
    frames = [scores(card.collection, measure) for measure in listed]
    (x, y), names = (frame.mean() for frame in frames), [type(measure).__name__ for measure in listed]
    lines = firsts(dict(zip(names, frames, strict=True)))
    yield Headline("  \n".join([*lines, f"τ of the two rankings: **{score_text(ec.tau(x, y), 3)}**"]))
    up = f"{names[1]} of {listed[1].columns[-1]}"
    doubt, y_title = tables(*frames), figures.plain(up)
    make = partial(figures.scatter, x, {names[1]: y}, styles, doubt=doubt, x_title=names[0], y_title=y_title)
    yield small(make, f"Scatter of {len(x)} systems, {names[0]} across, {up} up", "urbp", HEIGHT)


def _biased(collection: Collection) -> GainMeasure | None:
    leading = collection.leading
    columns = readability_first(name for name in (*collection.aspects, *collection.signals) if name != leading)
    listed = suggested(collection).get("RBP and uRBP", [])
    fitting = (measure for measure in listed if columns and measure.columns == (leading, columns[0]))
    return next((measure for measure in fitting if isinstance(measure, GainMeasure)), None)
