"""`cached_property` without a lock, as in Python 3.12."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

T = TypeVar("T")


class cached_property(functools.cached_property[T]):
    """A property that is computed on its first use and then stored in the object.

    The `cached_property` of Python 3.11 has one lock for all objects of a class and keeps it during the computation. So
    one visitor's long computation would block the same property of every other visitor's objects.
    """

    def __init__(self, func: Callable[[Any], T]) -> None:
        super().__init__(func)
        self.lock = nullcontext()
