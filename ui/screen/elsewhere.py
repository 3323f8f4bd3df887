"""Drawing for another place of a slider than the current one: settings and state that replace a browser's session."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Elsewhere:
    """Another place of a slider: its settings, and the state that drawing needs."""

    address: Mapping[str, Sequence[str]]  # of the page: the settings that are shown elsewhere
    session: dict[str, Any] = field(default_factory=dict)  # what is drawn of it
    doubt: bool = True  # whether how sure a rank is, which takes longest, is to be said
    lacks_doubt: bool = False  # whether it would have been said
    scored: dict[Hashable, Any] = field(default_factory=dict)  # by measures, for all that is drawn


_PLACE: ContextVar[Elsewhere | None] = ContextVar("elsewhere", default=None)


# The place that is drawn for; None where it is the page on the screen.
elsewhere: Callable[[], Elsewhere | None] = _PLACE.get


@contextmanager
def drawing(
    address: Mapping[str, Sequence[str]], session: Mapping[str, Any] | None = None, doubt: bool = True
) -> Iterator[Elsewhere]:
    """Draw with the settings of an address."""
    place = Elsewhere(address, dict(session or {}), doubt)
    token = _PLACE.set(place)
    try:
        yield place
    finally:
        _PLACE.reset(token)
