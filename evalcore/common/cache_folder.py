"""The folder of files that are cached between processes."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def folder() -> Path:
    """Return the path of the cache: $EVALCORE_CACHE, else the folder evalcore in the user's cache folder.

    Raises OSError if the user has no home directory, as in some containers.
    """
    return Path(os.environ.get("EVALCORE_CACHE") or _of_user() / "evalcore")


def _of_user() -> Path:
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # HOME is not set, and the user is unknown
        raise OSError(errno.ENOENT, "no home directory") from None


def is_ours(about: os.stat_result) -> bool:
    """Return whether this user, and nobody else, may write to a folder or file."""
    user = getattr(os, "getuid", lambda: about.st_uid)()
    return bool(about.st_uid == user and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
