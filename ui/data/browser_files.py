"""This browser's own collection: uploaded files, or a folder with a corrected description."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import evalcore as ec
from evalcore.data import Collection
from ui.data import reading
from ui.server import browser_store

NAME = "your files"
Files = tuple[tuple[str, bytes], ...]
_KEPT = "own collection"


@dataclass(frozen=True, eq=False)
class Own:
    """A collection, the folder or files from which it was read, and its description before any correction (`given`)."""

    collection: Collection
    origin: Path | Files
    given: str

    @property
    def correction(self) -> str | None:
        """The description, if a person corrected it; otherwise None."""
        return None if self.collection.manifest == self.given else self.collection.manifest


def held() -> Own | None:
    """Return this browser's own collection, even if a different one is open; None if the browser has none."""
    mine: Own | None = browser_store.get(_KEPT)
    return mine


def keep(mine: Own) -> None:
    """Store a collection as this browser's own, in place of the previous one."""
    browser_store.put(_KEPT, mine, None if isinstance(mine.origin, Path) else mine.origin)


def forget() -> None:
    """Forget this browser's own collection."""
    browser_store.drop(_KEPT)


def lasts() -> bool:
    """Return True if this browser's own collection survives a reload."""
    return browser_store.lasts(_KEPT)


def read(origin: Path | Files, manifest: str, tell: Callable[[float, str], None]) -> Collection:
    """Return the collection read from files according to a description. Raises InputError on bad input."""
    if isinstance(origin, Path):
        return ec.load(origin, manifest=manifest, progress=tell)
    return reading.opened(origin, manifest, tell)
