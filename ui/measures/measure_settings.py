"""Settings of a measure built from a gain, a discount and a normaliser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalcore.data import Scale
from evalcore.measures import RBP, GainDiscount, Measure, nDCG
from evalcore.measures.dcg import DiscountedSum
from evalcore.measures.parts.discounts import Discount, Normaliser
from evalcore.measures.parts.gains import Gain
from evalcore.notation.display_names import reading_name
from ui.address.settings import Settings, setting
from ui.tune.state import Tuned
from ui.widgets.fields import Choice, Number, OneValue, values_of
from ui.widgets.gains import of_gain

# Known measures of one aspect made of a gain, a discount and a normaliser: the starting points.
KNOWN: dict[str, DiscountedSum] = {
    str(discount): discount
    for discount in values_of(DiscountedSum).values()
    if len(discount.columns) == 1 and not isinstance(discount, GainDiscount)
}


def parts_of(measure: DiscountedSum) -> dict[str, Any]:
    """Map the names of settings to the parts of a known measure: gain, discount, normaliser and cut-off (0: none)."""
    (gain,) = measure.gain_functions().values()
    cutoff = measure.depth or 0
    return {"gain": gain, "discount": measure.discount, "normaliser": measure.normaliser, "cutoff": cutoff}


@dataclass(frozen=True)
class Parts(Settings, page=None):
    """Settings of the parts from which the measure is built."""

    start: str = setting(
        Choice(
            "Start from",
            list(KNOWN),
            str(RBP()),
            help="A known measure; choosing it sets gain, discount, normaliser and cut-off",
            reads=reading_name,
        )
    )
    aspect: str = setting(lambda page: Choice("Aspect", page.collection.aspects))
    gain: Gain = setting(lambda page: of_gain(page.scale, page.parts["gain"]))
    discount: Discount = setting(lambda page: OneValue("Discount", Discount, page.parts["discount"]))
    normaliser: Normaliser = setting(lambda page: OneValue("Divided by", Normaliser, page.parts["normaliser"]))
    cutoff: int = setting(lambda page: Number("Cut-off (0: none)", 0, 100, page.parts["cutoff"], 1))

    @property
    def begun(self) -> Measure:
        """The known measure to start from, on the chosen aspect."""
        return KNOWN[self.start].with_(aspect=self.aspect)

    @property
    def parts(self) -> dict[str, Any]:
        return parts_of(KNOWN[self.start])

    @property
    def scale(self) -> Scale:
        scale: Scale = self.collection.assessments.scale(self.aspect)
        return scale

    @property
    def measure(self) -> GainDiscount:
        parts = {name: getattr(self, name) for name in ("gain", "discount", "normaliser", "aspect")}
        return GainDiscount(**parts, cutoff=self.cutoff or None)


@dataclass(frozen=True)
class Built(Tuned, Parts, page="measures"):
    """Settings of the page: the built measure, and which views show its effect."""

    OWN = OPENS_ON = "Gain and discount"

    @property
    def tuned(self) -> GainDiscount:
        return self.measure

    @property
    def rival(self) -> str:
        """Text of the default measure for comparison: nDCG, or RBP if the known measure to start from is nDCG."""
        return str((RBP() if self.start == str(nDCG()) else nDCG()).with_(aspect=self.aspect))
