"""The pins side by side, and the one that the others are set against: the settings of the page Pins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from evalcore import InputError
from ui.address.settings import Settings, address, setting
from ui.computing.measures import averaged, of_measure, scored, scores
from ui.data.pins import Pin, Pins
from ui.screen.calls import Call, line
from ui.screen.text import counted
from ui.widgets.fields import Choice


@dataclass(frozen=True)
class Comparison(Settings, page="pins"):
    """A measure to pin, and the pin that the others are set against."""

    keep: str = setting(lambda page: of_measure(page.collection, "A setting to keep"))
    against: str | None = setting(lambda page: Choice("Set against", list(page.scores)) if page.scores else None)

    @cached_property
    def pins(self) -> list[Pin]:
        return Pins.read(self.collection, address()).pinned

    @cached_property
    def scores(self) -> dict[str, Call[pd.DataFrame]]:
        """Topics x systems under the last measure of each pin that fits: the one its page is about."""
        fit = (pin for pin in self.pins if isinstance(self._answers[pin.name], pd.DataFrame))
        return {pin.name: scored("scores", pin.measures[-1], self.collection) for pin in fit}

    @cached_property
    def means(self) -> Call[dict[str, pd.Series]]:
        """Their means over topics, by system."""
        return line("means", {name: averaged(table).it for name, table in self.scores.items()})

    @property
    def unfit(self) -> dict[str, InputError]:
        """Why a pin does not fit the collection."""
        return {name: answer for name, answer in self._answers.items() if isinstance(answer, InputError)}

    @cached_property
    def _answers(self) -> dict[str, pd.DataFrame | InputError]:
        return {pin.name: self._frame(pin) for pin in self.pins}

    def _frame(self, pin: Pin) -> pd.DataFrame | InputError:
        try:
            frame = scores(self.collection, pin.measures[-1])
        except InputError as error:
            return error
        without = frame.columns[frame.isna().all()]
        if not len(without):
            return frame
        lack = f"expected scores of every system, found none of {counted(len(without), 'system')}, such as {without[0]}"
        return InputError(f"{lack}; filter the systems to compare it", str(pin.measures[-1]))
