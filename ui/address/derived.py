"""Collections derived from an open one, for example by the filter, cached for later runs.

Two people may have opened the same files under different names, which are part of the collection. A derived collection
is therefore cached for the very object from which it was made, not for its fingerprint: nobody else gets it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from weakref import ReferenceType, ref

from evalcore.data import Collection
from ui.server.browser_store import once

MOST = 64


class Derived:
    """Cache of the latest derived collections; each is dropped at the first look-up after its original is gone."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._lock = most, threading.Lock()
        self._made: OrderedDict[Hashable, tuple[ReferenceType[Collection], Collection]] = OrderedDict()

    def get(self, collection: Collection, how: Hashable, make: Callable[[], Collection]) -> Collection:
        """Return the collection derived from this one under the key `how`: from the cache, or else made by `make`."""
        name = id(collection), how
        return self._find(name, collection) or self._keep(name, collection, make())

    def _find(self, name: Hashable, collection: Collection) -> Collection | None:
        with self._lock:
            for gone in [name for name, (of, _) in self._made.items() if of() is None]:
                del self._made[gone]
            if name not in self._made:
                return None
            self._made.move_to_end(name)
            return self._made[name][1]

    def _keep(self, name: Hashable, collection: Collection, made: Collection) -> Collection:
        with self._lock:
            _, kept = self._made.setdefault(name, (ref(collection), made))  # another run may have been faster
            while len(self._made) > self._most:
                self._made.popitem(last=False)
            return kept


def of(collection: Collection, how: Hashable, make: Callable[[], Collection]) -> Collection:
    """Return the collection derived from this one under the key `how`: from the server's cache, or made by `make`."""
    return _kept().get(collection, how, make)


@once
def _kept() -> Derived:
    return Derived()
