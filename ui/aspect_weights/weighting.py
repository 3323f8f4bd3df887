"""Settings of the page Aspect weights: the measure of each aspect, the mean or product, and the weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.common.arrays import FloatArray
from evalcore.common.cached import cached_property
from evalcore.data import Scale
from evalcore.direction import directed
from evalcore.explain.weightings import weightings
from evalcore.measures import RBP, Aggregate, GainMeasure, Measure, Product
from evalcore.measures.base import MOST_COMBINED, combined_aspects
from evalcore.measures.parts.gains import Exponential, Gain, Grade, Share, Table
from ui.address.settings import Settings, setting
from ui.aspect_weights import texts
from ui.computing.measures import of_base, parsed, scored
from ui.screen.calls import Call, call, line
from ui.screen.items import Item, Sentence
from ui.screen.text import markdown
from ui.shell import live
from ui.tune.state import Tuned
from ui.widgets import handles, positive
from ui.widgets.fields import Choice, Each, Field, Many, Number, Slider, help_of, of_parameter, values_of
from ui.widgets.gains import of_grades
from ui.widgets.positive import BY_HAND

# Only means with weights; the others fix the aspects of such a mean.
MEANS: dict[str, Aggregate] = {
    name: mean for name, mean in values_of(Aggregate).items() if "weighted" in vars(type(mean))
}
PRODUCT = "Product"
WAYS = {**MEANS, PRODUCT: Product()}
F_HELP = "The gain that the measure uses: the product P, or 2^P - 1, which rewards the best documents more"
APPLIED: dict[str, Gain] = {"P": Grade(), "2^P - 1": Exponential()}  # functions of P, the product of the gains
DRAGGED = "aspect_weights.weights in the figure"  # key of the thumb in the figure
FEW = 3  # most weights beside the figure; the rest are behind a button
FINE, COARSE = 100, 20  # number of steps of that thumb, in the strip and in the triangle


def _aspects(page: Combined) -> Field:
    graded = page.collection.aspects
    begun = combined_aspects(page.collection.assessments)
    return Many("Aspects", graded, begun if len(begun) > 1 else tuple(graded[:2]), least=2, most=MOST_COMBINED)


def _rho(page: Combined) -> Field | None:
    """Return the field for the persistence; None if the base measure has none.

    With thresholds set by hand, the page also covers the harmonic mean H of RBP and U at any ρ (Palotti et al.).
    """
    own = getattr(ec.parse(page.base), "rho", None)
    return None if own is None else of_parameter(RBP, "rho", "Persistence ρ", default=own)


def _positive(page: Combined) -> Field | None:
    reads_yes_or_no = page.mean != PRODUCT and "rel" in ec.parse(page.base).parameters()
    return positive.ways() if reads_yes_or_no else None


def _exponents(page: Combined) -> Field:
    help = "The influence of the aspect: 0 leaves it out; a higher exponent makes low gains cost more"
    each = {name: Number(f"Exponent of {markdown(name)}", 0.0, 3.0, 1.0, 0.05, help=help) for name in page.aspects}
    return Each("Exponents", each)


def _gains(page: Combined) -> Field:
    """Return the field for the gain of each label of each aspect.

    Aspects with a continuous scale are left out: their gains are shares of the top grade.
    """
    listed = ((scale, of_grades(scale, "").parts) for scale in page.scales if not scale.continuous)
    parts = {f"{scale.name} {grade}": field for scale, fields in listed for grade, field in fields.items()}
    named = {name: replace(field, label=f"Gain of {markdown(name)}") for name, field in parts.items()}
    return Each("Gains", named)


def _borders(page: Combined) -> Field:
    return Each("Borders", {scale.name: positive.border(scale) for scale in page.scales})


@dataclass(frozen=True)
class Balance(Field):
    """Field of the weights of two aspects as one slider: the share of the first aspect, from 0 to 1.

    The second aspect has the remaining share.
    """

    names: tuple[str, str]

    @property
    def usual(self) -> tuple[float, float]:
        return 0.5, 0.5

    @property
    def share(self) -> Number:
        """The slider of the first aspect's share."""
        first, second = map(markdown, self.names)
        return Number(f"Weight of {first}", 0.0, 1.0, 0.5, 0.01, help=f"{second} has the remaining weight")

    def read(self, texts: Sequence[str]) -> tuple[float, float]:
        """Return the weights as shares that sum to 1; older links contain two weights with any sum."""
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
    """Settings of a combination of aspects: the mean or product, the measure of each aspect, and the weights."""

    aspects: tuple[str, ...] = setting(_aspects)
    mean: str = setting(Choice("Combined by", [*MEANS, PRODUCT], segmented=True, help=help_of(WAYS)))
    base: str = setting(lambda page: of_base(page.collection, "Measure of each aspect, or of their product"))
    rho: float | None = setting(_rho)
    positive: str | None = setting(_positive)
    borders: tuple[float, ...] | None = setting(_borders, positive=BY_HAND)
    weights: tuple[float, ...] | None = setting(_weights, mean=tuple(MEANS))
    exponents: tuple[float, ...] | None = setting(_exponents, mean=PRODUCT)
    f: str | None = setting(Choice("Gain used by the measure", list(APPLIED), help=F_HELP), mean=PRODUCT)
    gains: tuple[float, ...] | None = setting(_gains, mean=PRODUCT)

    @property
    def scales(self) -> list[Scale]:
        return [self.collection.assessments.scale(name) for name in self.aspects]

    @property
    def steps(self) -> int:
        """Number of steps between 0 and 1 in each weight, so that there are at most a few thousand weightings."""
        return {2: 200, 3: 40, 4: 12}.get(len(self.aspects), 8)

    @property
    def positive_from(self) -> Sequence[float | None]:
        """Thresholds from which labels are positive, one for each aspect; None if the aspect's scale decides."""
        return positive.chosen_borders(self.scales, self.positive or "", self.borders)

    @property
    def single(self) -> Measure:
        """The measure of a single aspect, with the chosen persistence if it has one."""
        base = ec.parse(self.base)
        return base if self.rho is None else base.with_(rho=self.rho)

    @property
    def of_each(self) -> Measure | tuple[Measure, ...]:
        """The measure of every aspect, or, with chosen thresholds, a tuple with the measure of each aspect."""
        base = self.single
        if self.positive in (None, positive.DECLARED):
            return base
        both = zip(self.aspects, self.positive_from, strict=True)
        return tuple(base.with_(aspect=name, rel=border) for name, border in both)

    @cached_property
    def measure(self) -> Aggregate | Product:
        if self.weights is None:
            return self.product
        weights = self.weights if len(set(self.weights)) > 1 else ()
        return MEANS[self.mean].with_(base=self.of_each, aspects=self.aspects, weights=weights)

    @property
    def product(self) -> Product:
        """The measure f of the product of the aspects' gains, each raised to its exponent (Zuccon 2016, section 4)."""
        left, base = iter(self.gains or ()), self.single
        assert isinstance(base, GainMeasure)
        gains = {
            scale.name: Share() if scale.continuous else Table(gains=tuple(next(left) for _ in scale.grades))
            for scale in self.scales
        }
        powers = {name: power for name, power in zip(self.aspects, self.exponents or (), strict=True) if power != 1}
        return Product(base, gains=gains, exponents=powers, f=APPLIED[self.f or "P"])


