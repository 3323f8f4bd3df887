"""Loaded collections on disk, each in a folder named after a digest of its files.

Cached collections are trusted no further than necessary: no other user may be able to write to the folder, and an entry
is checked when it is read. A broken entry, or one made by another user, is deleted, and the files are read again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from evalcore.common.cache_folder import folder as folder
from evalcore.common.cache_folder import is_ours
from evalcore.common.threads import executor as executor_of
from evalcore.common.writing import move, scratch_folder, sweep
from evalcore.data.sources import Source
from evalcore.data.store import read_collection, write_collection
from evalcore.errors import InputError
from evalcore.structures.documents import Collection

FORMAT = 21  # increase it if what is stored, or how files are read, changes
MOST_COLLECTIONS = 20


def digest(settings: str, files: Sequence[tuple[str, Source]], of: Callable[[Source], bytes]) -> str:
    """Return a digest, 32 hex digits, of settings and files; the order of the files does not matter.

    Each file contributes its name and its own digest, which `of` returns.
    """
    with executor_of(2) as executor:
        digests = list(executor.map(of, (source for _, source in files)))
    whole = hashlib.blake2b(settings.encode(), digest_size=16)
    for name, content in sorted(zip((name for name, _ in files), digests, strict=True)):
        whole.update(f"\n{name}\n".encode() + content)
    return whole.hexdigest()


def store(collection: Collection, key: str) -> None:
    """Cache a collection, and delete the least recently used entries above the limit.

    A full or read-only disk is no error.
    """
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours(folder().stat()):
            _say_once("others may write to the folder: run chmod 700 on it")
            return
        with scratch_folder(folder()) as half:
            write_collection(half, collection)
            target = folder() / key
            _throw_away(target)
            move(half, target)
        _forget_oldest(key)
    except OSError as error:
        _say_once(error.strerror or type(error).__name__)


def recall(key: str) -> Collection | None:
    """Return the collection cached under that key, or None if there is none; an unusable entry is deleted."""
    try:
        target = folder() / key
        if not is_ours(folder().stat()):
            return None
        sweep(folder())
    except OSError:
        return None
    try:
        _refuse_strange(target)
        collection = read_collection(target)
    except FileNotFoundError:
        return None
    except Exception:  # whatever is wrong with the entry, the files themselves can be read
        _throw_away(target)
        return None
    with contextlib.suppress(OSError):
        os.utime(target)
    return collection


def _refuse_strange(target: Path) -> None:
    """Raise InputError for an entry that is not a folder of this user, or contains links."""
    about = target.lstat()
    if not (stat.S_ISDIR(about.st_mode) and is_ours(about)):
        raise InputError("expected a folder that belongs to this user, found something else", str(target))
    for path in target.rglob("*"):
        if path.is_symlink():
            raise InputError("expected a file, found a link", str(path))


@functools.cache
def _say_once(reason: str) -> None:
    logging.getLogger(__name__).warning(
        "evalcore: collections are read again each time, as they cannot be kept on disk (%s); "
        "set EVALCORE_CACHE to another folder",
        reason,
    )


def _throw_away(target: Path) -> None:
    """Delete an entry, or whatever has its name, but never the target of a link."""
    with contextlib.suppress(OSError):
        if target.is_symlink() or not target.is_dir():
            target.unlink(missing_ok=True)
    shutil.rmtree(target, ignore_errors=True)


def _forget_oldest(newest: str) -> None:
    # Only folders named after a key: anything else here is not ours.
    ours = [path for path in folder().iterdir() if re.fullmatch("[0-9a-f]{32}", path.name) and path.name != newest]
    now, used = time.time(), {path: path.stat().st_mtime for path in ours}
    # Entries from a day that has not come yet, as a clock was ahead, go first: else they would stay for ever.
    oldest = sorted(ours, key=lambda path: (used[path] <= now, used[path]))
    for path in oldest[: max(0, len(ours) + 1 - MOST_COLLECTIONS)]:
        shutil.rmtree(path, ignore_errors=True)
