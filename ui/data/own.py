"""A browser's own collection: files that it uploaded, or a folder whose description was corrected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import evalcore as ec
from evalcore.data import Collection
from ui.data import reading
from ui.server import kept

NAME = "your files"
Files = tuple[tuple[str, bytes], ...]
_KEPT = "own collection"


@dataclass(frozen=True)
class Correction:
    """A description that was corrected: of which collection, by its name and by its fingerprint before."""

    manifest: str
    name: str
    fingerprint: str


@dataclass(frozen=True, eq=False)
class Own:
    """What is open, where it was read from, and what it would be without corrections."""

    collection: Collection
    origin: Path | Files
    name: str  # that of the folder, or `NAME`
    given: tuple[str, str]  # description and fingerprint as the files alone have them

    @property
    def correction(self) -> Correction | None:
        manifest, fingerprint = self.given
        description = self.collection.manifest
        return None if description == manifest else Correction(description, self.name, fingerprint)


def held() -> Own | None:
    """This browser's own collection, open or not."""
    mine: Own | None = kept.get(_KEPT)
    return mine


def keep(mine: Own) -> None:
    """Make it this browser's own collection, in place of the one before."""
    kept.put(_KEPT, mine)


def forget() -> None:
    """Keep it no longer."""
    kept.drop(_KEPT)


def lasts() -> bool:
    """Whether a reload finds it again."""
    return kept.lasts(_KEPT)


def read(origin: Path | Files, manifest: str, tell: Callable[[float, str], None]) -> Collection:
    """Read files as a description says. Raises InputError on bad input."""
    if isinstance(origin, Path):
        return ec.load(origin, manifest=manifest, progress=tell)
    return reading.opened(origin, manifest, tell)
