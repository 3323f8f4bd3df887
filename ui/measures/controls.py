"""A measure built of a gain, a discount and a normaliser: its settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from evalcore.data import Scale
from evalcore.measures import RBP, GainDiscount, Measure, all_at_depth, nDCG, parse
from evalcore.measures.dcg import DiscountedSum
from evalcore.measures.parts.discounts import Discount, Normaliser
from evalcore.measures.parts.gains import Gain
from evalcore.notation.display_names import reading_name
from ui.address.settings import Settings, setting
from ui.computing.measures import scored
from ui.screen.calls import Call
from ui.tune.state import Tuned
from ui.widgets.fields import Choice, Number, OneValue, values_of
from ui.widgets.gains import of_gain

# Known measures of one aspect that are a gain, a discount and a normaliser: each can be started from.
KNOWN: dict[str, DiscountedSum] = {
    str(discount): discount
    for discount in values_of(DiscountedSum).values()
    if len(discount.columns) == 1 and not isinstance(discount, GainDiscount)
}


# What is shown of each rank, and the column of `UserModel.curves` that holds it.
CURVES = {"discount": "", "C, goes on": "continuation", "W, attention": "weight", "L, last": "last"}


def parts_of(measure: DiscountedSum) -> dict[str, Any]:
    """The settings that make a known measure."""
    (gain,) = measure.gain_functions().values()
    cutoff = measure.depth or 0
    return {"gain": gain, "discount": measure.discount, "normaliser": measure.normaliser, "cutoff": cutoff}


@dataclass(frozen=True)
class Parts(Settings, page=None):
    """The parts that a measure is built of, and what is shown of its reader."""

    start: str = setting(
        Choice("Start from", list(KNOWN), str(RBP()), help="A known measure; its parts follow", reads=reading_name)
    )
    aspect: str = setting(lambda page: Choice("Aspect", page.collection.aspects))
    gain: Gain = setting(lambda page: of_gain(page.scale, page.parts["gain"]))
    discount: Discount = setting(lambda page: OneValue("Discount", Discount, page.parts["discount"]))
    normaliser: Normaliser = setting(lambda page: OneValue("Divided by", Normaliser, page.parts["normaliser"]))
    cutoff: int = setting(lambda page: Number("Cut-off (0: none)", 0, 100, page.parts["cutoff"], 1))
    curve: str = setting(Choice("By rank", list(CURVES), segmented=True, help="What is shown of each rank"))
    depth: int = setting(Number("Expected depth of both readers (0: as they are)", 0, 30, 0, 1))

    @property
    def begun(self) -> Measure:
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

    def _at_depth(self, measure: Measure) -> Any:
        """With a reader who is expected to read as many ranks as chosen; as it is where nothing leads there."""
        return all_at_depth([measure], self.depth)[str(measure)] if self.depth else measure


@dataclass(frozen=True)
class Built(Tuned, Parts, page="measures"):
    """A measure built of parts, and how it is looked at."""

    OWN = OPENS_ON = "Gain and discount"

    @property
    def tuned(self) -> GainDiscount:
        return self.measure

    @property
    def rival(self) -> str:
        """nDCG, or RBP where it is begun with."""
        return str((RBP() if self.start == str(nDCG()) else nDCG()).with_(aspect=self.aspect))

    @cached_property
    def scores(self) -> list[Call[pd.DataFrame]]:
        """By the other measure, at the depth that is chosen, and by the one that is built."""
        return [scored("other", self.against, self.collection), scored("built", self.measure, self.collection)]

    @property
    def against(self) -> str:
        """The measure set against it, at the depth that is chosen."""
        return str(self._at_depth(parse(self.other))) if self.depth else self.other
