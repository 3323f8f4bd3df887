"""Which measure of each aspect, which mean, which weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.common.arrays import FloatArray
from evalcore.data import Scale
from evalcore.direction import Good, directed
from evalcore.explain.weightings import weightings
from evalcore.measures import RBP, Aggregate, Measure
from evalcore.measures.base import MOST_COMBINED, combined_aspects
from ui.address.highlight import Highlight
from ui.address.settings import Make, Settings, setting
from ui.computing.measures import of_base, parsed
from ui.screen.calls import Call, line
from ui.screen.items import Item, Sentence
from ui.screen.text import markdown
from ui.shell import live
from ui.widgets import handles, positive
from ui.widgets.fields import Choice, Each, Field, Many, Number, Slider, help_of, of_parameter, values_of
from ui.widgets.positive import BY_HAND

# A mean that only fixes the aspects of another one is no other mean.
MEANS: dict[str, Aggregate] = {
    name: mean for name, mean in values_of(Aggregate).items() if "weighted" in vars(type(mean))
}
VIEWS = ("Scatter", "Leaderboard", "Zeros", "Upper bounds")
DRAGGED = "aspect_weights.weights in the figure"  # what the figure's own thumb is known by
FINE, COARSE = 100, 20  # steps of the weight that it takes in the strip, in the triangle


def _aspects(page: Weighting) -> Field:
    graded = page.collection.aspects
    begun = combined_aspects(page.collection.assessments)
    return Many("Aspects", graded, begun if len(begun) > 1 else tuple(graded[:2]), least=2, most=MOST_COMBINED)


def _rho(page: Weighting) -> Field | None:
    """The persistence of a base that has one: with borders by hand, H of RBP at any rho and U (Palotti et al.)."""
    own = getattr(ec.parse(page.base), "rho", None)
    return None if own is None else of_parameter(RBP, "rho", "Persistence ρ", default=own)


def _borders(page: Weighting) -> Field:
    return Each("Borders", {scale.name: positive.border(scale) for scale in page.scales})


def _weights(page: Weighting) -> Field:
    return Each("Weights", {name: Number(f"Weight of {markdown(name)}", 0.0, 1.0, 0.5, 0.01) for name in page.aspects})


def _axis(label: str, at: int) -> Make:
    return lambda page: Choice(label, page.combinations, page.combinations[at])


@dataclass(frozen=True)
class Weighting(Settings, page="aspect_weights"):
    """What is combined, how, and what is looked at."""

    aspects: tuple[str, ...] = setting(_aspects)
    base: str = setting(lambda page: of_base(page.collection, "Measure of each aspect"))
    rho: float | None = setting(_rho)
    positive: str | None = setting(lambda page: positive.ways() if "rel" in ec.parse(page.base).parameters() else None)
    borders: tuple[float, ...] | None = setting(_borders, positive=BY_HAND)
    mean: str = setting(Choice("Combined by", list(MEANS), segmented=True, help=help_of(MEANS)))
    weights: tuple[float, ...] = setting(_weights)
    look: str = setting(Choice("Details", VIEWS, segmented=True))
    across: str = setting(_axis("Across", 0))
    up: str = setting(_axis("Up", 1))

    @property
    def scales(self) -> list[Scale]:
        return [self.collection.assessments.scale(name) for name in self.aspects]

    @property
    def combinations(self) -> list[str]:
        """What can be scattered: each mean, each aspect alone."""
        return [*MEANS, *(f"{name} alone" for name in self.aspects)]

    @property
    def steps(self) -> int:
        """Into how many parts the weight is cut, so that every weighting is a few thousand at most."""
        return {2: 200, 3: 40, 4: 12}.get(len(self.aspects), 8)

    @property
    def positive_from(self) -> Sequence[float | None]:
        """From where on each aspect is positive, where it is not as its scale has it."""
        return positive.chosen_borders(self.scales, self.positive or "", self.borders)

    @property
    def single(self) -> Measure:
        """The measure of one aspect."""
        base = ec.parse(self.base)
        return base if self.rho is None else base.with_(rho=self.rho)

    @property
    def of_each(self) -> Measure | tuple[Measure, ...]:
        """The measure of all aspects, or where borders are asked for one for each."""
        base = self.single
        if self.positive in (None, positive.DECLARED):
            return base
        both = zip(self.aspects, self.positive_from, strict=True)
        return tuple(base.with_(aspect=name, rel=border) for name, border in both)

    @cached_property
    def parts(self) -> tuple[Measure, ...]:
        return self.measure.parts

    @cached_property
    def measure(self) -> Aggregate:
        return self._combined_by(self.mean)

    @property
    def measured_by(self) -> tuple[str, ...]:
        return (str(self.measure),)

    @cached_property
    def shares(self) -> FloatArray:
        """Of the weight, by aspect; the same for every mean."""
        return self.measure.shares

    @cached_property
    def ends(self) -> set[Good]:
        """Which ends of the scores of the aspects are good."""
        return {part.good for part in self.parts}

    def good_of(self, name: str) -> Good:
        """Which end of the scores of a combination is good. Raises InputError where its parts differ."""
        return next(iter(self.ends)) if len(self.ends) == 1 else self.named(name).good

    def named(self, name: str) -> Measure:
        """One of the combinations."""
        if name == self.mean:
            return self.measure
        alone = name.removesuffix(" alone")
        return self._combined_by(name) if name in MEANS else self.parts[self.aspects.index(alone)]

    @cached_property
    def parsed(self) -> Call[Aggregate]:
        """The measure, for who asks it for more than scores."""
        return parsed("measure", self.measure)

    def combined(self, name: str, part_scores: FloatArray) -> pd.DataFrame:
        """Topics x systems by one of the means, or by one aspect alone, of the scores by each aspect."""
        if name in MEANS:
            scores = MEANS[name].combine(part_scores, self.shares)
        else:
            scores = np.asarray(part_scores[self.aspects.index(name.removesuffix(" alone"))])
        systems = pd.Index(self.collection.rankings.systems, name="system", dtype=object)
        return directed(pd.DataFrame(scores.T, columns=systems), self.good_of(name))

    @property
    def offered(self) -> FloatArray:
        """The weightings that the thumb in the figure goes to; none where there is no such figure."""
        steps = {2: FINE, 3: COARSE}.get(len(self.aspects))
        return weightings(len(self.aspects), steps).round(2) if steps else np.empty((0, len(self.aspects)))

    def sliders(self) -> list[tuple[str, Slider]]:
        values = [tuple(weights) for weights in self.offered.tolist()]
        places = [first for first, _ in values] if len(self.aspects) == 2 else range(len(values))
        thumb = [("weights", Slider(DRAGGED, places, values))] if values else []
        return [*super().sliders(), *thumb]

    def handle(self) -> dict[str, Any]:
        """The line of the strip or the star of the triangle."""
        shares = self.shares.tolist()
        title = "Drag to share the weight otherwise"
        if len(shares) == 2:
            return handles.line(DRAGGED, "x", shares[0], (0.0, 1.0), 1 / FINE, title)
        return handles.point(DRAGGED, shares, self.offered, title)

    def _combined_by(self, mean: str) -> Aggregate:
        weights = self.weights if len(set(self.weights)) > 1 else ()
        return MEANS[mean].with_(base=self.of_each, aspects=self.aspects, weights=weights)


def draw(page: Weighting, highlight: Highlight) -> None:
    """The controls beside the figure."""
    page.draw("aspects", "base", "rho", "positive", "borders")
    if page.positive:
        st.caption(positive.summary(page.scales, page.positive_from))
    page.draw("mean", "weights")
    if not any(page.weights):
        st.caption("All weights are 0: equal weights are used.")
    live.follow(page, shares, "weights")
    highlight.draw("systems")


def shares(page: Weighting) -> list[Item]:
    """The share of the weight that each aspect has."""
    made = line("shares", page.parsed.it.shares)
    text = ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(page.aspects, made.value, strict=True))
    return [Sentence(f"Shares: {text}", caption=True, calls=(made,))]
