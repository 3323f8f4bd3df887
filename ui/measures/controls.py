"""A measure built of a gain, a discount and a normaliser: the settings of the page Measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from evalcore.data import Collection, Scale
from evalcore.errors import InputError
from evalcore.measures import RBP, GainDiscount, Measure, at_depth, parse
from evalcore.measures.dcg import DiscountedSum
from evalcore.measures.parts.discounts import Discount
from evalcore.measures.parts.gains import Gain
from evalcore.measures.parts.normalisers import Normaliser
from ui.address.findable import FINDABLE, Findable
from ui.address.settings import Settings, setting
from ui.computing.measures import of_measure, offered
from ui.widgets.fields import Choice, Number, OneValue, values_of
from ui.widgets.gains import of_gain

# Known measures of one aspect that are a gain, a discount and a normaliser: each can be started from.
KNOWN: dict[str, DiscountedSum] = {
    str(one): one
    for one in values_of(DiscountedSum).values()
    if len(one.columns) == 1 and not isinstance(one, GainDiscount)
}


# What is shown of each rank, and the column of `UserModel.curves` that holds it.
CURVES = {"discount": "", "C, goes on": "continuation", "W, attention": "weight", "L, last": "last"}


def parts_of(measure: DiscountedSum) -> dict[str, Any]:
    """The settings that make a known measure."""
    (gain,) = measure.gain_functions().values()
    cutoff = measure.depth or 0
    return {"gain": gain, "discount": measure.discount, "normaliser": measure.normaliser, "cutoff": cutoff}


@dataclass(frozen=True)
class Built(Settings):
    """A measure built of parts, and one to set against it."""

    PAGE: ClassVar[str] = "measures"

    start: str = setting(Choice("Start from", list(KNOWN), str(RBP()), help="A known measure; its parts follow"))
    aspect: str = setting(lambda page: Choice("Aspect", page.collection.aspects))
    gain: Gain = setting(lambda page: of_gain(page.scale, page.parts["gain"]))
    discount: Discount = setting(lambda page: OneValue("Discount", Discount, page.parts["discount"]))
    normaliser: Normaliser = setting(lambda page: OneValue("Divided by", Normaliser, page.parts["normaliser"]))
    cutoff: int = setting(lambda page: Number("Cut-off (0: none)", 0, 100, page.parts["cutoff"], 1))
    other: str = setting(lambda page: of_measure(page.collection, "Set against", str(page.known)))
    curve: str = setting(Choice("At the right", list(CURVES), segmented=True, help="What is shown of each rank"))
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

    def _at_depth(self, measure: Measure) -> Any:
        """With a reader who is expected to read as many ranks as chosen; as it is where nothing leads there."""
        try:
            return at_depth(measure, self.depth) if self.depth else measure
        except InputError:
            return measure

    @property
    def measured_by(self) -> tuple[str, ...]:
        return (str(self.measure), self.against)


def _offered(collection: Collection) -> list[str]:
    """The measures that fit and are not built of parts, which the page shows."""
    return [text for text in (offered(collection) if collection.aspects else []) if text not in KNOWN]


FINDABLE["known"] = Findable(lambda _: list(KNOWN), Built, "start")
FINDABLE["measure"] = Findable(_offered, Built, "other", resets=())
