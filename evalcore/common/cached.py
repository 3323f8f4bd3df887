"""`cached_property` without a lock, as in Python 3.12.

That of Python 3.11 holds one lock for all objects of a class while it computes, so that one visitor's long computation
would block the same property of every other visitor's objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:
        """A property that is computed on its first use and then stored in the object."""

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self._compute, self.__doc__ = compute, compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            return self if instance is None else vars(instance).setdefault(self._name, self._compute(instance))


__all__ = ["cached_property"]
