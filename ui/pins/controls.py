"""The pins side by side: the settings of the page Pins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import pandas as pd

from evalcore import InputError
from ui.address.settings import Settings, address, setting
from ui.computing.measures import of_measure, scores
from ui.data.pins import Pin, Pins
from ui.widgets.fields import Choice


@dataclass(frozen=True)
class PinsSettings(Settings):
    """A measure to pin, and the pin that the others are set against."""

    PAGE: ClassVar[str] = "pins"

    keep: str = setting(lambda page: of_measure(page.collection, "A setting to keep"))
    against: str | None = setting(lambda page: Choice("Set against", list(page.means)) if page.means else None)

    @cached_property
    def pins(self) -> list[Pin]:
        return Pins.read(self.collection, address()).pinned

    @cached_property
    def means(self) -> dict[str, pd.Series]:
        """Mean scores under the last measure of each pin that fits: the one its page is about."""
        return {name: one.mean() for name, one in self.frames.items()}

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The same topic by topic: topics x systems."""
        return {name: one for name, one in self._answers.items() if isinstance(one, pd.DataFrame)}

    @property
    def unfit(self) -> dict[str, InputError]:
        """Why a pin does not fit the collection."""
        return {name: one for name, one in self._answers.items() if isinstance(one, InputError)}

    @cached_property
    def _answers(self) -> dict[str, pd.DataFrame | InputError]:
        return {pin.name: self._frame(pin) for pin in self.pins}

    def _frame(self, pin: Pin) -> pd.DataFrame | InputError:
        try:
            return scores(self.collection, pin.measures[-1])
        except InputError as error:
            return error
