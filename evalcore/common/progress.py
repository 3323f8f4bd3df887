"""Progress of long work, which the caller may end at each report.

Callers pass a function `tell`. If it cannot be passed on (for example to the parts of a measure), `checkpoint` calls
the function that `telling` has set for this thread. An exception from the function ends the work.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, TypeVar

Tell: TypeAlias = Callable[[float], object]
"""A function called with the finished share, from 0 to 1; an exception from it ends the work."""

Progress: TypeAlias = Callable[[float, str], None]
"""A function called with the finished share and the name of the current work, such as a file that is read."""

T = TypeVar("T")
R = TypeVar("R")

_told: ContextVar[Tell | None] = ContextVar("told", default=None)


def tell_share(tell: Tell | None, share: float) -> None:
    """Report the finished share to `tell`, if there is one."""
    if tell is not None:
        tell(share)


def part_of(tell: Tell | None, begin: float, of: float, size: float = 1) -> Tell:
    """Return a reporter for a part of the work, which reports the share of the whole to `tell`.

    The whole has size `of`; the part begins at `begin` and has size `size`.

    >>> part_of(print, 1, 4)(0.5)
    0.375
    >>> part_of(print, 1, 4, size=2)(0.5)
    0.5
    """
    return lambda share: tell_share(tell, (begin + share * size) / of)


@contextmanager
def telling(tell: Tell | None) -> Iterator[None]:
    """In this block, report the checkpoints of this thread's work to `tell`."""
    token = _told.set(tell)
    try:
        yield
    finally:
        _told.reset(token)


@contextmanager
def looking(look: Callable[[], object]) -> Iterator[None]:
    """In this block, also call `look` at each checkpoint of this thread's work; an exception from it ends the work."""
    tell = _told.get()

    def both(share: float) -> None:
        look()
        tell_share(tell, share)

    with telling(both):
        yield


@contextmanager
def part(begin: float, of: float, size: float = 1) -> Iterator[None]:
    """Make this block a part of the current work, which has size `of`: the part begins at `begin` and has size `size`.

    The reported share never falls.

    >>> with telling(lambda share: print(f"{share:.3f}")), part(1, 4, size=2):
    ...     checkpoint(0.5)
    ...     checkpoint()  # the work goes on
    0.500
    0.500
    0.750
    """
    tell, most = _told.get(), 0.0
    tell_whole = part_of(tell, begin, of, size)

    def of_whole(share: float) -> None:
        nonlocal most
        most = max(most, share)
        tell_whole(most)

    with telling(None if tell is None else of_whole):
        yield
        checkpoint(1.0)


def of_each(items: Collection[T], work: Callable[[T], R]) -> list[R]:
    """Return the results of `work` on each item; all items count as equal parts of the current work.

    >>> with telling(lambda share: print(f"{share:.3f}")):
    ...     of_each([1, 2], str)
    0.500
    1.000
    ['1', '2']
    """
    results = []
    for at, item in enumerate(items):
        with part(at, len(items)):
            results.append(work(item))
    return results


def is_told() -> bool:
    """Return whether this thread's progress is observed; its work may then be ended, and must stay in this thread."""
    return _told.get() is not None


def checkpoint(share: float = 0.0) -> None:
    """Report the finished share of the current part of the work; an exception from the report ends the work here."""
    tell_share(_told.get(), share)
