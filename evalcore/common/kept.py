"""Folder of what is kept on disk between two processes, and texts that are kept there."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from evalcore.errors import InputError

ROOT = Path(__file__).parents[1]


def folder() -> Path:
    """The folder: $EVALCORE_CACHE, else evalcore below the user's cache folder.

    It is made for this user alone; one that others may write to is not used. Raises OSError where there is none, as in
    a container without a home directory.
    """
    return Path(os.environ.get("EVALCORE_CACHE") or _of_user() / "evalcore")


def _of_user() -> Path:
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # HOME is not set, and the user not known
        raise OSError(errno.ENOENT, "no home directory") from None


def is_ours(about: os.stat_result) -> bool:
    """Return whether this user, and nobody else, may write to a folder or file."""
    user = getattr(os, "getuid", lambda: about.st_uid)()
    return bool(about.st_uid == user and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def text(name: str, parts: Sequence[str], make: Callable[[], str]) -> str:
    """Return what `make` says, or said before of the same sources: those of these parts of the package.

    Making it may import all of them, which takes a hundred times as long as reading what was kept.
    """
    target = None
    try:
        target = folder() / f"{name}-{_state(parts)}.text"
        about = target.lstat()
        if stat.S_ISREG(about.st_mode) and is_ours(about) and is_ours(folder().stat()):
            return target.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        pass
    made = make()
    with suppress(OSError, InputError):  # a full or read-only disk is no error
        if target:
            _keep(name, target, made)
    return made


def _state(parts: Sequence[str]) -> str:
    """A digest that changes with every source of these parts, with the place of the package and with Python."""
    state = hashlib.blake2b(f"{sys.version} {ROOT}".encode(), digest_size=16)
    for path in sorted(path for part in parts for path in (ROOT / part).rglob("*.py")):
        about = path.stat()
        state.update(f"\n{path} {about.st_mtime_ns} {about.st_size}".encode())
    return state.hexdigest()


def _keep(name: str, target: Path, content: str) -> None:
    from evalcore.common.writing import whole_file

    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_ours(folder().stat()):
        return
    for old in folder().glob(f"{name}-*.text"):
        old.unlink(missing_ok=True)
    with whole_file(target) as file:
        file.write(content.encode())