@dataclass(frozen=True)
class Weighting(Tuned, Combined, page="aspect_weights"):
    """Settings of the page: a weighted mean of aspects, or their product, and which views show its effect."""

    OWN = OPENS_ON = "Weights"

    @property
    def tuned(self) -> Aggregate | Product:
        return self.measure

    @property
    def rival(self) -> str:
        """The text of the default measure for comparison, which is the measure of the first aspect."""
        return str(self.parts[0])

    @cached_property
    def parts(self) -> tuple[Measure, ...]:
        """The measure of each aspect, in the order of the aspects."""
        if isinstance(self.measure, Aggregate):
            return self.measure.parts
        return tuple(self.single.with_(aspect=name) for name in self.aspects)

    @cached_property
    def ranked(self) -> dict[str, Call[pd.DataFrame]]:
        """Map each compared measure, as text, to the call of its scores.

        They are the measure of each aspect, the measure for comparison, and the tuned mean or product.
        """
        return {str(part): self.scored("alone", part) for part in self.parts} | super().ranked

    @cached_property
    def shares(self) -> FloatArray:
        """Each aspect's share of the total weight, for any mean."""
        return self.aggregate.shares

    @property
    def aggregate(self) -> Aggregate:
        """The measure, which must be a mean (`Aggregate`); an assertion fails for a product."""
        assert isinstance(self.measure, Aggregate)
        return self.measure

    @cached_property
    def parsed(self) -> Call[Aggregate]:
        """Call of the mean, for functions that need more than its scores."""
        return parsed("measure", self.aggregate)

    @cached_property
    def part_scores(self) -> Call[FloatArray]:
        """Call of the scores under each aspect, aspects x systems x topics."""
        return call("parts", np.array, [scored("", part, self.collection).it.T for part in self.parts])

    def scored(self, name: str, measure: Measure) -> Call[pd.DataFrame]:
        """Return the call of scores, topics x systems.

        A mean combines cached scores of the aspects, because these do not depend on the weights.
        """
        made = super().scored(name, measure)
        combined = measure is self.measure and isinstance(measure, Aggregate)
        return made.by(lambda *_: self._combined()) if combined else made

    def _combined(self) -> pd.DataFrame:
        systems = pd.Index(self.collection.rankings.systems, name="system", dtype=object)
        scores = self.aggregate.combine(self.part_scores.value, self.shares)
        return directed(pd.DataFrame(scores.T, columns=systems), self.aggregate.good)

    @property
    def offered(self) -> FloatArray:
        """Weightings at which the mark in the figure can stop, weightings x aspects; empty without a figure."""
        steps = {2: FINE, 3: COARSE}.get(len(self.aspects)) if self.weights is not None else None
        return weightings(len(self.aspects), steps).round(2) if steps else np.empty((0, len(self.aspects)))

    def sliders(self) -> list[tuple[str, Slider]]:
        values = [tuple(weights) for weights in self.offered.tolist()]
        places = [first for first, _ in values] if len(self.aspects) == 2 else range(len(values))
        thumb = [("weights", Slider(DRAGGED, places, values))] if values else []
        return [*super().sliders(), *thumb]

    def handle(self) -> dict[str, Any]:
        """Return a dict that describes the draggable mark: the line of the strip, or the star of the triangle."""
        shares = self.shares.tolist()
        title = "Drag to change the weights"
        if len(shares) == 2:
            return handles.line(DRAGGED, "x", shares[0], (0.0, 1.0), 1 / FINE, title)
        return handles.point(DRAGGED, shares, self.offered, title)


def draw(page: Weighting) -> None:
    """Draw the controls that are always visible: the weights or exponents, the mean or product, and the base."""
    counts = "exponents" if page.weights is None else "weights"
    if len(page.aspects) > FEW:
        page.draw_parts(counts, *page.aspects[:FEW])
    else:
        page.draw(counts)
    page.draw("mean", "base")
    if page.weights is None:
        return
    if not any(page.weights):
        st.caption(texts.NO_WEIGHT)
    live.follow(page, shares, "weights")


def draw_more(page: Weighting) -> None:
    """Draw the controls under "More settings", such as further weights, the aspects and the persistence."""
    if len(page.aspects) > FEW:
        page.draw_parts("exponents" if page.weights is None else "weights", *page.aspects[FEW:])
    page.draw("f", "rho", "aspects", "positive", "borders", "gains")
    if page.positive:
        st.caption(positive.summary(page.scales, page.positive_from))


def shares(page: Weighting) -> list[Item]:
    """Return a caption with each aspect's share of the weight."""
    made = line("shares", page.parsed.it.shares)
    return [Sentence(f"Shares: {texts.shares(page.aspects, made.value)}", caption=True, calls=(made,))]
