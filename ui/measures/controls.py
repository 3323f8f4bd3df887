"""A measure built of a gain, a discount and a normaliser: the settings of the page Measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalcore.data import Scale
from evalcore.measures import RBP, GainDiscount, Measure, all_at_depth, parse
from evalcore.measures.dcg import DiscountedSum
from evalcore.measures.parts.discounts import Discount, Normaliser
from evalcore.measures.parts.gains import Gain
from evalcore.notation.display_names import reading_name
from ui.address.settings import Settings, setting
from ui.computing.measures import of_measure
from ui.widgets.fields import Choice, Number, OneValue, values_of
from ui.widgets.gains import of_gain

# Known measures of one aspect that are a gain, a discount and a normaliser: each can be started from.
KNOWN: dict[str, DiscountedSum] = {
    str(discount): discount
    for discount in values_of(DiscountedSum).values()
    if len(discount.columns) == 1 and not isinstance(discount, GainDiscount)
}


# What is shown of each rank, and the column of `UserModel.curves` that holds it; and tau at depths of both readers.
CURVES = {"discount": "", "C, goes on": "continuation", "W, attention": "weight", "L, last": "last"}
BY_DEPTH = "τ by depths"
DEPTHS = (1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0)  # expected, in ranks


def parts_of(measure: DiscountedSum) -> dict[str, Any]:
    """The settings that make a known measure."""
    (gain,) = measure.gain_functions().values()
    cutoff = measure.depth or 0
    return {"gain": gain, "discount": measure.discount, "normaliser": measure.normaliser, "cutoff": cutoff}


def _curve(page: Built) -> Choice:
    """What is shown of each rank; where there are rankings to compare also how alike they are at every depth."""
    offered = [*CURVES, *([BY_DEPTH] if len(page.collection.systems) > 1 else [])]
    help = "What is shown of each rank; or τ of the two rankings of systems at every expected depth of both readers"
    return Choice("At the right", offered, segmented=True, help=help)


@dataclass(frozen=True)
class Built(Settings, page="measures"):
    """A measure built of parts, and one to set against it."""

    start: str = setting(
        Choice("Start from", list(KNOWN), str(RBP()), help="A known measure; its parts follow", reads=reading_name)
    )
    aspect: str = setting(lambda page: Choice("Aspect", page.collection.aspects))
    gain: Gain = setting(lambda page: of_gain(page.scale, page.parts["gain"]))
    discount: Discount = setting(lambda page: OneValue("Discount", Discount, page.parts["discount"]))
    normaliser: Normaliser = setting(lambda page: OneValue("Divided by", Normaliser, page.parts["normaliser"]))
    cutoff: int = setting(lambda page: Number("Cut-off (0: none)", 0, 100, page.parts["cutoff"], 1))
    other: str = setting(lambda page: of_measure(page.collection, "Set against", str(page.known)))
    curve: str = setting(_curve)
    depth: int = setting(Number("Expected depth of both readers (0: as they are)", 0, 30, 0, 1))

    @property
    def known(self) -> Measure:
        """The measure that it was started from."""
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
        measure: GainDiscount = self._at_depth(GainDiscount(**parts, cutoff=self.cutoff or None))
        return measure

    @property
    def against(self) -> str:
        """The measure set against it, at the depth that is chosen."""
        return str(self._at_depth(parse(self.other))) if self.depth else self.other

    @property
    def undeepened(self) -> tuple[str, str]:
        """The measure built here, and the other, as they are without a depth."""
        plain = self.with_(depth=0)
        return str(plain.measure), plain.against

    def _at_depth(self, measure: Measure) -> Any:
        """With a reader who is expected to read as many ranks as chosen; as it is where nothing leads there."""
        return all_at_depth([measure], self.depth)[str(measure)] if self.depth else measure

    @property
    def measured_by(self) -> tuple[str, ...]:
        return (str(self.measure), self.against)
