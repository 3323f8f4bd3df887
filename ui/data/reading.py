"""Reading of uploads, in this process if quick, otherwise in a separate one, so that nobody else has to wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from evalcore.common import own_process
from evalcore.common.progress import Progress, looking
from evalcore.data import Collection
from evalcore.data.adding import Addition, origin_of
from evalcore.data.process_handover import Handed, add, read
from evalcore.data.sources import Source, from_bytes
from ui.server.browser_store import with_files
from ui.server.limits import LIMITS

Result = TypeVar("Result")
Files = Sequence[tuple[str, bytes]]
MOMENT = 0.5  # seconds of reading in this process before a separate one starts again...
LARGE = 2_000_000  # ...and bytes above which a separate one is used at once


class _TooLongError(Exception):
    """Signal that reading in this process takes too long."""


def opened(files: Files, manifest: str | None, tell: Progress) -> Collection:
    """Return the collection in uploaded files, with the description `manifest`, or the files' own if it is None.

    Raises InputError on bad input.
    """
    return _with_files(_done(read, files, (tuple(files), manifest), tell), from_bytes(files))


def added(collection: Collection, files: Files, tell: Progress) -> tuple[Collection, list[Addition]]:
    """Return the open collection with these files added, and an `Addition` for each thing that they add.

    Raises InputError as `add_to` does.
    """
    package = origin_of(collection)
    assert package is not None
    handed, additions = _done(add, files, (package, tuple(files)), tell)
    return _with_files(handed, [*package.files.sources, *from_bytes(files)]), additions


def _with_files(handed: Handed, sources: Sequence[Source]) -> Collection:
    """Return the collection with its files attached; its size includes them."""
    return with_files(handed.with_files(sources), [source.raw for source in sources])


def _done(job: Callable[..., Result], files: Files, given: tuple[Any, ...], tell: Progress) -> Result:
    """Return the result of a job; large or slow jobs run in a separate process if one can be started."""
    if not own_process.can_start():
        return job(*given, progress=tell)
    if sum(len(content) for _, content in files) <= LARGE:
        with suppress(_TooLongError):
            return _here(job, given, tell)
    return own_process.run(job, *given, progress=tell, memory=LIMITS.opening)


def _here(job: Callable[..., Result], given: tuple[Any, ...], tell: Progress) -> Result:
    end = time.monotonic() + MOMENT

    def look() -> None:
        if time.monotonic() > end:
            raise _TooLongError

    with looking(look):
        return job(*given, progress=tell)
