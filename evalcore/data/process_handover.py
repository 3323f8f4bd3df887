"""Collections that are read in one process, and handed over without their files to the process that holds the files."""

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
    """A collection, with facts about its files but not the content of the files."""

    collection: Collection
    manifest: Manifest
    inferred: tuple[Note, ...]
    names: tuple[str, ...]  # of the files as they were read
    base: str
    flat: bool

    def with_files(self, sources: Sequence[Source]) -> Collection:
        """Record that the collection was read from these files, which must be in the same order, and return it."""
        if origin_of(self.collection) is None:  # otherwise it was read in this process
            named = [replace(source, name=name) for source, name in zip(sources, self.names, strict=True)]
            read_from(self.collection, Package(self.manifest, Files(named, self.base, self.flat), self.inferred))
        return self.collection


def handed(collection: Collection) -> Handed:
    """Return a collection in the form for handing over; it must have been read from files."""
    package = origin_of(collection)
    assert package is not None
    names = tuple(source.name for source in package.files.sources)
    return Handed(collection, package.manifest, package.inferred, names, package.files.base, package.files.flat)


def read(files: Pairs, manifest: str | None, progress: Progress) -> Handed:
    """Return the collection that `load_files` would read from these files, in the form for handing over."""
    return handed(load_files(files, manifest=manifest, progress=progress))


def add(package: Package, files: Pairs, progress: Progress) -> tuple[Handed, list[Addition]]:
    """Add files to a collection as `add_to` does; return it in the form for handing over, and the additions.

    Nothing is cached.
    """
    collection, additions = add_to_package(package, from_bytes(files), False, progress, time.perf_counter())
    return handed(collection), additions
