"""What a server holds for all its visitors, until it ends.

Not a cache of Streamlit: those can be emptied for everybody by a message from any one visitor, and are for what can be
made anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Held = TypeVar("Held")
_HELD: dict[Callable[[], Any], Any] = {}
_LOCK = threading.RLock()  # one value may take another one


def once(make: Callable[[], Held]) -> Callable[[], Held]:
    """A function whose first call makes the value that all calls give.

    >>> @once
    ... def things() -> list[int]:
    ...     return []
    >>> things().append(1)
    >>> things()
    [1]
    """

    @wraps(make)
    def held() -> Held:
        with _LOCK:
            if make not in _HELD:
                _HELD[make] = make()
            value: Held = _HELD[make]
            return value

    return held


def forget() -> None:
    """Hold nothing any more, as a server that has just started."""
    with _LOCK:
        _HELD.clear()
