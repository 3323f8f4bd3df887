"""Collections that are read in another process than the one that has their files, and handed over without them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalcore.common.progress import Progress
from evalcore.data.adding import Addition
from evalcore.data.collection_files import Files, Package, origin_of, read_from
from evalcore.data.loading import add_to_package, load_files
from evalcore.data.manifest import Manifest
from evalcore.data.sources import Source, from_bytes
from evalcore.structures.documents import Collection, Note

Pairs = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, eq=False)
class Handed:
    """A collection, and the facts on its files except their content."""

    collection: Collection
    manifest: Manifest
    inferred: tuple[Note, ...]
    names: tuple[str, ...]  # of the files as they were read
    base: str
    flat: bool

    def with_files(self, sources: Sequence[Source]) -> Collection:
        """The collection, known to be read from these files, which are in the order in which they were read."""
        if origin_of(self.collection) is None:  # else it was read in this process
            named = [replace(source, name=name) for source, name in zip(sources, self.names, strict=True)]
            read_from(self.collection, Package(self.manifest, Files(named, self.base, self.flat), self.inferred))
        return self.collection


def handed(collection: Collection) -> Handed:
    """A collection that was read from files, to be handed over."""
    package = origin_of(collection)
    assert package is not None
    names = tuple(source.name for source in package.files.sources)
    return Handed(collection, package.manifest, package.inferred, names, package.files.base, package.files.flat)


def read(files: Pairs, manifest: str | None, progress: Progress) -> Handed:
    """Read files as `load_files` does, to be handed over."""
    return handed(load_files(files, manifest=manifest, progress=progress))


def add(package: Package, files: Pairs, progress: Progress) -> tuple[Handed, list[Addition]]:
    """Add files to a collection as `add_to` does, to be handed over; nothing is kept on disk."""
    collection, additions = add_to_package(package, from_bytes(files), False, progress, time.perf_counter())
    return handed(collection), additions
