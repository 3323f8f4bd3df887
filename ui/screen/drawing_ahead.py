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

    address: Mapping[str, Sequence[str]]  # address of the page, with the settings of the other place
    session: dict[str, Any] = field(default_factory=dict)  # session state that drawing reads
    doubt: bool = True  # whether to compute the doubt of ranks, the slowest part
    lacks_doubt: bool = False  # whether doubt was left out that would have been shown
    scored: dict[Hashable, Any] = field(default_factory=dict)  # scores by measure, shared by all that is drawn


_PLACE: ContextVar[Elsewhere | None] = ContextVar("elsewhere", default=None)


# The place being drawn; None if it is the page on the screen.
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
