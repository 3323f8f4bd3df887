"""Uploads are read here while that takes a moment, and else in a process of their own, so that nobody else waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from evalcore import apart
from evalcore.data import Collection
from evalcore.data.adding import Addition, origin_of
from evalcore.data.handed import Handed, add, read, sources_of
from evalcore.data.package import Package
from evalcore.data.sources import Source, from_bytes
from evalcore.progress import Progress, looking
from ui.server.limits import LIMITS
from ui.server.weight import bytes_of, weighed

Result = TypeVar("Result")
Files = Sequence[tuple[str, bytes]]
MOMENT = 0.5  # seconds of reading here, after which it begins anew in a process of its own...
LARGE = 2_000_000  # ...and bytes for which it begins there


class _TooLongError(Exception):
    """It is not to go on here."""


def opened(files: Files, manifest: str | None, tell: Progress) -> Collection:
    """What uploaded files hold, as their own description or another one says. Raises InputError on bad input."""
    handed, size = _done(_read, files, (tuple(files), manifest), tell)
    return _with_files(handed, size, sources_of(files))


def added(collection: Collection, files: Files, tell: Progress) -> tuple[Collection, list[Addition]]:
    """An open collection with more files, and what each joins it as. Raises InputError as `add_to` does."""
    package = origin_of(collection)
    assert package is not None
    (handed, additions), size = _done(_add, files, (package, tuple(files)), tell)
    return _with_files(handed, size, [*package.files.sources, *from_bytes(files)]), additions


def _with_files(handed: Handed, size: int, sources: Sequence[Source]) -> Collection:
    """A collection with its files, and the bytes that both take beyond the upload itself."""
    return weighed(handed.with_files(sources), size + bytes_of([source.raw for source in sources]))


def _read(files: Files, manifest: str | None, progress: Progress) -> tuple[Handed, int]:
    package = read(files, manifest, progress)
    return package, bytes_of(package.collection)


def _add(package: Package, files: Files, progress: Progress) -> tuple[tuple[Handed, list[Addition]], int]:
    added, additions = add(package, files, progress)
    return (added, additions), bytes_of(added.collection)


def _done(
    job: Callable[..., tuple[Result, int]], files: Files, given: tuple[Any, ...], tell: Progress
) -> tuple[Result, int]:
    """What a job finds, and the bytes that it takes."""
    if not apart.can_start():
        return job(*given, progress=tell)
    if sum(len(content) for _, content in files) <= LARGE:
        with suppress(_TooLongError):
            return _here(job, given, tell)
    return apart.run(job, *given, progress=tell, memory=LIMITS.opening)


def _here(job: Callable[..., Result], given: tuple[Any, ...], tell: Progress) -> Result:
    end = time.monotonic() + MOMENT

    def look() -> None:
        if time.monotonic() > end:
            raise _TooLongError

    with looking(look):
        return job(*given, progress=tell)
