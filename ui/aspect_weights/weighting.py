"""Which measure of each aspect, which mean, which weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.common.arrays import FloatArray
from evalcore.data import Scale
from evalcore.direction import directed
from evalcore.explain.weightings import weightings
from evalcore.measures import RBP, Aggregate, Measure
from evalcore.measures.base import MOST_COMBINED, combined_aspects
from ui.address.settings import Settings, setting
from ui.computing.measures import of_base, parsed, scored
from ui.screen.calls import Call, call, line
from ui.screen.items import Item, Sentence
from ui.screen.text import markdown
from ui.shell import live
from ui.tune.state import Tuned
from ui.widgets import handles, positive
from ui.widgets.fields import Choice, Each, Field, Many, Number, Slider, help_of, of_parameter, values_of
from ui.widgets.positive import BY_HAND

# A mean that only fixes the aspects of another one is no other mean.
MEANS: dict[str, Aggregate] = {
    name: mean for name, mean in values_of(Aggregate).items() if "weighted" in vars(type(mean))
}
DRAGGED = "aspect_weights.weights in the figure"  # what the figure's own thumb is known by
FEW = 3  # weights beside the figure; more are behind its button
FINE, COARSE = 100, 20  # steps of the weight that it takes in the strip, in the triangle


def _aspects(page: Combined) -> Field:
    graded = page.collection.aspects
    begun = combined_aspects(page.collection.assessments)
    return Many("Aspects", graded, begun if len(begun) > 1 else tuple(graded[:2]), least=2, most=MOST_COMBINED)


def _rho(page: Combined) -> Field | None:
    """The persistence of a base that has one: with borders by hand, H of RBP at any rho and U (Palotti et al.)."""
    own = getattr(ec.parse(page.base), "rho", None)
    return None if own is None else of_parameter(RBP, "rho", "Persistence ρ", default=own)


def _borders(page: Combined) -> Field:
    return Each("Borders", {scale.name: positive.border(scale) for scale in page.scales})


@dataclass(frozen=True)
class Balance(Field):
    """The weights of two aspects by one slider: the share of the first; the second has the rest."""

    names: tuple[str, str]

    @property
    def usual(self) -> tuple[float, float]:
        return 0.5, 0.5

    @property
    def share(self) -> Number:
        """The slider."""
        first, second = map(markdown, self.names)
        return Number(f"Weight of {first}", 0.0, 1.0, 0.5, 0.01, help=f"The rest is the weight of {second}")

    def read(self, texts: Sequence[str]) -> tuple[float, float]:
        """Read the share of a weight for each: links from before have two weights of any sum."""
        first, second = _a_weight_each(self.names).read(texts)
        return _shared(first / (first + second) if first + second else 0.5)

    def write(self, value: Any) -> list[str]:
        return [f"{name}:{own:.12g}" for name, own in zip(self.names, value, strict=True)]

    def words(self, value: Any) -> str:
        return ", ".join(f"{name} {own:.0%}" for name, own in zip(self.names, value, strict=True))

    def taken(self, key: str, value: Any) -> tuple[float, float]:
        return _shared(st.session_state[f"{key}.{self.names[0]}"])

    def draw(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        self.share.draw(f"{key}.{self.names[0]}", value[0], changed)

    def sliders(self, key: str, value: Any) -> list[Slider]:
        [thumb] = self.share.sliders(f"{key}.{self.names[0]}", value[0])
        return [replace(thumb, values=list(map(_shared, thumb.values)))]


def _shared(first: float) -> tuple[float, float]:
    return round(first, 12), round(1 - first, 12)


def _a_weight_each(names: Sequence[str]) -> Each:
    return Each("Weights", {name: Number(f"Weight of {markdown(name)}", 0.0, 1.0, 0.5, 0.01) for name in names})


def _weights(page: Combined) -> Field:
    if len(page.aspects) != 2:
        return _a_weight_each(page.aspects)
    first, second = page.aspects
    return Balance("Weights", (first, second))


@dataclass(frozen=True)
class Combined(Settings, page=None):
    """What is combined, and how."""

    aspects: tuple[str, ...] = setting(_aspects)
    base: str = setting(lambda page: of_base(page.collection, "Measure of each aspect"))
    rho: float | None = setting(_rho)
    positive: str | None = setting(lambda page: positive.ways() if "rel" in ec.parse(page.base).parameters() else None)
    borders: tuple[float, ...] | None = setting(_borders, positive=BY_HAND)
    mean: str = setting(Choice("Combined by", list(MEANS), segmented=True, help=help_of(MEANS)))
    weights: tuple[float, ...] = setting(_weights)

    @property
    def scales(self) -> list[Scale]:
        return [self.collection.assessments.scale(name) for name in self.aspects]

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
    def measure(self) -> Aggregate:
        weights = self.weights if len(set(self.weights)) > 1 else ()
        return MEANS[self.mean].with_(base=self.of_each, aspects=self.aspects, weights=weights)


@dataclass(frozen=True)
class Weighting(Tuned, Combined, page="aspect_weights"):
    """A mean of aspects under weights, and how it is looked at."""

    OWN = OPENS_ON = "Weights"

    @property
    def tuned(self) -> Aggregate:
        return self.measure

    @property
    def rival(self) -> str:
        """The first aspect alone."""
        return str(self.parts[0])

    @cached_property
    def parts(self) -> tuple[Measure, ...]:
        return self.measure.parts

    @cached_property
    def ranked(self) -> dict[str, Call[pd.DataFrame]]:
        """By the other measure, by the mean, and by each aspect alone."""
        return {str(part): self.scored("alone", part) for part in self.parts} | super().ranked

    @cached_property
    def shares(self) -> FloatArray:
        """Of the weight, by aspect; the same for every mean."""
        return self.measure.shares

    @cached_property
    def parsed(self) -> Call[Aggregate]:
        """The measure, for who asks it for more than scores."""
        return parsed("measure", self.measure)

    @cached_property
    def part_scores(self) -> Call[FloatArray]:
        """Scores by each aspect alone, aspects x systems x topics."""
        return call("parts", np.array, [scored("", part, self.collection).it.T for part in self.parts])

    def scored(self, name: str, measure: Measure) -> Call[pd.DataFrame]:
        """Topics x systems: by the mean of the scores by each aspect, which no weight changes, or by an aspect."""
        made = super().scored(name, measure)
        return made if measure is not self.measure else made.by(lambda *_: self._combined())

    def _combined(self) -> pd.DataFrame:
        systems = pd.Index(self.collection.rankings.systems, name="system", dtype=object)
        scores = self.measure.combine(self.part_scores.value, self.shares)
        return directed(pd.DataFrame(scores.T, columns=systems), self.measure.good)

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


def draw(page: Weighting) -> None:
    """The knobs."""
    if len(page.aspects) > FEW:
        page.draw_parts("weights", *page.aspects[:FEW])
    else:
        page.draw("weights")
    page.draw("mean", "base")
    if not any(page.weights):
        st.caption("All weights are 0: equal weights are used.")
    live.follow(page, shares, "weights")


def draw_more(page: Weighting) -> None:
    """The settings that are changed less often."""
    if len(page.aspects) > FEW:
        page.draw_parts("weights", *page.aspects[FEW:])
    page.draw("rho", "aspects", "positive", "borders")
    if page.positive:
        st.caption(positive.summary(page.scales, page.positive_from))


def shares(page: Weighting) -> list[Item]:
    """The share of the weight that each aspect has."""
    made = line("shares", page.parsed.it.shares)
    text = ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(page.aspects, made.value, strict=True))
    return [Sentence(f"Shares: {text}", caption=True, calls=(made,))]
