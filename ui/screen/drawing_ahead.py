"""Drawing for slider positions other than the current one: settings and state that replace the browser's session."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Elsewhere:
    """A different slider position: its address, and the session state that drawing needs."""

    address: Mapping[str, Sequence[str]]  # address of the page at the other position
    session: dict[str, Any] = field(default_factory=dict)  # session state that drawing reads
    doubt: bool = True  # True to compute rank intervals, the slowest part
    lacks_doubt: bool = False  # True if rank intervals were left out that the page shows
    scored: dict[Hashable, Any] = field(default_factory=dict)  # scores by measure, shared by everything drawn


_PLACE: ContextVar[Elsewhere | None] = ContextVar("elsewhere", default=None)


# The position being drawn; None for the page on the screen.
elsewhere: Callable[[], Elsewhere | None] = _PLACE.get


@contextmanager
def drawing(
    address: Mapping[str, Sequence[str]], session: Mapping[str, Any] | None = None, doubt: bool = True
) -> Iterator[Elsewhere]:
    """While the context is open, draw with the settings of another address; yield the `Elsewhere` of that address."""
    place = Elsewhere(address, dict(session or {}), doubt)
    token = _PLACE.set(place)
    try:
        yield place
    finally:
        _PLACE.reset(token)
