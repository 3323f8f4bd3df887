"""Long work says how far it is, and asks on its way whether it is to go on.

Whoever starts the work gives it a function `tell`; where that cannot be handed down, as to the parts of a measure, a
`checkpoint` reaches the same person. What either raises ends the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

Tell: TypeAlias = Callable[[float], object]
"""Called with the share that is done, in [0, 1]."""

_check: ContextVar[Callable[[], object] | None] = ContextVar("check", default=None)


def part_of(tell: Tell | None, at: int, of: int) -> Tell | None:
    """The progress of one of several equal parts as progress of the whole.

    >>> part_of(print, 1, 4)(0.5)
    0.375
    """
    return None if tell is None else lambda share: tell((at + share) / of)


@contextmanager
def checked(check: Callable[[], object]) -> Iterator[None]:
    """Call `check` at each checkpoint of this thread's work."""
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def checkpoint() -> None:
    """A place where work may end."""
    if (check := _check.get()) is not None:
        check()
