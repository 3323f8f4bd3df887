"""Settings of Who moved: the two measures between which systems move, the system, and the topic."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import pandas as pd

import evalcore as ec
from evalcore import InputError
from evalcore.common.cached import cached_property
from evalcore.measures import short_names
from evalcore.meta import Move, Swaps
from ui.address import site
from ui.address.families import all_short
from ui.address.settings import Settings, setting
from ui.computing import doubt
from ui.computing.cached import cached_call
from ui.computing.measures import of_measure, scored, suggested, unlike
from ui.computing.ranked import DEPTHS
from ui.screen.calls import Call, call
from ui.widgets.fields import Choice, Field

EVERY = ""


def _pair(page: MovedSettings) -> tuple[str, str]:
    """Return the texts of two measures: the first that fits the collection, and one that orders systems differently.

    For the second measure, measures of several aspects are tried first. If none orders systems differently, the
    second is the first one tried, or the same as the first measure if there is no other.
    """
    first, *others = (measure for listed in suggested(page.collection).values() for measure in listed)
    beside = sorted(others, key=lambda other: len(other.columns) < 2)
    return str(first), unlike(str(first), list(map(str, beside)), page.collection) if beside else str(first)


def _system(page: MovedSettings) -> Field:
    known = list(page.collection.systems)
    with suppress(InputError):  # the page shows the error
        known = list(map(str, page.movers.value.index))
    return Choice("System", (EVERY, *known), EVERY, names=lambda name: name or "all systems", called=all_short)


def _topic(page: MovedSettings) -> Field | None:
    """Return the field for the topic, the last step before documents.

    None if the collection lacks data that the page Topic needs.
    """
    if not site.works("topic", page.collection):
        return None
    known = list(page.collection.topics)
    with suppress(InputError):
        known = list(map(str, page.move.value.topics.index)) if page.system else known
    return Choice("Topic", (EVERY, *known), EVERY, names=lambda name: name or "all topics")


@dataclass(frozen=True)
class MovedSettings(Settings, page="moved"):
    """Settings of the three steps: all systems, one system, or one system on one topic."""

    x: str = setting(lambda page: of_measure(page.collection, "From", _pair(page)[0]))
    y: str = setting(lambda page: of_measure(page.collection, "To", _pair(page)[1]))
    system: str = setting(_system)
    topic: str = setting(_topic)
    depth: int = setting(Choice("Down to rank", DEPTHS, 10))

    @property
    def names(self) -> tuple[str, str]:
        """The short names of the two measures."""
        short = short_names([self.x, self.y])
        return short[self.x], short[self.y]

    @cached_property
    def scored(self) -> tuple[Call[pd.DataFrame], Call[pd.DataFrame]]:
        return scored("x", self.x, self.collection), scored("y", self.y, self.collection)

    @cached_property
    def movers(self) -> Call[pd.DataFrame]:
        """The call that computes the systems' changes of rank, the largest first."""
        x, y = self.scored
        return call("movers", ec.movers, x.it.mean(), y.it.mean())

    @cached_property
    def move(self) -> Call[Move]:
        """The call that explains the move of the system.

        Raises InputError if the topics' shares of the move are undefined, for example with infinite scores.
        """
        x, y = self.scored
        try:
            made = call("move", ec.move, x.it, y.it, self.system)
            return made.known(made.value)
        except InputError as error:
            raise InputError(str(error), f"{self.x}, {self.y}") from None

    @cached_property
    def swaps(self) -> Call[Swaps] | None:
        """The call that computes the swaps of systems and the significance of each swap.

        None if intervals are switched off, or with fewer than two systems or topics.
        """
        if not doubt.shown() or min(self.scored[0].value.shape) < 2:
            return None
        x, y = self.scored
        return cached_call(call("swaps", ec.swaps, x.it, y.it), self.collection)

    def open_system(self, clicked: list[str]) -> None:
        """Open the second step for a clicked system; the browser's Back button returns."""
        if clicked:
            self.change(system=clicked[0], topic=EVERY)

    def open_topic(self, clicked: list[str]) -> None:
        if clicked:
            self.change(topic=clicked[0])
