"""The one way in which files and folders are written: whole or not at all, and never over what was there unasked."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from evalcore.errors import InputError

PathLike = str | Path
# A cell that begins so is one that a spreadsheet runs; the last four are full width.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def inert(cell: Any) -> Any:
    """A cell of a CSV that a person opens: an apostrophe stands before what a spreadsheet would run as a formula.

    >>> inert("=1+1"), inert("a=1"), inert(-1)
    ("'=1+1", 'a=1', -1)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def refuse_file(target: PathLike, *, replace: bool = False, inputs: Iterable[PathLike] = ()) -> None:
    """Raise InputError where a file must not be written: over an input, or, unless `replace`, over any other file.

    `inputs` are files and folders; links to them, and what is below a folder, are them. What is no file on a disk, such
    as a pipe or /dev/stdout, may be written to.
    """
    found = _stat(target)
    if found is None or _takes_all(target, found):
        return
    if stat.S_ISDIR(found.st_mode):
        raise InputError("expected a file to write, found a folder", str(target))
    if _is_among(found, inputs):
        raise InputError("expected a place of its own to write to, found a file that is read here", str(target))
    if not replace:
        raise InputError("expected a new file to write, found one that is there; --force replaces it", str(target))


@contextmanager
def whole_file(target: PathLike, *, replace: bool = False, inputs: Iterable[PathLike] = ()) -> Iterator[BinaryIO]:
    """A file to write to, which is at its place when it is whole; after an error all is as it was.

    It is written beside its place and moved there, behind links, with the permissions of the file that it replaces.
    Raises InputError as `refuse_file` does, and where the disk is full or the folder cannot be written to.
    """
    refuse_file(target, replace=replace, inputs=inputs)
    found = _stat(target)
    if found and _takes_all(target, found):
        with _told("file", target), open(target, "wb") as file:
            yield file
        return
    place = Path(os.path.realpath(target))
    half = _beside(place)
    with _told("file", target):
        try:
            with half.open("xb") as file:
                yield file
            if found:
                half.chmod(stat.S_IMODE(found.st_mode))
            half.replace(place)
        finally:
            half.unlink(missing_ok=True)


def write_file(
    target: PathLike, content: bytes | str, *, replace: bool = False, inputs: Iterable[PathLike] = ()
) -> None:
    """Write a file as `whole_file` does; text in UTF-8."""
    with whole_file(target, replace=replace, inputs=inputs) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def new_folder(folder: PathLike) -> Iterator[Path]:
    """A folder beside the one that is asked for, which it becomes when it is whole; after an error nothing is left.

    Raises InputError for a folder that holds something, and where the disk is full or the place cannot be written to.
    """
    place = Path(os.path.realpath(folder))
    with _told("folder", folder):
        if os.path.lexists(place) and (not place.is_dir() or any(place.iterdir())):
            raise InputError("expected a new or an empty folder to write to, found something there", str(folder))
        place.parent.mkdir(parents=True, exist_ok=True)
        half = _beside(place)
        half.mkdir()
        try:
            yield half
            if place.exists():
                place.rmdir()
            half.rename(place)
        finally:
            shutil.rmtree(half, ignore_errors=True)


def _stat(target: PathLike) -> os.stat_result | None:
    """What is there, behind links, if anything is."""
    try:
        return os.stat(target)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unwritable("file", target, error) from None


def _takes_all(target: PathLike, found: os.stat_result) -> bool:
    """Whether it is a pipe, a terminal or a device, or one of this process's streams whatever that leads to."""
    stream = os.fspath(target).startswith(("/dev/", "/proc/self/fd/"))
    return not stat.S_ISDIR(found.st_mode) and (stream or not stat.S_ISREG(found.st_mode))


@contextmanager
def _told(what: str, target: PathLike) -> Iterator[None]:
    """An OSError as a InputError that names what was to be written, not the unfinished file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(what, target, error) from None


def _unwritable(what: str, target: PathLike, error: OSError) -> InputError:
    problem = f"expected a {what} that can be written, found: {error.strerror or error}"
    return InputError(problem, str(target))


def _beside(place: Path) -> Path:
    """A hidden name on the same disk; a short one, as the name itself may be as long as is allowed."""
    return place.with_name(f".evalcore-{secrets.token_hex(4)}")


def _is_among(found: os.stat_result, inputs: Iterable[PathLike]) -> bool:
    return any(os.path.samestat(found, one) for place in inputs for one in _files(place))


def _files(place: PathLike) -> Iterator[os.stat_result]:
    """The file, or all files below the folder."""
    with suppress(OSError):
        yield os.stat(place)
    for folder, _, names in os.walk(place):
        for name in names:
            with suppress(OSError):
                yield os.stat(os.path.join(folder, name))
